// Keeps the list of existing objects up to date.
#include "core/test/ledger.h"

#include "core/test/test.h"

namespace xplan::test {
namespace {

std::string name_of(const AbsInstance& a, const std::string& deposed) {
  return deposed.empty() ? a.text() : a.text() + " (" + deposed + ")";
}

}  // namespace

void Ledger::assign(const std::string& before, const std::string& run, bool main, const State& state) {
  const std::lock_guard guard(lock_);
  runs_.erase(before);
  Objects& now = runs_[run] = {main, {}, {}};
  each_object(state, [&](const AbsInstance& a, const std::string& deposed) {
    if (a.resource.mode == Mode::Managed) now.existing.insert(name_of(a, deposed));
  });
}

Ledger::Runs Ledger::runs() const {
  const std::lock_guard guard(lock_);
  return runs_;
}

Result<void> Ledger::Writer::append(const JournalRecord& r) {
  using Kind = JournalRecord::Kind;
  if (r.addr.resource.mode != Mode::Managed && r.kind != Kind::Move) return {};
  const std::lock_guard guard(ledger_.lock_);
  Objects& now = ledger_.runs_[run_];
  const std::string name = name_of(r.addr, r.deposed);
  switch (r.kind) {
    case Kind::Intent:
      if (!now.existing.contains(name)) now.begun.insert(name);
      break;
    case Kind::Result:
      now.begun.erase(name);
      r.object ? void(now.existing.insert(name)) : void(now.existing.erase(name));
      break;
    case Kind::Remove:
      now.existing.erase(name);
      break;
    case Kind::Depose:
    case Kind::Restore:
      now.existing.erase(r.kind == Kind::Depose ? r.addr.text() : name);
      now.existing.insert(r.kind == Kind::Depose ? name : r.addr.text());
      break;
    case Kind::Move:
      for (const auto& [from, to] : r.moves) now.existing.erase(from.text());
      for (const auto& [from, to] : r.moves) now.existing.insert(to.text());
      break;
    case Kind::Moving:
      break;
  }
  return {};
}

}  // namespace xplan::test
