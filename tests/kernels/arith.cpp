// The operations of arith_test.h over arrays, for test_arith.py: compiled for each curve and instruction set.
#include "arith_test.h"

using namespace proverd;
using Curve = PROVERD_CURVE::Curve;

#define PROVERD_TEST_FUNCTION(name, ...)                                                                    \
  extern "C" void name(__VA_ARGS__::R* out, const __VA_ARGS__::A* a, const __VA_ARGS__::B* b, unsigned n) { \
    for (unsigned i = 0; i < n; i++) __VA_ARGS__::apply(out[i], a[i], b[i]);                                \
  }

PROVERD_FIELD_OPERATIONS(PROVERD_TEST_FUNCTION, Curve)
PROVERD_GROUP_OPERATIONS(PROVERD_TEST_FUNCTION, Curve)
