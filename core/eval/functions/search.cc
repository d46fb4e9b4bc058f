// Functions that look for elements: contains index matchkeys.
#include <unordered_map>

#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"

namespace xplan::eval {
namespace {

Value f_contains(Args args, const CallContext&, CallError& error) {
  Type t = args[0].type();
  if (!is_sequence_or_set(t))
    return fail(error, "a list, set or tuple is required, not " + with_article(t.friendly_name()), 0);
  bool open = false;
  for (const Value& e : args[0].elements()) {
    Value equal = equals(args[1], e);
    if (equal.is_true()) return Value::boolean(true);
    open = open || equal.is_unknown();
  }
  return open ? Value::unknown(Type::boolean()) : Value::boolean(false);
}

Value f_index(Args args, const CallContext&, CallError& error) {
  Type t = args[0].type();
  if (!is_sequence(t))
    return fail(error, "a list or tuple is required, not " + with_article(t.friendly_name()), 0);
  auto elements = args[0].elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    Value equal = equals(elements[i], args[1]);
    if (equal.is_unknown()) return Value::unknown(Type::number());
    if (equal.is_true()) return Value::number(static_cast<int64_t>(i));
  }
  return fail(error, elements.empty() ? "the list is empty" : "no element of the list has this value");
}

Type common_key_type(Args args, CallError& error) {
  Type types[] = {args[1].type(), args[2].type()}, common;
  if (!unify(types, common))
    return fail_type(error, "the keys and the values to search for have no common type", 2);
  return common;
}

Type matchkeys_type(Args args, CallError& error) {
  common_key_type(args, error);
  return args[0].type();
}

// What to search for. Where unknown values come into it, the order decides: a key takes the first place that
// is equal or may be.
class SearchSet {
 public:
  explicit SearchSet(const Value& list) {
    auto elements = list.elements();
    for (size_t i = 0; i < elements.size(); ++i) {
      if (elements[i].is_wholly_known())
        places_.try_emplace(elements[i], i);
      else
        open_.emplace_back(i, elements[i]);
    }
  }
  // Yes and no; and no answer when the key meets a value that is not known first.
  Value contains(const Value& key) const {
    auto it = places_.find(key);
    for (const auto& [place, element] : open_) {
      if (it != places_.end() && it->second < place) break;
      if (equals(key, element).is_unknown()) return Value::unknown(Type::boolean());
    }
    return Value::boolean(it != places_.end());
  }

 private:
  std::unordered_map<Value, size_t, ValueHash, ValueSame> places_;
  std::vector<std::pair<size_t, Value>> open_;
};

Value f_matchkeys(Args args, const CallContext&, CallError& error) {
  Type common = common_key_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  const Value& values = args[0];
  if (values.length() != args[1].length())
    return fail(error,
                "the lengths of \"keys\" and \"values\" differ: " + std::to_string(args[1].length()) +
                    " and " + std::to_string(values.length()),
                1);
  Type type = values.type().element();
  ConversionError why;
  auto keys = convert(args[1], common, &why), wanted = convert(args[2], common, &why);
  if (!keys || !wanted) return fail(error, why.text(), keys ? 2 : 1);
  std::vector<Value> out;
  if (wanted->length() == 0) return Value::list(type, std::move(out));
  if (!values.is_wholly_known() || !keys->is_wholly_known()) return Value::unknown(values.type());
  SearchSet search(*wanted);
  for (size_t i = 0; i < keys->length(); ++i) {
    Value found = search.contains(keys->elements()[i]);
    if (found.is_unknown())
      return Value::list(type, {});  // a fact of the language: nothing, rather than unknown
    if (found.is_true()) out.push_back(values.elements()[i]);
  }
  return Value::list(type, std::move(out));
}

}  // namespace

void register_search(FunctionTable& table) {
  Type list = Type::list(Type::dynamic());
  table.add({.name = "contains",
             .params = {any_param("list"), any_param("value")},
             .returns = Type::boolean(),
             .impl = f_contains,
             .description = "Whether a value is an element of a list, set or tuple."});
  table.add({.name = "index",
             .params = {any_param("list"), any_param("value")},
             .returns = Type::number(),
             .impl = f_index,
             .description = "The index of the first element that equals a value."});
  table.add({.name = "matchkeys",
             .params = {{.name = "values", .type = list},
                        {.name = "keys", .type = list},
                        {.name = "searchset", .type = list}},
             .returns = list,
             .type_of = matchkeys_type,
             .impl = f_matchkeys,
             .description = "The values whose keys, at the same index, are in a list."});
}

}  // namespace xplan::eval
