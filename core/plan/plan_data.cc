// Plans data sources (read now, or during apply when something they read is not known yet) and ephemeral
// resources.
#include <fmt/format.h>
#include <algorithm>

#include "core/plan/planner_impl.h"
#include "core/schema/decode.h"

namespace xplan::planning {
namespace {

// The reading of a data source, as the hooks hear of it: what has begun also ends, one way or the other.
class Reading {
 public:
  Reading(Hooks& hooks, const AbsInstance& addr) : hooks_(hooks), addr_(addr) { hooks_.read_start(addr_); }
  Reading(const Reading&) = delete;
  ~Reading() {
    if (!done_) hooks_.read_ended(addr_);
  }
  void done(const ObjectId& id) {
    hooks_.read_done(addr_, id, 0);
    done_ = true;
  }
  void failed() {
    hooks_.apply_failed(addr_, "", Action::Read, 0);
    done_ = true;
  }

 private:
  Hooks& hooks_;
  const AbsInstance& addr_;
  bool done_ = false;
};

}  // namespace

// A data source waits when something it names has a pending change: its depends_on (a module's included, down
// to every resource in it), and the managed resources its own expressions refer to. With conditions of its
// own, everything upstream counts.
bool Planner::reads_pending(uint32_t node) const {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  auto below = [&](uint32_t n) { return results[n].pending_upstream || managed_pending(n); };
  if ((!r.preconditions.empty() || !r.postconditions.empty()) && results[node].pending_upstream) return true;
  std::vector<uint32_t> direct, whole;
  auto depends_on = [&](const config::Node* n, const syntax::Traversal& t, std::vector<uint32_t>& targets) {
    const config::Reference& ref = n->module->reference(t);
    if (ref.kind == config::RefKind::ModuleCall)
      whole.push_back(cg.node_of(NodeKind::ModuleDone, n->children[ref.index].get(), 0));
    else
      cg.targets_of(n, t, targets);
  };
  for (const syntax::Traversal* t : r.references) cg.targets_of(g.node, *t, direct);
  for (const syntax::Traversal* t : r.depends_on) depends_on(g.node, *t, direct);
  for (const config::Node* n = g.node; n->parent; n = n->parent)
    for (const syntax::Traversal* t : n->call->depends_on) depends_on(n->parent, *t, whole);
  return std::any_of(direct.begin(), direct.end(), [&](uint32_t n) { return managed_pending(n); }) ||
         std::any_of(whole.begin(), whole.end(), below);
}

Value Planner::plan_data(const InstanceJob& j, InstanceResult& out) {
  const config::Resource& r = *j.resource;
  const schema::Schema& schema = *r.schema;
  const schema::Block& block = schema.block;
  Value unknown = Value::unknown(block.implied_type());
  bool nested_check = !r.check_scope.empty();
  // Inside a check block every problem is a warning, and nothing is worse than not knowing.
  InstanceResult own;
  InstanceResult& to = nested_check ? own : out;
  auto change_of = [&](Reason reason, Value after) {
    ResourceChange c;
    c.addr = c.prev_addr = j.addr;
    c.provider = j.provider_addr;
    c.schema = r.schema;
    c.change.action = Action::Read;
    c.change.before = Value::null(block.implied_type());
    c.change.after = std::move(after);
    c.reason = reason;
    return c;
  };
  Value in_check_value;  // what the configuration said, for a read that failed inside a check
  auto done = [&](Value v) {
    if (nested_check) {
      if (own.diags.has_errors()) {
        world.add_check_problem(check_address(j.addr.module, r.check_scope), own.diags);
        // Tried again when applying, so that the check speaks of the situation afterwards.
        if (!in_check_value.is_null() && options.mode == PlanMode::Normal) {
          own.changes.push_back(change_of(Reason::ReadBecauseCheckNested, in_check_value));
          Value known = transform_value(in_check_value, [](const Path&, const Value& e) {
            return e.is_unknown() ? Value::null(e.type()) : e;
          });
          own.objects.push_back({j.addr, j.provider_addr, make_object(known, schema, "", nullptr, false)});
        }
      }
      for (Diagnostic& d : own.diags.mutable_all()) d.severity = Severity::Warning, d.from_check = true;
      own.diags.recount();
      out.diags.append(std::move(own.diags));
      for (auto& c : own.changes) out.changes.push_back(std::move(c));
      for (auto& o : own.objects) out.objects.push_back(std::move(o));
      for (auto& o : own.checks) out.checks.push_back(std::move(o));
    }
    return v;
  };
  if (!conditions(r.preconditions, RuleKind::Precondition, j, nullptr, to)) return done(unknown);
  std::optional<InstanceConfig> given = evaluate_config(j, to.diags);
  if (!given) return done(unknown);
  const size_t errors = to.diags.error_count();

  bool config_unknown = !given->value.is_wholly_known();
  bool pending = !config_unknown && options.mode != PlanMode::RefreshOnly && results[j.node].reads_pending;
  auto leave = [&](Reason reason) {
    Value planned = apply_marks(schema::planned_unknown(block, given->value), given->marks, block);
    // What was read before says nothing about now; but it stays while the reading is deferred.
    if (j.state && !j.deferred_upstream && !j.deferred) j.state->current = nullptr;
    if (options.mode == PlanMode::RefreshOnly) return done(planned);
    to.changes.push_back(change_of(reason, planned));
    conditions(r.postconditions, RuleKind::Postcondition, j, &planned, to);
    return done(planned);
  };
  if (config_unknown) return leave(Reason::ReadBecauseConfigUnknown);
  if (pending || j.deferred_upstream) return leave(Reason::ReadBecauseDependencyPending);
  if (nested_check)
    in_check_value = apply_marks(schema::planned_unknown(block, given->value), given->marks, block);
  Reading reading(hooks, j.addr);
  ReadDataResponse response = j.provider->read_data(
      {r.addr.type, given->value,
       provider_meta(world, j.module, j.provider_addr.provider, *j.provider, to.diags)});
  add_provider_diags(response.diags, j.addr, &r, to.diags);
  if (to.diags.error_count() != errors) return done(unknown);
  if (defer(response.deferred, j, to.diags))
    return world.deferral_allowed ? leave(Reason::ReadBecauseDependencyPending) : done(unknown);
  Violations v = check_conforms(block, response.state);
  if (response.state.is_null()) v.push_back({{}, "the result is null"});
  if (v.empty() && !response.state.is_wholly_known()) v.push_back({{}, "the result has unknown values"});
  if (!v.empty()) {
    reading.failed();
    add_violations("Provider produced invalid object", "when it read", j.provider_addr.provider, j.addr, v,
                   to.diags);
    return done(unknown);
  }
  reading.done(object_id(response.state));
  Value result = apply_marks(response.state, given->marks, block);
  if (nested_check && options.mode == PlanMode::Normal)
    to.changes.push_back(change_of(Reason::ReadBecauseCheckNested, result));
  to.objects.push_back({j.addr, j.provider_addr, make_object(result, schema, "", nullptr, false)});
  conditions(r.postconditions, RuleKind::Postcondition, j, &result, to);
  return done(result);
}

Value Planner::plan_ephemeral(const InstanceJob& j, InstanceResult& out) {
  const config::Resource& r = *j.resource;
  const schema::Block& block = r.schema->block;
  Value unknown = Value::unknown(block.implied_type()).with_marks(kEphemeral);
  if (!conditions(r.preconditions, RuleKind::Precondition, j, nullptr, out)) return unknown;
  size_t before = out.diags.error_count();
  Value config_value = schema::decode(r.content, block, scope_of(j), out.diags).unmark_deep();
  if (out.diags.error_count() != before) return unknown;
  add_provider_diags(j.provider->validate_resource(Mode::Ephemeral, r.addr.type, config_value), j.addr, &r,
                     out.diags);
  if (out.diags.error_count() != before) return unknown;
  if (!config_value.is_wholly_known() || j.deferred_upstream || results[j.node].reads_pending) return unknown;
  hooks.ephemeral_start(j.addr, "open");
  OpenEphemeralResponse response = j.provider->open_ephemeral(r.addr.type, config_value);
  add_provider_diags(response.diags, j.addr, &r, out.diags);
  if (out.diags.error_count() == before)
    hooks.ephemeral_done(j.addr, "open");
  else
    hooks.ephemeral_failed(j.addr, "open");
  if (out.diags.error_count() != before) return unknown;
  if (defer(response.deferred, j, out.diags)) return unknown;
  if (auto v = check_conforms(block, response.result); !v.empty() || response.result.is_null()) {
    if (response.result.is_null()) v.push_back({{}, "the result is null"});
    add_violations("Provider produced invalid object", "when it opened", j.provider_addr.provider, j.addr, v,
                   out.diags);
    return unknown;
  }
  opened.push(j.node, j.addr, j.provider, response);
  Value result = mark_at_paths(schema::mark_sensitive(response.result, block), {}).with_marks(kEphemeral);
  conditions(r.postconditions, RuleKind::Postcondition, j, &result, out);
  return result;
}

}  // namespace xplan::planning
