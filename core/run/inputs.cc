// Collects the variables of a run: given values first, then the front end is asked for those that are
// missing.
#include "core/run/inputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace xplan::run {
namespace {

void ask_for_missing(const Context& c, const config::Module& root, FrontEnd& front,
                     config::InputValues& inputs, Diagnostics& diags) {
  std::vector<const config::Variable*> missing = config::missing_inputs(root, inputs);
  std::sort(missing.begin(), missing.end(),
            [](const config::Variable* a, const config::Variable* b) { return a->name.sv() < b->name.sv(); });
  for (const config::Variable* v : missing) {
    const size_t errors = diags.error_count();
    const std::optional<std::string> answer = front.ask(*v, diags);
    if (!answer || diags.error_count() != errors) return;
    config::InputValue in;
    in.from = config::InputValue::From::Prompt;
    in.origin = config::kPrompt;
    in.value = config::parse_input_text(c.sources, *v, *answer, diags);
    inputs.emplace(v->name, std::move(in));
  }
}

std::string place_of(const SourceTable& sources, Range r) {
  ResolvedRange at;
  if (!sources.resolve(r, at)) return {};
  return fmt::format("{}:{}:{}", at.file, at.start.line, at.start.column);
}

std::vector<PlanVariable> for_plan(const SourceTable& sources, const config::Module& root,
                                   const config::InputValues& inputs) {
  std::vector<PlanVariable> out;
  for (const config::Variable& v : root.variables) {
    auto it = inputs.find(v.name);
    const bool from_default = it == inputs.end();
    if (from_default && !v.has_default) continue;
    PlanVariable p;
    p.name = v.name;
    p.ephemeral = v.ephemeral;
    p.from_default = from_default;
    if (!from_default) p.origin = it->second.origin, p.place = place_of(sources, it->second.range);
    p.value = (from_default ? v.default_value : it->second.value).unmark_deep();
    out.push_back(std::move(p));
  }
  return out;
}

}  // namespace

config::InputValues given_inputs(const Context& c, const config::Module& root, const InputRequest& request,
                                 Diagnostics& diags) {
  config::InputOptions o;
  o.environment = request.environment;
  o.options = request.options;
  o.dir = request.dir;
  o.any_name = request.any_name;
  if (&c.files == &real_fs())
    o.read_given = [&c](const std::string& path) { return read_given(path, c.stop); };
  return config::collect_inputs(c.files, c.sources, root, o, diags);
}

Inputs read_inputs(const Context& c, const config::Module& root, const InputRequest& request, FrontEnd& front,
                   Diagnostics& diags) {
  config::InputValues inputs = given_inputs(c, root, request, diags);
  if (request.ask && !request.may_be_missing && !diags.has_errors()) {
    ask_for_missing(c, root, front, inputs, diags);
    if (diags.has_errors()) return {};
  }
  if (!request.may_be_missing) config::report_missing_inputs(config::missing_inputs(root, inputs), diags);
  return {config::finalize_inputs(root, inputs, diags), for_plan(c.sources, root, inputs)};
}

}  // namespace xplan::run
