// Writes a string with the quotes and escapes of the native syntax: for generated configuration and the
// dependency lock file. How characters are escaped: core/base/quote.h.
#include "core/base/quote.h"
#include "core/syntax/body.h"

namespace xplan::syntax {

std::string quote(std::string_view s) {
  std::string out;
  out.reserve(s.size() + 2);
  append_quoted(out, s, Quoting::Config);
  return out;
}

}  // namespace xplan::syntax
