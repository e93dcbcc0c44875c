// Signed windows of scalars.
//
// A scalar above r/2 is read as minus its opposite, so that small negative values are as short as small
// positive ones. With K = sum over w of 2^(c-1) 2^(cw), window w of s + K is digit_w + 2^(c-1) where the
// digits, in [-2^(c-1), 2^(c-1)), are those of s = sum digit_w 2^(cw): one addition, then every window can
// be read by itself, with no carry to pass on.
#pragma once
#include "cpu/memory.h"
#include "field.h"

PROVERD_BEGIN

template <class Fr>
class Digits {
 public:
  static constexpr int BITS = Fr::Params::BITS - 1;  // of min(s, r - s)

  // Windows of c >= 2 bits that hold every such number and its sign. W of them reach up to
  // (2^(c-1) - 1) / (2^c - 1) 2^(cW): at cW = BITS + 1 that is 0.67 2^BITS for c = 2 and more than 0.93 2^BITS
  // from c = 4 on, where r/2 is up to 0.91 2^BITS (BLS12-381). Narrower windows get a bit more.
  static constexpr int window_count(int c) { return (BITS + (c < 4 ? 1 : 0) + c) / c; }

  // s or r - s, whichever is smaller.
  struct Magnitude {
    Fr value;
    bool negative;

    int bits() const {
      for (int k = Fr::LIMBS; k-- > 0;) {
        if (value.limb[k] != 0) return 64 * (k + 1) - __builtin_clzll(value.limb[k]);
      }
      return 0;
    }
  };
  static Magnitude magnitude(const void* scalars, size_t i) {
    Fr s = load<Fr>(scalars, i), opposite = Fr::from_words(Fr::Params::modulus());
    sub_limbs<Fr::LIMBS>(opposite.limb, opposite.limb, s.limb);
    bool negative = opposite.limb[Fr::LIMBS - 1] < s.limb[Fr::LIMBS - 1];
    return {negative ? opposite : s, negative};
  }

  explicit Digits(int c) : c_(c) {
    for (int w = 0; w < window_count(c); w++) {
      int bit = c * w + c - 1;
      offset_[bit / 64] |= u64{1} << (bit % 64);
    }
  }

  // |s| + K, from which windows are read.
  class Shifted {
   public:
    // The digit of the scalar: 0 or |digit|, and its sign.
    u32 magnitude(const Digits& d, int window) const {
      int digit = signed_digit(d, window);
      return static_cast<u32>(digit < 0 ? -digit : digit);
    }
    bool negative(const Digits& d, int window) const { return (signed_digit(d, window) < 0) != negative_; }

   private:
    friend class Digits;
    int signed_digit(const Digits& d, int window) const {
      int bit = d.c_ * window, k = bit / 64, shift = bit % 64;
      u64 bits = limb_[k] >> shift | limb_[k + 1] << 1 << (63 - shift);
      return static_cast<int>(bits & ((u64{1} << d.c_) - 1)) - (1 << (d.c_ - 1));
    }

    u64 limb_[Fr::LIMBS + 2];
    bool negative_;
  };

  Shifted shifted(const void* scalars, size_t i) const {
    Magnitude s = magnitude(scalars, i);
    Shifted r;
    u64 carry = 0;
    for (int k = 0; k < Fr::LIMBS + 2; k++) {
      r.limb_[k] = add_carry_limb(k < Fr::LIMBS ? s.value.limb[k] : 0, offset_[k], carry);
    }
    r.negative_ = s.negative;
    return r;
  }

 private:
  static u64 add_carry_limb(u64 a, u64 b, u64& carry) {
    unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + carry;
    carry = static_cast<u64>(sum >> 64);
    return static_cast<u64>(sum);
  }

  int c_;
  u64 offset_[Fr::LIMBS + 2] = {};
};

PROVERD_END
