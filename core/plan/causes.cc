// Finds why each change of a finished plan is made: changed arguments traced to variables, other changes,
// drift, taint, replace_triggered_by or count; and the chain of changes behind one. Feeds explain.
#include "core/plan/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/plan/config_graph.h"
#include "core/plan/sources.h"
#include "core/schema/decode.h"

namespace xplan {
namespace {

constexpr size_t kMost = 50;  // changes that one reason names

bool differs(const Value& before, const Value& after) {
  return !after.is_wholly_known() || !before.unmark_deep().raw_equal(after.unmark_deep());
}

const Value* member(const Value& object, Symbol name) {
  return object.is_null() || object.is_unknown() ? nullptr : object.find_attr(name.sv());
}

// Whether the attribute at `path` of a changed object is another one than before.
bool changes_at(const ResourceChange& c, const Path& path) {
  const Change& x = c.change;
  if (x.action == Action::NoOp) return false;
  if (x.action == Action::Create || x.action == Action::Read || is_replace(x.action)) {
    if (path.empty() || x.before.is_null()) return true;
  }
  if (path.empty()) return true;
  auto before = path_get(x.before, path), after = path_get(x.after, path);
  if (!before || !after) return before.has_value() != after.has_value();
  return differs(*before, *after);
}

}  // namespace

struct CauseFinder::Impl {
  Impl(const Plan& p, const config::Config& c) : plan(p), config(c) {
    for (uint32_t i = 0; i < p.changes.size(); ++i)
      if (p.changes[i].deposed.empty())
        by_resource[{p.changes[i].addr.module, p.changes[i].addr.resource}].push_back(&p.changes[i]);
    for (const ResourceChange& d : p.drift) drift.emplace(d.addr, &d);
  }

  // Changes that a leaf leads to. With a key that is made of an expression, the instance with the reader's
  // own key is meant more often than not; where that does not change, all that do.
  void changes_of(const ValueSource& l, const ResourceChange& reader,
                  std::vector<const ResourceChange*>& out) const {
    auto it = by_resource.find({l.addr.module, l.addr.resource});
    if (it == by_resource.end()) return;
    auto add = [&](const ResourceChange* c, const Path& path) {
      if (c != &reader && changes_at(*c, path) && std::find(out.begin(), out.end(), c) == out.end())
        out.push_back(c);
    };
    if (const ResourceChange* exact = plan.find(l.addr)) return add(exact, l.path);
    AbsInstance same = l.addr;
    same.key = reader.addr.key;
    size_t before = out.size();
    if (l.addr.key.none())
      if (const ResourceChange* c = plan.find(same)) add(c, {});
    if (out.size() == before && l.addr.key.none())
      for (size_t i = 0; i < it->second.size() && out.size() < kMost; ++i) add(it->second[i], {});
  }

  const config::Resource* declared(const ResourceChange& c) const { return config.find(c.addr.config()); }

  std::vector<ValueSource> trace(const ResourceChange& c, const config::Resource& r,
                                 const std::vector<const syntax::Traversal*>& from) const {
    SourceTracer tracer(Repetitions::OfCallsToo);
    tracer.trace({config.find(c.addr.module.module()), c.addr.module, r.count, r.for_each}, from);
    return tracer.take();
  }

  const std::vector<ValueSource>& leaves_of(const ResourceChange& c, const config::Resource& r,
                                            Symbol attribute) {
    auto [it, fresh] = cache.try_emplace({&r, c.addr.module.id(), attribute.sv()});
    if (!fresh) return it->second;
    std::vector<const syntax::Traversal*> from;
    if (const syntax::Attribute* a = r.content.find(attribute.sv())) {
      syntax::collect_traversals(*a->expr, from);
    } else {  // written as blocks: all that the block refers to
      from.assign(r.references.begin() + r.arguments_begin, r.references.begin() + r.arguments_end);
    }
    return it->second = trace(c, r, from);
  }

  bool is_set(const config::Resource& r, Symbol attribute) const {
    if (r.content.find(attribute.sv())) return true;
    for (const syntax::Block& b : r.content.blocks)
      if (b.type == attribute || (b.type.sv() == "dynamic" && !b.labels.empty() && b.labels[0] == attribute))
        return true;
    return false;
  }

  void explain_leaves(const std::vector<ValueSource>& leaves, const ResourceChange& c, Why& w) const {
    for (const ValueSource& l : leaves) {
      if (l.name.empty())
        changes_of(l, c, w.because);
      else
        w.from.push_back(l.name);
    }
  }

  Why attribute(const ResourceChange& c, const config::Resource* r, Symbol name, bool replaces) {
    Why w;
    w.attribute = name.sv();
    w.replaces = replaces;
    auto d = drift.find(c.addr);
    const ResourceChange* drifted = d == drift.end() ? nullptr : d->second;
    const Value* was = drifted ? member(drifted->change.before, name) : nullptr;
    const Value* is = drifted ? member(drifted->change.after, name) : nullptr;
    if (r && is_set(*r, name)) explain_leaves(leaves_of(c, *r, name), c, w);
    if (!w.because.empty())
      w.text = "follows from another change";
    else if (was && is && differs(*was, *is))
      w.text = "was changed outside of this configuration, which has another value";
    else if (!r || is_set(*r, name))
      w.text = "changed in the configuration";
    else if (const Value* after = member(c.change.after, name); after && after->is_null())
      w.text = "is no longer set in the configuration";
    else
      w.text = "is set by the provider";
    return w;
  }

  // Every argument that changes; only those that cannot be changed in place where `replacing`.
  void attributes(const ResourceChange& c, const config::Resource* r, bool replacing, std::vector<Why>& out) {
    std::unordered_set<Symbol> forcing;
    for (const Path& p : c.required_replace)
      if (!p.empty() && p[0].is_attr) forcing.insert(p[0].attr);
    if (!c.schema) return;
    auto one = [&](Symbol name, bool settable) {
      bool replaces = forcing.contains(name);
      if (replacing ? !replaces : !settable) return;
      const Value *before = member(c.change.before, name), *after = member(c.change.after, name);
      if (!replaces && before && after && !differs(*before, *after)) return;
      // A computed attribute that nobody sets follows from the others.
      if (!replaces && after && !after->is_wholly_known() && r && !is_set(*r, name)) return;
      out.push_back(attribute(c, r, name, replaces));
    };
    for (const schema::Attribute& a : c.schema->block.attributes) one(a.name, a.required || a.optional);
    for (const schema::NestedBlock& b : c.schema->block.blocks) one(b.type_name, true);
  }

  void triggers(const ResourceChange& c, const config::Resource* r, std::vector<Why>& out) {
    Why w;
    w.text = "replace_triggered_by refers to something that changes";
    w.replaces = true;
    if (r) {
      std::vector<const syntax::Traversal*> from;
      for (const syntax::Expr* e : r->replace_triggered_by) syntax::collect_traversals(*e, from);
      explain_leaves(trace(c, *r, from), c, w);
      w.from.clear();
    }
    out.push_back(std::move(w));
  }

  // Which dependent makes a resource create before destroying, by resource: one pass over the graph,
  // dependents first.
  const std::string& forced_by(const ConfigResource& r) {
    if (!cbd_known) {
      cbd_known = true;
      ConfigGraph cg;
      cg.build(config, nullptr);
      cg.graph.freeze();
      std::vector<uint32_t> order = cg.graph.topological_order(), by(cg.nodes.size(), UINT32_MAX);
      auto resource = [&](uint32_t n) -> const config::Resource* {
        const GraphNode& g = cg.nodes[n];
        return g.kind == NodeKind::Resource ? &g.node->module->resources[g.index] : nullptr;
      };
      for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const config::Resource* own = resource(*it);
        uint32_t source = own && own->create_before_destroy ? *it : by[*it];
        if (source == UINT32_MAX) continue;
        for (uint32_t d : cg.graph.dependencies(*it))
          if (by[d] == UINT32_MAX) by[d] = source;
        if (own && !own->create_before_destroy)
          cbd_by[ConfigResource{cg.nodes[*it].node->path, own->addr}] =
              ConfigResource{cg.nodes[source].node->path, resource(source)->addr}.text();
      }
    }
    static const std::string none;
    auto it = cbd_by.find(r);
    return it == cbd_by.end() ? none : it->second;
  }

  void reading(const ResourceChange& c, const config::Resource* r, std::vector<Why>& out) {
    Why w;
    w.text = facts(c.reason == Reason::None ? Reason::ReadBecauseCheckNested : c.reason).why;
    if (r && c.reason != Reason::ReadBecauseCheckNested) {
      std::vector<const syntax::Traversal*> from = r->references;
      from.insert(from.end(), r->depends_on.begin(), r->depends_on.end());
      explain_leaves(trace(c, *r, from), c, w);
      w.from.clear();
    }
    out.push_back(std::move(w));
  }

  static std::string deletion(const ResourceChange& c, const Plan& plan) {
    if (!c.deposed.empty()) return "it is left over from an incomplete replacement";
    const std::string_view why = facts(c.reason).why;
    if (!why.empty()) return fmt::format(fmt::runtime(why), fmt::arg("module", c.addr.module.text()));
    return plan.mode == PlanMode::Destroy ? "everything will be destroyed" : "it is not in the configuration";
  }

  std::vector<Why> why(const ResourceChange& c) {
    std::vector<Why> out;
    auto say = [&](std::string text) { out.emplace_back().text = std::move(text); };
    const config::Resource* r = declared(c);
    if (c.moved()) say(fmt::format("it was moved from {}", c.prev_addr.text()));
    if (c.change.importing) say("an import block imports it");
    switch (c.change.action) {
      case Action::NoOp:
        break;
      case Action::Create: {
        auto d = drift.find(c.addr);
        if (d != drift.end() && d->second->change.action == Action::Delete)
          say("its object was deleted outside of this configuration");
        else
          say("the configuration declares it and the state has no object for it");
        break;
      }
      case Action::Read:
        reading(c, r, out);
        break;
      case Action::Update: {
        size_t before = out.size();
        attributes(c, r, false, out);
        if (out.size() == before) say("only sensitive or provider-computed values change");
        break;
      }
      case Action::Delete:
        say(deletion(c, plan));
        break;
      case Action::Forget:
        say("a removed block removes it from the state without destroying it");
        break;
      case Action::DeleteThenCreate:
      case Action::CreateThenDelete:
        if (c.reason == Reason::ReplaceByTriggers)
          triggers(c, r, out);
        else if (const std::string_view text = facts(c.reason).why; !text.empty())
          say(std::string(text));
        attributes(c, r, true, out);
        if (c.change.action == Action::CreateThenDelete && r && !r->create_before_destroy)
          if (const std::string& by = forced_by(c.addr.config()); !by.empty())
            say(fmt::format(
                "the new object is created before the old one is destroyed, because {} depends on it and "
                "has create_before_destroy",
                by));
        break;
    }
    return out;
  }

  const Plan& plan;
  const config::Config& config;
  std::unordered_map<AbsInstance, const ResourceChange*> drift;
  struct AbsHash {
    size_t operator()(const AbsResource& a) const {
      return std::hash<AbsInstance>()({a.module, a.resource, {}});
    }
  };
  std::unordered_map<AbsResource, std::vector<const ResourceChange*>, AbsHash> by_resource;
  std::map<std::tuple<const config::Resource*, uint32_t, std::string_view>, std::vector<ValueSource>> cache;
  std::unordered_map<ConfigResource, std::string> cbd_by;
  bool cbd_known = false;
};

CauseFinder::CauseFinder(const Plan& plan, const config::Config& config)
    : impl_(std::make_unique<Impl>(plan, config)) {}
CauseFinder::~CauseFinder() = default;

bool CauseFinder::explains(const ResourceChange& c) {
  if (c.addr.resource.mode == Mode::Ephemeral) return false;
  if (c.addr.resource.mode == Mode::Data && c.change.action == Action::Delete) return false;
  return c.change.action != Action::NoOp || c.moved() || c.change.importing;
}

std::vector<Why> CauseFinder::why(const ResourceChange& c) {
  return impl_->why(c);
}

std::vector<const ResourceChange*> CauseFinder::chain(const ResourceChange& c) {
  struct Frame {
    const ResourceChange* change;
    std::vector<const ResourceChange*> causes;
    size_t next = 0;
  };
  auto causes_of = [&](const ResourceChange& x) {
    std::vector<const ResourceChange*> all;
    for (const Why& w : impl_->why(x)) all.insert(all.end(), w.because.begin(), w.because.end());
    return all;
  };
  std::vector<const ResourceChange*> out;
  std::unordered_set<const ResourceChange*> seen{&c};
  std::vector<Frame> stack;
  stack.push_back({&c, causes_of(c)});
  while (!stack.empty()) {
    Frame& f = stack.back();
    if (f.next == f.causes.size()) {
      out.push_back(f.change);
      stack.pop_back();
      continue;
    }
    const ResourceChange* cause = f.causes[f.next++];
    if (seen.insert(cause).second) stack.push_back({cause, causes_of(*cause)});
  }
  return out;
}

}  // namespace xplan
