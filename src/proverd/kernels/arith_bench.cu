// Rates of the arithmetic: each thread runs a chain of dependent operations, as many threads as fit hide the
// latency. benchmarks/kernels/field_gpu.py turns times into operations a second.
// PROVERD_CURVE: bn254 or bls12_381.
#include "curve.h"
#include "xyzz.h"

using namespace proverd;
using Curve = PROVERD_CURVE::Curve;
using G1 = Xyzz<Curve::Fp>;
using G2 = Xyzz<Curve::Fp2>;

// state[i] <- step applied `rounds` times; step sees x (the state) and y, another thread's start
#define PROVERD_CHAIN(name, State, Operand, step)                                           \
  extern "C" __global__ void name(State* state, const Operand* operands, unsigned rounds) { \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    State x = state[i];                                                                     \
    const Operand y = operands[i];                                                          \
    _Pragma("unroll 1") for (unsigned k = 0; k < rounds; k++) x = step;                     \
    state[i] = x;                                                                           \
  }
#define PROVERD_FIELD_CHAINS(prefix, F)                        \
  PROVERD_CHAIN(prefix##_multiply, F, F, x* y)                 \
  PROVERD_CHAIN(prefix##_square, F, F, (void(y), x.squared())) \
  PROVERD_CHAIN(prefix##_add, F, F, x + y)

PROVERD_FIELD_CHAINS(fr, Curve::Fr)
PROVERD_FIELD_CHAINS(fp, Curve::Fp)
PROVERD_FIELD_CHAINS(fp2, Curve::Fp2)
PROVERD_CHAIN(g1_add_mixed, G1, Affine<Curve::Fp>, x + y)
PROVERD_CHAIN(g2_add_mixed, G2, Affine<Curve::Fp2>, x + y)
