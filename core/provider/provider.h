// Provider: the interface between the engine and anything that manages objects: built in, plugin or test
// double.
//
// Who calls it: plan and apply, through checked calls (see plan/contract.h); cmd for schemas.
// Contract: the calls and their meaning are those of the plugin protocol (see the specification: provider
// plugin protocol). Values carry no marks. All calls may block. The answers are NOT trusted: core checks
// every one. Thread-safety: all calls may come from several threads concurrently. Cost: a call may take as
// long as the provider likes; schema() is a handle to what is loaded already.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/addr/addr.h"
#include "core/config/config.h"
#include "core/diag/diagnostic.h"
#include "core/schema/schema.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan::crypt {
class Codec;
}

namespace xplan {

// Problems a provider reports: summary and detail are the provider's words, path leads to the attribute.
struct ProviderDiag {
  Severity severity = Severity::Error;
  std::string summary, detail;
  Path path;
  bool of_many = false;  // Diagnostic::of_many
};
using ProviderDiags = std::vector<ProviderDiag>;
inline bool has_errors(const ProviderDiags& diags) {
  for (const ProviderDiag& d : diags)
    if (d.severity == Severity::Error) return true;
  return false;
}

// Why a provider puts an object off to a later run; numbers as on the wire.
enum class Deferral : uint8_t { None, ResourceConfigUnknown, ProviderConfigUnknown, AbsentPrereq };

struct ConfigureRequest {
  Value config;
  bool deferral_allowed = false;  // holds for every later call of this instance
};
struct PlanRequest {
  Symbol type;
  Value prior;     // null: create
  Value proposed;  // null: destroy
  Value config;
  std::string prior_private;
  Value provider_meta;  // null where the module has none
  Value prior_identity;
  std::string planned_private = {};  // when a plan is made again to be applied: what it answered at first
};
struct PlanResponse {
  Value planned;
  std::vector<Path> requires_replace;
  std::string planned_private;
  bool legacy_type_system = false;
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
  Value planned_identity;
};
struct ApplyRequest {
  Symbol type;
  Value prior, planned, config;
  std::string planned_private;
  Value provider_meta;
  Value planned_identity;
};
struct ApplyResponse {
  Value new_state;  // a null of dynamic type: nothing came back
  std::string private_data;
  bool legacy_type_system = false;
  ProviderDiags diags;
  Value new_identity;
};
struct ReadRequest {
  Symbol type;
  Value current;
  std::string private_data;
  Value provider_meta;
  Value identity;
};
struct ReadResponse {
  Value new_state;  // null: the object is gone
  std::string private_data;
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
  Value new_identity;
};
struct UpgradeResponse {
  Value state;
  ProviderDiags diags;
  std::string private_data;  // of a move
  Value identity;            // of a move; null where there is none
};
// An object of another resource type, as the state has it.
struct MoveStateRequest {
  ProviderAddr source_provider;
  Symbol source_type;
  uint64_t source_version = 0;
  std::string_view source_json;
  std::string source_private;
  std::string_view source_identity_json;  // empty: none
  uint64_t source_identity_version = 0;
  Symbol target_type;
};
struct UpgradeIdentityResponse {
  Value identity;
  ProviderDiags diags;
};
struct ImportRequest {
  Symbol type;
  std::string id;
  Value identity;  // not null: instead of the id
};
struct ImportedObject {
  Symbol type;
  Value state;
  std::string private_data;
  Value identity;
};
struct ImportResponse {
  std::vector<ImportedObject> objects;
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
};
struct GenerateConfigResponse {
  Value config;
  ProviderDiags diags;
};
struct ReadDataRequest {
  Symbol type;
  Value config;
  Value provider_meta;
  std::shared_ptr<crypt::Codec> codec = {};  // of another state, for the built-in data source; null: plain
};
struct ReadDataResponse {
  Value state;
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
};
struct OpenEphemeralResponse {
  Value result;
  std::string private_data;
  int64_t renew_at_unix = 0;  // seconds; 0: need not be renewed
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
};
struct FunctionResponse {
  Value result;
  std::string error;      // the provider's words; empty: none
  int64_t argument = -1;  // the argument at fault, where the provider names one
};

class Provider {
 public:
  virtual ~Provider() = default;
  // Never null. A copy of the handle outlives the provider.
  virtual const schema::ProviderSchemaPtr& schema() const = 0;
  virtual ProviderDiags validate_provider(const Value& config) = 0;
  virtual ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) = 0;
  virtual ProviderDiags configure(const ConfigureRequest& r) = 0;
  // raw: the attributes as JSON, or flat: the legacy map.
  virtual UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                                  const std::vector<std::pair<std::string, std::string>>& flat) = 0;
  virtual ReadResponse read(const ReadRequest& r) = 0;
  virtual PlanResponse plan(const PlanRequest& r) = 0;
  virtual ApplyResponse apply(const ApplyRequest& r) = 0;
  // An identity of an older version of its schema.
  virtual UpgradeIdentityResponse upgrade_identity(Symbol type, uint64_t version, std::string_view json) = 0;
  virtual ImportResponse import(const ImportRequest& r) = 0;
  // What somebody would have configured to get the object; asked of providers that say so themselves.
  virtual bool generates_config() const { return false; }
  virtual GenerateConfigResponse generate_config(Symbol, const Value&) { return {}; }
  virtual UpgradeResponse move(const MoveStateRequest& r) = 0;
  virtual ReadDataResponse read_data(const ReadDataRequest& r) = 0;
  virtual OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) = 0;
  virtual OpenEphemeralResponse renew_ephemeral(Symbol type,
                                                const std::string& private_data) = 0;  // no result
  virtual ProviderDiags close_ephemeral(Symbol type, const std::string& private_data) = 0;
  // May be called before configure().
  virtual FunctionResponse call_function(Symbol name, const std::vector<Value>& arguments) = 0;
  virtual bool plans_destroy() const = 0;  // wants to plan destruction itself
  virtual void stop() = 0;
};

// Whether a walk may call providers, or only looks at what their schemas say.
enum class AskProviders : uint8_t { No, Yes };

// Finds providers by address. One instance per configuration is made by `start`.
class ProviderFactory {
 public:
  virtual ~ProviderFactory() = default;
  // Null with a diagnostic when there is no such provider.
  virtual std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) = 0;
  // For one of its configurations.
  virtual std::shared_ptr<Provider> start_for(const ProviderConfigAddr& c, Diagnostics& diags) {
    return start(c.provider, diags);
  }
  // Who answers for this object: the provider that was started for it (null: it could not be), or what stands
  // in for it.
  virtual Provider* answering(const AbsInstance&, Provider* started) { return started; }
  // Asks providers whose schema was kept from an earlier run for the present one. True when one is another:
  // schema() gives it from then on, to providers started before as well. Not while others use them.
  virtual bool renew_schemas(config::Renew) { return false; }
};

// The built-in provider terraform.io/builtin/terraform: terraform_data and data terraform_remote_state.
// One for each run, which is told to stop, and in which backends of remote states are opened once.
std::shared_ptr<Provider> make_builtin_provider();
// The built-in providers, terraform.io/builtin/terraform and …/fs; any other address is a clear error.
std::unique_ptr<ProviderFactory> make_builtin_factory();

}  // namespace xplan
