// What removed blocks say of an object, by its address without keys.
//
// Who calls it: planning of deletions (whether the object is only to be forgotten), applying them (which
// provisioners run). Rule: a block for a module stands for everything below it; of several blocks for one
// resource the last has the provisioners, and each may ask to forget. Cost: made in one pass over the
// configuration, O(depth of the module) for each question. Thread-safety: immutable.
#pragma once
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/config/config.h"

namespace xplan {

class RemovedBlocks {
 public:
  struct Place {
    const config::Node* node = nullptr;  // of the module that the block is written in
    const config::Removed* block = nullptr;
  };
  explicit RemovedBlocks(const config::Config& c);
  const Place* find(const ConfigResource& r) const;  // null: no block names this resource
  // Whether blocks have it destroyed; nothing: none names it. One that has destroy = false counts.
  std::optional<bool> destroys(const ConfigResource& r) const;

 private:
  std::unordered_map<ConfigResource, Place> resources_;
  std::unordered_set<ConfigResource> forgotten_;
  std::unordered_set<uint32_t> forgotten_modules_, destroyed_modules_;
};

}  // namespace xplan
