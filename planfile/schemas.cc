// Collects the schemas that a plan needs, trimmed to the types it mentions, and encodes, decodes and looks
// them up.
#include "planfile/schemas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/provider/wire/schema.h"
#include "planfile.pb.h"

namespace xplan::planfile {
namespace {

using Types = std::array<std::unordered_set<Symbol>, 3>;  // by Mode
using Kinds = std::vector<std::pair<Symbol, schema::Schema>> schema::ProviderSchema::*;
constexpr std::pair<Mode, Kinds> kKinds[] = {{Mode::Managed, &schema::ProviderSchema::managed},
                                             {Mode::Data, &schema::ProviderSchema::data},
                                             {Mode::Ephemeral, &schema::ProviderSchema::ephemeral}};

// What a plan and its configuration mention, by provider.
class Mentions {
 public:
  Mentions(const Plan& plan, const config::Config& config) {
    for (const auto& module : config.modules) {
      for (const config::Resource& r : module->resources) add(r.provider, r.addr);
      for (const config::ProviderConfig& p : module->providers) types(p.provider);
      for (const config::RequiredProvider& p : module->required_providers) types(p.provider);
    }
    for (const State* s : {&plan.prior_state, &plan.prev_run_state})
      for (const auto& [addr, r] : s->resources) add(r.provider.provider, addr.resource);
    for (const auto* changes : {&plan.changes, &plan.drift})
      for (const ResourceChange& c : *changes) add(c.provider.provider, c.addr.resource);
    for (const DeferredChange& c : plan.deferred) add(c.change.provider.provider, c.change.addr.resource);
  }
  const std::map<std::string, std::pair<ProviderAddr, Types>>& all() const { return by_provider_; }

 private:
  Types* types(const ProviderAddr& p) {
    if (p.is_builtin()) return nullptr;
    auto [it, fresh] = by_provider_.try_emplace(p.text());
    if (fresh) it->second.first = p;
    return &it->second.second;
  }
  void add(const ProviderAddr& p, const Resource& r) {
    if (Types* t = types(p)) (*t)[static_cast<size_t>(r.mode)].insert(r.type);
  }

  std::map<std::string, std::pair<ProviderAddr, Types>> by_provider_;
};

schema::ProviderSchemaPtr trimmed(const schema::ProviderSchema& whole, const Types& types) {
  auto out = std::make_shared<schema::ProviderSchema>();
  out->provider = whole.provider;
  out->provider_meta = whole.provider_meta;
  out->functions = whole.functions;
  for (auto [mode, kind] : kKinds)
    for (const auto& entry : whole.*kind)
      if (types[static_cast<size_t>(mode)].count(entry.first)) (out.get()->*kind).push_back(entry);
  for (const auto& entry : whole.identities)
    if (types[static_cast<size_t>(Mode::Managed)].count(entry.first)) out->identities.push_back(entry);
  out->freeze();
  return out;
}

class SavedSource : public config::SchemaSource {
 public:
  SavedSource(SavedSchemas saved, config::SchemaSource& otherwise)
      : saved_(std::move(saved)), otherwise_(otherwise) {}
  schema::ProviderSchemaPtr schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) override {
    schema::ProviderSchemaPtr s = saved_.find(p);
    return s ? s : otherwise_.schema(p, used_at, diags);
  }

 private:
  const SavedSchemas saved_;
  config::SchemaSource& otherwise_;
};

}  // namespace

SavedSchemas SavedSchemas::collect(const Plan& plan, const config::Config& config,
                                   config::SchemaSource& source) {
  SavedSchemas out;
  const Mentions mentions(plan, config);
  for (const auto& [name, mentioned] : mentions.all()) {
    Diagnostics reported_before;
    if (schema::ProviderSchemaPtr s = source.schema(mentioned.first, {}, reported_before))
      out.providers_.emplace(name, trimmed(*s, mentioned.second));
  }
  return out;
}

std::string SavedSchemas::encode() const {
  proto::SavedSchemas out;
  for (const auto& [name, s] : providers_) {
    wire::P6::SchemaResponse schemas;
    wire::P6::IdentityResponse identities;
    (void)wire::put_schema<wire::P6>(*s, {}, &schemas);  // protocol 6 can express every schema
    wire::put_identities<wire::P6>(*s, &identities);
    proto::SavedSchemas::Provider& m = *out.add_providers();
    m.set_address(name);
    schemas.SerializeToString(m.mutable_schemas());
    identities.SerializeToString(m.mutable_identities());
  }
  return out.SerializeAsString();
}

Result<SavedSchemas> SavedSchemas::decode(std::string_view bytes) {
  SavedSchemas out;
  proto::SavedSchemas in;
  if (!in.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return Error{"the schemas in it are damaged"};
  for (const proto::SavedSchemas::Provider& m : in.providers()) {
    wire::P6::SchemaResponse schemas;
    wire::P6::IdentityResponse identities;
    if (!parse_provider_addr(m.address()) || !schemas.ParseFromString(m.schemas()) ||
        !identities.ParseFromString(m.identities()))
      return Error{"the schemas in it are damaged"};
    auto s = std::make_shared<schema::ProviderSchema>();
    wire::Capabilities ignored;
    ProviderDiags diags;
    wire::get_schema<wire::P6>(schemas, *s, ignored, diags);
    wire::get_identities<wire::P6>(identities, *s, diags);
    for (const ProviderDiag& d : diags)
      if (d.severity == Severity::Error)
        return Error{fmt::format("the schemas of {} in it are damaged: {}", m.address(), d.detail)};
    out.providers_[m.address()] = std::move(s);
  }
  return out;
}

schema::ProviderSchemaPtr SavedSchemas::find(const ProviderAddr& p) const {
  if (providers_.empty()) return nullptr;
  auto it = providers_.find(p.text());
  return it == providers_.end() ? nullptr : it->second;
}

schema::Lookup SavedSchemas::lookup(schema::Lookup otherwise) const {
  return [saved = *this, otherwise = std::move(otherwise)](const ProviderAddr& p, Mode mode,
                                                           Symbol type) -> schema::SchemaPtr {
    if (schema::ProviderSchemaPtr s = saved.find(p)) return schema::find(s, mode, type);
    return otherwise ? otherwise(p, mode, type) : nullptr;
  };
}

std::unique_ptr<config::SchemaSource> SavedSchemas::source(config::SchemaSource& otherwise) const {
  return std::make_unique<SavedSource>(*this, otherwise);
}

}  // namespace xplan::planfile
