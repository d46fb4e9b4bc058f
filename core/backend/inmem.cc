// The backend "inmem": states in the memory of this process, which are gone when it ends. For tests of
// configurations and of tools, as in the reference tools.
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "core/backend/arguments.h"
#include "core/backend/backend.h"
#include "core/backend/server.h"
#include "core/backend/workspace.h"

namespace xplan::backend {
namespace {

// lock_id: whoever asks for the lock of "default" finds it held, under this ID.
constexpr Argument kInmemArguments[] = {{"lock_id"}};

struct MemoryState {
  std::string bytes;
  uint64_t version = 0;
  std::optional<LockInfo> lock;
  std::map<std::string, std::string> segments;
};
struct Memory {
  std::mutex mutex;
  std::map<std::string, MemoryState> states;  // by workspace
};
Memory& memory() {
  static Memory m;
  return m;
}

class MemoryPlace : public Place {
  template <class F>
  auto with(F f) const {
    std::lock_guard lock(memory().mutex);
    return f(memory().states[workspace_]);
  }

 public:
  explicit MemoryPlace(std::string workspace) : workspace_(std::move(workspace)) {}
  std::string name() const override { return "inmem:" + workspace_; }

  Result<std::optional<Content>> get(Arrival*, bool) override {
    return with([](MemoryState& s) {
      return s.bytes.empty() ? std::nullopt
                             : std::optional(Content{.bytes = s.bytes, .version = std::to_string(s.version)});
    });
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override {
    return with([&](MemoryState& s) -> Put {
      const bool same = version ? *version == std::to_string(s.version) : s.bytes.empty();
      if (!same) return {.conflict = true, .version = {}};
      s.bytes = bytes, ++s.version;
      return {.conflict = false, .version = std::to_string(s.version)};
    });
  }
  Result<Locking> try_lock(LockInfo& info) override {
    return with([&](MemoryState& s) -> Locking {
      if (s.lock) return {.held = true, .holder = s.lock, .reason = "it is locked"};
      s.lock = info;
      return {};
    });
  }
  Result<void> unlock(Stop) override {
    with([](MemoryState& s) { return s.lock.reset(), 0; });
    return {};
  }
  bool lock_ends_with_run() const override { return true; }
  Result<std::optional<LockInfo>> holder(bool) override {
    return with([](MemoryState& s) { return s.lock; });
  }
  Result<void> break_lock(const std::string& id) override {
    return with([&](MemoryState& s) -> Result<void> {
      if (!s.lock || s.lock->id != id) return Error{fmt::format("there is no lock with the ID \"{}\"", id)};
      s.lock.reset();
      return {};
    });
  }

  bool keeps_segments() const override { return true; }
  Result<void> put_segment(const std::string& name, std::string_view bytes,
                           const net::Ending& /*how*/) override {
    with([&](MemoryState& s) { return s.segments[name] = bytes, 0; });
    return {};
  }
  Result<std::vector<std::string>> segments(bool) override {
    return with([](MemoryState& s) {
      std::vector<std::string> out;
      for (const auto& [name, bytes] : s.segments) out.push_back(name);
      return out;
    });
  }
  Result<std::string> get_segment(const std::string& name) override {
    return with([&](MemoryState& s) { return s.segments[name]; });
  }
  Result<void> remove_segment(const std::string& name) override {
    with([&](MemoryState& s) { return s.segments.erase(name); });
    return {};
  }

 private:
  const std::string workspace_;
};

class MemoryServer : public Server {
 public:
  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return std::make_unique<MemoryPlace>(workspace);
  }
  Result<std::vector<std::string>> workspaces() const override {
    std::lock_guard lock(memory().mutex);
    std::vector<std::string> out;
    for (const auto& [name, s] : memory().states)
      if (!s.bytes.empty()) out.push_back(name);
    return out;
  }
  Result<void> remove(const std::string& workspace) const override {
    std::lock_guard lock(memory().mutex);
    memory().states.erase(workspace);
    return {};
  }
};

const schema::Block& inmem_schema() {
  static const schema::Block block = schema_of(kInmemArguments);
  return block;
}

Result<std::unique_ptr<Backend>> open_inmem(const Value& settings, const Opening& opening) {
  if (const std::string id = Arguments(kInmemArguments, settings).text("lock_id"); !id.empty()) {
    std::lock_guard lock(memory().mutex);
    std::optional<LockInfo>& held = memory().states[std::string(kDefaultWorkspace)].lock;
    if (!held) {
      held.emplace();
      held->id = id, held->operation = "test", held->info = "test config";
    }
  }
  return remote_backend(std::make_unique<MemoryServer>(), opening);
}

}  // namespace

constinit const Kind kInmem{"inmem", inmem_schema, open_inmem};

}  // namespace xplan::backend
