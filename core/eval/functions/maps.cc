// Functions on maps and objects: keys values merge zipmap transpose.
#include <algorithm>
#include <unordered_map>

#include "core/base/text.h"
#include "core/eval/functions/support.h"

namespace xplan::eval {
namespace {

Type keys_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_map()) return Type::list(Type::string());
  if (t.is_object()) return Type::tuple(std::vector<Type>(t.elements().size(), Type::string()));
  return fail_type(error, "a map or object is required, not " + with_article(t.friendly_name()), 0);
}

// Keys carry no marks, so only those of the map itself count. The names of an object are known from its type.
Value f_keys(Args args, const CallContext&, CallError& error) {
  Type type = keys_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  const Value& map = args[0];
  std::vector<Value> out;
  if (type.is_tuple()) {
    for (Symbol name : map.type().attr_names()) out.push_back(Value::string_nfc(name.sv()));
    return Value::tuple(std::move(out)).with_marks(map.marks());
  }
  if (map.is_unknown()) return Value::unknown(type).with_marks(map.marks());
  for (size_t i = 0; i < map.length(); ++i) out.push_back(Value::string_nfc(map.map_key(i)));
  return Value::list(Type::string(), std::move(out)).with_marks(map.marks());
}

Type values_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_map()) return Type::list(t.element());
  if (t.is_object()) return Type::tuple(t.elements());
  return fail_type(error, "a map or object is required, not " + with_article(t.friendly_name()), 0);
}

Value f_values(Args args, const CallContext&, CallError& error) {
  Type type = values_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  std::vector<Value> out(args[0].elements().begin(), args[0].elements().end());
  Value v = type.is_tuple() ? Value::tuple(std::move(out)) : Value::list(type.element(), std::move(out));
  return v.with_marks(args[0].marks());
}

// Entries with unique names; setting one again replaces its value.
template <class T>
class Entries {
 public:
  void set(std::string_view key, T value) {
    auto [it, added] = places_.try_emplace(std::string(key), list_.size());
    if (added)
      list_.emplace_back(std::string(key), std::move(value));
    else
      list_[it->second].second = std::move(value);
  }
  std::vector<std::pair<std::string, T>>& list() { return list_; }

 private:
  std::unordered_map<std::string, size_t> places_;
  std::vector<std::pair<std::string, T>> list_;
};

Value object_of(Entries<Value>& entries) {
  std::vector<std::pair<Symbol, Value>> attrs;
  for (auto& [key, value] : entries.list()) attrs.emplace_back(Symbol(key), std::move(value));
  return Value::object(std::move(attrs));
}

Type object_type(Entries<Type>& entries) {
  std::vector<std::pair<Symbol, Type>> attrs;
  for (auto& [key, type] : entries.list()) attrs.emplace_back(Symbol(key), type);
  return Type::object(std::move(attrs));
}

// The common type when all arguments have the same, an object type otherwise; dynamic while names are
// missing.
Type merge_type(Args args, CallError& error) {
  Entries<Type> attrs;
  bool same = true, complete = true;
  Type first = Type::object({});
  for (size_t i = 0; i < args.size(); ++i) {
    Type t = args[i].type();
    if (t.is_dynamic()) return t;
    if (!t.is_map() && !t.is_object())
      return fail_type(error, "maps and objects are required, not " + with_article(t.friendly_name()),
                       static_cast<int>(i));
    if (t.is_object() && args[i].is_null()) t = Type::object({});
    for (size_t k = 0; t.is_object() && k < t.elements().size(); ++k)
      attrs.set(t.attr_names()[k].sv(), t.elements()[k]);
    if (t.is_map() && args[i].is_unknown())
      complete = false;
    else if (t.is_map())
      for (size_t k = 0; k < args[i].length(); ++k) attrs.set(args[i].map_key(k), t.element());
    if (i == 0) first = t;
    same = same && t == first;
  }
  if (same) return first;
  return complete ? object_type(attrs) : Type::dynamic();
}

Value f_merge(Args args, const CallContext&, CallError& error) {
  Type type = merge_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  Entries<Value> entries;
  Marks marks = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    const Value& v = args[i];
    if (v.is_null()) continue;  // its marks do not count either
    Type t = v.type();
    if (!t.is_map() && !t.is_object())
      return fail(error, "maps and objects are required, not " + with_article(t.friendly_name()),
                  static_cast<int>(i));
    marks |= v.marks();
    for (size_t k = 0; k < v.length(); ++k)
      entries.set(t.is_map() ? v.map_key(k) : t.attr_names()[k].sv(), v.elements()[k]);
  }
  Value out = type.is_map() ? Value::map(type.element(), std::move(entries.list())) : object_of(entries);
  return out.with_marks(marks);
}

bool zipmap_sizes(size_t keys, size_t values, CallError& error) {
  if (keys == values) return true;
  fail(error, "the lengths of \"keys\" and \"values\" differ: " + std::to_string(keys) + " and " +
                  std::to_string(values));
  return false;
}

bool zipmap_key(const Value& key, size_t i, CallError& error) {
  if (!key.is_null()) return true;
  fail(error, "the key at index " + std::to_string(i) + " is null", 0);
  return false;
}

Type zipmap_type(Args args, CallError& error) {
  Type t = args[1].type();
  if (t.is_list()) return Type::map(t.element());
  if (!t.is_tuple())
    return fail_type(error, "the values must be a list or tuple, not " + with_article(t.friendly_name()), 1);
  if (!args[0].is_wholly_known()) return Type::dynamic();
  auto keys = args[0].elements();
  Entries<Type> attrs;
  if (!zipmap_sizes(keys.size(), t.elements().size(), error)) return Type::dynamic();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!zipmap_key(keys[i], i, error)) return Type::dynamic();
    attrs.set(keys[i].as_string(), t.elements()[i]);
  }
  return object_type(attrs);
}

Value f_zipmap(Args args, const CallContext&, CallError& error) {
  Type type = zipmap_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  auto keys = args[0].elements(), values = args[1].elements();
  Marks marks = args[0].marks() | args[1].marks();
  if (!args[0].is_wholly_known()) return Value::unknown(type).with_marks(marks);
  if (!zipmap_sizes(keys.size(), values.size(), error)) return Value::unknown();
  Entries<Value> entries;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!zipmap_key(keys[i], i, error)) return Value::unknown();
    marks |= keys[i].marks();  // keys carry no marks of their own in a map
    entries.set(keys[i].as_string(), values[i]);
  }
  Value out = type.is_map() ? Value::map(type.element(), std::move(entries.list())) : object_of(entries);
  return out.with_marks(marks);
}

Value f_transpose(Args args, const CallContext&, CallError& error) {
  const Value& map = args[0];
  if (!map.is_wholly_known()) return Value::unknown(map.type());
  std::unordered_map<std::string, size_t> places;
  std::vector<std::pair<std::string, std::vector<Value>>> lists;
  for (size_t i = 0; i < map.length(); ++i) {  // in key order, so the new lists are sorted
    const Value& list = map.elements()[i];
    std::string key(map.map_key(i));
    if (list.is_null()) return fail(error, "the list of \"" + key + "\" is null", 0);
    for (const Value& e : list.elements()) {
      if (e.is_null()) return fail(error, "the list of \"" + key + "\" has an element that is null", 0);
      auto [it, added] = places.try_emplace(std::string(e.as_string()), lists.size());
      if (added) lists.emplace_back(it->first, std::vector<Value>());
      lists[it->second].second.push_back(Value::string_nfc(key));
    }
  }
  std::vector<std::pair<std::string, Value>> out;
  for (auto& [key, list] : lists) out.emplace_back(key, Value::list(Type::string(), std::move(list)));
  return Value::map(Type::list(Type::string()), std::move(out));
}

}  // namespace

void register_maps(FunctionTable& table) {
  Type strings = Type::list(Type::string()), lists = Type::map(strings);
  table.add({.name = "keys",
             .params = {{.name = "inputMap", .allow_unknown = true, .allow_marked = true}},
             .type_of = keys_type,
             .impl = f_keys,
             .description = "The keys of a map or the attribute names of an object, in order."});
  table.add(
      {.name = "merge",
       .variadic = Param{.name = "maps", .allow_null = true, .allow_dynamic = true, .allow_marked = true},
       .type_of = merge_type,
       .impl = f_merge,
       .description = "All entries of several maps or objects in one; later ones win."});
  table.add({.name = "transpose",
             .params = {{.name = "values", .type = lists}},
             .returns = lists,
             .impl = f_transpose,
             .description = "A map of lists with keys and elements swapped."});
  table.add({.name = "values",
             .params = {{.name = "mapping", .allow_marked = true}},
             .type_of = values_type,
             .impl = f_values,
             .description = "The values of a map or object, in the order of the keys."});
  table.add({.name = "zipmap",
             .params = {{.name = "keys", .type = strings, .allow_marked = true},
                        {.name = "values", .allow_marked = true}},
             .type_of = zipmap_type,
             .impl = f_zipmap,
             .description = "A map or object from a list of keys and a list of values."});
}

}  // namespace xplan::eval
