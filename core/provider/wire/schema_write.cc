// Provider schemas to protobuf messages of protocols 5 and 6; reports what protocol 5 cannot express.
#include <fmt/format.h>

#include "core/provider/wire/schema.h"

namespace xplan::wire {
namespace {

template <class E>
E kind(bool markdown) {
  return static_cast<E>(markdown ? 1 : 0);
}

template <class P>
class SchemaWriter {
 public:
  std::string error;

  void schema(const schema::Schema& in, typename P::Schema* out) {
    out->set_version(static_cast<int64_t>(in.version));
    block(in.block, out->mutable_block());
  }

 private:
  void block(const schema::Block& in, typename P::Block* out) {
    out->set_description(in.description);
    out->set_description_kind(kind<std::decay_t<decltype(out->description_kind())>>(in.markdown));
    out->set_deprecated(in.deprecated);
    out->set_computed(in.computed);
    out->set_deprecation_message(in.deprecation_message);
    for (const schema::Attribute& a : in.attributes) attribute(a, out->add_attributes());
    for (const schema::NestedBlock& b : in.blocks) {
      auto* m = out->add_block_types();
      m->set_type_name(std::string(b.type_name.sv()));
      m->set_min_items(b.min_items);
      m->set_max_items(b.max_items);
      m->set_nesting(static_cast<std::decay_t<decltype(m->nesting())>>(static_cast<int>(b.nesting) + 1));
      block(*b.block, m->mutable_block());
    }
  }
  template <class M>
  void attribute(const schema::Attribute& a, M* m) {
    m->set_name(std::string(a.name.sv()));
    m->set_description(a.description);
    m->set_description_kind(kind<std::decay_t<decltype(m->description_kind())>>(a.markdown));
    m->set_required(a.required);
    m->set_optional(a.optional);
    m->set_computed(a.computed);
    m->set_sensitive(a.sensitive);
    m->set_deprecated(a.deprecated);
    m->set_deprecation_message(a.deprecation_message);
    m->set_write_only(a.write_only);
    if constexpr (P::kVersion >= 6) {
      if (a.nested) {
        auto* o = m->mutable_nested_type();
        o->set_nesting(
            static_cast<std::decay_t<decltype(o->nesting())>>(static_cast<int>(a.nested->nesting) + 1));
        for (const schema::Attribute& inner : a.nested->attributes) attribute(inner, o->add_attributes());
        return;
      }
    } else if (a.nested && error.empty()) {
      error = fmt::format("protocol 5 does not support nested attributes, such as {}", a.name.sv());
    }
    m->set_type(a.type.json());
  }
};

template <class P>
void put_parameter(const schema::FunctionParameter& in, typename P::FunctionParameter* out) {
  out->set_name(in.name);
  out->set_type(in.type.json());
  out->set_allow_null_value(in.allow_null);
  out->set_allow_unknown_values(in.allow_unknown);
  out->set_description(in.description);
  out->set_description_kind(kind<std::decay_t<decltype(out->description_kind())>>(in.markdown));
}

}  // namespace

template <class P>
void put_function(const schema::FunctionSignature& in, typename P::Function* out) {
  for (const schema::FunctionParameter& p : in.params) put_parameter<P>(p, out->add_parameters());
  if (in.variadic) put_parameter<P>(*in.variadic, out->mutable_variadic_parameter());
  out->mutable_return_()->set_type(in.returns.json());
  out->set_summary(in.summary);
  out->set_description(in.description);
  out->set_description_kind(kind<std::decay_t<decltype(out->description_kind())>>(in.markdown));
  out->set_deprecation_message(in.deprecation_message);
}

template <class P>
Result<void> put_schema(const schema::ProviderSchema& in, const Capabilities& capabilities,
                        typename P::SchemaResponse* out) {
  SchemaWriter<P> w;
  auto* c = out->mutable_server_capabilities();
  c->set_plan_destroy(capabilities.plan_destroy);
  c->set_get_provider_schema_optional(capabilities.schema_optional);
  c->set_move_resource_state(capabilities.move_state);
  c->set_generate_resource_config(capabilities.generate_config);
  w.schema(in.provider, out->mutable_provider());
  const schema::Block& meta = in.provider_meta.block;
  if (!meta.attributes.empty() || !meta.blocks.empty())
    w.schema(in.provider_meta, out->mutable_provider_meta());
  for (const auto& [name, s] : in.managed)
    w.schema(s, &(*out->mutable_resource_schemas())[std::string(name.sv())]);
  for (const auto& [name, s] : in.data)
    w.schema(s, &(*out->mutable_data_source_schemas())[std::string(name.sv())]);
  for (const auto& [name, s] : in.ephemeral)
    w.schema(s, &(*out->mutable_ephemeral_resource_schemas())[std::string(name.sv())]);
  for (const auto& [name, f] : in.functions)
    put_function<P>(f, &(*out->mutable_functions())[std::string(name.sv())]);
  if (!w.error.empty()) return Error{w.error};
  return {};
}

template <class P>
void put_identities(const schema::ProviderSchema& in, typename P::IdentityResponse* out) {
  for (const auto& [name, s] : in.identities) {
    auto& m = (*out->mutable_identity_schemas())[std::string(name.sv())];
    m.set_version(static_cast<int64_t>(s.version));
    for (const schema::Attribute& a : s.block.attributes) {
      auto* attribute = m.add_identity_attributes();
      attribute->set_name(std::string(a.name.sv()));
      attribute->set_type(a.type.json());
      attribute->set_required_for_import(a.required);
      attribute->set_optional_for_import(a.optional);
      attribute->set_description(a.description);
    }
  }
}

template Result<void> put_schema<P5>(const schema::ProviderSchema&, const Capabilities&, P5::SchemaResponse*);
template Result<void> put_schema<P6>(const schema::ProviderSchema&, const Capabilities&, P6::SchemaResponse*);
template void put_identities<P5>(const schema::ProviderSchema&, P5::IdentityResponse*);
template void put_identities<P6>(const schema::ProviderSchema&, P6::IdentityResponse*);
template void put_function<P5>(const schema::FunctionSignature&, P5::Function*);
template void put_function<P6>(const schema::FunctionSignature&, P6::Function*);

}  // namespace xplan::wire
