// What a place answers that keeps no journal.
#include "core/state/place.h"

namespace xplan {
namespace {
const Error kNoSegments{"no journal can be kept there"};
}  // namespace

Result<void> Place::put_segment(const std::string&, std::string_view) {
  return kNoSegments;
}
Result<std::vector<std::string>> Place::segments() {
  return std::vector<std::string>();
}
Result<std::string> Place::get_segment(const std::string&) {
  return kNoSegments;
}
Result<void> Place::remove_segment(const std::string&) {
  return kNoSegments;
}

Result<std::vector<std::string>> Place::get_segments(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    Result<std::string> one = get_segment(name);
    if (!one) return one.error();
    out.push_back(std::move(*one));
  }
  return out;
}
Result<void> Place::remove_segments(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (Result<void> ok = remove_segment(name); !ok) return ok;
  return {};
}

}  // namespace xplan
