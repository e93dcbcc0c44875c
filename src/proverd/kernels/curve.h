// The two curves as types: bn254::Curve and bls12_381::Curve.
#pragma once
#include "affine.h"
#include "generated/constants_bls12_381.h"
#include "generated/constants_bn254.h"

PROVERD_BEGIN

template <class FpParams, class FrParams, class CurveParams>
struct CurveOf {
  using Params = CurveParams;
  using Fp = Field<FpParams>;
  using Fr = Field<FrParams>;
  using Fp2 = proverd::Fp2<Fp>;

  // E: y^2 = x^3 + b holds G1, E': y^2 = x^3 + b2 over Fp2 holds G2
  static PROVERD_HD Fp b() { return Fp::from_words(CurveParams::b()); }
  static PROVERD_HD Fp2 b2() { return Fp2::from_words(CurveParams::b2()); }

  // a xi = (XI + u) a, where Fp6 = Fp2[v]/(v^3 - xi)
  static PROVERD_HD Fp2 times_xi(const Fp2& a) {
    if constexpr (CurveParams::XI == 1) {
      return {a.c0 - a.c1, a.c0 + a.c1};
    } else {
      static_assert(CurveParams::XI == 9, "xi is 1 + u or 9 + u");
      Fp2 t = a.doubled().doubled().doubled() + a;
      return {t.c0 - a.c1, t.c1 + a.c0};
    }
  }
};

PROVERD_END

namespace proverd::bn254 {
using Curve = CurveOf<FpParams, FrParams, CurveParams>;
}
namespace proverd::bls12_381 {
using Curve = CurveOf<FpParams, FrParams, CurveParams>;
}
