// The table of one group (PROVERD_GROUP 1 or 2) of one curve and instruction set.
#include "cpu/msm.h"
#include "cpu/multiples.h"
#include "cpu/tables.h"
#include "cpu/vec.h"
#include "generated/constants_bls12_381.h"
#include "generated/constants_bn254.h"

PROVERD_BEGIN
namespace {

using Fr = Field<PROVERD_CURVE::FrParams>;
using Fp = Field<PROVERD_CURVE::FpParams>;
using Constants = PROVERD_CURVE::CurveParams;

#if PROVERD_GROUP == 1
using Coordinate = Fp;
Coordinate curve_b() { return Fp::from_words(Constants::b()); }
#else
using Coordinate = Fp2<Fp>;
Coordinate curve_b() { return {Fp::from_words(Constants::b2().c0), Fp::from_words(Constants::b2().c1)}; }
#endif
using Point = Affine<Coordinate>;

ptrdiff_t first_not_canonical(const void* points, size_t n, int threads) {
  return first_index(n, threads, [=](size_t i) { return !load<Point>(points, i).is_reduced(); });
}

ptrdiff_t first_off_curve(const void* points, size_t n, int threads) {
  Coordinate b = curve_b();
  return first_index(n, threads, [=](size_t i) { return !load<Point>(points, i).is_on_curve(b); });
}

// By the definition, r P = infinity.
ptrdiff_t first_outside_subgroup(const void* points, size_t n, int threads) {
  Fr r = Fr::from_words(PROVERD_CURVE::FrParams::modulus());
  return first_index(n, threads, [=](size_t i) { return !multiple(load<Point>(points, i), r.limb).is_infinity(); });
}

}  // namespace
PROVERD_END

namespace proverd {

#if PROVERD_GROUP == 1
const GroupTable PROVERD_CAT(g1_table, PROVERD_CURVE, PROVERD_ISA) = {
#else
const GroupTable PROVERD_CAT(g2_table, PROVERD_CURVE, PROVERD_ISA) = {
#endif
    sizeof(Point),
    msm<Coordinate, Fr::Params::BITS>,
    fixed_base<Coordinate, Fr::Params::BITS>,
    combine<Coordinate, Fr>,
    first_not_canonical,
    first_off_curve,
    first_outside_subgroup,
};

}  // namespace proverd
