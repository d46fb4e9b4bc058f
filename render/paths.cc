// A set of paths narrowed step by step, used to know what in a value forces replacement or matters in drift.
#include "render/paths.h"

#include <algorithm>
#include <string>

namespace xplan::render {

Paths::Paths(const std::vector<Path>& paths) {
  rest_.reserve(paths.size());
  for (const Path& p : paths) rest_.push_back({&p, 0});
}

bool Paths::here() const {
  return std::any_of(rest_.begin(), rest_.end(), [](const Rest& r) { return r.from >= r.path->size(); });
}

bool Paths::inside() const {
  return std::any_of(rest_.begin(), rest_.end(), [](const Rest& r) { return r.from < r.path->size(); });
}

template <class Same>
Paths Paths::below(Same same) const {
  Paths out;
  out.keep_below_ = keep_below_;
  for (const Rest& r : rest_) {
    if (r.from >= r.path->size()) {
      if (keep_below_) out.rest_.push_back(r);
    } else if (same((*r.path)[r.from])) {
      out.rest_.push_back({r.path, r.from + 1});
    }
  }
  return out;
}

Paths Paths::at(std::string_view key) const {
  return below([&](const PathStep& step) {
    return step.is_attr ? step.attr.sv() == key : step.index.is_string() && step.index.as_string() == key;
  });
}

Paths Paths::at(size_t index) const {
  return below([&](const PathStep& step) {
    if (step.is_attr) return false;
    if (step.index.is_string()) return step.index.as_string() == std::to_string(index);
    if (!step.index.is_number()) return false;
    auto n = step.index.as_number().exact_int64();
    return n && *n >= 0 && static_cast<size_t>(*n) == index;
  });
}

}  // namespace xplan::render
