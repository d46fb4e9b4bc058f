// Evaluates variables (with validation rules), locals, outputs, conditions and check blocks of one module
// instance. Shared by planning, validation, applying and the console.
#include "core/plan/evaluate.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/config/inputs.h"
#include "core/eval/limits.h"
#include "core/value/storable.h"

namespace xplan {
namespace {

std::string_view failed_summary(RuleKind k) {
  switch (k) {
    case RuleKind::Precondition:
      return "Resource precondition failed";
    case RuleKind::Postcondition:
      return "Resource postcondition failed";
    case RuleKind::OutputPrecondition:
      return "Module output value precondition failed";
    case RuleKind::Assert:
      return "Check block assertion failed";
    case RuleKind::Validation:
      return "Invalid value for variable";
    case RuleKind::Test:
      return "Test assertion failed";
  }
  return "";
}

// A secret is never told: of `remarks` it is up to the caller to tell them.
std::string message_of(const config::CheckRule& rule, const eval::Scope& scope, Diagnostics& remarks,
                       Diagnostics& diags) {
  if (!rule.error_message) return "The condition is not met.";
  Diagnostics own;
  Value v = eval::evaluate(*rule.error_message, scope, own);
  if (own.has_errors())
    return diags.append(std::move(own)), "(the error message itself could not be evaluated)";
  const Marks marks = v.deep_marks();
  if (marks & (kEphemeral | kSensitive)) {
    const bool ephemeral = marks & kEphemeral;
    const std::string_view kind = ephemeral ? "an ephemeral" : "a sensitive";
    remarks.warn(
        ephemeral ? "Error message refers to ephemeral values" : "Error message refers to sensitive values",
        fmt::format("The text of error_message is derived from {} value and is therefore not shown. "
                    "Use {}() on the parts that are not secret.",
                    kind, ephemeral ? "ephemeralasnull" : "nonsensitive"),
        rule.error_message->range);
    return fmt::format("(the message is derived from {} value and is not shown)", kind);
  }
  auto text = convert(v, Type::string());
  if (!text || text->is_null()) {
    diags.error("Invalid error message", "The argument \"error_message\" must be a string that is not null.",
                rule.error_message->range);
    return "(the error message is not a string)";
  }
  if (text->is_unknown()) return "(the message depends on values known only after apply)";
  return std::string(trimmed(text->as_string()));  // a heredoc ends with a newline
}

constexpr std::string_view kUndecided = "Check block assertion known after apply";

// Whether an assertion holds is not known until what it reads has been applied.
CheckStatus undecided(const config::CheckRule& rule, const eval::Scope& scope, const CheckObject& object,
                      Diagnostics& diags) {
  Diagnostic d;
  d.severity = Severity::Warning;
  d.summary = kUndecided;
  d.detail =
      "The condition depends on values that are not known yet. It will be checked when this plan is applied.";
  d.subject = rule.condition->range;
  d.from_check = true;
  d.checked = object.object_addr;
  eval::describe_names(d, *rule.condition, scope);
  diags.add(std::move(d));
  return CheckStatus::Unknown;
}

// Of a test, which ends here.
CheckStatus undecidable(const config::CheckRule& rule, const eval::Scope& scope, Diagnostics& diags) {
  Diagnostic& d = diags.error("Unknown condition value",
                              "The condition depends on values that are known only after apply. Remove them "
                              "from the condition, use command = apply in the run block, or, if an override "
                              "or a mock provides the value, set override_during = plan there.",
                              rule.condition->range);
  eval::describe_names(d, *rule.condition, scope);
  return CheckStatus::Error;
}

// The two sides of a condition that compares; null: it does something else.
std::shared_ptr<const Compared> compared(const syntax::Expr& condition, const eval::Scope& scope) {
  const syntax::Expr* e = &condition;
  while (e->kind == syntax::ExprKind::Parens) e = e->a;
  if (e->kind != syntax::ExprKind::Binary || e->op < syntax::Op::Eq) return nullptr;
  Diagnostics known;  // the condition itself could be evaluated
  const Value left = eval::evaluate(*e->a, scope, known), right = eval::evaluate(*e->b, scope, known);
  if (known.has_errors()) return nullptr;
  const Type a = left.type(), b = right.type();
  const bool differ = a != b && !a.is_dynamic() && !b.is_dynamic();
  return std::make_shared<Compared>(
      Compared{eval::console_text(left), eval::console_text(right),
               differ ? fmt::format("The two sides have different types: {} and {}.",
                                    with_article(a.friendly_name()), with_article(b.friendly_name()))
                      : ""});
}

CheckStatus evaluate_rule(const config::CheckRule& rule, RuleKind kind, const eval::Scope& scope,
                          std::optional<Severity> failure, Range about, CheckObject& object,
                          Diagnostics& diags) {
  if (!rule.condition) return CheckStatus::Error;
  // Both are evaluated whatever comes of the other: a mistake in either is an error, however light a failure
  // of the rule itself would be.
  const size_t before = diags.error_count();
  Diagnostics remarks;
  std::string message = message_of(rule, scope, remarks, diags);
  const bool hidden = !remarks.empty();
  // Of a variable it is told only when the message is needed, as in
  // testdata/oracle/error-messages-with-secrets.
  if (failure && kind != RuleKind::Validation) diags.append(std::move(remarks));
  Value v = eval::evaluate(*rule.condition, scope, diags);
  if (diags.error_count() != before) return CheckStatus::Error;
  v = v.unmark_deep();
  auto b = convert(v, Type::boolean());
  if (!b || b->is_null()) {
    Diagnostic& d = diags.error(
        "Invalid condition result",
        b ? "The condition is null; it must be true or false."
          : fmt::format("The condition is of type {}; it must be true or false.", v.type().friendly_name()),
        rule.condition->range);
    if (kind == RuleKind::Test) eval::describe_names(d, *rule.condition, scope);
    return CheckStatus::Error;
  }
  if (b->is_unknown() && kind == RuleKind::Test) return undecidable(rule, scope, diags);
  if (b->is_unknown())
    return failure && kind == RuleKind::Assert ? undecided(rule, scope, object, diags) : CheckStatus::Unknown;
  if (b->is_true()) return CheckStatus::Pass;
  if (!failure) return CheckStatus::Unknown;
  if (!hidden) object.failure_messages.push_back(message);
  diags.append(std::move(remarks));
  Diagnostic d;
  d.severity = *failure;
  d.summary = failed_summary(kind);
  d.detail = std::move(message);
  d.subject = about.valid() ? about : rule.condition->range;
  if (!rule.place.empty()) d.detail += fmt::format("\n\nThe validation rule is at {}.", rule.place);
  d.from_check = kind == RuleKind::Assert;
  d.checked = object.object_addr;
  if (kind == RuleKind::Test) d.compared = compared(*rule.condition, scope);
  eval::describe_names(d, *rule.condition, scope);
  diags.add(std::move(d));
  return CheckStatus::Fail;
}

// What the call of the module says about the variable; null in the root module, and where it says nothing.
const syntax::Attribute* argument(const ModuleInst& m, const config::Variable& v) {
  if (!m.parent) return nullptr;
  for (const auto& a : m.node->call->arguments)
    if (a.name == v.name) return &a;
  return nullptr;
}

std::optional<Severity> failure(Conditions c) {
  switch (c) {
    case Conditions::Ignored:
    case Conditions::Examined:
      break;
    case Conditions::Reported:
      return Severity::Warning;
    case Conditions::Binding:
      return Severity::Error;
  }
  return std::nullopt;
}

}  // namespace

CheckStatus combine(CheckStatus a, CheckStatus b) {
  auto rank = [](CheckStatus s) {
    switch (s) {
      case CheckStatus::Error:
        return 3;
      case CheckStatus::Fail:
        return 2;
      case CheckStatus::Unknown:
        return 1;
      case CheckStatus::Pass:
        return 0;
    }
    return 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

bool evaluate_rules(const std::vector<config::CheckRule>& rules, RuleKind kind, const eval::Scope& scope,
                    std::optional<Severity> failure, CheckObject& object, Diagnostics& diags, Range about) {
  bool ok = true;
  for (const auto& rule : rules) {
    CheckStatus s = evaluate_rule(rule, kind, scope, failure, about, object, diags);
    object.status = combine(object.status, s);
    ok &= s == CheckStatus::Pass || s == CheckStatus::Unknown;
  }
  return ok;
}

void forget_undecided(Diagnostics& diags) {
  if (diags.empty()) return;
  std::erase_if(diags.mutable_all(),
                [](const Diagnostic& d) { return d.from_check && d.summary == kUndecided; });
  diags.recount();
}

Value evaluate_variable(const World& w, const ModuleInst& m, uint32_t index, const RootValues& root,
                        Diagnostics& diags) {
  const config::Variable& v = m.node->module->variables[index];
  Marks marks = static_cast<Marks>((v.sensitive ? kSensitive : 0) | (v.ephemeral ? kEphemeral : 0));
  if (!m.parent) {
    auto it = root.find(v.name);
    if (w.op == Operation::Validate || it == root.end()) return Value::unknown(v.type.type).with_marks(marks);
    return it->second;
  }
  const syntax::Attribute* given = argument(m, v);
  if (!given)
    return v.has_default ? v.default_value.with_marks(marks) : Value::unknown(v.type.type).with_marks(marks);
  ModuleScope scope(w, *m.parent, &m.repetition);
  size_t before = diags.error_count();
  Value value = eval::evaluate(*given->expr, scope, diags);
  if (diags.error_count() != before) return Value::unknown(v.type.type).with_marks(marks);
  if (!v.ephemeral && (value.deep_marks() & kEphemeral)) {
    diags.error("Ephemeral value not allowed",
                fmt::format("The input variable \"{}\" is not declared as ephemeral, so it cannot take an "
                            "ephemeral value. Add "
                            "ephemeral = true to its declaration if it is only used where that is allowed.",
                            v.name.sv()),
                given->expr->range);
    return Value::unknown(v.type.type).with_marks(marks);
  }
  return config::finalize_variable(v, value, given->expr->range, diags);
}

void validate_variable(const World& w, const ModuleInst& m, uint32_t index, CheckResult& check,
                       Diagnostics& diags) {
  const config::Variable& v = m.node->module->variables[index];
  CheckObject object;
  object.object_addr = (m.addr.is_root() ? "" : m.addr.text() + ".") + "var." + std::string(v.name.sv());
  object.status = CheckStatus::Pass;
  ModuleScope scope(w, m);
  const syntax::Attribute* given = argument(m, v);
  evaluate_rules(v.validations, RuleKind::Validation, scope, Severity::Error, object, diags,
                 given ? given->expr->range : v.range);
  check.objects.push_back(std::move(object));
}

Value evaluate_local(const World& w, const ModuleInst& m, uint32_t index, Diagnostics& diags) {
  const config::Local& l = m.node->module->locals[index];
  return l.expr ? eval::evaluate(*l.expr, ModuleScope(w, m), diags) : Value::unknown();
}

namespace {

// The value of an output as the type that it declares.
bool as_declared(const config::Output& o, Value& out, Diagnostics& diags) {
  if (!o.type) return true;
  ConversionError why;
  std::optional<Value> converted = convert(out, *o.type, &why);
  if (converted) return out = std::move(*converted), true;
  diags.error("Invalid output value",
              fmt::format("The value of output \"{}\" does not match its type: {}.", o.name.sv(),
                          out.contains_marks() ? why.message : why.text()),
              o.expr->range);
  return out = Value::unknown(o.type->type), false;
}

}  // namespace

bool evaluate_output(const World& w, const ModuleInst& m, uint32_t index, Conditions conditions,
                     CheckResult& check, Value& out, Diagnostics& diags) {
  const config::Output& o = m.node->module->outputs[index];
  ModuleScope scope(w, m);
  if (!o.preconditions.empty() && conditions != Conditions::Ignored) {
    CheckObject object;
    object.object_addr = (m.addr.is_root() ? "" : m.addr.text() + ".") + "output." + std::string(o.name.sv());
    object.status = CheckStatus::Pass;
    bool ok = evaluate_rules(o.preconditions, RuleKind::OutputPrecondition, scope, failure(conditions),
                             object, diags);
    check.objects.push_back(std::move(object));
    if (!ok && conditions != Conditions::Reported) return out = Value::unknown(), false;
  }
  if (!o.expr) return out = Value::unknown(), false;
  size_t before = diags.error_count();
  out = eval::evaluate(*o.expr, scope, diags);
  if (diags.error_count() != before || !as_declared(o, out, diags)) return false;
  Marks marks = out.contains_marks() ? out.deep_marks() : 0;
  if (!m.parent) {
    std::optional<Path> infinite;
    out = storable_numbers(out, infinite);
    if (infinite) {
      diags.error("Infinite number",
                  fmt::format("The value of output \"{}{}\" is an infinite number, which a state cannot "
                              "store. Division by zero is a common cause.",
                              o.name.sv(), path_text(*infinite)),
                  o.expr->range);
      return out = Value::unknown(), false;
    }
    if ((marks & kSensitive) && !o.sensitive) {
      diags.error(
          "Output refers to sensitive values",
          fmt::format(
              "The value of output \"{}\" contains a sensitive value. Add sensitive = true to the output so "
              "that it is not shown by accident, or use nonsensitive() if it is not secret.",
              o.name.sv()),
          o.range);
      return out = Value::unknown(out.type()), false;
    }
  }
  if ((marks & kEphemeral) && !o.ephemeral) {
    diags.error(
        "Ephemeral value not allowed",
        fmt::format("The value of output \"{}\" is ephemeral, but the output is not declared as ephemeral{}.",
                    o.name.sv(), m.parent ? "" : " (and an output of the root module cannot be)"),
        o.expr->range);
    return out = Value::unknown(out.type()), false;
  }
  if (o.ephemeral && !out.has_mark(kEphemeral)) {
    diags.error("Ephemeral value required",
                fmt::format("The output \"{}\" is declared as ephemeral, but its value is not. Remove "
                            "ephemeral = true, or set the output to an ephemeral value.",
                            o.name.sv()),
                o.expr->range);
    return out = Value::unknown(out.type()), false;
  }
  if (o.ephemeral) out = out.with_marks(kEphemeral);
  return true;
}

std::string check_address(const ModuleInstance& m, Symbol check) {
  return (m.is_root() ? "" : m.text() + ".") + "check." + std::string(check.sv());
}

void evaluate_check(const World& w, const ModuleInst& m, uint32_t index, Conditions conditions,
                    CheckResult& check, Diagnostics& diags) {
  const config::Check& c = m.node->module->checks[index];
  CheckObject object;
  object.object_addr = check_address(m.addr, c.name);
  object.status = CheckStatus::Pass;
  object.failure_messages = w.check_problems(object.object_addr);
  if (!object.failure_messages.empty())
    object.status = CheckStatus::Fail;
  else
    evaluate_rules(c.asserts, RuleKind::Assert, ModuleScope(w, m),
                   failure(std::min(conditions, Conditions::Reported)), object, diags);
  check.objects.push_back(std::move(object));
}

}  // namespace xplan
