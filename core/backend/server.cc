// A Backend made of what a server can do: the states of its workspaces are stores above places.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/backend/server.h"
#include "core/backend/workspace.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/state/journal.h"
#include "core/state/lock.h"
#include "core/state/remote_store.h"

namespace xplan::backend {
namespace {

class Remote : public Backend {
 public:
  Remote(std::shared_ptr<const Server> server, const Opening& opening)
      : server_(std::move(server)), opening_(opening) {}

  std::unique_ptr<StateStore> open(const std::string& workspace, const StatePaths& how) const override {
    std::unique_ptr<Place> p = server_->place(workspace);
    // A name that says nothing of the server, as it may be long, and others can read it.
    const std::string journal = fmt::format("state-{:016x}.journal", text_digest(identity(workspace)));
    return open_remote_store(
        std::move(p),
        {.local_journal = join_path(opening_.data_dir, journal),
         .remote_journal = how.remote_journal && keeps_remote_journals(std::getenv("XPLAN_REMOTE_JOURNAL")),
         .successor = how.successor,
         .forced = how.forced,
         .goes_on = how.goes_on,
         .elsewhere = how.elsewhere,
         .workspace = selected_anyway(workspace) ? "" : workspace,
         .keeps_copy = how.forced || how.keeps_copy,
         .finishes = how.finishes,
         .rescued = how.rescued,
         .snapshots = persist_interval(std::getenv("TF_STATE_PERSIST_INTERVAL")),
         .stop = opening_.stop,
         .codec = opening_.codec});
  }
  Result<std::optional<State>> read(const std::string& workspace) const override;
  bool has_workspaces() const override { return server_->has_workspaces(); }
  bool has_default() const override { return server_->has_default(); }
  std::string only_workspace() const override { return server_->only_workspace(); }
  Result<Runs> runs(const std::string& workspace) const override { return server_->runs(workspace); }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> create(const std::string& workspace) const override;
  Result<void> begin(const std::string& workspace) const override;
  Result<void> unlocked(const std::string& workspace) const override;
  Result<void> remove(const std::string& workspace) const override { return server_->remove(workspace); }
  Result<void> remove_unused(const std::string& workspace) const override {
    return server_->remove_unused(workspace);
  }
  Result<Rest> remove_locked(const std::string& workspace, bool unused) const override {
    return server_->remove_locked(workspace, unused);
  }
  Result<void> retire(const std::string&) const override { return {}; }
  bool creates_one_at_a_time() const override { return server_->creates_one_at_a_time(); }
  std::unique_ptr<Backend> with(std::shared_ptr<crypt::Codec> codec) const override {
    Opening other = opening_;
    other.codec = std::move(codec);
    return std::make_unique<Remote>(server_, other);
  }
  std::string place(const std::string& workspace) const override { return server_->place(workspace)->name(); }
  std::string identity(const std::string& workspace) const override { return server_->identity(workspace); }

 private:
  std::optional<State> missing(const std::string& workspace) const;
  // In a directory that is new.
  bool selected_anyway(const std::string& workspace) const {
    return !server_->only_workspace().empty() || (server_->has_default() && workspace == kDefaultWorkspace);
  }
  const std::shared_ptr<const Server> server_;
  const Opening opening_;
};

// The reference tools make an empty one when they look, where they make one in the first place.
std::optional<State> Remote::missing(const std::string& workspace) const {
  const Server::Empty begins = server_->begins_empty();
  const bool empty = begins == Server::Empty::Always ||
                     (begins == Server::Empty::OfOthers && workspace != kDefaultWorkspace);
  return empty ? std::optional(State()) : std::nullopt;
}

Result<std::optional<State>> Remote::read(const std::string& workspace) const {
  const std::unique_ptr<Place> p = server_->place(workspace);
  Result<std::optional<Content>> found = p->get();
  if (!found) return found.error();
  if (!*found || (*found)->bytes.empty()) return missing(workspace);
  if (const std::optional<Error> page = web_page(*p, **found)) return *page;
  Result<State> state = read_encrypted_state(std::move((*found)->bytes), *opening_.codec);
  if (!state) return Error{"the state \"" + p->name() + "\" cannot be read: " + state.error().message};
  return std::optional(std::move(*state));
}

Result<std::vector<std::string>> Remote::workspaces() const {
  Result<std::vector<std::string>> names = server_->workspaces();
  if (!names) return names.error();
  const bool first = server_->has_default();
  std::erase_if(*names, [&](const std::string& n) {
    return (first && n == kDefaultWorkspace) || !valid_workspace_name(n);
  });
  std::sort(names->begin(), names->end());
  if (first) names->insert(names->begin(), std::string(kDefaultWorkspace));
  return names;
}

// A journal that cannot be read is told of by whoever reads the state; until it is discarded, there is none.
Result<void> make_empty(StateStore& store) {
  Diagnostics ignored;
  Result<State> s = store.read(ignored);
  if (!s) return s.error();
  return store.exists() || !store.can_start_journal() ? Result<void>() : store.write(*s, NoTypes());
}

// With an empty state, as the reference tools make one: so the workspace is listed.
Result<void> Remote::create(const std::string& workspace) const {
  if (!server_->has_default()) return server_->create(workspace);
  if (server_->begins_empty() == Server::Empty::Never) return {};
  const std::unique_ptr<StateStore> store = open(workspace, {.goes_on = true});
  if (Result<void> ok = store->lock("init", 0, opening_.stop); !ok) return ok.error();
  const Result<void> made = make_empty(*store), unlocked = store->unlock();
  return made ? unlocked : made;
}

Result<void> Remote::begin(const std::string& workspace) const {
  if (Result<void> ok = server_->prepare(); !ok) return ok;
  if (server_->begins_empty() != Server::Empty::Always || !valid_workspace_name(workspace)) return {};
  const Result<bool> there = server_->place(workspace)->exists();
  if (!there) return there.error();
  return *there ? Result<void>() : create(workspace);
}

Result<void> Remote::unlocked(const std::string& workspace) const {
  const std::unique_ptr<Place> p = server_->place(workspace);
  if (!p->locks() || !p->tells_holder()) return {};
  const Result<std::optional<LockInfo>> holder = p->holder();
  if (!holder) return holder.error();
  if (!*holder) return {};
  return Error{fmt::format("another run has locked the state \"{}\" (lock ID {}); wait until it has finished",
                           p->name(), shown_foreign((*holder)->id))};
}

class NoPlace : public Place {
 public:
  NoPlace(std::string name, Error why) : name_(std::move(name)), error_(std::move(why)) {}
  std::string name() const override { return name_; }
  Result<std::optional<Content>> get(Arrival*, bool) override { return error_; }
  Result<Put> put(std::string_view, const std::optional<std::string>&) override { return error_; }
  Result<Locking> try_lock(LockInfo&) override { return error_; }
  Result<void> unlock(Stop) override { return {}; }
  Result<void> break_lock(const std::string&) override { return error_; }

 private:
  const std::string name_;
  const Error error_;
};

}  // namespace

Result<Backend::Rest> Server::remove_locked(const std::string& workspace, bool unused) const {
  const auto all = [this, workspace, unused] {
    return unused ? remove_unused(workspace) : remove(workspace);
  };
  if (!lock_outlives_state()) return Backend::Rest(all);
  const Result<void> gone = all();
  return gone ? Result<Backend::Rest>(Backend::Rest()) : gone.error();
}

std::chrono::milliseconds persist_interval(const char* set) {
  constexpr int64_t kLeast = 20, kMost = 365 * 86400;
  int64_t seconds = 0;
  const std::string_view text = set ? set : "";
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = failed == std::errc() && end == text.data() + text.size();
  return std::chrono::seconds(whole ? std::clamp(seconds, kLeast, kMost) : kLeast);
}

bool keeps_remote_journals(const char* set) {
  return !set || ascii_lower(set) != "off";
}

std::unique_ptr<Place> no_place(std::string name, Error why) {
  return std::make_unique<NoPlace>(std::move(name), std::move(why));
}

std::unique_ptr<Backend> remote_backend(std::unique_ptr<Server> server, const Opening& opening) {
  return std::make_unique<Remote>(std::move(server), opening);
}

}  // namespace xplan::backend
