// Schemas from messages. They are checked as they are read: a schema that contradicts itself would fail
// later, far from its cause.
#include <fmt/format.h>
#include <set>

#include "core/provider/wire/convert.h"
#include "core/provider/wire/schema.h"
#include "core/value/convert.h"

namespace xplan::wire {
namespace {

using schema::Nesting;

template <class P>
class SchemaReader {
 public:
  explicit SchemaReader(ProviderDiags& diags) : diags_(diags) {}

  void enter(std::string where) { where_ = std::move(where); }

  schema::Schema schema(const typename P::Schema& in) {
    schema::Schema out;
    if (in.version() < 0) fail("The version of the schema is negative.");
    out.version = static_cast<uint64_t>(std::max<int64_t>(in.version(), 0));
    block(in.block(), out.block, "");
    return out;
  }

  schema::Schema identity(const typename P::IdentitySchema& in) {
    schema::Schema out;
    out.version = static_cast<uint64_t>(std::max<int64_t>(in.version(), 0));
    std::set<std::string> seen;
    for (const auto& a : in.identity_attributes()) {
      if (!name_ok(a.name(), "", seen)) continue;
      schema::Attribute attribute;
      attribute.name = Symbol(a.name());
      attribute.type = type(a.type(), a.name());
      attribute.required = a.required_for_import();
      attribute.optional = a.optional_for_import();
      attribute.description = clean_text(a.description());
      out.block.attributes.push_back(std::move(attribute));
    }
    return out;
  }

  schema::FunctionSignature function(const typename P::Function& in) {
    schema::FunctionSignature out;
    std::set<std::string> seen;
    for (const auto& p : in.parameters()) {
      out.params.push_back(parameter(p));
      if (!seen.insert(p.name()).second)
        fail(fmt::format("Two parameters have the name \"{}\".", clean_text(p.name())));
    }
    if (in.has_variadic_parameter())
      out.variadic = std::make_shared<schema::FunctionParameter>(parameter(in.variadic_parameter()));
    out.returns = type(in.return_().type(), "the result");
    out.summary = clean_text(in.summary());
    out.description = clean_text(in.description());
    out.deprecation_message = clean_text(in.deprecation_message());
    out.markdown = in.description_kind() == 1;
    return out;
  }

  bool type_name_ok(const std::string& name) {
    return plain(name) || (fail("Its name is malformed."), false);
  }

  void all(const char* what, const auto& from, auto& to) {
    to.reserve(from.size());
    for (const auto& entry : from) {
      const auto& name = entry.first;
      const auto& s = entry.second;
      enter(fmt::format("{} {}", what, clean_text(name)));
      if (!type_name_ok(name)) continue;
      if constexpr (requires { s.block(); })
        to.emplace_back(Symbol(name), schema(s));
      else
        to.emplace_back(Symbol(name), function(s));
    }
  }

 private:
  void fail(std::string detail) {
    diags_.push_back({Severity::Error,
                      "Invalid provider schema",
                      fmt::format("{}: {} This is a bug in the provider.", where_, detail),
                      {}});
  }
  static bool plain(const std::string& name) {
    for (char c : name)
      if (!(c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
            (c >= 'A' && c <= 'Z')))
        return false;
    return !name.empty();
  }
  bool name_ok(const std::string& name, const std::string& inside, std::set<std::string>& seen) {
    if (!plain(name))
      fail(fmt::format("{}\"{}\" is not a valid name.", inside, clean_text(name)));
    else if (!seen.insert(name).second)
      fail(fmt::format("{}the name \"{}\" is declared twice.", inside, name));
    else
      return true;
    return false;
  }
  Type type(const std::string& json, const std::string& what) {
    if (json.empty()) {
      fail(fmt::format("The type of {} is missing.", clean_text(what)));
      return {};
    }
    Result<Type> t = parse_type_json(json);
    if (t.ok() && t->depth() <= kMaxTypeDepth) return *t;
    fail(fmt::format("The type of {} cannot be read: {}.", clean_text(what),
                     t.ok() ? "it is nested too deeply" : clean_text(t.error().message)));
    return {};
  }
  schema::FunctionParameter parameter(const typename P::FunctionParameter& in) {
    schema::FunctionParameter out;
    out.name = clean_text(in.name());
    out.type = type(in.type(), "parameter " + in.name());
    out.allow_null = in.allow_null_value();
    out.allow_unknown = in.allow_unknown_values();
    out.description = clean_text(in.description());
    out.markdown = in.description_kind() == 1;
    return out;
  }

  // The type of a nested attribute is known only when the schema is frozen, so its parts are asked.
  static bool may_differ(const schema::Attribute& a) {
    if (!a.nested) return a.type.has_dynamic();
    for (const schema::Attribute& inner : a.nested->attributes)
      if (may_differ(inner)) return true;
    return false;
  }

  void block(const typename P::Block& in, schema::Block& out, const std::string& path) {
    std::set<std::string> seen;
    out.description = clean_text(in.description());
    out.markdown = in.description_kind() == 1;
    out.deprecated = in.deprecated(), out.computed = in.computed();
    out.deprecation_message = clean_text(in.deprecation_message());
    attributes(in.attributes(), out.attributes, path, seen);
    for (const auto& b : in.block_types()) {
      if (!name_ok(b.type_name(), inside(path), seen)) continue;
      std::string own = path + b.type_name();
      schema::NestedBlock nested;
      nested.type_name = Symbol(b.type_name());
      nested.min_items = b.min_items(), nested.max_items = b.max_items();
      if (b.nesting() < 1 || b.nesting() > 5) {
        fail(fmt::format("Block {} has an invalid nesting mode.", own));
        continue;
      }
      constexpr Nesting kModes[] = {Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map,
                                    Nesting::Group};
      nested.nesting = kModes[b.nesting() - 1];
      if (nested.min_items < 0 || nested.max_items < 0 ||
          (nested.max_items > 0 && nested.min_items > nested.max_items))
        fail(fmt::format("Block {} has item limits that cannot be satisfied.", own));
      nested.block = std::make_shared<schema::Block>();
      block(b.block(), *nested.block, own + ".");
      if (nested.nesting == Nesting::Set)
        for (const schema::Attribute& a : nested.block->attributes)
          if (may_differ(a))
            fail(fmt::format("Block {} is a set, whose elements cannot differ in type as {} does.", own,
                             a.name.sv()));
      out.blocks.push_back(std::move(nested));
    }
  }

  template <class List>
  void attributes(const List& in, std::vector<schema::Attribute>& out, const std::string& path,
                  std::set<std::string>& seen) {
    out.reserve(in.size());
    for (const auto& a : in) {
      if (!name_ok(a.name(), inside(path), seen)) continue;
      std::string own = path + a.name();
      schema::Attribute attribute;
      attribute.name = Symbol(a.name());
      attribute.required = a.required(), attribute.optional = a.optional(), attribute.computed = a.computed();
      attribute.sensitive = a.sensitive(), attribute.write_only = a.write_only();
      attribute.deprecated = a.deprecated();
      attribute.deprecation_message = clean_text(a.deprecation_message());
      attribute.description = clean_text(a.description());
      attribute.markdown = a.description_kind() == 1;
      if (attribute.required && (attribute.optional || attribute.computed))
        fail(fmt::format("Attribute {} is required and at the same time optional or computed.", own));
      if (!attribute.required && !attribute.optional && !attribute.computed)
        fail(fmt::format("Attribute {} is neither required nor optional nor computed.", own));
      if (attribute.write_only && attribute.computed)
        fail(fmt::format("Attribute {} is write-only and computed at the same time.", own));
      if constexpr (P::kVersion >= 6) {
        if (a.has_nested_type()) {
          attribute.nested = object(a.nested_type(), own);
          out.push_back(std::move(attribute));
          continue;
        }
      }
      attribute.type = type(a.type(), own);
      out.push_back(std::move(attribute));
    }
  }

  template <class M>
  std::shared_ptr<schema::Object> object(const M& in, const std::string& own) {
    auto out = std::make_shared<schema::Object>();
    std::set<std::string> seen;
    constexpr Nesting kModes[] = {Nesting::Single, Nesting::List, Nesting::Set, Nesting::Map};
    if (in.nesting() < 1 || in.nesting() > 4)
      fail(fmt::format("Attribute {} has an invalid nesting mode.", own));
    else
      out->nesting = kModes[in.nesting() - 1];
    attributes(in.attributes(), out->attributes, own + ".", seen);
    return out;
  }

  static std::string inside(const std::string& path) {
    return path.empty() ? std::string() : "In " + path.substr(0, path.size() - 1) + ", ";
  }

  ProviderDiags& diags_;
  std::string where_;
};

}  // namespace

template <class P>
void get_schema(const typename P::SchemaResponse& in, schema::ProviderSchema& out, Capabilities& capabilities,
                ProviderDiags& diags) {
  get_diags(in.diagnostics(), diags);
  SchemaReader<P> reader(diags);
  capabilities.plan_destroy = in.server_capabilities().plan_destroy();
  capabilities.schema_optional = in.server_capabilities().get_provider_schema_optional();
  capabilities.move_state = in.server_capabilities().move_resource_state();
  capabilities.generate_config = in.server_capabilities().generate_resource_config();
  reader.enter("The configuration of the provider");
  out.provider = reader.schema(in.provider());
  reader.enter("The provider_meta block");
  out.provider_meta = reader.schema(in.provider_meta());
  reader.all("Resource type", in.resource_schemas(), out.managed);
  reader.all("Data source", in.data_source_schemas(), out.data);
  reader.all("Ephemeral resource type", in.ephemeral_resource_schemas(), out.ephemeral);
  reader.all("Function", in.functions(), out.functions);
  out.freeze();
}

template <class P>
void get_identities(const typename P::IdentityResponse& in, schema::ProviderSchema& out,
                    ProviderDiags& diags) {
  get_diags(in.diagnostics(), diags);
  SchemaReader<P> reader(diags);
  for (const auto& [name, s] : in.identity_schemas()) {
    reader.enter(fmt::format("The identity of resource type {}", clean_text(name)));
    if (!reader.type_name_ok(name)) continue;
    schema::Schema identity = reader.identity(s);
    identity.block.freeze();
    out.identities.emplace_back(Symbol(name), std::move(identity));
  }
  std::sort(out.identities.begin(), out.identities.end(),
            [](const auto& a, const auto& b) { return a.first.sv() < b.first.sv(); });
}

template void get_schema<P5>(const P5::SchemaResponse&, schema::ProviderSchema&, Capabilities&,
                             ProviderDiags&);
template void get_schema<P6>(const P6::SchemaResponse&, schema::ProviderSchema&, Capabilities&,
                             ProviderDiags&);
template void get_identities<P5>(const P5::IdentityResponse&, schema::ProviderSchema&, ProviderDiags&);
template void get_identities<P6>(const P6::IdentityResponse&, schema::ProviderSchema&, ProviderDiags&);

}  // namespace xplan::wire
