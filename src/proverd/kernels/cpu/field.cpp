// The field-side table of one curve and instruction set.
#include "cpu/ntt.h"
#include "cpu/spmv.h"
#include "cpu/vec.h"
#include "generated/constants_bls12_381.h"
#include "generated/constants_bn254.h"

namespace proverd {

using Fr = Field<PROVERD_CURVE::FrParams>;

const FieldTable PROVERD_CAT(field_table, PROVERD_CURVE, PROVERD_ISA) = {
    vec_multiply<Fr>,
    vec_add<Fr>,
    vec_subtract<Fr>,
    vec_scale<Fr>,
    vec_multiply_subtract_canonical<Fr>,
    vec_to_montgomery<Fr>,
    vec_from_montgomery<Fr>,
    vec_powers<Fr>,
    vec_batch_inverse<Fr>,
    vec_dot<Fr>,
    vec_first_not_reduced<Fr>,
    ntt_inverse<Fr>,
    ntt_forward<Fr>,
    ntt_bit_reverse<Fr>,
    multiply_records<Fr>,
    check_records<Fr>,
    multiply_csr<Fr>,
    multiply_csr_transposed<Fr>,
};

}  // namespace proverd
