// Fills a table of functions, with what the dialect and the environment permit.
#include "core/config/functions.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/config/dialect.h"

namespace xplan::config {
namespace {

int template_depth() {
  constexpr int kUsual = 1024, kNotANumber = -1;
  if (!has_additions()) return 0;
  const char* set = std::getenv("TF_TEMPLATE_RECURSION_DEPTH");
  if (!set || !*set) return kUsual;
  const std::string_view text = set;
  int depth = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), depth);
  return problem == std::errc() && end == text.data() + text.size() && depth >= 0 ? depth : kNotANumber;
}

}  // namespace

void register_functions(eval::FunctionTable& table) {
  eval::register_core_functions(table);
  table.additions = has_additions();
  table.template_depth = template_depth();
}

}  // namespace xplan::config
