// Word operations for x86-64 with ADX and BMI2, included by arith.h where PROVERD_ISA is adx.
//
// Two carry chains run at once: adcx adds the low halves of the products, adox the high halves ("New
// instructions supporting large integer arithmetic on Intel architecture processors", Ozturk, Guilford,
// Gopal, Feghali 2012). Being inline assembly, this needs no machine flag, so nothing else in the
// translation unit uses an instruction that the portable build would not.
//
// One asm statement is one row of products; N is 4 or 6. Rows rename their accumulators instead of moving
// them. The modulus is addressed relative to rip: six limbs leave no register for a pointer to it.
#pragma once

PROVERD_BEGIN

// p as 64-bit limbs in memory, followed by -1/p mod 2^64.
template <class P>
struct ModulusTable {
  static constexpr int LIMBS = P::WORDS / 2;
  u64 word[LIMBS + 1];

  static constexpr ModulusTable make() {
    ModulusTable t{};
    for (int i = 0; i < LIMBS; i++) t.word[i] = P::modulus().limb(i);
    t.word[LIMBS] = P::NEG_INV;
    return t;
  }
  __attribute__((visibility("hidden"))) static const ModulusTable table;
};
template <class P>
const ModulusTable<P> ModulusTable<P>::table = ModulusTable<P>::make();

#define PV_L(instruction) instruction "\n\t"
#define PV_T(k) "%[t" #k "]"
#define PV_X(j) #j "*8(%[x])"
#define PV_P(j) "%c[p]+" #j "*8(%%rip)"

#define PV_CLEAR_FLAGS PV_L("xorl %k[zero], %k[zero]")
// t[k], t[k1] += src rdx, on the two chains
#define PV_MAC(src, k, k1) \
  PV_L("mulxq " src ", %[lo], %[hi]") PV_L("adcxq %[lo], " PV_T(k)) PV_L("adoxq %[hi], " PV_T(k1))
// the last product of a row; t[k1] is new and both carries end there
#define PV_MAC_TOP(src, k, k1)                                          \
  PV_L("mulxq " src ", %[lo], " PV_T(k1)) PV_L("adcxq %[lo], " PV_T(k)) \
  PV_L("adcxq %[zero], " PV_T(k1)) PV_L("adoxq %[zero], " PV_T(k1))
// a product of the first row, where t[k1] is new
#define PV_MUL(add, src, k, k1) PV_L("mulxq " src ", %[lo], " PV_T(k1)) PV_L(add " %[lo], " PV_T(k))
// rdx = -t0/p mod 2^64: the multiple of p that clears t0
#define PV_QUOTIENT(n) PV_L("movq " PV_P(n) ", %%rdx") PV_L("imulq " PV_T(0) ", %%rdx") PV_CLEAR_FLAGS

#define PV_IN(pointer, n) "m"(*reinterpret_cast<const u64(*)[n]>(pointer))
#define PV_MODULUS [p] "i"(&ModulusTable<P>::table)
#define PV_SCRATCH [lo] "=&r"(lo), [hi] "=&r"(hi), [zero] "=&r"(zero)
#define PV_OP(c, k) [t##k] c(t[(I + k) % S])
#define PV_OPS4(c) PV_OP(c, 0), PV_OP(c, 1), PV_OP(c, 2), PV_OP(c, 3)
#define PV_OPS6(c) PV_OPS4(c), PV_OP(c, 4), PV_OP(c, 5)

// In all rows limb k of the accumulator is t[(I + k) % S].

// t = x b (N limbs of x), all N + 1 limbs new
template <int N, int I, int S>
PROVERD_HD void x86_first_row(u64 (&t)[S], const u64* x, u64 b) {
  u64 lo;
  if constexpr (N == 3) {
    asm(PV_L("mulxq " PV_X(0) ", %[t0], %[t1]") PV_MUL("addq", PV_X(1), 1, 2) PV_MUL("adcq", PV_X(2), 2, 3)
        PV_L("adcq $0, %[t3]")
        : PV_OPS4("=&r"), [lo] "=&r"(lo)
        : "d"(b), [x] "r"(x), PV_IN(x, 3)
        : "cc");
  } else if constexpr (N == 4) {
    asm(PV_L("mulxq " PV_X(0) ", %[t0], %[t1]") PV_MUL("addq", PV_X(1), 1, 2) PV_MUL("adcq", PV_X(2), 2, 3)
        PV_MUL("adcq", PV_X(3), 3, 4) PV_L("adcq $0, %[t4]")
        : PV_OPS4("=&r"), PV_OP("=&r", 4), [lo] "=&r"(lo)
        : "d"(b), [x] "r"(x), PV_IN(x, 4)
        : "cc");
  } else if constexpr (N == 5) {
    asm(PV_L("mulxq " PV_X(0) ", %[t0], %[t1]") PV_MUL("addq", PV_X(1), 1, 2) PV_MUL("adcq", PV_X(2), 2, 3)
        PV_MUL("adcq", PV_X(3), 3, 4) PV_MUL("adcq", PV_X(4), 4, 5) PV_L("adcq $0, %[t5]")
        : PV_OPS6("=&r"), [lo] "=&r"(lo)
        : "d"(b), [x] "r"(x), PV_IN(x, 5)
        : "cc");
  } else {
    asm(PV_L("mulxq " PV_X(0) ", %[t0], %[t1]") PV_MUL("addq", PV_X(1), 1, 2) PV_MUL("adcq", PV_X(2), 2, 3)
        PV_MUL("adcq", PV_X(3), 3, 4) PV_MUL("adcq", PV_X(4), 4, 5) PV_MUL("adcq", PV_X(5), 5, 6)
        PV_L("adcq $0, %[t6]")
        : PV_OPS6("=&r"), PV_OP("=&r", 6), [lo] "=&r"(lo)
        : "d"(b), [x] "r"(x), PV_IN(x, 6)
        : "cc");
  }
}

// t += x b (N limbs of x); limb N of t is new
template <int N, int I, int S>
PROVERD_HD void x86_row(u64 (&t)[S], const u64* x, u64 b) {
  u64 lo, hi, zero;
  if constexpr (N == 1) {
    asm(PV_CLEAR_FLAGS PV_MAC_TOP(PV_X(0), 0, 1)
        : PV_OP("+&r", 0), PV_OP("=&r", 1), PV_SCRATCH
        : "d"(b), [x] "r"(x), PV_IN(x, 1)
        : "cc");
  } else if constexpr (N == 2) {
    asm(PV_CLEAR_FLAGS PV_MAC(PV_X(0), 0, 1) PV_MAC_TOP(PV_X(1), 1, 2)
        : PV_OP("+&r", 0), PV_OP("+&r", 1), PV_OP("=&r", 2), PV_SCRATCH
        : "d"(b), [x] "r"(x), PV_IN(x, 2)
        : "cc");
  } else if constexpr (N == 3) {
    asm(PV_CLEAR_FLAGS PV_MAC(PV_X(0), 0, 1) PV_MAC(PV_X(1), 1, 2) PV_MAC_TOP(PV_X(2), 2, 3)
        : PV_OP("+&r", 0), PV_OP("+&r", 1), PV_OP("+&r", 2), PV_OP("=&r", 3), PV_SCRATCH
        : "d"(b), [x] "r"(x), PV_IN(x, 3)
        : "cc");
  } else if constexpr (N == 4) {
    asm(PV_CLEAR_FLAGS PV_MAC(PV_X(0), 0, 1) PV_MAC(PV_X(1), 1, 2) PV_MAC(PV_X(2), 2, 3) PV_MAC_TOP(PV_X(3), 3, 4)
        : PV_OPS4("+&r"), PV_OP("=&r", 4), PV_SCRATCH
        : "d"(b), [x] "r"(x), PV_IN(x, 4)
        : "cc");
  } else {
    asm(PV_CLEAR_FLAGS PV_MAC(PV_X(0), 0, 1) PV_MAC(PV_X(1), 1, 2) PV_MAC(PV_X(2), 2, 3) PV_MAC(PV_X(3), 3, 4)
        PV_MAC(PV_X(4), 4, 5) PV_MAC_TOP(PV_X(5), 5, 6)
        : PV_OPS6("+&r"), PV_OP("=&r", 6), PV_SCRATCH
        : "d"(b), [x] "r"(x), PV_IN(x, 6)
        : "cc");
  }
}

// t += m p with the m that makes limb 0 of t zero; the sum stays inside limb N
template <class P, int N, int I>
PROVERD_HD void x86_reduce(u64 (&t)[N + 1]) {
  constexpr int S = N + 1;
  u64 lo, hi, zero;
  if constexpr (N == 4) {
    asm(PV_QUOTIENT(4) PV_MAC(PV_P(0), 0, 1) PV_MAC(PV_P(1), 1, 2) PV_MAC(PV_P(2), 2, 3) PV_MAC(PV_P(3), 3, 4)
        PV_L("adcxq %[zero], %[t4]")
        : PV_OPS4("+&r"), PV_OP("+&r", 4), PV_SCRATCH
        : PV_MODULUS
        : "rdx", "cc");
  } else {
    asm(PV_QUOTIENT(6) PV_MAC(PV_P(0), 0, 1) PV_MAC(PV_P(1), 1, 2) PV_MAC(PV_P(2), 2, 3) PV_MAC(PV_P(3), 3, 4)
        PV_MAC(PV_P(4), 4, 5) PV_MAC(PV_P(5), 5, 6) PV_L("adcxq %[zero], %[t6]")
        : PV_OPS6("+&r"), PV_OP("+&r", 6), PV_SCRATCH
        : PV_MODULUS
        : "rdx", "cc");
  }
}

// the same where limb N of t is new
template <class P, int N, int I>
PROVERD_HD void x86_reduce_row(u64 (&t)[N + 1]) {
  constexpr int S = N + 1;
  u64 lo, hi, zero;
  if constexpr (N == 4) {
    asm(PV_QUOTIENT(4) PV_MAC(PV_P(0), 0, 1) PV_MAC(PV_P(1), 1, 2) PV_MAC(PV_P(2), 2, 3) PV_MAC_TOP(PV_P(3), 3, 4)
        : PV_OPS4("+&r"), PV_OP("=&r", 4), PV_SCRATCH
        : PV_MODULUS
        : "rdx", "cc");
  } else {
    asm(PV_QUOTIENT(6) PV_MAC(PV_P(0), 0, 1) PV_MAC(PV_P(1), 1, 2) PV_MAC(PV_P(2), 2, 3) PV_MAC(PV_P(3), 3, 4)
        PV_MAC(PV_P(4), 4, 5) PV_MAC_TOP(PV_P(5), 5, 6)
        : PV_OPS6("+&r"), PV_OP("=&r", 6), PV_SCRATCH
        : PV_MODULUS
        : "rdx", "cc");
  }
}

template <class P, int N, int I = 0>
PROVERD_HD void x86_mul_rows(u64 (&t)[N + 1], const u64* a, const u64* b) {
  if constexpr (I == 0) {
    x86_first_row<N, I>(t, a, b[I]);
  } else {
    x86_row<N, I>(t, a, b[I]);
  }
  x86_reduce<P, N, I>(t);
  if constexpr (I + 1 < N) x86_mul_rows<P, N, I + 1>(t, a, b);
}

template <int N, int I = 0>
PROVERD_HD void x86_wide_rows(u64* w, u64 (&t)[N + 1], const u64* a, const u64* b) {
  if constexpr (I == 0) {
    x86_first_row<N, I>(t, a, b[I]);
  } else {
    x86_row<N, I>(t, a, b[I]);
  }
  w[I] = t[I];
  if constexpr (I + 1 < N) x86_wide_rows<N, I + 1>(w, t, a, b);
}

// limb k of t, k = 0 .. 2N - 3, gets the sum of a[i] a[j] over i < j, i + j = k + 1
template <int N, int I = 0>
PROVERD_HD void x86_cross_rows(u64 (&t)[2 * N - 2], const u64* a) {
  if constexpr (I == 0) {
    x86_first_row<N - 1, 0>(t, a + 1, a[0]);
  } else {
    x86_row<N - 1 - I, 2 * I>(t, a + I + 1, a[I]);
  }
  if constexpr (I + 2 < N) x86_cross_rows<N, I + 1>(t, a);
}

template <class P, int N, int I = 0>
PROVERD_HD void x86_reduce_rows(u64 (&t)[N + 1]) {
  x86_reduce_row<P, N, I>(t);
  if constexpr (I + 1 < N) x86_reduce_rows<P, N, I + 1>(t);
}

#define PV_SQUARE(i)                                                                                    \
  PV_L("movq " #i "*8(%[x]), %%rdx") PV_L("mulxq %%rdx, %[lo], %[hi]")                                   \
  PV_L("movq " #i "*16(%[w]), %[t]") PV_L("adcxq %[t], %[t]") PV_L("adoxq %[lo], %[t]")                  \
  PV_L("movq %[t], " #i "*16(%[w])") PV_L("movq " #i "*16+8(%[w]), %[t]") PV_L("adcxq %[t], %[t]")       \
  PV_L("adoxq %[hi], %[t]") PV_L("movq %[t], " #i "*16+8(%[w])")

// w = 2 w + sum a[i]^2 2^(128 i)
template <int N>
PROVERD_HD void x86_double_add_squares(u64* w, const u64* x) {
  u64 lo, hi, t;
  if constexpr (N == 4) {
    asm(PV_L("xorl %k[t], %k[t]") PV_SQUARE(0) PV_SQUARE(1) PV_SQUARE(2) PV_SQUARE(3)
        : [lo] "=&r"(lo), [hi] "=&r"(hi), [t] "=&r"(t), "+m"(*reinterpret_cast<u64(*)[8]>(w))
        : [x] "r"(x), [w] "r"(w), PV_IN(x, 4)
        : "rdx", "cc");
  } else {
    asm(PV_L("xorl %k[t], %k[t]") PV_SQUARE(0) PV_SQUARE(1) PV_SQUARE(2) PV_SQUARE(3) PV_SQUARE(4) PV_SQUARE(5)
        : [lo] "=&r"(lo), [hi] "=&r"(hi), [t] "=&r"(t), "+m"(*reinterpret_cast<u64(*)[12]>(w))
        : [x] "r"(x), [w] "r"(w), PV_IN(x, 6)
        : "rdx", "cc");
  }
}

#define PV_TRIAL(op, j) PV_L(op " " PV_P(j) ", %[s" #j "]")
#define PV_SELECT(j) PV_L("cmovcq " PV_T(j) ", %[s" #j "]")
#define PV_S(j) [s##j] "+&r"(s[j])
#define PV_KEEP(j) [t##j] "rm"(t[j])

// t mod p for t in [0, 2p)
template <class P, int N>
PROVERD_HD void x86_reduce_once(u64* r, const u64 (&t)[N]) {
  u64 s[N];
  for (int i = 0; i < N; i++) s[i] = t[i];
  if constexpr (N == 4) {
    asm(PV_TRIAL("subq", 0) PV_TRIAL("sbbq", 1) PV_TRIAL("sbbq", 2) PV_TRIAL("sbbq", 3)
        PV_SELECT(0) PV_SELECT(1) PV_SELECT(2) PV_SELECT(3)
        : PV_S(0), PV_S(1), PV_S(2), PV_S(3)
        : PV_MODULUS, PV_KEEP(0), PV_KEEP(1), PV_KEEP(2), PV_KEEP(3)
        : "cc");
  } else {
    asm(PV_TRIAL("subq", 0) PV_TRIAL("sbbq", 1) PV_TRIAL("sbbq", 2) PV_TRIAL("sbbq", 3) PV_TRIAL("sbbq", 4)
        PV_TRIAL("sbbq", 5) PV_SELECT(0) PV_SELECT(1) PV_SELECT(2) PV_SELECT(3) PV_SELECT(4) PV_SELECT(5)
        : PV_S(0), PV_S(1), PV_S(2), PV_S(3), PV_S(4), PV_S(5)
        : PV_MODULUS, PV_KEEP(0), PV_KEEP(1), PV_KEEP(2), PV_KEEP(3), PV_KEEP(4), PV_KEEP(5)
        : "cc");
  }
  for (int i = 0; i < N; i++) r[i] = s[i];
}

// limb k of r is t[(N + k) % (N + 1)]: the accumulator after N rows, reduced
template <class P, int N>
PROVERD_HD void x86_store(u64* r, const u64 (&t)[N + 1]) {
  u64 u[N];
  PROVERD_UNROLL
  for (int k = 0; k < N; k++) u[k] = t[(N + k) % (N + 1)];
  x86_reduce_once<P, N>(r, u);
}

#define PV_ADD(op, j) PV_L(op " " #j "*8(%[b]), %[s" #j "]")

// s = s + b, b in memory; the sum fits
template <int N>
PROVERD_HD void x86_add(u64 (&s)[N], const u64* b) {
  if constexpr (N == 4) {
    asm(PV_ADD("addq", 0) PV_ADD("adcq", 1) PV_ADD("adcq", 2) PV_ADD("adcq", 3)
        : PV_S(0), PV_S(1), PV_S(2), PV_S(3)
        : [b] "r"(b), PV_IN(b, 4)
        : "cc");
  } else {
    asm(PV_ADD("addq", 0) PV_ADD("adcq", 1) PV_ADD("adcq", 2) PV_ADD("adcq", 3) PV_ADD("adcq", 4) PV_ADD("adcq", 5)
        : PV_S(0), PV_S(1), PV_S(2), PV_S(3), PV_S(4), PV_S(5)
        : [b] "r"(b), PV_IN(b, 6)
        : "cc");
  }
}

// s = s - b, borrow 0 or 1
template <int N>
PROVERD_HD void x86_sub_borrow(u64 (&s)[N], const u64* b, u64& borrow) {
  borrow = 0;
  if constexpr (N == 4) {
    asm(PV_ADD("subq", 0) PV_ADD("sbbq", 1) PV_ADD("sbbq", 2) PV_ADD("sbbq", 3) PV_L("adcq $0, %[borrow]")
        : PV_S(0), PV_S(1), PV_S(2), PV_S(3), [borrow] "+&r"(borrow)
        : [b] "r"(b), PV_IN(b, 4)
        : "cc");
  } else {
    asm(PV_ADD("subq", 0) PV_ADD("sbbq", 1) PV_ADD("sbbq", 2) PV_ADD("sbbq", 3) PV_ADD("sbbq", 4) PV_ADD("sbbq", 5)
        PV_L("adcq $0, %[borrow]")
        : PV_S(0), PV_S(1), PV_S(2), PV_S(3), PV_S(4), PV_S(5), [borrow] "+&r"(borrow)
        : [b] "r"(b), PV_IN(b, 6)
        : "cc");
  }
}

#define PV_MASK(m) PV_L("sbbq %[u" #m "], %[u" #m "]")
#define PV_MASKED(j, m) PV_L("movq " PV_P(j) ", %[u" #j "]") PV_L("andq %[u" #m "], %[u" #j "]")
#define PV_ADD_BACK(op, j) PV_L(op " %[u" #j "], %[s" #j "]")
// s += p if the carry flag is set
#define PV_CORRECT4                                                                                     \
  PV_MASK(3) PV_MASKED(0, 3) PV_MASKED(1, 3) PV_MASKED(2, 3) PV_L("andq " PV_P(3) ", %[u3]")            \
  PV_ADD_BACK("addq", 0) PV_ADD_BACK("adcq", 1) PV_ADD_BACK("adcq", 2) PV_ADD_BACK("adcq", 3)
#define PV_CORRECT6                                                                                     \
  PV_MASK(5) PV_MASKED(0, 5) PV_MASKED(1, 5) PV_MASKED(2, 5) PV_MASKED(3, 5) PV_MASKED(4, 5)            \
  PV_L("andq " PV_P(5) ", %[u5]")                                                                       \
  PV_ADD_BACK("addq", 0) PV_ADD_BACK("adcq", 1) PV_ADD_BACK("adcq", 2) PV_ADD_BACK("adcq", 3)           \
  PV_ADD_BACK("adcq", 4) PV_ADD_BACK("adcq", 5)
#define PV_S4 PV_S(0), PV_S(1), PV_S(2), PV_S(3)
#define PV_S6 PV_S4, PV_S(4), PV_S(5)
#define PV_U(j) [u##j] "=&r"(u[j])
#define PV_U4 PV_U(0), PV_U(1), PV_U(2), PV_U(3)
#define PV_U6 PV_U4, PV_U(4), PV_U(5)

// s = s - b mod p, b in memory
template <class P, int N>
PROVERD_HD void x86_sub(u64 (&s)[N], const u64* b) {
  u64 u[N];
  if constexpr (N == 4) {
    asm(PV_ADD("subq", 0) PV_ADD("sbbq", 1) PV_ADD("sbbq", 2) PV_ADD("sbbq", 3) PV_CORRECT4
        : PV_S4, PV_U4
        : [b] "r"(b), PV_IN(b, 4), PV_MODULUS
        : "cc");
  } else {
    asm(PV_ADD("subq", 0) PV_ADD("sbbq", 1) PV_ADD("sbbq", 2) PV_ADD("sbbq", 3) PV_ADD("sbbq", 4) PV_ADD("sbbq", 5)
        PV_CORRECT6
        : PV_S6, PV_U6
        : [b] "r"(b), PV_IN(b, 6), PV_MODULUS
        : "cc");
  }
}

// one limb of w -= b in memory
#define PV_WIDE(op, j) \
  PV_L("movq " #j "*8(%[w]), %[u0]") PV_L(op " " #j "*8(%[b]), %[u0]") PV_L("movq %[u0], " #j "*8(%[w])")

// w = w - b over 2N limbs, w >= b
template <int N>
PROVERD_HD void x86_wide_sub(u64* w, const u64* b) {
  u64 u;
  if constexpr (N == 4) {
    asm(PV_WIDE("subq", 0) PV_WIDE("sbbq", 1) PV_WIDE("sbbq", 2) PV_WIDE("sbbq", 3) PV_WIDE("sbbq", 4)
        PV_WIDE("sbbq", 5) PV_WIDE("sbbq", 6) PV_WIDE("sbbq", 7)
        : [u0] "=&r"(u), "+m"(*reinterpret_cast<u64(*)[8]>(w))
        : [w] "r"(w), [b] "r"(b), PV_IN(b, 8)
        : "cc");
  } else {
    asm(PV_WIDE("subq", 0) PV_WIDE("sbbq", 1) PV_WIDE("sbbq", 2) PV_WIDE("sbbq", 3) PV_WIDE("sbbq", 4)
        PV_WIDE("sbbq", 5) PV_WIDE("sbbq", 6) PV_WIDE("sbbq", 7) PV_WIDE("sbbq", 8) PV_WIDE("sbbq", 9)
        PV_WIDE("sbbq", 10) PV_WIDE("sbbq", 11)
        : [u0] "=&r"(u), "+m"(*reinterpret_cast<u64(*)[12]>(w))
        : [w] "r"(w), [b] "r"(b), PV_IN(b, 12)
        : "cc");
  }
}

// w = w - b over 2N limbs, plus p R if that is negative
template <class P, int N>
PROVERD_HD void x86_wide_sub_mod(u64* w, const u64* b) {
  u64 s[N], u[N];
  for (int i = 0; i < N; i++) s[i] = w[N + i];
  if constexpr (N == 4) {
    asm(PV_WIDE("subq", 0) PV_WIDE("sbbq", 1) PV_WIDE("sbbq", 2) PV_WIDE("sbbq", 3)
        PV_L("sbbq 4*8(%[b]), %[s0]") PV_L("sbbq 5*8(%[b]), %[s1]") PV_L("sbbq 6*8(%[b]), %[s2]")
        PV_L("sbbq 7*8(%[b]), %[s3]") PV_CORRECT4
        : PV_S4, PV_U4, "+m"(*reinterpret_cast<u64(*)[4]>(w))
        : [w] "r"(w), [b] "r"(b), PV_IN(b, 8), PV_MODULUS
        : "cc");
  } else {
    asm(PV_WIDE("subq", 0) PV_WIDE("sbbq", 1) PV_WIDE("sbbq", 2) PV_WIDE("sbbq", 3) PV_WIDE("sbbq", 4)
        PV_WIDE("sbbq", 5)
        PV_L("sbbq 6*8(%[b]), %[s0]") PV_L("sbbq 7*8(%[b]), %[s1]") PV_L("sbbq 8*8(%[b]), %[s2]")
        PV_L("sbbq 9*8(%[b]), %[s3]") PV_L("sbbq 10*8(%[b]), %[s4]") PV_L("sbbq 11*8(%[b]), %[s5]") PV_CORRECT6
        : PV_S6, PV_U6, "+m"(*reinterpret_cast<u64(*)[6]>(w))
        : [w] "r"(w), [b] "r"(b), PV_IN(b, 12), PV_MODULUS
        : "cc");
  }
  for (int i = 0; i < N; i++) w[N + i] = s[i];
}

// --- the operations that arith.h promises ---

template <int N>
PROVERD_HD u64 sub_limbs(u64* r, const u64* a, const u64* b) {
  u64 s[N], borrow;
  for (int i = 0; i < N; i++) s[i] = a[i];
  x86_sub_borrow<N>(s, b, borrow);
  for (int i = 0; i < N; i++) r[i] = s[i];
  return borrow;
}

template <int N>
PROVERD_HD void add_unreduced(u64* r, const u64* a, const u64* b) {
  u64 s[N];
  for (int i = 0; i < N; i++) s[i] = a[i];
  x86_add<N>(s, b);
  for (int i = 0; i < N; i++) r[i] = s[i];
}

template <class P>
PROVERD_HD void mod_add(u64* r, const u64* a, const u64* b) {
  constexpr int N = P::WORDS / 2;
  u64 s[N];
  for (int i = 0; i < N; i++) s[i] = a[i];
  x86_add<N>(s, b);
  x86_reduce_once<P, N>(r, s);
}

template <class P>
PROVERD_HD void mod_double(u64* r, const u64* a) {
  mod_add<P>(r, a, a);
}

template <class P>
PROVERD_HD void mod_sub(u64* r, const u64* a, const u64* b) {
  constexpr int N = P::WORDS / 2;
  u64 s[N];
  for (int i = 0; i < N; i++) s[i] = a[i];
  x86_sub<P, N>(s, b);
  for (int i = 0; i < N; i++) r[i] = s[i];
}

template <class P>
PROVERD_HD void mont_mul(u64* r, const u64* a, const u64* b) {
  constexpr int N = P::WORDS / 2;
  u64 t[N + 1];
  x86_mul_rows<P, N>(t, a, b);
  x86_store<P, N>(r, t);
}

template <class P>
PROVERD_HD void mul_wide(u64* w, const u64* a, const u64* b) {
  constexpr int N = P::WORDS / 2;
  u64 t[N + 1];
  x86_wide_rows<N>(w, t, a, b);
  for (int k = 0; k < N; k++) w[N + k] = t[(N + k) % (N + 1)];
}

template <class P>
PROVERD_HD void sqr_wide(u64* w, const u64* a) {
  constexpr int N = P::WORDS / 2;
  u64 t[2 * N - 2];
  x86_cross_rows<N>(t, a);
  w[0] = w[2 * N - 1] = 0;
  for (int k = 0; k < 2 * N - 2; k++) w[k + 1] = t[k];
  x86_double_add_squares<N>(w, a);
}

template <class P>
PROVERD_HD void mont_reduce(u64* r, const u64* w) {
  constexpr int N = P::WORDS / 2;
  u64 t[N + 1], u[N];
  for (int k = 0; k < N; k++) t[k] = w[k];
  x86_reduce_rows<P, N>(t);
  for (int k = 0; k < N; k++) u[k] = t[(N + k) % (N + 1)];
  x86_add<N>(u, w + N);
  x86_reduce_once<P, N>(r, u);
}

template <class P>
PROVERD_HD void mont_sqr(u64* r, const u64* a) {
  constexpr int N = P::WORDS / 2;
  u64 w[2 * N];
  sqr_wide<P>(w, a);
  mont_reduce<P>(r, w);
}

template <class P>
PROVERD_HD void wide_sub(u64* w, const u64* b) {
  x86_wide_sub<P::WORDS / 2>(w, b);
}

template <class P>
PROVERD_HD void wide_sub_mod(u64* w, const u64* b) {
  x86_wide_sub_mod<P, P::WORDS / 2>(w, b);
}

PROVERD_END
