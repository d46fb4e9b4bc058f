// CauseBlocks: which blocks of a configuration moved, removed or imported an object, and which dependents
// demand that a replacement comes first.
//
// Who calls it: cause_reasons.cc, causes.cc.  Private to this folder.
// Cost: the blocks are indexed when one is first asked for, the graph of the configuration likewise; look-ups
// take the depth of a module. Thread-safety: one thread.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/plan/config_graph.h"
#include "core/review/cause_facts.h"

namespace xplan::review {

struct MoveStep {
  const config::Moved* block;
  AbsInstance to;
};

class CauseBlocks {
 public:
  explicit CauseBlocks(const CauseFacts& facts) : facts_(facts) {}
  // The moved blocks that lead from one address to another, in order; empty: no block did it.
  std::vector<MoveStep> moves(const AbsInstance& from, const AbsInstance& to);
  const config::Removed* removed(const ConfigResource& r);
  const config::Import* import(const AbsInstance& a);
  // From the dependent that has create_before_destroy to the one that is next to r; empty: none has.
  std::vector<ConfigResource> forced_by(const ConfigResource& r);
  // Resources that refer to r, directly or through named values.
  std::vector<ConfigResource> readers(const ConfigResource& r);

 private:
  template <class Block>
  struct Placed {
    const config::Node* node;
    const Block* block;
  };
  void index_blocks();
  void build_graph();
  const config::Resource* resource_at(uint32_t node) const;
  ConfigResource address_of(uint32_t node) const;

  const CauseFacts& facts_;
  bool indexed_ = false;
  // Blocks by the key that they name, and those that name none: their key is none.
  template <class Block>
  using ByKey =
      std::unordered_map<ConfigResource, std::unordered_map<InstanceKey, std::vector<Placed<Block>>>>;
  ByKey<config::Moved> moved_resources_;
  std::unordered_map<uint32_t, std::vector<Placed<config::Moved>>> moved_modules_;  // by Module::id()
  std::unordered_map<ConfigResource, const config::Removed*> removed_;
  std::unordered_map<uint32_t, const config::Removed*> removed_modules_;
  ByKey<config::Import> imports_;
  std::unique_ptr<ConfigGraph> graph_;
  std::unordered_map<ConfigResource, uint32_t> node_of_;
  std::vector<uint32_t> cbd_next_;  // per node: the dependent that it inherits create_before_destroy from
};

}  // namespace xplan::review
