// The process-wide tables behind Module and ModuleInstance. Private to core/addr.
//
// Who calls it: module.cc.
// Invariant: a node never moves and never changes once its id is handed out, so readers take no lock; node 0
// is the root. Equal (parent, step) always give the same id. Cost: at() is two loads; intern() hashes and
// takes one of 16 shard locks. Thread-safety: any function from any thread. Why chunks and not a vector: a
// vector moves its elements, and readers would need a lock for each address.
#pragma once
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include "core/base/lazy_array.h"

#include "core/addr/addr.h"

namespace xplan::addr_detail {

template <class Node, class Key, class Hash>
class NodeTable {
 public:
  explicit NodeTable(const Node& root) { append(root); }
  const Node& at(uint32_t id) const {
    return chunks_[id >> kChunkBits].load(std::memory_order_acquire)[id & (kChunk - 1)];
  }
  template <class Make>
  uint32_t intern(const Key& key, Make make) {
    Shard& shard = shards_[Hash()(key) >> 5 & 15];
    std::lock_guard lock(shard.lock);
    auto it = shard.ids.find(key);
    if (it != shard.ids.end()) return it->second;
    uint32_t id = append(make());
    shard.ids.emplace(key, id);
    return id;
  }

 private:
#ifdef XPLAN_STRESS
  static constexpr size_t kChunkBits = 0;
#else
  static constexpr size_t kChunkBits = 10;
#endif
  static constexpr size_t kChunk = size_t{1} << kChunkBits, kChunks = size_t{1} << 20;
  struct Shard {
    std::mutex lock;
    std::unordered_map<Key, uint32_t, Hash> ids;
  };

  uint32_t append(const Node& node) {
    std::lock_guard lock(grow_);
    uint32_t id = next_;
    size_t c = id >> kChunkBits;
    if (c >= kChunks) std::abort();
    Node* chunk = chunks_[c].load(std::memory_order_relaxed);
    if (!chunk) chunk = new Node[kChunk]();
    chunk[id & (kChunk - 1)] = node;
    chunks_[c].store(chunk, std::memory_order_release);
    next_ = id + 1;
    return id;
  }

  LazyArray<Node> chunks_{kChunks};
  std::array<Shard, 16> shards_;
  std::mutex grow_;
  uint32_t next_ = 0;
};

struct ModuleNode {
  uint32_t parent = 0, depth = 0;
  Symbol call;
};
struct ModuleKey {
  uint32_t parent;
  Symbol call;
  bool operator==(const ModuleKey&) const = default;
};
struct ModuleKeyHash {
  size_t operator()(const ModuleKey& k) const {
    uint64_t h = (uint64_t{k.parent} << 32 | k.call.id()) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 29;
  }
};
struct InstanceNode {
  uint32_t parent = 0, depth = 0;
  Symbol call;
  InstanceKey key;
  uint32_t module = 0;
  bool partial = false;
};
struct InstanceNodeKey {
  uint32_t parent;
  Symbol call;
  InstanceKey key;
  bool operator==(const InstanceNodeKey&) const = default;
};
struct InstanceNodeHash {
  size_t operator()(const InstanceNodeKey& k) const {
    uint64_t h =
        (uint64_t{k.parent} << 32 | k.call.id()) * 0x9E3779B97F4A7C15ull + std::hash<InstanceKey>()(k.key);
    return h ^ h >> 29;
  }
};

using ModuleTable = NodeTable<ModuleNode, ModuleKey, ModuleKeyHash>;
using InstanceTable = NodeTable<InstanceNode, InstanceNodeKey, InstanceNodeHash>;
ModuleTable& modules();
InstanceTable& module_instances();

}  // namespace xplan::addr_detail
