// What a provider is made of: resources, data sources, ephemeral resources and functions.
//
// Who calls it: authors of providers derive from these; kit::Provider calls them. Contract: calls come from
// several threads concurrently, also for one type. Values given are of the declared type; those given back
// must be (core checks it). A call that cannot be done adds an error to `diags`, or throws (see context.h);
// what it leaves in `state` is kept all the same, so that an object created half-way is not lost. Not
// overridden means not supported, which is a clear error for import, moves and upgrades, and no work for the
// others. Cost: a virtual call.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/provider/kit/context.h"
#include "core/provider/kit/object.h"
#include "core/provider/kit/plan_change.h"
#include "core/provider/kit/schema.h"

namespace xplan::kit {

void add_error(ProviderDiags& diags, std::string summary, std::string detail, Path path = {});
void add_warning(ProviderDiags& diags, std::string summary, std::string detail, Path path = {});
inline Path at(std::string_view attribute) {
  return {PathStep::of_attr(attribute)};
}

struct ChangeRequest {
  const Value &prior, &planned, &config;  // prior null: creation; planned null: destruction
  const Value& provider_meta;
};
struct StateResponse {
  Value state;  // starts as null (create), the prior state (update, remove) or the current one (read)
  PrivateData private_data;  // starts as the planned or recorded one
  ProviderDiags diags;
  Deferral deferred = Deferral::None;  // of read only
  Context context;                     // the call: when it is to end, where it logs
};
struct ImportResult {
  Value state;  // starts as an object of nulls
  PrivateData private_data;
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
  Context context;
};
// What names an object outside of its state: attributes of the schema, and their values are the state's.
struct Identity {
  uint64_t version = 0;
  std::vector<Field>
      fields;  // required: an import needs it; optional: an import may give it. None: no identity
};
struct MoveRequest {
  const ProviderAddr& source_provider;
  std::string_view source_type;
  uint64_t source_version;
  std::string_view source_json;  // the attributes as recorded
  std::string_view source_private;
};

class Resource {
 public:
  virtual ~Resource() = default;
  virtual Schema schema() const = 0;
  virtual Identity identity() const { return {}; }
  virtual void create(const ChangeRequest& r, StateResponse& out) = 0;
  // A null state: the object is gone.
  virtual void read(const Value& current, const Value& provider_meta, StateResponse& out) = 0;
  virtual void update(const ChangeRequest& r, StateResponse& out) = 0;
  // Without an error the state becomes null by itself.
  virtual void remove(const ChangeRequest& r, StateResponse& out) = 0;
  virtual void modify_plan(const ModifyPlanRequest&, ModifyPlanResponse&) {}
  virtual void validate(const Value& config, ProviderDiags& diags);  // may be partly unknown
  virtual void import(const std::string& id, ImportResult& out);     // read is called next
  // By identity: unless overridden, its values are those of the state, and read finds the rest.
  virtual void import_identity(const Value& identity, ImportResult& out);
  // From an older version of the schema; the current version is read by itself. Gives back a null when it
  // cannot.
  virtual Value upgrade(uint64_t version, std::string_view json, ProviderDiags& diags);
  // From an older version of the identity's fields. Unless overridden, what has the same name is taken over.
  virtual Value upgrade_identity(uint64_t version, std::string_view json, Type type, ProviderDiags& diags);
  // From another type or provider. False: not from there.
  virtual bool move(const MoveRequest& r, ImportResult& out);

 protected:
  friend class Provider;
  Type type_;  // the object type of the schema; set before any call but schema()
};

class DataSource {
 public:
  virtual ~DataSource() = default;
  virtual Schema schema() const = 0;
  virtual void read(const Value& config, const Value& provider_meta, StateResponse& out) = 0;
  virtual void validate(const Value& config, ProviderDiags& diags);

 protected:
  friend class Provider;
  Type type_;
};

struct EphemeralResult {
  Value result;
  PrivateData private_data;
  int64_t renew_at_unix = 0;  // seconds; 0: need not be renewed
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
  Context context;
};
class Ephemeral {
 public:
  virtual ~Ephemeral() = default;
  virtual Schema schema() const = 0;
  virtual void open(const Value& config, EphemeralResult& out) = 0;
  virtual void renew(EphemeralResult&) {}
  virtual void close(const PrivateData&, ProviderDiags&) {}
  virtual void validate(const Value& config, ProviderDiags& diags);

 protected:
  friend class Provider;
  Type type_;
};

struct Function {
  schema::FunctionSignature signature;
  std::function<FunctionResponse(const std::vector<Value>& arguments)> run;
};

}  // namespace xplan::kit
