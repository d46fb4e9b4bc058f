// What an apply reads rather than changes: data sources that the plan left for now, because something they
// depend on had to be changed first, and ephemeral resources, which are opened again.
#include <fmt/format.h>

#include "core/apply/apply_run.h"
#include "core/apply/provider_work.h"
#include "core/plan/contract.h"
#include "core/plan/objects.h"
#include "core/plan/provider_choice.h"
#include "core/plan/secrets.h"
#include "core/provider/timing/subject.h"
#include "core/schema/decode.h"
#include "core/value/storable.h"

namespace xplan::applying {

namespace {

// What the provider says; nothing after an error.
std::optional<Value> ask_provider(ApplyRun& run, const Job& j, const Value& config, Diagnostics& diags) {
  const ResourceChange& c = *j.change;
  const config::Resource& r = *j.resource;
  run.tell(&Hooks::read_start, c.addr);
  auto failed = [&]() -> std::optional<Value> {
    run.tell(&Hooks::read_ended, c.addr);
    return std::nullopt;
  };
  add_provider_diags(j.provider->validate_resource(Mode::Data, r.addr.type, config), c.addr, &r, diags);
  Value meta = provider_meta(run.world, j.module, c.provider.provider, *j.provider, diags);
  if (diags.has_errors()) return failed();
  ReadDataResponse response = j.provider->read_data(
      {r.addr.type, config, std::move(meta), crypt::codec_of(run.options.encryption, c.addr)});
  add_provider_diags(response.diags, c.addr, &r, diags);
  if (!diags.has_errors() && response.deferred != Deferral::None) refuse_deferral(c.addr, &r, diags);
  if (diags.has_errors()) return failed();
  Violations v = check_conforms(r.schema->block, response.state);
  if (response.state.is_null()) v.push_back({{}, "the result is null"});
  if (v.empty() && !response.state.is_wholly_known()) v.push_back({{}, "the result has unknown values"});
  if (v.empty()) return response.state;
  run.tell(&Hooks::apply_failed, c.addr, "", Action::Read, 0);
  add_violations("Provider produced invalid object", "when it read", c.provider.provider, c.addr, v, diags);
  return std::nullopt;
}

}  // namespace

Value read_data(ApplyRun& run, const Job& j, InstanceResult& out) {
  const ResourceChange& c = *j.change;
  const CallSubject about(c.addr);
  run.recorder.begin(c);
  const config::Resource& r = *j.resource;
  const schema::Block& block = r.schema->block;
  Value unknown = Value::unknown(block.implied_type());
  bool in_check = !r.check_scope.empty();
  auto failed_read = [&] {
    if (in_check) {  // inside a check block a problem is a warning, and the check fails with it
      run.world.add_check_problem(check_address(c.addr.module, r.check_scope), out.diags);
      run.recorder.instance_at(c.addr).current =
          make_object(unknown_as_null(c.change.after), *r.schema, "", nullptr, {});
      for (Diagnostic& d : out.diags.mutable_all()) {
        if (d.severity == Severity::Error) d.checked = check_address(c.addr.module, r.check_scope);
        d.severity = Severity::Warning, d.from_check = true;
      }
      out.diags.recount();
      return c.change.after.is_wholly_known() ? c.change.after : unknown;
    }
    run.recorder.fail(c.addr);
    return unknown;
  };
  if (!check_conditions(run, RuleKind::Precondition, j, c.addr, nullptr, out)) return failed_read();
  std::vector<PathMarks> marks;
  const Value marked =
      schema::decode(r.content, block, ModuleScope(run.world, *j.module, j.repetition), out.diags);
  Value config_value = unmark_with_paths(marked, marks);
  if (out.diags.has_errors()) return failed_read();
  if (!config_value.is_wholly_known()) {
    out.diags.error(
        "Configuration contains unknown value",
        fmt::format("The configuration of {} still depends on a value that is not known.", c.addr.text()),
        r.range);
    return failed_read();
  }
  std::optional<Value> answer = ask_provider(run, j, config_value, out.diags);
  hide_secrets(marked, block, out.diags);
  if (!answer) return failed_read();
  Value result = apply_marks(*answer, marks, block);
  run.tell(&Hooks::read_done, c.addr, object_id(result), 0);
  run.recorder.instance_at(c.addr).current = make_object(result, *r.schema, "", nullptr, {});
  if (!check_conditions(run, RuleKind::Postcondition, j, c.addr, &result, out)) run.recorder.fail(c.addr);
  return result;
}

Value open_ephemeral(ApplyRun& run, const Job& j, const AbsInstance& addr, InstanceResult& out) {
  const CallSubject about(addr);
  const config::Resource& r = *j.resource;
  const schema::Block& block = r.schema->block;
  const auto index = static_cast<uint32_t>(&r - j.module->node->module->resources.data());
  const auto chosen = chosen_provider(run.world, *j.module, index, j.repetition, out.diags);
  Value unknown = Value::unknown(block.implied_type()).with_marks(kEphemeral);
  if (!chosen) return unknown;
  const ProviderConfigAddr& paddr = *chosen;
  const Value marked =
      schema::decode(r.content, block, ModuleScope(run.world, *j.module, j.repetition), out.diags);
  std::vector<PathMarks> marks;
  const Value config_value = unmark_with_paths(marked, marks);
  if (out.diags.has_errors()) return unknown;
  if (run.plan.deferral_allowed &&
      (!config_value.is_wholly_known() || run.deferrals.is_unconfigured(run.cg.provider_by_addr.at(paddr))))
    return unknown;
  run.tell(&Hooks::ephemeral_start, addr, "open");
  OpenEphemeralResponse response = j.provider->open_ephemeral(r.addr.type, config_value);
  add_provider_diags(response.diags, addr, &r, out.diags);
  hide_secrets(marked, block, out.diags);
  run.tell(out.diags.has_errors() ? &Hooks::ephemeral_failed : &Hooks::ephemeral_done, addr, "open");
  if (out.diags.has_errors()) return unknown;
  if (response.deferred != Deferral::None) {
    if (!run.plan.deferral_allowed) refuse_deferral(addr, &r, out.diags);
    return unknown;
  }
  if (auto v = check_conforms(block, response.result); !v.empty() || response.result.is_null()) {
    if (response.result.is_null()) v.push_back({{}, "the result is null"});
    add_violations("Provider produced invalid object", "when it opened", paddr.provider, addr, v, out.diags);
    return unknown;
  }
  run.opened.push(j.node, addr, j.provider, response);
  return opened_value(response.result, marks);
}

}  // namespace xplan::applying
