// The effects of a plan: what applying it would do, each with its parts in their canonical encoding.
//
// Who calls it: review/digest.h (all effects as one number) and review/compare.h (effects of two plans).
// Specification: core/review/README.md.
// Contract: the parts say what would be done and nothing else: two plans with the same effects do the same,
// whatever serials, times, paths and unread values of the state they were made from. Cost: linear in the plan
// and in the configuration that its effects read; the order of changes as review/order.h.
// Thread-safety: one thread; the plan, the configuration and the sources must outlive it.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/review/code.h"
#include "core/review/order.h"

namespace xplan::review {

struct ProviderVersion {
  std::string version;
  std::vector<std::string> hashes;  // of its packages
};
struct EffectSources {
  const Plan& plan;
  const config::Config& config;  // what it was made from
  const SourceTable& sources;
  std::map<std::string, ProviderVersion> versions;  // by ProviderAddr::text(), as locked
};

enum class EffectKind : uint8_t { Plan, Change, Output, Provider, ProviderConfig, Read };
std::string_view name_of(EffectKind k);

struct Part {
  std::string_view name;
  std::string bytes, secret;
  friend bool operator==(const Part&, const Part&) = default;
};
struct Effect {
  EffectKind kind = EffectKind::Change;
  std::string name;            // an address, or the name of an output or of what is read; with a deposed key
  std::vector<Part> parts;     // by name
  std::string bytes() const;   // all of it, as one map
  std::string secret() const;  // of all parts
};

// Whether a change of the plan (or of its drift, when it only refreshes) has an effect.
bool has_effect(const Plan& plan, const ResourceChange& c);
const std::vector<ResourceChange>& changes_of(const Plan& plan);  // where its effects are

class Effects {
 public:
  explicit Effects(const EffectSources& from);
  Effect of(const ResourceChange& c);
  Effect of(const OutputChange& o);
  // The plan as a whole, then providers, their configurations and what is read, each by name.
  std::vector<Effect> others();

 private:
  void put_values(const ResourceChange& c, std::vector<Part>& out) const;
  Effect provider(const std::string& name) const;
  std::vector<Effect> provider_configs(std::map<std::string, ProviderConfigAddr>& used);
  const EffectSources& from_;
  ActingOrder order_;
  CodeReader code_;
};

}  // namespace xplan::review
