// The blocks of module calls: where the module comes from, how often it is called and with what.
#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/config/early.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::ExprKind;
using syntax::Rest;

namespace {

void decode_source(Decode& d, const Content& c, ModuleCall& call) {
  const Attribute* a = c.find("source");
  if (!a) return;
  if (is_dynamic(*a->expr)) {
    call.source_expr = a->expr;
  } else if (auto text = constant_string(d, a)) {
    call.source = *text;
    if (text->empty())
      d.diags.error("Invalid module source", "The source of a module cannot be empty.", a->expr->range);
  }
  call.source_range = a->expr->range;
}

void decode_version(Decode& d, const Content& c, ModuleCall& call) {
  const Attribute* a = c.find("version");
  if (!a) return;
  if (is_dynamic(*a->expr)) {
    call.version_expr = a->expr;
    return;
  }
  Diagnostics not_constant;
  const bool null = eval::evaluate_constant(*a->expr, not_constant).is_null() && !not_constant.has_errors();
  if (null && has_additions()) return;
  const auto text = constant_string(d, a);
  if (text) call.version = *text;
  if (!call.source_expr)
    call.unusable = !check_version(call, {call.source, call.version}, a->expr->range, d.diags);
}

void decode_repetition(Decode& d, const Content& c, ModuleCall& call) {
  const Attribute *count = c.find("count"), *for_each = c.find("for_each");
  if (count && for_each)
    d.diags.error("Invalid combination of arguments",
                  "\"count\" and \"for_each\" cannot be used together, because each of them determines which "
                  "instances exist.",
                  for_each->name_range);
  if (for_each)
    call.for_each = for_each->expr;
  else if (count)
    call.count = count->expr;
}

void decode_providers(Decode& d, const Content& c, ModuleCall& call) {
  const Attribute* a = c.find("providers");
  if (!a) return;
  call.has_providers = true;
  if (a->expr->kind != ExprKind::Object) {
    d.diags.error("Invalid expression",
                  "The argument \"providers\" must be a map in braces, from the child module's provider "
                  "configurations to those of this module.",
                  a->expr->range);
    return;
  }
  for (size_t i = 0; i + 1 < a->expr->items.size(); i += 2) {
    const Expr &key = *a->expr->items[i], &value = *a->expr->items[i + 1];
    if (too_many_providers(d, call.providers.size(), "providers passed to a module", key.range)) return;
    std::optional<ProviderRef> child = provider_ref(d, key, "providers");
    std::optional<ProviderRef> parent = provider_ref(d, value, "providers");
    if (!child || !parent) continue;
    if (child->has_key()) {
      d.diags.error("Invalid provider configuration reference",
                    "A module has one configuration under each of its names; only the calling module's can "
                    "have instances. Remove the brackets.",
                    key.range);
      continue;
    }
    const bool twice =
        std::any_of(call.providers.begin(), call.providers.end(), [&](const ModuleCall::Passed& p) {
          return p.child.local_name == child->local_name && p.child.alias == child->alias;
        });
    if (twice)
      d.diags.error("Duplicate provider configuration",
                    "Each provider configuration of the child module can be passed only once, but this "
                    "one is passed twice.",
                    key.range);
    else
      call.providers.push_back({*child, *parent});
  }
}

// Layers of it are merged argument by argument.
void decode_lifecycle_of_call(Decode& d, const Layers& layers, ModuleCall& call) {
  static const BodySchema kCall{{}, {{"lifecycle", {}}}}, kLifecycle{{{"enabled"}}, {}};
  Content merged;
  for (const Block* layer : layers.blocks) {
    Diagnostics ignored;  // the whole block is decoded elsewhere
    Rest rest;
    const Content c = syntax::decode_partial(layer->body, kCall, &rest, ignored);
    const Block* b = single_block(d, c, "lifecycle", "this \"module\" block");
    if (b && allows_addition("A \"lifecycle\" block of a module call", b->def_range, d.diags))
      merge_content(merged, syntax::decode(b->body, kLifecycle, d.diags));
  }
  call.enabled = decode_enabled(d, keep(d.module, std::move(merged)), call.repetition());
}

// The variables of the module; those of a later layer replace those of the same name.
void decode_arguments(Decode& d, const std::vector<Rest>& rests, ModuleCall& call) {
  for (const Rest& rest : rests) {
    for (const Attribute& a : syntax::just_attributes(rest, d.module.late)) {
      auto same = std::find_if(call.arguments.begin(), call.arguments.end(),
                               [&](const Attribute& b) { return b.name == a.name; });
      if (same != call.arguments.end())
        *same = a;
      else
        call.arguments.push_back(a);
    }
  }
}

// Any argument may be meant for a variable of the module, also a misspelt one.
void report_missing_source(Decode& d, const Content& c, const ModuleCall& call) {
  for (const Attribute& a : call.arguments) {
    if (did_you_mean(a.name.sv(), {"source"}).empty()) continue;
    d.diags.error(
        "Missing required argument",
        "The argument \"source\" is required in this \"module\" block, but it is not set. Did you mean "
        "\"source\" instead of " +
            in_quotes(a.name.sv()) + "?",
        a.name_range);
    return;
  }
  missing_argument(d, "source", "this \"module\" block", c);
}

}  // namespace

void decode_module_call(Decode& d, const Layers& layers) {
  static const BodySchema kSchema{
      {{"source"}, {"version"}, {"count"}, {"for_each"}, {"depends_on"}, {"providers"}},
      {{"lifecycle", {}}, {"locals", {}}, {"provider", {"type"}}, {"_", {}}}};
  Module& m = d.module;
  const Block& block = layers.base();
  ModuleCall call;
  call.name = block.labels[0];
  call.range = block.def_range;
  check_name(d, call.name, block.label_ranges[0], "a module call");
  check_overrides(d, layers, kSchema);
  std::vector<Rest> rests;
  const Content& c = keep(m, decode_layers(d, layers, kSchema, &rests));
  decode_source(d, c, call);
  decode_version(d, c, call);
  decode_repetition(d, c, call);
  if (const Attribute* a = c.find("depends_on")) call.depends_on = addresses(d, *a);
  decode_providers(d, c, call);
  decode_lifecycle_of_call(d, layers, call);
  reserved_blocks(d, c, {"locals", "provider"}, "this \"module\" block");
  if (const Block* b = single_block(d, c, "_", "this \"module\" block"))
    rests.push_back(Rest{&b->body, {}, {}});
  decode_arguments(d, rests, call);
  if (!c.find("source")) report_missing_source(d, c, call);
  m.index.calls.emplace(call.name, static_cast<uint32_t>(m.calls.size()));
  m.calls.push_back(std::move(call));
}

}  // namespace xplan::config
