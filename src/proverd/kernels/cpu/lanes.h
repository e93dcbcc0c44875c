// Eight field elements at once, one in each 64-bit lane, in limbs of 52 bits.
//
// Memory holds x R mod p with R = 2^256 or 2^384; products here divide by R' = 2^(52 N), 2^260 or 2^416. The
// numbers stay what memory holds: no conversion, only another factor, which pair_lanes.cpp accounts for.
// R' > 32 p, so sums and differences need not be reduced: a product of a < A p and b < B p is below
// (1 + A B p/R') p, where p/R' < 0.012. Bounds stand at each function; limbs are below 2^52 unless said.
#pragma once
#if defined(PROVERD_SIMD_avx2)
#include "cpu/vec_avx2.h"
#else
#include "cpu/vec_ifma.h"
#endif

namespace proverd::lanes {
inline namespace PROVERD_SIMD {

// body(0), ..., body(N - 1), with indices known to the compiler.
template <int... J, class Body>
PROVERD_LANES_INLINE void each(std::integer_sequence<int, J...>, Body body) {
  (body(std::integral_constant<int, J>{}), ...);
}
template <int N, class Body>
PROVERD_LANES_INLINE void each_limb(Body body) {
  each(std::make_integer_sequence<int, N>{}, body);
}

// A multiple k p of the modulus in limbs of 52 bits, those but the highest increased by 2^BIAS at the cost of
// their neighbour: a number to subtract from without borrowing.
template <class P, int N>
constexpr u64 multiple_limb(int k, int bias, int i) {
  unsigned __int128 carry = 0;
  u64 limb = 0;
  for (int j = 0; j <= i; j++) {
    int word = 52 * j / 64, shift = 52 * j % 64;
    u64 p = word < P::WORDS / 2 ? P::modulus().limb(word) >> shift : 0;
    if (shift > 12 && word + 1 < P::WORDS / 2) p |= P::modulus().limb(word + 1) << (64 - shift);
    carry += static_cast<unsigned __int128>(p & LOW52) * static_cast<u64>(k);
    limb = static_cast<u64>(carry) & LOW52;
    if (j == N - 1) limb = static_cast<u64>(carry);
    carry >>= 52;
  }
  if (bias == 0) return limb;
  return limb + (i < N - 1 ? u64{1} << bias : 0) - (i > 0 ? u64{1} << (bias - 52) : 0);
}

template <class P, int N, int K, int BIAS>
struct Multiple {
  Constant limb[N];

  static constexpr Multiple make() {
    Multiple m{};
    for (int j = 0; j < N; j++) m.limb[j] = Constant(multiple_limb<P, N>(K, BIAS, j));
    return m;
  }
  static const Multiple value;
};
template <class P, int N, int K, int BIAS>
constexpr Multiple<P, N, K, BIAS> Multiple<P, N, K, BIAS>::value = make();

template <class P>
struct Lanes {
  static constexpr int N = (P::BITS + 5) / 52 + 1;
  static constexpr int WORDS = P::WORDS / 2;
  static constexpr size_t BYTES = 8 * WORDS;  // of an element in memory

  Vec limb[N];

  // Limbs that may exceed 52 bits, the highest of any sign in between, to proper ones.
  PROVERD_LANES_INLINE void carry(Lanes& a) {
    each_limb<N - 1>([&](auto j) {
      a.limb[j + 1] = a.limb[j + 1] + shift_right<52>(a.limb[j]);
      a.limb[j] = a.limb[j] & same(LOW52);
    });
  }

  PROVERD_LANES_INLINE Lanes load(const u8* const* rows) {
    Vec w[WORDS];
    load_rows<WORDS>(w, rows);
    Lanes r;
    split(r, w, std::make_integer_sequence<int, N>{});
    return r;
  }
  // a < p
  PROVERD_LANES_INLINE void store(u8* const* rows, const Lanes& a) {
    Vec w[WORDS];
    join(w, a, std::make_integer_sequence<int, WORDS>{});
    store_rows<WORDS>(rows, w);
  }

  // 1 in lanes of the mask, a elsewhere: something that has an inverse
  PROVERD_LANES_INLINE Lanes one_if(const Mask& m, const Lanes& a) {
    Lanes r;
    each_limb<N>([&](auto j) { r.limb[j] = select(m, same(j == 0), a.limb[j]); });
    return r;
  }

  // a - b + K p for limbs of a and b of either sign and at most 2^53; a - b > -K p
  template <int K>
  PROVERD_LANES_INLINE Lanes difference(const Lanes& a, const Lanes& b) {
    Lanes r;
    each_limb<N>(
        [&](auto j) { r.limb[j] = a.limb[j] - b.limb[j] + Constant::read(Multiple<P, N, K, 54>::value.limb[j]); });
    carry(r);
    return r;
  }

  // a - b - c + 2 p, as difference
  PROVERD_LANES_INLINE Lanes difference_of_sum(const Lanes& a, const Lanes& b, const Lanes& c) {
    Lanes r;
    each_limb<N>([&](auto j) { r.limb[j] = b.limb[j] + c.limb[j]; });
    return difference<2>(a, r);
  }

  // a - K p where that is not negative, a elsewhere
  template <int K>
  PROVERD_LANES_INLINE Lanes reduce_once(const Lanes& a) {
    Lanes r;
    Vec borrow = same(0);
    each_limb<N>([&](auto j) {
      r.limb[j] = a.limb[j] - Constant::read(Multiple<P, N, K, 0>::value.limb[j]) + borrow;
      borrow = sign(r.limb[j]);
      if (j < N - 1) r.limb[j] = r.limb[j] & same(LOW52);
    });
    Mask under = negative(r.limb[N - 1]);
    each_limb<N>([&](auto j) { r.limb[j] = select(under, a.limb[j], r.limb[j]); });
    return r;
  }

  // Whether a = 2 p, but for chance in the limbs that are not looked at.
  PROVERD_LANES_INLINE Mask maybe_twice_modulus(const Lanes& a) {
    return equal(a.limb[0], Constant::read(Multiple<P, N, 2, 0>::value.limb[0]));
  }

  // -a in lanes of the mask, in limbs of either sign
  PROVERD_LANES_INLINE Lanes signed_if(const Mask& m, const Lanes& a) {
    Lanes r;
    each_limb<N>([&](auto j) { r.limb[j] = negate_if(m, a.limb[j]); });
    return r;
  }

  // a 2^K; must fit
  template <int K>
  PROVERD_LANES_INLINE Lanes shifted(const Lanes& a) {
    Lanes r;
    r.limb[0] = shift_left<K>(a.limb[0]) & same(LOW52);
    each_limb<N - 1>([&](auto j) {
      r.limb[j + 1] = shift_left<K>(a.limb[j + 1]) | shift_right<52 - K>(a.limb[j]);
      if (j + 1 < N - 1) r.limb[j + 1] = r.limb[j + 1] & same(LOW52);
    });
    return r;
  }

  PROVERD_LANES_INLINE Lanes sum(const Lanes& a, const Lanes& b) {
    Lanes r;
    each_limb<N>([&](auto j) { r.limb[j] = a.limb[j] + b.limb[j]; });
    carry(r);
    return r;
  }

  // a b / R', a^2 / R', (a b + c d) / R'
  PROVERD_LANES_CALLED static void multiply(Lanes& r, const Lanes& a, const Lanes& b) {
    montgomery<N, 1>(r.limb, {a.limb}, {b.limb}, modulus);
  }
  PROVERD_LANES_CALLED static void square(Lanes& r, const Lanes& a) {
    montgomery<N, 1>(r.limb, {a.limb}, {a.limb}, modulus);
  }
  PROVERD_LANES_CALLED static void multiply_add(Lanes& r, const Lanes& a, const Lanes& b, const Lanes& c,
                                                const Lanes& d) {
    montgomery<N, 2>(r.limb, {a.limb, c.limb}, {b.limb, d.limb}, modulus);
  }

 private:
  // Bits [52 j, 52 j + 52) of words.
  template <int... J>
  PROVERD_LANES_INLINE void split(Lanes& r, const Vec* w, std::integer_sequence<int, J...>) {
    ((r.limb[J] = limb_of_words<J>(w)), ...);
  }
  template <int J>
  PROVERD_LANES_INLINE Vec limb_of_words(const Vec* w) {
    constexpr int WORD = 52 * J / 64, SHIFT = 52 * J % 64;
    if constexpr (WORD >= WORDS) {
      return same(0);
    } else if constexpr (SHIFT <= 12) {
      return shift_right<SHIFT>(w[WORD]) & same(LOW52);
    } else if constexpr (WORD + 1 >= WORDS) {
      return shift_right<SHIFT>(w[WORD]);
    } else {
      return (shift_right<SHIFT>(w[WORD]) | shift_left<64 - SHIFT>(w[WORD + 1])) & same(LOW52);
    }
  }
  // Bits [64 k, 64 k + 64) of limbs.
  template <int... K>
  PROVERD_LANES_INLINE void join(Vec* w, const Lanes& a, std::integer_sequence<int, K...>) {
    ((w[K] = word_of_limbs<K>(a)), ...);
  }
  template <int K>
  PROVERD_LANES_INLINE Vec word_of_limbs(const Lanes& a) {
    constexpr int J = 64 * K / 52, SHIFT = 64 * K % 52;
    Vec low = shift_right<SHIFT>(a.limb[J]) | shift_left<52 - SHIFT>(a.limb[J + 1]);
    if constexpr (SHIFT > 40 && J + 2 < N) low = low | shift_left<104 - SHIFT>(a.limb[J + 2]);
    return low;
  }

  static constexpr Modulus<N> make_modulus() {
    Modulus<N> m{};
    for (int j = 0; j < N; j++) m.set(j, multiple_limb<P, N>(1, 0, j));
    m.set_neg_inv(P::NEG_INV & LOW52);
    return m;
  }
  static constexpr Modulus<N> modulus = make_modulus();
};

// c0 + c1 u, u^2 = -1, for elements of Lanes.
template <class P>
struct Lanes2 {
  using F = Lanes<P>;
  static constexpr size_t BYTES = 2 * F::BYTES;

  F c0, c1;

  PROVERD_LANES_INLINE Lanes2 load(const u8* const* rows) {
    const u8* second[8];
    for (int i = 0; i < 8; i++) second[i] = rows[i] + F::BYTES;
    return {F::load(rows), F::load(second)};
  }
  PROVERD_LANES_INLINE void store(u8* const* rows, const Lanes2& a) {
    u8* second[8];
    for (int i = 0; i < 8; i++) second[i] = rows[i] + F::BYTES;
    F::store(rows, a.c0);
    F::store(second, a.c1);
  }
  PROVERD_LANES_INLINE Lanes2 one_if(const Mask& m, const Lanes2& a) {
    Lanes2 r = {F::one_if(m, a.c0), a.c1};
    each_limb<F::N>([&](auto j) { r.c1.limb[j] = select(m, same(0), a.c1.limb[j]); });
    return r;
  }
  template <int K>
  PROVERD_LANES_INLINE Lanes2 difference(const Lanes2& a, const Lanes2& b) {
    return {F::template difference<K>(a.c0, b.c0), F::template difference<K>(a.c1, b.c1)};
  }
  PROVERD_LANES_INLINE Lanes2 difference_of_sum(const Lanes2& a, const Lanes2& b, const Lanes2& c) {
    return {F::difference_of_sum(a.c0, b.c0, c.c0), F::difference_of_sum(a.c1, b.c1, c.c1)};
  }
  template <int K>
  PROVERD_LANES_INLINE Lanes2 reduce_once(const Lanes2& a) {
    return {F::template reduce_once<K>(a.c0), F::template reduce_once<K>(a.c1)};
  }
  PROVERD_LANES_INLINE Mask maybe_twice_modulus(const Lanes2& a) {
    return both(F::maybe_twice_modulus(a.c0), F::maybe_twice_modulus(a.c1));
  }
  PROVERD_LANES_INLINE Lanes2 signed_if(const Mask& m, const Lanes2& a) {
    return {F::signed_if(m, a.c0), F::signed_if(m, a.c1)};
  }
  template <int K>
  PROVERD_LANES_INLINE Lanes2 shifted(const Lanes2& a) {
    return {F::template shifted<K>(a.c0), F::template shifted<K>(a.c1)};
  }

  // b < 2 p
  PROVERD_LANES_CALLED static void multiply(Lanes2& r, const Lanes2& a, const Lanes2& b) {
    F zero = {};
    F minus = F::template difference<2>(zero, b.c1), c1;
    F::multiply_add(c1, a.c0, b.c1, a.c1, b.c0);
    F::multiply_add(r.c0, a.c0, b.c0, a.c1, minus);
    r.c1 = c1;
  }
  // (a0 + a1)(a0 - a1) + 2 a0 a1 u; a < 2 p
  PROVERD_LANES_CALLED static void square(Lanes2& r, const Lanes2& a) {
    F sum = F::sum(a.c0, a.c1), difference = F::template difference<2>(a.c0, a.c1), twice = F::sum(a.c0, a.c0);
    F::multiply(r.c1, twice, a.c1);
    F::multiply(r.c0, sum, difference);
  }
};

}  // namespace PROVERD_SIMD
}  // namespace proverd::lanes
