// Schemas as data: freezing (sorting, implied types, flags), look-ups by name, and the types that
// attributes, nested attributes and blocks imply.
#include "core/schema/schema.h"

#include <algorithm>

namespace xplan::schema {
namespace {

template <class T, class Name>
void sort_by_name(std::vector<T>& v, Name name) {
  std::sort(v.begin(), v.end(), [&](const T& a, const T& b) { return name(a).sv() < name(b).sv(); });
}

template <class T, class Name>
const T* find_by_name(const std::vector<T>& v, std::string_view wanted, Name name) {
  auto it = std::lower_bound(v.begin(), v.end(), wanted,
                             [&](const T& a, std::string_view w) { return name(a).sv() < w; });
  return it != v.end() && name(*it).sv() == wanted ? &*it : nullptr;
}

// What a configuration may leave out of a nested attribute: everything that is not required.
TypeConstraint constraint_of(const Attribute& a) {
  TypeConstraint out{a.type, {}, {}, {}};
  if (!a.nested) return out;
  TypeConstraint object{Type::dynamic(), {}, {}, {}};
  std::vector<std::pair<Symbol, Type>> parts;
  for (const Attribute& inner : a.nested->attributes) {  // sorted, as the object type's attributes are
    object.children.push_back(inner.constraint ? *inner.constraint : constraint_of(inner));
    object.optional.push_back(!inner.required);
    object.defaults.emplace_back();
    parts.emplace_back(inner.name, inner.type);
  }
  object.type = Type::object(std::move(parts));
  if (is_one(a.nested->nesting)) return object;
  out.children.push_back(std::move(object));
  return out;
}

void freeze_attributes(std::vector<Attribute>& attributes, bool& sensitive, bool& write_only) {
  for (Attribute& a : attributes) {
    if (a.nested) {
      freeze_attributes(a.nested->attributes, sensitive, write_only);
      a.type = a.nested->implied_type();
      a.constraint = std::make_shared<const TypeConstraint>(constraint_of(a));
    }
    sensitive |= a.sensitive || !a.derived_from.empty();
    write_only |= a.write_only;
  }
  sort_by_name(attributes, [](const Attribute& a) { return a.name; });
}

// Objects of nested attributes have one type, as those of every list or map.
Type nest(Nesting n, Type object) {
  switch (n) {
    case Nesting::Single:
    case Nesting::Group:
      return object;
    case Nesting::List:
      return Type::list(object);
    case Nesting::Set:
      return Type::set(object);
    case Nesting::Map:
      return Type::map(object);
  }
  return object;
}

// Blocks of one kind may differ in type when something in them is dynamic.
Type nest_blocks(Nesting n, Type object) {
  return !is_one(n) && object.has_dynamic() ? Type::dynamic() : nest(n, object);
}

// Types that a provider with attributes written as blocks never has.
bool is_structural(const Attribute& a) {
  if (a.nested || a.type.is_tuple() || a.type.is_object()) return true;
  if (!a.type.is_collection()) return false;
  Type element = a.type.element();
  if (a.type.is_map() && element.is_object()) return true;
  return element.is_collection() && !element.element().is_primitive();
}

}  // namespace

Type Object::implied_type() const {
  std::vector<std::pair<Symbol, Type>> parts;
  for (const Attribute& a : attributes) parts.emplace_back(a.name, a.type);
  return nest(nesting, Type::object(std::move(parts)));
}

void Block::freeze() {
  freeze_attributes(attributes, has_sensitive_, has_write_only_);
  sort_by_name(blocks, [](const NestedBlock& b) { return b.type_name; });
  std::vector<std::pair<Symbol, Type>> parts;
  for (const Attribute& a : attributes) {
    parts.emplace_back(a.name, a.type);
    body_schema_.attributes.push_back({a.name.sv(), a.required});
  }
  for (NestedBlock& b : blocks) {
    b.block->freeze();
    has_sensitive_ |= b.block->has_sensitive_;
    has_write_only_ |= b.block->has_write_only_;
    parts.emplace_back(b.type_name, nest_blocks(b.nesting, b.block->implied_type()));
    body_schema_.blocks.push_back({b.type_name.sv(), b.nesting == Nesting::Map
                                                         ? std::vector<std::string_view>{"key"}
                                                         : std::vector<std::string_view>{}});
  }
  for (const Attribute& a : attributes) structural_ |= is_structural(a);
  for (const NestedBlock& b : blocks) structural_ |= b.block->structural_;
  for (const Attribute& a : attributes) {
    if (structural_ || !(a.type.is_list() || a.type.is_set()) || !a.type.element().is_object()) continue;
    NestedBlock b;
    b.type_name = a.name;
    b.nesting = a.type.is_list() ? Nesting::List : Nesting::Set;
    b.block = std::make_shared<Block>();
    Type element = a.type.element();
    for (size_t i = 0; i < element.elements().size(); ++i) {
      Attribute inner;
      inner.name = element.attr_names()[i];
      inner.type = element.elements()[i];
      inner.optional = true;
      b.block->attributes.push_back(std::move(inner));
    }
    b.block->freeze();
    attribute_blocks_.push_back(std::move(b));
  }
  dynamic_body_schema_ = body_schema_;
  if (!blocks.empty()) dynamic_body_schema_.blocks.push_back({"dynamic", {"type"}});
  type_ = Type::object(std::move(parts));
}

const Attribute* Block::find_attribute(std::string_view name) const {
  return find_by_name(attributes, name, [](const Attribute& a) { return a.name; });
}
const NestedBlock* Block::find_block(std::string_view name) const {
  return find_by_name(blocks, name, [](const NestedBlock& b) { return b.type_name; });
}
const NestedBlock* Block::find_attribute_block(std::string_view name) const {
  return find_by_name(attribute_blocks_, name, [](const NestedBlock& b) { return b.type_name; });
}

void ProviderSchema::freeze() {
  provider.block.freeze();
  provider_meta.block.freeze();
  for (auto* list : {&managed, &data, &ephemeral}) {
    for (auto& [name, s] : *list) s.block.freeze();
    std::sort(list->begin(), list->end(),
              [](const auto& a, const auto& b) { return a.first.sv() < b.first.sv(); });
  }
  for (auto& [name, s] : identities) s.block.freeze();
  auto by_name = [](const auto& a, const auto& b) { return a.first.sv() < b.first.sv(); };
  std::sort(identities.begin(), identities.end(), by_name);
  std::sort(functions.begin(), functions.end(), by_name);
}

const Schema* ProviderSchema::find(Mode mode, Symbol type) const {
  const auto& list = mode == Mode::Data ? data : mode == Mode::Managed ? managed : ephemeral;
  auto it = std::lower_bound(list.begin(), list.end(), type.sv(),
                             [](const auto& a, std::string_view w) { return a.first.sv() < w; });
  return it != list.end() && it->first == type ? &it->second : nullptr;
}

const Schema* ProviderSchema::find_identity(Symbol managed_type) const {
  auto it = std::lower_bound(identities.begin(), identities.end(), managed_type.sv(),
                             [](const auto& a, std::string_view w) { return a.first.sv() < w; });
  return it != identities.end() && it->first == managed_type ? &it->second : nullptr;
}

SchemaPtr find(const ProviderSchemaPtr& provider, Mode mode, Symbol type) {
  const Schema* s = provider ? provider->find(mode, type) : nullptr;
  return s ? SchemaPtr(provider, s) : nullptr;
}

}  // namespace xplan::schema
