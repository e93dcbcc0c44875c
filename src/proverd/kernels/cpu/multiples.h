// Many products of points at once, for key generation: multiples of one base, and short linear
// combinations of given points.
#pragma once
#include <algorithm>
#include <vector>

#include "cpu/batch_affine.h"
#include "cpu/digits.h"
#include "cpu/threads.h"

PROVERD_BEGIN

// Scalars a task handles: enough to share an inversion, few enough to stay in the cache.
constexpr size_t MULTIPLES_BLOCK = 1024;

// d 2^(cw) base for all digits d = 1..2^(c-1) and windows w.
template <class F>
class WindowTable {
 public:
  WindowTable(const Affine<F>& base, int c, int windows, int threads)
      : row_(size_t{1} << (c - 1)), entries_(static_cast<size_t>(windows) * row_) {
    std::vector<Affine<F>> starts(static_cast<size_t>(windows));
    std::vector<Xyzz<F>> doublings(starts.size());
    doublings[0] = Xyzz<F>::from_affine(base);
    for (size_t w = 1; w < starts.size(); w++) {
      doublings[w] = doublings[w - 1];
      for (int i = 0; i < c; i++) doublings[w] = doublings[w].doubled();
    }
    batch_to_affine(starts.data(), doublings.data(), starts.size());
    parallel_for(threads, starts.size(), [&](size_t w) {
      std::vector<Xyzz<F>> multiples(row_);
      multiples[0] = Xyzz<F>::from_affine(starts[w]);
      for (size_t d = 1; d < row_; d++) multiples[d] = multiples[d - 1] + starts[w];
      batch_to_affine(entries_.data() + w * row_, multiples.data(), row_);
    });
  }

  SignedPoints<F> points() const { return SignedPoints<F>(entries_.data()); }
  u32 index(int window, u32 digit) const { return static_cast<u32>(static_cast<size_t>(window) * row_ + digit - 1); }

 private:
  size_t row_;
  std::vector<Affine<F>> entries_;
};

// The width of windows with the least work: an addition a scalar and window, and about two an entry of the table.
template <class Fr>
int table_bits(size_t n) {
  int best = 2;
  auto work = [&](int c) { return static_cast<size_t>(Digits<Fr>::window_count(c)) * (n + (size_t{2} << (c - 1))); };
  for (int c = 3; c <= 14; c++) {
    if (work(c) < work(best)) best = c;
  }
  return best;
}

// out[i] = scalars[i] base, base finite: one addition a window from a table, in batches.
template <class F, class Fr>
void fixed_base(void* out, const void* base_data, const void* scalars, size_t n, int threads) {
  Affine<F> base = load<Affine<F>>(base_data, 0);
  if (base.is_infinity()) {
    for (size_t i = 0; i < n; i++) store(out, i, base);
    return;
  }
  int c = table_bits<Fr>(n);
  WindowTable<F> table(base, c, Digits<Fr>::window_count(c), threads);
  Digits<Fr> digits(c);
  parallel_for(threads, (n + MULTIPLES_BLOCK - 1) / MULTIPLES_BLOCK, [&](size_t block) {
    size_t first = block * MULTIPLES_BLOCK, count = std::min(MULTIPLES_BLOCK, n - first);
    std::vector<typename Digits<Fr>::Shifted> shifted(count);
    for (size_t i = 0; i < count; i++) shifted[i] = digits.shifted(scalars, first + i);
    PointSums<F> sums(count, count);
    for (int w = 0; w < Digits<Fr>::window_count(c); w++) {
      for (size_t i = 0; i < count; i++) {
        u32 digit = shifted[i].magnitude(digits, w);
        if (digit == 0) continue;
        u32 entry = table.index(w, digit) | static_cast<u32>(shifted[i].negative(digits, w)) << 31;
        sums.plan_mixed(static_cast<u32>(i), table.points(), entry);
      }
      sums.add_mixed(table.points());
    }
    for (size_t i = 0; i < count; i++) {
      u32 slot = static_cast<u32>(i);
      store(out, first + i, sums.full(slot) ? sums.point(slot) : Affine<F>::infinity());
    }
  });
}

// scalar p, bit by bit; short scalars are short work
template <class F, class Fr>
Xyzz<F> multiple(const Affine<F>& p, const Fr& scalar) {
  int top = Fr::LIMBS * 64 - 1;
  while (top >= 0 && !((scalar.limb[top / 64] >> (top % 64)) & 1)) top--;
  Xyzz<F> total = Xyzz<F>::infinity();
  for (int bit = top; bit >= 0; bit--) {
    total = total.doubled();
    if ((scalar.limb[bit / 64] >> (bit % 64)) & 1) total = total + p;
  }
  return total;
}

// out[row] = sum over the row's entries of scalar points[column]: a CSR matrix of canonical scalars by a
// vector of points. Scalars that are small, or small below r, cost few operations.
template <class F, class Fr>
void combine(void* out, const int64_t* row_start, const uint32_t* column, const void* scalars, size_t rows,
             const void* points, int threads) {
  parallel_for(threads, (rows + MULTIPLES_BLOCK - 1) / MULTIPLES_BLOCK, [&](size_t block) {
    size_t first = block * MULTIPLES_BLOCK, count = std::min(MULTIPLES_BLOCK, rows - first);
    std::vector<Xyzz<F>> sums(count, Xyzz<F>::infinity());
    std::vector<Affine<F>> affine(count);
    for (size_t i = 0; i < count; i++) {
      for (int64_t entry = row_start[first + i]; entry < row_start[first + i + 1]; entry++) {
        auto scalar = Digits<Fr>::magnitude(scalars, static_cast<size_t>(entry));
        Affine<F> point = load<Affine<F>>(points, column[entry]);
        sums[i] = sums[i] + multiple(scalar.negative ? -point : point, scalar.value);
      }
    }
    batch_to_affine(affine.data(), sums.data(), count);
    for (size_t i = 0; i < count; i++) store(out, first + i, affine[i]);
  });
}

PROVERD_END
