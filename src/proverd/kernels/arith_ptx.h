// Word operations for NVIDIA GPUs, included by arith.h in device code: 32-bit limbs and PTX carry chains.
//
// The product of two limbs has two halves, and mad.lo.cc with the following madc.hi.cc fuse into one
// 64-bit multiply-add where its result is an aligned pair of registers. So a number under way is kept in
// two accumulators: `even` takes the products that begin at an even limb, `odd`, standing one limb higher,
// the others. Its value is even + 2^32 odd. Dividing by 2^32 exchanges the two.
//
// The carry flag lives from one asm statement to the next; they are volatile, so their order stands, and
// the code between them (moves, products without flags) leaves the flag alone.
#pragma once

PROVERD_BEGIN

#define PV_PTX2(name, instruction)                                                 \
  PROVERD_HD u32 name(u32 a, u32 b) {                                              \
    u32 r;                                                                         \
    asm volatile(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));           \
    return r;                                                                      \
  }
#define PV_PTX3(name, instruction)                                                 \
  PROVERD_HD u32 name(u32 a, u32 b, u32 c) {                                       \
    u32 r;                                                                         \
    asm volatile(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
    return r;                                                                      \
  }
PV_PTX2(add_cc, "add.cc.u32")
PV_PTX2(addc_cc, "addc.cc.u32")
PV_PTX2(addc, "addc.u32")
PV_PTX2(sub_cc, "sub.cc.u32")
PV_PTX2(subc_cc, "subc.cc.u32")
PV_PTX2(subc, "subc.u32")
PV_PTX3(mad_lo_cc, "mad.lo.cc.u32")
PV_PTX3(madc_lo_cc, "madc.lo.cc.u32")
PV_PTX3(madc_hi_cc, "madc.hi.cc.u32")
PV_PTX3(madc_hi, "madc.hi.u32")
#undef PV_PTX2
#undef PV_PTX3

template <int N>
PROVERD_HD void add_unreduced(u32* r, const u32* a, const u32* b) {
  r[0] = add_cc(a[0], b[0]);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i++) r[i] = addc_cc(a[i], b[i]);
  r[N - 1] = addc(a[N - 1], b[N - 1]);
}

template <int N>
PROVERD_HD u32 sub_limbs(u32* r, const u32* a, const u32* b) {
  r[0] = sub_cc(a[0], b[0]);
  PROVERD_UNROLL
  for (int i = 1; i < N; i++) r[i] = subc_cc(a[i], b[i]);
  return 0 - subc(0, 0);
}

// r = t mod p for t in [0, 2p)
template <class P>
PROVERD_HD void reduce_once(u32* r, const u32* t) {
  constexpr int N = P::WORDS;
  u32 s[N];
  s[0] = sub_cc(t[0], P::modulus().limb(0));
  PROVERD_UNROLL
  for (int i = 1; i < N; i++) s[i] = subc_cc(t[i], P::modulus().limb(i));
  bool borrow = subc(0, 0) != 0;
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = borrow ? t[i] : s[i];
}

// r += p if mask is all ones, for mask 0 or all ones
template <class P>
PROVERD_HD void add_masked_modulus(u32* r, u32 mask) {
  constexpr int N = P::WORDS;
  r[0] = add_cc(r[0], P::modulus().limb(0) & mask);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i++) r[i] = addc_cc(r[i], P::modulus().limb(i) & mask);
  r[N - 1] = addc(r[N - 1], P::modulus().limb(N - 1) & mask);
}

template <class P>
PROVERD_HD void mod_add(u32* r, const u32* a, const u32* b) {
  u32 t[P::WORDS];
  add_unreduced<P::WORDS>(t, a, b);
  reduce_once<P>(r, t);
}

template <class P>
PROVERD_HD void mod_double(u32* r, const u32* a) {
  mod_add<P>(r, a, a);
}

template <class P>
PROVERD_HD void mod_sub(u32* r, const u32* a, const u32* b) {
  u32 mask = 0 - sub_limbs<P::WORDS>(r, a, b);
  add_masked_modulus<P>(r, mask);
}

// acc[k], acc[k + 1] += x[k] b for k = 0, 2, .. N - 2, the carry left in the flag
template <int N>
PROVERD_HD void mad_row(u32* acc, const u32* x, u32 b) {
  acc[0] = mad_lo_cc(x[0], b, acc[0]);
  acc[1] = madc_hi_cc(x[0], b, acc[1]);
  PROVERD_UNROLL
  for (int k = 2; k < N; k += 2) {
    acc[k] = madc_lo_cc(x[k], b, acc[k]);
    acc[k + 1] = madc_hi_cc(x[k], b, acc[k + 1]);
  }
}

// The same with acc first moved down by two limbs and with a carry in; none comes out, as the top is new.
template <int N>
PROVERD_HD void madc_row_down(u32* acc, const u32* x, u32 b) {
  PROVERD_UNROLL
  for (int k = 0; k < N - 2; k += 2) {
    acc[k] = madc_lo_cc(x[k], b, acc[k + 2]);
    acc[k + 1] = madc_hi_cc(x[k], b, acc[k + 3]);
  }
  acc[N - 2] = madc_lo_cc(x[N - 2], b, 0);
  acc[N - 1] = madc_hi(x[N - 2], b, 0);
}

// In constant memory, as an immediate of -1 (Fr of BLS12-381) would turn products by m into negations.
template <class P>
__constant__ u32 device_neg_inv = static_cast<u32>(P::NEG_INV);

// The limbs of p; they fold to immediates.
template <class P>
struct ModulusLimbs {
  u32 limb[P::WORDS];
  PROVERD_HD ModulusLimbs() {
    PROVERD_UNROLL
    for (int i = 0; i < P::WORDS; i++) limb[i] = P::modulus().limb(i);
  }
};

// even + 2^32 odd += m p with the m that clears even[0]; the sum stays below 2^(32 (N + 1))
template <class P>
PROVERD_HD void reduce_row(u32* even, u32* odd) {
  constexpr int N = P::WORDS;
  ModulusLimbs<P> p;
  u32 m = even[0] * device_neg_inv<P>;
  mad_row<N>(odd, p.limb + 1, m);
  mad_row<N>(even, p.limb, m);
  odd[N - 1] = addc(odd[N - 1], 0);
}

// One row of a Montgomery product. `old` was the even accumulator of the row before, which cleared old[0]:
// divided by 2^32 it becomes the odd one, but for old[1], which belongs to the new even one.
template <class P>
PROVERD_HD void mul_row(u32* even, u32* old, const u32* a, u32 b) {
  constexpr int N = P::WORDS;
  even[0] = add_cc(even[0], old[1]);
  madc_row_down<N>(old, a + 1, b);
  mad_row<N>(even, a, b);
  old[N - 1] = addc(old[N - 1], 0);
  reduce_row<P>(even, old);
}

// The same without a product: one limb of a reduction.
template <class P>
PROVERD_HD void shift_row(u32* even, u32* old) {
  constexpr int N = P::WORDS;
  ModulusLimbs<P> p;
  even[0] = add_cc(even[0], old[1]);
  u32 m = even[0] * device_neg_inv<P>;
  madc_row_down<N>(old, p.limb + 1, m);
  mad_row<N>(even, p.limb, m);
  old[N - 1] = addc(old[N - 1], 0);
}

// r = (even + 2^32 odd) / 2^32, even[0] = 0
template <int N>
PROVERD_HD void merge_down(u32* r, const u32* even, const u32* odd) {
  r[0] = add_cc(odd[0], even[1]);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i++) r[i] = addc_cc(odd[i], even[i + 1]);
  r[N - 1] = addc(odd[N - 1], 0);
}

// acc[k], acc[k + 1] = x[k] b for k = 0, 2, .. below `length`: a whole product, which the assembler makes in
// one instruction
PROVERD_HD void mul_part(u32* acc, const u32* x, u32 b, int length) {
  PROVERD_UNROLL
  for (int k = 0; k < length; k += 2) {
    asm("{.reg .u64 t; mul.wide.u32 t, %2, %3; mov.b64 {%0, %1}, t;}" : "=r"(acc[k]), "=r"(acc[k + 1]) : "r"(x[k]), "r"(b));
  }
}

template <class P>
PROVERD_HD void mont_mul(u32* r, const u32* a, const u32* b) {
  constexpr int N = P::WORDS;
  u32 even[N], odd[N], t[N];
  mul_part(even, a, b[0], N);
  mul_part(odd, a + 1, b[0], N);
  reduce_row<P>(even, odd);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i += 2) {
    mul_row<P>(odd, even, a, b[i]);
    mul_row<P>(even, odd, a, b[i + 1]);
  }
  mul_row<P>(odd, even, a, b[N - 1]);
  merge_down<N>(t, odd, even);
  reduce_once<P>(r, t);
}

// w = even + 2^32 odd
template <int N>
PROVERD_HD void merge_wide(u32* w, const u32* even, const u32* odd) {
  w[0] = even[0];
  w[1] = add_cc(even[1], odd[0]);
  PROVERD_UNROLL
  for (int i = 2; i < 2 * N - 1; i++) w[i] = addc_cc(even[i], odd[i - 1]);
  w[2 * N - 1] = addc(even[2 * N - 1], odd[2 * N - 2]);
}

template <class P>
PROVERD_HD void mul_wide(u32* w, const u32* a, const u32* b) {
  constexpr int N = P::WORDS;
  u32 even[2 * N] = {}, odd[2 * N] = {};
  mul_part(even, a, b[0], N);
  mul_part(odd, a + 1, b[0], N);
  PROVERD_UNROLL
  for (int i = 1; i < N; i += 2) {
    mad_row<N>(odd + i - 1, a, b[i]);
    odd[i + N - 1] = addc(odd[i + N - 1], 0);
    mad_row<N>(even + i + 1, a + 1, b[i]);
    if (i + 1 == N) break;
    mad_row<N>(even + i + 1, a, b[i + 1]);
    even[i + N + 1] = addc(even[i + N + 1], 0);
    mad_row<N>(odd + i + 1, a + 1, b[i + 1]);
  }
  merge_wide<N>(w, even, odd);
}

// acc[k], acc[k + 1] += x[k] b for k = 0, 2, .. below `length`, and the carry after them
PROVERD_HD void mad_part(u32* acc, const u32* x, u32 b, int length) {
  if (length <= 0) return;
  acc[0] = mad_lo_cc(x[0], b, acc[0]);
  acc[1] = madc_hi_cc(x[0], b, acc[1]);
  PROVERD_UNROLL
  for (int k = 2; k < length; k += 2) {
    acc[k] = madc_lo_cc(x[k], b, acc[k]);
    acc[k + 1] = madc_hi_cc(x[k], b, acc[k + 1]);
  }
  int top = (length + 1) / 2 * 2;
  acc[top] = addc(acc[top], 0);
}

// Each product of two different limbs once, doubled, and the squares.
template <class P>
PROVERD_HD void sqr_wide(u32* w, const u32* a) {
  constexpr int N = P::WORDS;
  u32 even[2 * N + 2] = {}, odd[2 * N + 2] = {}, s[2 * N];
  mul_part(odd, a + 1, a[0], N - 1);
  mul_part(even + 2, a + 2, a[0], N - 2);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i++) {
    mad_part(odd + 2 * i, a + i + 1, a[i], N - 1 - i);
    mad_part(even + 2 * i + 2, a + i + 2, a[i], N - 2 - i);
  }
  merge_wide<N>(s, even, odd);
  PROVERD_UNROLL
  for (int i = 2 * N - 1; i > 0; i--) s[i] = __funnelshift_l(s[i - 1], s[i], 1);
  w[0] = mad_lo_cc(a[0], a[0], 0);
  w[1] = madc_hi_cc(a[0], a[0], s[1]);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i++) {
    w[2 * i] = madc_lo_cc(a[i], a[i], s[2 * i]);
    w[2 * i + 1] = madc_hi_cc(a[i], a[i], s[2 * i + 1]);
  }
  w[2 * N - 2] = madc_lo_cc(a[N - 1], a[N - 1], s[2 * N - 2]);
  w[2 * N - 1] = madc_hi(a[N - 1], a[N - 1], s[2 * N - 1]);
}

template <class P>
PROVERD_HD void mont_reduce(u32* r, const u32* w) {
  constexpr int N = P::WORDS;
  u32 even[N], odd[N] = {}, t[N];
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) even[i] = w[i];
  reduce_row<P>(even, odd);
  PROVERD_UNROLL
  for (int i = 1; i < N - 1; i += 2) {
    shift_row<P>(odd, even);
    shift_row<P>(even, odd);
  }
  shift_row<P>(odd, even);
  merge_down<N>(t, odd, even);
  add_unreduced<N>(t, t, w + N);
  reduce_once<P>(r, t);
}

template <class P>
PROVERD_HD void mont_sqr(u32* r, const u32* a) {
  u32 w[2 * P::WORDS];
  sqr_wide<P>(w, a);
  mont_reduce<P>(r, w);
}

template <class P>
PROVERD_HD void wide_sub(u32* w, const u32* v) {
  sub_limbs<2 * P::WORDS>(w, w, v);
}

template <class P>
PROVERD_HD void wide_sub_mod(u32* w, const u32* v) {
  u32 mask = 0 - sub_limbs<2 * P::WORDS>(w, w, v);
  add_masked_modulus<P>(w + P::WORDS, mask);
}

// r = R^2/a mod p by Fermat's little theorem, a^(p - 2); 0 -> 0. Rare, so small rather than fast.
template <class P>
PROVERD_CALLED void mont_inverse(u32* r, const u32* a) {
  constexpr int N = P::WORDS;
  u32 exponent[N], result[N], base[N];
  const u32 two[N] = {2};
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) {
    exponent[i] = P::modulus().limb(i);
    result[i] = P::one().limb(i);
    base[i] = a[i];
  }
  sub_limbs<N>(exponent, exponent, two);
#pragma unroll 1
  for (int i = P::BITS - 1; i >= 0; i--) {
    mont_sqr<P>(result, result);
    if (exponent[i / 32] >> (i % 32) & 1) mont_mul<P>(result, result, base);
  }
  PROVERD_UNROLL
  for (int i = 0; i < N; i++) r[i] = result[i];
}

PROVERD_END
