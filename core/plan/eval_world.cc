// A World made from a state instead of a plan: what the console and the import command evaluate in. Whatever
// the state does not know is unknown, and a value with an error too, so that everything else can still be
// looked at.
#include <algorithm>

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
      ResourceSlot& slot = m->resources[g.index];
      slot.expanded.kind = r.count ? Expansion::Count : r.for_each ? Expansion::ForEach : Expansion::Single;
      auto it = state_.resources.find(AbsResource{m->addr, r.addr});
      if (it != state_.resources.end() && r.schema) instances(slot, *it, *r.schema);
      if (slot.values.empty() && slot.expanded.kind != Expansion::Single)
        slot.expanded.kind = Expansion::Unknown;
    }
  }

 private:
  void instances(ResourceSlot& slot, const std::pair<const AbsResource, ResourceState>& from,
                 const schema::Schema& schema) {
    constexpr InstanceKey::Kind kKinds[] = {InstanceKey::Kind::None, InstanceKey::Kind::Int,
                                            InstanceKey::Kind::String};
    InstanceKey::Kind wanted = kKinds[static_cast<size_t>(slot.expanded.kind)];
    auto provider = factory_.start(from.second.provider.provider, diags_);
    const Value unknown = Value::unknown(schema.block.implied_type());
    for (const auto& [key, instance] : from.second.instances) {
      if (!instance.current || !provider || key.kind != wanted) continue;
      // A counted resource is a tuple by position; gaps that the state has stay unknown.
      while (key.kind == InstanceKey::Kind::Int &&
             static_cast<int64_t>(slot.values.size()) < std::min(key.number, kMaxGap))
        push(slot, unknown);
      auto v = object_value(*instance.current, AbsInstance{from.first.module, from.first.resource, key},
                            schema, *provider, diags_);
      slot.expanded.instances.push_back({key, Value()});
      slot.values.push_back(v ? *v : unknown);
    }
  }
  void push(ResourceSlot& slot, const Value& v) {
    slot.expanded.instances.push_back({InstanceKey::of(static_cast<int64_t>(slot.values.size())), Value()});
    slot.values.push_back(v);
  }

  static constexpr int64_t kMaxGap = 10'000'000;  // as many instances as a block can have
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
