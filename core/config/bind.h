// Binding: every reference of a module is parsed, checked against what is declared, and attached to its
// expression.
//
// Who calls it: load.cc, once per module, when the whole tree of modules is decoded and its providers are
// resolved.
// Contract: afterwards every traversal that can be evaluated has Traversal::bound set; a reference that
// cannot be resolved is RefKind::Invalid and has been reported. Cost: one hash look-up per reference;
// suggestions are searched for the first errors only, because looking for near names is linear in the names.
// Thread-safety: one thread per module.
#pragma once
#include "core/config/decode.h"

namespace xplan::config {

// Schemas of a module's providers; null results have been reported.
class SchemaLookup {
 public:
  explicit SchemaLookup(SchemaSource* source) : source_(source) {}
  bool available() const { return source_ != nullptr; }
  schema::ProviderSchemaPtr provider(const ProviderAddr& p, Range used_at, Diagnostics& diags);

 private:
  SchemaSource* source_;
  std::unordered_map<ProviderAddr, schema::ProviderSchemaPtr> known_;
};

// `node`: the first node of the module; its children tell what the called modules offer.
void bind_module(Module& m, const Node& node, SchemaLookup& schemas, const std::vector<LayeredBody>& layered,
                 Diagnostics& diags);

}  // namespace xplan::config
