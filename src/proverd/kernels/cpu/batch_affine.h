// Additions of affine points in batches that share one inversion.
//
// Montgomery's trick ("Speeding the Pollard and elliptic curve methods", 1987, section 10.3.1) inverts all
// differences of x at 3M each; slope and coordinates take 2M + 1S more: 5M + 1S an addition, against
// 8M + 2S of a mixed addition in XYZZ coordinates. Equal points double, opposite points cancel and an
// infinite operand is no addition at all: nothing is assumed of the points.
#pragma once
#include <algorithm>
#include <vector>

#include "cpu/memory.h"
#include "cpu/pair_lanes.h"
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

  const void* data() const { return points_; }

 private:
  const u8* at(u32 entry) const { return points_ + size_t{entry & ~NEGATIVE} * sizeof(Affine<F>); }

  const u8* points_;
};

// Slots of points, each full (a finite point) or empty (infinity), that are added to each other and to
// given points. Additions are planned, at most one into a slot, and then done together; by `lanes` if that is
// not null.
template <class F>
class PointSums {
 public:
  PointSums(size_t slots, const PairLanes* lanes) : points_(slots), full_(slots), lanes_(lanes) {}

  bool full(u32 slot) const { return full_[slot]; }
  const Affine<F>& point(u32 slot) const { return points_[slot]; }
  void empty(size_t begin, size_t end) { std::fill(full_.begin() + begin, full_.begin() + end, u8{0}); }

  // slot = given point
  void put(u32 slot, const SignedPoints<F>& given, u32 entry) {
    points_[slot] = given.point(entry);
    full_[slot] = 1;
  }

  // Plans slot = given a + given b, both finite.
  void plan_given(u32 slot, u32 a, u32 b) {
    full_[slot] = 1;
    pairs_.push(a, b, slot);
  }

  // Plans slot += other slot.
  void plan(u32 slot, u32 other) {
    if (!full_[other]) return;
    if (full_[slot]) {
      pairs_.push(slot, other, slot);
    } else {
      points_[slot] = points_[other];
      full_[slot] = 1;
    }
  }

  // Plans slot += given point, which is finite.
  void plan_mixed(u32 slot, const SignedPoints<F>& given, u32 entry) {
    if (full_[slot]) {
      pairs_.push(slot, entry, slot);
    } else {
      put(slot, given, entry);
    }
  }

  // Does what was planned; all of it by the same one of the plan functions.
  void add() { add_pairs(slots(), slots()); }
  void add_given(const SignedPoints<F>& given) { add_pairs(given, given); }
  void add_mixed(const SignedPoints<F>& given) { add_pairs(slots(), given); }

 private:
  struct Pairs {
    std::vector<u32> left, right, sum;
    size_t count = 0;

    // The lists are longer than the count, and multiples of eight lanes.
    void push(u32 a, u32 b, u32 s) {
      if (count == left.size()) {
        for (auto* list : {&left, &right, &sum}) list->resize(2 * count + 1024);
      }
      left[count] = a;
      right[count] = b;
      sum[count++] = s;
    }
    // Keeps those of the list, which ascends.
    void keep(const std::vector<u32>& list, size_t length) {
      for (size_t i = 0; i < length; i++) {
        left[i] = left[list[i]];
        right[i] = right[list[i]];
        sum[i] = sum[list[i]];
      }
      count = length;
    }
  };
  static constexpr size_t ALIGNMENT = 64;
  static constexpr size_t AHEAD = 8;         // pairs by which reads from memory are prefetched
  static constexpr size_t LEAST_LANES = 16;  // pairs that are worth eight lanes

  SignedPoints<F> slots() const { return SignedPoints<F>(points_.data()); }

  void add_pairs(const SignedPoints<F>& left, const SignedPoints<F>& right) {
    if (lanes_ != nullptr && pairs_.count >= LEAST_LANES) add_by_lanes(*lanes_, left, right);
    if (pairs_.count > 0) add_one_by_one(left, right);
  }

  // Leaves the pairs that have equal x.
  void add_by_lanes(const PairLanes& lanes, const SignedPoints<F>& left, const SignedPoints<F>& right) {
    constexpr size_t LANES = 8;
    size_t padded = (pairs_.count + LANES - 1) / LANES * LANES;
    scratch_.resize(padded / LANES * lanes.scratch_bytes + ALIGNMENT);
    for (size_t i = pairs_.count; i < padded; i++) {
      pairs_.left[i] = pairs_.left[0];
      pairs_.right[i] = pairs_.right[0];
    }
    u8* aligned = scratch_.data() + (ALIGNMENT - reinterpret_cast<size_t>(scratch_.data()) % ALIGNMENT);
    PairBatch batch{pairs_.left.data(), pairs_.right.data(), pairs_.sum.data(), pairs_.count,
                    left.data(),        right.data(),        points_.data(),    aligned};
    F products[LANES];
    equal_x_.resize(std::max(equal_x_.size(), pairs_.count));
    size_t left_out = lanes.multiply(batch, products, equal_x_.data());
    invert_all(products, lanes.log_factor);
    lanes.add(batch, products, equal_x_.data(), left_out);
    pairs_.keep(equal_x_, left_out);
  }

  // Each to 2^log_factor / itself.
  template <size_t N>
  static void invert_all(F (&elements)[N], int log_factor) {
    F prefixes[N], product = F::one();
    for (size_t i = 0; i < N; i++) {
      prefixes[i] = product;
      product = product * elements[i];
    }
    F inverse = product.inverse();
    for (int i = 0; i < log_factor; i++) inverse = inverse.doubled();
    // The factor stays with what is handed out: the inverse of the rest takes it along.
    for (size_t i = N; i-- > 0;) {
      F own = inverse * prefixes[i];
      inverse = inverse * elements[i];
      elements[i] = own;
    }
  }

  void add_one_by_one(const SignedPoints<F>& left, const SignedPoints<F>& right) {
    size_t count = pairs_.count, equal_count = 0;
    if (denominators_.size() < count) {
      denominators_.resize(count);
      prefixes_.resize(count);
    }
    // Local copies, for the compiler cannot know that the elements are not these pointers.
    const u32 *lefts = pairs_.left.data(), *rights = pairs_.right.data(), *sums = pairs_.sum.data();
    F *denominators = denominators_.data(), *prefixes = prefixes_.data();
    equal_x_.resize(std::max(equal_x_.size(), count));
    F product = F::one();
    for (size_t i = 0; i < count; i++) {
      if (i + AHEAD < count) {
        left.prefetch(lefts[i + AHEAD]);
        right.prefetch(rights[i + AHEAD]);
      }
      F denominator = right.x(rights[i]) - left.x(lefts[i]);
      if (__builtin_expect(denominator.is_zero(), 0)) {
        equal_x_[equal_count++] = static_cast<u32>(i);
        denominator = denominator_of_equal(left.point(lefts[i]), right.point(rights[i]));
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
      Affine<F> a = left.point(lefts[i]), b = right.point(rights[i]);
      F numerator = b.y - a.y;
      if (__builtin_expect(equal_count > 0 && equal_x_[equal_count - 1] == i, 0)) {
        equal_count--;
        if (!doubles(a, b)) {
          full_[sums[i]] = 0;
          continue;
        }
        F xx = a.x.squared();
        numerator = xx.doubled() + xx;
      }
      F slope = numerator * own;
      F x = slope.squared() - a.x - b.x;
      points[sums[i]] = {x, slope * (a.x - x) - a.y};
    }
    pairs_.count = 0;
  }

  static bool doubles(const Affine<F>& a, const Affine<F>& b) { return a.y == b.y && !a.y.is_zero(); }
  static F denominator_of_equal(const Affine<F>& a, const Affine<F>& b) {
    return doubles(a, b) ? a.y.doubled() : F::one();
  }

  std::vector<Affine<F>> points_;
  std::vector<u8> full_;
  const PairLanes* lanes_;
  Pairs pairs_;
  std::vector<F> denominators_, prefixes_;
  std::vector<u8> scratch_;   // of lanes
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
