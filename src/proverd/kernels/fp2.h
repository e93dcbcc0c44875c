// Fp2 = Fp[u]/(u^2 + 1), the field of G2's coordinates on both curves (-1 is a non-residue mod p).
#pragma once
#include "field.h"

PROVERD_BEGIN

template <class F>
struct Fp2 {
  using Base = F;
  using Params = typename F::Params;
  static constexpr int BYTES = 2 * F::BYTES;
  static constexpr int DEGREE = 2;

  F c0, c1;  // c0 + c1 u

  static PROVERD_HD Fp2 from_words(const WordsPair<Params::WORDS>& w) {
    return {F::from_words(w.c0), F::from_words(w.c1)};
  }
  static PROVERD_HD Fp2 zero() { return {F::zero(), F::zero()}; }
  static PROVERD_HD Fp2 one() { return {F::one(), F::zero()}; }

  PROVERD_HD bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  PROVERD_HD bool is_reduced() const { return c0.is_reduced() && c1.is_reduced(); }
  PROVERD_HD bool operator==(const Fp2& b) const { return c0 == b.c0 && c1 == b.c1; }
  PROVERD_HD bool operator!=(const Fp2& b) const { return !(*this == b); }

  PROVERD_HD Fp2 operator+(const Fp2& b) const { return {c0 + b.c0, c1 + b.c1}; }
  PROVERD_HD Fp2 operator-(const Fp2& b) const { return {c0 - b.c0, c1 - b.c1}; }
  PROVERD_HD Fp2 operator-() const { return {-c0, -c1}; }
  PROVERD_HD Fp2 doubled() const { return {c0.doubled(), c1.doubled()}; }

  // A product before its reduction, both coefficients in [0, p R).
  struct Wide {
    typename F::Wide c0, c1;

    // Karatsuba: (a0 b0 - a1 b1) + ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) u, 3 products
    static PROVERD_HD Wide product(const Fp2& a, const Fp2& b) {
      auto t0 = F::Wide::product(a.c0, b.c0);
      auto t1 = F::Wide::product(a.c1, b.c1);
      auto t2 = F::Wide::product(F::sum_unreduced(a.c0, a.c1), F::sum_unreduced(b.c0, b.c1));
      wide_sub<Params>(t2.limb, t0.limb);
      wide_sub<Params>(t2.limb, t1.limb);
      return {t0 - t1, t2};
    }
    PROVERD_HD Wide operator-(const Wide& b) const { return {c0 - b.c0, c1 - b.c1}; }
    PROVERD_HD Fp2 reduced() const { return {c0.reduced(), c1.reduced()}; }
  };

  // 3 products, 2 reductions (lazy reduction: Aranha et al., eprint 2010/526, section 3)
  static PROVERD_CALLED Fp2 product(PROVERD_ARGUMENT(Fp2) a, PROVERD_ARGUMENT(Fp2) b) {
    return Wide::product(a, b).reduced();
  }
  // complex squaring, 2M: (a0 + a1)(a0 - a1) + 2 a0 a1 u
  static PROVERD_CALLED Fp2 square(PROVERD_ARGUMENT(Fp2) a) {
    return {F::sum_unreduced(a.c0, a.c1) * (a.c0 - a.c1), F::sum_unreduced(a.c0, a.c0) * a.c1};
  }
  PROVERD_HD Fp2 operator*(const Fp2& b) const { return product(*this, b); }
  PROVERD_HD Fp2 squared() const { return square(*this); }
  // a b - c d: 6 products, 2 reductions where registers suffice for it
  static PROVERD_HD Fp2 difference_of_products(const Fp2& a, const Fp2& b, const Fp2& c, const Fp2& d) {
    if constexpr (WIDE_FP2_FITS) {
      return wide_difference_of_products(a, b, c, d);
    } else {
      return a * b - c * d;
    }
  }
  static PROVERD_CALLED Fp2 wide_difference_of_products(const Fp2& a, const Fp2& b, const Fp2& c, const Fp2& d) {
    return (Wide::product(a, b) - Wide::product(c, d)).reduced();
  }
  PROVERD_HD Fp2 scaled(const F& k) const { return {c0 * k, c1 * k}; }
  PROVERD_HD Fp2 conjugate() const { return {c0, -c1}; }
  // 1/a = conj(a) / (a0^2 + a1^2); 0 -> 0
  PROVERD_HD Fp2 inverse() const {
    F n = (c0.squared() + c1.squared()).inverse();
    return {c0 * n, -(c1 * n)};
  }
};

PROVERD_END
