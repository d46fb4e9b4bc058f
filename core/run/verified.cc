// Reads and writes {"format_version": "1.0", "lineage": …, "verified": {TIME: [ADDRESS…]}}.
#include "core/run/verified.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/document.h"
#include "core/base/log.h"

namespace xplan::run {
namespace {

constexpr const char *kClockFormat = "1.0", *kVerified = "verified";

std::string clock_path(const Context& c) {
  return join_path(join_path(c.data_dir, kVerified), c.workspace + ".json");
}

bool kept(const Context& c) {
  return &c.files == &real_fs() && real_fs().exists(clock_path(c));
}

void write_clock(const Context& c, const VerifiedTimes& times, const std::string& lineage) {
  std::error_code failed;  // then writing fails
  std::filesystem::create_directories(std::filesystem::path(clock_path(c)).parent_path(), failed);
  if (const Result<void> ok = write_private(clock_path(c), clock_text(times, lineage)); !ok)
    log_line(LogLevel::Warn, "core", "the clock of verified objects was not written: " + ok.error().message);
}

VerifiedTimes read_clock(const Context& c, const std::string& lineage) {
  const Result<std::string> text = real_fs().read(clock_path(c));
  return text ? clock_times(*text, lineage) : VerifiedTimes();
}

bool counts(const ResourceChange& c) {
  return c.addr.resource.mode == Mode::Managed && c.deposed.empty();
}

// Only what the state has stays.
void keep_those_in(const State& state, VerifiedTimes& times) {
  VerifiedTimes left;
  for (const auto& [addr, r] : state.resources)
    for (const auto& [key, i] : r.instances) {
      const std::string name = AbsInstance{addr.module, addr.resource, key}.text();
      if (const auto it = times.find(name); it != times.end() && i.current) left.insert(std::move(*it));
    }
  times = std::move(left);
}

}  // namespace

std::string clock_text(const VerifiedTimes& times, const std::string& lineage) {
  std::map<std::string, std::vector<std::string>> by_time;
  for (const auto& [address, time] : times) by_time[time].push_back(address);
  return Json{{"format_version", kClockFormat}, {"lineage", lineage}, {kVerified, by_time}}.dump() + "\n";
}

VerifiedTimes clock_times(std::string_view text, const std::string& lineage) {
  VerifiedTimes out;
  const Result<Json> doc = parse_document(text);
  if (!doc || lineage.empty() || string_in(*doc, "format_version") != kClockFormat ||
      string_in(*doc, "lineage") != lineage)
    return out;
  if (const Json* all = object_in(*doc, kVerified))
    for (const auto& [time, addresses] : all->items())
      for (const Json& address : addresses)
        if (address.is_string()) out.emplace(address.get<std::string>(), time);
  return out;
}

void note_plan(const Plan& plan, bool refreshed, const std::string& now, VerifiedTimes& times) {
  if (refreshed)
    for (const ResourceChange& c : plan.changes)
      if (counts(c) && !c.unverified) times[c.addr.text()] = now;
  for (const ResourceChange& c : plan.drift) times.erase(c.addr.text());  // the state does not have it yet
  keep_those_in(plan.prior_state, times);
}

void trust_recent(const Context& c, const State& state, int64_t millis, PlanOptions& o) {
  if (&c.files != &real_fs()) return;
  const auto times = std::make_shared<const VerifiedTimes>(read_clock(c, state.lineage));
  if (!kept(c)) write_clock(c, {}, state.lineage);
  const int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  const std::string earliest = utc_text((now - millis) / 1000, 0, 0), latest = utc_text(now / 1000, 0, 0);
  o.trusted = [times, earliest, latest](const AbsInstance& a) {
    const auto it = times->find(a.text());
    return it != times->end() && it->second > earliest && it->second <= latest;
  };
}

void keep_verified(const Context& c, const Plan& plan, bool refreshed) {
  if (!kept(c)) return;
  VerifiedTimes times = read_clock(c, plan.prior_state.lineage);
  note_plan(plan, refreshed, utc_now(), times);
  write_clock(c, times, plan.prior_state.lineage);
}

void keep_verified(const Context& c, const Plan& plan, const State& written) {
  if (!kept(c)) return;
  VerifiedTimes times = read_clock(c, written.lineage);
  const std::string now = utc_now();
  for (const ResourceChange& change : plan.changes)
    if (counts(change) && change.change.action != Action::NoOp && change.change.action != Action::Forget)
      times[change.addr.text()] = now;
  keep_those_in(written, times);
  write_clock(c, times, written.lineage);
}

void forget_verified(const Context& c) {
  if (!kept(c)) return;
  std::error_code failed;
  std::filesystem::remove(clock_path(c), failed);
}

}  // namespace xplan::run
