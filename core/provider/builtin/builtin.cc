// The provider terraform.io/builtin/terraform: its schema, the dispatch of calls to terraform_data and
// terraform_remote_state, and the factory of built-in providers (this one and fs).
#include "core/provider/builtin/builtin.h"

#include <fmt/format.h>
#include <mutex>

#include "core/crypt/codec.h"
#include "core/eval/eval.h"
#include "core/eval/function.h"
#include "core/provider/fs/fs_provider.h"

namespace xplan {
namespace {

const Symbol kDataType("terraform_data"), kRemoteState("terraform_remote_state");

schema::FunctionSignature signature(const eval::BuiltinFunction& f) {
  schema::FunctionSignature s;
  s.params.push_back({.name = std::string(f.param), .type = f.param_type});
  s.returns = f.returns;
  s.summary = f.summary, s.description = f.description;
  return s;
}

schema::ProviderSchemaPtr builtin_schema() {
  auto s = std::make_shared<schema::ProviderSchema>();
  s->managed.emplace_back(kDataType, builtin::data_schema());
  s->data.emplace_back(kRemoteState, builtin::remote_state_schema());
  for (const eval::BuiltinFunction& f : eval::builtin_provider_functions())
    s->functions.emplace_back(Symbol(f.name), signature(f));
  s->freeze();
  return s;
}

class BuiltinProvider : public Provider {
 public:
  const schema::ProviderSchemaPtr& schema() const override {
    static const schema::ProviderSchemaPtr one = builtin_schema();
    return one;
  }
  ProviderDiags validate_provider(const Value&) override { return {}; }
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override {
    return mode == Mode::Data && type == kRemoteState ? builtin::validate_remote_state(config)
                                                      : ProviderDiags();
  }
  ProviderDiags configure(const ConfigureRequest&) override { return {}; }
  UpgradeResponse upgrade(Symbol, uint64_t, std::string_view raw,
                          const std::vector<std::pair<std::string, std::string>>&) override {
    return builtin::upgrade_data(raw);
  }
  ReadResponse read(const ReadRequest& r) override { return {r.current, "", {}, {}, {}}; }
  PlanResponse plan(const PlanRequest& r) override { return builtin::plan_data(r); }
  ApplyResponse apply(const ApplyRequest& r) override { return builtin::apply_data(r); }
  UpgradeIdentityResponse upgrade_identity(Symbol, uint64_t, std::string_view) override { return {}; }
  ImportResponse import(const ImportRequest& r) override { return builtin::import_data(r.id); }
  UpgradeResponse move(const MoveStateRequest& r) override {
    return builtin::move_to_data(r.source_provider, r.source_type, r.source_json);
  }
  ReadDataResponse read_data(const ReadDataRequest& r) override {
    return remote_states_.read(r.config, r.codec ? r.codec : crypt::Codec::plain_remote());
  }
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value&) override {
    OpenEphemeralResponse r;
    r.diags.push_back({Severity::Error,
                       "Unsupported ephemeral resource",
                       fmt::format("The built-in provider has no ephemeral resource type \"{}\".", type.sv()),
                       {}});
    return r;
  }
  OpenEphemeralResponse renew_ephemeral(Symbol, const std::string&) override { return {}; }
  ProviderDiags close_ephemeral(Symbol, const std::string&) override { return {}; }
  FunctionResponse call_function(Symbol name, const std::vector<Value>&) override {
    return {{}, fmt::format("The built-in provider has no function \"{}\".", name.sv()), -1};
  }
  bool plans_destroy() const override { return false; }
  void stop() override { remote_states_.stop(); }

 private:
  builtin::RemoteStates remote_states_;
};

class BuiltinFactory : public ProviderFactory {
 public:
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.is_builtin() && p.type.sv() == "terraform") return make_builtin_provider();
    if (p.is_builtin() && p.type.sv() == "fs") return make_fs_provider();
    if (p.is_builtin()) {
      diags.error("Unknown built-in provider",
                  fmt::format("There is no built-in provider {}. The built-in ones are "
                              "terraform.io/builtin/terraform and terraform.io/builtin/fs.",
                              p.text()));
      return nullptr;
    }
    diags.error("Required plugins are not installed",
                fmt::format("Provider {} is a plugin, and only built-in providers can be used here: "
                            "terraform.io/builtin/terraform and terraform.io/builtin/fs.",
                            p.text()));
    return nullptr;
  }
};

}  // namespace

std::shared_ptr<Provider> make_builtin_provider() {
  return std::make_shared<BuiltinProvider>();
}
std::unique_ptr<ProviderFactory> make_builtin_factory() {
  return std::make_unique<BuiltinFactory>();
}

}  // namespace xplan
