// Keeps what is running and what has ended, and paints it from a thread of its own.
#include "cmd/xplan/live_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/threads.h"

namespace xplan::cmd {
namespace {

constexpr auto kFrame = std::chrono::milliseconds(100);
constexpr auto kLastFrame = std::chrono::seconds(1);
constexpr auto kLately = std::chrono::seconds(20);
constexpr size_t kMostOutput = 1000;  // lines of provisioners between two frames
constexpr size_t kMostFailed = 10, kFewestForRate = 3;

std::string operation_name(const AbsInstance& a, std::string_view deposed) {
  return deposed.empty() ? a.text() : fmt::format("{} (deposed object {})", a.text(), deposed);
}
std::string operation_key(const AbsInstance& a, std::string_view what) {
  return a.text() + '\n' + std::string(what);
}
int64_t seconds_of(std::chrono::steady_clock::duration d) {
  return std::chrono::duration_cast<std::chrono::seconds>(d).count();
}

// What was done just now stays in sight above.
int live_height(TerminalSize size) {
  return std::clamp(size.height * 2 / 3, std::min(8, size.height - 1), size.height - 1);
}

}  // namespace

LiveProgress::LiveProgress(Session& s, review::WorkLog& work, size_t expected)
    : s_(s), work_(work), expected_(expected), begun_(Clock::now()), screen_(s.io) {
  painter_ = optional_thread([this] {
    take_no_signals();
    paint_until_over();
  });
}

LiveProgress::~LiveProgress() {
  {
    std::lock_guard guard(lock_);
    over_ = true;
  }
  wake_.notify_all();
  if (painter_.joinable()) painter_.join();
  screen_.clear();
  s_.io.out(take_staying());
}

void LiveProgress::begin(const std::string& key, std::string name, std::string doing) {
  std::lock_guard guard(lock_);
  by_key_[key] = next_;
  running_[next_++] = {std::move(name), std::move(doing), Clock::now()};
}

int64_t LiveProgress::end(const std::string& key) {
  const auto it = by_key_.find(key);
  if (it == by_key_.end()) return 0;
  const auto running = running_.find(it->second);
  const int64_t seconds = seconds_of(Clock::now() - running->second.since);
  running_.erase(running);
  by_key_.erase(it);
  return seconds;
}

void LiveProgress::stay(std::string line, size_t most) {
  if (!painter_.joinable()) return s_.io.out(line + '\n');
  if (staying_lines_ >= most) {
    ++not_shown_;
    return;
  }
  ++staying_lines_;
  staying_ += std::move(line) + '\n';
}

std::string LiveProgress::take_staying() {
  if (not_shown_) staying_ += fmt::format("… and {} more\n", not_shown_);
  staying_lines_ = not_shown_ = 0;
  return std::exchange(staying_, {});
}

void LiveProgress::imported(const AbsInstance& a, const ObjectId& id) {
  std::lock_guard guard(lock_);
  stay(a.text() + ": Import complete" + id_suffix(id));
}
void LiveProgress::read_start(const AbsInstance& a) {
  begin(operation_key(a, ""), a.text(), "reading");
}
void LiveProgress::read_done(const AbsInstance& a, const ObjectId& id, double seconds) {
  work_.add({a, "", Action::Read, seconds}, false);
  std::lock_guard guard(lock_);
  const int64_t took = end(operation_key(a, ""));
  ++done_;
  if (!s_.concise)
    stay(fmt::format("{}: Read complete after {}{}", a.text(), seconds_text(took), id_suffix(id)));
}
void LiveProgress::read_ended(const AbsInstance& a) {
  std::lock_guard guard(lock_);
  end(operation_key(a, ""));
}
void LiveProgress::ephemeral_start(const AbsInstance& a, std::string_view operation) {
  begin(operation_key(a, operation), a.text(), std::string(ephemeral_words(operation).still));
}
void LiveProgress::ephemeral_done(const AbsInstance& a, std::string_view operation) {
  std::lock_guard guard(lock_);
  end(operation_key(a, operation));
}
void LiveProgress::ephemeral_failed(const AbsInstance& a, std::string_view operation) {
  std::lock_guard guard(lock_);
  end(operation_key(a, operation));
}

void LiveProgress::apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                               const ObjectId&) {
  begin(operation_key(a, deposed), operation_name(a, deposed), std::string(action_words(action).still));
}
void LiveProgress::apply_done(const AbsInstance& a, std::string_view deposed, Action action,
                              const ObjectId& id, double seconds) {
  work_.add({a, std::string(deposed), action, seconds}, false);
  std::lock_guard guard(lock_);
  const int64_t took = end(operation_key(a, deposed));
  ++done_;
  stay(fmt::format("{}: {} complete after {}{}", a.text(), action_words(action).done, seconds_text(took),
                   action == Action::Delete ? "" : id_suffix(id)));
}
void LiveProgress::apply_failed(const AbsInstance& a, std::string_view deposed, Action action,
                                double seconds) {
  work_.add({a, std::string(deposed), action, seconds}, true);
  std::lock_guard guard(lock_);
  const int64_t took = end(operation_key(a, deposed));
  ++failed_in_all_;
  failed_.push_back({operation_name(a, deposed), std::string(action_words(action).still), took});
  if (failed_.size() > kMostFailed) failed_.pop_front();
}

void LiveProgress::record_start(const AbsInstance& a, std::string_view deposed, std::string_view place) {
  std::lock_guard guard(lock_);
  const auto it = by_key_.find(operation_key(a, deposed));
  if (it != by_key_.end()) running_[it->second].waits_for = place;
}
void LiveProgress::record_done(const AbsInstance& a, std::string_view deposed) {
  record_start(a, deposed, "");
}

void LiveProgress::provision_start(const AbsInstance& a, std::string_view type) {
  std::lock_guard guard(lock_);
  const auto it = by_key_.find(operation_key(a, ""));
  if (it != by_key_.end()) running_[it->second].doing = fmt::format("provisioning with '{}'", type);
}
void LiveProgress::provision_output(const AbsInstance& a, std::string_view type, std::string_view line) {
  std::lock_guard guard(lock_);
  stay(fmt::format("{} ({}): {}", a.text(), type, line), kMostOutput);
}
void LiveProgress::provision_done(const AbsInstance& a, std::string_view, bool) {
  std::lock_guard guard(lock_);
  const auto it = by_key_.find(operation_key(a, ""));
  if (it != by_key_.end()) running_[it->second].doing = "finishing";
}

std::vector<UnderWay> LiveProgress::under_way() {
  std::lock_guard guard(lock_);
  std::vector<UnderWay> out;
  for (const auto& [number, r] : running_)
    out.push_back({r.name, r.doing, seconds_of(Clock::now() - r.since), !r.waits_for.empty()});
  return out;
}

// It is never counted away. Nothing is painted over the last words, unless the terminal has stopped.
bool LiveProgress::interject(const std::string& text, bool last) {
  if (!painter_.joinable()) return false;
  std::unique_lock guard(lock_);
  if (last) {
    over_ = true;
    drawn_.wait_for(guard, kLastFrame, [this] { return !drawing_; });
  } else {
    staying_ += text;
  }
  return !last;
}

// Of operations that ended lately; nothing for the first few.
double LiveProgress::rate(Clock::time_point now, size_t ended) {
  if (lately_.empty() || now - lately_.back().first >= std::chrono::seconds(1))
    lately_.emplace_back(now, ended);
  while (lately_.size() > 2 && now - lately_.front().first > kLately) lately_.pop_front();
  const size_t before = lately_.size() > 1 ? lately_.front().second : 0;
  const auto since = lately_.size() > 1 ? lately_.front().first : begun_;
  const double seconds = std::chrono::duration<double>(now - since).count();
  return ended < kFewestForRate || seconds < 1 ? 0 : static_cast<double>(ended - before) / seconds;
}

render::LiveStatus LiveProgress::status(Clock::time_point now, size_t most_running) {
  render::LiveStatus out;
  out.running_in_all = running_.size();
  for (const auto& [number, r] : running_) {
    if (out.running.size() == most_running) break;
    out.running.push_back({r.name, r.now(), seconds_of(now - r.since)});
  }
  out.failed.assign(failed_.begin(), failed_.end());
  out.failed_in_all = failed_in_all_;
  out.done = done_;
  out.expected = expected_;
  out.seconds = seconds_of(now - begun_);
  out.per_second = rate(now, done_ + failed_in_all_);
  out.stopping = s_.stop;
  return out;
}

void LiveProgress::paint_until_over() {
  std::unique_lock guard(lock_);
  auto pause = Clock::duration(kFrame);
  while (!wake_.wait_for(guard, pause, [this] { return over_; })) {
    const TerminalSize size = terminal_size();
    const render::LiveStatus now = status(Clock::now(), static_cast<size_t>(size.height));
    const std::string staying = take_staying();
    drawing_ = true;
    guard.unlock();
    const Clock::time_point begin = Clock::now();
    screen_.draw(staying, render::live_lines(now, size.width, live_height(size), s_.human.color));
    pause = std::max<Clock::duration>(kFrame, 4 * (Clock::now() - begin));
    guard.lock();
    drawing_ = false;
    drawn_.notify_all();
  }
}

}  // namespace xplan::cmd
