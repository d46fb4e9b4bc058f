// Journal first, then the state: how an apply records what it does to one instance.
#include "core/apply/recorder.h"

#include <fmt/format.h>

#include "core/base/check.h"

namespace xplan::applying {

JournalRecord record_of(JournalRecord::Kind kind, const ResourceChange& c, std::string_view action,
                        std::string_view deposed) {
  JournalRecord r;
  r.kind = kind, r.addr = c.addr, r.action = action, r.deposed = deposed, r.provider = c.provider;
  return r;
}

// As what it is told that a server is asked to record it; nothing: as nothing. Objects that become deposed,
// or current again, are a part of their successor's change.
std::optional<std::string> Recorder::waits_as(const JournalRecord& r) const {
  using Kind = JournalRecord::Kind;
  if (place_.empty()) return std::nullopt;
  if (r.kind == Kind::Depose || r.kind == Kind::Restore) return std::string();
  if (r.kind == Kind::Intent || r.kind == Kind::Result || r.kind == Kind::Remove) return r.deposed;
  return std::nullopt;
}

bool Recorder::record_durably(const JournalRecord& r, Diagnostics& diags, bool more) {
  if (!journal_) return true;
  const Result<void> ok = more ? write(r) : pauses_.during([&] { return write(r); }, r.begins());
  return ok || failed(ok.error(), diags);
}

Result<void> Recorder::write(const JournalRecord& r) {
  const std::optional<std::string> waits = waits_as(r);
  if (waits) hooks_.record_start(r.addr, *waits, place_);
  const Result<uint64_t> number = journal_->enqueue(r);
  const Result<void> ok = number ? journal_->await(*number, true) : number.error();
  if (ok) announcements_.tell_until(*number);
  if (waits) hooks_.record_done(r.addr, *waits);
  return ok;
}

bool Recorder::record(const JournalRecord& r, Diagnostics& diags, std::function<void()> then) {
  if (!journal_) return then ? then() : void(), true;
  if (std::optional<std::string> waits = waits_as(r)) {
    hooks_.record_start(r.addr, *waits, place_);
    then = [this, addr = r.addr, deposed = std::move(*waits), then = std::move(then)] {
      hooks_.record_done(addr, deposed);
      if (then) then();
    };
  }
  const Result<void> ok = announcements_.after(r, std::move(then));
  return ok || failed(ok.error(), diags);
}

void Recorder::note_failure(const Error& why) {
  const std::string_view lost = journal_->lost();
  std::lock_guard guard(lock_);
  if (failure_.empty()) failure_ = why.sentence(), lost_ = lost;
}

bool Recorder::failed(const Error& why, Diagnostics& diags) {
  note_failure(why);
  return can_begin(diags);
}

void Recorder::finish(Diagnostics& diags) {
  announcements_.finish();
  bool reported = false;
  {
    std::lock_guard guard(lock_);
    reported = reported_;
  }
  if (!reported) (void)can_begin(diags);
}

bool Recorder::may_begin(Diagnostics& diags) {
  const Result<void> ok = journal_ ? journal_->may_begin() : Result<void>();
  return ok ? can_begin(diags) : failed(ok.error(), diags);
}

bool Recorder::can_begin(Diagnostics& diags) const {
  std::lock_guard guard(lock_);
  if (failure_.empty()) return true;
  reported_ = true;
  diags.error(lost_.empty() ? "Failed to write the journal" : lost_,
              fmt::format("{} No further changes are made, so that none is lost. Once the cause is fixed "
                          "and the state is saved, apply again to complete the changes.",
                          failure_));
  return false;
}

ObjectPtr Recorder::object(const AbsInstance& a, const std::string& deposed) const {
  const InstanceState* instance = state_.find(a);
  if (!instance || deposed.empty()) return instance ? instance->current : nullptr;
  std::lock_guard guard(lock_);
  auto it = instance->deposed.find(deposed);
  return it == instance->deposed.end() ? nullptr : it->second;
}

InstanceState& Recorder::instance_at(const AbsInstance& a) {
  InstanceState* instance = state_.find(a);
  XPLAN_CHECK(instance);  // made before the walk
  return *instance;
}

void Recorder::put(const AbsInstance& a, const std::string& deposed, ObjectPtr object) {
  InstanceState& instance = instance_at(a);
  if (deposed.empty()) {
    instance.current = std::move(object);
    return;
  }
  std::lock_guard guard(lock_);
  if (object)
    instance.deposed[deposed] = std::move(object);
  else
    instance.deposed.erase(deposed);
}

// One record: with two, a run killed between them would leave the object in the state twice or not at all.
// Nobody waits for it: the intent of the successor comes next.
std::optional<std::string> Recorder::depose(const ResourceChange& c, Diagnostics& diags) {
  InstanceState& instance = instance_at(c.addr);
  XPLAN_CHECK(instance.current);
  std::string key;
  {
    std::lock_guard guard(lock_);
    key = new_deposed_key(instance.deposed);
  }
  if (!record(record_of(JournalRecord::Kind::Depose, c, "", key), diags)) return std::nullopt;
  std::lock_guard guard(lock_);
  instance.deposed.emplace(key, std::exchange(instance.current, nullptr));
  deposed_keys_[c.addr] = key;
  return key;
}

void Recorder::restore(const ResourceChange& c, const std::string& deposed, Diagnostics& diags,
                       std::function<void()> then) {
  put(c.addr, "", object(c.addr, deposed));
  put(c.addr, deposed, nullptr);
  (void)record(record_of(JournalRecord::Kind::Restore, c, "create", deposed), diags, std::move(then));
}

std::optional<std::string> Recorder::deposed_key(const AbsInstance& a) const {
  std::lock_guard guard(lock_);
  auto it = deposed_keys_.find(a);
  if (it == deposed_keys_.end()) return std::nullopt;
  return it->second;
}

void Recorder::begin(const ResourceChange& c) {
  std::lock_guard guard(lock_);
  ++begun_[&c];
}

void Recorder::withdraw(const ResourceChange& c) {
  std::lock_guard guard(lock_);
  if (const auto it = begun_.find(&c); it != begun_.end() && --it->second == 0) begun_.erase(it);
}

bool Recorder::has_begun(const ResourceChange& c) const {
  std::lock_guard guard(lock_);
  return begun_.contains(&c);
}

void Recorder::fail(const AbsInstance& a, std::string_view deposed) {
  std::lock_guard guard(lock_);
  failed_.insert(a.text() + "|" + std::string(deposed));
}

bool Recorder::has_failed(const AbsInstance& a, std::string_view deposed) const {
  std::lock_guard guard(lock_);
  return !failed_.empty() && failed_.contains(a.text() + "|" + std::string(deposed));
}

}  // namespace xplan::applying
