// The mock provider: types from a schema file, objects in a Store, and scripted misbehaviour around every
// call.
//
// Who calls it: main.cc. Contract: without scripts it is an honest provider made with the kit; scripts change
// its answers behind the kit's back. Cost: that of the kit.  Thread-safety: as xplan::Provider.
#pragma once
#include <memory>

#include "cmd/provider-mock/call_log.h"
#include "cmd/provider-mock/schema_file.h"
#include "cmd/provider-mock/store.h"

namespace xplan::mock {

class MockProvider : public kit::Provider {
 public:
  MockProvider(SchemaFile file, std::string dir);

  ProviderDiags validate_provider(const Value& config) override;
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override;
  ProviderDiags configure(const ConfigureRequest& r) override;
  UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                          const std::vector<std::pair<std::string, std::string>>& flat) override;
  ReadResponse read(const ReadRequest& r) override;
  PlanResponse plan(const PlanRequest& r) override;
  ApplyResponse apply(const ApplyRequest& r) override;
  UpgradeIdentityResponse upgrade_identity(Symbol type, uint64_t version, std::string_view json) override;
  ImportResponse import(const ImportRequest& r) override;
  bool generates_config() const override { return file_.generate_config; }
  GenerateConfigResponse generate_config(Symbol type, const Value& object) override;
  UpgradeResponse move(const MoveStateRequest& r) override;
  ReadDataResponse read_data(const ReadDataRequest& r) override;
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) override;
  OpenEphemeralResponse renew_ephemeral(Symbol type, const std::string& private_data) override;
  ProviderDiags close_ephemeral(Symbol type, const std::string& private_data) override;
  bool plans_destroy() const override { return file_.plan_destroy; }

  // Whether the answer of the call that runs on this thread is to be bytes that are not a value.
  static bool malformed_now();

 private:
  std::vector<const Script*> scripts(Mode mode, Symbol type, const char* call, std::string_view on,
                                     const Value& subject, const NamedValues& told);
  Type type_of(Mode mode, Symbol type) const;
  void name_otherwise(const std::vector<const Script*>& active, Symbol type, Value& identity) const;

  SchemaFile file_;
  Store store_;
};

// The values that a provider decides: fills what is unknown in `planned` (or, at plan time, what can be
// known).
Value computed_values(const MockType& t, const Value& planned, std::string_view id, bool at_plan);
std::unique_ptr<kit::Resource> make_resource(const MockType& t, std::string name, Store& store);
std::unique_ptr<kit::DataSource> make_data(const MockType& t);
std::unique_ptr<kit::Ephemeral> make_ephemeral(const MockType& t);

}  // namespace xplan::mock
