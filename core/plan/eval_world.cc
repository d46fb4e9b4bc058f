// A World made from a state instead of a plan: what the console and the import command evaluate in. Whatever
// the state does not know is unknown, and a value with an error too, so that everything else can still be
// looked at.
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/plan/planner.h"

namespace xplan {
namespace {

class Filler {
 public:
  Filler(World& w, const State& s, ProviderFactory& f, Diagnostics& d)
      : world_(w), state_(s), factory_(f), diags_(d) {}

  void resource(const GraphNode& g) {
    const config::Resource& r = g.node->module->resources[g.index];
    for (ModuleInst* m : world_.of(g.node)) {
      auto it = state_.resources.find(AbsResource{m->addr, r.addr});
      std::shared_ptr<Provider> provider;
      if (it != state_.resources.end() && r.schema)
        provider = factory_.start(it->second.provider.provider, diags_);
      HeldInstances held =
          held_instances(expansion_of(r), provider ? &it->second : nullptr,
                         [&](const InstanceKey& key, const Object* object) {
                           std::optional<Value> v;
                           if (object)
                             v = object_value(*object, {m->addr, r.addr, key}, *r.schema, *provider, diags_);
                           return v ? *v : Value::unknown(r.schema->block.implied_type());
                         });
      if (!held.values.empty()) m->resources[g.index].fill(std::move(held.instances), std::move(held.values));
    }
  }

 private:
  World& world_;
  const State& state_;
  ProviderFactory& factory_;
  Diagnostics& diags_;
};

}  // namespace

std::unique_ptr<World> evaluate_world(const config::Config& config, const State& state,
                                      const PlanOptions& options, ProviderFactory& providers,
                                      Diagnostics& diags) {
  auto world = std::make_unique<World>(config, Operation::Eval);
  world->workspace = options.workspace;
  world->cwd = options.cwd;
  world->register_functions(
      [&](eval::FunctionTable& t) {
        t.base_dir.assign(1, '.');
        t.now = options.timestamp;
        eval::register_console(t);
      },
      providers, diags);
  ConfigGraph cg;
  cg.build(config, nullptr);
  cg.graph.freeze();
  Filler filler(*world, state, providers, diags);
  for (uint32_t n : cg.graph.topological_order()) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Resource) {
      filler.resource(g);
    } else if (g.kind != NodeKind::Output ||
               g.node->parent) {  // nothing refers to outputs of the root module
      NamedResult result;
      visit_named(*world, g, options.variables, Conditions::Ignored, result);
      diags.append(std::move(result.diags));
    }
  }
  return world;
}

}  // namespace xplan
