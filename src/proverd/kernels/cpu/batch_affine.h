// Additions of affine points in batches that share one inversion.
//
// Montgomery's trick ("Speeding the Pollard and elliptic curve methods", 1987, section 10.3.1) inverts all
// differences of x at 3M each; slope and coordinates take 2M + 1S more: 5M + 1S an addition, against
// 8M + 2S of a mixed addition in XYZZ coordinates. Equal points double, opposite points cancel and an
// infinite operand is no addition at all: nothing is assumed of the points.
#pragma once
#include <vector>

#include "cpu/memory.h"
#include "xyzz.h"

PROVERD_BEGIN

// Points read by index from memory of any alignment; bit 31 of an entry asks for the opposite point.
template <class F>
class SignedPoints {
 public:
  static constexpr u32 NEGATIVE = u32{1} << 31;

  explicit SignedPoints(const void* points) : points_(static_cast<const u8*>(points)) {}

  F x(u32 entry) const { return load<F>(at(entry), 0); }
  Affine<F> point(u32 entry) const {
    Affine<F> p = load<Affine<F>>(at(entry), 0);
    F opposite = -p.y;
    return {p.x, entry & NEGATIVE ? opposite : p.y};
  }
  void prefetch(u32 entry) const {
    for (size_t line = 0; line < sizeof(Affine<F>); line += 64) __builtin_prefetch(at(entry) + line);
    if (sizeof(Affine<F>) % 64 != 0) __builtin_prefetch(at(entry) + sizeof(Affine<F>) - 1);
  }

 private:
  const u8* at(u32 entry) const { return points_ + size_t{entry & ~NEGATIVE} * sizeof(Affine<F>); }

  const u8* points_;
};

// Slots of points, each full (a finite point) or empty (infinity), that are added to each other and to
// given points. Additions are planned, at most one into a slot, and then done together.
template <class F>
class PointSums {
 public:
  PointSums(size_t slots, size_t most_pairs) : points_(slots), full_(slots) { pairs_.reserve(most_pairs); }

  bool full(u32 slot) const { return full_[slot]; }
  const Affine<F>& point(u32 slot) const { return points_[slot]; }
  void empty(size_t begin, size_t end) { std::fill(full_.begin() + begin, full_.begin() + end, u8{0}); }
  size_t planned() const { return pairs_.size(); }

  // slot = given point
  void put(u32 slot, const SignedPoints<F>& given, u32 entry) {
    points_[slot] = given.point(entry);
    full_[slot] = 1;
  }

  // Plans slot = given a + given b, both finite.
  void plan_given(u32 slot, u32 a, u32 b) {
    full_[slot] = 1;
    pairs_.push_back({a, b, slot});
  }

  // Plans slot += other slot.
  void plan(u32 slot, u32 other) {
    if (!full_[other]) return;
    if (full_[slot]) {
      pairs_.push_back({slot, other, slot});
    } else {
      points_[slot] = points_[other];
      full_[slot] = 1;
    }
  }

  // Plans slot += given point, which is finite.
  void plan_mixed(u32 slot, const SignedPoints<F>& given, u32 entry) {
    if (full_[slot]) {
      pairs_.push_back({slot, entry, slot});
    } else {
      put(slot, given, entry);
    }
  }

  // Does what was planned; all of it by the same one of the plan functions.
  void add() { add_pairs(Slots{points_.data()}, Slots{points_.data()}); }
  void add_given(const SignedPoints<F>& given) { add_pairs(given, given); }
  void add_mixed(const SignedPoints<F>& given) { add_pairs(Slots{points_.data()}, given); }

 private:
  struct Pair {
    u32 left, right, sum;
  };
  struct Slots {
    const Affine<F>* points;
    const F& x(u32 slot) const { return points[slot].x; }
    const Affine<F>& point(u32 slot) const { return points[slot]; }
    void prefetch(u32) const {}
  };
  static constexpr size_t AHEAD = 8;  // pairs by which reads from memory are prefetched

  template <class Left, class Right>
  void add_pairs(const Left left, const Right right) {
    size_t count = pairs_.size();
    if (count == 0) return;
    if (denominators_.size() < count) {
      denominators_.resize(count);
      prefixes_.resize(count);
    }
    // Local copies, for the compiler cannot know that the elements are not these pointers.
    const Pair* pairs = pairs_.data();
    F *denominators = denominators_.data(), *prefixes = prefixes_.data();
    equal_x_.clear();
    F product = F::one();
    for (size_t i = 0; i < count; i++) {
      if (i + AHEAD < count) {
        left.prefetch(pairs[i + AHEAD].left);
        right.prefetch(pairs[i + AHEAD].right);
      }
      F denominator = right.x(pairs[i].right) - left.x(pairs[i].left);
      if (__builtin_expect(denominator.is_zero(), 0)) {
        equal_x_.push_back(static_cast<u32>(i));
        denominator = denominator_of_equal(left.point(pairs[i].left), right.point(pairs[i].right));
      }
      denominators[i] = denominator;
      prefixes[i] = product;
      product = product * denominator;
    }
    F inverse = product.inverse();
    Affine<F>* points = points_.data();
    for (size_t i = count; i-- > 0;) {
      F own = inverse * prefixes[i];
      inverse = inverse * denominators[i];
      const auto& a = left.point(pairs[i].left);
      const auto& b = right.point(pairs[i].right);
      F numerator = b.y - a.y;
      if (__builtin_expect(!equal_x_.empty() && equal_x_.back() == i, 0)) {
        equal_x_.pop_back();
        if (!doubles(a, b)) {
          full_[pairs[i].sum] = 0;
          continue;
        }
        F xx = a.x.squared();
        numerator = xx.doubled() + xx;
      }
      F slope = numerator * own;
      F x = slope.squared() - a.x - b.x;
      F y = slope * (a.x - x) - a.y;
      points[pairs[i].sum] = {x, y};
    }
    pairs_.clear();
  }

  static bool doubles(const Affine<F>& a, const Affine<F>& b) { return a.y == b.y && !a.y.is_zero(); }
  static F denominator_of_equal(const Affine<F>& a, const Affine<F>& b) {
    return doubles(a, b) ? a.y.doubled() : F::one();
  }

  std::vector<Affine<F>> points_;
  std::vector<u8> full_;
  std::vector<Pair> pairs_;
  std::vector<F> denominators_, prefixes_;
  std::vector<u32> equal_x_;  // pairs of equal or opposite points
};

// Affine form of `count` points with one inversion.
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
