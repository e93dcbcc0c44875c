// Field and group law of the kernel headers on the tiny curve: everything is tried and compared with what the
// caller knows. Compiled by test_tiny.py, which writes tiny_constants.h. Each function counts its mistakes.
#include "tiny_constants.h"
#include "xyzz.h"

using namespace proverd;
using F = Field<tiny::FpParams>;
using Point = Affine<F>;

constexpr u64 MODULUS = tiny::FpParams::modulus().limb(0);

static F montgomery(u64 canonical) {
  F x;
  x.limb[0] = canonical;
  return x.to_montgomery();
}
static u64 canonical(const F& x) { return x.from_montgomery().limb[0]; }

// Every a against every b of `others`: sum, difference, product, difference of products; each a alone.
extern "C" long field_mistakes(const u64* others, int count) {
  long mistakes = 0;
  for (u64 i = 0; i < MODULUS; i++) {
    F a = montgomery(i);
    mistakes += canonical(a) != i || !a.is_reduced();
    mistakes += canonical(-a) != (MODULUS - i) % MODULUS;
    mistakes += canonical(a.doubled()) != 2 * i % MODULUS;
    mistakes += canonical(a.squared()) != i * i % MODULUS;
    mistakes += canonical(a.inverse()) * i % MODULUS != (i != 0);
    for (int k = 0; k < count; k++) {
      u64 j = others[k];
      F b = montgomery(j);
      mistakes += canonical(a + b) != (i + j) % MODULUS;
      mistakes += canonical(a - b) != (i + MODULUS - j) % MODULUS;
      mistakes += canonical(a * b) != i * j % MODULUS;
      mistakes += canonical(F::difference_of_products(a, b, b, b)) != (i + MODULUS - j) * j % MODULUS;
      mistakes += (a == b) != (i == j);
    }
  }
  return mistakes;
}

// The same point with other coordinates: ZZ = k^2, ZZZ = k^3.
static Xyzz<F> scaled(const Point& p, const F& k) {
  if (p.is_infinity()) return Xyzz<F>::infinity();
  F zz = k.squared(), zzz = zz * k;
  return {p.x * zz, p.y * zzz, zz, zzz};
}

// points[i] + points[j] is points[sums[i n + j]], in every form of addition; points[0] is infinity.
extern "C" long group_mistakes(const Point* points, const unsigned short* sums, int n, u64 b) {
  long mistakes = 0;
  F k = montgomery(12345), l = montgomery(54321);
  for (int i = 0; i < n; i++) {
    const Point& p = points[i];
    Xyzz<F> wide = scaled(p, k);
    const Point& twice = points[sums[i * n + i]];
    mistakes += !p.is_on_curve(montgomery(b));
    mistakes += !(wide.to_affine() == p);
    mistakes += !(Xyzz<F>::doubled(p).to_affine() == twice);
    mistakes += !(wide.doubled().to_affine() == twice);
    for (int j = 0; j < n; j++) {
      const Point& q = points[j];
      const Point& sum = points[sums[i * n + j]];
      mistakes += !((wide + q).to_affine() == sum);
      mistakes += !((wide + scaled(q, l)).to_affine() == sum);
    }
  }
  return mistakes;
}
