// Eight 64-bit lanes as two AVX2 vectors, and products of 52-bit limbs by fused multiply-add of doubles.
//
// With rounding toward zero, fma(a, b, 2^104) of integers a, b < 2^52 has floor(a b / 2^52) in its low bits,
// and fma(a, b, 2^104 + 2^52 - that) has a b mod 2^52: exact, so the bit patterns can be summed as integers
// and the exponents, which are known, subtracted at the end (Emmart, "Faster modular exponentiation using
// double precision floating point arithmetic on the GPU", ARITH 2018, section IV).
#pragma once
#include <immintrin.h>

#include "core.h"

namespace proverd::lanes {
inline namespace PROVERD_SIMD {

#define PROVERD_LANES_INLINE static inline __attribute__((always_inline))
#define PROVERD_LANES_CALLED __attribute__((noinline))  // repeated in place they would not fit the instruction cache

constexpr u64 LOW52 = (u64{1} << 52) - 1;

struct Vec {
  __m256i half[2];
};

PROVERD_LANES_INLINE Vec same(u64 x) {
  __m256i v = _mm256_set1_epi64x(static_cast<long long>(x));
  return {{v, v}};
}
// The same from memory: shorter than to build it from an immediate operand.
struct Constant {
  alignas(32) u64 lane[4];

  constexpr Constant(u64 x = 0) : lane{x, x, x, x} {}
  PROVERD_LANES_INLINE Vec read(const Constant& c) {
    __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(c.lane));
    return {{v, v}};
  }
};
PROVERD_LANES_INLINE Vec operator+(const Vec& a, const Vec& b) {
  return {{_mm256_add_epi64(a.half[0], b.half[0]), _mm256_add_epi64(a.half[1], b.half[1])}};
}
PROVERD_LANES_INLINE Vec operator-(const Vec& a, const Vec& b) {
  return {{_mm256_sub_epi64(a.half[0], b.half[0]), _mm256_sub_epi64(a.half[1], b.half[1])}};
}
PROVERD_LANES_INLINE Vec operator&(const Vec& a, const Vec& b) {
  return {{_mm256_and_si256(a.half[0], b.half[0]), _mm256_and_si256(a.half[1], b.half[1])}};
}
PROVERD_LANES_INLINE Vec operator|(const Vec& a, const Vec& b) {
  return {{_mm256_or_si256(a.half[0], b.half[0]), _mm256_or_si256(a.half[1], b.half[1])}};
}
PROVERD_LANES_INLINE Vec operator^(const Vec& a, const Vec& b) {
  return {{_mm256_xor_si256(a.half[0], b.half[0]), _mm256_xor_si256(a.half[1], b.half[1])}};
}
template <int K>
PROVERD_LANES_INLINE Vec shift_left(const Vec& a) {
  return {{_mm256_slli_epi64(a.half[0], K), _mm256_slli_epi64(a.half[1], K)}};
}
template <int K>
PROVERD_LANES_INLINE Vec shift_right(const Vec& a) {
  return {{_mm256_srli_epi64(a.half[0], K), _mm256_srli_epi64(a.half[1], K)}};
}

// All ones in lanes where the condition holds.
using Mask = Vec;
PROVERD_LANES_INLINE Mask equal(const Vec& a, const Vec& b) {
  return {{_mm256_cmpeq_epi64(a.half[0], b.half[0]), _mm256_cmpeq_epi64(a.half[1], b.half[1])}};
}
PROVERD_LANES_INLINE Mask negative(const Vec& a) {
  __m256i zero = _mm256_setzero_si256();
  return {{_mm256_cmpgt_epi64(zero, a.half[0]), _mm256_cmpgt_epi64(zero, a.half[1])}};
}
// -1 in lanes that are negative, 0 elsewhere
PROVERD_LANES_INLINE Vec sign(const Vec& a) { return negative(a); }
PROVERD_LANES_INLINE Mask both(const Mask& a, const Mask& b) { return a & b; }
PROVERD_LANES_INLINE u32 bits(const Mask& m) {
  return static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(m.half[0]))) |
         static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(m.half[1]))) << 4;
}
// Lanes whose bit is set.
PROVERD_LANES_INLINE Mask mask(u32 bits) {
  __m256i bit = _mm256_set_epi64x(8, 4, 2, 1);
  auto lanes = [&](u32 four) {
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(four)), bit), bit);
  };
  return {{lanes(bits & 15), lanes(bits >> 4)}};
}
PROVERD_LANES_INLINE Vec select(const Mask& m, const Vec& yes, const Vec& no) {
  return {
      {_mm256_blendv_epi8(no.half[0], yes.half[0], m.half[0]), _mm256_blendv_epi8(no.half[1], yes.half[1], m.half[1])}};
}
// -a in lanes of the mask, a elsewhere
PROVERD_LANES_INLINE Vec negate_if(const Mask& m, const Vec& a) { return (a ^ m) - m; }
// Lanes in which bit 31 of eight 32-bit numbers is set.
PROVERD_LANES_INLINE Mask top_bits(const u32* eight) {
  __m256i v = _mm256_srai_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight)), 31);
  return {{_mm256_cvtepi32_epi64(_mm256_castsi256_si128(v)), _mm256_cvtepi32_epi64(_mm256_extracti128_si256(v, 1))}};
}

// Words [4k, 4k + 4) of rows to vectors of one word each, and back.
PROVERD_LANES_INLINE void transpose(__m256i (&r)[4]) {
  __m256i a = _mm256_unpacklo_epi64(r[0], r[1]), b = _mm256_unpackhi_epi64(r[0], r[1]);
  __m256i c = _mm256_unpacklo_epi64(r[2], r[3]), d = _mm256_unpackhi_epi64(r[2], r[3]);
  r[0] = _mm256_permute2x128_si256(a, c, 0x20);
  r[1] = _mm256_permute2x128_si256(b, d, 0x20);
  r[2] = _mm256_permute2x128_si256(a, c, 0x31);
  r[3] = _mm256_permute2x128_si256(b, d, 0x31);
}

// w[k] = word k of each of eight rows; W is 4 or 6
template <int W>
PROVERD_LANES_INLINE void load_rows(Vec* w, const u8* const* rows) {
  PROVERD_UNROLL
  for (int h = 0; h < 2; h++) {
    __m256i r[4];
    PROVERD_UNROLL
    for (int i = 0; i < 4; i++) r[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows[4 * h + i]));
    transpose(r);
    PROVERD_UNROLL
    for (int k = 0; k < 4; k++) w[k].half[h] = r[k];
    if constexpr (W == 6) {
      auto pair = [&](int i) {
        auto at = [&](int lane) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[4 * h + lane] + 32)); };
        return _mm256_inserti128_si256(_mm256_castsi128_si256(at(i)), at(i + 2), 1);
      };
      __m256i even = pair(0), odd = pair(1);
      w[4].half[h] = _mm256_unpacklo_epi64(even, odd);
      w[5].half[h] = _mm256_unpackhi_epi64(even, odd);
    }
  }
}

template <int W>
PROVERD_LANES_INLINE void store_rows(u8* const* rows, const Vec* w) {
  PROVERD_UNROLL
  for (int h = 0; h < 2; h++) {
    __m256i r[4];
    PROVERD_UNROLL
    for (int k = 0; k < 4; k++) r[k] = w[k].half[h];
    transpose(r);
    PROVERD_UNROLL
    for (int i = 0; i < 4; i++) _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows[4 * h + i]), r[i]);
    if constexpr (W == 6) {
      __m256i even = _mm256_unpacklo_epi64(w[4].half[h], w[5].half[h]);
      __m256i odd = _mm256_unpackhi_epi64(w[4].half[h], w[5].half[h]);
      auto put = [&](int lane, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(rows[4 * h + lane] + 32), v); };
      put(0, _mm256_castsi256_si128(even));
      put(1, _mm256_castsi256_si128(odd));
      put(2, _mm256_extracti128_si256(even, 1));
      put(3, _mm256_extracti128_si256(odd, 1));
    }
  }
}

// Kernels run between these: rounding toward zero.
class Rounding {
 public:
  Rounding() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x6000); }
  ~Rounding() { _mm_setcsr(before_); }

 private:
  u32 before_;
};

constexpr u64 LOW_EXPONENT = u64{0x433} << 52, HIGH_EXPONENT = u64{0x467} << 52;  // of 2^52 and 2^104

// Minus the exponents that sums of products leave in column c of K products and the multiple of p that clears
// the low columns; 1 more where a carry comes as 1 + mask.
template <int N, int K>
constexpr u64 column_start(int c) {
  int low = c < N ? K * (c + 1) + c : (K + 1) * (2 * N - 1 - c);
  int high = c < N ? (K + 1) * c : (K + 1) * (2 * N - c);
  return (c >= 1 && c <= N) - static_cast<u64>(low) * LOW_EXPONENT - static_cast<u64>(high) * HIGH_EXPONENT;
}

PROVERD_LANES_INLINE __m256d to_double(__m256i limb) {
  __m256i exponent = _mm256_set1_epi64x(static_cast<long long>(LOW_EXPONENT));
  return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(limb, exponent)), _mm256_set1_pd(0x1p52));
}

// low += a b mod 2^52, high += floor(a b / 2^52), exponents aside. Assembly, for the compiler would move the
// additions to the end of a long computation and spill all summands.
PROVERD_LANES_INLINE void add_product(__m256i& low, __m256i& high, __m256d a, const __m256d& b) {
  const __m256d c1 = _mm256_set1_pd(0x1p104), c2 = _mm256_set1_pd(0x1p104 + 0x1p52);
  __m256d x, y;
  asm("vmovapd %[c1], %[x]\n\t"
      "vfmadd231pd %[b], %[a], %[x]\n\t"
      "vsubpd %[x], %[c2], %[y]\n\t"
      "vfmadd231pd %[b], %[a], %[y]\n\t"
      "vpaddq %[x], %[high], %[high]\n\t"
      "vpaddq %[y], %[low], %[low]"
      : [low] "+x"(low), [high] "+x"(high), [x] "=&x"(x), [y] "=&x"(y)
      : [a] "x"(a), [b] "m"(b), [c1] "x"(c1), [c2] "x"(c2));
}
PROVERD_LANES_INLINE void add_high_product(__m256i& high, __m256d a, const __m256d& b) {
  const __m256d c1 = _mm256_set1_pd(0x1p104);
  __m256d x;
  asm("vmovapd %[c1], %[x]\n\t"
      "vfmadd231pd %[b], %[a], %[x]\n\t"
      "vpaddq %[x], %[high], %[high]"
      : [high] "+x"(high), [x] "=&x"(x)
      : [a] "x"(a), [b] "m"(b), [c1] "x"(c1));
}

// p in all lanes, and -1/p mod 2^52.
template <int N>
struct Modulus {
  alignas(32) double p[N][4], neg_inv[4];

  constexpr void set(int j, u64 limb) {
    for (double& lane : p[j]) lane = static_cast<double>(limb);
  }
  constexpr void set_neg_inv(u64 x) {
    for (double& lane : neg_inv) lane = static_cast<double>(x);
  }
};

// r = (sum over k < K of a_k b_k) / 2^(52 N) mod p; limbs below 2^52 in and out
template <int N, int K>
PROVERD_LANES_INLINE void montgomery(Vec* r, const Vec* const (&a)[K], const Vec* const (&b)[K], const Modulus<N>& m) {
  const __m256d* p = reinterpret_cast<const __m256d*>(m.p);
  const __m256d neg_inv = _mm256_load_pd(m.neg_inv);
  __m256d ad[N][K][2], bd[N][K][2];
  PROVERD_UNROLL
  for (int k = 0; k < K; k++) {
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) {
      PROVERD_UNROLL
      for (int h = 0; h < 2; h++) {
        ad[j][k][h] = to_double(a[k][j].half[h]);
        bd[j][k][h] = to_double(b[k][j].half[h]);
      }
    }
  }
  __m256i t[N + 1][2];
  auto start = [](int c) { return _mm256_set1_epi64x(static_cast<long long>(column_start<N, K>(c))); };
  PROVERD_UNROLL
  for (int j = 0; j < N; j++) t[j][0] = t[j][1] = start(j);
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    t[N][0] = t[N][1] = start(N + i);
    PROVERD_UNROLL
    for (int k = 0; k < K; k++) {
      PROVERD_UNROLL
      for (int h = 0; h < 2; h++) add_product(t[0][h], t[1][h], ad[i][k][h], bd[0][k][h]);
    }
    // The multiple q p that makes column 0 divisible by 2^52. Its own low part there is 2^52 - low or 0.
    __m256d q[2];
    PROVERD_UNROLL
    for (int h = 0; h < 2; h++) {
      __m256i low = _mm256_and_si256(t[0][h], _mm256_set1_epi64x(LOW52));
      __m256d x = to_double(low);
      __m256d high = _mm256_fmadd_pd(x, neg_inv, _mm256_set1_pd(0x1p104));
      high = _mm256_sub_pd(_mm256_set1_pd(0x1p104 + 0x1p52), high);
      q[h] = _mm256_sub_pd(_mm256_fmadd_pd(x, neg_inv, high), _mm256_set1_pd(0x1p52));
      __m256i carry = _mm256_cmpeq_epi64(low, _mm256_setzero_si256());
      t[1][h] = _mm256_add_epi64(t[1][h], _mm256_add_epi64(carry, _mm256_srli_epi64(t[0][h], 52)));
    }
    PROVERD_UNROLL
    for (int j = 1; j < N; j++) {
      PROVERD_UNROLL
      for (int k = 0; k < K; k++) {
        PROVERD_UNROLL
        for (int h = 0; h < 2; h++) add_product(t[j][h], t[j + 1][h], ad[i][k][h], bd[j][k][h]);
      }
      PROVERD_UNROLL
      for (int h = 0; h < 2; h++) {
        if (j == 1) add_high_product(t[1][h], q[h], p[0]);
        add_product(t[j][h], t[j + 1][h], q[h], p[j]);
      }
    }
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) {
      PROVERD_UNROLL
      for (int h = 0; h < 2; h++) t[j][h] = t[j + 1][h];
    }
  }
  PROVERD_UNROLL
  for (int h = 0; h < 2; h++) {
    PROVERD_UNROLL
    for (int j = 0; j + 1 < N; j++) {
      t[j + 1][h] = _mm256_add_epi64(t[j + 1][h], _mm256_srli_epi64(t[j][h], 52));
      r[j].half[h] = _mm256_and_si256(t[j][h], _mm256_set1_epi64x(LOW52));
    }
    r[N - 1].half[h] = t[N - 1][h];
  }
}

}  // namespace PROVERD_SIMD
}  // namespace proverd::lanes
