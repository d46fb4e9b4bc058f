// The provider's part in changing one object: its final plan, its result, and what core makes of both.
//
// Who calls it: change.cc and destroy.cc, around the records of the journal; read.cc.
// Contract: an answer is trusted with nothing: each is compared with the schema, the reviewed plan and the
// answer before. A result is never dropped: what the provider may have made is returned even when it breaks
// the contract. Cost: linear in the object's values. Thread-safety: no state of its own.
#pragma once
#include <optional>

#include "core/plan/plan.h"
#include "core/provider/provider.h"

namespace xplan::applying {

// One creation or update with everything known. Values are bare (without marks).
struct ProviderWork {
  const ResourceChange& change;
  const config::Resource* resource;  // where problems are reported
  const schema::Block& block;
  Provider& provider;
  bool creating;
  ObjectPtr old;  // null: creating
  Value prior;    // null value: creating
  Value config;
  Value meta;
  Value prior_identity;
};

// What the provider plans now that everything is known. Nothing after an error: the plan that was reviewed
// can no longer be kept. `effective` is the configuration after ignore_changes.
std::optional<PlanResponse> make_final_plan(const ProviderWork& w, const Value& effective,
                                            Diagnostics& diags);

struct WorkResult {
  bool ok = true;              // else what follows is not what was promised
  Value object;                // bare and wholly known; null: there is none
  ObjectIdentityPtr identity;  // null: none
};
// The object as it is after the provider's answer.
WorkResult settle_result(const ProviderWork& w, const PlanResponse& planned, const ApplyResponse& response,
                         Diagnostics& diags);

// The error for a provider that wants to defer what it planned to do.
void refuse_deferral(const AbsInstance& addr, const config::Resource* where, Diagnostics& diags);

}  // namespace xplan::applying
