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
  auto it = std::lower_bound(v.begin(), v.end(), wanted, [&](const T& a, std::string_view w) { return name(a).sv() < w; });
  return it != v.end() && name(*it).sv() == wanted ? &*it : nullptr;
}

void freeze_attributes(std::vector<Attribute>& attributes, bool& sensitive, bool& write_only) {
  for (Attribute& a : attributes) {
    if (a.nested) {
      freeze_attributes(a.nested->attributes, sensitive, write_only);
      a.type = a.nested->implied_type();
    }
    sensitive |= a.sensitive;
    write_only |= a.write_only;
  }
  sort_by_name(attributes, [](const Attribute& a) { return a.name; });
}

Type nest(Nesting n, Type object) {
  switch (n) {
    case Nesting::Single: case Nesting::Group: return object;
    case Nesting::List: return object.has_dynamic() ? Type::dynamic() : Type::list(object);
    case Nesting::Set: return object.has_dynamic() ? Type::dynamic() : Type::set(object);
    case Nesting::Map: return object.has_dynamic() ? Type::dynamic() : Type::map(object);
  }
  return object;
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
    parts.emplace_back(b.type_name, nest(b.nesting, b.block->implied_type()));
    body_schema_.blocks.push_back({b.type_name.sv(), b.nesting == Nesting::Map ? std::vector<std::string_view>{"key"}
                                                                               : std::vector<std::string_view>{}});
  }
  type_ = Type::object(std::move(parts));
}

const Attribute* Block::find_attribute(std::string_view name) const {
  return find_by_name(attributes, name, [](const Attribute& a) { return a.name; });
}
const NestedBlock* Block::find_block(std::string_view name) const {
  return find_by_name(blocks, name, [](const NestedBlock& b) { return b.type_name; });
}

void ProviderSchema::freeze() {
  provider.block.freeze();
  provider_meta.block.freeze();
  for (auto* list : {&managed, &data, &ephemeral}) {
    for (auto& [name, s] : *list) s.block.freeze();
    std::sort(list->begin(), list->end(), [](const auto& a, const auto& b) { return a.first.sv() < b.first.sv(); });
  }
}

const Schema* ProviderSchema::find(uint8_t mode, Symbol type) const {
  const auto& list = mode == 0 ? data : mode == 1 ? managed : ephemeral;
  auto it = std::lower_bound(list.begin(), list.end(), type.sv(), [](const auto& a, std::string_view w) { return a.first.sv() < w; });
  return it != list.end() && it->first == type ? &it->second : nullptr;
}

}  // namespace xplan::schema
