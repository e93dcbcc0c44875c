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
};

struct Isa {
  const char* name;
  bool available;
  CurveTables curves[CURVES];
};

#define PROVERD_CURVE_TABLES(curve, isa)                                     \
  {&PROVERD_CAT(field_table, curve, isa),                                    \
   {&PROVERD_CAT(g1_table, curve, isa), &PROVERD_CAT(g2_table, curve, isa)}, \
   &PROVERD_CAT(pairing_table, curve, isa)}
#define PROVERD_ISA_TABLES(isa) {PROVERD_CURVE_TABLES(bn254, isa), PROVERD_CURVE_TABLES(bls12_381, isa)}

// ADX (adcx, adox) and BMI2 (mulx): CPUID leaf 7, EBX bits 19 and 8.
inline bool cpu_has_adx() {
#if defined(__x86_64__)
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx >> 19 & 1) && (ebx >> 8 & 1);
#else
  return false;
#endif
}

// From the slowest to the fastest.
inline const std::vector<Isa>& isas() {
  static const std::vector<Isa> all = {
      {"portable", true, PROVERD_ISA_TABLES(portable)},
#if defined(__x86_64__)
      {"adx", cpu_has_adx(), PROVERD_ISA_TABLES(adx)},
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
