#include "core/provider/builtin/builtin.h"

#include <fmt/format.h>
#include <mutex>

namespace xplan {
namespace {

const Symbol kDataType("terraform_data"), kRemoteState("terraform_remote_state");

class BuiltinProvider : public Provider {
 public:
  BuiltinProvider() {
    schema_.managed.emplace_back(kDataType, builtin::data_schema());
    schema_.data.emplace_back(kRemoteState, builtin::remote_state_schema());
    schema_.freeze();
  }
  const schema::ProviderSchema& schema() const override { return schema_; }
  ProviderDiags validate_provider(const Value&) override { return {}; }
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override {
    return mode == Mode::Data && type == kRemoteState ? builtin::validate_remote_state(config) : ProviderDiags();
  }
  ProviderDiags configure(const Value&) override { return {}; }
  UpgradeResponse upgrade(Symbol, uint64_t, std::string_view raw, const std::vector<std::pair<std::string, std::string>>&) override {
    return builtin::upgrade_data(raw);
  }
  ReadResponse read(Symbol, const Value& current, const std::string&) override { return {current, "", {}}; }
  PlanResponse plan(const PlanRequest& r) override { return builtin::plan_data(r); }
  ApplyResponse apply(const ApplyRequest& r) override { return builtin::apply_data(r); }
  ImportResponse import(Symbol, const std::string& id) override { return builtin::import_data(id); }
  UpgradeResponse move(const ProviderAddr& p, Symbol type, uint64_t, std::string_view json, Symbol) override {
    return builtin::move_to_data(p, type, json);
  }
  ReadDataResponse read_data(Symbol, const Value& config) override { return builtin::read_remote_state(config); }
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value&) override {
    OpenEphemeralResponse r;
    r.diags.push_back({Severity::Error, "Unsupported ephemeral resource", fmt::format("The built-in provider has no ephemeral resource type \"{}\".", type.sv()), {}});
    return r;
  }
  ProviderDiags renew_ephemeral(Symbol, const std::string&) override { return {}; }
  ProviderDiags close_ephemeral(Symbol, const std::string&) override { return {}; }
  bool plans_destroy() const override { return false; }
  void stop() override {}

 private:
  schema::ProviderSchema schema_;
};

class BuiltinFactory : public ProviderFactory {
 public:
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    static const std::shared_ptr<Provider> one = make_builtin_provider();  // it has no configuration, so one serves all
    if (p.is_builtin() && p.type.sv() == "terraform") return one;
    diags.error("Required plugins are not installed",
                fmt::format("Provider {} is a plugin. Provider plugins are not supported yet: only the built-in provider "
                            "terraform.io/builtin/terraform can be used.", p.text()));
    return nullptr;
  }
};

class FactorySchemas : public config::SchemaSource {
 public:
  explicit FactorySchemas(ProviderFactory& f) : factory_(f) {}
  const schema::ProviderSchema* schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) override {
    auto [it, fresh] = started_.try_emplace(p.text());
    if (fresh) {
      Diagnostics own;
      it->second = factory_.start(p, own);
      for (Diagnostic& d : own.mutable_all())
        if (!d.subject.valid()) d.subject = used_at;
      diags.append(std::move(own));
    }
    return it->second ? &it->second->schema() : nullptr;
  }

 private:
  ProviderFactory& factory_;
  std::map<std::string, std::shared_ptr<Provider>> started_;
};

}  // namespace

std::shared_ptr<Provider> make_builtin_provider() { return std::make_shared<BuiltinProvider>(); }
std::unique_ptr<ProviderFactory> make_builtin_factory() { return std::make_unique<BuiltinFactory>(); }
std::unique_ptr<config::SchemaSource> make_schema_source(ProviderFactory& f) { return std::make_unique<FactorySchemas>(f); }

}  // namespace xplan
