// Multi-limb integers: addition, subtraction and Montgomery multiplication.
//
// Montgomery multiplication is CIOS ("Analyzing and comparing Montgomery multiplication algorithms",
// Koc, Acar, Kaliski 1996, section 5). All moduli here leave the top bit of the top limb free, so the
// carry out of the inner loop never overflows (the "no-carry" condition) and a sum of two residues fits.
#pragma once
#include "core.h"

PROVERD_BEGIN

using wide_t = unsigned __int128;

// r = a + b, returns the carry.
template <int N>
PROVERD_HD limb_t add_limbs(limb_t* r, const limb_t* a, const limb_t* b) {
  limb_t carry = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    wide_t t = static_cast<wide_t>(a[i]) + b[i] + carry;
    r[i] = static_cast<limb_t>(t);
    carry = static_cast<limb_t>(t >> LIMB_BITS);
  }
  return carry;
}

// r = a - b, returns the borrow (0 or 1).
template <int N>
PROVERD_HD limb_t sub_limbs(limb_t* r, const limb_t* a, const limb_t* b) {
  limb_t borrow = 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    wide_t t = static_cast<wide_t>(a[i]) - b[i] - borrow;
    r[i] = static_cast<limb_t>(t);
    borrow = static_cast<limb_t>(t >> LIMB_BITS) & 1;
  }
  return borrow;
}

// a in [0, 2p) -> [0, p).
template <class P>
PROVERD_HD void reduce_once(limb_t* a) {
  constexpr int N = P::WORDS * 32 / LIMB_BITS;
  limb_t p[N], t[N];
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) p[i] = P::modulus().limb(i);
  limb_t keep = 0 - sub_limbs<N>(t, a, p);
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) a[i] = (a[i] & keep) | (t[i] & ~keep);
}

// r = a b / R mod p; a, b in [0, p) -> [0, p). r may alias a or b.
template <class P>
PROVERD_HD void mont_mul(limb_t* r, const limb_t* a, const limb_t* b) {
  constexpr int N = P::WORDS * 32 / LIMB_BITS;
  limb_t t[N] = {};
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    wide_t x = static_cast<wide_t>(a[0]) * b[i] + t[0];
    limb_t m = static_cast<limb_t>(x) * static_cast<limb_t>(P::NEG_INV);
    wide_t y = static_cast<wide_t>(m) * P::modulus().limb(0) + static_cast<limb_t>(x);
    PROVERD_UNROLL
    for (int j = 1; j < N; j++) {
      x = static_cast<wide_t>(a[j]) * b[i] + t[j] + static_cast<limb_t>(x >> LIMB_BITS);
      y = static_cast<wide_t>(m) * P::modulus().limb(j) + static_cast<limb_t>(x) +
          static_cast<limb_t>(y >> LIMB_BITS);
      t[j - 1] = static_cast<limb_t>(y);
    }
    t[N - 1] = static_cast<limb_t>(x >> LIMB_BITS) + static_cast<limb_t>(y >> LIMB_BITS);
  }
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = t[i];
  reduce_once<P>(r);
}

// r = a^2 / R mod p.
template <class P>
PROVERD_HD void mont_sqr(limb_t* r, const limb_t* a) {
  mont_mul<P>(r, a, a);
}

PROVERD_END
