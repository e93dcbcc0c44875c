// Additions of pairs of affine points eight at a time (pair_lanes.h), for one curve and group and SIMD set.
#include "cpu/pair_lanes.h"

#include <initializer_list>
#include <utility>

#include "cpu/lanes.h"
#include "cpu/tables.h"
#include "generated/constants_bls12_381.h"
#include "generated/constants_bn254.h"

namespace proverd::lanes {
inline namespace PROVERD_SIMD {
namespace {

using Params = PROVERD_CURVE::FpParams;
#if PROVERD_GROUP == 1
using F = Lanes<Params>;
#else
using F = Lanes2<Params>;
#endif

constexpr size_t POINT_BYTES = 2 * F::BYTES;
constexpr size_t AHEAD = 2;  // groups by which reads are prefetched

// Memory holds x R; products divide by R'. With slopes L = slope 2^((R + R')/2), R and R' as logarithms, L^2/R' is
// slope^2 R, of the form of x, and L (x - x')/R' lacks 2^SHIFT to be of the form of y. That takes inverses of the
// differences d R that are 2^k/d with k = (R + R')/2 + R' - R; and so, as a product P of them stands for P/R, an
// inverse of the whole that is 2^(k + R)/P = 2^(k - R) (P/R)^-1 R.
constexpr int LOG_R = 64 * (Params::WORDS / 2), LOG_R1 = 52 * Lanes<Params>::N;
constexpr int SHIFT = (LOG_R1 - LOG_R) / 2;
constexpr int LOG_FACTOR = (LOG_R + LOG_R1) / 2 + LOG_R1 - 2 * LOG_R;

struct Group {
  F difference, prefix;
};

// Addresses of eight coordinates.
struct Rows {
  const u8* at[8];

  PROVERD_LANES_INLINE Rows of(const void* points, const u32* index, size_t offset) {
    Rows r;
    for (int i = 0; i < 8; i++) {
      r.at[i] = static_cast<const u8*>(points) + size_t{index[i] & 0x7fffffff} * POINT_BYTES + offset;
    }
    return r;
  }
};

PROVERD_LANES_INLINE void prefetch(const PairBatch& batch, size_t group) {
  for (const Rows& rows : {Rows::of(batch.left_points, batch.left + 8 * group, 0),
                           Rows::of(batch.right_points, batch.right + 8 * group, 0)}) {
    for (const u8* row : rows.at) {
      for (size_t byte = 0; byte < POINT_BYTES; byte += 64) __builtin_prefetch(row + byte);
      if (POINT_BYTES % 64 != 0) __builtin_prefetch(row + POINT_BYTES - 1);
    }
  }
}

__attribute__((noinline)) size_t multiply_rounded(const PairBatch& batch, void* products, u32* left_out) {
  Group* groups = static_cast<Group*>(batch.scratch);
  size_t count = (batch.count + 7) / 8, found = 0;
  F product = F::one_if(equal(same(0), same(0)), F{});
  for (size_t g = 0; g < count; g++) {
    if (g + AHEAD < count) prefetch(batch, g + AHEAD);
    F a = F::load(Rows::of(batch.left_points, batch.left + 8 * g, 0).at);
    F b = F::load(Rows::of(batch.right_points, batch.right + 8 * g, 0).at);
    F difference = F::template difference<2>(b, a);  // in (p, 3p)
    u32 out = bits(F::maybe_twice_modulus(difference)), beyond = 0;
    if (8 * g + 8 > batch.count) beyond = 0xff & ~0u << (batch.count - 8 * g);
    if (__builtin_expect((out | beyond) != 0, 0)) {
      difference = F::one_if(mask(out | beyond), difference);
      for (u32 lanes = out & ~beyond; lanes != 0; lanes &= lanes - 1) {
        left_out[found++] = static_cast<u32>(8 * g) + static_cast<u32>(__builtin_ctz(lanes));
      }
    }
    groups[g].difference = difference;
    groups[g].prefix = product;
    F::multiply(product, difference, product);
  }
  u8* rows[8];
  for (int i = 0; i < 8; i++) rows[i] = static_cast<u8*>(products) + static_cast<size_t>(i) * F::BYTES;
  F::store(rows, F::template reduce_once<1>(product));
  return found;
}

__attribute__((noinline)) void add_rounded(const PairBatch& batch, const void* inverses, const u32* left_out,
                                           size_t left_out_count) {
  Group* groups = static_cast<Group*>(batch.scratch);
  alignas(64) u8 unused[POINT_BYTES];
  Rows inverse_rows;
  for (int i = 0; i < 8; i++) inverse_rows.at[i] = static_cast<const u8*>(inverses) + static_cast<size_t>(i) * F::BYTES;
  F inverse = F::load(inverse_rows.at);
  for (size_t g = (batch.count + 7) / 8; g-- > 0;) {
    if (g >= AHEAD) prefetch(batch, g - AHEAD);
    const u32 *left = batch.left + 8 * g, *right = batch.right + 8 * g;
    F own, slope, x, y;
    F::multiply(own, groups[g].prefix, inverse);
    F::multiply(inverse, groups[g].difference, inverse);
    F ay = F::signed_if(top_bits(left), F::load(Rows::of(batch.left_points, left, F::BYTES).at));
    F by = F::signed_if(top_bits(right), F::load(Rows::of(batch.right_points, right, F::BYTES).at));
    F::multiply(slope, F::template difference<2>(by, ay), own);
    F ax = F::load(Rows::of(batch.left_points, left, 0).at);
    F bx = F::load(Rows::of(batch.right_points, right, 0).at);
    F::square(x, slope);
    x = F::template reduce_once<1>(F::template reduce_once<2>(F::difference_of_sum(x, ax, bx)));
    F::multiply(y, F::template shifted<SHIFT>(F::template difference<2>(ax, x)), slope);
    y = F::template reduce_once<1>(F::template reduce_once<2>(F::template difference<1>(y, ay)));
    u8 *xs[8], *ys[8];
    for (int i = 0; i < 8; i++) {
      xs[i] = static_cast<u8*>(batch.sum_points) + size_t{batch.sum[8 * g + static_cast<size_t>(i)]} * POINT_BYTES;
      if (8 * g + static_cast<size_t>(i) >= batch.count) xs[i] = unused;
    }
    for (; left_out_count > 0 && left_out[left_out_count - 1] >= 8 * g; left_out_count--) {
      xs[left_out[left_out_count - 1] % 8] = unused;
    }
    for (int i = 0; i < 8; i++) ys[i] = xs[i] + F::BYTES;
    F::store(xs, x);
    F::store(ys, y);
  }
}

size_t multiply(const PairBatch& batch, void* products, u32* left_out) {
  Rounding rounding;
  return multiply_rounded(batch, products, left_out);
}

void add(const PairBatch& batch, const void* inverses, const u32* left_out, size_t left_out_count) {
  Rounding rounding;
  add_rounded(batch, inverses, left_out, left_out_count);
}

}  // namespace
}  // namespace PROVERD_SIMD
}  // namespace proverd::lanes

namespace proverd {

#if PROVERD_GROUP == 1
const PairLanes PROVERD_CAT(g1_lanes, PROVERD_CURVE, PROVERD_SIMD) = {
#else
const PairLanes PROVERD_CAT(g2_lanes, PROVERD_CURVE, PROVERD_SIMD) = {
#endif
    sizeof(lanes::Group), lanes::LOG_FACTOR, lanes::multiply, lanes::add};

}  // namespace proverd
