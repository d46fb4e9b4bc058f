// What expressions read: other expressions behind names, the objects that references lead to, and functions
// that are causes of their own.
#include <fmt/format.h>

#include <algorithm>

#include "core/review/attributes.h"
#include "core/review/cause_graph.h"

namespace xplan::review {

using config::RefKind;

namespace {

// Functions whose results do not follow from their arguments alone.
struct Impure {
  std::string_view name, note;
  bool unknown_when_planning, always_differs;
};
constexpr Impure kImpure[] = {
    {"timestamp", "returns a different value in each run, known only after apply", true, true},
    {"uuid", "returns a different value in each run, known only after apply", true, true},
    {"bcrypt", "returns a different value in each run, known only after apply", true, true},
    {"plantimestamp", "returns a different value in each plan", false, true},
    {"file", "reads a file", false, false},
    {"filebase64", "reads a file", false, false},
    {"filebase64sha256", "reads a file", false, false},
    {"filebase64sha512", "reads a file", false, false},
    {"filemd5", "reads a file", false, false},
    {"filesha1", "reads a file", false, false},
    {"filesha256", "reads a file", false, false},
    {"filesha512", "reads a file", false, false},
    {"fileset", "lists files", false, false},
    {"templatefile", "reads a file", false, false},
};

const Impure* find_impure(std::string_view name) {
  if (name.starts_with("core::")) name.remove_prefix(6);
  const auto* it =
      std::find_if(std::begin(kImpure), std::end(kImpure), [&](const Impure& f) { return f.name == name; });
  return it == std::end(kImpure) ? nullptr : it;
}

// Steps of a traversal behind what it names, and then those of `rest`.
Path path_behind(const syntax::Traversal& t, size_t from, const Path& rest) {
  Path out;
  for (size_t i = from; i < t.steps.size(); ++i)
    out.push_back(t.steps[i].is_attr ? PathStep::of_attr(t.steps[i].attr)
                                     : PathStep::of_index(t.steps[i].index));
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

std::string in_module(ModuleInstance m, std::string name) {
  return m.is_root() ? name : m.text() + "." + name;
}

bool wholly_known(const Value& object, const Path& path) {
  const std::optional<Value> v = path_get(object, path);
  return v && v->is_wholly_known();
}

}  // namespace

void CauseGraph::read(uint32_t effect, const Reads& from) {
  for (const syntax::Expr* e : from.values) read(effect, from, *e, {}, 0);
  for (const syntax::Traversal* t : from.references) reference(effect, from, *t, {});
}

void CauseGraph::read(uint32_t effect, const Reads& from, const syntax::Expr& whole, const Path& path,
                      size_t at) {
  const syntax::Expr& e = facts_.parts.expression(whole, path, at);
  if (e.kind == syntax::ExprKind::Traversal)
    return reference(effect, from, *e.traversal,
                     Path(path.begin() + static_cast<std::ptrdiff_t>(at), path.end()));
  std::vector<const syntax::Traversal*> found;
  syntax::collect_traversals(e, found);
  for (const syntax::Traversal* t : found) reference(effect, from, *t, {});
  calls_of(effect, e);
}

void CauseGraph::calls_of(uint32_t effect, const syntax::Expr& e) {
  if (e.kind == syntax::ExprKind::Literal) return;
  syntax::walk(e, [&](const syntax::Expr& x) {
    if (x.kind != syntax::ExprKind::Call) return;
    const Impure* f = find_impure(x.name.sv());
    if (!f || (nodes_[effect].only_unknown && !f->unknown_when_planning)) return;
    Node n;
    n.step = {StepKind::Function,
              std::string(x.name.sv()) + "()",
              std::string(f->note),
              facts_.place(x.range),
              {},
              {},
              nullptr};
    n.proof = f->always_differs ? Proof::Sure : Proof::Maybe;
    add(std::move(n), effect, fmt::format("f{}", static_cast<const void*>(&x)));
  });
}

void CauseGraph::reference(uint32_t effect, const Reads& from, const syntax::Traversal& t, const Path& rest) {
  if (!t.bound || !from.place.node) return;
  const config::Node& n = *from.place.node;
  const config::Module& m = *n.module;
  const config::Reference& ref = m.reference(t);
  switch (ref.kind) {
    case RefKind::Variable: {
      Path path = path_behind(t, ref.consumed, rest);
      if (!n.parent) return root_variable(effect, n, m.variables[ref.index], std::move(path));
      return named(effect, NamedKind::Variable, &n, from.place.addr, ref.index, from, std::move(path));
    }
    case RefKind::Local:
      return named(effect, NamedKind::Local, &n, from.place.addr, ref.index, from,
                   path_behind(t, ref.consumed, rest));
    case RefKind::ModuleCall:
      return outputs(effect, from, t, ref, rest);
    case RefKind::Resource:
      return resource(effect, from, t, ref, rest);
    case RefKind::EachValue:
      return repetition(effect, from, path_behind(t, ref.consumed, rest));
    // An instance never gets another key, and these are what they are.
    case RefKind::CountIndex:
    case RefKind::EachKey:
    case RefKind::Workspace:
    case RefKind::Self:
    case RefKind::PathModule:
    case RefKind::PathRoot:
    case RefKind::PathCwd:
    case RefKind::Applying:
    case RefKind::Given:
    case RefKind::Invalid:
      return;
  }
}

void CauseGraph::fill_values(CauseStep& step, const NamedValue* v, const Path& path) const {
  if (!v) return;
  step.after = path_get(v->value, path);
  if (v->before) step.before = path_get(*v->before, path);
}

namespace {

enum class Changed : uint8_t { No, Perhaps, Yes };
Changed changed(const CauseStep& s) {
  if (!s.after) return Changed::Perhaps;
  if (!s.after->is_wholly_known()) return Changed::Yes;
  if (!s.before) return Changed::Perhaps;
  if (s.before->contains_marks() || s.after->contains_marks()) return Changed::Perhaps;  // nobody knows
  return differ(*s.before, *s.after) ? Changed::Yes : Changed::No;
}

}  // namespace

void CauseGraph::root_variable(uint32_t effect, const config::Node& n, const config::Variable& v, Path path) {
  if (nodes_[effect].only_unknown) return;
  Node leaf;
  leaf.step.kind = StepKind::Variable;
  leaf.step.subject = with_path("var." + std::string(v.name.sv()), path);
  fill_values(leaf.step, facts_.named(NamedKind::Variable, {}, v.name), path);
  const Changed how = changed(leaf.step);
  if (how == Changed::No) return;
  leaf.proof = how == Changed::Yes ? Proof::Sure : Proof::Maybe;
  const PlanVariable* given = facts_.variable(v.name);
  if (given && !given->from_default) {
    leaf.step.note = given->place.empty() ? "set by " + given->origin : "set in a variables file";
    if (given->origin.empty()) leaf.step.note = "set when planning";
    leaf.step.place = given->place.empty() ? facts_.place(v.range) : given->place;
  } else {
    leaf.step.note = "its default";
    leaf.step.place = facts_.place_of_default(n, v);
  }
  add(std::move(leaf), effect, fmt::format("v{}{}", static_cast<const void*>(&v), path_text(path)));
}

void CauseGraph::named(uint32_t effect, NamedKind kind, const config::Node* n, ModuleInstance addr,
                       uint32_t index, const Reads& from, Path path) {
  static constexpr StepKind kSteps[] = {StepKind::Variable, StepKind::Local, StepKind::Output};
  static constexpr std::string_view kPrefixes[] = {"var.", "local.", ""};
  const config::Module& m = *n->module;
  const Symbol name = kind == NamedKind::Variable ? m.variables[index].name
                      : kind == NamedKind::Local  ? m.locals[index].name
                                                  : m.outputs[index].name;
  Node x;
  x.kind = Kind::Named, x.module = n, x.addr = addr, x.named = kind, x.index = index;
  x.change = from.reader;
  x.step.kind = kSteps[static_cast<size_t>(kind)];
  x.step.subject = with_path(
      in_module(addr, std::string(kPrefixes[static_cast<size_t>(kind)]) + std::string(name.sv())), path);
  fill_values(x.step, facts_.named(kind, addr, name), path);
  const bool unknown = !x.step.after || !x.step.after->is_wholly_known();
  if (nodes_[effect].only_unknown && !unknown) return;
  const Changed how = changed(x.step);
  if (how == Changed::No) return;
  x.only_unknown = x.step.after && x.step.after->is_unknown();
  x.proof = how == Changed::Yes ? Proof::Sure : Proof::Maybe;
  std::string key = fmt::format("n{}.{}.{}.{}{}", static_cast<int>(kind), addr.id(),
                                static_cast<const void*>(n), index, path_text(path));
  x.path = std::move(path);
  add(std::move(x), effect, std::move(key));
}

void CauseGraph::expand_named(uint32_t id) {
  const Node& x = nodes_[id];
  const config::Module& m = *x.module->module;
  const syntax::Expr* e = nullptr;
  Range place;
  Reads from{{x.module, x.addr}, x.change};
  switch (x.named) {
    case NamedKind::Variable: {
      const config::Variable& v = m.variables[x.index];
      const config::ModuleCall& call = *x.module->call;
      from.place = {x.module->parent, x.addr.parent(), call.count, call.for_each};
      from.reader = nullptr, from.key = x.addr.key();
      for (const syntax::Attribute& a : call.arguments)
        if (a.name == v.name) e = a.expr;
      if (!e) {
        nodes_[id].step.note = "its default";
        nodes_[id].step.place = facts_.place_of_default(*x.module, v);
        return;
      }
      break;
    }
    case NamedKind::Local:
      e = m.locals[x.index].expr, place = m.locals[x.index].range;
      break;
    case NamedKind::Output:
      e = m.outputs[x.index].expr, place = m.outputs[x.index].range;
      break;
  }
  if (!e) return;
  size_t at = 0;
  const syntax::Expr& inner = facts_.parts.expression(*e, x.path, at);
  nodes_[id].step.place = facts_.place(inner.range.valid() ? inner.range : place);
  const Path path = x.path;
  read(id, from, inner, path, at);
  if (nodes_[id].causes == 0 && nodes_[id].proof == Proof::Sure && !nodes_[id].only_unknown)
    nodes_[id].step.note = "changed in the configuration";
}

void CauseGraph::outputs(uint32_t effect, const Reads& from, const syntax::Traversal& t,
                         const config::Reference& ref, const Path& rest) {
  const config::Node* child = from.place.node->children[ref.index].get();
  InstanceKey key = ref.has_key ? ref.key : InstanceKey();
  // Of a call with instances that is read by an expression, the one with the reader's own key may be meant.
  const bool many = child->call->count || child->call->for_each;
  if (!ref.has_key && many && !from.key.none() && !child->module->outputs.empty()) {
    const ModuleInstance same = from.place.addr.child(child->call->name, from.key);
    if (facts_.named(NamedKind::Output, same, child->module->outputs[0].name)) key = from.key;
  }
  const ModuleInstance inside = from.place.addr.child(child->call->name, key);
  size_t behind = ref.consumed;  // the output's name
  while (behind < t.steps.size() && !(t.steps[behind].is_attr && t.steps[behind].attr == ref.output))
    ++behind;
  for (uint32_t i = 0; i < child->module->outputs.size(); ++i)
    if (ref.output.empty() || child->module->outputs[i].name == ref.output)
      named(effect, NamedKind::Output, child, inside, i, from,
            ref.output.empty() ? Path() : path_behind(t, behind + 1, rest));
}

// each.value: the part of for_each that belongs to the reader's key.
void CauseGraph::repetition(uint32_t effect, const Reads& from, const Path& path) {
  const syntax::Expr* e = from.place.for_each;
  if (!e) return;
  Path inside;
  const InstanceKey& key = from.key;
  if (key.kind == InstanceKey::Kind::String)
    inside.push_back(PathStep::of_index(Value::string(key.string.sv()))),
        inside.insert(inside.end(), path.begin(), path.end());
  Node n;
  n.step.kind = StepKind::Repetition;
  n.step.subject = with_path("each.value", path);
  n.only_unknown = nodes_[effect].only_unknown;
  size_t at = 0;
  const syntax::Expr& inner = facts_.parts.expression(*e, inside, at);
  n.step.place = facts_.place(inner.range);
  n.proof = Proof::Maybe;
  const uint32_t id =
      add(std::move(n), effect,
          fmt::format("e{}|{}|{}", static_cast<const void*>(e), from.place.addr.id(), path_text(inside)));
  Reads outside = from;
  outside.place.count = outside.place.for_each = nullptr;
  if (nodes_[id].causes == 0) read(id, outside, inner, inside, at);
}

void CauseGraph::resource(uint32_t effect, const Reads& from, const syntax::Traversal& t,
                          const config::Reference& ref, const Path& rest) {
  AbsInstance a{from.place.addr, from.place.node->module->resources[ref.index].addr, {}};
  size_t step = ref.consumed;
  if (ref.has_key) a.key = ref.key, ++step;
  const Path path = path_behind(t, step, rest);
  const bool only_unknown = nodes_[effect].only_unknown;
  const std::vector<const ResourceChange*> found = facts_.changed(a, path, from.reader, from.key);
  for (const ResourceChange* c : found) {
    const Path at = a.key == c->addr.key ? path : Path();
    if (only_unknown && wholly_known(c->change.after, at)) continue;
    if (at.empty() || c->change.after.is_null())
      change(effect, *c);
    else
      part(effect, *c, at);
  }
  for (const DeferredChange* d : facts_.deferred(a)) {
    if (scope_.whole && &d->change != owner_) {
      for (const ChangeReason& r : reasons_.reasons(*d)) begin(r.root, effect, &d->change);
      continue;
    }
    Node n;
    n.change = &d->change;
    n.step = {StepKind::Deferral, d->change.addr.text(), "deferred to a later plan", {}, {}, {}, &d->change};
    if (const config::Resource* r = facts_.declared(d->change.addr)) n.step.place = facts_.place(r->range);
    add(std::move(n), effect, fmt::format("d{}", static_cast<const void*>(d)));
  }
  if (only_unknown || !found.empty()) return;
  if (a.resource.mode == Mode::Data) {
    read_data(effect, a, path);
    return;
  }
  for (const ResourceChange* d : facts_.drifted(a, path)) {
    Node n;
    n.change = d;
    const Path at = a.key == d->addr.key ? path : Path();
    n.step = {StepKind::Drift,
              with_path(d->addr.text(), at),
              "changed outside of this configuration",
              {},
              {},
              {},
              d};
    if (!at.empty()) {
      const auto& [was, is] = facts_.sides(*d);
      n.step.before = path_get(was, at);
      n.step.after = path_get(is, at);
    }
    add(std::move(n), effect, fmt::format("o{}{}", static_cast<const void*>(d), path_text(at)));
  }
}

// What a data source read in this run, and in the one before.
bool CauseGraph::read_data(uint32_t effect, const AbsInstance& a, const Path& path) {
  Node n;
  const std::optional<Value>&before = facts_.in_state(facts_.plan.prev_run_state, a),
        &after = facts_.in_state(facts_.plan.prior_state, a);
  if (!before || !after) return false;
  n.step.before = path_get(*before, path), n.step.after = path_get(*after, path);
  if (!n.step.before || !n.step.after || !differ(*n.step.before, *n.step.after)) return false;
  n.step.kind = StepKind::Data;
  n.step.subject = with_path(a.text(), path);
  n.step.note = "read again, with a different result";
  if (path.empty()) n.step.before.reset(), n.step.after.reset();
  if (const config::Resource* r = facts_.declared(a)) n.step.place = facts_.place(r->range);
  add(std::move(n), effect, "t" + with_path(a.text(), path));
  return true;
}

}  // namespace xplan::review
