// Schemas of a factory's providers by address: starts each provider once, keeps what it reported until
// somebody asks for the reason.
#include "core/provider/schemas.h"

namespace xplan {

ProviderSchemas::Started& ProviderSchemas::start(const ProviderAddr& p) const {
  std::lock_guard hold(mutex_);
  auto [it, fresh] = started_.try_emplace(p);
  if (fresh) it->second.provider = factory_.start(p, it->second.untold);
  return it->second;
}

schema::ProviderSchemaPtr ProviderSchemas::schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) {
  Started& s = start(p);
  for (Diagnostic& d : s.untold.mutable_all())
    if (!d.subject.valid()) d.subject = used_at;
  diags.append(std::exchange(s.untold, {}));
  return s.provider ? s.provider->schema() : nullptr;
}

schema::SchemaPtr ProviderSchemas::find(const ProviderAddr& p, Mode mode, Symbol type) const {
  const Started& s = start(p);
  return s.provider ? schema::find(s.provider->schema(), mode, type) : nullptr;
}

std::optional<Type> ProviderSchemas::type_of(const ProviderAddr& p, Mode mode, Symbol type) const {
  const Started& s = start(p);
  const schema::Schema* found = s.provider ? s.provider->schema()->find(mode, type) : nullptr;
  return found ? std::optional<Type>(found->block.implied_type()) : std::nullopt;
}

}  // namespace xplan
