// Signed windows of scalars.
//
// With K = sum over w of 2^(c-1) 2^(cw), window w of s + K is digit_w + 2^(c-1) where the digits, in
// [-2^(c-1), 2^(c-1)), are those of s = sum digit_w 2^(cw): one addition, then every window can be read by
// itself, with no carry to pass on.
#pragma once
#include "cpu/memory.h"

PROVERD_BEGIN

constexpr int SCALAR_LIMBS = 4;

// Windows of c >= 2 bits that hold every scalar below r < 2^bits. W of them reach up to
// (2^(c-1) - 1) / (2^c - 1) 2^(cW): at cW = bits + 1 that is 0.67 2^bits for c = 2 and more than 0.93 2^bits
// from c = 4 on, where r is up to 0.91 2^bits (BLS12-381). Narrower windows get a bit more.
constexpr int window_count(int bits, int c) { return (bits + (c < 4 ? 1 : 0) + c) / c; }

class Digits {
 public:
  // c in [1, 16]
  Digits(int bits, int c) : c_(c) {
    for (int w = 0; w < window_count(bits, c); w++) {
      int bit = c * w + c - 1;
      offset_[bit / 64] |= u64{1} << (bit % 64);
    }
  }

  // s + K, from which digit() reads.
  struct Shifted {
    u64 limb[SCALAR_LIMBS + 2];
  };
  Shifted shifted(const void* scalars, size_t i) const {
    struct Scalar {
      u64 limb[SCALAR_LIMBS];
    } s = load<Scalar>(scalars, i);
    Shifted r;
    unsigned __int128 carry = 0;
    for (int k = 0; k < SCALAR_LIMBS + 2; k++) {
      carry += static_cast<unsigned __int128>(k < SCALAR_LIMBS ? s.limb[k] : 0) + offset_[k];
      r.limb[k] = static_cast<u64>(carry);
      carry >>= 64;
    }
    return r;
  }

  int digit(const Shifted& s, int window) const {
    int bit = c_ * window, limb = bit / 64, shift = bit % 64;
    u64 bits = s.limb[limb] >> shift;
    if (shift + c_ > 64) bits |= s.limb[limb + 1] << (64 - shift);
    return static_cast<int>(bits & ((u64{1} << c_) - 1)) - (1 << (c_ - 1));
  }

 private:
  int c_;
  u64 offset_[SCALAR_LIMBS + 2] = {};
};

PROVERD_END
