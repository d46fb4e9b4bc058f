// The process-wide interner behind Symbol: sharded hash tables under locks for writing, chunks that never
// move for reading without one.
#include "core/base/symbol.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "core/base/lazy_array.h"
#include "core/base/memory.h"

namespace xplan {
namespace {

struct Text {
  const char* data;
  size_t size;
};

constexpr size_t kChunkBits = 12, kChunk = size_t{1} << kChunkBits, kChunks = size_t{1} << 20;

// Chunks never move, so a reader needs no lock: an id is handed out only after its slot is written.
struct Table {
  LazyArray<Text> chunks{kChunks};
  std::atomic<uint32_t> next{0};
  std::mutex grow;

  uint32_t append(std::string_view s) {
    uint32_t id = next.fetch_add(1, std::memory_order_relaxed);
    size_t c = id >> kChunkBits;
    if (c >= kChunks) std::abort();
    Text* chunk = chunks[c].load(std::memory_order_acquire);
    if (!chunk) {
      std::lock_guard lock(grow);
      chunk = chunks[c].load(std::memory_order_acquire);
      if (!chunk) {
        chunk = new Text[kChunk]();
        chunks[c].store(chunk, std::memory_order_release);
      }
    }
    char* copy = static_cast<char*>(take_memory(s.size() + 1));
    std::memcpy(copy, s.data(), s.size());
    copy[s.size()] = 0;
    chunk[id & (kChunk - 1)] = {copy, s.size()};
    return id;
  }
  Text at(uint32_t id) const {
    return chunks[id >> kChunkBits].load(std::memory_order_acquire)[id & (kChunk - 1)];
  }
};

struct Shard {
  std::mutex lock;
  std::unordered_map<std::string_view, uint32_t> ids;
};

struct Interner {
  Table table;
  std::array<Shard, 64> shards;
  Interner() { shards[shard_of("")].ids.emplace(std::string_view("", 0), table.append("")); }
  static size_t shard_of(std::string_view s) { return std::hash<std::string_view>()(s) >> 7 & 63; }
};

Interner& interner() {
  static Interner* const it = new Interner;  // never destroyed: symbols outlive everything
  return *it;
}

}  // namespace

Symbol::Symbol(std::string_view text) {
  if (text.empty()) return;
  Interner& in = interner();
  Shard& shard = in.shards[Interner::shard_of(text)];
  std::lock_guard lock(shard.lock);
  auto it = shard.ids.find(text);
  if (it == shard.ids.end()) {
    uint32_t id = in.table.append(text);
    Text t = in.table.at(id);
    it = shard.ids.emplace(std::string_view(t.data, t.size), id).first;
  }
  id_ = it->second;
}

std::string_view Symbol::sv() const {
  if (id_ == 0) return std::string_view("", 0);
  Text t = interner().table.at(id_);
  return {t.data, t.size};
}

}  // namespace xplan
