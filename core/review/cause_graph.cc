// Follows references back from an attribute or a block: through locals, variables, outputs and repetitions to
// other changes, and through these to theirs. A list of nodes to expand replaces recursion.
#include "core/review/cause_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/review/attributes.h"

namespace xplan::review {

using config::RefKind;

namespace {

constexpr size_t kMostFollowed = 64;  // nodes, where everything that is unknown in a plan is explained

}  // namespace

std::string with_path(std::string name, const Path& path) {
  return std::move(name) + path_text(path);
}

std::string_view outcome_of(const ResourceChange& c) {
  if (c.change.action == Action::NoOp) return c.change.importing ? "will be imported" : "will be moved";
  return facts(c.change.action).outcome;
}

uint32_t CauseGraph::add(Node n, uint32_t effect, std::string key) {
  if (!key.empty()) {
    const auto [it, fresh] = known_.try_emplace(std::move(key), static_cast<uint32_t>(nodes_.size()));
    if (!fresh) {
      if (it->second == 0) return 0;  // what is explained may be a cause of its causes; chains end with it
      Node& there = nodes_[it->second];
      // An effect is expanded at once, so one that was added before was the last.
      if (effect != UINT32_MAX && effect != it->second &&
          (there.effects.empty() || there.effects.back() != effect))
        there.effects.push_back(effect), ++nodes_[effect].causes;
      return it->second;
    }
  }
  if (effect != UINT32_MAX) n.effects.push_back(effect), ++nodes_[effect].causes;
  nodes_.push_back(std::move(n));
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void CauseGraph::follow(const CauseRoot& root, Why& out) {
  begin(root, UINT32_MAX, owner_);
  if (root.attribute) {
    out.before = nodes_[0].step.before, out.after = nodes_[0].step.after;
    nodes_[0].step.note.clear();
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) expand(i);
  collect(out);
}

void CauseGraph::begin(const CauseRoot& root, uint32_t effect, const ResourceChange* c) {
  uint32_t id;
  if (root.attribute) {
    id = part(effect, *c, *root.attribute);
  } else {
    Node n;
    n.change = c, n.step = root.step, n.reads = root.reads, n.only_unknown = root.only_unknown;
    id = add(std::move(n), effect,
             fmt::format("r{}|{}|{}", static_cast<const void*>(c), root.step.subject, root.step.note));
  }
  nodes_[id].explained |= root.explained;
  for (const CauseRoot& r : root.behind) begin(r, id, c);
}

void CauseGraph::expand(uint32_t id) {
  switch (nodes_[id].kind) {
    case Kind::Part:
      return expand_part(id);
    case Kind::Change:
      return expand_change(id);
    case Kind::Named:
      return expand_named(id);
    case Kind::Fixed: {
      const std::vector<Reads> all = std::move(nodes_[id].reads);
      for (const Reads& r : all) read(id, r);
      return;
    }
  }
}

// --- attributes and changes --------------------------------------------------------------------------------

uint32_t CauseGraph::part(uint32_t effect, const ResourceChange& c, const Path& path) {
  Node n;
  n.kind = Kind::Part, n.change = &c, n.path = path;
  n.step.change = &c;
  n.step.subject = with_path(c.addr.text(), path);
  const auto& [before, after] = facts_.sides(c);
  if (!before.is_null()) n.step.before = path_get(before, path);
  if (!after.is_null()) n.step.after = path_get(after, path);
  n.only_unknown = n.step.after && n.step.after->is_unknown();
  return add(std::move(n), effect, fmt::format("p{}{}", static_cast<const void*>(&c), path_text(path)));
}

void CauseGraph::change(uint32_t effect, const ResourceChange& c) {
  Node n;
  n.kind = Kind::Change, n.change = &c;
  n.step = {StepKind::Change, c.addr.text(), std::string(outcome_of(c)), {}, {}, {}, &c};
  add(std::move(n), effect, fmt::format("c{}", static_cast<const void*>(&c)));
}

void CauseGraph::expand_part(uint32_t id) {
  const ResourceChange& c = *nodes_[id].change;
  const config::Resource* r = facts_.declared(c.addr);
  const Path path = nodes_[id].path;
  const schema::Part part =
      r && r->schema ? facts_.parts.at(r->content, r->schema->block, path) : schema::Part();
  nodes_[id].step.place = facts_.place(part.place);
  if (!part.place.valid()) {
    const bool unset = r && nodes_[id].step.after && nodes_[id].step.after->is_null();
    nodes_[id].step.note = unset ? "no longer set in the configuration"
                           : nodes_[id].only_unknown
                               ? fmt::format("decided by the provider when {} {}", c.addr.text(),
                                             c.change.action == Action::Update ? "is updated"
                                             : is_replace(c.change.action)     ? "is replaced"
                                             : c.change.action == Action::Read ? "is read"
                                                                               : "is created")
                               : "set by the provider";
    // What is decided when the object is made or changed has the cause of that.
    const bool decided = nodes_[id].only_unknown || !nodes_[id].effects.empty();
    if (!unset && decided && scope_.whole && c.change.action != Action::Create) change(id, c);
    return;
  }
  const bool on = own(&c) || (scope_.unknown && nodes_[id].only_unknown && nodes_.size() < kMostFollowed);
  if (!on || nodes_[id].explained) return;
  Reads from{{facts_.config.find(c.addr.module.module()), c.addr.module, r->count, r->for_each}, &c};
  from.key = c.addr.key;
  if (part.expr) {
    read(id, from, *part.expr, part.rest, 0);
  } else {
    from.references = part.reads;
    read(id, from);
  }
  if (nodes_[id].causes == 0 && !nodes_[id].only_unknown)
    nodes_[id].step.note = c.change.before.is_null() ? "" : "changed in the configuration";
}

void CauseGraph::expand_change(uint32_t id) {
  const ResourceChange& c = *nodes_[id].change;
  if (const config::Resource* r = facts_.declared(c.addr)) nodes_[id].step.place = facts_.place(r->range);
  if (!own(&c)) return;
  for (const ChangeReason& reason : reasons_.reasons(c)) {
    const CauseRoot& root = reason.root;
    if (reason.aside) continue;
    if (root.attribute || root.step.kind != StepKind::Change) {
      begin(root, id, &c);
      continue;
    }
    // Its step is the change itself.
    nodes_[id].only_unknown = root.only_unknown;
    for (const Reads& r : root.reads) read(id, r);
    for (const CauseRoot& r : root.behind) begin(r, id, &c);
  }
}

}  // namespace xplan::review
