// Resolves the names that only a test defines (run.NAME.OUTPUT, var.NAME, output.NAME), and reports those
// that do not exist.
#include "core/plan/given.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/eval/eval.h"

namespace xplan {
namespace {

using config::GivenName;

Value refuse(std::string_view summary, std::string detail, Range where, Diagnostics& diags) {
  diags.error(summary, std::move(detail), where);
  return Value::unknown();
}

Value missing(GivenName kind, const Value& names, const syntax::Traversal& t, Diagnostics& diags) {
  const std::string_view name = t.steps[0].attr.sv();
  std::vector<std::string_view> known;
  for (Symbol n : names.type().attr_names()) known.push_back(n.sv());
  std::string near(did_you_mean(name, known));
  if (!near.empty()) near = " Did you mean " + in_quotes(near) + "?";
  switch (kind) {
    case GivenName::Run:
      return refuse("Reference to unavailable run block",
                    fmt::format("There is no run block \"{}\" before this one in the file. Only run blocks "
                                "that were executed before can be referred to.{}",
                                name, near),
                    t.range, diags);
    case GivenName::Var:
      return refuse("Undeclared input variable",
                    fmt::format("There is no input variable \"{}\" in the module that is run, and the test "
                                "does not set a value with that name.{}",
                                name, near),
                    t.range, diags);
    case GivenName::Output:
      return refuse("Undeclared output value",
                    fmt::format("There is no output value \"{}\" in the module that is run.{}", name, near),
                    t.range, diags);
  }
  return Value::unknown();
}

}  // namespace

Value resolve_given(const config::Given* given, GivenName name, const syntax::Traversal& t,
                    Diagnostics& diags) {
  if (!given) return Value::unknown();
  if (t.steps.empty() || !t.steps[0].is_attr)
    return refuse("Invalid reference",
                  fmt::format("\"{0}\" must be followed by a period and a name: {0}.name.", t.root.sv()),
                  t.range, diags);
  const Value& names = given->of(name);
  const std::vector<Symbol> known(names.type().attr_names().begin(), names.type().attr_names().end());
  if (std::find(known.begin(), known.end(), t.steps[0].attr) == known.end())
    return missing(name, names, t, diags);
  return eval::apply_steps(names, t.steps, diags);
}

}  // namespace xplan
