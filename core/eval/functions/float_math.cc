// Logarithm, exponential and power of doubles with results that are the same on every machine. Used by log()
// and pow().
#include "core/eval/functions/float_math.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace xplan::eval {

// x = 2^k * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); log(1+f) = 2*atanh(s), s = f / (2 + f), by an even
// polynomial in s (coefficients of fdlibm's e_log). ln 2 is split in two so that k * high part is exact.
double natural_log(double x) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (std::isnan(x) || x == kInf) return x;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -kInf;
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < 0.70710678118654752440) {
    m *= 2;
    --k;
  }
  double f = m - 1, s = f / (2 + f), z = s * s, w = z * z;
  double odd =
      z * (6.666666666666735130e-01 +
           w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double even =
      w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double r = odd + even, half = 0.5 * f * f, n = k;
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  return n * kLn2High - ((half - (s * (half + r) + n * kLn2Low)) - f);
}

namespace {

// e^x by the method of N. Shibata ("Efficient evaluation methods of elementary functions suitable for SIMD
// computation"): x = k ln 2 + r; the series for e^(r/16) - 1, then four doublings by (1+y)^2 - 1 = y (y+2),
// with fused multiplications. For |x| below 700.
double exponential(double x) {
  constexpr double kLog2E = 1.4426950408889634, kLn2High = 0.69314718055966295651160180568695068359375,
                   kLn2Low = 0.28235290563031577122588448175013436025525412068e-12;
  constexpr double kSeries[] = {1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0};
  double k = std::nearbyint(x * kLog2E);
  double r = std::fma(-k, kLn2Low, std::fma(-k, kLn2High, x)) / 16, sum = 0;
  for (double c : kSeries) sum = std::fma(sum, r, c);
  double y = r * sum;
  for (int i = 0; i < 3; ++i) y = y * (y + 2);
  return std::ldexp(std::fma(y, y + 2, 1.0), static_cast<int>(k));
}

// A number as fraction * 2^exponent, so that products neither overflow nor underflow on the way.
struct Scaled {
  double fraction = 1;
  int64_t exponent = 0;
};

void multiply_by_power(Scaled& result, double base, int64_t n) {
  int e = 0;
  Scaled square{std::frexp(base, &e), 0};
  square.exponent = e;
  for (; n != 0; n >>= 1) {
    if (square.exponent < -4096 || square.exponent > 4096) {  // beyond any double, whatever follows
      result.exponent += square.exponent;
      return;
    }
    if (n & 1) {
      result.fraction *= square.fraction;
      result.exponent += square.exponent;
    }
    square.fraction *= square.fraction;
    square.exponent *= 2;
    if (square.fraction < 0.5) {
      square.fraction *= 2;
      square.exponent -= 1;
    }
  }
}

}  // namespace

double power(double base, double exponent) {
  constexpr double kHuge = 9223372036854775808.0;  // 2^63: from here on every double is even
  if (exponent == 0 || base == 1) return 1;
  if (exponent == 1) return base;
  if (base == 0 || std::isinf(base) || std::isinf(exponent) || std::isnan(base) || std::isnan(exponent))
    return std::pow(base, exponent);
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == -0.5) return 1 / std::sqrt(base);
  double whole = 0, part = std::modf(std::fabs(exponent), &whole);
  if (part != 0 && base < 0) return std::numeric_limits<double>::quiet_NaN();
  if (whole >= kHuge) return std::pow(base, exponent);  // 0, 1 or infinite
  Scaled result;
  if (part != 0) {
    if (part > 0.5) {
      part -= 1;
      whole += 1;
    }
    result.fraction = exponential(part * natural_log(base));
  }
  multiply_by_power(result, base, static_cast<int64_t>(whole));
  if (exponent < 0) {
    result.fraction = 1 / result.fraction;
    result.exponent = -result.exponent;
  }
  int64_t e = result.exponent < -100000 ? -100000 : result.exponent > 100000 ? 100000 : result.exponent;
  return std::ldexp(result.fraction, static_cast<int>(e));
}

}  // namespace xplan::eval
