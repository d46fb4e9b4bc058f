// Copies the states of all workspaces from the old backend location to the new one, under both locks, with
// backups and questions, and only then empties the source.
#include "cmd/xplan/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/base/fs.h"

namespace xplan::cmd {
namespace {

bool same(const State& a, const State& b) {
  return a.lineage == b.lineage && a.serial == b.serial;
}

}  // namespace

bool Migration::find() {
  const Workspaces w = from_.workspaces(s_.data_dir), v = to_.workspaces(s_.data_dir);
  for (const std::string& name : w.list()) {
    Move m{name, from_.state_path(w, name), to_.state_path(v, name), {}, false};
    if (clean_path(m.source) == clean_path(m.target)) continue;
    State there;
    if (!read(m.source, m.state) || !read(m.target, there)) return false;
    m.arrived = same(m.state, there);
    if (!m.state.empty()) moves_.push_back(std::move(m));
  }
  return true;
}

bool Migration::done() const {
  return std::all_of(moves_.begin(), moves_.end(), [](const Move& m) { return m.arrived; });
}

bool Migration::run() {
  for (Move& m : moves_)
    if (!m.arrived && !copy(m)) return false;
  return true;
}

bool Migration::leave_source() {
  for (const Move& m : moves_)
    if (std::rename(m.source.c_str(), (m.source + ".backup").c_str()) != 0)
      return failed("move away", m.source, Error{"its backup cannot be written"});
  return true;
}

bool Migration::confirmed(const std::string& question) {
  if (how_.force_copy) return true;
  if (!how_.input || s_.stream) {
    s_.diags.error(
        "Approval required",
        fmt::format("{} Cannot ask for confirmation because {} is set. Use -force-copy to answer yes.",
                    question, s_.stream ? "-json" : "-input=false"));
    return false;
  }
  return s_.approved(question, "No state was migrated.");
}

bool Migration::read(const std::string& path, State& out) {
  Result<State> state = open_local_store({path, {}, {}})->read(s_.diags);
  if (!state) return failed("read", path, state.error());
  out = std::move(*state);
  return true;
}

bool Migration::copy(Move& m) {
  auto source = open_local_store({m.source, {}, {}}), target = open_local_store({m.target, {}, {}});
  if (!s_.lock(*source, how_.state, "init")) return false;
  Result<State> mine = source->read(s_.diags);  // what is at work there may have gone on
  bool good = mine.ok() || failed("read", m.source, mine.error());
  good = good && s_.lock(*target, how_.state, "init");
  if (good) {
    m.state = std::move(*mine);
    Result<State> there = target->read(s_.diags);
    good = there.ok() || failed("read", m.target, there.error());
    if (good && !there->empty() && !same(*there, m.state))
      good =
          confirmed(fmt::format("A different state already exists at \"{}\". Replace it with the state of "
                                "workspace \"{}\" from \"{}\"? A backup will be kept.",
                                m.target, m.workspace, m.source));
    if (good)
      if (Result<void> ok = target->replace(m.state, s_.schemas()); !ok)
        good = failed("write", m.target, ok.error());
    target->unlock();
  }
  source->unlock();
  if (good && !s_.stream) s_.io.out(fmt::format("- {} -> {}\n", m.source, m.target));
  return good;
}

bool Migration::failed(std::string_view what, const std::string& path, const Error& e) {
  s_.diags.error("Failed to migrate state", fmt::format("Could not {} \"{}\": {}.", what, path, e.message));
  return false;
}

}  // namespace xplan::cmd
