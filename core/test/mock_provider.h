// MockProvider: answers for objects without touching anything: what a provider would compute is given by a
// test, or made up.
//
// Who makes it: stand_ins.cc, for mocked provider configurations and for single overridden objects.
// Contract: schemas, validation and functions are those of the provider that it stands in for; it is never
// configured. Objects are what they were planned to be, reading finds what the state has, destroying always
// succeeds. Importing finds an object with the given values where one object is overridden; else there is
// none. Cost: linear in the object.  Thread-safety: as Provider.
#pragma once
#include <functional>
#include <memory>

#include "core/config/test_suite.h"
#include "core/provider/provider.h"

namespace xplan::test {

// What is given for an object of a type.
struct Answers {
  Value values;  // an object; null: nothing is given
  config::MadeUp known = config::MadeUp::Apply;
  std::string place;  // of what gives it: FILE:LINE
};

class MockProvider : public Provider {
 public:
  using AnswersOf = std::function<const Answers&(Mode, Symbol type)>;
  enum class Of : uint8_t { Configuration, Object };  // what it stands in for
  MockProvider(std::shared_ptr<Provider> real, AnswersOf answers, Of of = Of::Configuration)
      : real_(std::move(real)), answers_(std::move(answers)), of_(of) {}

  const schema::ProviderSchemaPtr& schema() const override { return real_->schema(); }
  ProviderDiags validate_provider(const Value&) override { return {}; }
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override {
    return real_->validate_resource(mode, type, config);
  }
  ProviderDiags configure(const ConfigureRequest&) override { return {}; }
  UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                          const std::vector<std::pair<std::string, std::string>>& flat) override {
    return real_->upgrade(type, version, raw_json, flat);
  }
  ReadResponse read(const ReadRequest& r) override;
  PlanResponse plan(const PlanRequest& r) override;
  ApplyResponse apply(const ApplyRequest& r) override;
  UpgradeIdentityResponse upgrade_identity(Symbol type, uint64_t version, std::string_view json) override {
    return real_->upgrade_identity(type, version, json);
  }
  ImportResponse import(const ImportRequest& r) override;
  UpgradeResponse move(const MoveStateRequest& r) override;
  ReadDataResponse read_data(const ReadDataRequest& r) override;
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) override;
  OpenEphemeralResponse renew_ephemeral(Symbol, const std::string&) override { return {}; }
  ProviderDiags close_ephemeral(Symbol, const std::string&) override { return {}; }
  FunctionResponse call_function(Symbol name, const std::vector<Value>& arguments) override {
    return real_->call_function(name, arguments);
  }
  bool plans_destroy() const override { return false; }
  void stop() override {}

 private:
  // Null values as far as nothing is set, or unknown ones.
  Value fill(Mode mode, Symbol type, const Value& object, bool planned, bool known,
             ProviderDiags& diags) const;
  const std::shared_ptr<Provider> real_;
  const AnswersOf answers_;
  const Of of_;
};

}  // namespace xplan::test
