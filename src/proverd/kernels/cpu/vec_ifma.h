// Eight 64-bit lanes as one AVX-512 vector, and products of 52-bit limbs by the IFMA instructions
// (VPMADD52LUQ and VPMADD52HUQ: the low and the high 52 bits of a product, added to 64 bits).
#pragma once
#include <immintrin.h>

#include "core.h"

namespace proverd::lanes {
inline namespace PROVERD_SIMD {

#define PROVERD_LANES_INLINE static inline __attribute__((always_inline))
#define PROVERD_LANES_CALLED __attribute__((noinline))  // repeated in place they would not fit the instruction cache

constexpr u64 LOW52 = (u64{1} << 52) - 1;

struct Vec {
  __m512i v;
};

PROVERD_LANES_INLINE Vec same(u64 x) { return {_mm512_set1_epi64(static_cast<long long>(x))}; }
// The same from memory: shorter than to build it from an immediate operand.
struct Constant {
  u64 lane;

  constexpr Constant(u64 x = 0) : lane(x) {}
  PROVERD_LANES_INLINE Vec read(const Constant& c) { return same(c.lane); }
};
PROVERD_LANES_INLINE Vec operator+(const Vec& a, const Vec& b) { return {_mm512_add_epi64(a.v, b.v)}; }
PROVERD_LANES_INLINE Vec operator-(const Vec& a, const Vec& b) { return {_mm512_sub_epi64(a.v, b.v)}; }
PROVERD_LANES_INLINE Vec operator&(const Vec& a, const Vec& b) { return {_mm512_and_si512(a.v, b.v)}; }
PROVERD_LANES_INLINE Vec operator|(const Vec& a, const Vec& b) { return {_mm512_or_si512(a.v, b.v)}; }
template <int K>
PROVERD_LANES_INLINE Vec shift_left(const Vec& a) {
  return {_mm512_slli_epi64(a.v, K)};
}
template <int K>
PROVERD_LANES_INLINE Vec shift_right(const Vec& a) {
  return {_mm512_srli_epi64(a.v, K)};
}

// Lanes where a condition holds, a bit each.
using Mask = __mmask8;
PROVERD_LANES_INLINE Mask equal(const Vec& a, const Vec& b) { return _mm512_cmpeq_epi64_mask(a.v, b.v); }
PROVERD_LANES_INLINE Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
PROVERD_LANES_INLINE u32 bits(Mask m) { return m; }
// Lanes whose bit is set.
PROVERD_LANES_INLINE Mask mask(u32 bits) { return static_cast<Mask>(bits); }
PROVERD_LANES_INLINE Vec select(Mask m, const Vec& yes, const Vec& no) {
  return {_mm512_mask_blend_epi64(m, no.v, yes.v)};
}
// -a in lanes of the mask, a elsewhere
PROVERD_LANES_INLINE Vec negate_if(Mask m, const Vec& a) {
  return {_mm512_mask_sub_epi64(a.v, m, _mm512_setzero_si512(), a.v)};
}
// -1 in lanes that are negative, 0 elsewhere
PROVERD_LANES_INLINE Vec sign(const Vec& a) { return {_mm512_srai_epi64(a.v, 63)}; }
PROVERD_LANES_INLINE Mask negative(const Vec& a) { return _mm512_movepi64_mask(a.v); }
// Lanes in which bit 31 of eight 32-bit numbers is set.
PROVERD_LANES_INLINE Mask top_bits(const u32* eight) {
  return static_cast<Mask>(
      _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight)))));
}

// Four words each of rows i and i + 4.
PROVERD_LANES_INLINE __m512i two_rows(const u8* const* rows, int i) {
  auto at = [&](int row) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows[row])); };
  return _mm512_inserti64x4(_mm512_castsi256_si512(at(i)), at(i + 4), 1);
}

// Words of rows 0..3, 4..7 (one in each 256-bit half) to vectors of one word each, and back.
PROVERD_LANES_INLINE void transpose(__m512i (&r)[4]) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  __m512i a = _mm512_unpacklo_epi64(r[0], r[1]), b = _mm512_unpackhi_epi64(r[0], r[1]);
  __m512i c = _mm512_unpacklo_epi64(r[2], r[3]), d = _mm512_unpackhi_epi64(r[2], r[3]);
  r[0] = _mm512_permutex2var_epi64(a, low, c);
  r[1] = _mm512_permutex2var_epi64(b, low, d);
  r[2] = _mm512_permutex2var_epi64(a, high, c);
  r[3] = _mm512_permutex2var_epi64(b, high, d);
}

// w[k] = word k of each of eight rows; W is 4 or 6
template <int W>
PROVERD_LANES_INLINE void load_rows(Vec* w, const u8* const* rows) {
  __m512i r[4];
  PROVERD_UNROLL
  for (int i = 0; i < 4; i++) r[i] = two_rows(rows, i);
  transpose(r);
  PROVERD_UNROLL
  for (int k = 0; k < 4; k++) w[k].v = r[k];
  if constexpr (W == 6) {
    auto at = [&](int row) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[row] + 32)); };
    auto four = [&](int i) {
      __m512i v = _mm512_castsi128_si512(at(i));
      v = _mm512_inserti64x2(v, at(i + 2), 1);
      v = _mm512_inserti64x2(v, at(i + 4), 2);
      return _mm512_inserti64x2(v, at(i + 6), 3);
    };
    __m512i even = four(0), odd = four(1);
    w[4].v = _mm512_unpacklo_epi64(even, odd);
    w[5].v = _mm512_unpackhi_epi64(even, odd);
  }
}

template <int W>
PROVERD_LANES_INLINE void store_rows(u8* const* rows, const Vec* w) {
  __m512i r[4];
  PROVERD_UNROLL
  for (int k = 0; k < 4; k++) r[k] = w[k].v;
  transpose(r);
  PROVERD_UNROLL
  for (int i = 0; i < 4; i++) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows[i]), _mm512_castsi512_si256(r[i]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows[i + 4]), _mm512_extracti64x4_epi64(r[i], 1));
  }
  if constexpr (W == 6) {
    __m512i pairs[2] = {_mm512_unpacklo_epi64(w[4].v, w[5].v), _mm512_unpackhi_epi64(w[4].v, w[5].v)};
    PROVERD_UNROLL
    for (int i = 0; i < 2; i++) {
      auto put = [&](int row, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(rows[row] + 32), v); };
      put(i, _mm512_castsi512_si128(pairs[i]));
      put(i + 2, _mm512_extracti64x2_epi64(pairs[i], 1));
      put(i + 4, _mm512_extracti64x2_epi64(pairs[i], 2));
      put(i + 6, _mm512_extracti64x2_epi64(pairs[i], 3));
    }
  }
}

// Kernels run between these; nothing to set here.
struct Rounding {
  Rounding() {}
};

// p and -1/p mod 2^52.
template <int N>
struct Modulus {
  u64 p[N], neg_inv;

  constexpr void set(int j, u64 limb) { p[j] = limb; }
  constexpr void set_neg_inv(u64 x) { neg_inv = x; }
};

// r = (sum over k < K of a_k b_k) / 2^(52 N) mod p; limbs below 2^52 in and out
template <int N, int K>
PROVERD_LANES_INLINE void montgomery(Vec* r, const Vec* const (&a)[K], const Vec* const (&b)[K], const Modulus<N>& m) {
  const __m512i zero = _mm512_setzero_si512();
  auto p = [&](int j) { return _mm512_set1_epi64(static_cast<long long>(m.p[j])); };
  __m512i neg_inv = _mm512_set1_epi64(static_cast<long long>(m.neg_inv));
  __m512i low[N], high[N];  // of columns j and j + 1: two chains of additions, half as long
  PROVERD_UNROLL
  for (int j = 0; j < N; j++) low[j] = high[j] = zero;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    PROVERD_UNROLL
    for (int k = 0; k < K; k++) {
      PROVERD_UNROLL
      for (int j = 0; j < N; j++) low[j] = _mm512_madd52lo_epu64(low[j], a[k][i].v, b[k][j].v);
      PROVERD_UNROLL
      for (int j = 0; j < N; j++) high[j] = _mm512_madd52hi_epu64(high[j], a[k][i].v, b[k][j].v);
    }
    // The multiple q p that makes column 0 divisible by 2^52.
    __m512i q = _mm512_madd52lo_epu64(zero, low[0], neg_inv);
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) low[j] = _mm512_madd52lo_epu64(low[j], q, p(j));
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) high[j] = _mm512_madd52hi_epu64(high[j], q, p(j));
    __m512i carry = _mm512_srli_epi64(low[0], 52);
    PROVERD_UNROLL
    for (int j = 0; j + 1 < N; j++) low[j] = _mm512_add_epi64(low[j + 1], high[j]);
    low[0] = _mm512_add_epi64(low[0], carry);
    low[N - 1] = high[N - 1];
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) high[j] = zero;
  }
  PROVERD_UNROLL
  for (int j = 0; j + 1 < N; j++) {
    low[j + 1] = _mm512_add_epi64(low[j + 1], _mm512_srli_epi64(low[j], 52));
    r[j].v = _mm512_and_si512(low[j], _mm512_set1_epi64(LOW52));
  }
  r[N - 1].v = low[N - 1];
}

}  // namespace PROVERD_SIMD
}  // namespace proverd::lanes
