// The graph of a configuration: one node per declared thing and module path, edges by reference.
//
// Who calls it: planner, validate, console and apply add what they need and walk it; review reads it.
// Invariant: instances are not nodes: count and for_each are ranges inside a node, so a resource with 100,000
// instances read by 100,000 others is two nodes and one edge. Cost: linear in declared things and references.
// Thread-safety: immutable after build().
#pragma once
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/config/config.h"
#include "core/graph/graph.h"
#include "core/state/state.h"

namespace xplan {

enum class NodeKind : uint8_t {
  Expand,   // a module call: makes its instances (root: nothing to do)
  Barrier,  // what a module's depends_on waits for; everything inside the module depends on it
  Variable,
  VariableCheck,
  Local,
  Output,
  Resource,
  Check,
  ModuleDone,  // every resource and output of a module path: what depends_on = [module.x] waits for
  Provider,    // a provider configuration (index into ConfigGraph::providers)
  Extra,       // made by the caller: index is the caller's
};

struct GraphNode {
  NodeKind kind;
  const config::Node* node = nullptr;  // module path
  uint32_t index = 0;                  // into the module's vector of that kind
};

struct ProviderNode {
  ProviderConfigAddr addr;
  const config::Node* node = nullptr;              // where it is configured (or would be)
  const config::ProviderConfig* config = nullptr;  // null: implied, empty configuration; or missing
  std::optional<AbsResource> used_by = {};         // in the state; where no declared resource uses it
  Value each_value = {};                           // of an instance of a block with for_each
  // Only the default configuration of the root module is implied: nothing else may stand in for what an
  // object was made with.
  bool missing() const { return !config && !(addr.module.is_root() && addr.alias.empty()); }
};

// The provider configuration that works on what the state has of a resource: the one that its declaration
// names, whatever the objects were made with; for a resource that is not declared the one they were made
// with. Without the key of an instance of it.
ProviderConfigAddr provider_of(const config::Config& c, const AbsResource& addr, const ResourceState& r);
// With the key: where the declaration selects one for each instance, that which the instance was made with,
// which the block may no longer have (require_instance() in provider_choice.h).
ProviderConfigAddr provider_of(const config::Config& c, const AbsResource& addr, const ResourceState& r,
                               const InstanceState& i);

class ConfigGraph {
 public:
  // Nodes and edges of everything in the configuration. Provider configurations that only undeclared objects
  // of `state` need are added too. Undeclared data need theirs only where everything is destroyed: otherwise
  // they just leave the state. The caller may add Extra nodes before freeze().
  void build(const config::Config& c, const State* state, bool destroying = false);
  uint32_t add_extra(uint32_t index);
  Graph graph;
  std::vector<GraphNode> nodes;
  std::vector<ProviderNode> providers;
  std::unordered_map<ProviderConfigAddr, uint32_t> provider_by_addr;  // index into providers
  // A node's reference to a resource with count or for_each: to the instance with this key, or (no key) to
  // all.
  struct Use {
    uint32_t from, to;
    InstanceKey key;
  };
  std::vector<Use> uses;

  uint32_t node_of(NodeKind k, const config::Node* n, uint32_t index) const;
  uint32_t provider_node(const ProviderConfigAddr& a) const;  // UINT32_MAX when there is none
  // Of a configuration, all instances: indexes into providers. What they know of types is the same.
  std::span<const uint32_t> provider_instances(const ProviderConfigAddr& block) const;
  uint32_t provider_node_at(uint32_t index) const { return provider_first_ + index; }
  // Makes a node depend on what an expression of module n refers to. Before graph.freeze().
  void connect(uint32_t from, const config::Node* n, const syntax::Expr* e);
  // Makes the resource that an import block names depend on what the block reads; its node, UINT32_MAX when
  // it is not declared. Before graph.freeze().
  uint32_t connect_import(const config::Config& c, const config::Import& i);
  // The nodes that a traversal written in module n depends on.
  void targets_of(const config::Node* n, const syntax::Traversal& t, std::vector<uint32_t>& out) const;
  std::string describe(uint32_t node) const;  // for cycle messages

  // For each Resource node: all resources it depends on, directly or not, as addresses, sorted. Shared where
  // equal. Call after graph.freeze().
  std::unordered_map<uint32_t, Dependencies> resource_dependencies() const;

 private:
  struct Base {  // first node number of each kind of one module path
    uint32_t expand, barrier, variables, variable_checks, locals, outputs, resources, checks, done;
  };
  void add_module(const config::Node* n);
  void connect_module(const config::Node* n);
  void connect(uint32_t from, const config::Node* n, const std::vector<const syntax::Traversal*>& ts,
               bool depends_on);
  void add_provider(const ProviderConfigAddr& block, const config::Config& c,
                    std::optional<AbsResource> used_by = {});
  void add_provider_node(ProviderNode p);
  void add_state_providers(const config::Config& c, const AbsResource& addr, const ResourceState& r);
  void connect_provider(uint32_t node, const config::Node* n, uint32_t resource);
  std::unordered_map<ProviderConfigAddr, std::vector<uint32_t>> instances_of_;  // by block
  std::unordered_map<const config::Node*, Base> base_;
  uint32_t provider_first_ = 0;
};

}  // namespace xplan
