// Rendering for templatefile and templatestring: parses the text, evaluates it with the given variables, and
// turns its diagnostics into one message of the call.
#include "core/eval/functions/templates.h"

#include <array>
#include <unordered_set>

#include "core/base/text.h"
#include "core/diag/source.h"
#include "core/eval/evaluator.h"
#include "core/eval/limits.h"
#include "core/syntax/body.h"
#include "core/value/convert.h"

namespace xplan::eval {

namespace {

std::string place_text(const SourceTable& sources, Range range) {
  ResolvedRange at;
  if (!sources.resolve(range, at)) return {};
  return std::string(at.file) + " line " + std::to_string(at.start.line) + ", column " +
         std::to_string(at.start.column);
}

// Templates that render each other report in each other's words. Of a long chain the end counts.
std::string innermost(const std::string& detail) {
  constexpr size_t kLong = 1200, kShown = 500;
  constexpr std::string_view kBegin = "In the template";
  if (detail.size() <= kLong) return detail;
  const size_t last = detail.rfind(kBegin);
  const size_t from = detail.find(kBegin, detail.size() - kShown);
  return last == detail.npos ? detail : "… " + detail.substr(from == detail.npos ? last : from);
}

// The problems of a template as one phrase: the message of the call is their only place.
std::string problems_text(const SourceTable& sources, const Diagnostics& diags) {
  constexpr size_t kMost = 3;
  std::string out;
  size_t shown = 0;
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::Error) continue;
    if (shown++ == kMost) return out + " There are more problems";
    std::string place = place_text(sources, d.subject);
    if (!out.empty()) out += ' ';
    out += "In the template" + (place.empty() ? "" : ", " + place) + ": " + d.summary + ". " +
           innermost(d.detail);
  }
  return out;
}

bool take_variables(const Value& vars, NamesScope& scope, CallError& error) {
  auto add = [&](std::string_view name, const Value& v) {
    if (!syntax::valid_identifier(name)) {
      error = {"\"" + std::string(name) +
                   "\" is not a valid template variable name: a name must begin with a letter and can "
                   "contain only letters, digits, underscores and dashes",
               1};
      return false;
    }
    scope.names.emplace_back(Symbol(name), v);
    return true;
  };
  if (vars.kind() == Kind::Obj) {
    std::span<const Symbol> names = vars.type().attr_names();
    for (size_t i = 0; i < names.size(); i++) {
      if (!add(names[i].sv(), vars.elements()[i])) return false;
    }
    return true;
  }
  if (vars.kind() == Kind::Map) {
    for (size_t i = 0; i < vars.length(); i++) {
      if (!add(vars.map_key(i), vars.elements()[i])) return false;
    }
    return true;
  }
  error = {"the variables of a template must be an object or a map, such as { name = \"value\" }", 1};
  return false;
}

Value fn_templatestring(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  if (!template_allowed(ctx, "templatestring", error)) return {};
  Value v = render_template("(template string)", std::string(a[0].as_string()), a[1], ctx, error);
  if (!error.message.empty()) return {};
  ConversionError problem;
  std::optional<Value> text = convert(v, Type::string(), &problem);
  if (text) return std::move(*text);
  error = {"the result of the template is " + with_article(v.type().friendly_name()) +
               ", but a string is required",
           -1};
  return {};
}

}  // namespace

bool template_allowed(const CallContext& ctx, std::string_view function, CallError& error) {
  const int most = ctx.table->template_depth;
  if (ctx.depth == 0 || ctx.depth <= most) return true;
  if (most < 0) {
    error = {"the environment variable TF_TEMPLATE_RECURSION_DEPTH must be a whole number from 0 on", -1};
  } else if (most == 0) {
    error = {"a template cannot call " + std::string(function) +
                 " itself: render the inner template outside, and pass the result as a variable",
             -1};
  } else {
    error = {"templates call each other more than " + std::to_string(most) +
                 " levels deep; if they have to, set the environment variable TF_TEMPLATE_RECURSION_DEPTH to "
                 "a larger number",
             -1};
  }
  return false;
}

Value render_template(std::string name, std::string text, const Value& vars, const CallContext& ctx,
                      CallError& error) {
  constexpr size_t kLevels = 4;  // rendering takes as much stack as some levels of an expression
  const std::array<DepthGuard, kLevels> nested;
  if (ctx.stopped()) return give_up(error);
  if (!another_rendering()) {
    error = {"the expression renders too many templates: together with the iterations of its loops, " +
                 std::to_string(kMaxRounds / kRenderingRounds) + " is the limit",
             -1};
    return {};
  }
  NamesScope scope(*ctx.table);
  if (!take_variables(vars, scope, error)) return {};
  SourceTable sources;
  Diagnostics diags;
  const syntax::Expr* expr = nullptr;
  std::unique_ptr<syntax::File> file =
      syntax::parse_template(sources, std::move(name), std::move(text), expr, diags);
  if (diags.has_errors() || !expr) {
    error = {problems_text(sources, diags), 0};
    return {};
  }
  std::vector<const syntax::Traversal*> references;
  syntax::collect_traversals(*expr, references);
  std::unordered_set<Symbol> known;
  for (const auto& [variable, value] : scope.names) known.insert(variable);
  for (const syntax::Traversal* t : references) {
    if (known.count(t->root)) continue;
    error = {"the template refers to \"" + std::string(t->root.sv()) + "\" (" +
                 place_text(sources, t->root_range) + "), which is not one of its variables",
             1};
    return {};
  }
  Value v = evaluate(*expr, scope, diags);
  if (diags.has_errors()) {
    if (ctx.stopped()) return give_up(error);
    error = {problems_text(sources, diags), -1};
    return {};
  }
  if (v.is_null()) {
    error = {"the result of the template is null", -1};
    return {};
  }
  return v;
}

void register_templatestring(FunctionTable& table) {
  table.add({.name = "templatestring",
             .params = {{"template", Type::string()},
                        {.name = "vars", .type = Type::dynamic(), .allow_dynamic = true}},
             .returns = Type::string(),
             .impl = fn_templatestring,
             .evaluates = true,
             .description = "A string rendered as a template."});
}

}  // namespace xplan::eval
