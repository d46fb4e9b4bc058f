// What a run could not write, and leaves in the working directory: how it is kept, whether the state has it
// by the next run, and what is said where it has not.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/state/journaled_store.h"
#include "core/state/state_head.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

State managed_objects(State s) {
  s.outputs.clear();
  s.check_results.reset();
  std::erase_if(s.resources, [](const auto& r) { return r.first.resource.mode != Mode::Managed; });
  return s;
}

// Of `s`, what is at places where `other` has something, too.
State at_places_of(const State& other, State s) {
  std::erase_if(s.resources, [&](const auto& r) { return !other.resources.contains(r.first); });
  for (auto& [addr, r] : s.resources) {
    const auto& theirs = other.resources.find(addr)->second.instances;
    std::erase_if(r.instances, [&theirs](const auto& i) { return !theirs.contains(i.first); });
  }
  return s;
}

bool is_file(const std::string& path) {
  std::error_code ec;
  return std::filesystem::is_regular_file(path, ec);
}

// Beside the file, with a name that says when.
std::string free_name(const std::string& path) {
  std::string aside;
  std::time_t now = std::time(nullptr);
  do aside = fmt::format("{}.{}.backup", path, now++);
  while (real_fs().exists(aside));
  return aside;
}

// Keeps what an earlier run has left in the place of a rescue, under a name of its own. Empty: nothing that
// differs. Nothing: it cannot be kept.
std::optional<std::string> set_aside(const std::string& path, std::string_view next) {
  namespace fs = std::filesystem;
  std::error_code ec;
  if (!fs::is_regular_file(path, ec)) return std::string();
  if (const Result<std::string> there = real_fs().read(path); there && *there == next) return std::string();
  const std::string aside = free_name(path);
  // A second name needs no room, which may be what the state was not written for.
  if (!fs::is_symlink(path, ec)) fs::create_hard_link(path, aside, ec);
  if (ec || !real_fs().exists(aside)) fs::copy_file(path, aside, ec);
  return ec ? std::nullopt : std::optional(aside);
}

}  // namespace

// `former`: the name of what was there.
bool JournaledStore::save_rescue(std::string_view text, std::string& former) const {
  const std::string path(kRescue);
  std::optional<std::string> aside = set_aside(path, text);
  if (!aside) return false;
  former = std::move(*aside);
  return put_rescue(path, text).ok();
}

// Nothing is planned without it: objects that were made would be made again. Whether the state has them does
// not depend on its serial, as other runs may have gone on; but what a later state has otherwise was changed
// since. Of the first state, there is no lineage yet.
Result<void> JournaledStore::compare_with_rescue(Diagnostics& diags) {
  rescue_done_ = false;
  const std::string path(kRescue);
  if (successor_ || !is_file(path) || (last_.lineage.empty() && !rescued_)) return {};
  const std::optional<StateHead> head = read_state_head(path);
  if (head && !last_.lineage.empty() && head->lineage != last_.lineage) return {};  // of another state
  Result<std::string> bytes = head ? real_fs().read(path) : Error{"it is not a state, or was cut off"};
  const Result<State> left = bytes ? read_encrypted_state(std::move(*bytes), *codec_) : bytes.error();
  if (!left) {
    diags.warn(
        "State in errored.tfstate cannot be read",
        with_note(
            fmt::format("The file \"{}\" in the working directory may be a state that an earlier run could "
                        "not write, with objects that the state \"{}\" lacks, which would be created "
                        "again. It cannot be read: {}. If it is not needed, remove it",
                        path, this->path(), left.error().message))
            .sentence());
    return {};
  }
  const State theirs = managed_objects(*left);
  const bool first = last_.lineage.empty(), newer = first || left->serial > last_.serial;
  const std::vector<std::string> missing = objects_missing(theirs, last_);
  const bool differs =
      newer && !same_content(theirs, at_places_of(theirs, managed_objects(last_)), NoTypes());
  if (missing.empty() && !differs) return rescue_done_ = true, Result<void>();
  const Error why = with_note(rescue_text(missing, first, newer));
  if (lock_held() && !goes_on_) return why;
  diags.warn(newer ? "State in errored.tfstate is newer"
                   : "State in errored.tfstate has objects that the state lacks",
             why.sentence());
  if (!goes_on_ && !misfit_) misfit_ = why;
  return {};
}

std::string JournaledStore::rescue_text(const std::vector<std::string>& missing, bool first,
                                        bool newer) const {
  const std::string path(kRescue);
  std::string text =
      first ? fmt::format(
                  "the file \"{}\" in the working directory is a state that an earlier run could not "
                  "write, and there is no state \"{}\" yet",
                  path, this->path())
      : newer ? fmt::format(
                    "the file \"{}\" in the working directory is a later version of the state \"{}\", "
                    "which an earlier run could not write, and has changes that the state lacks",
                    path, this->path())
              : fmt::format(
                    "the file \"{}\" in the working directory is a version of the state \"{}\" that an "
                    "earlier run could not write. Something else has written the state since, but it "
                    "lacks objects of the file",
                    path, this->path());
  if (!missing.empty()) text += ". Only the file has these objects:";
  put_objects(text, missing, 20);
  text += missing.empty() ? ". " : "\n\n";
  if (newer)
    return text + "Restore it with " + push_command(path) +
           (first
                ? "; if it belongs to another state, or you do not want its objects, move the file elsewhere"
                : "; if you do not want its changes, remove the file");
  return text +
         "Import these objects, or delete them on the provider's side, and then remove the file; or, to "
         "replace the state with it, run " +
         push_command("-force " + path);
}

// Later runs may destroy what it has, so it goes when the state that had all of it is about to be a former
// one. Under another name, as its user has not asked for that.
void JournaledStore::set_rescue_aside(const State& now) {
  const std::string path(kRescue);
  if (successor_ && is_file(path)) {
    const std::optional<StateHead> head = read_state_head(path);
    Result<std::string> bytes = real_fs().read(path);
    const Result<State> left =
        head && bytes ? read_encrypted_state(std::move(*bytes), *codec_) : Error{"not a state"};
    rescue_done_ = left && left->lineage == now.lineage && objects_missing(*left, now).empty();
  }
  if (!std::exchange(rescue_done_, false)) return;
  const std::string aside = free_name(path);
  std::error_code ec;
  std::filesystem::rename(path, aside, ec);
  if (!ec)
    log_line(LogLevel::Info, "core",
             fmt::format("the state has all objects of \"{}\", which is now \"{}\"", path, aside));
}

}  // namespace xplan
