// Text of numbers: the shortest decimal that reads back, and the forms that format() asks for (fixed,
// exponent, other bases).
#include <gmp.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "core/value/number_cell.h"

namespace xplan {
namespace {

struct Integer {
  mpz_t z;
  Integer() { mpz_init(z); }
  ~Integer() { mpz_clear(z); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
};

std::string int_text(int64_t n) {
  char buffer[24];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, n).ptr;
  return std::string(buffer, end);
}

std::string plain(bool negative, const std::string& digits, long point) {
  std::string out(negative ? "-" : "");
  long n = static_cast<long>(digits.size());
  if (point <= 0) {
    out += "0.";
    out.append(static_cast<size_t>(-point), '0');
    out += digits;
  } else if (point >= n) {
    out += digits;
    out.append(static_cast<size_t>(point - n), '0');
  } else {
    out.append(digits, 0, static_cast<size_t>(point));
    out += '.';
    out.append(digits, static_cast<size_t>(point));
  }
  return out;
}

std::string with_exponent(bool negative, const std::string& digits, long point, char mark) {
  std::string out(negative ? "-" : "");
  out += digits[0];
  if (digits.size() > 1) out += '.', out.append(digits, 1);
  long exponent = point - 1;
  out += mark;
  out += exponent < 0 ? '-' : '+';
  std::string e = int_text(std::abs(exponent));
  if (e.size() < 2) out += '0';
  return out + e;
}

// Lower case digits with one more digit rounded up at the end.
void round_up(std::string& digits, long& point) {
  while (!digits.empty() && digits.back() == '9') digits.pop_back();
  if (digits.empty()) {
    digits = "1";
    ++point;
  } else {
    ++digits.back();
  }
}

std::string printf_text(mpfr_srcptr v, int precision, char verb) {
  std::string format = "%." + int_text(precision) + "R" + verb;
  char* text = nullptr;
  int n = mpfr_asprintf(&text, format.c_str(), v);
  if (n < 0) return {};
  std::string out(text, static_cast<size_t>(n));
  mpfr_free_str(text);
  return out;
}

}  // namespace

// Digits are taken from x one by one, until what is left out (or what rounding up adds) is less than half a
// unit in x's last binary place; a tie at the border belongs to x when its last bit is even, as in reading.
std::pair<std::string, long> shortest_digits(mpfr_srcptr x, mpfr_prec_t bits) {
  Integer v, half, scale, power, digit;
  if (mpfr_integer_p(x) && mpfr_get_exp(x) <= bits) {  // no digit is left out, and there may be very many
    mpfr_get_z(v.z, x, MPFR_RNDZ);
    mpz_abs(v.z, v.z);
    std::string digits(mpz_sizeinbase(v.z, 10) + 2, '\0');
    mpz_get_str(digits.data(), 10, v.z);
    digits.resize(digits.find('\0'));
    const auto point = static_cast<long>(digits.size());
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
    return {digits, point};
  }
  mpfr_exp_t exponent = mpfr_get_z_2exp(v.z, x);  // x = v * 2^exponent
  mpz_abs(v.z, v.z);
  // Bring v to exactly `bits` bits and one more, so that `half` is one.
  long shift = bits - static_cast<long>(mpz_sizeinbase(v.z, 2));
  if (shift > 0)
    mpz_mul_2exp(v.z, v.z, static_cast<mp_bitcnt_t>(shift));
  else
    mpz_fdiv_q_2exp(v.z, v.z, static_cast<mp_bitcnt_t>(-shift));  // only zero bits: x has no more than `bits`
  exponent -= shift;
  bool inclusive = mpz_even_p(v.z);
  mpz_mul_2exp(v.z, v.z, 1);
  exponent -= 1;
  mpz_set_ui(half.z, 1);
  mpz_set_ui(scale.z, 1);
  if (exponent >= 0) {
    mpz_mul_2exp(v.z, v.z, static_cast<mp_bitcnt_t>(exponent));
    mpz_mul_2exp(half.z, half.z, static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpz_mul_2exp(scale.z, scale.z, static_cast<mp_bitcnt_t>(-exponent));
  }
  // The decimal point: 10^(point-1) <= x < 10^point. The estimate is at most one off.
  long point =
      static_cast<long>(std::floor(static_cast<double>(mpfr_get_exp(x) - 1) * 0.30102999566398120)) + 1;
  mpz_ui_pow_ui(power.z, 10, static_cast<unsigned long>(std::abs(point)));
  if (point >= 0) {
    mpz_mul(scale.z, scale.z, power.z);
  } else {
    mpz_mul(v.z, v.z, power.z);
    mpz_mul(half.z, half.z, power.z);
  }
  while (mpz_cmp(v.z, scale.z) >= 0) {
    mpz_mul_ui(scale.z, scale.z, 10);
    ++point;
  }
  std::string digits;
  for (;;) {
    mpz_mul_ui(v.z, v.z, 10);
    mpz_mul_ui(half.z, half.z, 10);
    if (digits.empty() && mpz_cmp(v.z, scale.z) < 0) {  // the estimate was one too high
      --point;
      continue;
    }
    mpz_fdiv_qr(digit.z, v.z, v.z, scale.z);
    digits += static_cast<char>('0' + mpz_get_ui(digit.z));
    mpz_sub(power.z, scale.z, v.z);  // what rounding up would add
    int below = mpz_cmp(v.z, half.z), above = mpz_cmp(power.z, half.z);
    bool down = below < 0 || (below == 0 && inclusive), up = above < 0 || (above == 0 && inclusive);
    if (!down && !up) continue;
    if (down && up) {
      int nearer = mpz_cmp(v.z, power.z);
      up = nearer > 0 || (nearer == 0 && (digits.back() & 1));
    }
    if (up) round_up(digits, point);
    break;
  }
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  return {digits, point};
}

std::string Number::text() const {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (!cell_ && (precision_ != Precision::Double || (int_ <= kExact && int_ >= -kExact)))
    return int_text(int_);
  FloatView v(*this);
  if (mpfr_inf_p(v)) return sign() < 0 ? "-Inf" : "+Inf";
  if (mpfr_zero_p(v)) return "-0";
  auto [digits, point] = shortest_digits(v, v.bits());
  return plain(sign() < 0, digits, point);
}

std::string Number::text_fixed(int digits) const {
  return text_format('f', std::max(digits, 0));
}

std::string Number::text_format(char verb, int precision) const {
  FloatView v(*this);
  if (mpfr_inf_p(v)) return sign() < 0 ? "-Inf" : "+Inf";
  if (precision >= 0) return printf_text(v, precision, verb);
  if (verb == 'f') return text();
  std::string digits = "0";
  long point = 1;
  if (!mpfr_zero_p(v)) std::tie(digits, point) = shortest_digits(v, v.bits());
  bool negative = mpfr_signbit(static_cast<mpfr_srcptr>(v));
  if (verb == 'e' || verb == 'E') return with_exponent(negative, digits, point, verb);
  constexpr long limit = 6;
  if (point - 1 < -4 || point - 1 >= limit)
    return with_exponent(negative, digits, point, verb == 'g' ? 'e' : 'E');
  if (mpfr_zero_p(v)) return negative ? "-0" : "0";
  return plain(negative, digits, point);
}

std::string Number::text_base(int base) const {
  if (is_infinite()) return sign() < 0 ? "-Inf" : "+Inf";
  FloatView v(*this);
  Integer z;
  mpfr_get_z(z.z, v, MPFR_RNDZ);
  std::string out(mpz_sizeinbase(z.z, base) + 2, '\0');
  mpz_get_str(out.data(), base, z.z);
  out.resize(out.find('\0'));
  return out;
}

}  // namespace xplan
