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

Paths Paths::at(std::string_view key) const {
  Paths out;
  out.keep_below_ = keep_below_;
  for (const Rest& r : rest_) {
    if (r.from >= r.path->size()) {
      if (keep_below_) out.rest_.push_back(r);
      continue;
    }
    const PathStep& step = (*r.path)[r.from];
    if (step.is_attr ? step.attr.sv() == key : step.index.is_string() && step.index.as_string() == key)
      out.rest_.push_back({r.path, r.from + 1});
  }
  return out;
}

Paths Paths::at(size_t index) const {
  Paths out;
  out.keep_below_ = keep_below_;
  for (const Rest& r : rest_) {
    if (r.from >= r.path->size()) {
      if (keep_below_) out.rest_.push_back(r);
      continue;
    }
    const PathStep& step = (*r.path)[r.from];
    bool same = false;
    if (!step.is_attr && step.index.is_number()) {
      auto n = step.index.as_number().exact_int64();
      same = n && *n >= 0 && static_cast<size_t>(*n) == index;
    } else if (!step.is_attr && step.index.is_string()) {
      same = step.index.as_string() == std::to_string(index);
    }
    if (same) out.rest_.push_back({r.path, r.from + 1});
  }
  return out;
}

}  // namespace xplan::render
