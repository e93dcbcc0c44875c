// Additions of pairs of affine points eight at a time, for batch_affine.h. Plain functions of plain arguments:
// the files that define them are compiled for instruction sets of their own.
#pragma once
#include <cstddef>
#include <cstdint>

namespace proverd {

// sum[i] = left[i] + right[i], points by index; bit 31 of an index asks for the opposite point. Points are
// finite; sums may replace operands of the same pair.
struct PairBatch {
  const uint32_t *left, *right, *sum;  // padded to a multiple of eight by indices of points
  size_t count;
  const void *left_points, *right_points;
  void* sum_points;
  void* scratch;  // PairLanes::scratch_bytes for each eight pairs, aligned to 64 bytes
};

struct PairLanes {
  size_t scratch_bytes;
  int log_factor;
  // Eight field elements: a product of differences of x for each lane, times a power of two. Pairs with equal x are
  // left out, and perhaps others: their numbers go to `left_out`, ascending, which has room for all; returns how many.
  size_t (*multiply)(const PairBatch& batch, void* products, uint32_t* left_out);
  // Given 2^log_factor / product for each lane, adds the pairs but those left out.
  void (*add)(const PairBatch& batch, const void* inverses, const uint32_t* left_out, size_t left_out_count);
};

}  // namespace proverd
