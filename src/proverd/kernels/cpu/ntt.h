// Number-theoretic transforms over Fr, in place.
//
// The inverse runs decimation in frequency (Gentleman-Sande: natural order -> bit-reversed), the forward
// one decimation in time (Cooley-Tukey: bit-reversed -> natural), so a pair needs no reordering pass
// (Chu and George, "Inside the FFT black box", 2000, chapters 3 to 5). n/2 log_n multiplications and
// twice as many additions.
//
// A transform is done in two stages: layers whose butterflies span more than a block, two layers at a
// time so that each element is read from memory once for both; then block after block, all remaining
// layers while the block stays in the cache.
#pragma once
#include <utility>

#include "cpu/vec.h"

PROVERD_BEGIN

constexpr int NTT_LOG_BLOCK = 12;  // 4096 elements are 128 KiB: half of a usual second-level cache

// x + y and (x - y) w of elements i and j
template <class F>
PROVERD_HD void gentleman_sande(F* x, size_t i, size_t j, const F& w) {
  F u = x[i], v = x[j];
  x[i] = u + v;
  x[j] = (u - v) * w;
}

// x + w y and x - w y of elements i and j
template <class F>
PROVERD_HD void cooley_tukey(F* x, size_t i, size_t j, const F& w) {
  F u = x[i], v = x[j] * w;
  x[i] = u + v;
  x[j] = u - v;
}

// Two layers of butterflies over the four quarters i, i+q, i+2q, i+3q of each group of 4q elements;
// stride is n/(4q), the step between twiddles of the larger layer.
template <class F, bool Inverse>
void ntt_double_layer(F* x, const F* twiddles, int log_n, int log_q, int threads) {
  size_t q = size_t{1} << log_q, n = size_t{1} << log_n;
  size_t stride = n >> (log_q + 2);
  for_blocks(n / 4, threads, [=](size_t begin, size_t end) {
    for (size_t k = begin; k < end; k++) {
      size_t position = k & (q - 1);
      size_t i = ((k >> log_q) << (log_q + 2)) + position;
      const F& wide_low = twiddles[position * stride];
      const F& wide_high = twiddles[(position + q) * stride];
      const F& narrow = twiddles[2 * position * stride];
      if constexpr (Inverse) {
        gentleman_sande(x, i, i + 2 * q, wide_low);
        gentleman_sande(x, i + q, i + 3 * q, wide_high);
        gentleman_sande(x, i, i + q, narrow);
        gentleman_sande(x, i + 2 * q, i + 3 * q, narrow);
      } else {
        cooley_tukey(x, i, i + q, narrow);
        cooley_tukey(x, i + 2 * q, i + 3 * q, narrow);
        cooley_tukey(x, i, i + 2 * q, wide_low);
        cooley_tukey(x, i + q, i + 3 * q, wide_high);
      }
    }
  });
}

// The layer of span `half` over one block, which `twiddles` serves: block/2 powers of a block-th root.
template <class F, bool Inverse>
void ntt_block_layer(F* x, size_t block, const F* twiddles, size_t half) {
  if (half == 1) {  // its only twiddle is one
    for (size_t i = 0; i < block; i += 2) {
      F u = x[i], v = x[i + 1];
      x[i] = u + v;
      x[i + 1] = u - v;
    }
    return;
  }
  size_t stride = block / (2 * half);
  for (size_t start = 0; start < block; start += 2 * half) {
    for (size_t i = 0; i < half; i++) {
      if constexpr (Inverse) {
        gentleman_sande(x + start, i, i + half, twiddles[i * stride]);
      } else {
        cooley_tukey(x + start, i, i + half, twiddles[i * stride]);
      }
    }
  }
}

// The twiddles of a block, gathered so that they stay in the cache beside it.
template <class F>
std::vector<F> block_twiddles(const F* twiddles, size_t n, size_t block) {
  std::vector<F> local(block / 2);
  for (size_t i = 0; i < local.size(); i++) local[i] = twiddles[i * (n / block)];
  return local;
}

// log2 of the block that is transformed within the cache: the layers above it are taken in pairs.
inline int ntt_log_block(int log_n) {
  int above = log_n - NTT_LOG_BLOCK;
  return above <= 0 ? log_n : log_n - 2 * ((above + 1) / 2);
}

// natural -> bit-reversed, scaled by 1/n; twiddles[i] = root^-i for i < n/2.
template <class F>
void ntt_inverse(void* data, const void* twiddle_data, int log_n, int threads) {
  F* x = static_cast<F*>(data);
  const F* twiddles = static_cast<const F*>(twiddle_data);
  int log_block = ntt_log_block(log_n);
  for (int log_q = log_n - 2; log_q >= log_block; log_q -= 2) {
    ntt_double_layer<F, true>(x, twiddles, log_n, log_q, threads);
  }
  size_t n = size_t{1} << log_n, block = size_t{1} << log_block;
  std::vector<F> local = block_twiddles(twiddles, n, block);
  F scale = power(F::one().doubled(), static_cast<u64>(log_n)).inverse();
  parallel_for(threads, n / block, [&](size_t index) {
    F* part = x + index * block;
    for (size_t half = block / 2; half > 0; half /= 2) ntt_block_layer<F, true>(part, block, local.data(), half);
    for (size_t i = 0; i < block; i++) part[i] = part[i] * scale;
  });
}

// bit-reversed -> natural; twiddles[i] = root^i for i < n/2. Where `shifts` is given, the element at
// position i is first multiplied by shifts[i]: powers of a coset's generator in bit-reversed order.
template <class F>
void ntt_forward(void* data, const void* twiddle_data, const void* shift_data, int log_n, int threads) {
  F* x = static_cast<F*>(data);
  const F* twiddles = static_cast<const F*>(twiddle_data);
  const F* shifts = static_cast<const F*>(shift_data);
  int log_block = ntt_log_block(log_n);
  size_t n = size_t{1} << log_n, block = size_t{1} << log_block;
  std::vector<F> local = block_twiddles(twiddles, n, block);
  parallel_for(threads, n / block, [&](size_t index) {
    F* part = x + index * block;
    if (shifts) {
      for (size_t i = 0; i < block; i++) part[i] = part[i] * shifts[index * block + i];
    }
    for (size_t half = 1; half < block; half *= 2) ntt_block_layer<F, false>(part, block, local.data(), half);
  });
  for (int log_q = log_block; log_q < log_n; log_q += 2) {
    ntt_double_layer<F, false>(x, twiddles, log_n, log_q, threads);
  }
}

inline size_t bit_reversed(size_t i, int log_n) {
  size_t r = 0;
  for (int bit = 0; bit < log_n; bit++) r |= ((i >> bit) & 1) << (log_n - 1 - bit);
  return r;
}

// natural <-> bit-reversed order, in place
template <class F>
void ntt_bit_reverse(void* data, int log_n, int threads) {
  F* x = static_cast<F*>(data);
  for_blocks(size_t{1} << log_n, threads, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      size_t j = bit_reversed(i, log_n);
      if (i < j) std::swap(x[i], x[j]);
    }
  });
}

PROVERD_END
