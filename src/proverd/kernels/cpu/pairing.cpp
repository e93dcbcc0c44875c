// Products of pairings: the Miller loops of several pairs share their squarings and are spread over
// threads; one final exponentiation ends the product.
#include "pairing.h"

#include <algorithm>
#include <vector>

#include "cpu/memory.h"
#include "cpu/tables.h"
#include "cpu/threads.h"

PROVERD_BEGIN
namespace {

using Curve = PROVERD_CURVE::Curve;
using G1 = Affine<Curve::Fp>;
using G2 = Affine<Curve::Fp2>;
using Value = Fp12<Curve>;

// A group of pairs costs about as many squarings as lines of one pair.
constexpr size_t LEAST_PAIRS = 2;

Value miller_product(const void* g1, const void* g2, size_t begin, size_t end) {
  std::vector<G1> p;
  std::vector<G2> q;
  for (size_t i = begin; i < end; i++) {
    G1 a = load<G1>(g1, i);
    G2 b = load<G2>(g2, i);
    if (a.is_infinity() || b.is_infinity()) continue;
    p.push_back(a);
    q.push_back(b);
  }
  std::vector<TwistPoint<Curve>> scratch(p.size());
  return miller_loop<Curve>(p.data(), q.data(), scratch.data(), p.size());
}

Value pairing_product(const void* g1, const void* g2, size_t n, int threads) {
  size_t groups = std::min(static_cast<size_t>(std::max(threads, 1)), (n + LEAST_PAIRS - 1) / LEAST_PAIRS);
  std::vector<Value> parts(groups);
  parallel_for(threads, groups,
               [&](size_t k) { parts[k] = miller_product(g1, g2, n * k / groups, n * (k + 1) / groups); });
  Value product = Value::one();
  for (const Value& part : parts) product = product * part;
  return final_exponentiation(product);
}

void product(void* out, const void* g1, const void* g2, size_t n, int threads) {
  store(out, 0, pairing_product(g1, g2, n, threads));
}

bool product_is_one(const void* g1, const void* g2, size_t n, int threads) {
  return pairing_product(g1, g2, n, threads) == Value::one();
}

}  // namespace
PROVERD_END

namespace proverd {

const PairingTable PROVERD_CAT(pairing_table, PROVERD_CURVE, PROVERD_ISA) = {product, product_is_one};

}  // namespace proverd
