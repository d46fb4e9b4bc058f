// Resolves names in what is evaluated before anything is planned.
#include "core/config/static_scope.h"

#include <fmt/format.h>

#include <utility>

#include "core/config/dialect.h"
#include "core/config/functions.h"
#include "core/config/inputs.h"

namespace xplan::config {
namespace {

template <class List>
std::string nearest(Symbol name, const List& list) {
  std::vector<std::string_view> names;
  for (const auto& x : list) names.push_back(x.name.sv());
  const std::string_view near = did_you_mean(name.sv(), names);
  return near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near);
}

std::string capitalized(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

}  // namespace

StaticScope::StaticScope(const Module* root, Variables variables, StaticUse use)
    : module_(root), variables_(std::move(variables)), use_(std::move(use)) {
  register_functions(functions_);
  functions_.base_dir = ".";
  functions_.stop = use_.stop;
}

StaticScope::StaticScope(const Module& module, const ModuleCall& call,
                         std::shared_ptr<const StaticScope> caller)
    : module_(&module), call_(&call), caller_(std::move(caller)) {}

void StaticScope::bad_reference(std::string detail, Range where, Diagnostics& diags) const {
  diags.error(fmt::format("Invalid reference in {}", use().what), std::move(detail), where);
}

template <class Find>
std::optional<Value> StaticScope::once(Name name, Diagnostics& diags, Find find) const {
  if (failed_.count(name)) return std::nullopt;
  if (const auto known = found_.find(name); known != found_.end()) return known->second;
  const size_t errors = diags.error_count();
  std::optional<Value> v = find();
  if (!v || diags.error_count() != errors) {
    failed_.insert(name);
    return std::nullopt;
  }
  return found_.emplace(name, std::move(*v)).first->second;
}

// What the call says; its default otherwise.
std::optional<Value> StaticScope::argument(const Variable& v, Diagnostics& diags) const {
  for (const syntax::Attribute& a : call_->arguments) {
    if (a.name != v.name) continue;
    const size_t errors = diags.error_count();
    const Value given = eval::evaluate(*a.expr, *caller_, diags);
    if (diags.error_count() != errors || (!given.is_wholly_known() && caller_->had_errors()))
      return std::nullopt;
    return finalize_variable(v, given, a.expr->range, diags);
  }
  if (v.has_default) return finalize_variable(v, v.default_value, v.range, diags);
  return std::nullopt;  // reported with the call
}

std::optional<Value> StaticScope::given(const syntax::Traversal& t, const Variable& v,
                                        Diagnostics& diags) const {
  if (caller_) return argument(v, diags);
  used_.insert(v.name);
  const VariableValues* values = variables_(diags);
  if (!values) return std::nullopt;
  const auto given = values->find(v.name);
  if (given != values->end() && given->second.is_wholly_known()) return given->second;
  if (use().validating) return Value::unknown();
  diags.error(fmt::format("No value for variable in {}", use().what),
              fmt::format("The input variable \"{0}\" has no value. {1} uses it before a state or a plan "
                          "file is read, so it must be set, for example with the environment variable "
                          "TF_VAR_{0}.",
                          v.name.sv(), capitalized(use().what)),
              t.range);
  return std::nullopt;
}

void StaticScope::look_up(const Variable& v, Diagnostics& diags) const {
  if (caller_) return (void)once({false, v.name}, diags, [&] { return argument(v, diags); });
  const VariableValues* values = variables_(diags);  // from outside, so they are all known
  if (!values || use().validating) return;
  const auto given = values->find(v.name);
  if (given != values->end() && given->second.is_wholly_known()) return;
  diags.error("No value for constant variable",
              fmt::format("The input variable \"{0}\" is declared with const = true, so its value is needed "
                          "before anything is planned. Set it, for example with the environment variable "
                          "TF_VAR_{0}.",
                          v.name.sv()),
              v.range);
}

std::optional<Value> StaticScope::variable(const syntax::Traversal& t, Symbol name,
                                           Diagnostics& diags) const {
  const int declared = module_ ? module_->find_variable(name) : -1;
  if (declared < 0) {
    bad_reference(fmt::format("{} has no input variable \"{}\".{}", module_text(), name.sv(),
                              module_ ? nearest(name, module_->variables) : ""),
                  t.range, diags);
    return std::nullopt;
  }
  const Variable& v = module_->variables[static_cast<size_t>(declared)];
  if (!v.constant.value_or(true)) {
    bad_reference(fmt::format("{} {}, but the input variable \"{}\" is declared with const = false.",
                              capitalized(use().what), use().why, name.sv()),
                  t.range, diags);
    return std::nullopt;
  }
  if (!caller_) return given(t, v, diags);
  return once({false, name}, diags, [&] { return given(t, v, diags); });
}

std::optional<Value> StaticScope::local(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const {
  const int index = module_ ? module_->find_local(name) : -1;
  if (index < 0) {
    bad_reference(fmt::format("{} has no local value \"{}\".{}", module_text(), name.sv(),
                              module_ ? nearest(name, module_->locals) : ""),
                  t.range, diags);
    return std::nullopt;
  }
  if (under_way_.count(name)) {
    bad_reference(fmt::format("The local value \"{}\" depends on itself.", name.sv()), t.range, diags);
    return std::nullopt;
  }
  return once({true, name}, diags, [&] {
    under_way_.insert(name);
    Value v = eval::evaluate(*module_->locals[static_cast<size_t>(index)].expr, *this, diags);
    under_way_.erase(name);
    return std::optional(std::move(v));
  });
}

std::optional<Value> StaticScope::subject(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const {
  const std::string_view root = t.root.sv(), attribute = name.sv();
  if (root == "var" && !name.empty()) return variable(t, name, diags);
  if (root == "local" && !name.empty()) return local(t, name, diags);
  if (root == "path" && attribute == "module") return Value::string(module_ ? module_->dir : ".");
  if (root == "path" && attribute == "root") {
    const StaticScope* top = this;
    while (top->caller_) top = top->caller_.get();
    return Value::string(top->module_ ? top->module_->dir : ".");
  }
  if (root == "path" && attribute == "cwd") return Value::string(use().cwd);
  const bool workspace = names_product(root) && attribute == "workspace";
  if (workspace && !use().workspace.empty()) {
    used_workspace_ = true;
    return Value::string(use().workspace);
  }
  if (workspace) {
    bad_reference(
        fmt::format("{} decides which workspaces there are, so it cannot depend on the selected one. "
                    "Remove {}.workspace: each workspace has a state of its own in any case.",
                    capitalized(use().what), root),
        t.range, diags);
    return std::nullopt;
  }
  bad_reference(
      fmt::format("{} {}, so it can only refer to input variables and local values of {} module{}.",
                  capitalized(use().what), use().why, caller_ ? "the" : "the root",
                  use().workspace.empty() ? " and to path" : ", to path and to terraform.workspace"),
      t.range, diags);
  return std::nullopt;
}

bool StaticScope::failed(const syntax::Traversal& t) const {
  const bool local = t.root.sv() == "local";
  if (t.steps.empty() || !t.steps[0].is_attr || (!local && t.root.sv() != "var")) return false;
  return failed_.count({local, t.steps[0].attr}) > 0;
}

Value StaticScope::resolve(const syntax::Traversal& t, Diagnostics& diags) const {
  const Symbol name = !t.steps.empty() && t.steps[0].is_attr ? t.steps[0].attr : Symbol();
  std::optional<Value> v = subject(t, name, diags);
  if (!v) return Value::unknown();
  return eval::apply_steps(v->with_marks(use().marks), t.steps.subspan(1), diags);
}

}  // namespace xplan::config
