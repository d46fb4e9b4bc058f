// Decodes and validates the arguments and blocks of run blocks.
#include "core/config/test_runs.h"

#include <algorithm>

#include "core/config/dialect.h"
#include "core/config/test_overrides.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::Traversal;

namespace {

// A keyword, which is never in quotes here.
Symbol one_of(Decode& d, const Attribute* a, std::initializer_list<std::string_view> words) {
  if (!a) return {};
  const Symbol word = syntax::as_keyword(*a->expr);
  if (std::find(words.begin(), words.end(), word.sv()) != words.end()) return word;
  std::string list;
  for (std::string_view w : words) list += (list.empty() ? "" : " and ") + std::string(w);
  d.diags.error("Invalid keyword",
                "The argument " + in_quotes(a->name.sv()) + " must be one of the keywords " + list +
                    ", without quotes.",
                a->expr->range);
  return {};
}

void decode_plan_options(Decode& d, const Block& b, TestRunBlock& out) {
  static const BodySchema kSchema{{{"mode"}, {"refresh"}, {"replace"}, {"target"}}, {}};
  const Content c = syntax::decode(b.body, kSchema, d.diags);
  for (auto& [name, list] : {std::pair("replace", &out.replace), std::pair("target", &out.targets)})
    if (const Attribute* a = c.find(name))
      for (const Traversal* t : addresses(d, *a))
        if (std::optional<EndPoint> e = parse_endpoint(*t, d.diags)) list->push_back(std::move(*e));
  const Attribute* refresh = c.find("refresh");
  out.refresh = constant_bool(d, refresh).value_or(true);
  out.refresh_only = one_of(d, c.find("mode"), {"normal", "refresh-only"}).sv() == "refresh-only";
  if (out.refresh_only && !out.refresh)
    d.diags.error("Conflicting options", "mode = refresh-only and refresh = false cannot be used together.",
                  refresh->range);
}

void decode_expect_failures(Decode& d, const Attribute& a, TestRunBlock& out) {
  out.expect_failures = addresses(d, a);
  for (const Traversal* t : out.expect_failures) {
    static constexpr std::string_view kOther[] = {"local", "module", "path", "count", "each", "self", "run"};
    const std::string_view root = t->root.sv();
    if (names_product(root) || std::find(std::begin(kOther), std::end(kOther), root) != std::end(kOther)) {
      d.module.late.error("Invalid element of expect_failures",
                          "Only objects with conditions can be expected to fail: input variables, output "
                          "values, check blocks and resources.",
                          t->range);
    } else if (t->steps.empty() || !t->steps[0].is_attr) {
      d.module.late.error(
          "Invalid reference",
          in_quotes(root) + " alone does not refer to an object; it must be followed by a period and a name.",
          t->range);
    }
  }
}

// What the module gets, by its names, from the configurations of this file.
std::vector<ModuleCall::Passed> chosen_providers(Decode& d, const Attribute& a) {
  std::vector<ModuleCall::Passed> given;
  if (a.expr->kind != syntax::ExprKind::Object) {
    d.diags.error(
        "Invalid expression",
        "The argument \"providers\" must be a map in braces, from the provider configurations of the "
        "module under test to those of this file.",
        a.expr->range);
    return given;
  }
  for (size_t i = 0; i + 1 < a.expr->items.size(); i += 2) {
    const std::optional<ProviderRef> child = provider_ref(d, *a.expr->items[i], "providers");
    const std::optional<ProviderRef> own = provider_ref(d, *a.expr->items[i + 1], "providers");
    if (!child || !own) continue;
    if (std::any_of(given.begin(), given.end(), [&](const ModuleCall::Passed& p) {
          return p.child.local_name == child->local_name && p.child.alias == child->alias;
        })) {
      d.diags.error("Duplicate provider configuration",
                    "Each provider configuration of the module can be passed only once, but this one is "
                    "passed twice.",
                    a.expr->items[i]->range);
      continue;
    }
    given.push_back({*child, *own});
  }
  return given;
}

void decode_asserts(Decode& d, const Content& c, TestRunBlock& out) {
  out.asserts = check_rules(d, c, "assert");
  for (const CheckRule& r : out.asserts) {
    std::vector<const Traversal*> used;
    syntax::collect_traversals(*r.condition, used);
    if (used.empty())
      d.diags.error("Invalid condition",
                    "The condition does not refer to any object, so its result is always the same. It must "
                    "refer to at least one object of the configuration.",
                    r.condition->range);
  }
}

}  // namespace

const BodySchema& test_run_schema() {
  static const BodySchema kSchema =
      with_overrides({{{"command"}, {"expect_failures"}, {"providers"}, {"state_key"}, {"parallel"}},
                      {{"plan_options", {}}, {"variables", {}}, {"module", {}}, {"assert", {}}}});
  return kSchema;
}

void decode_test_run(Decode& d, const Content& c, bool parallel, TestRunBlock& out) {
  static constexpr std::string_view kWhere = "this \"run\" block";
  out.plan = one_of(d, c.find("command"), {"apply", "plan"}).sv() == "plan";
  out.parallel = constant_bool(d, c.find("parallel")).value_or(parallel);
  out.state_key = constant_string(d, c.find("state_key")).value_or("");
  if (const Attribute* a = c.find("expect_failures")) decode_expect_failures(d, *a, out);
  if (const Block* v = single_block(d, c, "variables", kWhere))
    out.variables = syntax::just_attributes(v->body, d.diags);
  if (const Block* o = single_block(d, c, "plan_options", kWhere)) decode_plan_options(d, *o, out);
  if (const Attribute* a = c.find("providers")) out.providers = chosen_providers(d, *a);
  decode_asserts(d, c, out);
}

}  // namespace xplan::config
