#include "core/plan/generate_config.h"

#include <fmt/format.h>

#include <unordered_map>

#include "core/config/providers.h"
#include "core/plan/contract.h"
#include "core/plan/identity.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/schema/config_text.h"

namespace xplan {
namespace {

class Generator {
 public:
  Generator(const config::Config& c, const World& w, ProviderFactory& f, Diagnostics& d)
      : config_(c), world_(w), factory_(f), diags_(d) {}

  std::optional<GeneratedConfig> make(const config::Import& i) {
    const Resource& r = *i.to_static.resource;
    if (!i.to_static.module_steps.empty() || i.to_static.has_key || i.to_key || i.for_each) {
      diags_.error(
          "Cannot generate configuration",
          fmt::format("Configuration can be generated for single resources of the root module only. {} is to "
                      "be imported {}; write its resource block by hand.",
                      i.to_static.text(),
                      i.for_each                          ? "with for_each"
                      : !i.to_static.module_steps.empty() ? "into a module"
                                                          : "under an instance key"),
          i.range);
      return std::nullopt;
    }
    size_t before = diags_.error_count();
    GeneratedConfig out;
    out.addr.resource = r;
    const syntax::Expr& given = i.id ? *i.id : *i.identity;
    ModuleScope scope(world_, *world_.root());
    Value value =
        i.id ? eval::evaluate_as(given, Type::string(), scope, diags_) : eval::evaluate(given, scope, diags_);
    if (diags_.error_count() != before) return std::nullopt;
    if (value.is_null() || !value.is_wholly_known() || value.contains_marks()) {
      diags_.error(
          fmt::format("Invalid import {} argument", i.id ? "id" : "identity"),
          fmt::format("The import {} must be {} that is known before planning, neither sensitive nor "
                      "ephemeral, so that configuration can be generated. This one is {}.",
                      i.id ? "id" : "identity", i.id ? "a string" : "an object",
                      value.is_null()            ? "null"
                      : !value.is_wholly_known() ? "not known yet"
                                                 : "sensitive or ephemeral"),
          given.range);
      return std::nullopt;
    }
    if (i.id) out.id = value.as_string();
    if (i.identity) out.identity = std::move(value);
    const config::Module& root = *config_.root->module;
    Symbol implied = config::implied_local_name(r.type);
    Symbol local = i.provider_ref ? i.provider_ref->local_name : implied;
    Symbol alias = i.provider_ref ? i.provider_ref->alias : Symbol();
    ProviderConfigAddr paddr{Module(), config::provider_of(root, local), alias};
    Provider* provider = provider_for(paddr, i);
    if (!provider) return std::nullopt;
    const schema::Schema* schema = provider->schema().find(static_cast<uint8_t>(Mode::Managed), r.type);
    if (!schema) {
      diags_.error(
          "Invalid resource type",
          fmt::format("The provider {} has no resource type \"{}\".", paddr.provider.text(), r.type.sv()),
          i.range);
      return std::nullopt;
    }
    std::optional<Value> object = existing(*provider, paddr, *schema, out, i);
    if (!object) return std::nullopt;
    std::string written;
    if (local != implied || !alias.empty())
      written = fmt::format("{}{}{}", local.sv(), alias.empty() ? "" : ".", alias.sv());
    out.text = schema::resource_text(r.type.sv(), r.name.sv(), written, schema->block, *object);
    return out;
  }

 private:
  Provider* provider_for(const ProviderConfigAddr& a, const config::Import& i) {
    auto [it, fresh] = started_.try_emplace(a.text());
    if (!fresh) return it->second.get();
    ProviderNode node;
    node.addr = a;
    node.node = config_.root.get();
    for (const config::ProviderConfig& pc : config_.root->module->providers)
      if (pc.provider == a.provider && pc.alias == a.alias) node.config = &pc;
    if (!node.config && !a.alias.empty()) {
      diags_.error("Missing provider configuration",
                   fmt::format("The import block names the provider configuration {}, which is not declared.",
                               a.text()),
                   i.provider_ref->range);
      return nullptr;
    }
    it->second = start_provider(world_, node, factory_, diags_);
    return it->second.get();
  }

  std::optional<Value> existing(Provider& p, const ProviderConfigAddr& paddr, const schema::Schema& schema,
                                const GeneratedConfig& g, const config::Import& i) {
    size_t before = diags_.error_count();
    ImportRequest import{g.addr.resource.type, g.id, {}};
    if (i.identity) {
      std::optional<Value> identity = import_identity(g.identity, import.type, p, i.identity->range, diags_);
      if (!identity) return std::nullopt;
      import.identity = std::move(*identity);
    }
    ImportResponse found = p.import(import);
    add_provider_diags(found.diags, g.addr, nullptr, diags_);
    if (diags_.error_count() != before) return std::nullopt;
    if (found.objects.size() != 1 || !(found.objects[0].type == g.addr.resource.type) ||
        found.objects[0].state.is_null()) {
      diags_.error(
          "Import returned no usable object",
          fmt::format("For the {} the provider returned {} objects; exactly one of type {} was expected.",
                      import_text(g.id, g.identity), found.objects.size(), g.addr.resource.type.sv()),
          i.range);
      return std::nullopt;
    }
    ReadRequest request;
    request.type = g.addr.resource.type;
    request.current = found.objects[0].state;
    request.private_data = found.objects[0].private_data;
    request.identity = found.objects[0].identity;
    ReadResponse read = p.read(request);
    add_provider_diags(read.diags, g.addr, nullptr, diags_);
    if (diags_.error_count() != before) return std::nullopt;
    if (read.new_state.is_null()) {
      diags_.error(
          "Cannot import non-existent remote object",
          fmt::format("The provider found no object with the {} for {}. Check it; only existing objects can "
                      "be imported.",
                      import_text(g.id, g.identity), g.addr.text()),
          i.range);
      return std::nullopt;
    }
    Violations v = check_conforms(schema.block, read.new_state);
    for (Path& p : unknown_paths(read.new_state)) v.emplace_back(std::move(p), "the value is unknown");
    if (!v.empty()) {
      add_violations("Provider produced invalid object", "when it read", paddr.provider, g.addr, v, diags_);
      return std::nullopt;
    }
    return schema::mark_sensitive(read.new_state, schema.block);
  }

  const config::Config& config_;
  const World& world_;
  ProviderFactory& factory_;
  Diagnostics& diags_;
  std::unordered_map<std::string, std::shared_ptr<Provider>> started_;
};

}  // namespace

std::vector<GeneratedConfig> generate_config(const config::Config& config, const State& state,
                                             const PlanOptions& options, ProviderFactory& providers,
                                             Diagnostics& diags) {
  std::vector<const config::Import*> wanted;
  for (const config::Import& i : config.root->module->imports) {
    if (!i.to_static.resource || (!i.id && !i.identity)) continue;
    Module m;
    for (const auto& [name, key] : i.to_static.module_steps) m = m.child(name);
    if (!config.find(ConfigResource{m, *i.to_static.resource})) wanted.push_back(&i);
  }
  std::vector<GeneratedConfig> out;
  if (wanted.empty()) return out;
  Diagnostics ignored;  // what is wrong elsewhere is found by planning
  auto world = evaluate_world(config, state, options, providers, ignored);
  Generator g(config, *world, providers, diags);
  for (const config::Import* i : wanted)
    if (auto made = g.make(*i)) out.push_back(std::move(*made));
  return out;
}

}  // namespace xplan
