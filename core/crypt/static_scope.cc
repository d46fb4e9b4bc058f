// Resolves names in encryption blocks.
#include "core/crypt/static_scope.h"

#include <fmt/format.h>

#include <utility>

namespace xplan::crypt {
namespace {

constexpr std::string_view kBadReference = "Invalid reference in the encryption block";

template <class List>
std::string nearest(Symbol name, const List& list) {
  std::vector<std::string_view> names;
  for (const auto& x : list) names.push_back(x.name.sv());
  const std::string_view near = did_you_mean(name.sv(), names);
  return near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near);
}

}  // namespace

StaticScope::StaticScope(const config::Module* root, const Variables& variables,
                         const Environment& environment)
    : root_(root), variables_(variables), environment_(environment) {
  eval::register_core_functions(functions_);
  functions_.base_dir = ".";
  functions_.stop = environment.stop;
}

std::optional<Value> StaticScope::variable(const syntax::Traversal& t, Symbol name,
                                           Diagnostics& diags) const {
  const auto given = variables_.find(name);
  if (given != variables_.end() && given->second.is_wholly_known()) return given->second;
  const int declared = root_ ? root_->find_variable(name) : -1;
  if (declared >= 0 && environment_.validating) return Value::unknown();
  if (declared >= 0)
    diags.error("No value for variable in the encryption block",
                fmt::format("The input variable \"{0}\" has no value. The encryption block uses it before a "
                            "state or a plan file is read, so it must be set, for example with the "
                            "environment variable TF_VAR_{0}.",
                            name.sv()),
                t.range);
  else
    diags.error(kBadReference,
                fmt::format("The root module has no input variable \"{}\".{}", name.sv(),
                            root_ ? nearest(name, root_->variables) : ""),
                t.range);
  return std::nullopt;
}

std::optional<Value> StaticScope::local(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const {
  const int index = root_ ? root_->find_local(name) : -1;
  if (index < 0) {
    diags.error(kBadReference,
                fmt::format("The root module has no local value \"{}\".{}", name.sv(),
                            root_ ? nearest(name, root_->locals) : ""),
                t.range);
    return std::nullopt;
  }
  if (!under_way_.insert(name).second) {
    diags.error(kBadReference, fmt::format("The local value \"{}\" depends on itself.", name.sv()), t.range);
    return std::nullopt;
  }
  const size_t errors = diags.error_count();
  Value v = eval::evaluate(*root_->locals[static_cast<size_t>(index)].expr, *this, diags);
  under_way_.erase(name);
  return diags.error_count() == errors ? std::optional(std::move(v)) : std::nullopt;
}

std::optional<Value> StaticScope::subject(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const {
  const std::string_view root = t.root.sv(), attribute = name.sv();
  if (root == "var" && !name.empty()) return variable(t, name, diags);
  if (root == "local" && !name.empty()) return local(t, name, diags);
  if (root == "path" && (attribute == "module" || attribute == "root"))
    return Value::string(root_ ? root_->dir : ".");
  if (root == "path" && attribute == "cwd") return Value::string(environment_.cwd);
  if (root == "terraform" && attribute == "workspace") return Value::string(environment_.workspace);
  diags.error(kBadReference,
              "The encryption block is needed before the state is read, so it can only refer to input "
              "variables and local values of the root module, to path and to terraform.workspace.",
              t.range);
  return std::nullopt;
}

Value StaticScope::resolve(const syntax::Traversal& t, Diagnostics& diags) const {
  const Symbol name = !t.steps.empty() && t.steps[0].is_attr ? t.steps[0].attr : Symbol();
  std::optional<Value> v = subject(t, name, diags);
  if (!v) return Value::unknown();
  return eval::apply_steps(v->with_marks(kSensitive), t.steps.subspan(1), diags);
}

}  // namespace xplan::crypt
