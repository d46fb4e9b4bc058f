// Writes the document that `providers schema -json` prints.
#include "render/json_schemas.h"

#include <algorithm>
#include <string>

#include "core/config/dialect.h"

namespace xplan::render {
namespace {

std::string_view nesting_name(schema::Nesting n) {
  switch (n) {
    case schema::Nesting::Single:
      return "single";
    case schema::Nesting::List:
      return "list";
    case schema::Nesting::Set:
      return "set";
    case schema::Nesting::Map:
      return "map";
    case schema::Nesting::Group:
      return "group";
  }
  return "single";
}

void write_description(const std::string& text, bool markdown, bool always, JsonWriter& w) {
  if (!text.empty()) w.member("description", text);
  if (!text.empty() || always) w.member("description_kind", markdown ? "markdown" : "plain");
}

// The message is OpenTofu's addition.
void write_deprecation(bool deprecated, const std::string& message, JsonWriter& w) {
  if (deprecated) w.member("deprecated", true);
  if (!message.empty() && config::has_additions()) w.member("deprecation_message", message);
}

void write_attributes(const std::vector<schema::Attribute>& attributes, JsonWriter& w) {
  w.key("attributes");
  w.begin_object();
  for (const schema::Attribute& a : attributes) {
    w.key(a.name.sv());
    w.begin_object();
    if (a.nested) {
      w.key("nested_type");
      w.begin_object();
      if (!a.nested->attributes.empty()) write_attributes(a.nested->attributes, w);
      w.member("nesting_mode", nesting_name(a.nested->nesting));
      w.end_object();
    } else {
      w.key("type");
      w.raw(a.type.json());
    }
    write_description(a.description, a.markdown, true, w);
    write_deprecation(a.deprecated, a.deprecation_message, w);
    if (a.required) w.member("required", true);
    if (a.optional) w.member("optional", true);
    if (a.computed) w.member("computed", true);
    if (a.sensitive) w.member("sensitive", true);
    if (a.write_only) w.member("write_only", true);
    w.end_object();
  }
  w.end_object();
}

void write_block(const schema::Block& b, JsonWriter& w) {
  w.begin_object();
  if (!b.attributes.empty()) write_attributes(b.attributes, w);
  if (!b.blocks.empty()) {
    w.key("block_types");
    w.begin_object();
    for (const schema::NestedBlock& n : b.blocks) {
      w.key(n.type_name.sv());
      w.begin_object();
      w.member("nesting_mode", nesting_name(n.nesting));
      w.key("block");
      write_block(*n.block, w);
      if (n.min_items) w.member("min_items", n.min_items);
      if (n.max_items) w.member("max_items", n.max_items);
      w.end_object();
    }
    w.end_object();
  }
  write_description(b.description, b.markdown, true, w);
  write_deprecation(b.deprecated, b.deprecation_message, w);
  w.end_object();
}

void write_schema(const schema::Schema& s, bool with_block, JsonWriter& w) {
  w.begin_object();
  w.member("version", static_cast<int64_t>(s.version));
  if (with_block) w.key("block"), write_block(s.block, w);
  w.end_object();
}

void write_schemas(std::string_view key, const std::vector<std::pair<Symbol, schema::Schema>>& list,
                   JsonWriter& w) {
  if (list.empty()) return;
  w.key(key);
  w.begin_object();
  for (const auto& [name, s] : list) {
    w.key(name.sv());
    write_schema(s, true, w);
  }
  w.end_object();
}

void write_parameter(const schema::FunctionParameter& p, JsonWriter& w) {
  w.begin_object();
  w.member("name", p.name);
  if (!p.description.empty()) w.member("description", p.description);
  if (p.allow_null) w.member("is_nullable", true);
  w.key("type");
  w.raw(p.type.json());
  w.end_object();
}

void write_functions(const schema::ProviderSchema& p, JsonWriter& w) {
  if (p.functions.empty()) return;
  w.key("functions");
  w.begin_object();
  for (const auto& [name, f] : p.functions) {
    w.key(name.sv());
    w.begin_object();
    if (!f.description.empty()) w.member("description", f.description);
    if (!f.summary.empty()) w.member("summary", f.summary);
    if (!f.deprecation_message.empty()) w.member("deprecation_message", f.deprecation_message);
    w.key("return_type");
    w.raw(f.returns.json());
    if (!f.params.empty()) {
      w.key("parameters");
      w.begin_array();
      for (const schema::FunctionParameter& parameter : f.params) write_parameter(parameter, w);
      w.end_array();
    }
    if (f.variadic) {
      w.key("variadic_parameter");
      write_parameter(*f.variadic, w);
    }
    w.end_object();
  }
  w.end_object();
}

void write_identities(const schema::ProviderSchema& p, JsonWriter& w) {
  if (p.identities.empty()) return;
  w.key("resource_identity_schemas");
  w.begin_object();
  for (const auto& [name, s] : p.identities) {
    w.key(name.sv());
    w.begin_object();
    w.member("version", static_cast<int64_t>(s.version));
    w.key("attributes");
    w.begin_object();
    for (const schema::Attribute& a : s.block.attributes) {
      w.key(a.name.sv());
      w.begin_object();
      w.key("type");
      w.raw(a.type.json());
      if (!a.description.empty()) w.member("description", a.description);
      if (a.required) w.member("required_for_import", true);
      if (a.optional) w.member("optional_for_import", true);
      w.end_object();
    }
    w.end_object();
    w.end_object();
  }
  w.end_object();
}

}  // namespace

void write_provider_schemas(const ProviderSchemaList& providers, JsonWriter& w) {
  auto sorted = providers;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first.text() < b.first.text(); });
  if (sorted.empty()) return;
  w.key("provider_schemas");
  w.begin_object();
  for (const auto& [addr, p] : sorted) {
    w.key(addr.text());
    w.begin_object();
    w.key("provider");
    // Nothing built in has anything to configure: there is no block.
    write_schema(p->provider, !addr.is_builtin(), w);
    write_schemas("resource_schemas", p->managed, w);
    write_schemas("data_source_schemas", p->data, w);
    write_schemas("ephemeral_resource_schemas", p->ephemeral, w);
    write_functions(*p, w);
    write_identities(*p, w);
    w.end_object();
  }
  w.end_object();
}

void write_schemas_json(const ProviderSchemaList& providers, JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "1.0");
  write_provider_schemas(providers, w);
  w.end_object();
}

}  // namespace xplan::render
