// NumCell: a number that does not fit an inline integer: an MPFR float with its limbs behind it.
//
// Who calls it: number.cc, number_text.cc, value.cc.
// Invariant: not NaN, not an integer that fits int64 (negative zero excepted); written once.
// Cost: one allocation for header and limbs.  Thread-safety: as Cell.
#pragma once
#include <mpfr.h>

#include <cmath>
#include <string>
#include <utility>

#include "core/value/cell.h"
#include "core/value/number.h"

namespace xplan {

inline constexpr mpfr_prec_t kWideBits = 512, kNarrowBits = 64, kDoubleBits = 53;

struct NumCell : Cell {
  mpfr_t v;
  static NumCell* make(mpfr_prec_t bits);  // value not set yet
  static void free(const NumCell* cell);
  // As its exponent says: before the point, or zeros behind it.
  size_t about_digits() const {
    return mpfr_regular_p(v) ? static_cast<size_t>(std::abs(static_cast<double>(mpfr_get_exp(v))) * 0.30103)
                             : 0;
  }
};

// A temporary of any precision.
class Float {
 public:
  explicit Float(mpfr_prec_t bits) { mpfr_init2(v_, bits); }
  ~Float() { mpfr_clear(v_); }
  Float(const Float&) = delete;
  Float& operator=(const Float&) = delete;
  operator mpfr_ptr() { return v_; }
  mpfr_ptr get() { return v_; }

 private:
  mpfr_t v_;
};

// Any number seen as an MPFR float; inline integers are kept in the object itself.
class FloatView {
 public:
  explicit FloatView(const Number& n);
  FloatView(const FloatView&) = delete;
  FloatView& operator=(const FloatView&) = delete;
  operator mpfr_srcptr() const { return p_; }
  mpfr_prec_t bits() const { return bits_; }

 private:
  mpfr_t own_;
  mp_limb_t limb_[2];
  mpfr_srcptr p_;
  mpfr_prec_t bits_;
};

// Shortest decimal digits ("125") and the decimal point's place (0.125: 0, 12.5: 2) that read back to |x|
// among numbers of that many bits. x finite and not zero.
std::pair<std::string, long> shortest_digits(mpfr_srcptr x, mpfr_prec_t bits);

}  // namespace xplan
