// Fp6 = Fp2[v]/(v^3 - xi) and Fp12 = Fp6[w]/(w^2 - v), the field of pairing values.
//
//   operation                     Fp2 multiplications and squarings   source
//   Fp6 *                         6M                                  Karatsuba; eprint 2006/471, section 4
//   Fp12 *                        18M                                 Karatsuba over Fp6
//   Fp12 squared                  12M                                 complex squaring; 2006/471, section 3
//   Fp12 cyclotomic_squared       9S                                  Granger and Scott, eprint 2009/565
//   Fp12 times a line             13M                                 three of six coefficients in Fp2
#pragma once
#include "curve.h"

PROVERD_BEGIN

template <class C>
struct Fp6 {
  using F = typename C::Fp2;
  F c0, c1, c2;  // c0 + c1 v + c2 v^2

  static PROVERD_HD Fp6 zero() { return {F::zero(), F::zero(), F::zero()}; }
  static PROVERD_HD Fp6 one() { return {F::one(), F::zero(), F::zero()}; }
  PROVERD_HD bool operator==(const Fp6& b) const { return c0 == b.c0 && c1 == b.c1 && c2 == b.c2; }

  PROVERD_HD Fp6 operator+(const Fp6& b) const { return {c0 + b.c0, c1 + b.c1, c2 + b.c2}; }
  PROVERD_HD Fp6 operator-(const Fp6& b) const { return {c0 - b.c0, c1 - b.c1, c2 - b.c2}; }
  PROVERD_HD Fp6 operator-() const { return {-c0, -c1, -c2}; }
  PROVERD_HD Fp6 doubled() const { return {c0.doubled(), c1.doubled(), c2.doubled()}; }
  PROVERD_HD Fp6 times_v() const { return {C::times_xi(c2), c0, c1}; }
  PROVERD_HD Fp6 scaled(const F& k) const { return {c0 * k, c1 * k, c2 * k}; }

  PROVERD_CALLED Fp6 operator*(const Fp6& b) const {
    F v0 = c0 * b.c0;
    F v1 = c1 * b.c1;
    F v2 = c2 * b.c2;
    F t0 = (c1 + c2) * (b.c1 + b.c2) - v1 - v2;
    F t1 = (c0 + c1) * (b.c0 + b.c1) - v0 - v1;
    F t2 = (c0 + c2) * (b.c0 + b.c2) - v0 - v2;
    return {v0 + C::times_xi(t0), t1 + C::times_xi(v2), t2 + v1};
  }

  // this (b0 + b1 v), 5M
  PROVERD_CALLED Fp6 times_sparse(const F& b0, const F& b1) const {
    F v0 = c0 * b0;
    F v1 = c1 * b1;
    F t0 = (c1 + c2) * b1 - v1;
    F t1 = (c0 + c1) * (b0 + b1) - v0 - v1;
    F t2 = (c0 + c2) * b0 - v0;
    return {v0 + C::times_xi(t0), t1, t2 + v1};
  }

  // adjugate over norm
  PROVERD_CALLED Fp6 inverse() const {
    F t0 = c0.squared() - C::times_xi(c1 * c2);
    F t1 = C::times_xi(c2.squared()) - c0 * c1;
    F t2 = c1.squared() - c0 * c2;
    F norm = c0 * t0 + C::times_xi(c2 * t1 + c1 * t2);
    return Fp6{t0, t1, t2}.scaled(norm.inverse());
  }
};

template <class C>
struct Fp12 {
  using F = typename C::Fp2;
  Fp6<C> c0, c1;  // c0 + c1 w

  static PROVERD_HD Fp12 one() { return {Fp6<C>::one(), Fp6<C>::zero()}; }
  PROVERD_HD bool operator==(const Fp12& b) const { return c0 == b.c0 && c1 == b.c1; }

  // x^(p^6); the inverse where the norm to Fp6 is one
  PROVERD_HD Fp12 conjugate() const { return {c0, -c1}; }

  PROVERD_CALLED Fp12 operator*(const Fp12& b) const {
    Fp6<C> v0 = c0 * b.c0;
    Fp6<C> v1 = c1 * b.c1;
    Fp6<C> t = (c0 + c1) * (b.c0 + b.c1);
    return {v0 + v1.times_v(), t - v0 - v1};
  }

  // (c0 + c1)(c0 + v c1) - (1 + v) c0 c1 + 2 c0 c1 w
  PROVERD_CALLED Fp12 squared() const {
    Fp6<C> t = c0 * c1;
    return {(c0 + c1) * (c0 + c1.times_v()) - t - t.times_v(), t.doubled()};
  }

  PROVERD_CALLED Fp12 inverse() const {
    Fp6<C> norm = c0 * c0 - (c1 * c1).times_v();
    Fp6<C> i = norm.inverse();
    return {c0 * i, -(c1 * i)};
  }

  // Times a line with Fp2 coefficients at 1, w, w^3 (D-twist) or 1, w^2, w^3 (M-twist).
  PROVERD_CALLED Fp12 times_line(const F& l0, const F& middle, const F& l3) const {
    if constexpr (C::Params::D_TWIST) {  // l0 + (middle + l3 v) w
      Fp6<C> v0 = c0.scaled(l0);
      Fp6<C> v1 = c1.times_sparse(middle, l3);
      Fp6<C> t = (c0 + c1).times_sparse(l0 + middle, l3);
      return {v0 + v1.times_v(), t - v0 - v1};
    } else {  // (l0 + middle v) + l3 v w
      Fp6<C> v0 = c0.times_sparse(l0, middle);
      Fp6<C> v1 = c1.scaled(l3).times_v();
      Fp6<C> t = (c0 + c1).times_sparse(l0, middle + l3);
      return {v0 + v1.times_v(), t - v0 - v1};
    }
  }

  // x^p
  PROVERD_CALLED Fp12 frobenius() const {
    auto map = [](const F& c, int power_of_w) {
      return c.conjugate() * F::from_words(C::Params::frobenius(power_of_w));
    };
    return {{c0.c0.conjugate(), map(c0.c1, 2), map(c0.c2, 4)}, {map(c1.c0, 1), map(c1.c1, 3), map(c1.c2, 5)}};
  }
  // x^(p^2)
  PROVERD_CALLED Fp12 frobenius_squared() const {
    auto map = [](const F& c, int power_of_w) {
      return c.scaled(C::Fp::from_words(C::Params::frobenius_squared(power_of_w)));
    };
    return {{c0.c0, map(c0.c1, 2), map(c0.c2, 4)}, {map(c1.c0, 1), map(c1.c1, 3), map(c1.c2, 5)}};
  }

  // x^2 for x with x^(p^4 - p^2 + 1) = 1: three squarings in Fp4 = Fp2[s]/(s^2 - xi)
  PROVERD_CALLED Fp12 cyclotomic_squared() const {
    F re, im;
    Fp12 r;
    square_fp4(re, im, c0.c0, c1.c1);
    r.c0.c0 = three_minus_two(re, c0.c0);
    r.c1.c1 = three_plus_two(im, c1.c1);
    square_fp4(re, im, c1.c0, c0.c2);
    r.c0.c1 = three_minus_two(re, c0.c1);
    r.c1.c2 = three_plus_two(im, c1.c2);
    square_fp4(re, im, c0.c1, c1.c2);
    r.c0.c2 = three_minus_two(re, c0.c2);
    r.c1.c0 = three_plus_two(C::times_xi(im), c1.c0);
    return r;
  }

 private:
  // (a + b s)^2 = re + im s
  static PROVERD_HD void square_fp4(F& re, F& im, const F& a, const F& b) {
    F aa = a.squared(), bb = b.squared();
    re = aa + C::times_xi(bb);
    im = (a + b).squared() - aa - bb;
  }
  static PROVERD_HD F three_minus_two(const F& t, const F& z) { return (t - z).doubled() + t; }
  static PROVERD_HD F three_plus_two(const F& t, const F& z) { return (t + z).doubled() + t; }
};

PROVERD_END
