// The provider's part in planning one object: what it reads, what it plans, how it would destroy; and what
// core makes of each answer.
//
// Who calls it: plan_managed.cc, plan_delete.cc, plan_data.cc, plan_refresh.cc, plan_ephemeral.cc,
// plan_imports.cc.
// Contract: an answer is trusted with nothing: each is compared with the schema, the question and the answer
// before. Nothing is returned after an error, which is in the diagnostics. A provider may defer an object
// where that is allowed: then the answer says so, and is what can be foreseen without it. Cost: linear in the
// object's values. Thread-safety: no state of its own; an object's questions are asked one after the other.
#pragma once
#include <functional>
#include <optional>

#include "core/crypt/encryption.h"
#include "core/plan/hooks.h"
#include "core/plan/plan.h"
#include "core/provider/provider.h"

namespace xplan::planning {

// An object and whom to ask about it. What is referred to must outlive it.
struct Subject {
  const AbsInstance& addr;
  schema::SchemaPtr schema;
  Provider& provider;
  const ProviderAddr& provider_addr;
  const config::Resource* resource = nullptr;  // where problems are reported; null: not declared
  bool deferral_allowed = false;
  const crypt::Encryption* encryption = nullptr;  // of states that data sources read
  std::function<Value(Diagnostics&)> meta = {};   // what the module tells the provider; none: nothing
};

DeferredReason reason_of(Deferral d);
// Whether the provider defers the object; an error where that is not allowed.
bool is_deferred(const Subject& s, Deferral d, Diagnostics& diags);

struct Refreshed {
  Deferral deferral = Deferral::None;  // then the rest is as the state has it
  Value before, after;                 // with marks; a null value after: the object is gone
  bool was_read = false;
  bool changed = false;  // by somebody else, or in what is sensitive
};
// Brings an object of the state up to date: with its schema, and (`read`) with what there really is. It is
// null afterwards when there is none any more. `deposed`: its key, for the hooks.
std::optional<Refreshed> refresh_object(const Subject& s, ObjectPtr& object, bool read,
                                        std::string_view deposed, Hooks& hooks, Diagnostics& diags);

// Whether the state knows all that is sensitive in the object: a schema may have come to call more of it so.
bool records_marks(const Object& o, const Value& v);

// What a provider is asked to plan: values are bare (without marks).
struct PlanQuestion {
  const Value& prior;  // a null value: a new object
  const Value& proposed;
  const Value& config;
  const std::string& private_data;
  Value identity = {};
};
std::optional<PlanResponse> ask_plan(const Subject& s, const PlanQuestion& q, Diagnostics& diags);

// Lets a provider that wants to plan the end of an object do so; its private data goes into the change. False
// when it must not go on.
bool ask_destroy(const Subject& s, ResourceChange& c, Deferral& deferral, Diagnostics& diags);

// What a data source read; a null value when it is deferred.
struct DataAnswer {
  Deferral deferral = Deferral::None;
  Value value;  // bare
};
std::optional<DataAnswer> ask_data(const Subject& s, const Value& config, Hooks& hooks, Diagnostics& diags);

}  // namespace xplan::planning
