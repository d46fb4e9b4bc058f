// Decodes resource, data and ephemeral blocks: meta-arguments, lifecycle, conditions, connection and
// provisioners. The provider's own arguments are bound later (bind.cc).
#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/config/early.h"
#include "core/config/newer_blocks.h"
#include "core/config/providers.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::ExprKind;
using syntax::Rest;
using syntax::Traversal;

namespace {

std::string_view block_kind(Mode mode) {
  switch (mode) {
    case Mode::Managed:
      return "resource";
    case Mode::Data:
      return "data";
    case Mode::Ephemeral:
      return "ephemeral";
  }
  return "resource";
}

const BodySchema& managed_schema() {
  static const BodySchema s{
      {{"count"}, {"for_each"}, {"depends_on"}, {"provider"}},
      {{"lifecycle", {}}, {"provisioner", {"type"}}, {"connection", {}}, {"locals", {}}, {"_", {}}}};
  return s;
}
// Data and ephemeral resources have no provisioners; such a block is left to the provider's schema to refuse.
const BodySchema& reading_schema() {
  static const BodySchema s{{{"count"}, {"for_each"}, {"depends_on"}, {"provider"}},
                            {{"lifecycle", {}}, {"locals", {}}, {"_", {}}}};
  return s;
}
const BodySchema& lifecycle_schema() {
  static const BodySchema s{{{"create_before_destroy"},
                             {"prevent_destroy"},
                             {"ignore_changes"},
                             {"replace_triggered_by"},
                             {"destroy"},
                             {"enabled"}},
                            {{"precondition", {}}, {"postcondition", {}}},
                            newer_blocks(BlockPlace::Lifecycle)};
  return s;
}

Path to_path(const Traversal& t) {
  Path p{PathStep::of_attr(t.root)};
  for (const syntax::TraversalStep& s : t.steps)
    p.push_back(s.is_attr ? PathStep::of_attr(s.attr) : PathStep::of_index(s.index));
  return p;
}

void decode_ignore_changes(Decode& d, const Attribute& a, Resource& r) {
  if (syntax::as_keyword(*a.expr).sv() == "all") {
    r.ignore = IgnoreKind::All;
    return;
  }
  std::vector<const Expr*> items;
  if (!syntax::as_list(*a.expr, items)) {
    d.diags.error("Invalid ignore_changes",
                  "The argument \"ignore_changes\" must be a list of the resource's arguments in brackets, "
                  "or the keyword all.",
                  a.expr->range);
    return;
  }
  r.ignore = IgnoreKind::Some;
  for (const Expr* e : items) {
    const bool wildcard =
        (e->json && e->json->str() == "*") ||
        (e->kind == ExprKind::Literal && e->value.is_string() && e->value.as_string() == "*");
    if (wildcard) {
      d.diags.error("Invalid ignore_changes",
                    "The form [\"*\"] is no longer supported. Write ignore_changes = all to ignore changes "
                    "of every argument.",
                    e->range);
      continue;
    }
    if (const Traversal* t = address(d, *e)) r.ignore_changes.emplace_back(to_path(*t), e->range);
  }
}

void decode_triggers(Decode& d, const Attribute& a, Resource& r) {
  std::vector<const Expr*> items;
  if (!syntax::as_list(*a.expr, items)) {
    d.diags.error("Invalid replace_triggered_by",
                  "The argument \"replace_triggered_by\" must be a list of references to managed resources "
                  "in brackets.",
                  a.expr->range);
    return;
  }
  for (const Expr* item : items) r.replace_triggered_by.push_back(expression(d, *item));
}

void decode_lifecycle(Decode& d, const Content& lifecycle_of, Resource& r) {
  const std::string_view kind = block_kind(r.addr.mode);
  const Content& c = keep(d.module, [&] {
    Content merged;
    bool first = true;
    for (const Block& b : lifecycle_of.blocks) {
      if (b.type.sv() != "lifecycle") continue;
      Content one = syntax::decode(b.body, lifecycle_schema(), d.diags);
      if (first)
        merged = std::move(one);
      else
        merge_content(merged, std::move(one));
      first = false;
    }
    return merged;
  }());
  r.enabled = decode_enabled(d, c, r.repetition());
  if (r.addr.mode != Mode::Managed) {
    for (const Attribute& a : c.attributes) {
      if (a.name.sv() == "enabled") continue;
      d.diags.error("Unsupported lifecycle argument",
                    "The argument " + in_quotes(a.name.sv()) +
                        " applies only to managed resources. In a block of type " + in_quotes(kind) +
                        ", only preconditions and postconditions are allowed.",
                    a.name_range);
    }
  } else {
    if (const Attribute* a = c.find("create_before_destroy")) {
      r.create_before_destroy = constant_bool(d, a).value_or(false);
      r.has_create_before_destroy = true;
    }
    if (const Attribute* a = c.find("destroy");
        a && allows_addition("The lifecycle argument \"destroy\"", a->name_range, d.diags))
      r.destroy = constant_bool(d, a).value_or(true);
    if (const Attribute* a = c.find("prevent_destroy")) {
      if (is_dynamic(*a->expr))
        r.prevent_destroy_expr = a->expr;
      else
        r.prevent_destroy = constant_bool(d, a).value_or(false);
      r.prevent_destroy_range = a->range;
    }
    if (const Attribute* a = c.find("ignore_changes")) decode_ignore_changes(d, *a, r);
    if (const Attribute* a = c.find("replace_triggered_by")) decode_triggers(d, *a, r);
  }
  r.preconditions = check_rules(d, c, "precondition");
  r.postconditions = check_rules(d, c, "postcondition");
}

// Lifecycle is merged argument by argument, so its blocks of all layers are wanted; all else is replaced.
Content decode_meta(Decode& d, const Layers& layers, const BodySchema& schema, std::string_view what,
                    std::vector<Rest>* rests) {
  Content out;
  std::vector<Block> lifecycles;
  for (size_t i = 0; i < layers.blocks.size(); ++i) {
    Rest rest;
    Content c = syntax::decode_partial(layers.blocks[i]->body, schema, &rest, d.diags);
    rests->push_back(std::move(rest));
    single_block(d, c, "lifecycle", what);
    bool taken = false;
    std::erase_if(c.blocks, [&](const Block& b) {
      if (b.type.sv() != "lifecycle") return false;
      if (!taken) lifecycles.push_back(b);
      return taken = true;
    });
    if (i == 0)
      out = std::move(c);
    else
      merge_content(out, std::move(c));
  }
  out.blocks.insert(out.blocks.end(), lifecycles.begin(), lifecycles.end());
  return out;
}

// The schema of a provider knows nothing of later versions of its own.
void refuse_newer_blocks(Decode& d, const xplan::Resource& r, Rest& body) {
  static const Symbol kTerraformData("terraform_data");
  if (r.mode != Mode::Managed || r.type != kTerraformData) return;
  for (const syntax::RefusedBlock& newer : newer_blocks(BlockPlace::TerraformData)) {
    Rest further;
    const Content c = syntax::decode_partial(body, {{}, {{newer.type, {}}}}, &further, d.module.late);
    if (c.blocks.empty()) continue;
    d.module.late.error("Unsupported block type", std::string(newer.why), c.blocks[0].type_range);
    body = std::move(further);
  }
}

Resource decode_common(Decode& d, const Layers& layers, Mode mode, Symbol check_scope) {
  Module& m = d.module;
  const Block& block = layers.base();
  const BodySchema& schema = mode == Mode::Managed ? managed_schema() : reading_schema();
  const std::string what = "this " + in_quotes(block_kind(mode)) + " block";
  Resource r;
  r.addr = {mode, block.labels[0], block.labels[1]};
  r.range = block.def_range;
  r.block = &block;
  r.check_scope = check_scope;
  check_name(d, r.addr.type, block.label_ranges[0], "a resource type");
  check_name(d, r.addr.name, block.label_ranges[1], "a resource");
  check_overrides(d, layers, schema, [&](const Block& b) {
    Diagnostics ignored;
    if (b.type.sv() == "lifecycle")
      for (const Block& rule : syntax::decode(b.body, lifecycle_schema(), ignored).blocks)
        d.diags.error("Unsupported override",
                      "An override file cannot change preconditions and postconditions.", rule.def_range);
  });
  std::vector<Rest> rests;
  const Content& c = keep(m, decode_meta(d, layers, schema, what, &rests));
  refuse_newer_blocks(d, r.addr, rests[0]);

  const Attribute *count = c.find("count"), *for_each = c.find("for_each");
  if (!check_scope.empty()) {
    for (const Attribute* a : {count, for_each}) {
      if (!a) continue;
      d.diags.error(
          "Unsupported argument",
          "The argument " + in_quotes(a->name.sv()) +
              " cannot be used for a data source inside a check block, because it is read exactly once.",
          a->name_range);
    }
    for (const Block& b : c.blocks) {
      if (b.type.sv() == "lifecycle") {
        d.diags.error("Unsupported block type",
                      "A data source inside a check block has no lifecycle block of its own; put conditions "
                      "in the check's assert blocks.",
                      b.def_range);
      }
    }
  } else {
    if (count && for_each) {
      d.diags.error("Invalid combination of arguments",
                    "\"count\" and \"for_each\" cannot be used together, because each of them determines "
                    "which instances exist.",
                    for_each->name_range);
    }
    if (for_each)
      r.for_each = for_each->expr;
    else if (count)
      r.count = count->expr;
    decode_lifecycle(d, c, r);
  }
  if (const Attribute* a = c.find("depends_on")) r.depends_on = addresses(d, *a);
  if (const Attribute* a = c.find("provider")) {
    if (!a->json && a->expr->kind == ExprKind::Literal && a->expr->value.is_string()) {
      d.diags.warn("Quoted references are deprecated",
                   "A provider reference is written without quotes here. Remove the quotes.", a->expr->range);
    }
    r.provider_ref = provider_ref(d, *a->expr, "provider");
  } else if (syntax::valid_identifier(r.addr.type.sv())) {
    check_provider_name(d, implied_local_name(r.addr.type), r.range);
  }
  reserved_blocks(d, c, {"locals"}, what);
  const Block* escape = single_block(d, c, "_", what);
  if (escape) rests.push_back(Rest{&escape->body, {}, {}});
  if (const Block* b = single_block(d, c, "connection", what)) r.connection = Rest{&b->body, {}, {}};
  for (const Block& b : c.blocks) {
    if (b.type.sv() == "provisioner") r.provisioners.push_back(decode_provisioner(d, b));
  }
  connect_provisioners(d, r.provisioners, r.connection);
  r.body = rests[0];
  if (rests.size() > 1)
    d.layered.push_back(
        {false, static_cast<uint32_t>(m.resources.size()), std::move(rests), escape != nullptr});
  return r;
}

void add_resource(Decode& d, Resource r) {
  Module& m = d.module;
  m.index.resources.emplace(r.addr, static_cast<uint32_t>(m.resources.size()));
  m.resources.push_back(std::move(r));
}

}  // namespace

void decode_resource(Decode& d, const Layers& layers, Mode mode) {
  add_resource(d, decode_common(d, layers, mode, {}));
}

std::optional<uint32_t> decode_scoped_data(Decode& d, const Block& block, Symbol check) {
  Module& m = d.module;
  const xplan::Resource addr{Mode::Data, block.labels[0], block.labels[1]};
  if (auto it = m.index.resources.find(addr); it != m.index.resources.end()) {
    d.diags.error(
        "Duplicate resource",
        addr.text() + " is already declared at " + place(d.sources, m.resources[it->second].range) +
            ". A resource name must be unique for its type in a module, inside and outside of check blocks.",
        block.def_range);
    return std::nullopt;
  }
  add_resource(d, decode_common(d, Layers{{&block}}, Mode::Data, check));
  return static_cast<uint32_t>(m.resources.size() - 1);
}

namespace {

// The end of a sentence about a keyword. In JSON it cannot be without quotes.
const char* unquoted(const Attribute& a) {
  return a.json ? "." : ", without quotes.";
}

}  // namespace

Provisioner decode_provisioner(Decode& d, const Block& block) {
  static const BodySchema kSchema{{{"when"}, {"on_failure"}},
                                  {{"connection", {}}, {"lifecycle", {}}, {"locals", {}}, {"_", {}}}};
  Provisioner p;
  p.type = block.labels[0];
  p.range = block.def_range;
  Rest rest;
  const Content& c = keep(d.module, syntax::decode_partial(block.body, kSchema, &rest, d.diags));
  if (const Attribute* a = c.find("when")) {
    const Symbol word = keyword(d, *a);
    if (word.sv() == "destroy") {
      p.on_destroy = true;
    } else if (word.sv() != "create") {
      d.diags.error("Invalid keyword",
                    std::string("The argument \"when\" must be create or destroy") + unquoted(*a),
                    a->expr->range);
    }
  }
  if (const Attribute* a = c.find("on_failure")) {
    const Symbol word = keyword(d, *a);
    if (word.sv() == "continue") {
      p.continue_on_failure = true;
    } else if (word.sv() != "fail") {
      d.diags.error("Invalid keyword",
                    std::string("The argument \"on_failure\" must be continue or fail") + unquoted(*a),
                    a->expr->range);
    }
  }
  reserved_blocks(d, c, {"lifecycle", "locals"}, "this \"provisioner\" block");
  if (const Block* b = single_block(d, c, "connection", "this \"provisioner\" block"))
    p.connection = Rest{&b->body, {}, {}};
  std::vector<Rest> bodies{rest};
  if (const Block* b = single_block(d, c, "_", "this \"provisioner\" block"))
    bodies.push_back(Rest{&b->body, {}, {}});
  const schema::Block* schema = provisioner_schema(p.type);
  p.body = merge_bodies(d.module, bodies, schema ? &schema->body_schema() : nullptr, d.diags);
  return p;
}

void connect_provisioners(Decode& d, std::vector<Provisioner>& list, const std::optional<Rest>& common) {
  for (Provisioner& p : list) {
    Diagnostics reported_by_binding;
    if (p.connection && common)
      p.whole_connection = merge_bodies(d.module, {*common, *p.connection},
                                        &connection_schema().body_schema(), reported_by_binding);
    else
      p.whole_connection = p.connection ? p.connection : common;
  }
}

}  // namespace xplan::config
