// Checks of moved and removed blocks before a plan: a move onto itself, cycles, two destinations or two
// sources, and sources that are still declared.
#include "core/config/moves_check.h"

#include <algorithm>

#include "core/config/decode.h"
#include "core/eval/eval.h"
#include "core/graph/graph.h"

namespace xplan::config {
namespace {

// What count or for_each of a block says without evaluation of references.
enum class Declared : uint8_t { No, Yes, Unknown };

Declared declares_key(const Expr* count, const Expr* for_each, bool has_key, const InstanceKey& key) {
  if (!count && !for_each) return has_key ? Declared::No : Declared::Yes;
  if (!has_key) return Declared::No;
  if (count && key.kind != InstanceKey::Kind::Int) return Declared::No;
  if (for_each && key.kind != InstanceKey::Kind::String) return Declared::No;
  const Expr& e = count ? *count : *for_each;
  bool constant = true;
  syntax::walk(e, [&](const Expr& x) {
    constant &= x.kind != syntax::ExprKind::Call && x.kind != syntax::ExprKind::Traversal;
  });
  if (!constant) return Declared::Unknown;
  Diagnostics ignored;
  const Value v = eval::evaluate_constant(e, ignored);
  if (ignored.has_errors() || v.is_null() || !v.is_wholly_known()) return Declared::Unknown;
  if (count) {
    std::optional<Value> n = convert(v, Type::number());
    std::optional<int64_t> limit = n ? n->as_number().exact_int64() : std::nullopt;
    return !limit ? Declared::Unknown : key.number >= 0 && key.number < *limit ? Declared::Yes : Declared::No;
  }
  if (v.kind() == xplan::Kind::Obj) return v.find_attr(key.string.sv()) ? Declared::Yes : Declared::No;
  if (v.kind() == xplan::Kind::Map) return v.find_key(key.string.sv()) ? Declared::Yes : Declared::No;
  return Declared::Unknown;
}

Declared both(Declared a, Declared b) {
  if (a == Declared::No || b == Declared::No) return Declared::No;
  return a == Declared::Unknown || b == Declared::Unknown ? Declared::Unknown : Declared::Yes;
}

class MoveChecker {
 public:
  MoveChecker(const Config& c, SourceTable* s, Diagnostics& d) : config_(c), sources_(s), diags_(d) {}

  void run() {
    for (const Node* n : config_.nodes) {
      for (const Moved& m : n->module->moved) moved(*n, m);
      for (const Removed& r : n->module->removed) removed(*n, r);
    }
    cycles();
  }

 private:
  struct Statement {
    const Moved* moved;
    std::string from, to;
  };

  std::string at(Range r) const { return sources_ ? " at " + place(*sources_, r) : std::string(); }
  std::string absolute(const Node& n, const EndPoint& e) const {
    const std::string path = n.path.text();
    return path.empty() ? e.text() : path + "." + e.text();
  }

  void moved(const Node& n, const Moved& m) {
    Statement s{&m, absolute(n, m.from), absolute(n, m.to)};
    if (s.from == s.to) {
      diags_.error("Redundant move", "This block moves " + s.from + " to its own address. Remove the block.",
                   m.range);
      return;
    }
    still_declared(n, m, s);
    const auto [by_from, new_from] = by_from_.emplace(s.from, statements_.size());
    const auto [by_to, new_to] = by_to_.emplace(s.to, statements_.size());
    if (!new_from && statements_[by_from->second].to != s.to) {
      const Statement& other = statements_[by_from->second];
      diags_.error("Ambiguous moves",
                   "The block" + at(other.moved->range) + " moves " + s.from + " to " + other.to +
                       ", this one to " + s.to + ". An object can be moved to only one address.",
                   m.range);
    }
    if (!new_to && statements_[by_to->second].from != s.from) {
      const Statement& other = statements_[by_to->second];
      diags_.error("Ambiguous moves",
                   "The block" + at(other.moved->range) + " moves " + other.from + " to " + s.to +
                       ", and this one moves " + s.from +
                       " there as well. An object can be moved from only one address.",
                   m.range);
    }
    statements_.push_back(std::move(s));
  }

  // The node at the module steps of an end point, and whether those instances are declared.
  const Node* module_of(const Node& n, const EndPoint& e, size_t steps, Declared& declared) const {
    const Node* at = &n;
    declared = Declared::Yes;
    for (size_t i = 0; i < steps; ++i) {
      const int call = at->module->find_call(e.module_steps[i].first);
      if (call < 0) return nullptr;
      const ModuleCall& c = at->module->calls[static_cast<size_t>(call)];
      // A step without a key stands for all instances of a repeated module.
      if (e.module_step_has_key[i] || (!c.count && !c.for_each)) {
        declared = both(
            declared, declares_key(c.count, c.for_each, e.module_step_has_key[i], e.module_steps[i].second));
      }
      at = at->children[static_cast<size_t>(call)].get();
      if (!at) return nullptr;
    }
    return at;
  }

  static bool same_modules(const EndPoint& a, const EndPoint& b, size_t steps) {
    if (b.module_steps.size() < steps) return false;
    for (size_t i = 0; i < steps; ++i) {
      if (a.module_steps[i] != b.module_steps[i] || a.module_step_has_key[i] != b.module_step_has_key[i])
        return false;
    }
    return true;
  }

  void still_declared(const Node& n, const Moved& m, const Statement& s) {
    Declared declared = Declared::Yes;
    Range where;
    if (m.from.resource) {
      const size_t steps = m.from.module_steps.size();
      const Node* home = module_of(n, m.from, steps, declared);
      const int index = home ? home->module->find_resource(*m.from.resource) : -1;
      if (index < 0) return;
      const Resource& r = home->module->resources[static_cast<size_t>(index)];
      where = r.range;
      // Between the instances of one resource, the instance counts; otherwise a resource as a whole.
      const bool same = m.to.resource == m.from.resource && m.to.module_steps.size() == steps &&
                        same_modules(m.from, m.to, steps);
      if (m.from.has_key || same)
        declared = both(declared, declares_key(r.count, r.for_each, m.from.has_key, m.from.key));
    } else {
      if (m.from.module_steps.empty()) return;
      const size_t last = m.from.module_steps.size() - 1;
      const Node* home = module_of(n, m.from, last, declared);
      const int index = home ? home->module->find_call(m.from.module_steps[last].first) : -1;
      if (index < 0) return;
      const ModuleCall& c = home->module->calls[static_cast<size_t>(index)];
      where = c.range;
      const bool same = m.to.module_steps.size() == last + 1 && same_modules(m.from, m.to, last) &&
                        m.to.module_steps[last].first == m.from.module_steps[last].first;
      if (m.from.module_step_has_key[last] || same) {
        declared = both(declared, declares_key(c.count, c.for_each, m.from.module_step_has_key[last],
                                               m.from.module_steps[last].second));
      }
    }
    if (declared != Declared::Yes) return;
    diags_.error("Moved object still exists",
                 "This block says that " + s.from + " is now " + s.to + ", but " + s.from +
                     " is still declared" + at(where) + ". Remove that declaration, or this block.",
                 m.range);
  }

  void removed(const Node& n, const Removed& r) {
    Declared ignored = Declared::Yes;
    const std::string text = absolute(n, r.from);
    Range where;
    if (r.from.resource) {
      const Node* home = module_of(n, r.from, r.from.module_steps.size(), ignored);
      const int index = home ? home->module->find_resource(*r.from.resource) : -1;
      if (index < 0) return;
      where = home->module->resources[static_cast<size_t>(index)].range;
    } else {
      if (r.from.module_steps.empty()) return;
      const size_t last = r.from.module_steps.size() - 1;
      const Node* home = module_of(n, r.from, last, ignored);
      const int index = home ? home->module->find_call(r.from.module_steps[last].first) : -1;
      if (index < 0) return;
      where = home->module->calls[static_cast<size_t>(index)].range;
    }
    diags_.error(r.from.resource ? "Removed resource still exists" : "Removed module still exists",
                 "The block" + at(r.range) + " says that " + text +
                     " was removed, but it is still declared. Remove this declaration, or that block.",
                 where);
  }

  void cycles() {
    std::unordered_map<std::string, uint32_t> nodes;
    std::vector<std::string> texts;
    std::vector<const Moved*> first;
    auto number = [&](const std::string& text) {
      auto [it, fresh] = nodes.emplace(text, static_cast<uint32_t>(texts.size()));
      if (fresh) {
        texts.push_back(text);
        first.push_back(nullptr);
      }
      return it->second;
    };
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (const Statement& s : statements_) {
      const uint32_t from = number(s.from), to = number(s.to);
      if (!first[from]) first[from] = s.moved;
      edges.emplace_back(from, to);
    }
    Graph graph(static_cast<uint32_t>(texts.size()));
    for (auto& [from, to] : edges) graph.add_edge(from, to);
    graph.freeze();
    for (const std::vector<uint32_t>& group : graph.cycles()) {
      std::string detail = "These blocks move objects in a cycle, so there is no final address for them:";
      for (uint32_t x : group) {
        for (uint32_t y : graph.dependencies(x)) {
          if (std::binary_search(group.begin(), group.end(), y)) {
            detail += "\n  " + texts[x] + " to " + texts[y];
            if (sources_ && first[x]) detail += " (" + place(*sources_, first[x]->range) + ")";
          }
        }
      }
      diags_.error("Cycle of moves", detail + "\nRemove one of them.",
                   first[group[0]] ? first[group[0]]->range : Range());
    }
  }

  const Config& config_;
  SourceTable* sources_;
  Diagnostics& diags_;
  std::vector<Statement> statements_;
  std::unordered_map<std::string, size_t> by_from_, by_to_;
};

}  // namespace

void validate_moves(const Config& config, SourceTable& sources, Diagnostics& diags) {
  MoveChecker(config, &sources, diags).run();
}
void validate_moves(const Config& config, Diagnostics& diags) {
  MoveChecker(config, nullptr, diags).run();
}

}  // namespace xplan::config
