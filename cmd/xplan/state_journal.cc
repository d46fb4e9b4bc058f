// state journal: shows the journal that an interrupted run has left beside the state, and discards it.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/state/edit.h"
#include "core/state/left_journal.h"
#include "core/state/lock.h"
#include "core/state/unfinished_move.h"
#include "core/state/unknown_outcome.h"

namespace xplan::cmd {
namespace {

std::string place_text(const JournalRecord& r) {
  return r.deposed.empty() ? r.addr.text() : fmt::format("{} (deposed object {})", r.addr.text(), r.deposed);
}

// One line, or several.
std::string line_of(const JournalRecord& r) {
  switch (r.kind) {
    case JournalRecord::Kind::Intent:
      return fmt::format("{}: {} was announced", place_text(r), shown_foreign(r.action));
    case JournalRecord::Kind::Result: {
      if (!r.object) return place_text(r) + ": destroyed";
      const std::string id = object_id(*r.object);
      return fmt::format("{}: result{}{}", place_text(r), id.empty() ? "" : " (ID " + shown_foreign(id) + ")",
                         r.object->status == ObjectStatus::Tainted ? ", tainted" : "");
    }
    case JournalRecord::Kind::Remove:
      return place_text(r) + ": no longer in the state";
    case JournalRecord::Kind::Depose:
      return fmt::format("{}: became the deposed object {}", r.addr.text(), r.deposed);
    case JournalRecord::Kind::Restore:
      return fmt::format("{}: the deposed object {} became current again", r.addr.text(), r.deposed);
    case JournalRecord::Kind::Move: {
      std::string text;
      for (const auto& [from, to] : r.moves)
        text += fmt::format("{}{}: moved to {}", text.empty() ? "" : "\n", from.text(), to.text());
      return text;
    }
    case JournalRecord::Kind::Moving: {
      std::string text = fmt::format("the command: {}", shown_foreign(r.command));
      for (const auto& [from, to] : r.moves)
        text += fmt::format("{}{}: is being moved to {} in {}", text.empty() ? "" : "\n", from.text(),
                            to.text(), shown_foreign(r.action));
      return text;
    }
  }
  return {};
}

std::string records_text(const LeftJournal& j) {
  std::string text;
  for (const JournalRecord& r : j.content.records) text += line_of(r) + "\n";
  return text;
}

// What the journal is, and what becomes of it.
std::string about(const LeftJournal& j, const std::string& path) {
  const size_t n = j.content.records.size();
  std::string text = fmt::format("The journal \"{}\" ", j.name);
  switch (j.fit) {
    case LeftJournal::Fit::InUse:
      return text + j.why + ".";
    case LeftJournal::Fit::Unreadable:
      return text + "of an interrupted run cannot be read: " + j.why + ".";
    case LeftJournal::Fit::Fits:
      if (const JournalRecord* moving = unfinished_move_of(j.content.records))
        return unfinished_move_text(*moving, path, j.state) + "To give it up, use -discard.";
      return text + fmt::format(
                        "of an interrupted run has {} record{}. The next plan or apply adds its "
                        "changes to the state.",
                        n, n == 1 ? "" : "s");
    case LeftJournal::Fit::Misfit:
      break;
  }
  text += fmt::format("of an interrupted run has {} record{}. It {}, so its changes cannot be added to it.",
                      n, n == 1 ? "" : "s", journal_and_state(j.content, j.state, path));
  const std::vector<std::string> objects = only_in_journal(j.content, j.state);
  if (has_all_of(j.state, j.content))
    text +=
        " Nothing that it lists is missing from the state, so the next plan or apply discards it, and keeps "
        "a "
        "copy of it.";
  if (!objects.empty()) text += " These objects are only in the journal:";
  put_objects(text, objects, SIZE_MAX);
  if (const std::vector<std::string> complete = complete_in_journal(j.content, j.state); !complete.empty()) {
    text += fmt::format("\n\n{}", kCompleteInJournal);
    put_objects(text, complete, SIZE_MAX);
    text += fmt::format("\n\n{}.", how_to_untaint());
  }
  return text;
}

void put_version(JsonWriter& w, std::string_view name, const std::string& lineage, uint64_t serial) {
  w.key(name);
  w.begin_object();
  w.member("lineage", lineage);
  w.member("serial", static_cast<int64_t>(serial));
  w.end_object();
}

// Each record as the journal has it.
std::string json_of(const LeftJournal* j) {
  JsonWriter w;
  w.begin_object();
  w.member("format_version", "1.0");
  if (j) {
    constexpr std::string_view kFits[] = {"fits", "does_not_fit", "unreadable", "in_use"};
    w.member("journal", j->name);
    w.member("status", kFits[static_cast<size_t>(j->fit)]);
    w.member("damaged", j->content.damaged);
    put_version(w, "base", j->content.base.lineage, j->content.base.serial);
    put_version(w, "state", j->state.lineage, j->state.serial);
  }
  w.key("records");
  w.begin_array();
  static const NoTypes types;
  if (j)
    for (const JournalRecord& r : j->content.records) w.raw(record_json(r, types));
  w.end_array();
  w.end_object();
  return w.take() + "\n";
}

bool may_discard(Session& s, const LeftJournal& j) {
  if (j.no_time_tells) return true;
  if (unfinished_move_of(j.content.records) && j.fit != LeftJournal::Fit::InUse) return true;
  if (j.fit == LeftJournal::Fit::Misfit || j.fit == LeftJournal::Fit::Unreadable || j.content.damaged)
    return true;
  s.diags.error(
      "Journal is still needed",
      j.fit == LeftJournal::Fit::InUse
          ? fmt::format("The journal \"{}\" {}. Wait until it has finished.", j.name, j.why)
          : fmt::format("The journal \"{}\" fits the state, which lacks its changes. The next plan or "
                        "apply adds them to the state and removes the journal.",
                        j.name));
  return false;
}

int discard(Session& s, StateStore& store, const LeftJournal& j, bool approved) {
  if (!may_discard(s, j)) return 1;
  s.prose(about(j, store.path()) + "\n");
  if (!approved && !s.approved("Do you want to discard this journal? A copy of it will be kept.",
                               "Nothing was changed.", "To do so without being asked, use -auto-approve.")) {
    if (!s.diags.has_errors()) s.io.out("Cancelled. Nothing was changed.\n");
    return 1;
  }
  const std::string copy = free_journal_name();
  if (Result<void> ok = store.discard_journal(copy); !ok)
    return s.diags.error("Failed to discard the journal", ok.error().sentence()), 1;
  s.prose(fmt::format(
      "The journal was discarded. A copy of it is in \"{0}\"; to view it, run \"{1} state journal {0}\".\n",
      copy, program_name()));
  return 0;
}

// A copy that was kept.
int show_copy(Session& s, const std::string& path, const StateFlags& f, bool json) {
  const crypt::Encryption* e = s.encryption(nullptr, f.variables);
  if (!e) return s.finish();
  Result<std::string> text = real_fs().read(path);
  Result<LeftJournal> j = text ? read_journal_copy(std::move(*text), path, *e->state()) : text.error();
  if (!j) return s.diags.error("Failed to read journal", j.error().sentence()), s.finish();
  s.io.out(json ? json_of(&*j) : records_text(*j));
  return s.finish();
}

}  // namespace

int run_state_journal(Session& s, const Args& args) {
  std::vector<std::string> given;
  StateFlags f;
  bool json = false, aside = false, approved = false;
  Flags flags(
      "state journal [PATH]",
      "Shows or discards the journal of an interrupted run, or shows a copy of one that was discarded.");
  flags.flag("json", json, "Print JSON, with all recorded values, even sensitive ones.")
      .flag("discard", aside, "Discard the journal after keeping a copy of it in the working directory.")
      .flag("auto-approve", approved, "Do not ask for confirmation.")
      .text("state", f.state, "State file whose journal it is, instead of the state of the workspace.",
            "PATH")
      .arguments(given, 0, 1, "the path of a copy");
  f.add_values(flags);
  f.add_lock(flags);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  s.json = json && !aside;
  if (!given.empty()) return show_copy(s, given[0], f, json);
  const auto backend = backend_of_directory(s, OfStates{f, s.workspace()});
  if (!backend || !run::check_workspace(s.context(), s.diags)) return s.finish();
  const auto store = backend->open(s.workspace(), {.state = f.state});
  if (aside && !s.lock(*store, f, "state-journal")) return s.finish();
  int code = 0;
  const Result<std::unique_ptr<LeftJournal>> j = store->left_journal();
  if (!j) {
    s.diags.error("Failed to read journal", j.error().sentence());
  } else if (s.json) {
    s.io.out(json_of(j->get()));
  } else if (!*j) {
    s.prose(fmt::format("No interrupted run has left a journal for the state {}.\n", store->path()));
  } else if (aside) {
    code = discard(s, *store, **j, approved);
  } else {
    s.prose(about(**j, store->path()) + "\n\n");
    s.io.out(records_text(**j));
  }
  if (aside) s.unlock(*store);
  return s.finish(code);
}

}  // namespace xplan::cmd
