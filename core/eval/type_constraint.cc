// Reads type constraints, as the "type" of an input variable has them: string, list(number),
// object({a = optional(string, "x")}), any … Reports what is not a type, with the nearest one.
#include <unordered_map>

#include "core/eval/evaluator.h"
#include "core/syntax/body.h"

namespace xplan::eval {

namespace {
constexpr int kMaxNesting = 200;

struct Parser {
  Diagnostics& diags;
  bool allow_optional;
  int depth = 0;

  TypeConstraint fail(const Expr& e, std::string detail, Range where = {}) {
    diags.error("Invalid type constraint", std::move(detail), where.valid() ? where : e.range,
                where.valid() && where != e.range ? e.range : Range{});
    return {};
  }

  TypeConstraint parse(const Expr& e);
  TypeConstraint keyword(const Expr& e, std::string_view word);
  TypeConstraint constructor(const Expr& e);
  TypeConstraint collection(const Expr& e, std::string_view name);
  TypeConstraint tuple(const Expr& e);
  TypeConstraint object(const Expr& e);
  bool attribute(const Expr& e, TypeConstraint& type, bool& optional, Value& default_value);
};

TypeConstraint of(Type t) {
  TypeConstraint c;
  c.type = t;
  return c;
}

bool primitive(std::string_view word, Type& out) {
  if (word == "string")
    out = Type::string();
  else if (word == "number")
    out = Type::number();
  else if (word == "bool")
    out = Type::boolean();
  else if (word == "any")
    out = Type::dynamic();
  else
    return false;
  return true;
}

std::string known_words_hint(std::string_view word) {
  std::string_view near =
      did_you_mean(word, {"string", "number", "bool", "any", "list", "set", "map", "tuple", "object"});
  return near.empty() ? " The types are string, number, bool, any, list(…), set(…), map(…), tuple([…]) and "
                        "object({…})."
                      : " Did you mean \"" + std::string(near) + "\"?";
}

TypeConstraint collection_of(std::string_view name, TypeConstraint element) {
  TypeConstraint c;
  c.type = name == "list"  ? Type::list(element.type)
           : name == "set" ? Type::set(element.type)
                           : Type::map(element.type);
  c.children.push_back(std::move(element));
  return c;
}

TypeConstraint Parser::keyword(const Expr& e, std::string_view word) {
  Type t;
  if (primitive(word, t)) return of(t);
  // The short forms of the oldest language version: a list or map of anything.
  if (word == "list" || word == "map") return collection_of(word, of(Type::dynamic()));
  if (word == "set") return fail(e, "A set requires the type of its elements: set(string), for example.");
  if (word == "tuple")
    return fail(e, "A tuple requires the types of its elements: tuple([string, number]), for example.");
  if (word == "object")
    return fail(e, "An object requires its attributes: object({name = string}), for example.");
  if (word == "optional")
    return fail(e, "\"optional\" can only be used around the type of an object attribute.");
  return fail(e, "\"" + std::string(word) + "\" is not a valid type." + known_words_hint(word));
}

TypeConstraint Parser::collection(const Expr& e, std::string_view name) {
  if (e.items.size() != 1) {
    Range where = e.items.size() > 1 ? e.items[1]->range : Range{};
    return fail(e, "\"" + std::string(name) + "\" takes one argument, the element type.", where);
  }
  return collection_of(name, parse(*e.items[0]));
}

TypeConstraint Parser::tuple(const Expr& e) {
  if (e.items.size() != 1 || e.items[0]->kind != ExprKind::Tuple)
    return fail(
        e,
        "\"tuple\" takes one argument, the list of the element types: tuple([string, number]), for example.");
  TypeConstraint c;
  std::vector<Type> types;
  for (const Expr* item : e.items[0]->items) {
    c.children.push_back(parse(*item));
    types.push_back(c.children.back().type);
  }
  c.type = Type::tuple(types);
  return c;
}

// The type of one attribute, with optional(…) around it or not.
bool Parser::attribute(const Expr& e, TypeConstraint& type, bool& optional, Value& default_value) {
  optional = e.kind == ExprKind::Call && e.name.sv() == "optional";
  if (!optional) {
    type = parse(e);
    return true;
  }
  if (!allow_optional) {
    fail(e, "Optional attributes are allowed only in the type of an input variable.");
    return false;
  }
  if (e.items.empty() || e.items.size() > 2) {
    fail(e, "\"optional\" takes the type of the attribute and, optionally, its default value.");
    return false;
  }
  type = parse(*e.items[0]);
  if (e.items.size() == 1) return true;
  const Expr& given = *e.items[1];
  size_t errors = diags.error_count();
  Value v = evaluate_constant(given, diags);
  if (diags.error_count() != errors) return true;
  ConversionError why;
  auto converted = convert(v, type, &why);
  if (converted) {
    default_value = converted->immortal();
  } else {
    diags.error("Invalid default of an optional attribute",
                "The default does not match the type of the attribute: " + why.text() + ".", given.range,
                e.range);
  }
  return true;
}

TypeConstraint Parser::object(const Expr& e) {
  if (e.items.size() != 1 || e.items[0]->kind != ExprKind::Object)
    return fail(e,
                "\"object\" takes one argument, the attributes with their types: object({name = string}), "
                "for example.");
  const Expr& list = *e.items[0];
  struct Attribute {
    TypeConstraint type;
    bool optional = false;
    Value default_value;
  };
  std::vector<std::pair<Symbol, Type>> types;
  std::unordered_map<Symbol, Attribute> attributes;
  for (size_t i = 0; i + 1 < list.items.size(); i += 2) {
    const Expr& key = *list.items[i];
    bool bare = key.kind == ExprKind::Literal && key.value.is_string() &&
                key.range.end - key.range.begin == key.value.as_string().size() &&
                syntax::valid_identifier(key.value.as_string());
    Attribute a;
    bool usable = attribute(*list.items[i + 1], a.type, a.optional, a.default_value);
    if (!bare) {
      fail(e, "An attribute name is written without quotes, dots or parentheses.", key.range);
      continue;
    }
    if (!usable) continue;
    Symbol name(key.value.as_string());
    if (attributes.count(name)) {
      fail(e, "The attribute \"" + std::string(name.sv()) + "\" is declared twice.", key.range);
      continue;
    }
    types.emplace_back(name, a.type.type);
    attributes.emplace(name, std::move(a));
  }
  TypeConstraint c;
  c.type = Type::object(std::move(types));
  for (Symbol name : c.type.attr_names()) {
    Attribute& a = attributes.at(name);
    c.children.push_back(std::move(a.type));
    c.optional.push_back(a.optional);
    c.defaults.push_back(std::move(a.default_value));
  }
  return c;
}

TypeConstraint Parser::constructor(const Expr& e) {
  std::string_view name = e.name.sv();
  if (name == "list" || name == "set" || name == "map") return collection(e, name);
  if (name == "tuple") return tuple(e);
  if (name == "object") return object(e);
  Type t;
  if (primitive(name, t))
    return fail(e, "\"" + std::string(name) + "\" is a complete type and takes no arguments.",
                e.name_range.valid() ? e.name_range : e.range);
  if (name == "optional") return keyword(e, name);
  return fail(e, "\"" + std::string(name) + "\" is not a valid type." + known_words_hint(name),
              e.name_range.valid() ? e.name_range : e.range);
}

TypeConstraint Parser::parse(const Expr& e) {
  if (depth >= kMaxNesting)
    return fail(e, "Types can be nested at most " + std::to_string(kMaxNesting) + " levels deep.");
  ++depth;
  TypeConstraint c;
  if (e.kind == ExprKind::Literal && e.value.is_unknown()) {
    c = of(Type::dynamic());  // stands for what is not valid syntax, which is reported already
  } else if (e.kind == ExprKind::Call) {
    c = constructor(e);
  } else if (Symbol word = syntax::as_keyword(e); !word.empty()) {
    c = keyword(e, word.sv());
  } else if (e.kind == ExprKind::Literal && e.value.is_string()) {
    std::string_view text = e.value.as_string();
    std::string hint = text == "list" || text == "map"
                           ? "Write " + std::string(text) + "(string) instead of the old \"" +
                                 std::string(text) + "\" in quotes."
                           : "Remove the quotes.";
    c = fail(e, "Types are written without quotes. " + hint);
  } else {
    c = fail(e, "This is not a valid type." + known_words_hint(""));
  }
  --depth;
  return c;
}
}  // namespace

TypeConstraint parse_type_constraint(const syntax::Expr& e, bool allow_optional, Diagnostics& diags) {
  size_t errors = diags.error_count();
  TypeConstraint c = Parser{diags, allow_optional}.parse(e);
  return diags.error_count() == errors ? c : TypeConstraint{};
}

}  // namespace xplan::eval
