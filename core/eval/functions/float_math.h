// Logarithms and powers in double precision whose last bit does not depend on the C library.
//
// Who calls it: numeric.cc.
// Why not <cmath>: results are printed with all their digits and stored, so 1 unit in the last place is a
// change in somebody's plan. The logarithm follows the published fdlibm method, the exponential function
// Shibata's; whole powers are made by squaring with the exponent kept apart. Together they give the digits
// the reference tools give. Cost: some dozen operations.  Thread-safety: pure functions.
#pragma once

namespace xplan::eval {

double natural_log(double x);                // NaN below 0, -Inf at 0
double power(double base, double exponent);  // NaN for a fractional power of a negative number

}  // namespace xplan::eval
