// Points (X, Y, ZZ, ZZZ) with x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2; infinity has ZZ = 0.
//
//   operation            cost        formula (hyperelliptic.org/EFD, g1p/auto-shortw-xyzz)
//   mixed addition       8M + 2S     madd-2008-s
//   addition             12M + 2S    add-2008-s
//   doubling             6M + 4S     dbl-2008-s-1 (a = 0)
//   doubling of affine   3M + 3S     mdbl-2008-s-1
//
// Both additions are complete: P + P doubles, P + (-P) is infinity, infinity is neutral.
#pragma once
#include "affine.h"

PROVERD_BEGIN

template <class F>
struct Xyzz {
  F x, y, zz, zzz;

  static PROVERD_HD Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  static PROVERD_HD Xyzz from_affine(const Affine<F>& p) {
    if (p.is_infinity()) return infinity();
    return {p.x, p.y, F::one(), F::one()};
  }
  PROVERD_HD bool is_infinity() const { return zz.is_zero(); }
  PROVERD_HD Xyzz operator-() const { return {x, -y, zz, zzz}; }

  static PROVERD_FORMULA Xyzz doubled(const Affine<F>& p) {
    if (p.is_infinity() || p.y.is_zero()) return infinity();
    F u = p.y.doubled();
    F v = u.squared();
    F w = u * v;
    F s = p.x * v;
    F xx = p.x.squared();
    F m = xx.doubled() + xx;
    F x3 = m.squared() - s.doubled();
    return {x3, F::difference_of_products(m, s - x3, w, p.y), v, w};
  }

  PROVERD_FORMULA Xyzz doubled() const {
    if (is_infinity() || y.is_zero()) return infinity();
    F u = y.doubled();
    F v = u.squared();
    F w = u * v;
    F s = x * v;
    F xx = x.squared();
    F m = xx.doubled() + xx;
    F x3 = m.squared() - s.doubled();
    return {x3, F::difference_of_products(m, s - x3, w, y), v * zz, w * zzz};
  }

  PROVERD_FORMULA Xyzz operator+(const Affine<F>& q) const {
    if (q.is_infinity()) return *this;
    if (is_infinity()) return from_affine(q);
    F p = q.x * zz - x;
    F r = q.y * zzz - y;
    if (p.is_zero()) return r.is_zero() ? doubled(q) : infinity();
    F pp = p.squared();
    F ppp = p * pp;
    F s = x * pp;
    F x3 = r.squared() - ppp - s.doubled();
    return {x3, F::difference_of_products(r, s - x3, y, ppp), zz * pp, zzz * ppp};
  }

  PROVERD_FORMULA Xyzz operator+(const Xyzz& q) const {
    if (q.is_infinity()) return *this;
    if (is_infinity()) return q;
    F u1 = x * q.zz;
    F s1 = y * q.zzz;
    F p = q.x * zz - u1;
    F r = q.y * zzz - s1;
    if (p.is_zero()) return r.is_zero() ? doubled() : infinity();
    F pp = p.squared();
    F ppp = p * pp;
    F s = u1 * pp;
    F x3 = r.squared() - ppp - s.doubled();
    return {x3, F::difference_of_products(r, s - x3, s1, ppp), zz * q.zz * pp, zzz * q.zzz * ppp};
  }

  PROVERD_FORMULA Affine<F> to_affine() const {
    if (is_infinity()) return Affine<F>::infinity();
    F inv_zzz = zzz.inverse();
    F inv_z = inv_zzz * zz;  // 1/Z = ZZ/ZZZ
    return {x * inv_z.squared(), y * inv_zzz};
  }
};

PROVERD_END
