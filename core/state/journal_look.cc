// What a journal that was left over is to its state: whether it can be taken in, what is said where it
// cannot, and setting it aside.
#include <fmt/format.h>

#include <utility>

#include "core/base/command_line.h"
#include "core/cloud/time.h"
#include "core/state/journaled_store.h"
#include "core/state/state_head.h"
#include "core/state/unfinished_move.h"
#include "core/state/unknown_outcome.h"

namespace xplan {

// A file with the same serial may have another content: it was restored, or copied from elsewhere.
bool JournaledStore::is_of_this_state(const JournalBase& base) const {
  return base.lineage == last_.lineage && base.serial == last_.serial &&
         (!base.digest || base.digest == text_digest(*text_));
}

bool JournaledStore::fits(const JournalContent& j) const {
  return is_of_this_state(j.base) || (j.base.lineage == last_.lineage && !j.damaged && only_begun(j.records));
}

// Whether the state that the run of this journal could not write seems to be in the working directory.
bool JournaledStore::was_rescued(const JournalContent& j) const {
  const std::optional<StateHead> head = read_state_head(std::string(kRescue));
  return head && head->lineage == (j.base.lineage.empty() ? j.base.next_lineage : j.base.lineage) &&
         head->serial > j.base.serial;
}

std::string JournaledStore::misfit_text(const JournalContent& j, const JournalLife& life) const {
  const bool rescued = was_rescued(j);
  std::string text = fmt::format(
      "The journal \"{}\" of {} {}. Something else has written the state since then, so the changes that the "
      "journal lists cannot be added to it.",
      journals().name(),
      rescued        ? "a run that could not write the state"
      : life.alive() ? "a run that may still be in progress"
                     : "an interrupted run",
      journal_and_state(j, last_, path()));
  if (const JournalRecord* moving = unfinished_move_of(j.records))
    text = unfinished_move_text(*moving, path(), last_) + text;
  const std::vector<std::string> objects = only_in_journal(j, last_);
  if (!objects.empty()) {
    text += " These objects are only in the journal:";
    put_objects(text, objects, 20);
  }
  const std::vector<std::string> complete = complete_in_journal(j, last_);
  if (!complete.empty()) {
    text += fmt::format("{}{}", objects.empty() ? " " : "\n\n", kCompleteInJournal);
    put_objects(text, complete, 20);
  }
  if (life.alive())
    text +=
        fmt::format("\n\nThe journal {}. What follows can be done once that run has ended{}.", life.in_use(),
                    life.wait > 0 ? fmt::format("; if you know that it has, in {} seconds", life.wait) : "");
  if (rescued)
    text += fmt::format(
        "\n\nThe file \"{}\" in the working directory seems to be the state that this run could not write, "
        "with all its changes. Compare it with the state ({}), which lacks them. To replace the state with "
        "it, run {}, which also ends the journal. To keep the state as it is instead, discard the journal.",
        kRescue, elsewhere_ ? "\"" + path() + "\"" : own_command("state pull"),
        push_command("-force " + std::string(kRescue)));
  text += "\n\n" + how_to_discard(which_state());
  if (!objects.empty())
    text += "Then import the objects that only it has, or delete them on the provider's side";
  if (objects.empty() && complete.empty())
    text += "Before, compare its records with the state, which may lack some of what they list";
  if (complete.empty()) return text;
  return text + (objects.empty() ? "" : ". ") + how_to_untaint();
}

// Who only reads goes on without it; who holds the lock may change something. Of a run that may be at work,
// misfit_ tells already.
Result<void> JournaledStore::misfit(const JournalHome::Left& left, const JournalContent& j,
                                    const JournalLife& life, Diagnostics& diags) {
  if (life.alive()) {
    if (!forced_ && !unread_) diags.warn(kMisfit, with_note(misfit_text(j, life)).message + ".");
    return {};
  }
  if (forced_) {
    unfolded_ =
        std::make_unique<LeftJournal>(LeftJournal{LeftJournal::Fit::Misfit, journals().name(), {}, j, last_});
    return {};
  }
  const bool needless = !unread_ && has_all_of(last_, j);
  if (needless && (lock_held() || !only_looks())) return discard_needless(left, j, diags);
  std::string text = needless ? needless_text(j) +
                                    ". The next plan or apply under the lock of the state "
                                    "discards the journal, and keeps a copy of it"
                              : with_note(misfit_text(j, life)).message;
  if (!lock_held()) {
    diags.warn(kMisfit, text + ".");
    misfit_ = Error{std::move(text)};
    return {};
  }
  return Error{std::move(text)};
}

std::string JournaledStore::needless_text(const JournalContent& j) const {
  return fmt::format(
      "The journal \"{}\" of an interrupted run {}. Something else has written the state since then, and it "
      "has all objects that the journal lists",
      journals().name(), journal_and_state(j, last_, path()));
}

// There is nothing to decide, so it keeps nobody from going on.
Result<void> JournaledStore::discard_needless(const JournalHome::Left& left, const JournalContent& j,
                                              Diagnostics& diags) {
  const std::string copy = free_journal_name(), text = needless_text(j);
  if (Result<void> ok = put_rescue(copy, *left.text); !ok)
    return Error{fmt::format("{}, so it can be discarded, but a copy of it cannot be kept: {}", text,
                             ok.error().message)};
  if (Result<void> ok = journals().remove(); !ok) return Error{text + ", but " + ok.error().message};
  diags.warn("Journal discarded",
             fmt::format("{}, so it was discarded. A copy of it is in \"{}\".", text, copy));
  return {};
}

// The objects are in this state, and stay there for whoever finishes the move. Others must not change it:
// they could destroy what the other state has, too.
Result<void> JournaledStore::take_unfinished_move(const JournalRecord& moving, Diagnostics& diags) {
  left_over_ = true;
  if (finishes_) return moving_ = moving, Result<void>();
  std::string text = fmt::format(
      "{}Until then, nothing can be changed in this state; \"{} state journal {}-discard\" cancels the move, "
      "and leaves both states as they are",
      unfinished_move_text(moving, path(), last_), program_name(), which_state());
  if (lock_held() && !successor_) return Error{std::move(text)};
  diags.warn(kUnfinishedMove, text + ".");
  if (!successor_) misfit_ = Error{std::move(text)};
  return {};
}

// Under the lock, no other run that takes it is at work, or somebody has broken its lock, and it begins
// nothing any more.
JournalLife JournaledStore::life_in(const JournalHome::Left& left, const JournalContent& j) const {
  JournalLife out = lock_held() && holds_off(j.part) ? JournalLife() : life_of(j.part, cloud::unix_now());
  if (left.alive) out.sign = JournalLife::Sign::Runs;
  return out;
}

// The journal of a living run is there, whoever has the lock.
Error JournaledStore::busy(const JournalLife& life, bool adds) const {
  if (life.sign == JournalLife::Sign::MayRun && life.wait == 0)
    return Error{fmt::format(
        "another run may be changing the state \"{}\": the journal \"{}\" {}. Wait until it has finished. If "
        "you know that it has ended, discard the journal with {}, which shows it, asks, and keeps a copy, "
        "and "
        "compare the next plan with the real objects",
        path(), journals().name(), life.in_use(),
        own_command("state journal " + which_state() + "-discard"))};
  if (life.sign == JournalLife::Sign::MayRun)
    return Error{fmt::format(
        "another run may be changing the state \"{}\": the journal \"{}\" {}. Wait until it has finished. If "
        "you know that it has ended, run the command again in {} seconds{}",
        path(), journals().name(), life.in_use(), life.wait,
        adds ? ", which then adds its changes to the state" : "")};
  return Error{
      fmt::format("another run is changing the state \"{}\"{}, as its journal \"{}\" shows{}. Wait until it "
                  "has finished, "
                  "and do not delete the journal, which records what it does",
                  path(), lock_held() ? " without holding its lock" : "", journals().name(),
                  life.text.empty() ? "" : ": " + life.text)};
}

// What is created is tainted until it is complete, and then it is not. Readers see what is complete.
void JournaledStore::leave_out_unfinished(const FoldReport& report, const JournalLife& life,
                                          Diagnostics& diags) {
  std::vector<std::string> making;
  for (const AbsInstance& a : report.tainted) {
    making.push_back(a.text());
    InstanceState* i = last_.find(a);
    if (i && i->current && i->current->status == ObjectStatus::Tainted) i->current = nullptr;
    if (i) last_.erase_if_empty(a);
  }
  for (const JournalRecord& r : report.in_flight)
    if (r.action == "create") making.push_back(r.addr.text());
  const bool known = life.sign == JournalLife::Sign::Runs;
  if (known && making.empty()) return;
  std::string text =
      fmt::format("The journal \"{}\" of the state \"{}\" {}.", journals().name(), path(), life.in_use());
  text += making.empty() ? " What it has completed until now is taken into account."
                         : " What it has completed until now is taken into account, but not what it creates:";
  put_objects(text, making, 20);
  diags.warn(known ? "Another run is in progress" : "Another run may be in progress", std::move(text));
}

void JournaledStore::look_at(const JournalHome::Left& left, LeftJournal& out) const {
  Result<JournalContent> j = content(left);
  if (!j) {
    out.fit = LeftJournal::Fit::Unreadable, out.why = j.error().message;
    return;
  }
  out.content = std::move(*j);
  if (const JournalLife life = life_in(left, out.content); life.alive())
    out.fit = LeftJournal::Fit::InUse, out.why = life.in_use(),
    out.no_time_tells = life.sign == JournalLife::Sign::MayRun && life.wait == 0;
  else if (!out.content.empty && !written(out.content) && !fits(out.content))
    out.fit = LeftJournal::Fit::Misfit;
}

Result<std::unique_ptr<LeftJournal>> JournaledStore::left_journal() {
  if (Result<void> ok = load(); !ok) return ok.error();
  auto left = journals().find(lock_held());
  if (!left) return left.error();
  if (!*left || (*left)->gone) return std::unique_ptr<LeftJournal>();
  auto out = std::make_unique<LeftJournal>();
  out->name = journals().name();
  out->state = last_;
  look_at(**left, *out);
  left_ = (*left)->text;
  return out;
}

Result<void> JournaledStore::discard_journal(const std::string& copy) {
  if (Result<void> ok = put_rescue(copy, *left_); !ok) return ok;
  return journals().remove();
}

}  // namespace xplan
