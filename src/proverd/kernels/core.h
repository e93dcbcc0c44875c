// Integer types and function markers for the three environments a kernel header meets:
// g++ (the CPU module), NVRTC (kernels compiled at run time; no system headers exist there) and nvcc.
//
// Only core.h and arith.h may test for CUDA; everything above them is one text for CPU and GPU.
//
//   PROVERD_HD           inlined everywhere
//   PROVERD_CALLED       too long to be repeated where it is used: kept as a function (the instruction caches
//                        of both, and the compilers' patience, end before a point addition over Fp2 does)
//   PROVERD_FORMULA      a whole formula of a dozen products: inlined into GPU kernels, a call on the CPU
//   PROVERD_ARGUMENT(T)  argument of such a function: by value on the GPU, where arguments travel in registers
//                        but whatever has an address is in memory; by reference on the CPU
#pragma once

#if defined(__CUDACC__)
#define PROVERD_HD __host__ __device__ __forceinline__
#define PROVERD_CALLED __host__ __device__ __noinline__
#define PROVERD_ARGUMENT(T) T
#define PROVERD_FORMULA PROVERD_HD
#define PROVERD_UNROLL _Pragma("unroll")
#else
#define PROVERD_HD inline __attribute__((always_inline))
#define PROVERD_CALLED __attribute__((noinline))
#define PROVERD_ARGUMENT(T) const T&
#define PROVERD_FORMULA PROVERD_CALLED
#define PROVERD_UNROLL _Pragma("GCC unroll 16")
#endif

// One CPU build holds the same templates several times, once for each instruction set; a namespace of
// its own keeps the linker from merging them.
#ifndef PROVERD_ISA
#define PROVERD_ISA portable
#endif
#define PROVERD_BEGIN \
  namespace proverd { \
  inline namespace PROVERD_ISA {
#define PROVERD_END \
  }                 \
  }

namespace proverd {

using u8 = unsigned char;
using u32 = unsigned int;
using u64 = unsigned long long;
static_assert(sizeof(u32) == 4 && sizeof(u64) == 8, "integer types");

// A limb is the machine word that arithmetic works in: 32 bits on the GPU, 64 on the CPU. Memory is the
// same either way, little-endian.
#if defined(__CUDA_ARCH__)
using limb_t = u32;
#else
using limb_t = u64;
#endif
constexpr int LIMB_BITS = 8 * sizeof(limb_t);

// Whether two unreduced products over Fp2 at once are within reach: on the GPU they overflow the registers.
constexpr bool WIDE_FP2_FITS = sizeof(limb_t) == 8;

// A constant as the generated headers hold it: N little-endian 32-bit words.
template <int N>
struct Words {
  u32 v[N];

  // Limb i of the constant; folds to an immediate once the loop round it is unrolled.
  PROVERD_HD constexpr limb_t limb(int i) const {
    if constexpr (sizeof(limb_t) == 4) {
      return v[i];
    } else {
      return static_cast<limb_t>(v[2 * i]) | static_cast<limb_t>(static_cast<u64>(v[2 * i + 1]) << 32);
    }
  }
};

// A constant c0 + c1 u of Fp2.
template <int N>
struct WordsPair {
  Words<N> c0, c1;
};

}  // namespace proverd
