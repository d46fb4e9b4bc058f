// Limits of evaluation: what one expression may use before it is refused with a diagnostic.
//
// Used by: eval and the functions that build strings or collections.
// Why: a configuration is input. A few lines can ask for more memory or stack than any machine has; that must
// end in a message that names the expression, not in a crash. The numbers are far above honest use. Cost:
// comparisons.  Thread-safety: constants.
#pragma once
#include <cstddef>

namespace xplan::eval {

// Nested operations on one thread, counted over templates that are rendered inside others too. The parser
// allows less in one expression; a level needs at most about 3 KB of stack, 6 KB in sanitizer builds.
inline constexpr int kMaxEvalDepth = 1000;
inline constexpr size_t kMaxStringBytes = size_t{256} << 20;  // of one produced string
// Of one produced collection, or of a result written out.
inline constexpr size_t kMaxElements = size_t{16} << 20;
inline constexpr size_t kMaxNesting = 1000;         // of values within each other, in a result
inline constexpr size_t kMaxRounds = kMaxElements;  // of all loops of one expression, inner ones included
inline constexpr size_t kRenderingRounds = 256;     // what a template that is rendered counts as
// From such arguments on, a call may take longer than anybody waits after an interrupt. Much of what is done
// with collections takes no longer with large ones; what is done with text does.
inline constexpr size_t kLongText = size_t{4} << 20, kLongCollection = size_t{1} << 20;
// After so many problems in one loop the rest of its elements is skipped: they would all say the same.
inline constexpr size_t kMaxLoopErrors = 10;

}  // namespace xplan::eval
