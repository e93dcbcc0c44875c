// What the binding may call: tables of plain functions, one set for each curve and instruction set.
//
// Every array is little-endian memory as files hold it and may have any alignment. Scalars and vectors
// of Fr are 32 bytes an element. `threads` is the largest number of threads a call may use.
#pragma once
#include <cstddef>
#include <cstdint>

namespace proverd {

// Coefficient record of a .zkey's section 4, 44 bytes, packed: which matrix (0 = A, 1 = B), row, wire,
// and the coefficient times R^2, so that one Montgomery multiplication by a canonical value gives a
// Montgomery product.
constexpr size_t COEFFICIENT_BYTES = 44;

struct FieldTable {
  // pointwise on Montgomery vectors; out may be a or b
  void (*multiply)(void* out, const void* a, const void* b, size_t n, int threads);
  void (*add)(void* out, const void* a, const void* b, size_t n, int threads);
  void (*subtract)(void* out, const void* a, const void* b, size_t n, int threads);
  void (*scale)(void* out, const void* a, const void* k, size_t n, int threads);
  // out = a b - c as canonical values; out may be a, b or c
  void (*multiply_subtract_canonical)(void* out, const void* a, const void* b, const void* c, size_t n, int threads);
  void (*to_montgomery)(void* out, const void* a, size_t n, int threads);
  void (*from_montgomery)(void* out, const void* a, size_t n, int threads);
  // out[i] = first ratio^i
  void (*powers)(void* out, const void* first, const void* ratio, size_t n, int threads);
  // out[i] = 1/a[i], zeros stay zero
  void (*batch_inverse)(void* out, const void* a, size_t n, int threads);
  // out = sum a[i] b[i]
  void (*dot)(void* out, const void* a, const void* b, size_t n, int threads);
  // index of the first element not below r, or -1
  ptrdiff_t (*first_not_reduced)(const void* a, size_t n, int threads);

  // NTT in place over 2^log_n elements; twiddles[i] = root^i for i < n/2, root a primitive n-th root.
  // inverse: natural order -> bit-reversed, scaled by 1/n (twiddles of the inverse root).
  void (*ntt_inverse)(void* data, const void* twiddles, int log_n, int threads);
  // forward: bit-reversed -> natural; element i is first multiplied by shifts[i] unless shifts is null.
  void (*ntt_forward)(void* data, const void* twiddles, const void* shifts, int log_n, int threads);
  void (*bit_reverse)(void* data, int log_n, int threads);

  // a = A z, b = B z (Montgomery, rows of n) from .zkey coefficient records, z canonical.
  // order[] lists the record numbers sorted by row, or is null where they are sorted already.
  void (*multiply_records)(void* a, void* b, size_t rows, const void* records, size_t count, const uint64_t* order,
                           const void* assignment, int threads);
  // first record whose matrix, row, wire or value is out of range, or -1; *sorted tells if rows ascend
  ptrdiff_t (*check_records)(const void* records, size_t count, size_t rows, size_t wires, int* sorted, int threads);
  // out = M z; CSR with int64 row_start[rows + 1], uint32 column[], Montgomery value[]; the product has the
  // form of z
  void (*multiply_csr)(void* out, const int64_t* row_start, const uint32_t* column, const void* value, size_t rows,
                       const void* assignment, int threads);
  // out = M^T z, with z of `rows` entries and out of `columns`; on one thread (it serves setup alone)
  void (*multiply_csr_transposed)(void* out, size_t columns, const int64_t* row_start, const uint32_t* column,
                                  const void* value, size_t rows, const void* z);
};

struct GroupTable {
  size_t point_bytes;
  // out = sum scalars[i] bases[i]; bases affine Montgomery, scalars canonical; out affine Montgomery
  void (*msm)(void* out, const void* bases, const void* scalars, size_t n, int threads);
  // out[i] = scalars[i] base
  void (*fixed_base)(void* out, const void* base, const void* scalars, size_t n, int threads);
  // out[row] = sum of scalar points[column] over the row's entries: a CSR matrix of canonical scalars
  void (*combine)(void* out, const int64_t* row_start, const uint32_t* column, const void* scalars, size_t rows,
                  const void* points, int threads);
  // coordinates as canonical values; out may be points
  void (*from_montgomery)(void* out, const void* points, size_t n, int threads);
  // index of the first point that fails, or -1
  ptrdiff_t (*first_not_canonical)(const void* points, size_t n, int threads);
  ptrdiff_t (*first_off_curve)(const void* points, size_t n, int threads);
  ptrdiff_t (*first_outside_subgroup)(const void* points, size_t n, int threads);
};

struct PairingTable {
  // product of e(P[i], Q[i]) over pairs of affine Montgomery points; 12 base field elements, Montgomery,
  // in the order of Fp12 = ((c0.c0.c0, c0.c0.c1, c0.c1.c0, ...)); infinities contribute one
  void (*product)(void* out, const void* g1, const void* g2, size_t n, int threads);
  bool (*product_is_one)(const void* g1, const void* g2, size_t n, int threads);
};

enum CurveId { BN254 = 0, BLS12_381 = 1, CURVES = 2 };
enum IsaId { PORTABLE = 0, ADX = 1, ISAS = 2 };

#define PROVERD_CAT_(a, b, c) a##_##b##_##c
#define PROVERD_CAT(a, b, c) PROVERD_CAT_(a, b, c)

// Defined by field.cpp, group.cpp and pairing.cpp, each compiled once for each curve and instruction set.
#define PROVERD_DECLARE_TABLES(curve, isa)                      \
  extern const FieldTable PROVERD_CAT(field_table, curve, isa); \
  extern const GroupTable PROVERD_CAT(g1_table, curve, isa);    \
  extern const GroupTable PROVERD_CAT(g2_table, curve, isa);    \
  extern const PairingTable PROVERD_CAT(pairing_table, curve, isa);
PROVERD_DECLARE_TABLES(bn254, portable)
PROVERD_DECLARE_TABLES(bls12_381, portable)
#if defined(__x86_64__)
PROVERD_DECLARE_TABLES(bn254, adx)
PROVERD_DECLARE_TABLES(bls12_381, adx)
#endif

}  // namespace proverd
