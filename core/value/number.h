// Number: a 512-bit binary float with an inline fast path for 64-bit integers.
//
// Who calls it: value, eval (arithmetic), functions, codecs.
// Semantics (facts of the language): decimal text is read at 512 bits of mantissa, round to nearest even; an
// operation's result has the larger precision of its operands; numbers made from machine integers (lengths,
// indexes) have 64 bits. Text is the shortest decimal that reads back to the same number at its precision,
// without exponent. Infinities exist (1/0); NaN does not (0/0 is an error).
// Invariant: a number that is an integer fitting int64 is stored inline, whatever made it; whether it counts as
// 64-bit or 512-bit precision is one flag.  Cost: inline + - * compare are machine operations; the rest MPFR.
// Thread-safety: immutable; copies share a reference-counted cell.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan {

struct NumCell;  // an MPFR number, defined in number.cc

class Number {
 public:
  Number() : int_(0) {}
  Number(int64_t n, bool narrow = true) : int_(n), narrow_(narrow) {}  // narrow: 64-bit precision
  static Number from_double(double d);                                  // 53 bits of precision
  static Number infinity(bool negative = false);
  // Decimal text: digits, fraction, exponent. Errors: anything else. No leading '+', no hex.
  static Result<Number> parse(std::string_view text);
  static Result<Number> parse_base(std::string_view digits, int base);  // integer in base 2 to 62

  Number(const Number&);
  Number(Number&&) noexcept;
  Number& operator=(Number) noexcept;
  ~Number();

  bool is_int64() const { return cell_ == nullptr; }
  int64_t int64() const { return int_; }          // only if is_int64()
  bool is_integer() const;
  bool is_infinite() const;
  bool is_negative_zero() const;
  int sign() const;                               // -1, 0, 1
  double to_double() const;                       // nearest
  bool fits_double_exactly() const;
  std::optional<int64_t> exact_int64() const;     // when it is an integer in range
  std::string text() const;                       // shortest plain decimal, "-0" for negative zero
  std::string text_fixed(int digits) const;       // %f with that many fraction digits
  std::string text_format(char verb, int precision) const;  // e, E, f, g, G as C's printf; precision -1: shortest
  std::string text_base(int base) const;          // integer part in base 2 to 36, lower case

  // Arithmetic; the caller checks the undefined cases (0/0, inf-inf, inf*0) with the *_defined functions.
  friend Number operator+(const Number&, const Number&);
  friend Number operator-(const Number&, const Number&);
  friend Number operator*(const Number&, const Number&);
  friend Number operator/(const Number&, const Number&);
  static Number modulo(const Number& a, const Number& b);  // sign of a; x % 0 is x's fraction rule, see number.cc
  static bool add_defined(const Number&, const Number&);
  static bool sub_defined(const Number&, const Number&);
  static bool mul_defined(const Number&, const Number&);
  static bool div_defined(const Number&, const Number&);
  Number negate() const;
  Number absolute() const;
  Number floor() const;
  Number ceil() const;
  Number truncate() const;

  friend std::strong_ordering operator<=>(const Number&, const Number&);  // -0 equals 0
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }
  size_t hash() const;

  // For Value only: the shared cell (null when inline), and adopting one.
  const NumCell* cell() const { return cell_; }
  bool narrow() const { return narrow_; }
  static Number share(const NumCell* cell);

 private:
  int64_t int_ = 0;
  const NumCell* cell_ = nullptr;
  bool narrow_ = true;
};

}  // namespace xplan
