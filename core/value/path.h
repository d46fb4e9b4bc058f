// Path: a place inside a value: attribute, index and key steps. Also marks-with-paths for provider calls.
//
// Who calls it: provider answers (requires_replace, diagnostics), state (sensitive_attributes), plan
// (contract checks), render.  Cost: linear in the steps.  Thread-safety: plain data.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/value/value.h"

namespace xplan {

struct PathStep {
  bool is_attr = true;
  Symbol attr;  // is_attr
  Value index;  // otherwise: a number (list, tuple), a string (map, object), or for sets the element itself
  static PathStep of_attr(Symbol s) { return {true, s, {}}; }
  static PathStep of_attr(std::string_view s) { return {true, Symbol(s), {}}; }
  static PathStep of_index(Value v) { return {false, {}, std::move(v)}; }
  friend bool operator==(const PathStep& a, const PathStep& b) {
    return a.is_attr == b.is_attr && a.attr == b.attr && a.index.raw_equal(b.index);
  }
};
using Path = std::vector<PathStep>;

std::string path_text(const Path& p);  // .a[0]["k"]; for messages
// The value at a path; empty when the path does not lead anywhere (wrong kind, absent key or index). Marks of
// containers on the way are joined to the result. A null or unknown on the way gives that null/unknown of
// dynamic type.
std::optional<Value> path_get(const Value& v, const Path& p);
// A copy with the value at p replaced by f(old); steps that lead nowhere leave the value as it is.
Value path_update(const Value& v, const Path& p, const std::function<Value(const Value&)>& f);
bool path_less(const Path& a, const Path& b);  // a total order, for output

struct PathMarks {
  Path path;
  Marks marks;
};
// Every place that has own marks, outermost first, in value order. Inside sets nothing is listed (the set's
// own).
std::vector<PathMarks> marked_paths(const Value& v);
Value unmark_with_paths(const Value& v, std::vector<PathMarks>& out);
Value mark_at_paths(const Value& v, const std::vector<PathMarks>& marks);  // a path into nothing is ignored
// Calls f(path, value) for every value inside v, v itself first; f returns false to not go deeper.
void walk_value(const Value& v, const std::function<bool(const Path&, const Value&)>& f);
// Rebuilds v bottom-up with f applied to every leaf and container; types follow the new elements.
Value transform_value(const Value& v, const std::function<Value(const Path&, const Value&)>& f);

}  // namespace xplan
