// Collects the text of provisioners and provider configurations, and follows what they read.
#include "core/review/code.h"

#include "core/config/inputs.h"
#include "core/review/summary.h"
#include "core/value/json.h"

namespace xplan::review {
namespace {

using config::RefKind;

const std::string kNone;

bool within(Range inner, Range outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

// Of optional attributes, wherever they are in the type.
void put_defaults(const TypeConstraint& t, bool sensitive, Encoder& out) {
  for (const Value& d : t.defaults) out.value(sensitive ? d.with_marks(kSensitive) : d);
  for (const TypeConstraint& child : t.children) put_defaults(child, sensitive, out);
}

std::string prefix(const config::Node* n) {
  return n->path.is_root() ? "" : n->path.text() + ".";
}

// What the state has of an object that no change tells of: one that was read while planning.
Value state_value(const Object& o, const config::Resource& r) {
  if (o.value) return *o.value;
  if (!r.schema) return {};
  Result<Value> v = parse_json_as(o.attributes_json, r.schema->block.implied_type(), true, true);
  return v ? *v : Value();
}

}  // namespace

CodeReader::CodeReader(const Plan& plan, const config::Config& config, const SourceTable& sources)
    : plan_(plan), config_(config), sources_(sources), removed_(config) {
  for (const ResourceChange& c : plan.changes)
    if (!acts(c) && c.deposed.empty()) unchanged_[c.addr.config()].push_back({c.addr, &c});
  for (const auto& [addr, state] : plan.prior_state.resources)
    if (addr.resource.mode == Mode::Data)
      for (const auto& [key, instance] : state.instances)
        if (const AbsInstance a{addr.module, addr.resource, key}; instance.current && !plan.find(a))
          unchanged_[addr.config()].push_back({a, nullptr});
}

std::string_view CodeReader::text_of(Range r) const {
  ResolvedRange at;
  return sources_.resolve(r, at) ? at.text : std::string_view();
}

void CodeReader::put(const config::Provisioner& p, const config::Resource* r, Encoder& out) const {
  out.begin_list();
  out.text(p.type.sv()).text(p.on_destroy ? "destroy" : "create");
  out.text(p.continue_on_failure ? "continue" : "fail");
  out.text(p.body.body ? text_of(p.body.body->range) : "");
  out.text(r && r->connection && r->connection->body ? text_of(r->connection->body->range) : "");
  out.end();
}

const std::string& CodeReader::provisioners(const ResourceChange& c) {
  const Action a = c.change.action;
  const bool makes = a == Action::Create || is_replace(a), ends = destroys(a);
  if ((!makes && !ends) || c.addr.resource.mode != Mode::Managed) return kNone;
  const ConfigResource name = c.addr.config();
  auto [it, added] = provisioners_[makes && ends ? 2 : ends].try_emplace(name);
  if (!added) return it->second;
  Encoder out;
  out.begin_list();
  bool any = false;
  const config::Node* n = config_.find(name.module);
  const config::Resource* r = config_.find(name);
  auto run = [&](const std::vector<config::Provisioner>& list) {
    for (const config::Provisioner& p : list) {
      if (!(p.on_destroy ? ends : makes)) continue;
      any = true;
      put(p, r, out);
      if (!r || p.on_destroy || !p.body.body) continue;
      for (const syntax::Traversal* t : r->references)
        if (within(t->range, p.body.body->range) ||
            (r->connection && r->connection->body && within(t->range, r->connection->body->range)))
          todo_.push_back({n, t, false, r->for_each, name.text()});
    }
  };
  if (r)
    run(r->provisioners);
  else if (const RemovedBlocks::Place* place = removed_.find(name))
    run(place->block->provisioners);
  out.end();
  if (any) it->second = std::move(out.bytes);
  return it->second;
}

std::string CodeReader::provider(const ProviderConfigAddr& a) {
  const config::Node* n = config_.find(a.module);
  if (!n) return {};
  for (const config::ProviderConfig& p : n->module->providers) {
    if (!(p.provider == a.provider) || p.alias != a.alias || !p.block) continue;
    for (const syntax::Traversal* t : p.references) todo_.push_back({n, t, true});
    return std::string(text_of(p.block->body.range));
  }
  return {};
}

std::map<std::string, Encoder> CodeReader::reads() {
  for (; !todo_.empty(); todo_.pop_front()) follow(todo_.front());
  return std::move(reads_);
}

void CodeReader::read(const config::Node* n, std::string name, const syntax::Expr* e, const Item& like) {
  if (e && first(n, e, like.of_provider)) take(n, std::move(name), e, like);
}

void CodeReader::take(const config::Node* n, std::string name, const syntax::Expr* e, const Item& like) {
  Encoder& out = reads_[std::move(name)];
  if (out.bytes.empty()) out.text(text_of(e->range));
  std::vector<const syntax::Traversal*> found;
  syntax::collect_traversals(*e, found);
  for (const syntax::Traversal* t : found)
    todo_.push_back({n, t, like.of_provider, like.for_each, like.owner});
}

void CodeReader::read_variable(const config::Variable& v, bool of_provider) {
  if (v.ephemeral || (of_provider && v.sensitive)) return;
  Encoder& out = reads_["var." + std::string(v.name.sv())];
  if (!out.bytes.empty()) return;
  for (const PlanVariable& p : plan_.variables) {
    if (p.name != v.name || p.from_default) continue;
    Diagnostics ignored;  // planning has told
    out.value(config::finalize_variable(v, p.value, {}, ignored));
    return;
  }
  const Value fallback = v.has_default ? v.default_value : Value();
  out.value(v.sensitive ? fallback.with_marks(kSensitive) : fallback);
}

void CodeReader::read_declaration(const config::Variable& v, const std::string& name, bool given,
                                  bool of_provider) {
  if (v.ephemeral || (of_provider && v.sensitive)) return;
  const bool falls_back = v.has_default && (!given || !v.nullable);
  if (!falls_back && !v.has_type) return;
  Encoder& out = reads_[given ? name + " declaration" : name];
  if (!out.bytes.empty()) return;
  out.begin_list().text(v.type.text());
  put_defaults(v.type, v.sensitive, out);
  if (falls_back) out.value(v.sensitive ? v.default_value.with_marks(kSensitive) : v.default_value);
  out.end();
}

void CodeReader::unknown_arguments(const ResourceChange& c) {
  const Value& after = c.change.after;
  const config::Resource* r = after.is_wholly_known() ? nullptr : config_.find(c.addr.config());
  if (!r || after.kind() != Kind::Obj) return;
  const config::Node* n = config_.find(c.addr.config().module);
  const auto unknown = [&](Symbol name) {
    const Value* v = after.find_attr(name.sv());
    return v && !v->is_wholly_known();
  };
  // Each expression is taken once, whatever the number of instances.
  const auto named = [&](std::string_view argument) {
    return prefix(n) + r->addr.text() + "." + std::string(argument);
  };
  const auto inside = [&](const syntax::Traversal* t) {
    return Item{n, t, false, r->for_each, prefix(n) + r->addr.text()};
  };
  for (const syntax::Attribute& a : r->content.attributes)
    if (unknown(a.name) && a.expr && first(n, a.expr, false))
      take(n, named(a.name.sv()), a.expr, inside(nullptr));
  for (const syntax::Block& b : r->content.blocks) {
    if (!unknown(b.type) || !first(n, &b, false)) continue;
    reads_[named(b.type.sv())].text(text_of(b.body.range));
    for (const syntax::Traversal* t : r->references)
      if (within(t->range, b.body.range)) todo_.push_back(inside(t));
  }
}

void CodeReader::unknown_output(const OutputChange& o) {
  const config::Node* n = config_.root.get();
  const int i = o.change.after.is_wholly_known() ? -1 : n->module->find_output(o.name);
  if (i >= 0) read(n, "output." + std::string(o.name.sv()), n->module->outputs[i].expr, Item{n, nullptr});
}

Value CodeReader::unchanged_value(const AbsInstance& a, const ResourceChange* c,
                                  const config::Resource& r) const {
  const InstanceState* s = c ? nullptr : plan_.prior_state.find(a);
  const Value v = c ? c->change.after : s ? state_value(*s->current, r) : Value();
  return schema::mark_sensitive(v, r.schema.get());
}

void CodeReader::read_object(const config::Node* n, const config::Reference& ref,
                             const syntax::Traversal& t) {
  const config::Resource& r = n->module->resources[ref.index];
  if (r.addr.mode == Mode::Ephemeral) return;
  Path path;
  for (size_t step = ref.consumed + (ref.has_key ? 1 : 0); step < t.steps.size(); ++step)
    path.push_back(t.steps[step].is_attr ? PathStep::of_attr(t.steps[step].attr)
                                         : PathStep::of_index(t.steps[step].index));
  Encoder& out = reads_[prefix(n) + r.addr.text() + (ref.has_key ? ref.key.text() : "") + path_text(path)];
  if (!out.bytes.empty()) return;
  std::map<std::string, Value> values;
  auto add = [&](const AbsInstance& a, const ResourceChange* c) {
    if (!ref.has_key || a.key == ref.key)
      values.emplace(a.text(), path_get(unchanged_value(a, c, r), path).value_or(Value()));
  };
  if (const auto found = unchanged_.find({n->path, r.addr}); found != unchanged_.end())
    for (const auto& [addr, c] : found->second) add(addr, c);
  out.begin_map();
  for (const auto& [address, v] : values) out.text(address).value(v);
  out.end();
}

void CodeReader::follow(const Item& i) {
  if (!i.traversal->bound) return;
  const config::Node* n = i.node;
  const config::Module& m = *n->module;
  const config::Reference& ref = m.reference(*i.traversal);
  Item inside{n, nullptr, i.of_provider};  // of what has no for_each of its own
  switch (ref.kind) {
    case RefKind::Variable: {
      const config::Variable& v = m.variables[ref.index];
      if (!n->parent) return read_variable(v, i.of_provider);
      inside.for_each = n->call->for_each, inside.owner = n->path.text();
      const std::string name = prefix(n) + "var." + std::string(v.name.sv());
      bool given = false;
      for (const syntax::Attribute& a : n->call->arguments)
        if (a.name == v.name) given = true, read(n->parent, name, a.expr, inside);
      return read_declaration(v, name, given, i.of_provider);
    }
    case RefKind::Local:
      return read(n, prefix(n) + "local." + std::string(m.locals[ref.index].name.sv()),
                  m.locals[ref.index].expr, inside);
    case RefKind::ModuleCall: {
      const config::Node* child = n->children[ref.index].get();
      for (const config::Output& o : child->module->outputs)
        if (ref.output.empty() || o.name == ref.output)
          read(child, prefix(child) + "output." + std::string(o.name.sv()), o.expr, inside);
      return;
    }
    case RefKind::Resource:
      return read_object(n, ref, *i.traversal);
    case RefKind::EachValue:
      return read(n, i.owner + ".for_each", i.for_each, inside);
    case RefKind::CountIndex:
    case RefKind::EachKey:  // addresses have them
    case RefKind::Self:
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
