// The graph of the changes that a plan makes.
#include <algorithm>
#include <map>

#include "core/review/operation_names.h"

namespace xplan::review {
namespace {

using Shape = OperationGraph::Shape;

class ChangesOf {
 public:
  ChangesOf(const config::Config& config, const Plan& plan)
      : config_(config), plan_(plan), b_(config, OperationKind::Apply) {}

  OperationGraph take() {
    b_.add_config(nullptr);
    b_.add_lost_modules(plan_.prior_state);
    for (const ResourceChange& c : plan_.changes) add(c);
    for (const auto& [resource, instances] : made_) connect_readers(resource, instances);
    order_checks();
    const std::unordered_map<ConfigResource, Dependencies> declared = declared_dependencies();
    for (const ResourceChange& c : plan_.changes) {
      const auto it = declared.find(c.addr.config());
      if (it != declared.end() && it->second) change_around(c, *it->second);
      if (const ObjectPtr object = object_of(c); object && object->dependencies)
        go_first(c, *object->dependencies);
    }
    using Outputs = OperationBuilder::Outputs;
    if (plan_.mode == PlanMode::Destroy) {
      b_.keep_only(gone_, Outputs::Kept);
    } else if (!plan_.limited_by().empty()) {
      std::vector<uint32_t> wanted = gone_;
      for (const auto& [change, node] : made_by_) wanted.push_back(node);
      b_.keep_only(wanted, Outputs::Dropped);
    }
    b_.add_lost_outputs(plan_.prior_state);
    return b_.finish();
  }

 private:
  struct Destroyed {
    uint32_t node = 0;
    bool last = false;  // after its successor is made
  };
  struct Instance {
    InstanceKey key;
    uint32_t node;
  };

  void add(const ResourceChange& c) {
    const Action a = c.change.action;
    if (a == Action::NoOp) return;
    const std::string name = c.addr.text(), label = c.addr.config().text();
    if (a == Action::Forget) {
      b_.use_provider(c.provider, b_.node(name + " (forget)", label, Shape::Resource));
      return;
    }
    const bool makes = a != Action::Delete, destroys = a == Action::Delete || is_replace(a);
    uint32_t made = OperationBuilder::kNone;
    if (makes && c.addr.resource.mode != Mode::Ephemeral) {
      made = b_.node(name, label, Shape::Resource);
      b_.edge(made, b_.resource(c.addr.config()));
      b_.use_provider(c.provider, made);
      made_[c.addr.config()].push_back({c.addr.key, made});
      made_by_[&c] = made;
    }
    if (!destroys) return;
    // The key under which a predecessor is kept is made up when it is.
    const std::string how = !c.deposed.empty()              ? " (destroy deposed " + c.deposed + ")"
                            : a == Action::CreateThenDelete ? " (destroy deposed 00000000)"
                                                            : " (destroy)";
    const uint32_t gone = b_.node(name + how, label, Shape::Resource);
    gone_.push_back(gone);
    if (c.addr.resource.mode == Mode::Managed) b_.use_provider(c.provider, gone);  // others leave the state
    const bool last = !c.deposed.empty() || a == Action::CreateThenDelete;
    destroyed_[&c] = {gone, last};
    destroyed_of_[c.addr.config()].push_back({gone, last});
    if (a == Action::DeleteThenCreate) b_.edge(made, gone);
    if (a == Action::CreateThenDelete) b_.edge(gone, made);
  }

  // Who reads a resource waits for its instances, or for the one that is named if that changes.
  void connect_readers(const ConfigResource& resource, const std::vector<Instance>& instances) {
    for (const OperationBuilder::Reader& r : b_.readers(resource)) {
      const bool named = !r.all && std::any_of(instances.begin(), instances.end(),
                                               [&](const Instance& i) { return i.key == r.key; });
      for (const Instance& i : instances)
        if (!named || r.key == i.key) b_.edge(r.node, i.node);
    }
  }

  // What a check reads for itself is read when everything else is done.
  void order_checks() {
    auto of_check = [&](const ConfigResource& r) {
      const config::Resource* declared = config_.find(r);
      return declared && !declared->check_scope.empty();
    };
    if (std::none_of(made_.begin(), made_.end(), [&](const auto& m) { return of_check(m.first); })) return;
    const uint32_t everything = b_.node("(execute checks)");
    for (const auto& [resource, instances] : made_)
      for (const Instance& i : instances)
        if (of_check(resource))
          b_.edge(i.node, everything);
        else if (resource.resource.mode == Mode::Managed)
          b_.edge(everything, i.node);
  }

  std::unordered_map<ConfigResource, Dependencies> declared_dependencies() const {
    ConfigGraph g;
    g.build(config_, nullptr);
    g.graph.freeze();
    std::unordered_map<ConfigResource, Dependencies> out;
    for (const auto& [n, dependencies] : g.resource_dependencies()) {
      const GraphNode& x = g.nodes[n];
      out.emplace(ConfigResource{x.node->path, x.node->module->resources[x.index].addr}, dependencies);
    }
    return out;
  }

  ObjectPtr object_of(const ResourceChange& c) const {
    const InstanceState* state = plan_.prior_state.find(c.addr);
    if (!state) return nullptr;
    if (c.deposed.empty()) return state->current;
    auto it = state->deposed.find(c.deposed);
    return it == state->deposed.end() ? nullptr : it->second;
  }

  // An object that has a successor by then goes after those that depend on it have turned to that; any other
  // goes before they change.
  void change_around(const ResourceChange& c, const std::vector<ConfigResource>& dependencies) {
    auto made = made_by_.find(&c);
    if (made == made_by_.end()) return;
    const bool last = c.change.action == Action::CreateThenDelete;
    for (const ConfigResource& d : dependencies) {
      auto it = destroyed_of_.find(d);
      if (it == destroyed_of_.end()) continue;
      for (const Destroyed& other : it->second) {
        if (other.last) b_.edge(other.node, made->second);
        if (!other.last && !last) b_.edge(made->second, other.node);
      }
    }
  }

  // An object goes before those that it depends on, as the state knows, and before they change.
  void go_first(const ResourceChange& c, const std::vector<ConfigResource>& dependencies) {
    auto gone = destroyed_.find(&c);
    if (gone == destroyed_.end()) return;
    for (const ConfigResource& d : dependencies) {
      if (auto it = destroyed_of_.find(d); it != destroyed_of_.end())
        for (const Destroyed& other : it->second) b_.edge(other.node, gone->second.node);
      if (gone->second.last || d == c.addr.config()) continue;
      if (auto it = made_.find(d); it != made_.end())
        for (const Instance& i : it->second) b_.edge(i.node, gone->second.node);
    }
  }

  const config::Config& config_;
  const Plan& plan_;
  OperationBuilder b_;
  std::map<ConfigResource, std::vector<Instance>, AddrLess> made_;
  std::unordered_map<const ResourceChange*, uint32_t> made_by_;
  std::unordered_map<const ResourceChange*, Destroyed> destroyed_;
  std::map<ConfigResource, std::vector<Destroyed>, AddrLess> destroyed_of_;
  std::vector<uint32_t> gone_;
};

}  // namespace

OperationGraph operation_graph(const config::Config& config, const Plan& plan) {
  return ChangesOf(config, plan).take();
}

}  // namespace xplan::review
