// What messages say of a journal that the state has outlived.
#include "core/state/left_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <unordered_set>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/state/edit.h"
#include "core/state/instance_json.h"
#include "core/state/lock.h"
#include "core/state/sealed_journal.h"
#include "core/state/unfinished_move.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

std::string with_id(std::string text, const std::string& id, std::string_view where = {},
                    const std::string& other = {}) {
  if (!id.empty())
    text += fmt::format(" (ID {}{})", shown_foreign(id),
                        other.empty() ? "" : fmt::format("; {} has ID {}", where, shown_foreign(other)));
  return text;
}

std::string version_text(const std::string& lineage, uint64_t serial) {
  return lineage.empty() ? std::string("an empty state")
                         : fmt::format("lineage {}, serial {}", shown_foreign(lineage), serial);
}

// Objects that were current, and were neither destroyed later nor became current again.
std::vector<ObjectPlace> deposed_in(const std::vector<JournalRecord>& records) {
  std::unordered_set<ObjectPlace, ObjectPlace::Hash> gone;
  std::vector<ObjectPlace> out;
  for (auto r = records.rbegin(); r != records.rend(); ++r) {
    if (r->kind == JournalRecord::Kind::Remove || r->kind == JournalRecord::Kind::Restore ||
        (r->kind == JournalRecord::Kind::Result && !r->object))
      gone.insert({r->addr, r->deposed});
    if (r->kind == JournalRecord::Kind::Depose && !gone.contains({r->addr, r->deposed}))
      out.push_back({r->addr, r->deposed});
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Whether an object that was current there made room for another one.
bool took_away(const std::vector<JournalRecord>& records, const AbsInstance& addr) {
  return std::any_of(records.begin(), records.end(), [&](const JournalRecord& r) {
    const bool gone =
        r.kind == JournalRecord::Kind::Remove || (r.kind == JournalRecord::Kind::Result && !r.object);
    return r.addr == addr && (r.kind == JournalRecord::Kind::Depose || (gone && r.deposed.empty()));
  });
}

std::string json_layout(const Object& o) {
  std::string text;
  append_json_layout(text, o.attributes_json, 0, true);
  return text;
}

}  // namespace

Result<LeftJournal> read_journal_copy(std::string bytes, const std::string& name, crypt::Codec& codec) {
  auto text = open_journal(std::make_shared<const std::string>(std::move(bytes)), codec);
  Result<JournalContent> content = text ? read_journal(std::move(*text)) : text.error();
  if (!content)
    return Error{fmt::format("the journal \"{}\" cannot be read: {}", name, content.error().message)};
  return LeftJournal{LeftJournal::Fit::Fits, name, {}, std::move(*content), {}};
}

std::vector<std::string> objects_missing(const State& from, const State& in, std::string_view other_state) {
  std::vector<std::string> out;
  for (const auto& [addr, r] : from.resources) {
    if (addr.resource.mode != Mode::Managed) continue;
    for (const auto& [key, i] : r.instances) {
      const AbsInstance a{addr.module, addr.resource, key};
      const InstanceState* there = in.find(a);
      if (i.current) {
        const std::string id = object_id(*i.current),
                          other = there && there->current ? object_id(*there->current) : std::string();
        if (!there || !there->current || id != other)
          out.push_back(with_id(a.text(), id, other_state, other));
      }
      for (const auto& [deposed, o] : i.deposed)
        if (!there || !there->deposed.contains(deposed))
          out.push_back(with_id(fmt::format("{} (deposed object {})", a.text(), deposed), object_id(*o)));
    }
  }
  return out;
}

bool report_lost(const std::string& path, const std::string& kept, const State& before, const State& now,
                 Diagnostics& diags) {
  const std::vector<std::string> lost = objects_missing(before, now, "the new one");
  if (lost.empty()) return false;
  std::string text = fmt::format(
      "These objects were only in the state at \"{}\" that was replaced (serial {}). They still exist, but "
      "are "
      "no longer tracked:",
      path, before.serial);
  put_objects(text, lost, 20);
  if (!kept.empty()) text += fmt::format("\n\nA copy of that state is in \"{}\".", kept);
  diags.warn("Objects are no longer managed", text);
  return true;
}

std::vector<std::string> only_in_journal(const JournalContent& j, const State& now) {
  State made;
  const FoldReport report = fold_journal(made, j.records);
  std::vector<std::string> out = objects_missing(made, now);
  for (const ObjectPlace& p : deposed_in(j.records)) {
    const InstanceState *own = made.find(p.addr), *there = now.find(p.addr);
    if ((!own || !own->deposed.contains(p.deposed)) && (!there || !there->deposed.contains(p.deposed)))
      out.push_back(fmt::format("{} (deposed object {})", p.addr.text(), p.deposed));
  }
  for (const JournalRecord& r : report.in_flight)
    if (r.action == "create" && (!now.find(r.addr) || took_away(j.records, r.addr)))
      out.push_back(r.addr.text() + " (its creation may have begun; the outcome is unknown)");
  return out;
}

bool has_all_of(const State& now, const JournalContent& j) {
  if (j.damaged || unfinished_move_of(j.records) || !only_in_journal(j, now).empty() ||
      !complete_in_journal(j, now).empty())
    return false;
  State made;
  (void)fold_journal(made, j.records);
  for (const auto& [addr, r] : made.resources) {
    for (const auto& [key, i] : r.instances) {
      const InstanceState* there = now.find({addr.module, addr.resource, key});
      // Without an ID, nothing but its attributes tells whether it is the same.
      if (i.current && object_id(*i.current).empty() && there && there->current &&
          json_layout(*i.current) != json_layout(*there->current))
        return false;
    }
  }
  return true;
}

std::string free_journal_name() {
  for (std::time_t now = std::time(nullptr);; ++now)
    if (std::string name = fmt::format("terraform.tfstate.{}.journal", now); !real_fs().exists(name))
      return name;
}

std::vector<std::string> complete_in_journal(const JournalContent& j, const State& now) {
  State made;
  (void)fold_journal(made, j.records);
  std::vector<std::string> out;
  for (const auto& [addr, r] : made.resources) {
    for (const auto& [key, i] : r.instances) {
      const AbsInstance a{addr.module, addr.resource, key};
      const InstanceState* there = now.find(a);
      if (!i.current || !there || !there->current) continue;
      const bool good = i.current->status != ObjectStatus::Tainted,
                 tainted = there->current->status == ObjectStatus::Tainted;
      if (good && tainted && object_id(*i.current) == object_id(*there->current)) out.push_back(a.text());
    }
  }
  return out;
}

std::string how_to_untaint() {
  return "Use " + own_command("untaint ADDRESS") +
         " to keep the objects that are complete, which would be replaced otherwise";
}

bool only_begun(const std::vector<JournalRecord>& records) {
  return std::all_of(records.begin(), records.end(),
                     [](const JournalRecord& r) { return r.kind == JournalRecord::Kind::Intent; });
}

std::string journal_and_state(const JournalContent& j, const State& now, const std::string& path) {
  JournalBase base = j.base;
  for (const JournalCommit& c : j.commits)  // the run began without a state, and wrote it meanwhile
    if (base.lineage.empty() && c.lineage == now.lineage) base = {c.lineage, c.serial};
  if (base.lineage == now.lineage && base.serial == now.serial && !base.lineage.empty())
    return fmt::format("belongs to a different version of the state \"{}\" with the same serial ({})", path,
                       base.serial);
  if (base.lineage == now.lineage && !base.lineage.empty())
    return fmt::format("belongs to {} version of the state \"{}\" (serial {}; it is now at serial {})",
                       base.serial < now.serial ? "an older" : "another", path, base.serial, now.serial);
  if (base.lineage.empty() && now.lineage.empty())
    return fmt::format("belongs to a different state from the one in \"{}\", which is empty as well", path);
  return fmt::format("belongs to a different state ({}) from the one in \"{}\" ({})",
                     version_text(base.lineage, base.serial), path, version_text(now.lineage, now.serial));
}

std::string how_to_discard(const std::string& which) {
  return fmt::format(
      "To show all records of the journal, and to discard it (a copy is kept), run:\n  {0} state "
      "journal{1}\n  "
      "{0} state journal {2}-discard\n\n",
      program_name(), which.empty() ? "" : " " + which.substr(0, which.size() - 1), which);
}

}  // namespace xplan
