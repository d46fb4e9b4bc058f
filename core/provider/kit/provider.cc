// kit::Provider: what it is made of, its schema, validation and configuration. Its other calls are in
// provider_calls.cc.
#include "core/provider/kit/provider.h"

#include <fmt/format.h>

#include "core/provider/kit/validate.h"

namespace xplan::kit {
void Provider::set_config(Schema s, std::function<ConfigureResult(const ConfigureRequest&)> on_configure,
                          std::function<void(const Value&, ProviderDiags&)> validate) {
  config_ = std::move(s);
  on_configure_ = std::move(on_configure);
  validate_ = std::move(validate);
}
void Provider::set_provider_meta(Schema s) {
  provider_meta_ = std::move(s);
}
void Provider::add(std::string_view type, std::unique_ptr<Resource> r) {
  Schema s = r->schema();
  resources_[Symbol(type)] = {std::move(r), std::move(s)};
}
void Provider::add(std::string_view type, std::unique_ptr<DataSource> d) {
  Schema s = d->schema();
  data_[Symbol(type)] = {std::move(d), std::move(s)};
}
void Provider::add(std::string_view type, std::unique_ptr<Ephemeral> e) {
  Schema s = e->schema();
  ephemerals_[Symbol(type)] = {std::move(e), std::move(s)};
}
void Provider::add(std::string_view name, Function f) {
  functions_[Symbol(name)] = std::move(f);
}

template <class T>
void Provider::freeze(Table<T>& table, const std::vector<std::pair<Symbol, schema::Schema>>& schemas) const {
  auto it = table.begin();  // both are sorted by name
  for (const auto& [name, s] : schemas) (it++)->second.impl->type_ = s.block.implied_type();
}

void Provider::freeze_all() const {
  auto out = std::make_shared<schema::ProviderSchema>();
  out->provider = to_schema(config_);
  out->provider_meta = to_schema(provider_meta_);
  for (const auto& [name, e] : resources_) {
    out->managed.emplace_back(name, to_schema(e.schema));
    if (Identity i = e.impl->identity(); !i.fields.empty()) {
      Schema s;
      s.version = i.version;
      s.fields = std::move(i.fields);
      out->identities.emplace_back(name, to_schema(s));
    }
  }
  for (const auto& [name, e] : data_) out->data.emplace_back(name, to_schema(e.schema));
  for (const auto& [name, e] : ephemerals_) out->ephemeral.emplace_back(name, to_schema(e.schema));
  for (const auto& [name, f] : functions_) out->functions.emplace_back(name, f.signature);
  out->freeze();
  freeze(resources_, out->managed);
  freeze(data_, out->data);
  freeze(ephemerals_, out->ephemeral);
  schema_ = std::move(out);
}

const schema::ProviderSchemaPtr& Provider::schema() const {
  std::call_once(frozen_, [this] { freeze_all(); });
  return schema_;
}

void Provider::no_such_type(Symbol type, std::string_view what, ProviderDiags& diags) {
  add_error(diags, "Unsupported type", fmt::format("This provider has no {} \"{}\".", what, type.sv()));
}

const Schema* Provider::declared(Mode mode, Symbol type) const {
  auto in = [&](const auto& table) -> const Schema* {
    auto it = table.find(type);
    return it == table.end() ? nullptr : &it->second.schema;
  };
  return mode == Mode::Managed ? in(resources_) : mode == Mode::Data ? in(data_) : in(ephemerals_);
}

ProviderDiags Provider::validate_provider(const Value& config) {
  ProviderDiags diags;
  CallScope scope(running_, "", "validate");
  guarded(scope.context(), diags, [&] {
    validate_fields(config_, config, diags);
    if (validate_) validate_(config, diags);
  });
  return diags;
}

ProviderDiags Provider::validate_resource(Mode mode, Symbol type, const Value& config) {
  ProviderDiags diags;
  CallScope scope(running_, type.sv(), "validate");
  auto check = [&](auto* e) {
    if (!e) return;
    guarded(scope.context(), diags, [&] {
      validate_fields(e->schema, config, diags);
      e->impl->validate(config, diags);
    });
  };
  switch (mode) {
    case Mode::Managed:
      check(find(resources_, type, "resource type", diags));
      break;
    case Mode::Data:
      check(find(data_, type, "data source", diags));
      break;
    case Mode::Ephemeral:
      check(find(ephemerals_, type, "ephemeral resource type", diags));
      break;
  }
  return diags;
}

ProviderDiags Provider::configure(const ConfigureRequest& r) {
  deferral_allowed_ = r.deferral_allowed;
  if (!on_configure_) return {};
  ConfigureResult result;
  CallScope scope(running_, "", "configure");
  guarded(scope.context(), result.diags, [&] { result = on_configure_(r); });
  deferred_ = r.deferral_allowed ? result.deferred : Deferral::None;
  return std::move(result.diags);
}

}  // namespace xplan::kit
