// Executes run blocks: plan, apply, expected failures, assertions; and destroys what they have created.
#include "core/test/run_block.h"

#include "core/apply/apply.h"
#include "core/base/clock.h"
#include "core/config/bind_expression.h"
#include "core/run/run.h"
#include "core/test/expectations.h"

namespace xplan::test {
namespace {

PlanOptions options_of(const Execution& x) {
  PlanOptions o;
  o.parallelism = x.parallelism;
  o.variables = x.values.root;
  o.given_variables = x.values.given;
  o.timestamp = utc_now();
  o.workspace = x.context.workspace;
  o.sources = &x.context.sources;
  o.cwd = x.context.cwd;
  o.stop = x.context.stop;
  return o;
}

void add_plan_options(const config::TestRunBlock& run, PlanOptions& o, Diagnostics& diags) {
  o.mode = run.refresh_only ? PlanMode::RefreshOnly : PlanMode::Normal;
  o.refresh = run.refresh;
  for (const config::EndPoint& e : run.targets) {
    std::string why;
    if (const auto t = parse_target(e.text(), &why))
      o.targets.push_back(*t), o.target_texts.push_back(t->text());
    else
      diags.error("Invalid target", why, e.range);
  }
  for (const config::EndPoint& e : run.replace) {
    std::string why;
    if (const auto a = parse_abs_instance(e.text(), &why); a && a->resource.mode == Mode::Managed)
      o.force_replace.push_back(*a), o.force_replace_texts.push_back(a->text());
    else
      diags.error("Invalid instance to replace",
                  a ? e.text() + " is not a managed resource; only those can be replaced." : why, e.range);
  }
}

ApplyOutcome apply(const Execution& x, const Plan& plan, Diagnostics& diags) {
  Ledger::Writer writer(x.ledger, x.name);
  ApplyOptions o;
  o.journal = &writer;
  o.parallelism = x.parallelism;
  o.variables = x.values.root;
  o.now = utc_now();
  o.cwd = x.context.cwd;
  o.stop = x.context.stop;
  return apply_plan(*x.loaded.config, plan, o, *x.providers, diags);
}

bool plan_for(const Execution& x, const State& state, const PlanOptions& o, Plan& plan, Diagnostics& diags) {
  run::Context c{x.context.files, x.context.sources, *x.providers, x.context.schemas, x.context.cwd};
  c.stop = x.context.stop;
  const run::Attempt a = run::plan_once(c, *x.loaded.config, state, o, plan, diags);
  for (Diagnostic& d : diags.mutable_all())  // a value is refused where the test gives it
    if (const auto at = x.values.places.find(d.checked); at != x.values.places.end()) d.subject = at->second;
  if (a == run::Attempt::Outdated)
    diags.error(
        "Provider schema has changed",
        "The schema of a provider that was kept from an earlier run is outdated. It has been renewed; run "
        "the tests again.");
  return a == run::Attempt::Planned;
}

Value marked(const Value& v, bool sensitive) {
  return sensitive ? v.with_marks(kSensitive) : v;
}

// All outputs that the module declares; null where there is no value.
Value outputs_of(const config::Module& m, const Executed& e) {
  std::vector<std::pair<Symbol, Value>> attrs;
  for (const config::Output& o : m.outputs) {
    Value v;
    if (e.applied) {
      if (auto it = e.state.outputs.find(o.name); it != e.state.outputs.end()) v = it->second.value;
    } else {
      const auto& before = e.plan.prev_run_state.outputs;  // of what -target leaves out
      if (auto it = before.find(o.name); it != before.end() && !e.plan.targets.empty()) v = it->second.value;
      for (const OutputChange& c : e.plan.outputs)
        if (c.name == o.name) v = c.change.after;
    }
    attrs.emplace_back(o.name, marked(v, o.sensitive));
  }
  return Value::object(std::move(attrs));
}

void judge(const Execution& x, const Executed& e, RunResult& result) {
  if (x.block.asserts.empty()) return;
  const config::Config& config = *x.loaded.config;
  config::RefScope scope;
  scope.test = true;
  std::vector<config::CheckRule>
      sound;  // those with errors are told, and do not keep the others from being judged
  for (const config::CheckRule& r : x.block.asserts) {
    const size_t before = result.diags.error_count();
    for (const syntax::Expr* expr : {r.condition, r.error_message})
      if (expr) config::bind_expression(*config.root->module, *config.root, *expr, result.diags, scope);
    if (result.diags.error_count() == before) sound.push_back(r);
  }
  Diagnostics of_values;  // told when they were planned
  const size_t before = result.diags.error_count();
  PlanOptions options = options_of(x);
  options.timestamp = e.plan.timestamp;
  const auto world = evaluate_world(config, e.state, options, *x.providers, of_values);
  CheckObject object;
  object.status = CheckStatus::Pass;
  evaluate_rules(sound, RuleKind::Test, ModuleScope(*world, *world->root()), Severity::Error, object,
                 result.diags);
  result.failed_assertions = result.diags.error_count() - before;
  result.assertion_messages = std::move(object.failure_messages);
  if (object.status == CheckStatus::Fail && sound.size() == x.block.asserts.size())
    result.status = Status::Fail;
}

}  // namespace

Executed execute(const Execution& x, State& state, RunResult& result) {
  Executed out;
  Expectations expected(x.block);
  PlanOptions o = options_of(x);
  add_plan_options(x.block, o, result.diags);
  if (!result.diags.has_errors()) {
    Diagnostics found;
    out.planned = plan_for(x, state, o, out.plan, found);
    result.diags.append(expected.settle(std::move(found), x.block.plan ? Phase::Plan : Phase::PlanToApply));
  }
  if (out.planned && !x.block.plan && !out.plan.errored && !result.diags.has_errors()) {
    Diagnostics found;
    state = apply(x, out.plan, found).state;
    result.diags.append(expected.settle(std::move(found), Phase::Apply));
    out.applied = true;
  }
  if (out.planned) out.state = out.applied ? state : planned_state(out.plan);
  out.outputs = outputs_of(*x.loaded.config->root->module, out);
  x.loaded.given.output = out.outputs;
  result.status = Status::Pass;
  if (!result.diags.has_errors()) expected.report_missing(result.diags);
  if (!result.diags.has_errors()) judge(x, out, result);
  if (result.diags.has_errors() && result.status == Status::Pass) result.status = Status::Error;
  return out;
}

void destroy_all(const Execution& x, State& state, Diagnostics& diags) {
  PlanOptions o = options_of(x);
  o.mode = PlanMode::Destroy;
  Plan plan;
  Diagnostics found;
  if (plan_for(x, state, o, plan, found) && !plan.errored) state = apply(x, plan, found).state;
  for (Diagnostic& d : found.mutable_all())
    if (d.severity == Severity::Error) diags.add(std::move(d));
}

}  // namespace xplan::test
