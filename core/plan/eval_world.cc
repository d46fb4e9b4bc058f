// A World made from a state instead of a plan: what the console and the import command evaluate in. Whatever
// the state does not know is unknown, and a value with an error too, so that everything else can still be
// looked at.
#include "core/base/clock.h"
#include "core/graph/walk.h"
#include "core/plan/ended_early.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/plan/planner.h"

namespace xplan {
namespace {

// Fills a World node by node; the objects of a resource, which their provider may have to bring up to date,
// are the parts of its node.
class Filler : public Visitor {
 public:
  Filler(World& w, const ConfigGraph& cg, const State& s, const PlanOptions& o, ProviderFactory& f)
      : world_(w), cg_(cg), state_(s), options_(o), factory_(f), nodes_(cg.nodes.size()) {}

  size_t begin(uint32_t n) override {
    const GraphNode& g = cg_.nodes[n];
    if (g.kind == NodeKind::Resource)
      for (ModuleInst* m : world_.of(g.node)) begin_resource(nodes_[n], g, *m);
    return nodes_[n].objects.size();
  }

  void part(uint32_t n, size_t i) override {
    const GraphNode& g = cg_.nodes[n];
    const config::Resource& r = g.node->module->resources[g.index];
    Known& k = nodes_[n].objects[i];
    const AbsInstance addr{k.module->addr, r.addr, k.key};
    // Nothing is going to be changed, so that what a newer provider wrote may be looked at.
    if (auto v = is_newer(*k.object, *r.schema)
                     ? recorded_value(*k.object, addr, *r.schema, k.diags)
                     : object_value(*k.object, addr, *r.schema, *k.provider, k.diags))
      *k.value = *v;
  }

  bool end(uint32_t n) override {
    const GraphNode& g = cg_.nodes[n];
    Node& out = nodes_[n];
    for (Known& k : out.objects) out.named.diags.append(std::move(k.diags));
    for (Filling& f : out.fillings)
      if (!f.values.empty()) f.finish(g.index);
    const bool root_output = g.kind == NodeKind::Output && !g.node->parent;  // to which nothing refers
    if (g.kind != NodeKind::Resource && !root_output)
      visit_named(world_, g, options_.variables, Conditions::Ignored, out.named);
    return true;
  }

  void report(Diagnostics& diags) {
    for (uint32_t n : cg_.graph.topological_order()) diags.append(std::move(nodes_[n].named.diags));
  }

 private:
  struct Known {
    ModuleInst* module;
    InstanceKey key;
    const Object* object;
    Value* value;
    std::shared_ptr<Provider> provider;
    Diagnostics diags = {};
  };
  struct Node {
    NamedResult named;
    std::vector<Filling> fillings;
    std::vector<Known> objects;
  };

  void begin_resource(Node& out, const GraphNode& g, ModuleInst& m) {
    const config::Resource& r = g.node->module->resources[g.index];
    auto it = state_.resources.find(AbsResource{m.addr, r.addr});
    if (it == state_.resources.end() && world_.config.given) fill_without_instances(g, m, r);
    if (it == state_.resources.end() || !r.schema) return;
    auto provider = factory_.start(it->second.provider.provider, out.named.diags);
    if (!provider) return;
    StateInstances found = state_instances(expansion_of(r), &it->second);
    Filling& f = out.fillings.emplace_back(Filling{&m, {}, std::move(found.instances)});
    f.values.assign(found.states.size(), Value::unknown(r.schema->block.implied_type()));
    for (size_t i = 0; i < f.values.size(); ++i)
      if (const InstanceState* s = found.states[i])
        out.objects.push_back({&m, f.actual->instances[i].key, s->current.get(), &f.values[i], provider});
  }

  // A test was planned before, so a state that does not have the resource is no reason for not knowing that
  // there are none of it. What is wrong with its number was told then.
  void fill_without_instances(const GraphNode& g, ModuleInst& m, const config::Resource& r) {
    Diagnostics told;
    Expanded none = expand(world_, ModuleScope(world_, m), r.repetition(), told);
    if (none.kind != Expansion::Unknown && none.instances.empty())
      m.resources[g.index].fill(std::move(none), {});
  }

  World& world_;
  const ConfigGraph& cg_;
  const State& state_;
  const PlanOptions& options_;
  ProviderFactory& factory_;
  std::vector<Node> nodes_;
};

}  // namespace

std::unique_ptr<World> evaluate_world(const config::Config& config, const State& state,
                                      const PlanOptions& options, ProviderFactory& providers,
                                      Diagnostics& diags) {
  auto world = std::make_unique<World>(config, Operation::Eval);
  world->workspace = options.workspace;
  world->cwd = options.cwd;
  world->stop = options.stop;
  world->register_functions(
      [&](eval::FunctionTable& t) {
        t.base_dir.assign(1, '.');
        t.now = options.timestamp;
        if (config.given) t.now = utc_now(), t.plan_time = options.timestamp;  // there was a plan
        eval::register_console(t);
      },
      providers, diags);
  ConfigGraph cg;
  cg.build(config, nullptr);
  cg.graph.freeze();
  Filler filler(*world, cg, state, options, providers);
  const WalkOutcome walked = walk(cg.graph, {options.parallelism, options.stop}, filler);
  filler.report(diags);
  report_ended_early(walked, "Evaluation failed", "", diags);
  return world;
}

}  // namespace xplan
