// Keeps the states of runs, and destroys what they have in the end.
#include "core/test/kept.h"

#include <algorithm>

#include "core/test/schedule.h"

namespace xplan::test {
namespace {

// Data sources alone need nobody.
bool has_something_to_destroy(const State& state) {
  return std::any_of(state.resources.begin(), state.resources.end(),
                     [](const auto& r) { return r.first.resource.mode == Mode::Managed; });
}

}  // namespace

Kept& KeptStates::of(const config::TestRunBlock& run) {
  const std::string key = state_key_of(run);
  for (Kept& k : all_)
    if (k.key == key) return k;
  Kept& k = all_.emplace_back();
  k.key = key;
  return k;
}

void KeptStates::begin(const Kept& kept, const Execution& x) {
  ledger_.assign(kept.last ? kept.last->name : "", x.name, kept.key.empty(), kept.state);
}

void KeptStates::end(Kept& kept, Execution&& x, size_t index) {
  ledger_.assign("", x.name, kept.key.empty(), kept.state);
  kept.given = x.loaded.given;
  kept.last.emplace(std::move(x));
  kept.index = index;
}

bool KeptStates::clean_up(const config::TestFile& file, Reporter& reporter) {
  bool good = true;
  reporter.cleanup_begins(file);
  all_.sort([](const Kept& a, const Kept& b) { return a.index > b.index; });
  for (Kept& k : all_) {
    if (!k.last || !has_something_to_destroy(k.state)) continue;
    reporter.cleaning_up(file, k.last->block);
    k.last->loaded.given = k.given;
    Diagnostics diags;
    destroy_all(*k.last, k.state, diags);
    ledger_.assign("", k.last->name, k.key.empty(), k.state);
    good = good && !diags.has_errors() && k.state.resources.empty();
    reporter.cleaned_up(file, k.last->block, k.state, diags);
  }
  return good;
}

}  // namespace xplan::test
