// Operations along paths: get, update, compare and print; walking and transforming values with their paths;
// taking marks off to paths and putting them back.
#include "core/value/path.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/base/json_writer.h"
#include "core/value/refine.h"

namespace xplan {
namespace {

// Index of the child that a step leads to, -1 when it leads nowhere.
ptrdiff_t child_of(const Value& v, const PathStep& step) {
  auto position = [&](const Value* e) { return e ? e - v.elements().data() : -1; };
  switch (v.kind()) {
    case Kind::Obj:
      if (step.is_attr) return v.type().find_attr(step.attr);
      return step.index.is_string() ? v.type().find_attr(step.index.as_string()) : -1;
    case Kind::Map:
      if (step.is_attr) return position(v.find_key(step.attr.sv()));
      return step.index.is_string() ? position(v.find_key(step.index.as_string())) : -1;
    case Kind::Seq: {
      if (step.is_attr || !step.index.is_number()) return -1;
      std::optional<int64_t> i = step.index.as_number().exact_int64();
      return i && *i >= 0 && *i < static_cast<int64_t>(v.length()) ? *i : -1;
    }
    case Kind::Set: {
      if (step.is_attr) return -1;
      std::span<const Value> elements = v.elements();
      Value wanted = step.index.unmark_deep();
      // Sorted, but by a string that is costly to make: a scan with raw equality is cheaper at usual sizes.
      for (size_t i = 0; i < elements.size(); ++i)
        if (elements[i].raw_equal(wanted)) return static_cast<ptrdiff_t>(i);
      return -1;
    }
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      break;
  }
  return -1;
}

// The very same 16 bytes: enough to see that nothing was changed, and O(1) where a comparison is not.
bool untouched(const Value& a, const Value& b) {
  return std::memcmp(&a, &b, sizeof(Value)) == 0;
}

PathStep step_to(const Value& v, size_t i) {
  switch (v.kind()) {
    case Kind::Obj:
      return PathStep::of_attr(v.type().attr_names()[i]);
    case Kind::Map:
      return PathStep::of_index(v.map_key_value(i));
    case Kind::Set:
      return PathStep::of_index(v.elements()[i]);
    case Kind::Seq:
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      break;
  }
  return PathStep::of_index(Value::number(static_cast<int64_t>(i)));
}

// The same container with other elements; types follow. A collection whose new elements have different types
// takes the first one's that is not dynamic; callers keep them alike.
Value rebuild(const Value& v, std::vector<Value> elements) {
  auto element_type = [&] {
    for (const Value& e : elements)
      if (!e.type().is_dynamic()) return e.type();
    return elements.empty() ? v.type().element() : Type::dynamic();
  };
  Value r;
  switch (v.kind()) {
    case Kind::Seq:
      if (v.type().is_tuple()) {
        r = Value::tuple(std::move(elements));
      } else {
        Type t = element_type();
        r = Value::list(t, std::move(elements));
      }
      break;
    case Kind::Set: {
      Type t = element_type();
      r = Value::set(t, std::move(elements));
      break;
    }
    case Kind::Map: {
      Type t = element_type();
      std::vector<std::pair<std::string, Value>> entries;
      entries.reserve(elements.size());
      for (size_t i = 0; i < elements.size(); ++i) entries.emplace_back(v.map_key(i), std::move(elements[i]));
      r = Value::map(t, std::move(entries));
      break;
    }
    case Kind::Obj: {
      std::span<const Symbol> names = v.type().attr_names();
      std::span<const Type> types = v.type().elements();
      bool same = true;
      for (size_t i = 0; i < elements.size(); ++i) same = same && elements[i].type() == types[i];
      if (same) {
        r = Value::object(v.type(), std::move(elements));
        break;
      }
      std::vector<std::pair<Symbol, Value>> attrs;
      attrs.reserve(elements.size());
      for (size_t i = 0; i < elements.size(); ++i) attrs.emplace_back(names[i], std::move(elements[i]));
      r = Value::object(std::move(attrs));
      break;
    }
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      return v;
  }
  return r.with_marks(v.marks());
}

Value update_at(const Value& v, const Path& p, size_t depth, const std::function<Value(const Value&)>& f) {
  if (depth == p.size()) return f(v);
  ptrdiff_t i = child_of(v, p[depth]);
  if (i < 0) return v;
  std::vector<Value> elements(v.elements().begin(), v.elements().end());
  Value updated = update_at(elements[static_cast<size_t>(i)], p, depth + 1, f);
  if (untouched(updated, elements[static_cast<size_t>(i)])) return v;
  elements[static_cast<size_t>(i)] = std::move(updated);
  return rebuild(v, std::move(elements));
}

template <class F>
void walk(Path& path, const Value& v, F& f) {
  if (!f(path, v)) return;
  std::span<const Value> elements = v.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    path.push_back(step_to(v, i));
    walk(path, elements[i], f);
    path.pop_back();
  }
}

Value transform(Path& path, const Value& v, const std::function<Value(const Path&, const Value&)>& f) {
  std::span<const Value> elements = v.elements();
  if (elements.empty()) return f(path, v);
  std::vector<Value> changed;
  changed.reserve(elements.size());
  bool same = true;
  for (size_t i = 0; i < elements.size(); ++i) {
    path.push_back(step_to(v, i));
    changed.push_back(transform(path, elements[i], f));
    path.pop_back();
    same = same && untouched(changed.back(), elements[i]);
  }
  return same ? f(path, v) : f(path, rebuild(v, std::move(changed)));
}

// The wanted marks as a tree along the paths, so that all of them are set in one pass over the value.
struct MarkTree {
  Marks marks = 0;
  std::map<size_t, MarkTree> children;
};

Value apply_marks(const Value& v, const MarkTree& tree) {
  if (tree.children.empty()) return v.with_marks(tree.marks);
  std::vector<Value> elements(v.elements().begin(), v.elements().end());
  for (const auto& [i, child] : tree.children) elements[i] = apply_marks(elements[i], child);
  return rebuild(v, std::move(elements)).with_marks(tree.marks);
}

std::strong_ordering compare_index(const Value& a, const Value& b) {
  if (a.raw_equal(b)) return std::strong_ordering::equal;
  if (a.is_number() && b.is_number()) return a.as_number() <=> b.as_number();
  if (a.is_string() && b.is_string()) return a.as_string() <=> b.as_string();
  if (a.kind() != b.kind()) return a.kind() <=> b.kind();
  if (set_less(a, b)) return std::strong_ordering::less;
  return set_less(b, a) ? std::strong_ordering::greater : std::strong_ordering::equal;
}

}  // namespace

std::string path_text(const Path& p) {
  std::string out;
  for (const PathStep& s : p) {
    if (s.is_attr) {
      out += '.';
      out += s.attr.sv();
      continue;
    }
    out += '[';
    if (s.index.is_number() && !s.index.marks())
      out += s.index.as_number().text();
    else if (s.index.is_string() && !s.index.marks())
      append_json_string(out, s.index.as_string());
    else
      out += "...";  // an element of a set: as long as the value, and possibly secret
    out += ']';
  }
  return out;
}

std::optional<Value> path_get(const Value& v, const Path& p) {
  const Value* at = &v;
  Marks marks = 0;
  for (const PathStep& s : p) {
    marks |= at->marks();
    if (at->is_null()) return Value::null().with_marks(marks);
    if (at->is_unknown()) return Value::unknown().with_marks(marks);
    ptrdiff_t i = child_of(*at, s);
    if (i < 0) return std::nullopt;
    at = &at->elements()[static_cast<size_t>(i)];
  }
  return at->with_marks(marks);
}

Value path_update(const Value& v, const Path& p, const std::function<Value(const Value&)>& f) {
  return update_at(v, p, 0, f);
}

bool path_less(const Path& a, const Path& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].is_attr != b[i].is_attr) return a[i].is_attr;
    if (a[i].is_attr) {
      if (a[i].attr != b[i].attr) return a[i].attr.sv() < b[i].attr.sv();
    } else if (auto o = compare_index(a[i].index, b[i].index); o != 0) {
      return o < 0;
    }
  }
  return a.size() < b.size();
}

std::vector<PathMarks> marked_paths(const Value& v) {
  std::vector<PathMarks> out;
  if (!v.contains_marks()) return out;
  Path path;
  auto visit = [&](const Path& at, const Value& inner) {
    if (inner.marks()) out.push_back({at, inner.marks()});
    return (inner.facts() & Value::kMarksBelow) != 0;
  };
  walk(path, v, visit);
  return out;
}

Value unmark_with_paths(const Value& v, std::vector<PathMarks>& out) {
  if (!v.contains_marks()) return v;
  std::vector<PathMarks> found = marked_paths(v);
  out.insert(out.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  return v.unmark_deep();
}

Value mark_at_paths(const Value& v, const std::vector<PathMarks>& marks) {
  if (marks.empty()) return v;
  MarkTree root;
  for (const PathMarks& m : marks) {
    const Value* at = &v;
    std::vector<size_t> way;
    for (const PathStep& s : m.path) {
      ptrdiff_t i = at->kind() == Kind::Set ? -1 : child_of(*at, s);
      if (i < 0) {
        // Inside a set its own mark stands for those of its elements.
        if (at->kind() == Kind::Set) break;
        at = nullptr;
        break;
      }
      way.push_back(static_cast<size_t>(i));
      at = &at->elements()[static_cast<size_t>(i)];
    }
    if (!at) continue;
    MarkTree* node = &root;
    for (size_t i : way) node = &node->children[i];
    node->marks |= m.marks;
  }
  return apply_marks(v, root);
}

void walk_value(const Value& v, const std::function<bool(const Path&, const Value&)>& f) {
  Path path;
  walk(path, v, f);
}

Value transform_value(const Value& v, const std::function<Value(const Path&, const Value&)>& f) {
  Path path;
  return transform(path, v, f);
}

}  // namespace xplan
