// Sensitive values become tokens: of the type that the schema declares, and a string where it leaves the type
// open, because the names in an object that somebody made of a secret are part of the secret.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/digest.h"
#include "core/base/secret.h"
#include "core/review/redact.h"
#include "core/value/msgpack.h"

namespace xplan::review {
namespace {

constexpr size_t kTokenBytes = 6;
constexpr size_t kTellingDigits = 6;  // of a number that is looked for in texts

std::string token_text(std::string_view seed) {
  std::string out = "sensitive-";
  for (char c : seed.substr(0, kTokenBytes)) out += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return out;
}

// Elements of a collection stay of one type, whatever the schema leaves open.
Type child_type(const Value& v, Type declared, size_t i) {
  if (declared.is_dynamic() && v.type().is_collection()) declared = v.type();
  if (declared.is_collection()) return declared.element();
  if (declared.is_structural() && i < declared.elements().size()) return declared.elements()[i];
  return Type::dynamic();
}

using Name = std::function<std::string(std::string_view)>;

// The same container with other elements, in the same order, and with the names and keys that `name` makes.
Value rebuilt(const Value& v, std::vector<Value> elements, const Name& name = {}) {
  const Type t = v.type();
  if (v.kind() == Kind::Obj) {
    std::vector<std::pair<Symbol, Value>> attrs;
    for (size_t i = 0; i < elements.size(); ++i) {
      const Symbol own = t.attr_names()[i];
      attrs.emplace_back(name ? Symbol(name(own.sv())) : own, std::move(elements[i]));
    }
    return Value::object(std::move(attrs));
  }
  if (v.kind() == Kind::Map) {
    std::vector<std::pair<std::string, Value>> entries;
    const Type element = elements.empty() ? t.element() : elements.front().type();
    for (size_t i = 0; i < elements.size(); ++i)
      entries.emplace_back(name ? name(v.map_key(i)) : std::string(v.map_key(i)), std::move(elements[i]));
    return Value::map(element, std::move(entries));
  }
  if (t.is_tuple()) return Value::tuple(std::move(elements));
  const Type element = elements.empty() ? t.element() : elements.front().type();
  return v.kind() == Kind::Set ? Value::set(element, std::move(elements))
                               : Value::list(element, std::move(elements));
}

}  // namespace

Redactor::Redactor() : Redactor(random_bytes(32)) {}

void Redactor::remember(const Value& v) {
  if (v.is_string()) {
    secrets_.add(v.as_string());
  } else if (v.is_number() && v.is_known() && !v.is_null()) {
    const std::string text = v.as_number().text();
    if (text.size() >= SecretTexts::kShortest) numbers_.insert(text);
    if (text.size() >= kTellingDigits) secrets_.add(text);
  } else if (v.is_known() && !v.is_null() && !v.is_bool() && !v.is_number() && v.kind() != Kind::TypeVal) {
    for (size_t i = 0; v.kind() == Kind::Map && i < v.length(); ++i) secrets_.add(v.map_key(i));
    // The names that somebody gave; those of a schema are of types that are declared.
    for (size_t i = 0; v.kind() == Kind::Obj && i < v.length(); ++i)
      secrets_.add(v.type().attr_names()[i].sv());
    for (const Value& e : v.elements()) remember(e);
  }
}

std::string Redactor::seed_of(const Value& plain, Type written) const {
  return digest(Digest::Sha256,
                salt_ + (plain.is_wholly_known() ? to_msgpack(plain, written) : std::string("unknown")));
}

Value Redactor::token_of_type(Type t, std::string_view seed) {
  switch (t.kind()) {
    case TypeKind::Bool:
      return Value::boolean(seed[0] & 1);
    case TypeKind::Number: {
      int64_t n = 0;
      for (size_t i = 0; i < kTokenBytes; ++i) n = n << 8 | static_cast<uint8_t>(seed[i]);
      return Value::number(n);
    }
    case TypeKind::List:
    case TypeKind::Set: {
      std::vector<Value> elements;  // so many that two seeds hardly ever give the same, whatever they are of
      for (size_t i = 0; i < kTokenBytes * 4; ++i) {
        const std::string of = digest(Digest::Sha256, std::string(seed) + static_cast<char>(i));
        elements.push_back(token_of_type(t.element(), of));
        if (t.element().kind() != TypeKind::Bool) break;
      }
      return t.is_set() ? Value::set(t.element(), std::move(elements))
                        : Value::list(t.element(), std::move(elements));
    }
    case TypeKind::Map:
      return Value::map(t.element(), {{token_text(seed), token_of_type(t.element(), seed)}});
    case TypeKind::Tuple: {
      std::vector<Value> elements;
      for (Type e : t.elements()) elements.push_back(token_of_type(e, seed));
      return Value::tuple(std::move(elements));
    }
    case TypeKind::Object: {
      std::vector<Value> attrs;
      for (Type e : t.elements()) attrs.push_back(token_of_type(e, seed));
      return Value::object(t, std::move(attrs));
    }
    case TypeKind::Dynamic:
    case TypeKind::String:
    case TypeKind::Capsule:
      return Value::string(token_text(seed));
  }
  return {};
}

Value Redactor::token(const Value& v, Type declared) {
  if (v.is_null() || v.is_unknown()) {
    const Type t = declared.is_dynamic() ? Type::string() : v.type();
    return (v.is_null() ? Value::null(t) : Value::unknown(t)).with_marks(v.marks());
  }
  // Part by part where the schema names the parts: which of them changed is for reviewers to see.
  if (v.kind() == Kind::Obj && declared.is_object()) {
    std::vector<Value> attrs;
    for (size_t i = 0; i < v.length(); ++i)
      attrs.push_back(token(v.elements()[i], child_type(v, declared, i)));
    return rebuilt(v, std::move(attrs)).with_marks(v.marks());
  }
  // Both values of a bool would be tried out soon if it were hashed; a bit of the salt says which is which.
  if (v.is_bool() && !declared.is_dynamic())
    return Value::boolean(v.as_bool() != ((salt_[0] & 1) != 0)).with_marks(v.marks());
  const Value plain = v.unmark_deep();
  remember(plain);
  const Type written = plain.is_string() || !declared.is_dynamic() ? plain.type() : Type::dynamic();
  const std::string seed = seed_of(plain, written);
  return token_of_type(declared.is_dynamic() ? Type::string() : plain.type(), seed).with_marks(v.marks());
}

Value Redactor::value(const Value& v, Type declared) {
  if (!v.contains_marks()) return v;
  if (v.has_mark(kSensitive)) return token(v, declared);
  if (v.is_null() || v.is_unknown() || v.length() == 0) return v;
  std::vector<Value> elements;
  for (size_t i = 0; i < v.length(); ++i) {
    const Value& e = v.elements()[i];
    // Its names stay here, since all elements are of one type; they are hidden with those of others.
    if (declared.is_dynamic() && v.type().is_collection() && e.has_mark(kSensitive))
      remember(e.unmark_deep());
    elements.push_back(value(e, child_type(v, declared, i)));
  }
  return rebuilt(v, std::move(elements)).with_marks(v.marks());
}

std::string Redactor::without_secrets(std::string_view text,
                                      const std::function<std::string(std::string_view)>& stand_in) const {
  std::string out;
  size_t from = 0;
  secrets_.find(text, 0, text.size(), [&](size_t at, size_t size, std::string_view secret) {
    out.append(text, from, at - from);
    out += stand_in(secret);
    from = at + size;
  });
  out.append(text.substr(from));
  mask_users(out, 0, out.size());
  return out;
}

std::string Redactor::hidden(std::string_view text) const {
  return without_secrets(text, [this](std::string_view secret) {
    return token_text(seed_of(Value::string_nfc(secret), Type::string()));
  });
}

// Keys stand in quotes and brackets; nothing else of an address is a value.
std::string Redactor::hidden_keys(std::string_view address) const {
  std::string out;
  size_t from = 0;
  for (size_t at = address.find("[\""); at != address.npos; at = address.find("[\"", from)) {
    size_t end = at + 2;
    while (end < address.size() && address[end] != '"') end += address[end] == '\\' ? 2 : 1;
    end = std::min(end, address.size());
    out.append(address, from, at + 2 - from);
    out += hidden(address.substr(at + 2, end - at - 2));
    from = end;
  }
  out.append(address.substr(from));
  return out;
}

ModuleInstance Redactor::hidden(ModuleInstance m) const {
  if (secrets_.empty() || m.is_root()) return m;
  return parse_module_instance(hidden_keys(m.text())).value_or(m);
}

AbsInstance Redactor::hidden(const AbsInstance& a) const {
  if (secrets_.empty()) return a;
  const std::string text = a.text(), clean = hidden_keys(text);
  return clean == text ? a : parse_abs_instance(clean).value_or(a);
}

// Names of objects that somebody made, in types that no value shows.
Type Redactor::hidden(Type t) const {
  if (t.is_collection()) {
    const Type element = hidden(t.element());
    return t.is_list() ? Type::list(element) : t.is_set() ? Type::set(element) : Type::map(element);
  }
  if (!t.is_structural()) return t;
  std::vector<Type> elements;
  for (const Type e : t.elements()) elements.push_back(hidden(e));
  if (t.is_tuple()) return Type::tuple(elements);
  std::vector<std::pair<Symbol, Type>> attrs;
  for (size_t i = 0; i < elements.size(); ++i)
    attrs.emplace_back(Symbol(hidden(t.attr_names()[i].sv())), elements[i]);
  return Type::object(std::move(attrs));
}

Value Redactor::hidden(const Value& v, Type declared) const {
  if (v.is_null() || v.is_unknown() || (v.type().is_collection() && v.length() == 0)) {
    const Type t = declared.is_dynamic() ? hidden(v.type()) : v.type();
    if (t == v.type()) return v;
    return (v.is_null()      ? Value::null(t)
            : v.is_unknown() ? Value::unknown(t)
            : t.is_list()    ? Value::list(t.element(), {})
            : t.is_set()     ? Value::set(t.element(), {})
                             : Value::map(t.element(), {}))
        .with_marks(v.marks());
  }
  if (v.is_string()) {
    std::string text = hidden(v.as_string());
    return text == v.as_string() ? v : Value::string(text).with_marks(v.marks());
  }
  if (v.is_number() && numbers_.contains(v.as_number().text()))
    return token_of_type(Type::number(), seed_of(v.unmark_deep(), Type::number())).with_marks(v.marks());
  if (v.is_bool() || v.is_number() || v.kind() == Kind::TypeVal) return v;
  return hidden_elements(v, declared);
}

// Names of an object are a schema's, unless that leaves the type open.
Value Redactor::hidden_elements(const Value& v, Type declared) const {
  const bool named = v.kind() == Kind::Map || (v.kind() == Kind::Obj && declared.is_dynamic());
  std::vector<Value> elements;
  bool changed = false;
  for (size_t i = 0; i < v.length(); ++i) {
    const Value& e = v.elements()[i];
    elements.push_back(hidden(e, declared.is_dynamic() ? Type::dynamic() : child_type(v, declared, i)));
    changed |= !elements.back().raw_equal(e);
    if (!named) continue;
    const std::string_view name = v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv();
    changed |= hidden(name) != name;
  }
  if (!changed) return v;
  const Name rename = named ? Name([this](std::string_view name) { return hidden(name); }) : Name();
  return rebuilt(v, std::move(elements), rename).with_marks(v.marks());
}

Value Redactor::marked(const Value& v, Type declared) const {
  if (v.is_null() || v.is_unknown() || v.has_mark(kSensitive) || v.is_bool() || v.kind() == Kind::TypeVal)
    return v;
  if (v.is_string()) {
    const std::string text(v.as_string());
    return masked(text) == text ? v : v.with_marks(kSensitive);
  }
  if (v.is_number()) return numbers_.contains(v.as_number().text()) ? v.with_marks(kSensitive) : v;
  const bool named = v.kind() == Kind::Map || (v.kind() == Kind::Obj && declared.is_dynamic());
  std::vector<Value> elements;
  bool changed = false;
  for (size_t i = 0; i < v.length(); ++i) {
    const Value& e = v.elements()[i];
    if (named) {
      const std::string name(v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv());
      if (masked(name) != name) return v.with_marks(kSensitive);
    }
    elements.push_back(marked(e, declared.is_dynamic() ? Type::dynamic() : child_type(v, declared, i)));
    changed |= !elements.back().raw_equal(e);
  }
  if (!changed) return v;
  if (v.kind() == Kind::Set) return v.with_marks(kSensitive);  // its elements have no marks of their own
  return rebuilt(v, std::move(elements)).with_marks(v.marks());
}

}  // namespace xplan::review
