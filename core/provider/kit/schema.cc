// Builds declared fields (attributes, nested attributes, blocks) and turns them into the plain schema that
// the engine and the protocol use.
#include "core/provider/kit/schema.h"

namespace xplan::kit {
namespace {

schema::Attribute plain(const Field& f) {
  schema::Attribute a = f.info;
  if (f.kind == Field::Kind::Nested) {
    a.nested = std::make_shared<schema::Object>();
    a.nested->nesting = f.nesting;
    for (const Field& inner : f.fields) a.nested->attributes.push_back(plain(inner));
  }
  return a;
}

void fill(const std::vector<Field>& fields, schema::Block& out) {
  for (const Field& f : fields) {
    if (f.kind != Field::Kind::Block) {
      out.attributes.push_back(plain(f));
      continue;
    }
    schema::NestedBlock b;
    b.type_name = f.info.name;
    b.nesting = f.nesting;
    b.min_items = f.min_items, b.max_items = f.max_items;
    b.block = std::make_shared<schema::Block>();
    b.block->description = f.info.description;
    b.block->markdown = f.info.markdown;
    b.block->deprecated = f.info.deprecated;
    b.block->deprecation_message = f.info.deprecation_message;
    fill(f.fields, *b.block);
    out.blocks.push_back(std::move(b));
  }
}

Type container_of(Nesting nesting, const std::vector<Field>& fields) {
  std::vector<std::pair<Symbol, Type>> attrs;
  for (const Field& f : fields) attrs.emplace_back(f.info.name, f.info.type);
  const Type object = Type::object(std::move(attrs));
  return nesting == Nesting::List  ? Type::list(object)
         : nesting == Nesting::Set ? Type::set(object)
         : nesting == Nesting::Map ? Type::map(object)
                                   : object;
}

}  // namespace

Field& Field::deprecated(std::string message) {
  info.deprecated = true;
  info.deprecation_message = std::move(message);
  return *this;
}

Field& Field::with_default(Value v) {
  default_value = std::move(v);
  info.optional = info.computed = true;
  return *this;
}
Field& Field::with_default(Default f, std::string description) {
  default_from = std::move(f), default_text = std::move(description);
  info.optional = info.computed = true;
  return *this;
}

Field attribute(std::string_view name, Type type) {
  Field f;
  f.info.name = Symbol(name);
  f.info.type = type;
  return f;
}
Field list_of(std::string_view name, Type element) {
  return attribute(name, Type::list(element));
}
Field set_of(std::string_view name, Type element) {
  return attribute(name, Type::set(element));
}
Field map_of(std::string_view name, Type element) {
  return attribute(name, Type::map(element));
}

Field nested(std::string_view name, Nesting nesting, std::vector<Field> fields) {
  Field f;
  f.kind = Field::Kind::Nested;
  f.info.name = Symbol(name);
  f.nesting = nesting;
  f.fields = std::move(fields);
  // The type is needed here already: a plan makes unknown values of it.
  f.info.type = plain(f).nested->implied_type();
  return f;
}

Field block(std::string_view name, Nesting nesting, std::vector<Field> fields) {
  Field f;
  f.kind = Field::Kind::Block;
  f.info.name = Symbol(name);
  f.nesting = nesting;
  f.fields = std::move(fields);
  f.info.type = container_of(f.nesting, f.fields);
  return f;
}

schema::Schema to_schema(const Schema& s) {
  schema::Schema out;
  out.version = s.version;
  out.block.description = s.description;
  out.block.markdown = s.markdown;
  out.block.deprecated = !s.deprecation_message.empty();
  out.block.deprecation_message = s.deprecation_message;
  fill(s.fields, out.block);
  return out;
}

}  // namespace xplan::kit
