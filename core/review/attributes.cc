// Compares the object before and after a change, attribute by attribute.
#include "core/review/attributes.h"

#include <algorithm>

namespace xplan::review {
namespace {

Type attribute_type(Type object, std::string_view name) {
  const int i = object.find_attr(name);
  return i < 0 ? Type() : object.elements()[static_cast<size_t>(i)];
}

class Comparison {
 public:
  // Of two plans where `change` is null: neither comes after the other then.
  explicit Comparison(const ResourceChange* change) : change_(change) {}

  // Below a mark, names are told where the schema declares them; others may be secrets themselves.
  void compare(const Value& before, const Value& after, Marks marks, Type declared) {
    if (change_ ? !differ(before, after) : before.unmark_deep().raw_equal(after.unmark_deep())) return;
    marks |= before.marks() | after.marks();
    const bool objects = before.kind() == Kind::Obj && after.kind() == Kind::Obj;
    const bool maps = before.kind() == Kind::Map && after.kind() == Kind::Map;
    if ((objects || maps) && (marks == 0 || declared.kind() == TypeKind::Object)) {
      members(before, after, marks, objects, declared);
      return;
    }
    found_.push_back({path_, before.with_marks(marks), after.with_marks(marks), forces()});
  }

  std::vector<ChangedAttribute> take() { return std::move(found_); }

 private:
  void member(PathStep step, const Value* before, const Value* after, Marks marks, Type declared) {
    static const Value kNone;
    path_.push_back(std::move(step));
    compare(before ? *before : kNone, after ? *after : kNone, marks, declared);
    path_.pop_back();
  }

  // Both are sorted in the same way, so they are gone through together.
  void members(const Value& before, const Value& after, Marks marks, bool objects, Type declared) {
    auto type_of = [&](std::string_view member) {
      if (declared.kind() == TypeKind::Map) return declared.element();
      return declared.kind() == TypeKind::Object ? attribute_type(declared, member) : Type();
    };
    auto name = [&](const Value& v, size_t i) {
      return objects ? v.type().attr_names()[i].sv() : v.map_key(i);
    };
    auto step = [&](const Value& v, size_t i) {
      return objects ? PathStep::of_attr(v.type().attr_names()[i]) : PathStep::of_index(v.map_key_value(i));
    };
    const auto old = before.elements(), now = after.elements();
    for (size_t i = 0, k = 0; i < old.size() || k < now.size();) {
      const int order = i == old.size() ? 1 : k == now.size() ? -1 : name(before, i).compare(name(after, k));
      if (order < 0) {
        member(step(before, i), &old[i], nullptr, marks, type_of(name(before, i))), ++i;
      } else if (order > 0) {
        member(step(after, k), nullptr, &now[k], marks, type_of(name(after, k))), ++k;
      } else {
        member(step(after, k), &old[i], &now[k], marks, type_of(name(after, k))), ++i, ++k;
      }
    }
  }

  bool forces() const {
    if (!change_) return false;
    const std::vector<Path>& forcing = change_->required_replace;
    return std::any_of(forcing.begin(), forcing.end(), [&](const Path& p) {
      const size_t common = std::min(p.size(), path_.size());
      return std::equal(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(common), path_.begin());
    });
  }

  const ResourceChange* const change_;
  Path path_;
  std::vector<ChangedAttribute> found_;
};

}  // namespace

bool differ(const Value& before, const Value& after) {
  if (!after.is_wholly_known()) return true;
  if (before.contains_marks() || after.contains_marks())
    return !before.unmark_deep().raw_equal(after.unmark_deep());
  return !before.raw_equal(after);
}

std::vector<ChangedAttribute> changed_attributes(const ResourceChange& c) {
  if (c.change.action != Action::Update && !is_replace(c.change.action)) return {};
  auto of = [&](const Value& v) { return schema::mark_sensitive(v, c.schema.get()); };
  Comparison comparison(&c);
  comparison.compare(of(c.change.before), of(c.change.after), 0,
                     c.schema ? c.schema->block.implied_type() : Type());
  return comparison.take();
}

std::vector<ChangedAttribute> different_attributes(const Value& older, const Value& newer) {
  Comparison comparison(nullptr);
  comparison.compare(older, newer, 0, Type());
  return comparison.take();
}

}  // namespace xplan::review
