// Tells journals of runs that are at work from those of dead ones.
#include "core/state/journal_life.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/cloud/time.h"
#include "core/state/lock.h"
#include "core/state/lock_holder.h"

namespace xplan {

std::string JournalLife::in_use() const {
  std::string out = sign == Sign::MayRun ? "may belong to a run that is still in progress"
                                         : "belongs to a run that is still in progress";
  return text.empty() ? out : out + ": " + text;
}

bool share_word(std::string_view a, std::string_view b) {
  const std::string there = " " + std::string(b) + " ";
  for (size_t at = 0; at < a.size();) {
    const size_t end = std::min(a.find(' ', at), a.size());
    if (end > at && there.find(" " + std::string(a.substr(at, end - at)) + " ") != there.npos) return true;
    at = end + 1;
  }
  return false;
}

void sign_part(JournalPart& part) {
  if (part.who.empty()) part.who = new_lock_info("", "").who, part.process = process_note();
  part.time = cloud::timestamp(cloud::unix_now());
}

JournalLife life_of(const JournalPart& last, int64_t now) {
  const std::optional<int64_t> then = cloud::parse_timestamp(last.time);
  if (last.who.empty() || !then) return {};
  LockInfo writer;
  writer.who = last.who, writer.info = last.process, writer.created = last.time;
  const std::string process = noted_process(last.process), who = shown_foreign(last.who),
                    in = process.empty() ? std::string() : " in " + process;
  if (const std::optional<bool> runs = lock_holder_runs(writer)) {
    if (!*runs || last.process == process_note()) return {};
    return {JournalLife::Sign::Runs, fmt::format("{} writes it on this machine{}", who, in)};
  }
  const int64_t age = now - *then;  // below 0: by a clock that is ahead of this one
  if (age >= kQuiet) return {};
  if (age < -kQuiet)
    return {JournalLife::Sign::MayRun, fmt::format("{} wrote to it{} at {}, by a clock that is ahead", who,
                                                   in, shown_foreign(last.time))};
  return {JournalLife::Sign::MayRun,
          fmt::format("{} wrote to it{} {}", who, in, age < 0 ? "just now" : ago_text(age)), kQuiet - age};
}

}  // namespace xplan
