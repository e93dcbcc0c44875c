// Sums of many independent pairs of affine points with one inversion for all of them.
//
// Montgomery's trick shares the inversion at 3M a pair; slope and coordinates take 2M + 1S: 5M + 1S in all,
// against 8M + 2S of a mixed addition in XYZZ coordinates. Equal points double, opposite points cancel and
// infinity is neutral: nothing is assumed of the points.
#pragma once
#include <vector>

#include "xyzz.h"

PROVERD_BEGIN

template <class F>
class BatchAdder {
 public:
  explicit BatchAdder(size_t most_pairs) : denominators_(most_pairs), prefixes_(most_pairs) {}

  void clear() {
    pairs_ = 0;
    product_ = F::one();
  }

  // The next pair of the batch.
  void plan(const Affine<F>& a, const Affine<F>& b) {
    F denominator = b.x - a.x;
    if (special(a, b, denominator)) denominator = special_denominator(a, b);
    prefixes_[pairs_] = product_;
    denominators_[pairs_++] = denominator;
    product_ = product_ * denominator;
  }

  size_t pairs() const { return pairs_; }

  // Turns the denominators into their inverses.
  void invert() {
    F inverse = product_.inverse();
    for (size_t i = pairs_; i-- > 0;) {
      F own = inverse * prefixes_[i];
      inverse = inverse * denominators_[i];
      denominators_[i] = own;
    }
  }

  // a + b of the i-th pair, given again.
  Affine<F> sum(size_t i, const Affine<F>& a, const Affine<F>& b) const {
    const F& inverse = denominators_[i];
    if (special(a, b, b.x - a.x)) return special_sum(a, b, inverse);
    return chord(a, b, (b.y - a.y) * inverse);
  }

 private:
  static Affine<F> chord(const Affine<F>& a, const Affine<F>& b, const F& slope) {
    F x = slope.squared() - a.x - b.x;
    return {x, slope * (a.x - x) - a.y};
  }

  static bool special(const Affine<F>& a, const Affine<F>& b, const F& difference) {
    return __builtin_expect(difference.is_zero() || a.is_infinity() || b.is_infinity(), 0);
  }

  static bool doubles(const Affine<F>& a, const Affine<F>& b) {
    return a == b && !a.y.is_zero();  // infinity has y = 0
  }

  static F special_denominator(const Affine<F>& a, const Affine<F>& b) {
    return doubles(a, b) ? a.y.doubled() : F::one();
  }

  static Affine<F> special_sum(const Affine<F>& a, const Affine<F>& b, const F& inverse) {
    if (a.is_infinity()) return b;
    if (b.is_infinity()) return a;
    if (!doubles(a, b)) return Affine<F>::infinity();
    F xx = a.x.squared();
    return chord(a, b, (xx.doubled() + xx) * inverse);
  }

  std::vector<F> denominators_, prefixes_;
  size_t pairs_ = 0;
  F product_ = F::one();
};

// Affine form of `count` sums with one inversion.
template <class F>
void batch_to_affine(Affine<F>* out, const Xyzz<F>* points, size_t count) {
  std::vector<F> prefixes(count);
  F product = F::one();
  for (size_t i = 0; i < count; i++) {
    prefixes[i] = product;
    if (!points[i].is_infinity()) product = product * points[i].zzz;
  }
  F inverse = product.inverse();
  for (size_t i = count; i-- > 0;) {
    const Xyzz<F>& p = points[i];
    if (p.is_infinity()) {
      out[i] = Affine<F>::infinity();
      continue;
    }
    F inverse_zzz = inverse * prefixes[i];
    inverse = inverse * p.zzz;
    F inverse_z = inverse_zzz * p.zz;  // 1/Z = ZZ/ZZZ
    out[i] = {p.x * inverse_z.squared(), p.y * inverse_zzz};
  }
}

PROVERD_END
