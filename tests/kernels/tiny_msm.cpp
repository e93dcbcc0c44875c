// Sums of multiples on the tiny curve, where points meet and cancel all the time. Compiled by
// test_tiny_msm.py, which writes tiny_constants.h.
#include <random>

#include "cpu/msm.h"
#include "cpu/multiples.h"
#include "tiny_constants.h"

using namespace proverd;
using F = Field<tiny::FpParams>;
using Fr = Field<tiny::FrParams>;
using Point = Affine<F>;

constexpr size_t ORDER = tiny::FrParams::modulus().limb(0);

// Random sums of n multiples: `multiples` holds k G for k < ORDER; logarithms are below `logarithms` and
// scalars below `scalars`, so that few different ones come up. Counts the wrong ones.
extern "C" long msm_mistakes(const Point* multiples, size_t n, u64 logarithms, u64 scalars, int threads, int rounds) {
  std::mt19937_64 random(n * 1000003 + logarithms * 1009 + scalars);
  std::vector<Point> bases(n);
  std::vector<u64> values(n);
  long mistakes = 0;
  for (int round = 0; round < rounds; round++) {
    u64 expected = 0;
    for (size_t i = 0; i < n; i++) {
      u64 k = random() % logarithms;
      values[i] = random() % 2 ? random() % scalars : ORDER - 1 - random() % scalars;
      bases[i] = multiples[random() % 2 ? k : (ORDER - k) % ORDER];
      expected += (bases[i] == multiples[k] ? k : ORDER - k) * values[i];
    }
    Point sum, simple = msm_reference<F, Fr>(bases.data(), values.data(), n).to_affine();
    msm<F, Fr>(&sum, bases.data(), values.data(), n, threads);
    mistakes += !(sum == multiples[expected % ORDER]) + !(simple == sum);
  }
  return mistakes;
}

// Every multiple of every point.
extern "C" long fixed_base_mistakes(const Point* multiples, int threads) {
  std::vector<u64> scalars(ORDER);
  std::vector<Point> sums(ORDER);
  for (size_t s = 0; s < ORDER; s++) scalars[s] = s;
  long mistakes = 0;
  for (size_t k = 0; k < ORDER; k++) {
    fixed_base<F, Fr>(sums.data(), &multiples[k], scalars.data(), ORDER, threads);
    for (size_t s = 0; s < ORDER; s++) mistakes += !(sums[s] == multiples[k * s % ORDER]);
  }
  return mistakes;
}

// Digits of every width give back their scalar.
extern "C" long digit_mistakes() {
  long mistakes = 0;
  for (int c = 2; c <= 16; c++) {
    Digits<Fr> digits(c);
    for (u64 s = 0; s < ORDER; s++) {
      auto shifted = digits.shifted(&s, 0);
      long long sum = 0;
      for (int w = Digits<Fr>::window_count(c); w-- > 0;) {
        long long digit = shifted.magnitude(digits, w);
        mistakes += digit > 1 << (c - 1);
        sum = (sum << c) + (shifted.negative(digits, w) ? -digit : digit);
      }
      mistakes += sum != (2 * s < ORDER ? static_cast<long long>(s) : static_cast<long long>(s - ORDER));
    }
  }
  return mistakes;
}
