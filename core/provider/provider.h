// Provider: the interface between the engine and anything that manages objects: built in, plugin or test double.
//
// Who calls it: plan and apply, through checked calls (see plan/contract.h); cmd for schemas.
// Contract: the calls and their meaning are those of the plugin protocol (see the specification: provider plugin
// protocol). Values carry no marks. All calls may block. The answers are NOT trusted: core checks every one.
// Thread-safety: all calls may come from several threads at once.
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

namespace xplan {

// Problems a provider reports: summary and detail are the provider's words, path leads to the attribute.
struct ProviderDiag {
  Severity severity = Severity::Error;
  std::string summary, detail;
  Path path;
};
using ProviderDiags = std::vector<ProviderDiag>;

struct PlanRequest {
  Symbol type;
  Value prior;           // null: create
  Value proposed;        // null: destroy
  Value config;
  std::string prior_private;
};
struct PlanResponse {
  Value planned;
  std::vector<Path> requires_replace;
  std::string planned_private;
  bool legacy_type_system = false;
  ProviderDiags diags;
};
struct ApplyRequest {
  Symbol type;
  Value prior, planned, config;
  std::string planned_private;
};
struct ApplyResponse {
  Value new_state;       // a null of dynamic type: nothing came back
  std::string private_data;
  bool legacy_type_system = false;
  ProviderDiags diags;
};
struct ReadResponse {
  Value new_state;       // null: the object is gone
  std::string private_data;
  ProviderDiags diags;
};
struct UpgradeResponse {
  Value state;
  ProviderDiags diags;
};
struct ImportedObject {
  Symbol type;
  Value state;
  std::string private_data;
};
struct ImportResponse {
  std::vector<ImportedObject> objects;
  ProviderDiags diags;
};
struct ReadDataResponse {
  Value state;
  ProviderDiags diags;
};
struct OpenEphemeralResponse {
  Value result;
  std::string private_data;
  int64_t renew_at_unix = 0;
  ProviderDiags diags;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual const schema::ProviderSchema& schema() const = 0;
  virtual ProviderDiags validate_provider(const Value& config) = 0;
  virtual ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) = 0;
  virtual ProviderDiags configure(const Value& config) = 0;
  // raw: the attributes as JSON, or flat: the legacy map.
  virtual UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                                  const std::vector<std::pair<std::string, std::string>>& flat) = 0;
  virtual ReadResponse read(Symbol type, const Value& current, const std::string& private_data) = 0;
  virtual PlanResponse plan(const PlanRequest& r) = 0;
  virtual ApplyResponse apply(const ApplyRequest& r) = 0;
  virtual ImportResponse import(Symbol type, const std::string& id) = 0;
  virtual UpgradeResponse move(const ProviderAddr& source_provider, Symbol source_type, uint64_t source_version,
                               std::string_view source_json, Symbol target_type) = 0;
  virtual ReadDataResponse read_data(Symbol type, const Value& config) = 0;
  virtual OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) = 0;
  virtual ProviderDiags renew_ephemeral(Symbol type, const std::string& private_data) = 0;
  virtual ProviderDiags close_ephemeral(Symbol type, const std::string& private_data) = 0;
  virtual bool plans_destroy() const = 0;   // wants to plan destruction itself
  virtual void stop() = 0;
};

// Finds providers by address. One instance per configuration is made by `start`.
class ProviderFactory {
 public:
  virtual ~ProviderFactory() = default;
  // Null with a diagnostic when there is no such provider.
  virtual std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) = 0;
};

// The built-in provider terraform.io/builtin/terraform: terraform_data and data terraform_remote_state.
// Remote states are read through `read_remote_state` (backend type, config, workspace → outputs) so that the provider
// layer needs no backends of its own.
std::shared_ptr<Provider> make_builtin_provider();
// Only the built-in provider; any other address is a clear error saying that plugins are not available yet.
std::unique_ptr<ProviderFactory> make_builtin_factory();

// SchemaSource for config::load over a factory; starts each provider at most once for its schema.
std::unique_ptr<config::SchemaSource> make_schema_source(ProviderFactory& f);

}  // namespace xplan
