// Signed windows of scalars.
//
// A scalar s above r/2 stands for s - r, so that small negative values are as short as small positive ones.
// With K = sum over w of 2^(c-1) 2^(cw), window w of s + K is digit_w + 2^(c-1) where the digits, in
// [-2^(c-1), 2^(c-1)), are those of s = sum digit_w 2^(cw): one addition, then every window can be read by
// itself, with no carry to pass on.
#pragma once
#include "cpu/memory.h"
#include "field.h"

PROVERD_BEGIN

template <class Fr>
class Digits {
 public:
  static constexpr int BITS = Fr::Params::BITS - 1;  // of |s|

  // Windows of c >= 2 bits that hold every such number and its sign. W of them reach up to
  // (2^(c-1) - 1) / (2^c - 1) 2^(cW): at cW = BITS + 1 that is 0.67 2^BITS for c = 2 and more than 0.93 2^BITS
  // from c = 4 on, where r/2 is up to 0.91 2^BITS (BLS12-381). Narrower windows get a bit more.
  static constexpr int window_count(int c) { return (BITS + (c < 4 ? 1 : 0) + c) / c; }

  // |s| and whether s is negative.
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

  // c in [2, 16]
  explicit Digits(int c) : c_(c) {
    for (int w = 0; w < window_count(c); w++) {
      int bit = c * w + c - 1;
      offset_[bit / 64] |= u64{1} << (bit % 64);
    }
  }

  // Writes the digits of windows [first, last) of scalar i to out[0], out[stride], ...
  void write(int16_t* out, size_t stride, const void* scalars, size_t i, int first, int last) const {
    u64 shifted[LIMBS];
    shift(shifted, scalars, i);
    for (int bit = c_ * first; bit < c_ * last; bit += c_, out += stride) *out = static_cast<int16_t>(at(shifted, bit));
  }

 private:
  static constexpr int LIMBS = Fr::LIMBS + 2;

  // s + K
  void shift(u64* r, const void* scalars, size_t i) const {
    Magnitude s = magnitude(scalars, i);
    u64 flip = s.negative ? ~u64{0} : 0, carry = s.negative ? 1 : 0;
    for (int k = 0; k < LIMBS; k++) {
      unsigned __int128 sum = static_cast<unsigned __int128>((k < Fr::LIMBS ? s.value.limb[k] : 0) ^ flip) + offset_[k];
      sum += carry;
      r[k] = static_cast<u64>(sum);
      carry = static_cast<u64>(sum >> 64);
    }
  }

  int at(const u64* shifted, int bit) const {
    int k = bit / 64, position = bit % 64;
    u64 bits = shifted[k] >> position | shifted[k + 1] << 1 << (63 - position);
    return static_cast<int>(bits & ((u64{1} << c_) - 1)) - (1 << (c_ - 1));
  }

  int c_;
  u64 offset_[LIMBS] = {};
};

PROVERD_END
