// Membership of points of E and E' in the subgroups of order r, by endomorphisms.
//
//   BN254      G1   every point (the cofactor is 1)
//              G2   [x + 1]Q + psi([x]Q) + psi^2([x]Q) = psi^3([2x]Q)      eprint 2022/352, section 4.3
//   BLS12-381  G1   phi(P) = [-x^2]P                                       Scott, eprint 2021/1130, section 6
//              G2   psi(Q) = [x]Q                                          2021/1130, section 4
//
// On E and E' the endomorphisms satisfy phi^2 + phi + 1 = 0 and psi^2 - t psi + p = 0; the norm of each
// condition above shares with the order of the curve only the factor r, so no point outside the subgroup
// satisfies it (tests/kernels/test_subgroup.py computes these norms). Cost: one or two multiplications by the 64-bit
// seed.
#pragma once
#include "pairing.h"
#include "xyzz.h"

PROVERD_BEGIN

template <class F>
PROVERD_CALLED Xyzz<F> multiple_by_word(const Xyzz<F>& p, u64 k) {
  Xyzz<F> r = p;
  for (int i = 62 - __builtin_clzll(k); i >= 0; i--) {
    r = r.doubled();
    if (k >> i & 1) r = r + p;
  }
  return r;
}

// p is on the curve.
template <class C>
bool is_in_g1(const Affine<typename C::Fp>& p) {
  if constexpr (C::Params::IS_BN) {
    return true;
  } else {
    using F = typename C::Fp;
    Affine<F> image = {p.x * F::from_words(C::Params::phi_x()), p.y};
    Xyzz<F> product = multiple_by_word(multiple_by_word(Xyzz<F>::from_affine(p), C::Params::SEED), C::Params::SEED);
    return (product + image).is_infinity();
  }
}

template <class C>
PROVERD_HD Xyzz<typename C::Fp2> psi(const Xyzz<typename C::Fp2>& q) {
  auto xy = psi<C>(Affine<typename C::Fp2>{q.x, q.y});
  return {xy.x, xy.y, q.zz.conjugate(), q.zzz.conjugate()};
}

// q is on the twist.
template <class C>
bool is_in_g2(const Affine<typename C::Fp2>& q) {
  using Point = Xyzz<typename C::Fp2>;
  Point xq = multiple_by_word(Point::from_affine(q), C::Params::SEED);
  if (C::Params::SEED_NEGATIVE) xq = -xq;
  if constexpr (C::Params::IS_BN) {
    Point image = psi<C>(xq), image2 = psi<C>(image), image3 = psi<C>(image2);
    return (xq + q + image + image2 + -image3.doubled()).is_infinity();
  } else {
    return (xq + -psi<C>(q)).is_infinity();
  }
}

PROVERD_END
