// Affine points of y^2 = x^3 + b as files hold them: Montgomery residues, infinity all zero words
// (no curve point has x = y = 0, since b != 0).
#pragma once
#include "fp2.h"

PROVERD_BEGIN

template <class F>
struct Affine {
  F x, y;

  static PROVERD_HD Affine infinity() { return {F::zero(), F::zero()}; }
  PROVERD_HD bool is_infinity() const { return x.is_zero() && y.is_zero(); }
  PROVERD_HD bool operator==(const Affine& q) const { return x == q.x && y == q.y; }
  PROVERD_HD Affine operator-() const { return {x, -y}; }

  PROVERD_HD bool is_reduced() const { return x.is_reduced() && y.is_reduced(); }
  PROVERD_HD bool is_on_curve(const F& b) const { return is_infinity() || y.squared() == x.squared() * x + b; }
};

PROVERD_END
