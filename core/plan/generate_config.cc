// Finds import blocks without a resource block, imports and reads each object, and writes the configuration
// text for it (schema/config_text.cc).
#include "core/plan/generate_config.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "core/config/providers.h"
#include "core/graph/walk.h"
#include "core/plan/contract.h"
#include "core/plan/ended_early.h"
#include "core/plan/importer.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/schema/config_text.h"

namespace xplan {
namespace {

class Generator {
 public:
  Generator(const config::Config& c, const World& w, ProviderFactory& f)
      : config_(c), world_(w), factory_(f) {}

  // From several threads concurrently.
  std::optional<GeneratedConfig> make(const config::Import& i, Diagnostics& diags) {
    const Resource& r = *i.to_static.resource;
    if (!can_generate(i)) {
      diags.error("Cannot generate configuration",
                  fmt::format("Configuration can be generated only for single resources of the root module. "
                              "{} is to be imported {}; write its resource block manually.",
                              i.to_static.text(),
                              i.for_each                          ? "with for_each"
                              : !i.to_static.module_steps.empty() ? "into a module"
                                                                  : "with an instance key"),
                  i.range);
      return std::nullopt;
    }
    size_t before = diags.error_count();
    GeneratedConfig out;
    out.addr.resource = r;
    const syntax::Expr& given = i.id ? *i.id : *i.identity;
    ModuleScope scope(world_, *world_.root());
    Value value =
        i.id ? eval::evaluate_as(given, Type::string(), scope, diags) : eval::evaluate(given, scope, diags);
    if (diags.error_count() != before) return std::nullopt;
    if (value.is_null() || !value.is_wholly_known() || value.contains_marks()) {
      diags.error(fmt::format("Invalid import {} argument", i.id ? "id" : "identity"),
                  fmt::format("The import {} must be {} that is known before planning, neither sensitive nor "
                              "ephemeral, so that configuration can be generated. This one is {}.",
                              i.id ? "id" : "identity", i.id ? "a string" : "an object",
                              value.is_null()            ? "null"
                              : !value.is_wholly_known() ? "not known yet"
                                                         : "sensitive or ephemeral"),
                  given.range);
      return std::nullopt;
    }
    if (i.id) out.from.id = value.as_string();
    if (i.identity) out.from.identity = std::move(value);
    const config::Module& root = *config_.root->module;
    Symbol implied = config::implied_local_name(r.type);
    Symbol local = i.provider_ref ? i.provider_ref->local_name : implied;
    Symbol alias = i.provider_ref ? i.provider_ref->alias : Symbol();
    ProviderConfigAddr paddr{Module(), config::provider_of(root, local), alias};
    if (i.provider_ref) paddr.key = i.provider_ref->fixed_key;
    Provider* provider = provider_for(paddr, i, diags);
    if (!provider) return std::nullopt;
    const schema::SchemaPtr schema = schema::find(provider->schema(), Mode::Managed, r.type);
    if (!schema) {
      diags.error("Invalid resource type",
                  fmt::format("Provider {} has no resource type \"{}\".", paddr.provider.text(), r.type.sv()),
                  i.range);
      return std::nullopt;
    }
    if (!find(*provider, paddr, *schema, out, i, diags)) return std::nullopt;
    std::string written;
    if (local != implied || !alias.empty())
      written = fmt::format("{}{}{}{}", local.sv(), alias.empty() ? "" : ".", alias.sv(), paddr.key.text());
    const bool said = provider->generates_config();
    Value values = out.from.object.state;
    if (said && !ask(*provider, paddr, *schema, out, values, i, diags)) return std::nullopt;
    out.text = schema::resource_text(r.type.sv(), r.name.sv(), written, schema->block,
                                     schema::mark_sensitive(values, schema->block),
                                     said ? schema::TextOf::Configuration : schema::TextOf::Object);
    return out;
  }

  // What was wrong with providers.
  void report(Diagnostics& diags) {
    for (auto& [addr, s] : started_) diags.append(std::move(s.diags));
  }

 private:
  bool find_instance(ProviderNode& node) const {
    const auto at = static_cast<size_t>(node.config - config_.root->module->providers.data());
    for (const auto& [key, value] : config_.root->provider_instances[at])
      if (key == node.addr.key) return node.each_value = value, true;
    return false;
  }
  Provider* provider_for(const ProviderConfigAddr& a, const config::Import& i, Diagnostics& diags) {
    ProviderNode node;
    node.addr = a;
    node.node = config_.root.get();
    for (const config::ProviderConfig& pc : config_.root->module->providers)
      if (pc.provider == a.provider && pc.alias == a.alias) node.config = &pc;
    if (node.config && node.config->for_each && !find_instance(node)) {
      diags.error(
          "Provider instance not present",
          fmt::format("The import block must name one of the instances of {}, with its key in quotes.",
                      a.block().text()),
          i.provider_ref->range);
      return nullptr;
    }
    if (!node.config && !a.alias.empty()) {
      diags.error(
          "Missing provider configuration",
          fmt::format("The import block refers to the provider configuration {}, which is not declared.",
                      a.text()),
          i.provider_ref->range);
      return nullptr;
    }
    std::unique_lock guard(lock_);
    Started& s = started_[a.text()];
    guard.unlock();
    std::call_once(s.once, [&] { s.provider = start_provider(world_, node, factory_, s.diags); });
    return s.provider.get();
  }

  // False after an error.
  bool find(Provider& p, const ProviderConfigAddr& paddr, const schema::Schema& schema, GeneratedConfig& g,
            const config::Import& i, Diagnostics& diags) {
    Value meta = provider_meta(world_, world_.root(), paddr.provider, p, diags);
    Importer importer(
        {g.addr, schema, paddr.provider, p, g.from.id, g.from.identity, std::move(meta), &i, nullptr}, diags);
    if (importer.ask() && importer.read()) {
      g.from.object = std::move(importer.object);
      g.from.said = std::move(importer.said);
      return true;
    }
    if (importer.deferred != Deferral::None)
      diags.error("Cannot generate configuration",
                  fmt::format("Provider \"{}\" deferred the import of {} to a later plan, so configuration "
                              "cannot be generated yet.",
                              paddr.provider.text(), g.addr.text()),
                  i.range);
    return false;
  }

  // The object's values become the configuration's, as the provider says. False after an error.
  bool ask(Provider& p, const ProviderConfigAddr& paddr, const schema::Schema& schema,
           const GeneratedConfig& g, Value& values, const config::Import& i, Diagnostics& diags) {
    GenerateConfigResponse answer = p.generate_config(g.addr.resource.type, values);
    const size_t before = diags.error_count(), size = diags.size();
    add_provider_diags(answer.diags, g.addr, nullptr, diags);
    for (size_t n = size; n < diags.size(); ++n)
      if (Diagnostic& d = diags.mutable_all()[n]; !d.subject.valid()) d.subject = i.range;
    if (diags.error_count() != before) return false;
    Violations wrong = check_conforms(schema.block, answer.config);
    for (Path& path : unknown_paths(answer.config))
      wrong.emplace_back(std::move(path), "the value is unknown");
    if (!wrong.empty()) {
      add_violations("Provider produced invalid configuration", "when it generated configuration for",
                     paddr.provider, g.addr, wrong, diags);
      return false;
    }
    values = std::move(answer.config);
    return true;
  }

  const config::Config& config_;
  const World& world_;
  ProviderFactory& factory_;
  struct Started {
    std::once_flag once;
    std::shared_ptr<Provider> provider;
    Diagnostics diags;
  };
  std::mutex lock_;
  std::map<std::string, Started> started_;
};

}  // namespace

bool can_generate(const config::Import& i) {
  return i.to_static.module_steps.empty() && !i.to_static.has_key && !i.to_key && !i.for_each;
}

std::vector<GeneratedConfig> generate_config(const config::Config& config, const State& state,
                                             const PlanOptions& options, ProviderFactory& providers,
                                             Diagnostics& diags) {
  std::vector<const config::Import*> wanted;
  for (const config::Import& i : config.root->module->imports) {
    if (!i.to_static.resource || (!i.id && !i.identity)) continue;
    if (!config.find(ConfigResource{i.to_static.module(), *i.to_static.resource})) wanted.push_back(&i);
  }
  std::vector<GeneratedConfig> out;
  if (wanted.empty()) return out;
  Diagnostics ignored;  // what is wrong elsewhere is found by planning
  auto world = evaluate_world(config, state, options, providers, ignored);
  Generator g(config, *world, providers);
  struct Made {
    std::optional<GeneratedConfig> config;
    Diagnostics diags;
  };
  std::vector<Made> made(wanted.size());
  const WalkOutcome walked = parallel_for(wanted.size(), {options.parallelism, options.stop}, [&](size_t i) {
    made[i].config = g.make(*wanted[i], made[i].diags);
  });
  g.report(diags);
  for (Made& m : made) {
    diags.append(std::move(m.diags));
    if (m.config) out.push_back(std::move(*m.config));
  }
  if (!walked.exception.empty())
    report_ended_early(walked, "Cannot generate configuration", "", diags);
  else if (!walked.complete && !diags.has_errors())
    diags.error("Cannot generate configuration", "The run was interrupted.");
  return out;
}

}  // namespace xplan
