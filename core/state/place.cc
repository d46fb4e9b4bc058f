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

}  // namespace xplan
