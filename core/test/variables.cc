// Collects, evaluates and finalizes variables of tests.
#include "core/test/variables.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "core/base/clock.h"
#include "core/config/functions.h"
#include "core/eval/eval.h"
#include "core/plan/given.h"

namespace xplan::test {
namespace {

using config::InputValue;
using config::InputValues;

eval::FunctionTable make_functions() {
  eval::FunctionTable t;
  config::register_functions(t);
  t.base_dir = ".", t.now = utc_now();
  return t;
}

// What expressions of variables see: nothing but what the test gives.
class GivenScope : public eval::Scope {
 public:
  GivenScope(const config::Given& given, bool runs) : given_(given), runs_(runs) {}
  const eval::FunctionTable& functions() const override {
    if (!functions_) functions_ = make_functions();
    return *functions_;
  }
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override {
    if (t.root.sv() == "var") return of_variable(t, diags);
    if (t.root.sv() == "run" && runs_) return of_run(t, diags);
    diags.error(
        "Invalid reference",
        runs_ ? "Variables of a run block can only refer to variables of the file or of all tests (var.x) "
                "and to outputs of earlier run blocks (run.name.output)."
              : "Variables of a test file can only refer to variables that are given for all tests "
                "(var.x).",
        t.range);
    return Value::unknown();
  }

 private:
  Value of_variable(const syntax::Traversal& t, Diagnostics& diags) const {
    const bool named = !t.steps.empty() && t.steps[0].is_attr;
    if (!named || given_.var.type().find_attr(t.steps[0].attr) >= 0)
      return resolve_given(&given_, config::GivenName::Var, t, diags);
    diags.error(
        "Invalid reference",
        fmt::format(
            "var.{} has no value here: variables of a {}.", t.steps[0].attr.sv(),
            runs_ ? "run block can refer to those of the file and those given for all tests, not to others"
                  : "test file can refer to those given for all tests (with -var, -var-file or TF_VAR_NAME), "
                    "not to "
                    "others"),
        t.range);
    return Value::unknown();
  }
  Value of_run(const syntax::Traversal& t, Diagnostics& diags) const {
    const size_t errors = diags.error_count();
    Value v = resolve_given(&given_, config::GivenName::Run, t, diags);
    if (diags.error_count() != errors || t.steps.size() < 2 || v.is_known()) return v;
    diags.error(
        "Reference to unknown value",
        fmt::format("The value of {} is not known, because run block \"{}\" only plans (command = plan) "
                    "and this output is known after apply.",
                    names(t), t.steps[0].attr.sv()),
        t.range);
    return v;
  }
  static std::string names(const syntax::Traversal& t) {
    return fmt::format("run.{}.{}", t.steps[0].attr.sv(), t.steps[1].attr.sv());
  }
  const config::Given& given_;
  const bool runs_;
  mutable std::optional<eval::FunctionTable> functions_;  // the first call makes it: the time is that of now
};

Value as_object(const InputValues& values) {
  std::vector<std::pair<Symbol, Value>> attrs;
  for (const auto& [name, v] : values) attrs.emplace_back(name, v.value);
  return Value::object(std::move(attrs));
}

void add_names(const std::vector<syntax::Attribute>& attributes, std::unordered_set<Symbol>& names) {
  for (const syntax::Attribute& a : attributes) {
    std::vector<const syntax::Traversal*> used;
    syntax::collect_traversals(*a.expr, used);
    names.insert(a.name);
    for (const syntax::Traversal* t : used)
      if (t->root.sv() == "var" && !t->steps.empty() && t->steps[0].is_attr) names.insert(t->steps[0].attr);
  }
}

// The module's variables, and those that test files declare.
std::unique_ptr<config::Module> declared_for(const config::Module& under_test,
                                             const config::TestSuite& suite) {
  auto out = std::make_unique<config::Module>();
  out->variables = under_test.variables;
  std::unordered_set<Symbol> declared;
  for (const config::Variable& v : under_test.variables) declared.insert(v.name);
  for (const config::TestFile& f : suite.files)
    for (const config::Variable& v : f.module->variables)
      if (declared.insert(v.name).second) out->variables.push_back(v);
  for (uint32_t i = 0; i < out->variables.size(); ++i)
    out->index.variables.emplace(out->variables[i].name, i);
  return out;
}

// Of the environment or an option.
Value expression_or_text(const Value& text) {
  SourceTable own;
  Diagnostics wrong;
  const syntax::Expr* e = nullptr;
  const auto file = syntax::parse_expression(own, "<value>", std::string(text.as_string()), e, wrong);
  if (wrong.has_errors() || !e) return text;
  Value v = eval::evaluate_constant(*e, wrong);
  return wrong.has_errors() ? text : v;
}

void warn_of_undeclared(const config::TestRunBlock& run, const config::Module& module, Diagnostics& diags) {
  for (const syntax::Attribute& a : run.variables)
    if (module.find_variable(a.name) < 0)
      diags.warn("Value for undeclared variable",
                 fmt::format("The module under test in the run block \"{}\" does not declare the variable "
                             "\"{}\", so this value is ignored.",
                             run.name.sv(), a.name.sv()),
                 a.range);
}

// Problems of the file's variables that the run takes or refers to.
void report_used(const config::TestRunBlock& run, const config::Module& module, const ProblemsOf& problems,
                 Diagnostics& diags) {
  std::unordered_set<Symbol> own, used;
  add_names(run.variables, used);
  for (const syntax::Attribute& a : run.variables) own.insert(a.name), used.erase(a.name);
  for (const config::Variable& v : module.variables)
    if (!own.contains(v.name)) used.insert(v.name);
  for (const auto& [name, found] : problems)
    if (used.contains(Symbol(name)))
      for (const Diagnostic& d : found.all()) diags.add(d);
}

void report_missing(const config::TestRunBlock& run, const config::Module& module, const InputValues& values,
                    Diagnostics& diags) {
  for (const config::Variable* v : config::missing_inputs(module, values))
    diags.error(
        "No value for required variable",
        fmt::format("The module that run block \"{}\" runs has a required variable \"{}\", which is not "
                    "set. Set it in a block of type \"variables\" of the file or the run block, or with "
                    "the option -var or -var-file.",
                    run.name.sv(), v->name.sv()),
        v->range);
}

// Marks and types as they are in the module.
std::vector<PlanVariable> for_plan(const config::Module& module, const InputValues& values) {
  std::vector<PlanVariable> out;
  for (const config::Variable& v : module.variables) {
    auto it = values.find(v.name);
    if (it == values.end() && !v.has_default) continue;
    PlanVariable p;
    p.name = v.name, p.ephemeral = v.ephemeral, p.from_default = it == values.end();
    p.value = (p.from_default ? v.default_value : it->second.value).unmark_deep();
    out.push_back(std::move(p));
  }
  return out;
}

}  // namespace

GlobalValues global_values(const run::Context& c, const config::Module& under_test,
                           const config::TestSuite& suite, run::InputRequest request,
                           const std::string& test_dir, Diagnostics& diags) {
  const auto declared = declared_for(under_test, suite);
  request.any_name = true;
  GlobalValues out;
  out.beside = run::given_inputs(c, *declared, request, diags);
  for (auto& [name, v] : out.beside)
    if (declared->find_variable(name) < 0 && v.value.is_string() && !v.range.valid())
      v.value = expression_or_text(v.value);
  run::InputRequest of_tests;
  of_tests.dir = test_dir, of_tests.any_name = true;
  out.in_test_dir = run::given_inputs(c, *declared, of_tests, diags);
  out.in_test_dir.insert(out.beside.begin(), out.beside.end());  // those that are there count more
  for (InputValues* values : {&out.beside, &out.in_test_dir})
    for (const config::Variable& v : under_test.variables)
      if (auto it = values->find(v.name); it != values->end() && v.sensitive)
        it->second.value = it->second.value.with_marks(kSensitive);
  return out;
}

namespace {

// The value of a variable that the test file declares: what is given, or its default. Nothing: neither.
void settle(const config::Variable& v, const std::string& path, InputValues& values, ProblemsOf& problems) {
  const auto given = values.find(v.name);
  if (given == values.end() && !v.has_default) return;
  Diagnostics found;
  InputValue settled = given == values.end()
                           ? InputValue{v.default_value, v.range, InputValue::From::File, path}
                           : given->second;
  const Range where = settled.range.valid() ? settled.range : v.range;
  settled.value = config::finalize_variable(v, settled.value, where, found);
  values.insert_or_assign(v.name, std::move(settled));
  if (!found.empty()) problems[v.name.sv()].append(std::move(found));
}

}  // namespace

ProblemsOf add_file_values(const config::TestFile& file, InputValues& values) {
  ProblemsOf problems;
  for (const config::Variable& v : file.module->variables) settle(v, file.path, values, problems);
  config::Given given;
  given.var = as_object(values);
  const GivenScope scope(given, false);
  for (const syntax::Attribute& a : file.variables) {
    Diagnostics found;
    values[a.name] = {eval::evaluate(*a.expr, scope, found), a.expr->range, InputValue::From::File,
                      file.path};
    if (!found.empty()) problems[a.name.sv()].append(std::move(found));
    if (const int i = file.module->find_variable(a.name); i >= 0)
      settle(file.module->variables[static_cast<size_t>(i)], file.path, values, problems);
  }
  return problems;
}

RunValues run_values(const config::TestRunBlock& run, const config::Module& module,
                     const InputValues& of_file, const ProblemsOf& problems, const Value& runs,
                     Diagnostics& diags) {
  if (!problems.empty()) report_used(run, module, problems, diags);
  InputValues values = of_file;
  config::Given given;
  given.var = as_object(values), given.run = runs;
  const GivenScope scope(given, true);
  warn_of_undeclared(run, module, diags);
  for (const syntax::Attribute& a : run.variables)
    values[a.name] = {eval::evaluate(*a.expr, scope, diags), a.expr->range, InputValue::From::File, {}};
  RunValues out;
  if (diags.has_errors()) return out;
  report_missing(run, module, values, diags);
  if (diags.has_errors()) return out;
  out.root = config::finalize_inputs(module, values, diags);
  out.given = for_plan(module, values);
  for (const auto& [name, v] : values)
    if (v.range.valid()) out.places.emplace("var." + std::string(name.sv()), v.range);
  for (const auto& [name, v] : out.root) values[name].value = v;
  out.all = as_object(values);
  return out;
}

}  // namespace xplan::test
