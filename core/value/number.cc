// Arithmetic, comparison, rounding, parsing and hashing of Number: the inline integer path, and MPFR with
// the precision rules of the language. Text output is in number_text.cc.
#include "core/value/number.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>

#include "core/base/memory.h"
#include "core/value/number_cell.h"

namespace xplan {
namespace {

mpfr_prec_t bits_of(Precision p) {
  return p == Precision::Wide ? kWideBits : p == Precision::Narrow ? kNarrowBits : kDoubleBits;
}
Precision precision_of(mpfr_prec_t bits) {
  return bits > kNarrowBits ? Precision::Wide : bits > kDoubleBits ? Precision::Narrow : Precision::Double;
}
Precision larger(Precision a, Precision b) {
  return a < b ? a : b;
}  // Wide is the first

// Inline results are exact, but a number of 53 bits that needs more must be rounded.
bool needs_rounding(int64_t n, Precision p) {
  return p == Precision::Double && (n > (int64_t{1} << 53) || n < -(int64_t{1} << 53));
}

constexpr bool kFast =
#ifdef XPLAN_STRESS
    false;
#else
    true;
#endif

// Takes over `cell`, whose value has been set: stores it inline where the invariant of Number asks for it.
Number settle(NumCell* cell) {
  if (mpfr_fits_slong_p(cell->v, MPFR_RNDZ) && mpfr_integer_p(cell->v) &&
      !(mpfr_zero_p(cell->v) && mpfr_signbit(cell->v))) {
    Number n(static_cast<int64_t>(mpfr_get_si(cell->v, MPFR_RNDZ)), precision_of(mpfr_get_prec(cell->v)));
    NumCell::free(cell);
    return n;
  }
  return Number::adopt(cell);
}

template <class Op>
Number compute(mpfr_prec_t bits, Op op) {
  NumCell* cell = NumCell::make(bits);
  op(cell->v);
  return settle(cell);
}

const char* skip_digits(const char* p, const char* end) {
  while (p != end && *p >= '0' && *p <= '9') ++p;
  return p;
}

Error not_a_number(std::string_view text) {
  return Error{"\"" + std::string(text) + "\" is not a decimal number"};
}

}  // namespace

NumCell* NumCell::make(mpfr_prec_t bits) {
  void* memory = take_memory(sizeof(NumCell) + mpfr_custom_get_size(bits));
  auto* cell = new (memory) NumCell;
  void* limbs = cell + 1;
  mpfr_custom_init(limbs, bits);
  mpfr_custom_init_set(cell->v, MPFR_ZERO_KIND, 0, bits, limbs);
  return cell;
}

void NumCell::free(const NumCell* cell) {
  std::free(const_cast<NumCell*>(cell));
}

FloatView::FloatView(const Number& n) {
  if (n.cell()) {
    p_ = n.cell()->v;
    bits_ = mpfr_get_prec(p_);
    return;
  }
  mpfr_custom_init(limb_, 64);
  mpfr_custom_init_set(own_, MPFR_ZERO_KIND, 0, 64, limb_);
  mpfr_set_si(own_, n.int64(), MPFR_RNDN);
  p_ = own_;
  bits_ = bits_of(n.precision());
}

// ---- life

Number Number::adopt(const NumCell* cell) {
  Number n;
  n.cell_ = cell;
  n.precision_ = precision_of(mpfr_get_prec(cell->v));
  return n;
}
Number Number::share(const NumCell* cell) {
  if (!cell->immortal()) cell->retain();
  return adopt(cell);
}
const NumCell* Number::release() {
  return std::exchange(cell_, nullptr);
}

Number::Number(const Number& o) : int_(o.int_), cell_(o.cell_), precision_(o.precision_) {
  if (cell_ && !cell_->immortal()) cell_->retain();
}
Number::Number(Number&& o) noexcept
    : int_(o.int_), cell_(std::exchange(o.cell_, nullptr)), precision_(o.precision_) {}
Number& Number::operator=(Number o) noexcept {
  std::swap(int_, o.int_);
  std::swap(cell_, o.cell_);
  std::swap(precision_, o.precision_);
  return *this;
}
Number::~Number() {
  if (cell_ && !cell_->immortal() && cell_->release()) NumCell::free(cell_);
}

Number Number::from_double(double d) {
  if (std::isnan(d)) return Number(0);
  return compute(kDoubleBits, [&](mpfr_ptr r) { mpfr_set_d(r, d, MPFR_RNDN); });
}

Number Number::infinity(bool negative) {
  return compute(kWideBits, [&](mpfr_ptr r) { mpfr_set_inf(r, negative ? -1 : 1); });
}

static const Error& too_many_digits() {
  static const Error it{std::string(kTooManyDigits)};
  return it;
}
static Result<Number> within_limit(Number n) {
  if (n.too_large()) return too_many_digits();
  return n;
}

Result<Number> Number::parse(std::string_view text) {
  const char *p = text.data(), *end = p + text.size();
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  std::string_view body(p, static_cast<size_t>(end - p));
  if (body == "Inf" || body == "inf") return infinity(negative);

  const char* int_end = skip_digits(p, end);
  size_t digits = static_cast<size_t>(int_end - p);
  const char* q = int_end;
  if (q != end && *q == '.') {
    const char* frac_end = skip_digits(q + 1, end);
    digits += static_cast<size_t>(frac_end - q) - 1;
    q = frac_end;
  }
  if (digits == 0) return not_a_number(text);
  if (digits > kMaxNumberDigits) return too_many_digits();
  if (q == int_end && q == end && digits <= 18) {  // the usual case: a short integer
    int64_t n = 0;
    for (; p != end; ++p) n = n * 10 + (*p - '0');
    if (n != 0 || !negative) return Number(negative ? -n : n, false);
  }
  const char* mantissa_end = q;
  long power_of_two = 0;
  if (q != end) {
    char mark = *q++;
    if (mark != 'e' && mark != 'E' && mark != 'p' && mark != 'P') return not_a_number(text);
    const char* exponent = q;
    if (q != end && (*q == '-' || *q == '+')) ++q;
    const char* exponent_digits = q;
    q = skip_digits(q, end);
    if (q == exponent_digits || q != end) return not_a_number(text);
    if (q - exponent_digits > 9) return Error{"the exponent of \"" + std::string(text) + "\" is too large"};
    if (mark == 'p' || mark == 'P')
      power_of_two = std::strtol(std::string(exponent, q).c_str(), nullptr, 10);
    else
      mantissa_end = q;
  }
  std::string decimal(text.data() + (text[0] == '+'), mantissa_end);
  return within_limit(compute(kWideBits, [&](mpfr_ptr r) {
    mpfr_strtofr(r, decimal.c_str(), nullptr, 10, MPFR_RNDN);
    if (power_of_two) mpfr_mul_2si(r, r, power_of_two, MPFR_RNDN);
  }));
}

Result<Number> Number::parse_base(std::string_view digits, int base) {
  Error bad{"\"" + std::string(digits) + "\" is not an integer in base " + std::to_string(base)};
  std::string_view body = digits;
  if (!body.empty() && (body[0] == '-' || body[0] == '+')) body.remove_prefix(1);
  if (body.empty() || base < 2 || base > 62) return bad;
  if (body.size() > kMaxNumberDigits * 4)
    return too_many_digits();  // in base 2 there are 3.3 for a decimal one
  std::string gmp_digits(body);
  for (char& c : gmp_digits) {
    int d = c >= '0' && c <= '9'   ? c - '0'
            : c >= 'a' && c <= 'z' ? c - 'a' + 10
            : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                   : 99;
    if (base > 36 && c >= 'A' && c <= 'Z') d += 26;  // above 36 upper case follows lower case
    if (d >= base) return bad;
    // The library orders them the other way round: upper case first.
    if (base > 36 && c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
    else if (base > 36 && c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  }
  mpz_t z;
  mpz_init(z);
  mpz_set_str(z, gmp_digits.c_str(), base);
  if (digits[0] == '-') mpz_neg(z, z);
  mpfr_prec_t bits = std::max<mpfr_prec_t>(kNarrowBits, static_cast<mpfr_prec_t>(mpz_sizeinbase(z, 2)));
  Number n = compute(bits, [&](mpfr_ptr r) { mpfr_set_z(r, z, MPFR_RNDN); });
  mpz_clear(z);
  return within_limit(std::move(n));
}

// ---- questions

bool Number::is_integer() const {
  return !cell_ || mpfr_integer_p(cell_->v);
}
bool Number::is_infinite() const {
  return cell_ && mpfr_inf_p(cell_->v);
}
bool Number::is_negative_zero() const {
  return cell_ && mpfr_zero_p(cell_->v) && mpfr_signbit(cell_->v);
}
bool Number::too_large() const {
  return cell_ && cell_->about_digits() > kMaxNumberDigits;
}
int Number::sign() const {
  if (!cell_) return (int_ > 0) - (int_ < 0);
  int s = mpfr_sgn(cell_->v);
  return (s > 0) - (s < 0);
}
double Number::to_double() const {
  return cell_ ? mpfr_get_d(cell_->v, MPFR_RNDN) : static_cast<double>(int_);
}
bool Number::fits_double_exactly() const {
  FloatView v(*this);
  double d = mpfr_get_d(v, MPFR_RNDN);
  return mpfr_inf_p(v) || mpfr_cmp_d(v, d) == 0;
}
std::optional<int64_t> Number::exact_int64() const {
  if (!cell_) return int_;
  if (mpfr_zero_p(cell_->v)) return 0;
  return std::nullopt;
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (!a.cell_ && !b.cell_) return a.int_ <=> b.int_;
  return mpfr_cmp(FloatView(a), FloatView(b)) <=> 0;
}

bool Number::equal_slow(const Number& a, const Number& b) {
  if (a.cell_ == b.cell_) return true;
  FloatView x(a), y(b);
  if (mpfr_equal_p(x, y)) return true;
  // Numbers of one precision have different texts when they differ; integers never go by text.
  if (x.bits() == y.bits() || mpfr_integer_p(x) || mpfr_integer_p(y) || a.sign() != b.sign()) return false;
  return a.text() == b.text();
}

size_t Number::hash() const {
  if (!cell_) return std::hash<int64_t>()(int_);
  if (mpfr_zero_p(cell_->v)) return std::hash<int64_t>()(0);
  if (mpfr_integer_p(cell_->v)) return std::hash<double>()(to_double());
  return std::hash<std::string>()(text());
}

// ---- arithmetic

bool Number::add_defined(const Number& a, const Number& b) {
  return !(a.is_infinite() && b.is_infinite() && a.sign() != b.sign());
}
bool Number::sub_defined(const Number& a, const Number& b) {
  return !(a.is_infinite() && b.is_infinite() && a.sign() == b.sign());
}
bool Number::mul_defined(const Number& a, const Number& b) {
  return !((a.is_infinite() && b.sign() == 0) || (b.is_infinite() && a.sign() == 0));
}
bool Number::div_defined(const Number& a, const Number& b) {
  return !((a.is_infinite() && b.is_infinite()) || (a.sign() == 0 && b.sign() == 0));
}
bool Number::modulo_defined(const Number& a, const Number& b) {
  return b.sign() == 0 || (!a.is_infinite() && !b.is_infinite());
}

Number operator+(const Number& a, const Number& b) {
  int64_t r;
  Precision p = larger(a.precision_, b.precision_);
  if (kFast && !a.cell_ && !b.cell_ && !__builtin_add_overflow(a.int_, b.int_, &r) && !needs_rounding(r, p))
    return Number(r, p);
  FloatView x(a), y(b);
  return compute(std::max(x.bits(), y.bits()), [&](mpfr_ptr to) { mpfr_add(to, x, y, MPFR_RNDN); });
}

Number operator-(const Number& a, const Number& b) {
  int64_t r;
  Precision p = larger(a.precision_, b.precision_);
  if (kFast && !a.cell_ && !b.cell_ && !__builtin_sub_overflow(a.int_, b.int_, &r) && !needs_rounding(r, p))
    return Number(r, p);
  FloatView x(a), y(b);
  return compute(std::max(x.bits(), y.bits()), [&](mpfr_ptr to) { mpfr_sub(to, x, y, MPFR_RNDN); });
}

// A product is made at 512 bits and keeps as many of them as it needs, at least those of the wider operand.
Number operator*(const Number& a, const Number& b) {
  int64_t r;
  Precision p = larger(a.precision_, b.precision_);
  // Zero has a sign, which an inline integer cannot carry.
  if (kFast && !a.cell_ && !b.cell_ && !__builtin_mul_overflow(a.int_, b.int_, &r) && !needs_rounding(r, p) &&
      (r != 0 || (a.int_ >= 0 && b.int_ >= 0)))
    return Number(r, p);
  FloatView x(a), y(b);
  Float product(kWideBits);
  mpfr_mul(product, x, y, MPFR_RNDN);
  mpfr_prec_t bits = std::max(x.bits(), y.bits());
  if (mpfr_regular_p(product.get())) bits = std::max(bits, mpfr_min_prec(product));
  return compute(bits, [&](mpfr_ptr to) { mpfr_set(to, product, MPFR_RNDN); });
}

Number operator/(const Number& a, const Number& b) {
  if (kFast && !a.cell_ && !b.cell_ && a.int_ != 0 && b.int_ != 0 && b.int_ != -1 && a.int_ % b.int_ == 0)
    return Number(a.int_ / b.int_, larger(a.precision_, b.precision_));
  FloatView x(a), y(b);
  return compute(std::max(x.bits(), y.bits()), [&](mpfr_ptr to) { mpfr_div(to, x, y, MPFR_RNDN); });
}

// a - b * trunc(a / b), every step rounded: the quotient at the larger precision, the rest at that of a.
Number Number::modulo(const Number& a, const Number& b) {
  if (b.sign() == 0) return a;
  if (kFast && !a.cell_ && !b.cell_ && b.int_ != -1) return Number(a.int_ % b.int_, a.precision_);
  FloatView x(a), y(b);
  Float quotient(std::max(x.bits(), y.bits())), work(x.bits());
  mpfr_div(quotient, x, y, MPFR_RNDN);
  mpfr_trunc(quotient, quotient);
  mpfr_set(work, quotient, MPFR_RNDN);
  mpfr_mul(work, y, work, MPFR_RNDN);
  return compute(x.bits(), [&](mpfr_ptr to) { mpfr_sub(to, x, work, MPFR_RNDN); });
}

Number Number::negate() const {
  if (kFast && !cell_ && int_ != 0 && int_ != std::numeric_limits<int64_t>::min())
    return Number(-int_, precision_);
  FloatView x(*this);
  return compute(x.bits(), [&](mpfr_ptr to) { mpfr_neg(to, x, MPFR_RNDN); });
}
Number Number::absolute() const {
  if (sign() > 0) return *this;
  FloatView x(*this);
  return compute(x.bits(), [&](mpfr_ptr to) { mpfr_abs(to, x, MPFR_RNDN); });
}
Number Number::floor() const {
  if (!cell_ || is_infinite()) return *this;
  if (is_negative_zero()) return Number(0, precision_);
  return compute(mpfr_get_prec(cell_->v), [&](mpfr_ptr to) { mpfr_floor(to, cell_->v); });
}
Number Number::ceil() const {
  if (!cell_ || is_infinite()) return *this;
  Number r = compute(mpfr_get_prec(cell_->v), [&](mpfr_ptr to) { mpfr_ceil(to, cell_->v); });
  return r.is_negative_zero() ? Number(0, r.precision_) : r;
}
Number Number::truncate() const {
  if (is_integer() || is_infinite()) return *this;
  Float whole(mpfr_get_prec(cell_->v));
  mpfr_trunc(whole, cell_->v);
  if (mpfr_zero_p(whole.get())) return Number(0);
  mpfr_prec_t bits = std::max<mpfr_prec_t>(kNarrowBits, mpfr_get_exp(whole));
  return compute(bits, [&](mpfr_ptr to) { mpfr_set(to, whole, MPFR_RNDN); });
}

}  // namespace xplan
