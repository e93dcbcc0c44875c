// Inverse modulo an odd prime by a binary GCD that works on leading and trailing bits, for 64-bit limbs.
//
// Pornin, "Optimized Binary GCD for Modular Inversion", eprint 2020/972, algorithm 2: 31 steps at a time
// run on two words that stand for the numbers, then one linear combination brings the numbers up to date.
// Here with runs of zero bits taken in one step and an early end: not constant-time.
// Cost: about 1.41 bits of the modulus / 31 rounds of eight one-word multiplications by N limbs.
#pragma once
#include "arith.h"

PROVERD_BEGIN

// The steps done in one round, as a matrix: (a, b) <- (f0 a + g0 b, f1 a + g1 b) / 2^31, |f| + |g| <= 2^31.
struct GcdMatrix {
  long long f0, g0, f1, g1;
};

constexpr int GCD_STEPS = 31;

// One round on the stand-ins of a (any) and b (odd): halve a while even, else subtract the smaller of the
// two from the larger. Both coefficients of a row share a word, g in its upper half, so that one
// operation serves both.
inline GcdMatrix gcd_round(u64 a, u64 b) {
  u64 row0 = 1, row1 = u64{1} << 32;
  int left = GCD_STEPS;
  while (true) {
    int zeros = __builtin_ctzll(a | (u64{1} << left));
    a >>= zeros;
    row1 <<= zeros;
    left -= zeros;
    if (left == 0) break;
    bool less = a < b;
    u64 a_old = a, row0_old = row0;
    a = less ? b : a;
    b = less ? a_old : b;
    row0 = less ? row1 : row0;
    row1 = less ? row0_old : row1;
    a -= b;
    row0 -= row1;
  }
  constexpr u64 BIAS = 0x7fffffff, BOTH = BIAS << 32 | BIAS;
  auto low = [](u64 row) { return static_cast<long long>((row + BOTH) & 0xffffffff) - static_cast<long long>(BIAS); };
  auto high = [](u64 row) { return static_cast<long long>((row + BOTH) >> 32) - static_cast<long long>(BIAS); };
  return {low(row0), high(row0), low(row1), high(row1)};
}

// a k for an unsigned and a signed word, with one multiplication
inline __int128 mul_signed(u64 a, long long k) {
  auto product = static_cast<unsigned __int128>(a) * static_cast<u64>(k);
  return static_cast<__int128>(product - (static_cast<unsigned __int128>(k < 0 ? a : 0) << 64));
}

// r = (top: r) / 2^31
template <int N>
inline void shift_round(u64* r, long long top) {
  for (int i = 0; i < N - 1; i++) r[i] = r[i] >> GCD_STEPS | r[i + 1] << (64 - GCD_STEPS);
  r[N - 1] = r[N - 1] >> GCD_STEPS | static_cast<u64>(top) << (64 - GCD_STEPS);
}

// r = |f a + g b| / 2^31; returns true if the combination was negative.
template <int N>
inline bool combine(u64* r, const u64* a, const u64* b, long long f, long long g) {
  __int128 sum = 0;
  for (int i = 0; i < N; i++) {
    sum += mul_signed(a[i], f) + mul_signed(b[i], g);
    r[i] = static_cast<u64>(sum);
    sum >>= 64;
  }
  long long top = static_cast<long long>(sum);
  shift_round<N>(r, top);
  if (top >= 0) return false;
  u64 carry = 1;
  for (int i = 0; i < N; i++) {
    r[i] = ~r[i] + carry;
    carry &= r[i] == 0;
  }
  return true;
}

// r = (f u + g v) / 2^31 mod p; u, v, r in [0, p)
template <class P>
inline void combine_mod(u64* r, const u64* u, const u64* v, long long f, long long g) {
  constexpr int N = P::WORDS / 2;
  constexpr u64 MASK = (u64{1} << GCD_STEPS) - 1;
  u64 p[N];
  for (int i = 0; i < N; i++) p[i] = P::modulus().limb(i);
  // the multiple of p that makes the sum divisible by 2^31
  u64 low = u[0] * static_cast<u64>(f) + v[0] * static_cast<u64>(g);
  long long m = static_cast<long long>(low * P::NEG_INV & MASK);
  __int128 sum = 0;
  for (int i = 0; i < N; i++) {
    sum += mul_signed(u[i], f) + mul_signed(v[i], g) + mul_signed(p[i], m);
    r[i] = static_cast<u64>(sum);
    sum >>= 64;
  }
  long long top = static_cast<long long>(sum);
  shift_round<N>(r, top);
  u64 t[N];
  if (top < 0) {  // in (-p, 0)
    add_unreduced<N>(r, r, p);
  } else if (sub_limbs<N>(t, r, p) == 0) {  // in [p, 2p)
    for (int i = 0; i < N; i++) r[i] = t[i];
  }
}

// Bits [bits - 33, bits) of a in the upper part, its lowest 31 bits in the lower part.
template <int N>
inline u64 stand_in(const u64* a, int bits) {
  int shift = bits - 33, word = shift / 64, bit = shift % 64;
  u64 top = a[word] >> bit;
  if (bit != 0 && word + 1 < N) top |= a[word + 1] << (64 - bit);
  return top << GCD_STEPS | (a[0] & ((u64{1} << GCD_STEPS) - 1));
}

// r = 1/a mod p for a in [0, p), plain integers; 0 -> 0. r may be a.
template <class P>
inline void invert_integer(u64* r, const u64* a_in) {
  constexpr int N = P::WORDS / 2;
  u64 a[N], b[N], u[N] = {1}, v[N] = {};  // a = u a_in, b = v a_in mod p
  for (int i = 0; i < N; i++) a[i] = a_in[i];
  for (int i = 0; i < N; i++) b[i] = P::modulus().limb(i);
  while (true) {
    int top = N - 1;
    while (top > 0 && (a[top] | b[top]) == 0) top--;
    u64 any = 0;
    for (int i = 0; i <= top; i++) any |= a[i];
    if (any == 0) break;
    int bits = 64 * top + 64 - __builtin_clzll(a[top] | b[top]);
    if (bits < 64) bits = 64;
    GcdMatrix m = gcd_round(stand_in<N>(a, bits), stand_in<N>(b, bits));
    u64 a_new[N], b_new[N], u_new[N], v_new[N];
    if (combine<N>(a_new, a, b, m.f0, m.g0)) m.f0 = -m.f0, m.g0 = -m.g0;
    if (combine<N>(b_new, a, b, m.f1, m.g1)) m.f1 = -m.f1, m.g1 = -m.g1;
    combine_mod<P>(u_new, u, v, m.f0, m.g0);
    combine_mod<P>(v_new, u, v, m.f1, m.g1);
    for (int i = 0; i < N; i++) a[i] = a_new[i], b[i] = b_new[i], u[i] = u_new[i], v[i] = v_new[i];
  }
  for (int i = 0; i < N; i++) r[i] = v[i];
}

// r = R^2/a mod p: the Montgomery form of 1/x for a = x R; 0 -> 0. r may be a.
template <class P>
inline void mont_inverse(u64* r, const u64* a) {
  constexpr int N = P::WORDS / 2;
  u64 t[N], r2[N];
  for (int i = 0; i < N; i++) r2[i] = P::r2().limb(i);
  invert_integer<P>(t, a);
  mont_mul<P>(t, t, r2);
  mont_mul<P>(r, t, r2);
}

PROVERD_END
