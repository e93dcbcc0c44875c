// The arithmetic of one element at a time, as the tests apply it: on a GPU by arith_test.cu, on the CPU by a
// shim that the tests compile. What a name does must be the same in both, bit for bit.
#pragma once
#include "curve.h"
#include "xyzz.h"

PROVERD_BEGIN

// NAME(result, first operand, second operand): the types and the value of an operation on a, b over F.
#define PROVERD_OPERATION(Name, Result, First, Second, value)                               \
  template <class F>                                                                        \
  struct Name {                                                                             \
    static PROVERD_HD void apply(Result& r, const First& a, const Second& b) { r = value; } \
    using R = Result;                                                                       \
    using A = First;                                                                        \
    using B = Second;                                                                       \
  };

PROVERD_OPERATION(Add, F, F, F, a + b)
PROVERD_OPERATION(Subtract, F, F, F, a - b)
PROVERD_OPERATION(Multiply, F, F, F, a* b)
PROVERD_OPERATION(Square, F, F, F, (void(b), a.squared()))
PROVERD_OPERATION(Negate, F, F, F, (void(b), -a))
PROVERD_OPERATION(Double, F, F, F, (void(b), a.doubled()))
PROVERD_OPERATION(Invert, F, F, F, (void(b), a.inverse()))
PROVERD_OPERATION(DifferenceOfProducts, F, F, F, F::difference_of_products(a, b, b, b))
PROVERD_OPERATION(ToMontgomery, F, F, F, (void(b), a.to_montgomery()))
PROVERD_OPERATION(FromMontgomery, F, F, F, (void(b), a.from_montgomery()))
PROVERD_OPERATION(PointAddMixed, Xyzz<F>, Xyzz<F>, Affine<F>, a + b)
PROVERD_OPERATION(PointAdd, Xyzz<F>, Xyzz<F>, Xyzz<F>, a + b)
PROVERD_OPERATION(PointDouble, Xyzz<F>, Xyzz<F>, Xyzz<F>, (void(b), a.doubled()))
PROVERD_OPERATION(PointDoubleAffine, Xyzz<F>, Affine<F>, Affine<F>, (void(b), Xyzz<F>::doubled(a)))
PROVERD_OPERATION(PointToAffine, Affine<F>, Xyzz<F>, Xyzz<F>, (void(b), a.to_affine()))

// X(name, operation) for every test over the fields, and over the groups, of curve C.
#define PROVERD_OPERATIONS_OF_FIELD(X, prefix, F) \
  X(prefix##_add, Add<F>)                         \
  X(prefix##_subtract, Subtract<F>)               \
  X(prefix##_multiply, Multiply<F>)               \
  X(prefix##_square, Square<F>)                   \
  X(prefix##_negate, Negate<F>)                   \
  X(prefix##_double, Double<F>)                   \
  X(prefix##_invert, Invert<F>)                   \
  X(prefix##_difference_of_products, DifferenceOfProducts<F>)
#define PROVERD_FIELD_OPERATIONS(X, C)         \
  PROVERD_OPERATIONS_OF_FIELD(X, fr, C::Fr)    \
  PROVERD_OPERATIONS_OF_FIELD(X, fp, C::Fp)    \
  PROVERD_OPERATIONS_OF_FIELD(X, fp2, C::Fp2)  \
  X(fr_to_montgomery, ToMontgomery<C::Fr>)     \
  X(fr_from_montgomery, FromMontgomery<C::Fr>) \
  X(fp_to_montgomery, ToMontgomery<C::Fp>)     \
  X(fp_from_montgomery, FromMontgomery<C::Fp>)
#define PROVERD_OPERATIONS_OF_GROUP(X, prefix, F) \
  X(prefix##_add_mixed, PointAddMixed<F>)         \
  X(prefix##_add, PointAdd<F>)                    \
  X(prefix##_double, PointDouble<F>)              \
  X(prefix##_double_affine, PointDoubleAffine<F>) \
  X(prefix##_to_affine, PointToAffine<F>)
#define PROVERD_GROUP_OPERATIONS(X, C)      \
  PROVERD_OPERATIONS_OF_GROUP(X, g1, C::Fp) \
  PROVERD_OPERATIONS_OF_GROUP(X, g2, C::Fp2)

PROVERD_END
