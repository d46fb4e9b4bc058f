// Importer: has the provider import an existing object, then read it for the first time.
//
// Who calls it: the planner (import blocks), generated configuration, the import command.
// Contract: exactly one object of the type, which conforms to the schema and keeps its identity; anything
// else has been reported. Cost: a provider call each.  Thread-safety: one thread.
#pragma once
#include <string>

#include "core/plan/contract.h"
#include "core/plan/identity.h"

namespace xplan {

// What is to be imported, and as what. References must outlive it.
struct ImportQuestion {
  const AbsInstance& addr;
  const schema::Schema& schema;
  const ProviderAddr& provider_addr;
  Provider& provider;
  std::string id;
  Value identity = {};                         // not null: instead of the id
  Value provider_meta = {};                    // what the module tells the provider
  const config::Import* block = nullptr;       // none: the import command
  const config::Resource* resource = nullptr;  // none: it has no configuration yet
};

class Importer {
 public:
  Importer(ImportQuestion q, Diagnostics& diags) : q_(std::move(q)), diags_(diags) {}
  // False after an error, or when the provider defers it.
  bool ask();
  bool read();
  ImportedObject object;  // as it was imported, then as it was read
  ProviderDiags said;     // by the provider; it is in the diagnostics, too
  Deferral deferred = Deferral::None;

 private:
  bool report(const ProviderDiags& said_now);
  bool conforms(const Violations& found, std::string_view when);
  ImportQuestion q_;
  Diagnostics& diags_;
};

// That there is none, for messages.
std::string no_object_text(const AbsInstance& addr, const std::string& id, const Value& identity);

}  // namespace xplan
