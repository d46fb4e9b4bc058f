// Evaluates [ … ] and { … }, for expressions and splats: the elements or members, keys given twice, filters
// and grouping, and what is known of the result when parts are unknown or marked.
#include <atomic>
#include <unordered_map>

#include "core/eval/rounds.h"
#include "core/value/refine.h"

namespace xplan::eval {

namespace {
// The symbol of a key that is written in the source. Interning takes a lock, so its id is kept with the node;
// who finds it there must see its text, too.
Symbol literal_key(const Expr& key) {
  std::atomic_ref<uint32_t> slot(key.bound);
  if (uint32_t id = slot.load(std::memory_order_acquire)) return Symbol::from_id(id);
  Symbol s(key.value.as_string());
  slot.store(s.id(), std::memory_order_release);
  return s;
}

// Of several entries with one key the last one stays, in the place of the first.
template <class Key>
void put_last_wins(std::vector<std::pair<Key, Value>>& entries, std::unordered_map<Key, size_t>& index,
                   Key key, Value v) {
  constexpr size_t kLinear = 12;  // up to here a scan is faster than a table
  if (entries.size() < kLinear) {
    for (auto& entry : entries)
      if (entry.first == key) return void(entry.second = std::move(v));
    entries.emplace_back(std::move(key), std::move(v));
    return;
  }
  if (index.empty())
    for (size_t i = 0; i < entries.size(); ++i) index.emplace(entries[i].first, i);
  auto [it, fresh] = index.emplace(key, entries.size());
  if (fresh)
    entries.emplace_back(std::move(key), std::move(v));
  else
    entries[it->second].second = std::move(v);
}
}  // namespace

Value element_key(const Value& collection, size_t i) {
  switch (collection.kind()) {
    case Kind::Map:
      return Value::string_nfc(collection.map_key(i));
    case Kind::Obj:
      return Value::string_nfc(collection.type().attr_names()[i].sv());
    case Kind::Set:
      return collection.elements()[i];
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::Seq:
    case Kind::TypeVal:
      break;
  }
  return Value::number(static_cast<int64_t>(i));
}

Value Evaluator::tuple(const Expr& e) {
  std::vector<Value> items;
  items.reserve(e.items.size());
  for (const Expr* item : e.items) items.push_back(eval(*item));
  return Value::tuple(std::move(items));
}

Value Evaluator::object(const Expr& e) {
  std::vector<std::pair<Symbol, Value>> attrs;
  attrs.reserve(e.items.size() / 2);
  std::unordered_map<Symbol, size_t> index;
  Marks marks = 0;
  bool known = true, ok = true;
  for (size_t i = 0; i + 1 < e.items.size(); i += 2) {
    const Expr& key_expr = *e.items[i];
    Symbol name;
    bool usable = true;
    if (key_expr.kind == ExprKind::Literal && key_expr.value.is_string()) {
      name = literal_key(key_expr);
    } else if (key_expr.kind == ExprKind::Traversal && !e.json) {
      error("Ambiguous key",
            "This key looks like a reference. To use the value it refers to, write it in parentheses; for a "
            "literal key with dots, write it in quotes.",
            key_expr, e);
      ok = usable = false;
    } else {
      size_t errors = diags_.error_count();
      Value key = eval(key_expr);
      marks |= key.marks();
      if (diags_.error_count() != errors) {
        ok = usable = false;
      } else if (key.is_null()) {
        error("Null key", "The key of an object attribute is null; it must be a string.", key_expr, e);
        ok = usable = false;
      } else {
        auto text =
            key.is_string() ? std::optional<Value>(key) : convert(key.without_own_marks(), Type::string());
        if (!text) {
          error("Unsuitable key",
                "The key of an object attribute is " + kind_noun(key.type()) + "; it must be a string.",
                key_expr, e);
          ok = usable = false;
        } else if (text->is_unknown()) {
          known = usable = false;
        } else {
          name = Symbol(text->as_string());
        }
      }
    }
    Value v = eval(*e.items[i + 1]);
    if (usable) put_last_wins(attrs, index, name, std::move(v));
  }
  if (!ok || !known) return marked(Value::unknown(), marks);
  return marked(Value::object(std::move(attrs)), marks);
}

bool Evaluator::iterable(const Expr& e, const Value& collection, std::string_view what) {
  if (collection.is_null()) {
    error("Iteration over null",
          "The collection of " + std::string(what) +
              " is null. If null is intended, use an empty collection instead, for example with coalesce.",
          *e.a, e);
    return false;
  }
  Type t = collection.type();
  if (t.is_collection() || t.is_structural() || t.is_dynamic()) return true;
  error("Iteration over a single value",
        "The collection of " + std::string(what) + " is " + kind_noun(t) +
            "; it must be a list, set, map, tuple or object.",
        *e.a, e);
  return false;
}

// What the `if` clause says in this round: 1 yes, 0 no, -1 not known, -2 an error was reported.
int Evaluator::wanted(const Expr& e, Marks& marks) {
  if (!e.d) return 1;
  size_t errors = diags_.error_count();
  Value v = eval(*e.d);
  if (diags_.error_count() != errors || !condition(v, marks, *e.d, e)) return -2;
  return v.is_unknown() ? -1 : v.is_true();
}

// An `if` clause that can never be right is reported even when there is no element to ask it for.
bool Evaluator::clause_possible(const Expr& e, const Value& collection) {
  if (!e.d || (!collection.is_unknown() && collection.length() > 0)) return true;
  Value any = Value::unknown();
  LoopFrame frame{loop_, e.key_name, e.name, &any, &any};
  Evaluator inner = with(diags_, false);
  inner.loop_ = &frame;
  inner.type_ok_ = nullptr;
  Marks ignored = 0;
  return inner.wanted(e, ignored) != -2;
}

Value Evaluator::for_tuple(const Expr& e) {
  Value collection = eval(*e.a);
  if (!iterable(e, collection, "this for expression") || !clause_possible(e, collection))
    return Value::unknown();
  Marks marks = collection.marks();
  if (collection.is_unknown()) return marked(Value::unknown(), marks);
  std::vector<Value> items;
  items.reserve(collection.length());
  bool known = true;
  bool ok = rounds(e, collection, [&](const Value&, Evaluator& round) {
    int want = round.wanted(e, marks);
    if (want < 0) known = false;
    if (want != 0 && want != -2) {
      Value v = round.eval(*e.c);
      if (known) items.push_back(std::move(v));
    }
    return true;
  });
  if (!ok || !known) return marked(Value::unknown(), marks);
  return marked(Value::tuple(std::move(items)), marks);
}

Value Evaluator::for_object(const Expr& e) {
  Value collection = eval(*e.a);
  if (!iterable(e, collection, "this for expression") || !clause_possible(e, collection))
    return Value::unknown();
  Marks marks = collection.marks();
  if (collection.is_unknown()) return marked(Value::unknown(), marks);
  struct Entry {
    Symbol key;
    Value value;
    std::vector<Value> group;
  };
  std::vector<Entry> entries;
  std::unordered_map<Symbol, size_t> index;
  bool known = true;
  bool ok = rounds(e, collection, [&](const Value&, Evaluator& round) {
    int want = round.wanted(e, marks);
    if (want < 0) known = false;
    if (want == 0 || want == -2) return true;
    size_t errors = diags_.error_count();
    Value key = round.eval(*e.b);
    Marks key_marks = key.marks();
    marks |= key_marks;
    Value v = round.eval(*e.c);
    if (diags_.error_count() != errors) return true;
    if (key.is_null()) {
      round.error("Null key", "The key for one of the elements is null; it must be a string.", *e.b, e);
      return true;
    }
    auto text =
        key.is_string() ? std::optional<Value>(key) : convert(key.without_own_marks(), Type::string());
    if (!text) {
      round.error("Unsuitable key",
                  "The key for one of the elements is " + kind_noun(key.type()) + "; it must be a string.",
                  *e.b, e);
      return true;
    }
    if (text->is_unknown()) known = false;
    if (!known) return true;
    Symbol name(text->as_string());
    auto [it, fresh] = index.emplace(name, entries.size());
    if (fresh) entries.push_back({name, {}, {}});
    Entry& entry = entries[it->second];
    if (e.grouping) {
      entry.group.push_back(std::move(v));
    } else if (fresh) {
      entry.value = std::move(v);
    } else {
      std::string which =
          key_marks || collection.marks() ? "the same key" : "the key \"" + std::string(name.sv()) + "\"";
      round.error("Duplicate key",
                  "Two elements of this for expression have " + which +
                      ". To collect all values of a key in a list, write \"...\" after the value.",
                  *e.b, e);
    }
    return true;
  });
  if (!ok || !known) return marked(Value::unknown(), marks);
  std::vector<std::pair<Symbol, Value>> attrs;
  attrs.reserve(entries.size());
  for (Entry& entry : entries)
    attrs.emplace_back(entry.key, e.grouping ? Value::tuple(std::move(entry.group)) : std::move(entry.value));
  return marked(Value::object(std::move(attrs)), marks);
}

Value Evaluator::splat_element(const Expr& e, const Value& element) {
  Evaluator inner = with(diags_, false);
  inner.splat_item_ = &element;
  inner.type_ok_ = nullptr;
  return inner.eval(*e.b);
}

// A list or set gives a list; a tuple gives a tuple; any other value counts as a tuple of one, or of none
// when it is null.
Value Evaluator::splat(const Expr& e, Value source) {
  Type t = source.type();
  Marks marks = source.marks();
  bool sequence = t.is_list() || t.is_set() || t.is_tuple();
  if (source.is_null()) {
    if (!sequence) return marked(Value::tuple({}), marks);
    error("Splat of null",
          "The value before the splat operator is null. If null is intended, use an empty list instead, for "
          "example with coalesce.",
          *e.a, e);
    return Value::unknown();
  }
  if (t.is_dynamic()) return marked(Value::unknown(), marks);
  if (marks) source = source.without_own_marks();
  bool collection = t.is_list() || t.is_set();
  size_t errors = diags_.error_count(), before = diags_.size();
  // The type that the elements of the result have: found with an unknown element.
  auto element_type = [&] { return splat_element(e, Value::unknown(t.element())).type(); };
  if (source.is_unknown()) {
    if (collection) {
      Type result = Type::list(element_type());
      if (diags_.error_count() != errors) return marked(Value::unknown(), marks);
      Refinement r = source.refinement();
      return marked(Value::unknown(result, r), marks);
    }
    if (t.is_tuple()) {
      std::vector<Type> types;
      for (Type element : t.elements()) types.push_back(splat_element(e, Value::unknown(element)).type());
      if (diags_.error_count() != errors) return marked(Value::unknown(), marks);
      return marked(unknown_not_null(Type::tuple(types)), marks);
    }
    // A single value that might be null: whether there is an element is not known. What fails with one is
    // reported.
    if (!source.is_definitely_not_null()) {
      splat_element(e, source);
      describe(before, e);
      return marked(Value::unknown(), marks);
    }
  }
  std::vector<Value> items;
  if (sequence) {
    items.reserve(source.length());
    for (const Value& element : source.elements()) {
      items.push_back(splat_element(e, element));
      if (diags_.error_count() != errors) break;  // the others would fail alike
    }
  } else {
    items.push_back(splat_element(e, source));
  }
  Type element;
  if (collection) element = items.empty() ? element_type() : items[0].type();
  if (diags_.error_count() != errors) {
    describe(before, e);
    return marked(Value::unknown(), marks);
  }
  if (!collection) return marked(Value::tuple(std::move(items)), marks);
  for (const Value& item : items)
    if (item.type() != element) return marked(Value::tuple(std::move(items)), marks);
  return marked(Value::list(element, std::move(items)), marks);
}

}  // namespace xplan::eval
