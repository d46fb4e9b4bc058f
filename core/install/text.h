// Small helpers for messages.  Who calls it: all of install.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan::install {

inline std::string in_quotes(std::string_view s) {
  return "\"" + std::string(s) + "\"";
}

}  // namespace xplan::install
