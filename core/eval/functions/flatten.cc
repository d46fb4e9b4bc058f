// flatten(): lists inside lists, sets and tuples replaced by their elements.
#include "core/base/text.h"
#include "core/eval/functions/support.h"

namespace xplan::eval {
namespace {

struct Flat {
  std::vector<Value> elements;
  Marks marks = 0;    // of the sequences that were dissolved
  bool known = true;  // false: more elements may appear
};

// Walks with a stack of its own: how deep values are nested is up to the user.
Flat flatten_value(const Value& v) {
  Flat out;
  std::vector<std::span<const Value>> open;
  auto enter = [&](const Value& sequence) {
    out.marks |= sequence.marks();
    if (length_is_known(sequence))
      open.push_back(sequence.elements());
    else
      out.known = false;
  };
  enter(v);
  while (!open.empty()) {
    if (open.back().empty()) {
      open.pop_back();
      continue;
    }
    const Value& e = open.back().front();
    open.back() = open.back().subspan(1);
    if (e.is_unknown() && e.type().is_dynamic()) {
      out.known = false;  // it may turn out to be a list
      out.marks |= e.marks();
    } else if (is_sequence_or_set(e.type()) && !e.is_null()) {
      enter(e);
    } else {
      out.elements.push_back(e);
    }
  }
  return out;
}

Type flatten_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (args[0].is_known() && !is_sequence_or_set(t))
    return fail_type(error, "a list, set or tuple is required, not " + with_article(t.friendly_name()), 0);
  return Type::dynamic();  // as many elements as there turn out to be
}

Value f_flatten(Args args, const CallContext&, CallError& error) {
  flatten_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  Flat flat = flatten_value(args[0]);
  if (!flat.known) return Value::unknown().with_marks(flat.marks);
  if (!elements_fit(flat.elements.size(), error)) return Value::unknown();
  return Value::tuple(std::move(flat.elements)).with_marks(flat.marks);
}

}  // namespace

void register_flatten(FunctionTable& table) {
  table.add({.name = "flatten",
             .params = {{.name = "list", .allow_marked = true}},
             .type_of = flatten_type,
             .impl = f_flatten,
             .description = "The elements of all lists inside a list, in one tuple."});
}

}  // namespace xplan::eval
