// Multi-limb integers: the word operations under every field, in three bodies with the same bits.
//
//   portable    64-bit limbs in plain C++                                    (this file)
//   adx         64-bit limbs, x86-64 inline assembly                         (arith_x86.h)
//   CUDA        32-bit limbs, PTX carry chains                               (arith_ptx.h)
//
// Each body offers, for field parameters P with limbs p[N] and R = 2^(bits of N limbs):
//
//   mod_add, mod_sub, mod_double    r = a + b, a - b, 2 a mod p              a, b, r in [0, p)
//   mont_mul, mont_sqr              r = a b / R, a^2 / R mod p               r in [0, p) for a b < p R
//   mul_wide, sqr_wide              w = a b, a^2                             2N limbs, unreduced
//   mont_inverse                    r = R^2 / a mod p, 0 for 0               (inverse.h on the CPU)
//   mont_reduce                     r = w / R mod p                          w < p R
//   wide_sub, wide_sub_mod          w = w - v (w >= v);  the same, plus p R if negative
//   add_unreduced                   r = a + b                                sum must fit N limbs
//   sub_limbs                       r = a - b, returns the borrow
//
// r may be a or b; w is memory of its own. All moduli leave the top bit of the top limb free. So a sum of
// two residues fits, and Montgomery multiplication needs no limb beyond N + 1: CIOS ("Analyzing and
// comparing Montgomery multiplication algorithms", Koc, Acar, Kaliski 1996, section 5) with the carries
// dropped ("Faster big-integer modular multiplication for most moduli", hackmd.io/@gnark/modular_multiplication).
#pragma once
#include "core.h"

#if defined(__CUDA_ARCH__)
#include "arith_ptx.h"
#elif defined(PROVERD_ISA_adx)
#include "arith_x86.h"
#else

PROVERD_BEGIN

using wide_t = unsigned __int128;

// lo + 2^64 carry = a b + t + carry. The carries by comparison compile to add and adc; sums of 128-bit
// numbers would make g++ store zero-extended limbs.
PROVERD_HD limb_t mul_add(limb_t a, limb_t b, limb_t t, limb_t& carry) {
  wide_t product = static_cast<wide_t>(a) * b;
  limb_t lo = static_cast<limb_t>(product), hi = static_cast<limb_t>(product >> 64);
  lo += t;
  hi += lo < t;
  lo += carry;
  hi += lo < carry;
  carry = hi;
  return lo;
}

PROVERD_HD limb_t add_carry(limb_t a, limb_t b, limb_t& carry) {
  limb_t s = a + carry;
  limb_t c = s < carry;
  s += b;
  carry = c + (s < b);
  return s;
}

PROVERD_HD limb_t sub_borrow(limb_t a, limb_t b, limb_t& borrow) {
  limb_t d = a - b;
  limb_t c = a < b;
  limb_t r = d - borrow;
  borrow = c + (d < borrow);
  return r;
}

template <int N>
PROVERD_HD limb_t sub_limbs(limb_t* r, const limb_t* a, const limb_t* b) {
  limb_t borrow = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = sub_borrow(a[i], b[i], borrow);
  return borrow;
}

template <int N>
PROVERD_HD void add_unreduced(limb_t* r, const limb_t* a, const limb_t* b) {
  limb_t carry = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = add_carry(a[i], b[i], carry);
}

// r = t mod p for t in [0, 2p)
template <class P>
PROVERD_HD void reduce_once(limb_t* r, const limb_t* t) {
  constexpr int N = P::WORDS / 2;
  limb_t s[N], borrow = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) s[i] = sub_borrow(t[i], P::modulus().limb(i), borrow);
  const limb_t* result = borrow ? t : s;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = result[i];
}

template <class P>
PROVERD_HD void mod_add(limb_t* r, const limb_t* a, const limb_t* b) {
  limb_t t[P::WORDS / 2];
  add_unreduced<P::WORDS / 2>(t, a, b);
  reduce_once<P>(r, t);
}

template <class P>
PROVERD_HD void mod_double(limb_t* r, const limb_t* a) {
  mod_add<P>(r, a, a);
}

template <class P>
PROVERD_HD void mod_sub(limb_t* r, const limb_t* a, const limb_t* b) {
  constexpr int N = P::WORDS / 2;
  limb_t mask = 0 - sub_limbs<N>(r, a, b), carry = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = add_carry(r[i], P::modulus().limb(i) & mask, carry);
}

// A call: repeated in place, g++ takes minutes over a translation unit.
template <class P>
PROVERD_CALLED void mont_mul(limb_t* r, const limb_t* a, const limb_t* b) {
  constexpr int N = P::WORDS / 2;
  limb_t t[N] = {};
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    limb_t bi = b[i], top = 0, carry = 0;
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) t[j] = mul_add(a[j], bi, t[j], top);
    limb_t m = t[0] * static_cast<limb_t>(P::NEG_INV);
    mul_add(m, P::modulus().limb(0), t[0], carry);
    PROVERD_UNROLL
    for (int j = 1; j < N; j++) t[j - 1] = mul_add(m, P::modulus().limb(j), t[j], carry);
    t[N - 1] = top + carry;
  }
  reduce_once<P>(r, t);
}

template <class P>
PROVERD_HD void mont_sqr(limb_t* r, const limb_t* a) {
  mont_mul<P>(r, a, a);
}

template <class P>
PROVERD_HD void mul_wide(limb_t* w, const limb_t* a, const limb_t* b) {
  constexpr int N = P::WORDS / 2;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) w[i] = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    limb_t bi = b[i], carry = 0;
    PROVERD_UNROLL
    for (int j = 0; j < N; j++) w[i + j] = mul_add(a[j], bi, w[i + j], carry);
    w[i + N] = carry;
  }
}

template <class P>
PROVERD_HD void sqr_wide(limb_t* w, const limb_t* a) {
  mul_wide<P>(w, a, a);
}

template <class P>
PROVERD_HD void mont_reduce(limb_t* r, const limb_t* w) {
  constexpr int N = P::WORDS / 2;
  limb_t t[N], u[N];
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) t[i] = w[i];
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    limb_t m = t[0] * static_cast<limb_t>(P::NEG_INV), carry = 0;
    mul_add(m, P::modulus().limb(0), t[0], carry);
    PROVERD_UNROLL
    for (int j = 1; j < N; j++) t[j - 1] = mul_add(m, P::modulus().limb(j), t[j], carry);
    t[N - 1] = carry;
  }
  add_unreduced<N>(u, t, w + N);
  reduce_once<P>(r, u);
}

template <class P>
PROVERD_HD void wide_sub(limb_t* w, const limb_t* v) {
  sub_limbs<P::WORDS>(w, w, v);
}

template <class P>
PROVERD_HD void wide_sub_mod(limb_t* w, const limb_t* v) {
  constexpr int N = P::WORDS / 2;
  limb_t mask = 0 - sub_limbs<P::WORDS>(w, w, v), carry = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) w[N + i] = add_carry(w[N + i], P::modulus().limb(i) & mask, carry);
}

PROVERD_END

#endif

#if !defined(__CUDA_ARCH__)
#include "inverse.h"
#endif
