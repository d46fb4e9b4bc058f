// Named nodes and what waits for what, put together piece by piece: what operation_graph.cc (of a
// configuration) and operation_changes.cc (of a plan) share.
//
// Who calls it: those two files.  Cost: constant for each piece, but for the reduction at the end.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "core/plan/config_graph.h"
#include "core/review/operation_graph.h"

namespace xplan::review {

class OperationBuilder {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  using Shape = OperationGraph::Shape;

  OperationBuilder(const config::Config& config, OperationKind kind) : config_(config), kind_(kind) {}

  // What is declared, and the providers that it and `state` (if any) need.
  void add_config(const State* state);
  // A node that is found by its name afterwards.
  uint32_t node(const std::string& name, const std::string& label = {}, Shape shape = Shape::None);
  // The same once more.
  uint32_t repeated(const std::string& name, const std::string& label, Shape shape);
  // From what waits to what it waits for; nothing where one of them is none.
  void edge(uint32_t from, uint32_t to);
  uint32_t resource(const ConfigResource& r) const;  // its node, or none
  // The node of a provider configuration, which is closed after `user`.
  uint32_t use_provider(const ProviderConfigAddr& a, uint32_t user);
  // Nodes that wait for `of`, with the key of the instance that they name, if they name one.
  struct Reader {
    uint32_t node;
    bool all = true;
    InstanceKey key;
  };
  const std::vector<Reader>& readers(const ConfigResource& r) const;

  // Modules that the state has and nobody calls any more: all that is left of them is their end.
  void add_lost_modules(const State& state);
  // Outputs of the root module that the state has and nobody declares any more.
  void add_lost_outputs(const State& state);
  // Leaves these nodes and what they wait for, and the providers in use: all that there is to do when
  // everything is destroyed, which leaves the outputs of the root module, or only some is changed.
  enum class Outputs : uint8_t { Kept, Dropped };
  void keep_only(const std::vector<uint32_t>& wanted, Outputs outputs);

  OperationGraph finish();

 private:
  uint32_t node_of(const ConfigGraph& g, uint32_t n);
  void connect_checks();
  void close_ephemerals(const ConfigGraph& g, const std::vector<uint32_t>& nodes);
  void close_modules(const ConfigGraph& g, const std::vector<uint32_t>& nodes);

  const config::Config& config_;
  OperationKind kind_;
  OperationGraph out_;
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
  std::unordered_map<std::string, uint32_t> by_name_;
  std::unordered_map<ConfigResource, std::vector<Reader>> readers_;
};

}  // namespace xplan::review
