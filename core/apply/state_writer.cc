// Journal first, then the state: how an apply records what it does to one instance.
#include "core/apply/state_writer.h"

#include <fmt/format.h>

namespace xplan::applying {

JournalRecord record_of(JournalRecord::Kind kind, const ResourceChange& c, std::string_view action,
                        std::string_view deposed) {
  JournalRecord r;
  r.kind = kind, r.addr = c.addr, r.action = action, r.deposed = deposed, r.provider = c.provider;
  return r;
}

bool StateWriter::record(const JournalRecord& r, Diagnostics& diags) {
  if (!journal_) return true;
  Result<void> ok = journal_->append(r);
  if (!ok)
    diags.error("Failed to write the journal",
                fmt::format("{}. Nothing more is changed, so that no change can be lost. "
                            "Remove the cause, then apply again to complete the work.",
                            ok.error().message));
  return ok.ok();
}

// One record: with two, a run killed between them would leave the object in the state twice or not at all.
std::optional<std::string> StateWriter::depose(const ResourceChange& c, Diagnostics& diags) {
  InstanceState& instance = *state_.find(c.addr);
  std::string key = new_deposed_key(instance.deposed);
  if (!record(record_of(JournalRecord::Kind::Depose, c, "", key), diags)) return std::nullopt;
  instance.deposed.emplace(key, std::exchange(instance.current, nullptr));
  std::lock_guard guard(lock_);
  deposed_keys_[c.addr] = key;
  return key;
}

void StateWriter::restore(const ResourceChange& c, const std::string& deposed, Diagnostics& diags) {
  InstanceState& instance = *state_.find(c.addr);
  auto object = instance.deposed.extract(deposed);
  instance.current = std::move(object.mapped());
  (void)record(record_of(JournalRecord::Kind::Restore, c, "create", deposed), diags);
}

std::optional<std::string> StateWriter::deposed_key(const AbsInstance& a) const {
  std::lock_guard guard(lock_);
  auto it = deposed_keys_.find(a);
  if (it == deposed_keys_.end()) return std::nullopt;
  return it->second;
}

void StateWriter::fail(const AbsInstance& a, std::string_view deposed) {
  std::lock_guard guard(lock_);
  failed_.insert(a.text() + "|" + std::string(deposed));
}

bool StateWriter::has_failed(const AbsInstance& a) const {
  std::lock_guard guard(lock_);
  return !failed_.empty() && failed_.contains(a.text() + "|");
}

}  // namespace xplan::applying
