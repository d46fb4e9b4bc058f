// Evaluates calls: looks the function up, evaluates its arguments and expands the last one ("..."). try, can,
// convert and type are done here, since they see expressions rather than values; all others through
// call_protocol.cc.
#include <algorithm>
#include <array>

#include "core/eval/evaluator.h"
#include "core/value/refine.h"

namespace xplan::eval {

namespace {
std::string_view plain_name(std::string_view name) {
  return name.starts_with("core::") ? name.substr(6) : name;
}

// Is it a reference to something that exists, not a value made on the spot?
bool is_direct_reference(const Expr* e) {
  while (e->kind == ExprKind::Index || e->kind == ExprKind::RelTraversal) e = e->a;
  return e->kind == ExprKind::Traversal;
}

// The arguments of a call; the usual few without an allocation.
class ArgumentList {
 public:
  explicit ArgumentList(size_t expected) : inlined_(expected <= kInline) {}
  void add(Value v, Range where) {
    if (inlined_) {
      few_[size_] = std::move(v), few_ranges_[size_] = where;
    } else {
      many_.push_back(std::move(v)), many_ranges_.push_back(where);
    }
    ++size_;
  }
  std::span<const Value> values() const { return {inlined_ ? few_.data() : many_.data(), size_}; }
  std::span<const Range> ranges() const {
    return {inlined_ ? few_ranges_.data() : many_ranges_.data(), size_};
  }

 private:
  static constexpr size_t kInline = 4;
  bool inlined_;
  size_t size_ = 0;
  std::array<Value, kInline> few_;
  std::array<Range, kInline> few_ranges_;
  std::vector<Value> many_;
  std::vector<Range> many_ranges_;
};

}  // namespace

void Evaluator::unknown_function(const Expr& e) {
  std::string_view name = e.name.sv();
  std::string detail;
  std::string quoted = "\"" + std::string(name) + "\"";
  if (scope_.functions().empty()) {
    diags_
        .error("Function call not allowed",
               "The function " + quoted +
                   " cannot be called here, where a constant value is required. Write the value itself.",
               e.name_range.valid() ? e.name_range : e.range, e.range)
        .function_name = name;
    return;
  }
  if (scope_.functions().has_addition(name)) {
    diags_
        .error("Not part of this dialect",
               "The function " + quoted +
                   " is an addition of OpenTofu, but XPLAN_DIALECT, or the name of the program, asks for the "
                   "language of Terraform. Do without it, or set XPLAN_DIALECT=opentofu.",
               e.name_range.valid() ? e.name_range : e.range, e.range)
        .function_name = name;
    return;
  }
  if (name.starts_with("provider::")) {
    detail = "No provider function " + quoted +
             " is available. The name between the colons must be a local name in required_providers, and "
             "that provider must have the function.";
  } else if (size_t colons = name.find("::");
             colons != std::string_view::npos && !name.starts_with("core::")) {
    detail = "There is no namespace \"" + std::string(name.substr(0, colons)) +
             "\" for functions. Built-in functions are called by their plain name or with \"core::\", "
             "provider functions with \"provider::NAME::\".";
  } else {
    detail = "There is no function named " + quoted + ".";
    std::string_view near = did_you_mean(plain_name(name), scope_.functions().names());
    if (!near.empty()) detail += " Did you mean \"" + std::string(near) + "\"?";
  }
  diags_.error("Unknown function", std::move(detail), e.name_range.valid() ? e.name_range : e.range, e.range)
      .function_name = name;
}

bool Evaluator::can_be_expanded(const Value& list, const Function& f, const Expr& e) {
  Type t = list.type();
  if (!list.is_null() && (t.is_list() || t.is_set() || t.is_tuple() || t.is_dynamic())) return true;
  error("Unsuitable expanded argument",
        list.is_null()
            ? "The value before \"...\" is null; it must be a list, set or tuple with the arguments."
            : "The value before \"...\" is " + kind_noun(t) +
                  "; it must be a list, set or tuple with the arguments.",
        *e.items.back(), e)
      .function_name = f.name;
  return false;
}

Value Evaluator::call(const Expr& e) {
  const FunctionTable& table = scope_.functions();
  static const Symbol kTry("try"), kCan("can"), kType("type"), kTemplateString("templatestring"),
      kConvert("convert");
  Symbol name = e.name.sv().starts_with("core::") ? Symbol(plain_name(e.name.sv())) : e.name;
  // These two are part of the language itself, wherever functions can be called.
  if (name == kTry && !table.empty()) return call_try(e);
  if (name == kCan && !table.empty()) return call_can(e);
  const Function* f = table.find(e.name.sv());
  if (!f) {
    unknown_function(e);
    return Value::unknown();
  }
  if (name == kType) return call_type(e);
  if (name == kConvert) return call_convert(e);
  if (name == kTemplateString && !template_argument_ok(e)) return Value::unknown();

  size_t errors = diags_.error_count();
  ArgumentList given(e.expand_final ? SIZE_MAX : e.items.size());
  for (const Expr* item : e.items)
    if (!e.expand_final || item != e.items.back()) given.add(eval(*item), item->range);
  Marks marks = 0;
  if (e.expand_final && !e.items.empty()) {
    const Value list = eval(*e.items.back());
    marks = list.marks();
    if (diags_.error_count() != errors || !can_be_expanded(list, *f, e)) return Value::unknown();
    if (list.is_unknown()) return marked(Value::unknown(), marks);
    for (const Value& v : list.elements()) given.add(v, e.items.back()->range);
  }
  if (diags_.error_count() != errors) return Value::unknown();
  size_t before = diags_.size();
  Value result = table.call(*f, given.values(), e.range, given.ranges(), diags_);
  if (diags_.size() != before && !quiet_) {
    drop_repeated(before);  // expanded arguments fail one by one in the same place
    auto& all = diags_.mutable_all();
    for (size_t i = before; i < all.size(); ++i) {
      // An argument at fault is described by its own values, the call as a whole by all of them.
      const Expr* part = &e;
      for (const Expr* item : e.items)
        if (item->range == all[i].subject) part = item;
      describe(all[i], *part);
    }
  }
  return marked(std::move(result), marks);
}

// The first argument that evaluates without an error. An answer that is not wholly known may still become an
// error, so it makes the whole call unknown.
Value Evaluator::call_try(const Expr& e) {
  if (e.items.empty()) {
    error("Missing function argument", "The function \"try\" requires at least one argument.", e, e)
        .function_name = "try";
    return Value::unknown();
  }
  if (e.expand_final) {
    error("Expansion not possible",
          "The arguments of \"try\" are expressions, not values, so a list cannot be expanded into them with "
          "\"...\".",
          e, e)
        .function_name = "try";
    return Value::unknown();
  }
  std::string reasons;
  for (size_t i = 0; i < e.items.size(); ++i) {
    Diagnostics own;
    Evaluator child = with(own, true);
    child.type_ok_ = type_ok_ == &e ? e.items[i] : nullptr;
    Value v = child.eval(*e.items[i]);
    if (stopped(e)) return Value::unknown();  // whether it fails is not known
    if (!own.has_errors()) {
      diags_.append(std::move(own));
      return v.is_wholly_known() ? v : marked(Value::unknown(), v.marks());
    }
    for (const Diagnostic& d : own.all()) {
      if (d.severity != Severity::Error) continue;
      reasons += "\n  " + std::to_string(i + 1) + ". " + d.summary + ": " + d.detail;
      break;
    }
  }
  error("No argument of try succeeded",
        "All arguments of this call failed, including the last one:" + reasons, e, e)
      .function_name = "try";
  return Value::unknown();
}

Value Evaluator::call_can(const Expr& e) {
  if (e.items.size() != 1 || e.expand_final) {
    error(e.items.empty() ? "Missing function argument" : "Too many function arguments",
          "The function \"can\" takes exactly one argument.", e, e)
        .function_name = "can";
    return Value::unknown();
  }
  Diagnostics own;
  Value v = with(own, true).eval(*e.items[0]);
  if (stopped(e)) return Value::unknown();
  if (own.has_errors()) return Value::boolean(false);
  return v.is_wholly_known() ? Value::boolean(true) : marked(Value::unknown(Type::boolean()), v.marks());
}

Value Evaluator::call_type(const Expr& e) {
  if (e.items.size() != 1 || e.expand_final) {
    error(e.items.empty() ? "Missing function argument" : "Too many function arguments",
          "The function \"type\" takes exactly one argument.", e, e)
        .function_name = "type";
    return Value::unknown();
  }
  if (type_ok_ != &e) {
    error("Type inside an expression",
          "The function \"type\" shows the type of a value; its result cannot be used by other expressions. "
          "Make it the outermost call.",
          e, e)
        .function_name = "type";
    return Value::unknown();
  }
  type_ok_ = e.items[0];
  return Value::type_value(eval(*e.items[0]).type());
}

// The second argument is a type constraint, as variables have them.
Value Evaluator::call_convert(const Expr& e) {
  constexpr size_t kArguments = 2;
  if (e.items.size() != kArguments || e.expand_final) {
    error(e.items.size() < kArguments ? "Missing function argument" : "Too many function arguments",
          "The function \"convert\" takes exactly two arguments: a value and a type, such as "
          "list(string). Neither can come from a list that is expanded.",
          e, e)
        .function_name = "convert";
    return Value::unknown();
  }
  const size_t errors = diags_.error_count();
  const TypeConstraint wanted = parse_type_constraint(*e.items[1], true, diags_);
  const Value v = eval(*e.items[0]);
  if (diags_.error_count() != errors) return Value::unknown();
  ConversionError why;
  std::optional<Value> converted = convert(v, wanted, &why);
  if (converted) return limited(std::move(*converted), e);
  const std::string reason = v.contains_marks() ? why.message : why.text();
  error("Unsuitable function argument",
        "The argument \"value\" of \"convert\" is not suitable: " + reason + ".", *e.items[0], e)
      .function_name = "convert";
  return Value::unknown();
}

// templatestring takes a template that is stored somewhere. One that is written in place would have been
// evaluated before, which is hardly ever what its author wants.
bool Evaluator::template_argument_ok(const Expr& e) {
  if (e.items.empty() || (e.expand_final && e.items.size() == 1)) return true;
  const Expr& first = *e.items[0];
  if (is_direct_reference(&first)) return true;
  std::string hint = first.kind == ExprKind::TemplateWrap
                         ? "Write the reference without \"${\" and \"}\" around it."
                     : first.kind == ExprKind::Literal || first.kind == ExprKind::Template
                         ? "A template written here is evaluated directly, so the call is not needed."
                         : "Put the template in a local value, and refer to that.";
  error(
      "Unsuitable function argument",
      "The first argument of \"templatestring\" must be a reference to a string that contains a template. " +
          hint,
      first, e)
      .function_name = "templatestring";
  return false;
}

}  // namespace xplan::eval
