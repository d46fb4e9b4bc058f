// Follows constructors of objects, tuples and for expressions beside the type of a variable.
#include "core/config/discarded.h"

#include <vector>

#include "core/base/text.h"
#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/eval/eval.h"
#include "core/value/path.h"

namespace xplan::config {
namespace {

using syntax::Expr;
using syntax::ExprKind;

class DiscardedFinder {
 public:
  DiscardedFinder(std::string_view variable, Diagnostics& diags) : variable_(variable), diags_(diags) {}

  void look(const Expr& e, Type t) {
    if (e.kind == ExprKind::Parens) return look(*e.a, t);
    switch (t.kind()) {
      case TypeKind::Object:
      case TypeKind::Map:
        if (e.kind == ExprKind::Object) return members(e, t);
        if (e.kind == ExprKind::For && e.is_object_for && t.is_map()) look(*e.b, t.element());
        return;
      case TypeKind::List:
      case TypeKind::Set:
        if (e.kind == ExprKind::Tuple)
          for (size_t i = 0; i < e.items.size(); ++i)
            inside(PathStep::of_index(number(i)), *e.items[i], t.element());
        if (e.kind == ExprKind::For && !e.is_object_for) look(*e.b, t.element());
        return;
      case TypeKind::Tuple:
        if (e.kind == ExprKind::Tuple && e.items.size() == t.elements().size())
          for (size_t i = 0; i < e.items.size(); ++i)
            inside(PathStep::of_index(number(i)), *e.items[i], t.elements()[i]);
        return;
      case TypeKind::Dynamic:
      case TypeKind::String:
      case TypeKind::Number:
      case TypeKind::Bool:
      case TypeKind::Capsule:
        return;
    }
  }

 private:
  static Value number(size_t i) { return Value::number(static_cast<int64_t>(i)); }

  void inside(PathStep step, const Expr& e, Type t) {
    path_.push_back(std::move(step));
    look(e, t);
    path_.pop_back();
  }

  // In pairs of names and values.
  void members(const Expr& e, Type t) {
    for (size_t i = 0; i + 1 < e.items.size(); i += 2) {
      Diagnostics not_constant;
      const Value name = eval::evaluate_constant(*e.items[i], not_constant);
      if (not_constant.has_errors() || !name.is_string()) continue;
      if (t.is_map()) {
        inside(PathStep::of_index(name), *e.items[i + 1], t.element());
        continue;
      }
      const Symbol attribute(name.as_string());
      const int at = t.find_attr(attribute);
      if (at >= 0)
        inside(PathStep::of_attr(attribute), *e.items[i + 1], t.elements()[static_cast<size_t>(at)]);
      else
        warn(attribute, e.items[i]->range, e.range, t);
    }
  }

  void warn(Symbol attribute, Range where, Range object, Type t) {
    std::vector<std::string_view> names;
    for (Symbol s : t.attr_names()) names.push_back(s.sv());
    diags_.warn("Object attribute is ignored",
                "The type of the variable " + in_quotes(variable_) + " has no attribute " +
                    in_quotes(attribute.sv()) + (path_.empty() ? "" : " at " + path_text(path_)) +
                    ", so this value is not used." + suggestion(attribute.sv(), names),
                where, object);
  }

  const std::string_view variable_;
  Diagnostics& diags_;
  Path path_;
};

}  // namespace

void warn_of_discarded(const Expr& e, Type type, std::string_view variable, Diagnostics& diags) {
  if (has_additions()) DiscardedFinder(variable, diags).look(e, type);
}

}  // namespace xplan::config
