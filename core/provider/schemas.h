// ProviderSchemas: the schemas of a factory's providers, by address.
//
// Who calls it: config::load, as its SchemaSource; cmd, to read and write states and plan files.
// Contract: each provider is started at most once, and stays: what is given out are handles, which need
// neither this object nor the provider. Why there is no schema is told by schema(), once per provider, even
// if find() met it before. Cost: a hash look-up; the first of an address starts the provider. Thread-safety:
// find() and type_of() from any thread; schema() and renew() while nobody else is at work.
#pragma once
#include <mutex>
#include <unordered_map>

#include "core/provider/provider.h"
#include "core/state/state.h"

namespace xplan {

class ProviderSchemas : public config::SchemaSource, public TypeSource {
 public:
  explicit ProviderSchemas(ProviderFactory& f) : factory_(f) {}
  schema::ProviderSchemaPtr schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) override;
  bool renew(config::Renew which) override { return factory_.renew_schemas(which); }
  schema::SchemaPtr find(const ProviderAddr& p, Mode mode, Symbol type) const;
  // find(), for readers and writers of files; uses this object.
  schema::Lookup lookup() const {
    return [this](const ProviderAddr& p, Mode mode, Symbol type) { return find(p, mode, type); };
  }
  std::optional<Type> type_of(const ProviderAddr& p, Mode mode, Symbol type) const override;

 private:
  struct Started {
    std::shared_ptr<Provider> provider;  // null: there is none
    Diagnostics untold;
  };
  Started& start(const ProviderAddr& p) const;

  ProviderFactory& factory_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<ProviderAddr, Started> started_;
};

}  // namespace xplan
