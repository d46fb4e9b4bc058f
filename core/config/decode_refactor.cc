// Decodes moved, removed, import and check blocks.
#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::ExprKind;
using syntax::Traversal;

namespace {

std::optional<EndPoint> endpoint_argument(Decode& d, const Content& c, std::string_view name,
                                          std::string_view what) {
  const Attribute* a = c.find(name);
  if (!a) {
    missing_argument(d, name, what, c);
    return std::nullopt;
  }
  const Traversal* t = address(d, *a->expr, /*quotes_allowed=*/false);
  return t ? parse_endpoint(*t, d.diags) : std::nullopt;
}

bool any_module_key(const EndPoint& e) {
  return std::find(e.module_step_has_key.begin(), e.module_step_has_key.end(), true) !=
         e.module_step_has_key.end();
}

// An address whose instance keys may be expressions, taken apart into static steps and those expressions.
struct ImportAddress {
  Symbol root;
  Range root_range;
  std::vector<syntax::TraversalStep> steps;
  std::vector<const Expr*> keys;  // one per index step, in order; null for a literal

  bool flatten(const Expr& e) {
    if (e.kind == ExprKind::Traversal) {
      root = e.traversal->root;
      root_range = e.traversal->root_range;
      add(e.traversal->steps);
      return true;
    }
    if ((e.kind != ExprKind::Index && e.kind != ExprKind::RelTraversal) || !flatten(*e.a)) return false;
    if (e.kind == ExprKind::RelTraversal) return add(e.traversal->steps), true;
    syntax::TraversalStep placeholder;
    placeholder.is_attr = false;
    placeholder.index = Value::number(0);
    placeholder.range = e.b->range;
    steps.push_back(placeholder);
    keys.push_back(e.b);
    return true;
  }
  Traversal traversal(Range whole) const {
    Traversal t;
    t.root = root;
    t.root_range = root_range;
    t.steps = steps;
    t.range = whole;
    return t;
  }
  void place_keys(EndPoint& point, Import& import) const {
    size_t next = 0;
    import.module_keys.resize(point.module_steps.size());
    for (size_t i = 0; i < point.module_steps.size(); ++i) {
      if (!point.module_step_has_key[i]) continue;
      import.module_keys[i] = keys[next++];
      if (import.module_keys[i]) point.module_steps[i].second = {};
    }
    if (point.has_key && keys[next]) {
      import.to_key = keys[next];
      point.key = {};
      point.has_key = false;
    }
  }

 private:
  void add(std::span<const syntax::TraversalStep> more) {
    for (const syntax::TraversalStep& s : more) {
      steps.push_back(s);
      if (!s.is_attr) keys.push_back(nullptr);
    }
  }
};

}  // namespace

void decode_moved(Decode& d, const Block& block) {
  static const BodySchema kSchema{{{"from"}, {"to"}}, {}};
  const Content c = syntax::decode(block.body, kSchema, d.diags);
  std::optional<EndPoint> from = endpoint_argument(d, c, "from", "this \"moved\" block");
  std::optional<EndPoint> to = endpoint_argument(d, c, "to", "this \"moved\" block");
  if (!from || !to) return;
  if (from->resource.has_value() != to->resource.has_value()) {
    d.diags.error("Invalid move",
                  "Both addresses must be modules, or both must be resources: " + from->text() +
                      " cannot become " + to->text() + ".",
                  block.def_range);
    return;
  }
  if (from->resource && from->resource->mode != to->resource->mode) {
    auto kind = [](const EndPoint& e) {
      return e.text() + (e.resource->mode == Mode::Managed ? " is a managed resource"
                         : e.resource->mode == Mode::Data  ? " is a data source"
                                                           : " is an ephemeral resource");
    };
    d.diags.error("Invalid move", kind(*from) + ", but " + kind(*to) + ", so one cannot become the other.",
                  block.def_range);
    return;
  }
  d.module.moved.push_back({std::move(*from), std::move(*to), block.def_range});
}

void decode_removed(Decode& d, const Block& block) {
  static const BodySchema kSchema{{{"from"}},
                                  {{"lifecycle", {}}, {"provisioner", {"type"}}, {"connection", {}}}};
  static const BodySchema kLifecycle{{{"destroy"}}, {}};
  const Content& c = keep(d.module, syntax::decode(block.body, kSchema, d.diags));
  Removed r;
  r.range = block.def_range;
  std::optional<EndPoint> from = endpoint_argument(d, c, "from", "this \"removed\" block");
  bool ok = from.has_value();
  if (from) {
    if (from->has_key || any_module_key(*from)) {
      d.diags.error("Invalid address",
                    "A removed block applies to all instances of a resource or module, so its address cannot "
                    "have instance keys. Remove the brackets.",
                    from->range);
      ok = false;
    }
    if (from->resource && from->resource->mode != Mode::Managed) {
      d.diags.error("Invalid address",
                    "Only managed resources and modules can be named in a removed block: " + from->text() +
                        " has "
                        "no object that could be destroyed or forgotten.",
                    from->range);
      ok = false;
    }
  }
  if (const Block* b = single_block(d, c, "lifecycle", "this \"removed\" block")) {
    const Content lifecycle = syntax::decode(b->body, kLifecycle, d.diags);
    if (const Attribute* a = lifecycle.find("destroy")) {
      r.destroy = constant_bool(d, a).value_or(true);
      r.says_destroy = true;
    }
  }
  if (!r.says_destroy && dialect() == Dialect::OpenTofu) {
    r.destroy = false;
    d.diags.warn(
        "Removed block does not say what becomes of the object",
        "Without lifecycle.destroy, OpenTofu only forgets the object, and Terraform destroys it. Add a "
        "lifecycle block with destroy = true or destroy = false.",
        block.def_range);
  }
  const bool of_resource = from && from->resource && from->resource->mode == Mode::Managed;
  if (const Block* b = single_block(d, c, "connection", "this \"removed\" block")) {
    if (from && !of_resource) {
      d.diags.error("Invalid connection block",
                    "A connection block is allowed only when a managed resource is removed: a module has no "
                    "provisioners.",
                    b->def_range);
    }
    r.connection = syntax::Rest{&b->body, {}, {}};
  }
  for (const Block& b : c.blocks) {
    if (b.type.sv() != "provisioner") continue;
    if (from && !of_resource) {
      d.diags.error("Invalid provisioner block",
                    "Provisioners are allowed only when a managed resource is removed: a module has none.",
                    b.def_range);
      continue;
    }
    Provisioner p = decode_provisioner(d, b);
    if (!p.on_destroy) {
      d.diags.error("Invalid provisioner block",
                    "A removed resource is never created again, so its provisioners can only run at destroy "
                    "time. Add when = destroy.",
                    b.def_range);
      continue;
    }
    r.provisioners.push_back(std::move(p));
  }
  connect_provisioners(d, r.provisioners, r.connection);
  if (!ok) return;
  r.from = std::move(*from);
  d.module.removed.push_back(std::move(r));
}

void decode_import(Decode& d, const Block& block) {
  static const BodySchema kSchema{{{"to"}, {"id"}, {"identity"}, {"for_each"}, {"provider"}}, {}};
  const Content& c = keep(d.module, syntax::decode(block.body, kSchema, d.diags));
  Import import;
  import.range = block.def_range;
  bool ok = true;
  const Attribute *id = c.find("id"), *identity = c.find("identity");
  if (id) import.id = id->expr;
  if (identity) import.identity = identity->expr;
  if (!id && !identity) {
    missing_argument(d, "id", "this \"import\" block", c);
    ok = false;
  } else if (id && identity) {
    d.diags.error("Invalid import block",
                  "\"id\" and \"identity\" cannot be used together, because each of them identifies the "
                  "object to import.",
                  identity->name_range);
    ok = false;
  }
  if (const Attribute* a = c.find("for_each")) import.for_each = a->expr;
  if (const Attribute* a = c.find("provider")) {
    import.provider_ref = provider_ref(d, *a->expr, "provider");
  }
  const Attribute* to = c.find("to");
  if (!to) {
    missing_argument(d, "to", "this \"import\" block", c);
    return;
  }
  import.to = expression(d, *to->expr);
  ImportAddress address;
  if (!address.flatten(*import.to)) {
    d.diags.error("Invalid import address",
                  "The address of a managed resource is expected here, without quotes; its brackets may "
                  "contain expressions.",
                  to->expr->range);
    return;
  }
  std::optional<EndPoint> point = parse_endpoint(address.traversal(import.to->range), d.diags);
  if (!point) return;
  if (!point->resource || point->resource->mode != Mode::Managed) {
    d.diags.error("Invalid import address",
                  "Only managed resources can be imported, and " + point->text() + " is not one.",
                  to->expr->range);
    return;
  }
  address.place_keys(*point, import);
  for (const Expr* key : address.keys) {
    std::vector<const Traversal*> used;
    if (key && !import.for_each) syntax::collect_traversals(*key, used);
    if (used.empty()) continue;
    d.diags.error("Invalid import address",
                  "Without the argument \"for_each\" there is only one object to import, so the instance key "
                  "must be a literal string or number.",
                  key->range);
    return;
  }
  import.to_static = std::move(*point);
  const bool literal =
      std::all_of(address.keys.begin(), address.keys.end(), [](const Expr* k) { return !k; });
  if (literal && !import.for_each) {
    // One object per instance: a second import of the same one cannot be meant.
    const std::string text = import.to_static.text();
    auto [it, fresh] = d.module.index.imports.emplace(text, block.def_range);
    if (!fresh) {
      d.diags.error("Duplicate import",
                    "An import of " + text + " is already declared at " + place(d.sources, it->second) +
                        ". Each resource instance can be imported only once.",
                    to->expr->range);
      return;
    }
  }
  if (ok) d.module.imports.push_back(std::move(import));
}

void decode_check(Decode& d, const Block& block) {
  static const BodySchema kSchema{{}, {{"data", {"type", "name"}}, {"assert", {}}}};
  Module& m = d.module;
  const Content& c = keep(m, syntax::decode(block.body, kSchema, d.diags));
  Check check;
  check.name = block.labels[0];
  check.range = block.def_range;
  check_name(d, check.name, block.label_ranges[0], "a check");
  const Block* first = nullptr;
  bool any_assert = false;
  for (const Block& b : c.blocks) {
    any_assert |= b.type.sv() == "assert";
    if (b.type.sv() != "data") continue;
    if (first) {
      d.diags.error("Duplicate block",
                    "A check block can contain only one data block; the first is at " +
                        place(d.sources, first->def_range) + ".",
                    b.def_range);
      continue;
    }
    first = &b;
    check.data = decode_scoped_data(d, b, check.name);
  }
  check.asserts = check_rules(d, c, "assert");
  if (!any_assert) {
    d.diags.error(
        "Missing assert block",
        "A check block must have at least one assert block; without one, it would not check anything.",
        block.def_range);
  }
  m.index.checks.emplace(check.name, static_cast<uint32_t>(m.checks.size()));
  m.checks.push_back(std::move(check));
}

}  // namespace xplan::config
