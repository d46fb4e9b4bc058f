// Finds out which runs of a test file have to end before others begin.
#include "core/test/schedule.h"

#include <unordered_map>

#include "core/base/fs.h"
#include "core/syntax/ast.h"

namespace xplan::test {
namespace {

// Runs by name, as far as they are known.
using Names = std::unordered_map<Symbol, size_t>;

void add_runs(const syntax::Expr* e, std::unordered_set<Symbol>& out) {
  if (!e) return;
  std::vector<const syntax::Traversal*> used;
  syntax::collect_traversals(*e, used);
  for (const syntax::Traversal* t : used)
    if (t->root.sv() == "run" && !t->steps.empty() && t->steps[0].is_attr) out.insert(t->steps[0].attr);
}

// Bodies of provider blocks can only be read with a schema, so their text has to do: waiting for too many
// costs nothing but time.
std::string text_of_providers(const config::TestFile& file, const SourceTable& sources) {
  std::string out;
  for (const config::ProviderConfig& p : file.module->providers) {
    ResolvedRange at;
    if (!p.mocked && p.block && sources.resolve(p.block->body.range, at)) out += std::string(at.text) + "\n";
  }
  return out;
}

}  // namespace

std::string state_key_of(const config::TestRunBlock& run) {
  if (!run.state_key.empty() || !run.module) return run.state_key;
  return run.source.starts_with('.') ? clean_path(run.source) : run.source;
}

std::unordered_set<Symbol> runs_read_by(const config::TestRunBlock& run) {
  std::unordered_set<Symbol> out;
  for (const syntax::Attribute& a : run.variables) add_runs(a.expr, out);
  for (const config::CheckRule& r : run.asserts) add_runs(r.condition, out), add_runs(r.error_message, out);
  return out;
}

bool providers_read_runs(const config::TestFile& file, const SourceTable& sources) {
  return text_of_providers(file, sources).find("run.") != std::string::npos;
}

std::vector<std::vector<size_t>> waits_for(const config::TestFile& file, const SourceTable& sources) {
  const std::string providers = text_of_providers(file, sources);
  std::vector<std::vector<size_t>> out(file.runs.size());
  Names known;
  std::unordered_map<std::string, size_t> by_state;
  std::vector<size_t> read_by_providers;
  size_t since = 0;  // those before have ended, when the last one that is not parallel has
  for (size_t i = 0; i < file.runs.size(); ++i) {
    const config::TestRunBlock& run = file.runs[i];
    std::vector<size_t>& before = out[i];
    if (since > 0) before.push_back(since - 1);
    const std::string state = state_key_of(run);
    if (!run.parallel) {
      for (size_t j = since; j < i; ++j) before.push_back(j);
      since = i + 1;
    } else {
      before.insert(before.end(), read_by_providers.begin(), read_by_providers.end());
      if (auto it = by_state.find(state); it != by_state.end()) before.push_back(it->second);
      for (Symbol name : runs_read_by(run))
        if (auto it = known.find(name); it != known.end()) before.push_back(it->second);
    }
    known[run.name] = i, by_state[state] = i;
    if (providers.find("run." + std::string(run.name.sv())) != std::string::npos)
      read_by_providers.push_back(i);
  }
  return out;
}

}  // namespace xplan::test
