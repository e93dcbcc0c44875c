// A prime field in Montgomery form. Elements are always reduced to [0, p), so equality is equality of
// limbs and memory can be handed to files as it stands.
//
// Not constant-time: proving times depend on the witness anyway (zero scalars are skipped).
#pragma once
#include "arith.h"

PROVERD_BEGIN

template <class P>
struct Field {
  using Params = P;
  static constexpr int LIMBS = P::WORDS * 32 / LIMB_BITS;
  static constexpr int BYTES = P::WORDS * 4;
  static constexpr int DEGREE = 1;  // over the prime field

  limb_t limb[LIMBS];

  static PROVERD_HD Field from_words(const Words<P::WORDS>& w) {
    Field r;
    PROVERD_UNROLL
    for (int i = 0; i < LIMBS; i++) r.limb[i] = w.limb(i);
    return r;
  }
  static PROVERD_HD Field zero() { return from_words(Words<P::WORDS>{}); }
  static PROVERD_HD Field one() { return from_words(P::one()); }

  PROVERD_HD bool is_zero() const {
    limb_t any = 0;
    PROVERD_UNROLL
    for (int i = 0; i < LIMBS; i++) any |= limb[i];
    return any == 0;
  }
  PROVERD_HD bool operator==(const Field& b) const {
    limb_t any = 0;
    PROVERD_UNROLL
    for (int i = 0; i < LIMBS; i++) any |= limb[i] ^ b.limb[i];
    return any == 0;
  }
  PROVERD_HD bool operator!=(const Field& b) const { return !(*this == b); }

  // True if the limbs are a residue in [0, p): what a file must hold.
  PROVERD_HD bool is_reduced() const {
    Field p = from_words(P::modulus()), t;
    return sub_limbs<LIMBS>(t.limb, limb, p.limb) != 0;
  }

  PROVERD_HD Field operator+(const Field& b) const {
    Field r;
    mod_add<P>(r.limb, limb, b.limb);
    return r;
  }
  PROVERD_HD Field operator-(const Field& b) const {
    Field r;
    mod_sub<P>(r.limb, limb, b.limb);
    return r;
  }
  // the Montgomery product of the stored residues
  PROVERD_HD Field operator*(const Field& b) const {
    Field r;
    mont_mul<P>(r.limb, limb, b.limb);
    return r;
  }
  PROVERD_HD Field operator-() const { return zero() - *this; }
  PROVERD_HD Field doubled() const {
    Field r;
    mod_double<P>(r.limb, limb);
    return r;
  }
  PROVERD_HD Field squared() const {
    Field r;
    mont_sqr<P>(r.limb, limb);
    return r;
  }

  // canonical value -> Montgomery form
  PROVERD_HD Field to_montgomery() const { return *this * from_words(P::r2()); }
  // Montgomery form -> canonical value
  PROVERD_HD Field from_montgomery() const {
    Field one_canonical = zero();
    one_canonical.limb[0] = 1;
    return *this * one_canonical;
  }

  // 1/this mod p; 0 -> 0
  PROVERD_HD Field inverse() const {
    Field r;
    mont_inverse<P>(r.limb, limb);
    return r;
  }

  // A product before its reduction, in [0, p R): sums and differences of products cost one reduction.
  struct Wide {
    limb_t limb[2 * LIMBS];

    static PROVERD_HD Wide product(const Field& a, const Field& b) {
      Wide w;
      mul_wide<P>(w.limb, a.limb, b.limb);
      return w;
    }
    PROVERD_HD Wide operator-(const Wide& b) const {
      Wide w = *this;
      wide_sub_mod<P>(w.limb, b.limb);
      return w;
    }
    PROVERD_HD Field reduced() const {
      Field r;
      mont_reduce<P>(r.limb, limb);
      return r;
    }
  };

  // a b - c d
  static PROVERD_HD Field difference_of_products(const Field& a, const Field& b, const Field& c, const Field& d) {
    return (Wide::product(a, b) - Wide::product(c, d)).reduced();
  }

  // a + b in [0, 2p), a factor that products take as it is: 4 p < R on both base fields
  static PROVERD_HD Field sum_unreduced(const Field& a, const Field& b) {
    Field r;
    add_unreduced<LIMBS>(r.limb, a.limb, b.limb);
    return r;
  }
};

PROVERD_END
