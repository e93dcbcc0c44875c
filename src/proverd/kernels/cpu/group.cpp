// The table of one group (PROVERD_GROUP 1 or 2) of one curve and instruction set.
#include "cpu/msm.h"
#include "cpu/multiples.h"
#include "cpu/tables.h"
#include "cpu/vec.h"
#include "subgroup.h"

PROVERD_BEGIN
namespace {

using Curve = PROVERD_CURVE::Curve;
using Fr = Curve::Fr;

#if PROVERD_GROUP == 1
using Coordinate = Curve::Fp;
Coordinate curve_b() { return Curve::b(); }
#else
using Coordinate = Curve::Fp2;
Coordinate curve_b() { return Curve::b2(); }
#endif
using Point = Affine<Coordinate>;

void from_montgomery(void* out, const void* points, size_t n, int threads) {
  using Fp = Curve::Fp;
  constexpr size_t COORDINATES = sizeof(Point) / sizeof(Fp);
  vec_from_montgomery<Fp>(out, points, n * COORDINATES, threads);
}

ptrdiff_t first_not_canonical(const void* points, size_t n, int threads) {
  return first_index(n, threads, [=](size_t i) { return !load<Point>(points, i).is_reduced(); });
}

ptrdiff_t first_off_curve(const void* points, size_t n, int threads) {
  Coordinate b = curve_b();
  return first_index(n, threads, [=](size_t i) { return !load<Point>(points, i).is_on_curve(b); });
}

// Points on the curve only.
ptrdiff_t first_outside_subgroup(const void* points, size_t n, int threads) {
#if PROVERD_GROUP == 1
  return first_index(n, threads, [=](size_t i) { return !is_in_g1<Curve>(load<Point>(points, i)); });
#else
  return first_index(n, threads, [=](size_t i) { return !is_in_g2<Curve>(load<Point>(points, i)); });
#endif
}

}  // namespace
PROVERD_END

namespace proverd {

#if PROVERD_GROUP == 1
const GroupTable PROVERD_CAT(g1_table, PROVERD_CURVE, PROVERD_ISA) = {
#else
const GroupTable PROVERD_CAT(g2_table, PROVERD_CURVE, PROVERD_ISA) = {
#endif
    sizeof(Point),       msm<Coordinate, Fr>, fixed_base<Coordinate, Fr>, combine<Coordinate, Fr>, from_montgomery,
    first_not_canonical, first_off_curve,     first_outside_subgroup,
};

}  // namespace proverd
