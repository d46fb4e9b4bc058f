// A Backend made of what a server can do: the states of its workspaces are stores above places.
#include <fmt/format.h>

#include <algorithm>

#include "core/backend/server.h"
#include "core/backend/workspace.h"
#include "core/base/fs.h"
#include "core/state/journal.h"
#include "core/state/remote_store.h"

namespace xplan::backend {
namespace {

class Remote : public Backend {
 public:
  Remote(std::unique_ptr<Server> server, const Opening& opening)
      : server_(std::move(server)), opening_(opening) {}

  std::unique_ptr<StateStore> open(const std::string& workspace, const StatePaths& how) const override {
    std::unique_ptr<Place> p = server_->place(workspace);
    // A name that says nothing of the server, as it may be long, and others can read it.
    const std::string journal = fmt::format("state-{:016x}.journal", text_digest(identity(workspace)));
    return open_remote_store(std::move(p), {.local_journal = join_path(opening_.data_dir, journal),
                                            .remote_journal = how.remote_journal,
                                            .stop = opening_.stop});
  }
  Result<std::optional<State>> read(const std::string& workspace) const override;
  bool has_workspaces() const override { return server_->has_workspaces(); }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> create(const std::string& workspace) const override;
  Result<void> remove(const std::string& workspace) const override { return server_->remove(workspace); }
  Result<void> retire(const std::string&) const override { return {}; }
  std::string place(const std::string& workspace) const override { return server_->place(workspace)->name(); }
  std::string identity(const std::string& workspace) const override { return server_->identity(workspace); }

 private:
  const std::unique_ptr<Server> server_;
  const Opening opening_;
};

Result<std::optional<State>> Remote::read(const std::string& workspace) const {
  const std::unique_ptr<Place> p = server_->place(workspace);
  Result<std::optional<Content>> found = p->get();
  if (!found) return found.error();
  if (!*found || (*found)->bytes.empty()) return std::optional<State>();
  const std::string_view bytes = (*found)->bytes;
  if (const size_t first = bytes.find_first_not_of(" \t\r\n"); first != bytes.npos && bytes[first] == '<')
    return Error{fmt::format(
        "the server did not return a state for \"{}\" (it begins with \"{}\"), but perhaps a page that asks "
        "for a login, or tells of an error",
        p->name(), bytes.substr(first, bytes.find_first_of(" >\r\n", first) - first + 1))};
  Result<State> state = read_state(std::make_shared<const std::string>(std::move((*found)->bytes)));
  if (!state) return Error{"the state \"" + p->name() + "\" cannot be read: " + state.error().message};
  return std::optional(std::move(*state));
}

Result<std::vector<std::string>> Remote::workspaces() const {
  Result<std::vector<std::string>> names = server_->workspaces();
  if (!names) return names.error();
  std::erase_if(*names,
                [](const std::string& n) { return n == kDefaultWorkspace || !valid_workspace_name(n); });
  std::sort(names->begin(), names->end());
  names->insert(names->begin(), std::string(kDefaultWorkspace));
  return names;
}

// With an empty state, as the field's tools make one: so the workspace is listed.
Result<void> Remote::create(const std::string& workspace) const {
  if (server_->begins_empty() == Server::Empty::Never) return {};
  const std::unique_ptr<StateStore> store = open(workspace, {});
  if (Result<void> ok = store->lock("init", 0, opening_.stop); !ok) return ok.error();
  Diagnostics ignored;
  Result<State> s = store->read(ignored);
  if (!s) return s.error();
  if (store->exists()) return {};
  return store->write(*s, NoTypes());
}

}  // namespace

std::unique_ptr<Backend> remote_backend(std::unique_ptr<Server> server, const Opening& opening) {
  return std::make_unique<Remote>(std::move(server), opening);
}

}  // namespace xplan::backend
