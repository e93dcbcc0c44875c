// The optimal ate pairing of both curves (Vercauteren, eprint 2008/096), for products of pairings.
//
// The point that runs through the Miller loop stays on the twist in homogeneous coordinates (x = X/Z,
// y = Y/Z), so that the loop has no inversion; a line is scaled by whatever its formula leaves as factor
// in Fp2, which the final exponentiation removes (Costello, Lange, Naehrig, eprint 2009/615; formulas as
// in Aranha et al., eprint 2010/526, section 4). All pairs share the squarings of the loop.
//
// Both arguments must be in the subgroups of order r. The value is snarkjs's: with the final exponents
// below, e(alpha, beta) is `vk_alphabeta_12`.
#pragma once
#include "tower.h"

PROVERD_BEGIN

// A line through points of the twist before it meets P: at_y y_P, at_x x_P and rest are its coefficients.
template <class C>
struct Line {
  typename C::Fp2 at_y, at_x, rest;
};

template <class C>
struct TwistPoint {
  using F = typename C::Fp2;
  F x, y, z;

  // T = 2 T; the tangent, scaled by -2YZ. 3M + 6S and a product by 3 b2.
  PROVERD_CALLED Line<C> double_step() {
    F xy = x * y;
    F b = y.squared();
    F c = z.squared();
    F e = C::b2() * (c.doubled() + c);
    F f = e.doubled() + e;
    F h = (y + z).squared() - b - c;
    F xx = x.squared();
    F ee = e.squared();
    F ee4 = ee.doubled().doubled();
    Line<C> line = {-h, xx.doubled() + xx, e - b};
    // four times the point of the source, which divides xy and b + f by two
    x = (xy * (b - f)).doubled();
    y = (b + f).squared() - ee4.doubled() - ee4;
    z = (b * h).doubled().doubled();
    return line;
  }

  // T = T + Q; the chord, scaled by X - x_Q Z. 11M + 2S.
  PROVERD_CALLED Line<C> add_step(const Affine<F>& q) {
    F theta = y - q.y * z;
    F lambda = x - q.x * z;
    F d = lambda.squared();
    F e = lambda * d;
    F f = z * theta.squared();
    F g = x * d;
    F h = e + f - g.doubled();
    Line<C> line = {lambda, -theta, theta * q.x - lambda * q.y};
    x = lambda * h;
    y = theta * (g - h) - y * e;
    z = z * e;
    return line;
  }
};

// psi: untwist, Frobenius, twist; multiplies points of G2 by p (Galbraith and Scott, eprint 2008/117).
template <class C>
PROVERD_HD Affine<typename C::Fp2> psi(const Affine<typename C::Fp2>& q) {
  using F = typename C::Fp2;
  return {q.x.conjugate() * F::from_words(C::Params::psi_x()), q.y.conjugate() * F::from_words(C::Params::psi_y())};
}

template <class C>
PROVERD_HD Fp12<C> times_line_at(const Fp12<C>& f, const Line<C>& line, const Affine<typename C::Fp>& p) {
  auto at_y = line.at_y.scaled(p.y), at_x = line.at_x.scaled(p.x);
  if constexpr (C::Params::D_TWIST) {
    return f.times_line(at_y, at_x, line.rest);
  } else {
    return f.times_line(line.rest, at_x, at_y);
  }
}

// Product of f_{s,Q[i]}(P[i]) over n pairs, none with infinity; t is scratch for n points.
template <class C>
Fp12<C> miller_loop(const Affine<typename C::Fp>* p, const Affine<typename C::Fp2>* q, TwistPoint<C>* t, u64 n) {
  using Params = typename C::Params;
  using F = typename C::Fp2;
  for (u64 i = 0; i < n; i++) t[i] = {q[i].x, q[i].y, F::one()};
  Fp12<C> f = Fp12<C>::one();
  for (int k = 1; k < Params::MILLER_DIGITS; k++) {
    f = f.squared();
    int digit = Params::miller_digit(k);
    for (u64 i = 0; i < n; i++) {
      f = times_line_at(f, t[i].double_step(), p[i]);
      if (digit != 0) f = times_line_at(f, t[i].add_step(digit > 0 ? q[i] : -q[i]), p[i]);
    }
  }
  if constexpr (Params::IS_BN) {
    for (u64 i = 0; i < n; i++) {
      auto image = psi<C>(q[i]);
      f = times_line_at(f, t[i].add_step(image), p[i]);
      f = times_line_at(f, t[i].add_step(-psi<C>(image)), p[i]);
    }
  } else if (Params::SEED_NEGATIVE) {
    f = f.conjugate();
  }
  return f;
}

// f^x for f in the cyclotomic subgroup, x the seed
template <class C>
Fp12<C> power_of_seed(const Fp12<C>& f) {
  Fp12<C> r = f;
  for (int i = 62 - __builtin_clzll(C::Params::SEED); i >= 0; i--) {
    r = r.cyclotomic_squared();
    if (C::Params::SEED >> i & 1) r = r * f;
  }
  return C::Params::SEED_NEGATIVE ? r.conjugate() : r;
}

// f^(m (p^4 - p^2 + 1)/r) with m = 2x(6x^2 + 3x + 1): Fuentes-Castaneda, Knapp, Rodriguez-Henriquez,
// "Faster hashing to G2", section 5. The exponent is l0 + l1 p + l2 p^2 + l3 p^3.
template <class C>
Fp12<C> final_exponentiation_hard_bn(const Fp12<C>& f) {
  Fp12<C> f2x = power_of_seed(f).cyclotomic_squared();
  Fp12<C> f6x = f2x.cyclotomic_squared() * f2x;
  Fp12<C> f6xx = power_of_seed(f6x);
  Fp12<C> f12xxx = power_of_seed(f6xx.cyclotomic_squared());
  Fp12<C> l2 = f12xxx * f6xx * f6x;
  Fp12<C> l1 = l2 * f2x.conjugate();
  Fp12<C> l0 = l2 * f6xx * f;
  Fp12<C> l3 = l1 * f.conjugate();
  return l0 * l1.frobenius() * l2.frobenius_squared() * l3.frobenius_squared().frobenius();
}

// f^(3 (p^4 - p^2 + 1)/r) = f^((x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3): Hayashida, Hayasaka, Teruya,
// eprint 2020/875, theorem 1.
template <class C>
Fp12<C> final_exponentiation_hard_bls12(const Fp12<C>& f) {
  Fp12<C> t = power_of_seed(f) * f.conjugate();
  t = power_of_seed(t) * t.conjugate();
  t = power_of_seed(t) * t.frobenius();
  t = power_of_seed(power_of_seed(t)) * t.frobenius_squared() * t.conjugate();
  return t * f.cyclotomic_squared() * f;
}

// f^(m (p^12 - 1)/r), m as above
template <class C>
Fp12<C> final_exponentiation(const Fp12<C>& f) {
  Fp12<C> t = f.conjugate() * f.inverse();
  t = t.frobenius_squared() * t;
  if constexpr (C::Params::IS_BN) {
    return final_exponentiation_hard_bn(t);
  } else {
    return final_exponentiation_hard_bls12(t);
  }
}

PROVERD_END
