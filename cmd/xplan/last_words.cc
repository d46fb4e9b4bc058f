// Abandons the journal, and tells for each operation what is known of it.
#include "cmd/xplan/last_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/command_line.h"

namespace xplan::cmd {
namespace {

std::string object_name(const JournalRecord& r) {
  return r.addr.text() + (r.deposed.empty() ? "" : fmt::format(" (deposed object {})", r.deposed));
}

// What came of it, with the ID by which it is found on the provider's side.
std::string outcome_line(const JournalRecord& r) {
  const bool tainted = r.object && r.object->status == ObjectStatus::Tainted;
  const std::string_view what = !r.object              ? "removed"
                                : r.action == "delete" ? "not destroyed"
                                : r.action != "create" ? "updated"
                                : tainted              ? "created, but not completed"
                                                       : "created";
  const ObjectId id = r.object && r.object->value ? object_id(*r.object->value) : ObjectId();
  return fmt::format("\n  - {}: {}{}", object_name(r), what, id_suffix(id));
}

// What came too late for the rescue.
std::string late_text(const std::vector<JournalRecord>& late) {
  std::string text =
      "\n\nThese operations finished only after that, so they are recorded nowhere. Keep this list, and "
      "import "
      "objects that were created before the next apply:";
  for (const JournalRecord& r : late) text += outcome_line(r);
  return text;
}

std::string recorded_text(const StateStore& store, const StateStore::Abandoned& left) {
  std::string text =
      fmt::format("Stopped. Finished operations are recorded, except that {} did not record these in time:",
                  store.path());
  for (const JournalRecord& r : left.unrecorded) text += outcome_line(r);
  if (left.rescue.empty())
    return text + "\n\nThey are recorded nowhere else. " + left.problem +
           " Keep this list, and import these objects before the next apply.";
  text += fmt::format("\n\nThe state with these operations was written to \"{}\" instead.", left.rescue);
  if (!left.former.empty())
    text += fmt::format(" The one of an earlier run, which was there, is now \"{}\".", left.former);
  return text;
}

}  // namespace

std::string last_words(Session& s, std::string_view meaning, RunHooks& progress) {
  const StateStore::Abandoned left = s.changing ? s.changing->abandon() : StateStore::Abandoned();
  std::string text = left.unrecorded.empty() ? std::string(meaning) : recorded_text(*s.changing, left);
  std::string working, idle;
  std::set<std::string> ended;
  for (const JournalRecord& r : left.late) ended.insert(object_name(r));
  std::multiset<std::string> told;
  for (const UnderWay& u : progress.under_way()) {
    if (s.changing && (u.waits || ended.contains(u.object))) continue;  // it is in one of the lists
    told.insert(u.object);
    working += fmt::format("\n  - {}: {} for {}", u.object, u.doing, seconds_text(u.seconds));
  }
  for (const bool deposed : {false, true})  // some progress names these as their instance
    for (const JournalRecord& r : left.unanswered) {
      if (r.deposed.empty() == deposed) continue;
      auto at = told.find(object_name(r));
      if (at == told.end()) at = told.find(r.addr.text());
      if (at == told.end())
        working += "\n  - " + object_name(r);
      else
        told.erase(at);
    }
  if (!left.late.empty()) text += late_text(left.late);
  if (!working.empty())
    text += fmt::format("{}These operations were still in progress, and their outcome is not known:{}",
                        left.unrecorded.empty() && left.late.empty() ? " " : "\n\n", working);
  for (const JournalRecord& r : left.idle) idle += "\n  - " + object_name(r);
  if (!idle.empty())
    text +=
        "\n\nNothing came of these operations, but that could not be recorded any more, so the next run "
        "may say that their outcome is unknown, too:" +
        idle;
  if (const std::string lock = s.lock_id(); !lock.empty())
    text += fmt::format(
        "\n\nThe state stays locked. Before the next run, release the lock with:\n  {} force-unlock {}",
        program_name(), shell_word(lock));
  if (!left.rescue.empty())
    text += fmt::format(
        "\n\nBefore anything else is planned or changed, write the state back with:\n  {} state push {}",
        program_name(), left.rescue);
  return text;
}

}  // namespace xplan::cmd
