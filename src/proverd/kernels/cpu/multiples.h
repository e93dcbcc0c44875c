// Many products of points at once, for key generation: multiples of one base, and short linear
// combinations of given points.
#pragma once
#include "cpu/msm.h"

PROVERD_BEGIN

// Scalars a task handles: enough to share an inversion, few enough to stay in the cache.
constexpr size_t MULTIPLES_BLOCK = 1024;

// table[w][d - 1] = d 2^(cw) base for d = 1..2^(c-1)
template <class F>
std::vector<Affine<F>> window_table(const Affine<F>& base, int c, int windows, int threads) {
  size_t row = size_t{1} << (c - 1);
  std::vector<Affine<F>> starts(static_cast<size_t>(windows)), table(static_cast<size_t>(windows) * row);
  std::vector<Xyzz<F>> doublings(starts.size());
  doublings[0] = Xyzz<F>::from_affine(base);
  for (size_t w = 1; w < starts.size(); w++) doublings[w] = doubled_times(doublings[w - 1], c);
  batch_to_affine(starts.data(), doublings.data(), starts.size());
  parallel_for(threads, starts.size(), [&](size_t w) {
    std::vector<Xyzz<F>> multiples(row);
    multiples[0] = Xyzz<F>::from_affine(starts[w]);
    for (size_t d = 1; d < row; d++) multiples[d] = multiples[d - 1] + starts[w];
    batch_to_affine(table.data() + w * row, multiples.data(), row);
  });
  return table;
}

// out[i] = scalars[i] base: one addition a window from a table, in batches of affine additions.
template <class F, int BITS>
void fixed_base(void* out, const void* base_data, const void* scalars, size_t n, int threads) {
  int c = 2;
  auto work = [&](int bits) { return window_count(BITS, bits) * (n + (size_t{3} << (bits - 1))); };
  for (int bits = 3; bits <= MSM_MOST_BITS - 2; bits++) {
    if (work(bits) < work(c)) c = bits;
  }
  int windows = window_count(BITS, c);
  size_t row = size_t{1} << (c - 1);
  std::vector<Affine<F>> table = window_table(load<Affine<F>>(base_data, 0), c, windows, threads);
  Digits reader(BITS, c);
  parallel_for(threads, (n + MULTIPLES_BLOCK - 1) / MULTIPLES_BLOCK, [&](size_t block) {
    size_t first = block * MULTIPLES_BLOCK, count = std::min(MULTIPLES_BLOCK, n - first);
    std::vector<Digits::Shifted> shifted(count);
    for (size_t i = 0; i < count; i++) shifted[i] = reader.shifted(scalars, first + i);
    std::vector<Affine<F>> sums(count, Affine<F>::infinity());
    BatchAdder<F> adder(count);
    for (int w = 0; w < windows; w++) {
      auto operand = [&](size_t i) {
        int digit = reader.digit(shifted[i], w);
        if (digit == 0) return Affine<F>::infinity();
        const Affine<F>& entry = table[static_cast<size_t>(w) * row + static_cast<size_t>(std::abs(digit)) - 1];
        return digit < 0 ? -entry : entry;
      };
      adder.clear();
      for (size_t i = 0; i < count; i++) adder.plan(sums[i], operand(i));
      adder.invert();
      for (size_t i = 0; i < count; i++) sums[i] = adder.sum(i, sums[i], operand(i));
    }
    for (size_t i = 0; i < count; i++) store(out, first + i, sums[i]);
  });
}

// scalar p, bit by bit; short scalars are short work
template <class F>
Xyzz<F> multiple(const Affine<F>& p, const u64 (&scalar)[SCALAR_LIMBS]) {
  int top = SCALAR_LIMBS * 64 - 1;
  while (top >= 0 && !((scalar[top / 64] >> (top % 64)) & 1)) top--;
  Xyzz<F> total = Xyzz<F>::infinity();
  for (int bit = top; bit >= 0; bit--) {
    total = total.doubled();
    if ((scalar[bit / 64] >> (bit % 64)) & 1) total = total + p;
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
        Fr scalar = load<Fr>(scalars, static_cast<size_t>(entry));
        Affine<F> point = load<Affine<F>>(points, column[entry]);
        Fr opposite = -scalar;
        bool negate = opposite.limb[Fr::LIMBS - 1] < scalar.limb[Fr::LIMBS - 1];
        if (negate) {
          scalar = opposite;
          point = -point;
        }
        sums[i] = sums[i] + multiple(point, scalar.limb);
      }
    }
    batch_to_affine(affine.data(), sums.data(), count);
    for (size_t i = 0; i < count; i++) store(out, first + i, affine[i]);
  });
}

PROVERD_END
