// Number: a 512-bit binary float with an inline fast path for 64-bit integers.
//
// Who calls it: value, eval (arithmetic), functions, codecs.
// Semantics (facts of the language): decimal text is read at 512 bits of mantissa, round to nearest even; an
// operation's result has the larger precision of its operands; numbers made from machine integers (lengths,
// indexes) have 64 bits. Text is the shortest decimal that reads back to the same number at its precision,
// without exponent. Infinities exist (1/0); NaN does not (0/0 is an error).
// Invariant: a number that is an integer fitting int64 is stored inline, whatever made it (only negative zero
// is not); its precision is a tag beside it. Numbers made from doubles have 53 bits, and that shows: pow(2,
// 60) has the text 1152921504606847000. Equality is the language's: integers by value, other numbers by their
// text, so 0.1 made from a double equals the 0.1 of a literal. Order (<=>) is by exact value. Cost: inline +
// - * compare are machine operations; the rest MPFR; == and hash of fractions of different precision go
// through text. Thread-safety: immutable; copies share a reference-counted cell.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/result.h"

namespace xplan {

struct NumCell;  // an MPFR number, see number_cell.h

// Numbers that need more digits, before or behind the point, are refused where they come in: written out, a
// few bytes would become any amount of text.
inline constexpr size_t kMaxNumberDigits = 100'000;
inline constexpr std::string_view kTooManyDigits = "numbers of more than 100,000 digits are not supported";

// How many bits of mantissa an inline integer counts for.
enum class Precision : uint8_t { Wide, Narrow, Double };  // 512, 64, 53

class Number {
 public:
  Number() : int_(0) {}
  Number(int64_t n, bool narrow = true) : int_(n), precision_(narrow ? Precision::Narrow : Precision::Wide) {}
  Number(int64_t n, Precision p) : int_(n), precision_(p) {}
  template <class Int, class = std::enable_if_t<std::is_integral_v<Int> && !std::is_same_v<Int, int64_t>>>
  Number(Int n) : Number(static_cast<int64_t>(n)) {}
  static Number from_double(double d);  // 53 bits of precision
  static Number infinity(bool negative = false);
  // Decimal text, as conversion from string takes it: sign, digits, fraction, exponent (e, or p for a power
  // of two), or Inf. Errors: anything else (spaces, underscores, hex, nan), and too many digits
  // (kTooManyDigits).
  static Result<Number> parse(std::string_view text);
  static Result<Number> parse_base(std::string_view digits, int base);  // integer in base 2 to 62

  Number(const Number&);
  Number(Number&&) noexcept;
  Number& operator=(Number) noexcept;
  ~Number();

  bool is_int64() const { return cell_ == nullptr; }
  int64_t int64() const { return int_; }  // only if is_int64()
  bool is_integer() const;
  bool is_infinite() const;
  bool is_negative_zero() const;
  bool too_large() const;    // more than kMaxNumberDigits
  int sign() const;          // -1, 0, 1
  double to_double() const;  // nearest
  bool fits_double_exactly() const;
  std::optional<int64_t> exact_int64() const;  // when it is an integer in range
  std::string text() const;                    // shortest plain decimal, "-0" for negative zero
  std::string text_fixed(int digits) const;    // %f with that many fraction digits
  // e, E, f, g, G as C's printf; precision -1: the shortest digits (g then takes the exponent form below 1e-4
  // and from 1e6 on).
  std::string text_format(char verb, int precision) const;
  std::string text_base(int base) const;  // integer part in base 2 to 36, lower case

  // Arithmetic; the caller checks the undefined cases (0/0, inf-inf, inf*0) with the *_defined functions.
  friend Number operator+(const Number&, const Number&);
  friend Number operator-(const Number&, const Number&);
  friend Number operator*(const Number&, const Number&);
  friend Number operator/(const Number&, const Number&);
  static Number modulo(const Number& a, const Number& b);  // sign of a; x % 0 is x
  static bool add_defined(const Number&, const Number&);
  static bool sub_defined(const Number&, const Number&);
  static bool mul_defined(const Number&, const Number&);
  static bool div_defined(const Number&, const Number&);
  static bool modulo_defined(const Number&, const Number&);
  Number negate() const;
  Number absolute() const;
  Number floor() const;
  Number ceil() const;
  Number truncate() const;

  friend std::strong_ordering operator<=>(const Number&, const Number&);  // -0 equals 0
  friend bool operator==(const Number& a, const Number& b) {
    return !a.cell_ && !b.cell_ ? a.int_ == b.int_ : equal_slow(a, b);
  }
  size_t hash() const;  // consistent with ==

  // For Value only: the shared cell (null when inline), and adopting one.
  const NumCell* cell() const { return cell_; }
  Precision precision() const { return precision_; }  // only if is_int64()
  bool narrow() const { return precision_ != Precision::Wide; }
  static Number share(const NumCell* cell);  // counts it
  static Number adopt(const NumCell* cell);  // takes over one count
  const NumCell* release();                  // gives one count away and becomes 0

 private:
  static bool equal_slow(const Number& a, const Number& b);

  int64_t int_ = 0;
  const NumCell* cell_ = nullptr;
  Precision precision_ = Precision::Narrow;
};

}  // namespace xplan
