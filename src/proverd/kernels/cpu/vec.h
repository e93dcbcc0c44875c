// Vector operations over a prime field, split into blocks over threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <vector>

#include "cpu/memory.h"
#include "cpu/threads.h"
#include "field.h"

PROVERD_BEGIN

// Elements a task handles: large enough to hide the cost of handing it out (a few microseconds), small
// enough to balance.
constexpr size_t VEC_BLOCK = 4096;

// Calls body(begin, end) for blocks of [0, n).
template <class Body>
void for_blocks(size_t n, int threads, Body body) {
  size_t blocks = (n + VEC_BLOCK - 1) / VEC_BLOCK;
  parallel_for(threads, blocks, [&](size_t block) { body(block * VEC_BLOCK, std::min(n, (block + 1) * VEC_BLOCK)); });
}

// out[i] = f(i) for all i.
template <class F, class Function>
void vec_map(void* out, size_t n, int threads, Function f) {
  for_blocks(n, threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) store<F>(out, i, f(i));
  });
}

template <class F>
F power(F base, u64 exponent) {
  F result = F::one();
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) result = result * base;
    base = base.squared();
  }
  return result;
}

template <class F>
void vec_multiply(void* out, const void* a, const void* b, size_t n, int threads) {
  vec_map<F>(out, n, threads, [=](size_t i) { return load<F>(a, i) * load<F>(b, i); });
}

template <class F>
void vec_add(void* out, const void* a, const void* b, size_t n, int threads) {
  vec_map<F>(out, n, threads, [=](size_t i) { return load<F>(a, i) + load<F>(b, i); });
}

template <class F>
void vec_subtract(void* out, const void* a, const void* b, size_t n, int threads) {
  vec_map<F>(out, n, threads, [=](size_t i) { return load<F>(a, i) - load<F>(b, i); });
}

template <class F>
void vec_scale(void* out, const void* a, const void* k, size_t n, int threads) {
  F factor = load<F>(k, 0);
  vec_map<F>(out, n, threads, [=](size_t i) { return load<F>(a, i) * factor; });
}

template <class F>
void vec_multiply_subtract_canonical(void* out, const void* a, const void* b, const void* c, size_t n, int threads) {
  vec_map<F>(out, n, threads,
             [=](size_t i) { return (load<F>(a, i) * load<F>(b, i) - load<F>(c, i)).from_montgomery(); });
}

template <class F>
void vec_to_montgomery(void* out, const void* a, size_t n, int threads) {
  vec_map<F>(out, n, threads, [=](size_t i) { return load<F>(a, i).to_montgomery(); });
}

template <class F>
void vec_from_montgomery(void* out, const void* a, size_t n, int threads) {
  vec_map<F>(out, n, threads, [=](size_t i) { return load<F>(a, i).from_montgomery(); });
}

template <class F>
void vec_powers(void* out, const void* first, const void* ratio, size_t n, int threads) {
  F start = load<F>(first, 0), step = load<F>(ratio, 0);
  for_blocks(n, threads, [=](size_t begin, size_t end) {
    F value = start * power(step, begin);
    for (size_t i = begin; i < end; i++, value = value * step) store<F>(out, i, value);
  });
}

// Montgomery's trick ("Speeding the Pollard and elliptic curve methods", 1987, section 10.3.1) over each
// block: 3M an element and one inversion a block. Zeros stay zero.
template <class F>
void vec_batch_inverse(void* out, const void* a, size_t n, int threads) {
  for_blocks(n, threads, [=](size_t begin, size_t end) {
    std::vector<F> prefix(end - begin);
    F product = F::one();
    for (size_t i = begin; i < end; i++) {
      prefix[i - begin] = product;
      F value = load<F>(a, i);
      if (!value.is_zero()) product = product * value;
    }
    F inverse = product.inverse();
    for (size_t i = end; i-- > begin;) {
      F value = load<F>(a, i);
      if (value.is_zero()) {
        store<F>(out, i, value);
        continue;
      }
      store<F>(out, i, inverse * prefix[i - begin]);
      inverse = inverse * value;
    }
  });
}

template <class F>
void vec_dot(void* out, const void* a, const void* b, size_t n, int threads) {
  std::vector<F> partial((n + VEC_BLOCK - 1) / VEC_BLOCK, F::zero());
  for_blocks(n, threads, [&](size_t begin, size_t end) {
    F sum = F::zero();
    for (size_t i = begin; i < end; i++) sum = sum + load<F>(a, i) * load<F>(b, i);
    partial[begin / VEC_BLOCK] = sum;
  });
  F total = F::zero();
  for (const F& sum : partial) total = total + sum;
  store<F>(out, 0, total);
}

// The smallest i in [0, n) for which bad(i) holds, or -1.
template <class Predicate>
ptrdiff_t first_index(size_t n, int threads, Predicate bad) {
  std::atomic<size_t> first{n};
  for_blocks(n, threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && i < first.load(std::memory_order_relaxed); i++) {
      if (!bad(i)) continue;
      size_t seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  return first == n ? -1 : static_cast<ptrdiff_t>(first.load());
}

template <class F>
ptrdiff_t vec_first_not_reduced(const void* a, size_t n, int threads) {
  return first_index(n, threads, [=](size_t i) { return !load<F>(a, i).is_reduced(); });
}

PROVERD_END
