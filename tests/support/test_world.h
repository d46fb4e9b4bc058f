// A small world for tests of planning and applying: files in memory, the built-in provider, a state that is
// carried along.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/apply/apply.h"
#include "core/config/config.h"
#include "core/config/inputs.h"
#include "core/plan/planner.h"
#include "core/provider/schemas.h"

namespace xplan::test {

class TestWorld {
 public:
  MemoryFs fs;
  State state;
  Diagnostics diags;
  int parallelism = 4;
  std::function<std::unique_ptr<ProviderFactory>()> make_factory = make_builtin_factory;

  TestWorld(std::string main_tf) { fs.files["main.tf"] = std::move(main_tf); }

  Plan plan(PlanOptions o = {}) {
    sources = std::make_unique<SourceTable>();
    factory = make_factory();
    schemas = std::make_unique<ProviderSchemas>(*factory);
    config = config::load(fs, *sources, {}, schemas.get(), diags);
    if (diags.has_errors()) return {};
    values = config::finalize_inputs(*config->root->module, {}, diags);
    o.variables = values;
    o.timestamp = "2026-01-02T03:04:05Z";
    o.parallelism = parallelism;
    return make_plan(*config, state, o, *factory, diags);
  }
  ApplyOutcome apply(const Plan& p, const std::atomic<bool>* stop = nullptr) {
    ApplyOptions o;
    o.variables = values;
    o.now = "2026-01-02T03:04:05Z";
    o.parallelism = parallelism;
    o.stop = stop;
    ApplyOutcome out = apply_plan(*config, p, o, *factory, diags);
    state = out.state;
    return out;
  }
  std::string problems() const {
    std::string s;
    for (const Diagnostic& d : diags.all())
      s += (d.severity == Severity::Error ? "error: " : "warning: ") + d.summary + ": " + d.detail + "\n";
    return s;
  }

  std::unique_ptr<SourceTable> sources;
  std::unique_ptr<ProviderFactory> factory;
  std::unique_ptr<ProviderSchemas> schemas;
  std::unique_ptr<config::Config> config;
  RootValues values;
};

inline std::string actions(const Plan& p) {
  static constexpr const char* names[] = {"no-op",         "create",        "read",   "update",
                                          "delete/create", "create/delete", "delete", "forget"};
  std::string s;
  for (const ResourceChange& c : p.changes) {
    s += c.addr.text() + (c.deposed.empty() ? "" : " deposed") + " " +
         names[static_cast<size_t>(c.change.action)];
    if (c.reason != Reason::None) s += " (" + std::string(facts(c.reason).name) + ")";
    if (c.moved()) s += " from " + c.prev_addr.text();
    s += "\n";
  }
  return s;
}

}  // namespace xplan::test
