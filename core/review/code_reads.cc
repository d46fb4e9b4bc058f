// Follows what code reads: named values to their own code, and on to what is no code.
#include <algorithm>

#include "core/config/inputs.h"
#include "core/review/code.h"
#include "core/review/summary.h"
#include "core/value/json.h"

namespace xplan::review {
namespace {

using config::RefKind;

// Of optional attributes, wherever they are in the type.
void put_defaults(const TypeConstraint& t, bool hidden, Encoder& out) {
  for (const Value& d : t.defaults) out.value(hidden ? d.with_marks(kSensitive) : d);
  for (const TypeConstraint& child : t.children) put_defaults(child, hidden, out);
}

std::string prefix(const config::Node* n) {
  return n->path.is_root() ? "" : n->path.text() + ".";
}

// What the state has of an object that no change tells of.
Value state_value(const Object& o, const config::Resource& r) {
  if (o.value) return *o.value;
  if (!r.schema) return {};
  Result<Value> v = parse_json_as(o.attributes_json, r.schema->block.implied_type(), true, true);
  return v ? *v : Value();
}

// As far as a path leads.
Value part_of(const Value& whole, Path path) {
  std::optional<Value> v = path_get(whole, path);
  for (; !v; v = path_get(whole, path)) path.pop_back();
  return *v;
}

// Whether a change's value after it is a part of the effect, all of it.
bool is_planned_whole(Action a) {
  return a == Action::Create || a == Action::Read || is_replace(a);
}

}  // namespace

CodeReader::CodeReader(const Plan& plan, const config::Config& config, const SourceTable& sources)
    : plan_(plan), config_(config), sources_(sources), removed_(config) {
  for (const ResourceChange& c : plan.changes)
    if (c.deposed.empty() && facts(c.change.action).has_after && !is_planned_whole(c.change.action))
      kept_[c.addr.config()].push_back({c.addr, &c});
  for (const auto& [addr, state] : plan.prior_state.resources)
    for (const auto& [key, instance] : state.instances)
      if (const AbsInstance a{addr.module, addr.resource, key}; instance.current && !plan.find(a))
        kept_[addr.config()].push_back({a, nullptr});
}

std::span<const syntax::Traversal* const> CodeReader::references(const config::Module& m, Range within) {
  const auto [it, fresh] = references_.try_emplace(&m);
  Traversals& all = it->second;
  if (fresh) {
    for (const config::Reference& ref : m.references)
      if (ref.traversal) all.push_back(ref.traversal);
    std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->range.begin < b->range.begin; });
  }
  auto before = [](const syntax::Traversal* t, uint32_t place) { return t->range.begin < place; };
  const auto from = std::lower_bound(all.begin(), all.end(), within.begin, before);
  const auto until = std::lower_bound(from, all.end(), within.end, before);
  return {from, until};
}

Encoder* CodeReader::once(std::string name, const void* thing) {
  if (!encoded_.insert({name, thing}).second) return nullptr;
  return &reads_[std::move(name)];
}

void CodeReader::follow_all() {
  for (; !todo_.empty(); todo_.pop_front()) follow(Item(todo_.front()));
}

void CodeReader::read(const config::Node* n, std::string name, const syntax::Expr* e, const Item& like,
                      As as) {
  if (!e) return;
  if (Encoder* out = once(std::move(name), e)) put_code(e->range, as, *out);
  if (!followed_.insert({n, e, like.of_provider}).second) return;
  Traversals found;
  syntax::collect_traversals(*e, found);
  for (const syntax::Traversal* t : found)
    todo_.push_back({n, t, like.of_provider, like.for_each, like.owner});
}

void CodeReader::read_block(std::string name, const syntax::Block& b, const Item& like, As as) {
  if (Encoder* out = once(std::move(name), &b)) {
    out->begin_list();
    for (const Symbol label : b.labels) out->text(label.sv());
    put_code(b.body.range, as, *out);
    out->end();
  }
  if (!followed_.insert({like.node, &b, like.of_provider}).second) return;
  for (const syntax::Traversal* t : references(*like.node->module, b.body.range))
    todo_.push_back({like.node, t, like.of_provider, like.for_each, like.owner});
}

void CodeReader::read_variable(const config::Variable& v, bool of_provider) {
  const std::string name = "var." + std::string(v.name.sv());
  // Given ones are credentials, which differ from machine to machine; and ephemeral ones are in no plan.
  const bool only_default = v.ephemeral || (of_provider && v.sensitive);
  if (only_default && !v.has_default) return;
  Encoder* out = once(only_default ? name + " declaration" : name, &v);
  if (!out) return;
  for (const PlanVariable& p : plan_.variables) {
    if (only_default || p.name != v.name || p.from_default) continue;
    Diagnostics ignored;  // planning has told
    out->value(config::finalize_variable(v, p.value, {}, ignored));
    return;
  }
  const Value fallback = v.has_default ? v.default_value : Value();
  out->value(v.sensitive || v.ephemeral ? fallback.with_marks(kSensitive) : fallback);
}

void CodeReader::read_declaration(const config::Variable& v, const std::string& name, bool given) {
  const bool falls_back = v.has_default && (!given || !v.nullable), hidden = v.sensitive || v.ephemeral;
  if (!falls_back && !v.has_type && !hidden) return;
  Encoder* out = once(given ? name + " declaration" : name, &v);
  if (!out) return;
  out->begin_list().text(v.type.text());
  if (v.sensitive) out->text("sensitive");
  if (v.ephemeral) out->text("ephemeral");
  put_defaults(v.type, hidden, *out);
  if (falls_back) out->value(hidden ? v.default_value.with_marks(kSensitive) : v.default_value);
  out->end();
}

void CodeReader::read_declaration(const config::Output& o, const std::string& name) {
  if (!o.sensitive && !o.ephemeral && !o.type) return;
  Encoder* out = once(name + " declaration", &o);
  if (!out) return;
  out->begin_list().text(o.type ? o.type->text() : "");
  if (o.sensitive) out->text("sensitive");
  if (o.ephemeral) out->text("ephemeral");
  if (o.type) put_defaults(*o.type, o.sensitive, *out);
  out->end();
}

Value CodeReader::kept_value(const AbsInstance& a, const ResourceChange* c, const config::Resource& r) const {
  const InstanceState* s = c ? nullptr : plan_.prior_state.find(a);
  const Value v = c ? c->change.after : s ? state_value(*s->current, r) : Value();
  return schema::mark_sensitive(v, r.schema.get());
}

void CodeReader::read_ephemeral(const config::Node* n, uint32_t resource, bool of_provider) {
  const config::Resource& r = n->module->resources[resource];
  if (!followed_.insert({n, &r, of_provider}).second) return;
  const std::string owner = ConfigResource{n->path, r.addr}.text();
  for (const syntax::Expr* e : {r.count, r.for_each, r.enabled})
    read(n, owner + " repetition", e, Item{n, nullptr, of_provider});
  const Item inside{n, nullptr, of_provider, r.for_each, owner};
  for (const syntax::Attribute& a : r.content.attributes)
    read(n, owner + "." + std::string(a.name.sv()), a.expr, inside);
  for (const syntax::Block& b : r.content.blocks)
    read_block(owner + "." + std::string(b.type.sv()), b, inside, As::Code);
  if (resource >= n->resource_providers.size()) return;
  const ProviderConfigAddr& p = n->resource_providers[resource];
  providers_.emplace(p.text(), p);
}

void CodeReader::read_object(const Item& i, const config::Reference& ref) {
  const config::Node* n = i.node;
  const config::Resource& r = n->module->resources[ref.index];
  if (r.addr.mode == Mode::Ephemeral) return read_ephemeral(n, ref.index, i.of_provider);
  Path path;
  for (size_t step = ref.consumed + (ref.has_key ? 1 : 0); step < i.traversal->steps.size(); ++step)
    path.push_back(i.traversal->steps[step].is_attr ? PathStep::of_attr(i.traversal->steps[step].attr)
                                                    : PathStep::of_index(i.traversal->steps[step].index));
  const std::string name =
      ConfigResource{n->path, r.addr}.text() + (ref.has_key ? ref.key.text() : "") + path_text(path);
  Encoder* out = once(name, &r);
  if (!out) return;
  std::map<std::string, std::vector<Value>> values;
  auto add = [&](const AbsInstance& a, const ResourceChange* c) {
    if (ref.has_key && !(a.key == ref.key)) return;
    std::vector<Value>& read = values[a.text()];
    read.push_back(part_of(kept_value(a, c, r), path));
    // What the provider will find out is usually what it was.
    if (c && !read[0].is_wholly_known())
      read.push_back(part_of(schema::mark_sensitive(c->change.before, r.schema.get()), path));
  };
  if (const auto found = kept_.find({n->path, r.addr}); found != kept_.end())
    for (const auto& [addr, c] : found->second) add(addr, c);
  out->begin_map();
  for (const auto& [address, read] : values) {
    out->text(address);
    if (read.size() > 1) out->begin_list();
    for (const Value& v : read) out->value(v);
    if (read.size() > 1) out->end();
  }
  out->end();
}

void CodeReader::follow_variable(const Item& i, uint32_t variable) {
  const config::Node* n = i.node;
  const config::Variable& v = n->module->variables[variable];
  if (!n->parent) return read_variable(v, i.of_provider);
  const Item inside{n->parent, nullptr, i.of_provider, n->call->for_each, n->path.text()};
  const std::string name = prefix(n) + "var." + std::string(v.name.sv());
  bool given = false;
  for (const syntax::Attribute& a : n->call->arguments)
    if (a.name == v.name) given = true, read(n->parent, name, a.expr, inside);
  read_declaration(v, name, given);
}

// What is evaluated before anything is planned is never bound, and refers to named values only.
void CodeReader::follow_early(const Item& i) {
  const auto& steps = i.traversal->steps;
  if (steps.empty() || !steps[0].is_attr) return;
  const config::Module& m = *i.node->module;
  const std::string_view root = i.traversal->root.sv();
  const Symbol name = steps[0].attr;
  if (const int local = root == "local" ? m.find_local(name) : -1; local >= 0)
    read(i.node, prefix(i.node) + "local." + std::string(name.sv()), m.locals[local].expr,
         Item{i.node, nullptr, i.of_provider});
  if (const int variable = root == "var" ? m.find_variable(name) : -1; variable >= 0)
    follow_variable(i, static_cast<uint32_t>(variable));
}

void CodeReader::follow(const Item& i) {
  if (!i.traversal->bound) return follow_early(i);
  const config::Node* n = i.node;
  const config::Module& m = *n->module;
  const config::Reference& ref = m.reference(*i.traversal);
  const Item inside{n, nullptr, i.of_provider};  // of what has no for_each of its own
  switch (ref.kind) {
    case RefKind::Variable:
      return follow_variable(i, ref.index);
    case RefKind::Local:
      return read(n, prefix(n) + "local." + std::string(m.locals[ref.index].name.sv()),
                  m.locals[ref.index].expr, inside);
    case RefKind::ModuleCall: {
      const config::Node* child = n->children[ref.index].get();
      for (const syntax::Expr* e : {child->call->count, child->call->for_each, child->call->enabled})
        read(n, child->path.text() + ".for_each", e, inside);
      for (const config::Output& o : child->module->outputs) {
        if (!ref.output.empty() && o.name != ref.output) continue;
        const std::string name = prefix(child) + "output." + std::string(o.name.sv());
        read(child, name, o.expr, Item{child, nullptr, i.of_provider});
        read_declaration(o, name);
      }
      return;
    }
    case RefKind::Resource:
      return read_object(i, ref);
    case RefKind::EachValue:
      return read(n, i.owner + ".for_each", i.for_each, inside);
    case RefKind::CountIndex:
    case RefKind::EachKey:  // addresses have them
    case RefKind::Self:     // self()
    case RefKind::PathModule:
    case RefKind::PathRoot:
    case RefKind::PathCwd:
    case RefKind::Workspace:
    case RefKind::Applying:
    case RefKind::Given:
    case RefKind::Invalid:
      return;
  }
}

}  // namespace xplan::review
