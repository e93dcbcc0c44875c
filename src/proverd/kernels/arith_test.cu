// Applies each operation of arith_test.h elementwise: out[i] = operation(a[i], b[i]). For tests only.
// PROVERD_CURVE: bn254 or bls12_381.  PROVERD_FIELDS_ONLY: leave out the points, which take most of the time
// to compile.
#include "arith_test.h"

using namespace proverd;
using Curve = PROVERD_CURVE::Curve;

#define PROVERD_TEST_KERNEL(name, ...)                                                                                 \
  extern "C" __global__ void name(__VA_ARGS__::R* out, const __VA_ARGS__::A* a, const __VA_ARGS__::B* b, unsigned n) { \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                                \
    if (i < n) __VA_ARGS__::apply(out[i], a[i], b[i]);                                                                 \
  }

PROVERD_FIELD_OPERATIONS(PROVERD_TEST_KERNEL, Curve)
#ifndef PROVERD_FIELDS_ONLY
PROVERD_GROUP_OPERATIONS(PROVERD_TEST_KERNEL, Curve)
#endif
