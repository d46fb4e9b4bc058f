// Binds a module: attaches every expression's references to what they name (Traversal::bound), finds the
// schemas of resources and providers, and decodes bodies by them. Reference rules themselves: reference.cc.
#include "core/config/bind.h"

#include <algorithm>

#include "core/config/providers.h"
#include "core/config/reference.h"
#include "core/config/structure.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::ExprKind;
using syntax::Traversal;

schema::ProviderSchemaPtr SchemaLookup::provider(const ProviderAddr& p, Range used_at, Diagnostics& diags) {
  if (!source_) return nullptr;
  auto [it, fresh] = known_.emplace(p, nullptr);
  if (fresh) it->second = source_->schema(p, used_at, diags);
  return it->second;
}

namespace {

// a.b, a.b.c, a.b[0].c, a.b[count.index].c: the traversal of the resource, which may stand below Index and
// further steps.
bool is_trigger(const Expr& e) {
  const Expr* x = &e;
  if (x->kind == ExprKind::RelTraversal) x = x->a;
  if (x->kind == ExprKind::Index) {
    const Expr* k = x->b;
    if (k->kind != ExprKind::Traversal || k->traversal->steps.size() != 1 ||
        trigger_part(*k->traversal) != TriggerPart::Repetition)
      return false;
    x = x->a;
  }
  return x->kind == ExprKind::Traversal;
}

class Binder {
 public:
  Binder(Module& m, const Node& node, SchemaLookup& schemas, Diagnostics& diags)
      : m_(m), node_(node), schemas_(schemas), diags_(diags), parser_(m, node, diags) {}

  void run(const std::vector<LayeredBody>& layered) {
    find_schemas(layered);
    for (Variable& v : m_.variables) rules(v.validations, {}, nullptr);
    for (Local& l : m_.locals) bind(l.expr, {});
    for (Output& o : m_.outputs) {
      bind(o.expr, {});
      depends_on(o.depends_on, {});
      rules(o.preconditions, {}, nullptr);
    }
    for (ProviderConfig& p : m_.providers) provider(p);
    for (Resource& r : m_.resources) resource(r);
    for (ModuleCall& c : m_.calls) call(c);
    for (Import& i : m_.imports) import(i);
    for (Removed& r : m_.removed) removed(r);
    for (Check& c : m_.checks) {
      RefScope s;
      s.check = c.name;
      rules(c.asserts, s, nullptr);
    }
  }

 private:
  using Traversals = std::vector<const Traversal*>;

  void bind(const Traversal& t, const RefScope& scope) {
    if (t.bound) return;
    m_.references.push_back(parser_.parse(t, scope));
    t.bound = static_cast<uint32_t>(m_.references.size());
  }
  void bind(const Expr* e, const RefScope& scope, Traversals* collect = nullptr) {
    if (!e) return;
    scratch_.clear();
    syntax::collect_traversals(*e, scratch_);
    for (const Traversal* t : scratch_) bind(*t, scope);
    if (collect) collect->insert(collect->end(), scratch_.begin(), scratch_.end());
  }
  void bind_body(const syntax::Content& body, const schema::Block& schema, const RefScope& scope,
                 Traversals* collect) {
    scratch_.clear();
    schema::collect_traversals(body, schema, scratch_);
    for (const Traversal* t : scratch_) bind(*t, scope);
    if (collect) collect->insert(collect->end(), scratch_.begin(), scratch_.end());
  }
  syntax::Content whole_body(const syntax::Rest& body, const schema::Block& schema, const RefScope& scope,
                             Traversals* collect) {
    syntax::Content content = schema::take_apart(body, schema, diags_);
    schema::validate_body(content, schema, diags_);
    bind_body(content, schema, scope, collect);
    return content;
  }
  void depends_on(const Traversals& list, const RefScope& scope) {
    for (const Traversal* t : list) {
      if (t->bound) continue;
      m_.references.push_back(parser_.parse_depends_on(*t, scope));
      t->bound = static_cast<uint32_t>(m_.references.size());
    }
  }

  void rules(const std::vector<CheckRule>& list, RefScope scope, Traversals* collect) {
    scope.condition = true;
    for (const CheckRule& r : list) {
      bind(r.condition, scope, collect);
      bind(r.error_message, scope, collect);
    }
  }

  // Finds the schemas, and merges layered bodies, which may need one.
  void find_schemas(const std::vector<LayeredBody>& layered) {
    for (Resource& r : m_.resources) {
      const schema::ProviderSchemaPtr ps = schemas_.provider(r.provider, r.range, diags_);
      if (!ps) continue;
      r.schema = schema::find(ps, r.addr.mode, r.addr.type);
      if (!r.schema) unknown_type(r, *ps);
    }
    for (const LayeredBody& l : layered) {
      if (l.of_provider) {
        ProviderConfig& p = m_.providers[l.index];
        const schema::ProviderSchemaPtr ps = schemas_.provider(p.provider, p.range, diags_);
        p.body = merge_bodies(m_, l.layers, ps ? &ps->provider.block.body_schema() : nullptr, diags_);
      } else {
        Resource& r = m_.resources[l.index];
        r.body = merge_bodies(m_, l.layers, r.schema ? &r.schema->block.body_schema() : nullptr, diags_,
                              !l.escaped);
      }
    }
  }

  void unknown_type(const Resource& r, const schema::ProviderSchema& ps) {
    static constexpr std::pair<Mode, std::string_view> kKinds[] = {
        {Mode::Managed, "resource"}, {Mode::Data, "data"}, {Mode::Ephemeral, "ephemeral"}};
    std::string hint;
    for (auto& [mode, word] : kKinds) {
      if (mode != r.addr.mode && ps.find(mode, r.addr.type)) {
        hint = " It has one for a block of type " + in_quotes(word) + "; use that instead.";
        break;
      }
    }
    const auto& list = r.addr.mode == Mode::Managed ? ps.managed
                       : r.addr.mode == Mode::Data  ? ps.data
                                                    : ps.ephemeral;
    if (hint.empty()) {
      std::vector<std::string_view> names;
      for (auto& [name, schema] : list) names.push_back(name.sv());
      hint = suggestion(r.addr.type.sv(), names);
    }
    const std::string_view what = r.addr.mode == Mode::Managed ? "resource type"
                                  : r.addr.mode == Mode::Data  ? "data source"
                                                               : "ephemeral resource type";
    diags_.error(r.addr.mode == Mode::Data ? "Unknown data source" : "Unknown resource type",
                 "The provider " + r.provider.display() + " has no " + std::string(what) + " " +
                     in_quotes(r.addr.type.sv()) + "." + hint,
                 r.block->label_ranges[0]);
  }

  // A configuration that no resource uses may be wrong: its problems are told to those who use it.
  void provider(ProviderConfig& p) {
    const schema::ProviderSchemaPtr ps = schemas_.provider(p.provider, p.range, diags_);
    if (!ps) return;
    p.schema = schema::SchemaPtr(ps, &ps->provider);
    if (p.mocked) return;
    Diagnostics found;
    RefScope scope;
    scope.test = p.of_test;
    scope.each = p.for_each != nullptr;
    Binder(m_, node_, schemas_, found).whole_body(p.body, ps->provider.block, scope, &p.references);
    if (p.used) diags_.append(std::move(found));
  }

  RefScope scope_of(const Resource& r) const {
    RefScope s;
    s.owner = &r;
    s.count = r.count != nullptr;
    s.each = r.for_each != nullptr;
    s.check = r.check_scope;
    return s;
  }

  void resource(Resource& r) {
    RefScope repetition;  // count and for_each come before any instance
    repetition.owner = &r;
    bind(r.count, repetition, &r.references);
    bind(r.for_each, repetition, &r.references);
    bind(r.enabled, repetition, &r.references);
    bind(r.prevent_destroy_expr, repetition, &r.references);  // also for instances that are not declared
    const RefScope scope = scope_of(r);
    if (r.provider_ref) bind(r.provider_ref->key, scope, &r.references);
    depends_on(r.depends_on, scope);
    if (r.schema) {
      r.arguments_begin = static_cast<uint32_t>(r.references.size());
      r.content = whole_body(r.body, r.schema->block, scope, &r.references);
      r.arguments_end = static_cast<uint32_t>(r.references.size());
      for (auto& [path, range] : r.ignore_changes) ignored(r, path, range);
    }
    rules(r.preconditions, scope, &r.references);
    RefScope after = scope;
    after.self = true;
    rules(r.postconditions, after, &r.references);
    for (const Expr* e : r.replace_triggered_by) trigger(r, *e, scope);
    after.provisioner = true;
    provisioners(r.provisioners, r.connection, after, &r.references);
  }

  void ignored(const Resource& r, const Path& path, Range range) {
    const std::string_view name = path[0].attr.sv();
    const schema::Block& block = r.schema->block;
    if (const schema::Attribute* a = block.find_attribute(name)) {
      if (a->computed && !a->optional) {
        diags_.warn("Redundant element of ignore_changes",
                    "The attribute " + in_quotes(name) +
                        " is set by the provider only, so there is never a configured value to ignore. "
                        "Remove the element.",
                    range);
      }
      return;
    }
    if (block.find_block(name)) return;
    diags_.error("Unsupported attribute",
                 "The list names " + in_quotes(name) + ", but " + r.addr.text() +
                     " has no argument, block or attribute of that name." +
                     parser_.attribute_hint(name, block),
                 range);
  }

  void trigger(const Resource& r, const Expr& e, const RefScope& scope) {
    Traversals used;
    syntax::collect_traversals(e, used);
    for (const Traversal* t : used) {
      if (trigger_part(*t) == TriggerPart::Other) return;  // reported with the structure
    }
    used.clear();
    RefScope s = scope;
    s.owner = nullptr;  // the self reference has a message of its own below
    s.trigger = true;
    bind(&e, s, &used);
    if (!used.empty() && !is_trigger(e)) {
      diags_.error("Invalid replace_triggered_by",
                   "Each element must be a reference to a managed resource, to one of its instances, or to "
                   "an attribute of them. To trigger a replacement by another value, store it in a resource "
                   "of type terraform_data.",
                   e.range);
      return;
    }
    for (const Traversal* t : used) {
      const Reference& ref = m_.reference(*t);
      if (ref.kind != RefKind::Resource) continue;
      if (m_.resources[ref.index].addr.mode != Mode::Managed) {
        diags_.error("Invalid replace_triggered_by",
                     m_.resources[ref.index].addr.text() +
                         " is not a managed resource, so its changes cannot trigger a replacement.",
                     t->range);
      } else if (&m_.resources[ref.index] == &r) {
        diags_.error("Self reference", r.addr.text() + " cannot trigger its own replacement.", t->range);
      }
    }
  }

  void provisioners(const std::vector<Provisioner>& list, const std::optional<syntax::Rest>& common,
                    const RefScope& scope, Traversals* collect) {
    const bool any_create =
        std::any_of(list.begin(), list.end(), [](const Provisioner& p) { return !p.on_destroy; });
    if (common) whole_body(*common, connection_schema(), scope, any_create ? collect : nullptr);
    for (const Provisioner& p : list) {
      Traversals* to = p.on_destroy ? nullptr : collect;
      if (p.connection) whole_body(*p.connection, connection_schema(), scope, to);
      if (const schema::Block* schema = provisioner_schema(p.type)) {
        whole_body(p.body, *schema, scope, to);
      } else if (!is_gone_provisioner(p.type)) {
        diags_.error("Unknown provisioner type",
                     "There is no provisioner " + in_quotes(p.type.sv()) + "." +
                         suggestion(p.type.sv(), {"local-exec", "remote-exec", "file"}),
                     p.range);
      }
    }
  }

  void call(ModuleCall& c) {
    RefScope s;
    bind(c.count, s);
    bind(c.for_each, s);
    bind(c.enabled, s);
    s.count = c.count != nullptr;
    s.each = c.for_each != nullptr;
    s.own_call = c.name;
    for (const ModuleCall::Passed& p : c.providers) bind(p.parent.key, s);
    depends_on(c.depends_on, s);
    for (const syntax::Attribute& a : c.arguments) bind(a.expr, s);
  }

  void import(Import& i) {
    RefScope s;
    bind(i.for_each, s);
    s.each = i.for_each != nullptr;
    bind(i.id, s);
    if (i.id && i.id->kind == ExprKind::Literal && i.id->value.is_null())
      diags_.error("Invalid import id", "The id of the object to import cannot be null.", i.id->range);
    bind(i.identity, s);
    bind(i.to_key, s);
    for (const Expr* e : i.module_keys) bind(e, s);
  }

  void removed(Removed& r) {
    RefScope s;
    s.self = s.count = s.each = true;
    provisioners(r.provisioners, r.connection, s, nullptr);
  }

  Module& m_;
  const Node& node_;
  SchemaLookup& schemas_;
  Diagnostics& diags_;
  ReferenceParser parser_;
  Traversals scratch_;
};

}  // namespace

void bind_module(Module& m, const Node& node, SchemaLookup& schemas, const std::vector<LayeredBody>& layered,
                 Diagnostics& diags) {
  Binder(m, node, schemas, diags).run(layered);
}

}  // namespace xplan::config
