// Chooses the tables of the best instruction set that this CPU has; tests may choose another.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "cpu/tables.h"

namespace proverd {

struct CurveTables {
  const FieldTable* field;
  const GroupTable* groups[2];  // G1, G2
  const PairingTable* pairing;
  const PairLanes* lanes[2];  // for G1, G2, or null
};

struct Isa {
  const char* name;
  bool available;
  CurveTables curves[CURVES];
};

#define PROVERD_CURVE_TABLES(curve, isa, ...)                                                                        \
  {                                                                                                                  \
    &PROVERD_CAT(field_table, curve, isa), {&PROVERD_CAT(g1_table, curve, isa), &PROVERD_CAT(g2_table, curve, isa)}, \
        &PROVERD_CAT(pairing_table, curve, isa), {                                                                   \
      __VA_ARGS__                                                                                                    \
    }                                                                                                                \
  }
#define PROVERD_ISA_TABLES(isa) {PROVERD_CURVE_TABLES(bn254, isa), PROVERD_CURVE_TABLES(bls12_381, isa)}

#if defined(__x86_64__)
// ADX (adcx, adox) and BMI2 (mulx): CPUID leaf 7, EBX bits 19 and 8.
inline bool cpu_has_adx() {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx >> 19 & 1) && (ebx >> 8 & 1);
}
// These ask for the operating system's support of the registers too.
inline bool cpu_has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
inline bool cpu_has_ifma() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512ifma");
}

#define PROVERD_SIMD_CURVE_TABLES(curve, simd) \
  PROVERD_CURVE_TABLES(curve, adx, &PROVERD_CAT(g1_lanes, curve, simd), &PROVERD_CAT(g2_lanes, curve, simd))
#define PROVERD_SIMD_TABLES(simd) {PROVERD_SIMD_CURVE_TABLES(bn254, simd), PROVERD_SIMD_CURVE_TABLES(bls12_381, simd)}
#endif

// From the slowest to the fastest; each needs those before it.
inline const std::vector<Isa>& isas() {
  static const std::vector<Isa> all = {
      {"portable", true, PROVERD_ISA_TABLES(portable)},
#if defined(__x86_64__)
      {"adx", cpu_has_adx(), PROVERD_ISA_TABLES(adx)},
      {"avx2", cpu_has_adx() && cpu_has_avx2(), PROVERD_SIMD_TABLES(avx2)},
      {"ifma", cpu_has_adx() && cpu_has_avx2() && cpu_has_ifma(), PROVERD_SIMD_TABLES(ifma)},
#endif
  };
  return all;
}

inline std::atomic<const Isa*>& chosen_isa() {
  static std::atomic<const Isa*> chosen = [] {
    const Isa* best = nullptr;
    for (const Isa& isa : isas()) {
      if (isa.available) best = &isa;
    }
    return best;
  }();
  return chosen;
}

}  // namespace proverd
