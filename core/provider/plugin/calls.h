// The calls of a provider protocol on one session: requests made, answers read and checked.
//
// Who calls it: the plugin's Provider (instance.cc); entry.cc, for schemas. Contract: one implementation for
// both protocols, chosen by Calls::of(). Every answer is checked against the schema; what does not conform is
// an error that names provider, type and method, and the value is then a usable placeholder. Cost: a round
// trip each, linear in the values.  Thread-safety: any thread; no state.
#pragma once
#include <memory>
#include <string>

#include "core/provider/plugin/session.h"
#include "core/provider/provider.h"
#include "core/provider/wire/capabilities.h"

namespace xplan::plugin {

struct CallContext {
  Session& session;
  const ProviderAddr& addr;
  schema::ProviderSchemaPtr schema;
  bool deferral_allowed = false;
};

class Calls {
 public:
  virtual ~Calls() = default;
  static const Calls& of(int protocol);  // 5 or 6

  // The schemas as bytes that parse_schema reads (and that may be kept on disk); empty with errors in
  // `diags`.
  virtual std::string fetch_schema(Session& s, ProviderDiags& diags) const = 0;
  virtual bool parse_schema(std::string_view bytes, schema::ProviderSchema& out,
                            wire::Capabilities& capabilities, ProviderDiags& diags) const = 0;

  virtual ProviderDiags validate_provider(const CallContext& c, const Value& config) const = 0;
  virtual ProviderDiags validate_resource(const CallContext& c, Mode mode, Symbol type,
                                          const Value& config) const = 0;
  virtual ProviderDiags configure(const CallContext& c, const Value& config,
                                  const std::string& core_version) const = 0;
  virtual UpgradeResponse upgrade(const CallContext& c, Symbol type, uint64_t version,
                                  std::string_view raw_json,
                                  const std::vector<std::pair<std::string, std::string>>& flat) const = 0;
  virtual ReadResponse read(const CallContext& c, const ReadRequest& r) const = 0;
  virtual PlanResponse plan(const CallContext& c, const PlanRequest& r) const = 0;
  virtual ApplyResponse apply(const CallContext& c, const ApplyRequest& r) const = 0;
  virtual UpgradeIdentityResponse upgrade_identity(const CallContext& c, Symbol type, uint64_t version,
                                                   std::string_view json) const = 0;
  virtual ImportResponse import(const CallContext& c, const ImportRequest& r) const = 0;
  virtual GenerateConfigResponse generate_config(const CallContext& c, Symbol type,
                                                 const Value& object) const = 0;
  virtual UpgradeResponse move(const CallContext& c, const MoveStateRequest& r) const = 0;
  virtual ReadDataResponse read_data(const CallContext& c, const ReadDataRequest& r) const = 0;
  virtual OpenEphemeralResponse open_ephemeral(const CallContext& c, Symbol type,
                                               const Value& config) const = 0;
  virtual OpenEphemeralResponse renew_ephemeral(const CallContext& c, Symbol type,
                                                const std::string& private_data) const = 0;
  virtual ProviderDiags close_ephemeral(const CallContext& c, Symbol type,
                                        const std::string& private_data) const = 0;
  virtual FunctionResponse call_function(const CallContext& c, Symbol name,
                                         const std::vector<Value>& arguments) const = 0;
  virtual void stop(Session& s) const = 0;
};

}  // namespace xplan::plugin
