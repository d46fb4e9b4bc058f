// Checks of moved and removed blocks before a plan: a move onto itself, cycles, two destinations or two
// sources, and removed objects that are still declared.
#include "core/config/moves_check.h"

#include <algorithm>

#include "core/config/decode.h"
#include "core/eval/eval.h"
#include "core/graph/graph.h"

namespace xplan::config {
namespace {

class MoveChecker {
 public:
  MoveChecker(const Config& c, const SourceTable* s, Diagnostics& d) : config_(c), sources_(s), diags_(d) {}

  void moves() {
    for (const Node* n : config_.nodes)
      for (const Moved& m : n->module->moved) moved(*n, m);
    cycles();
  }
  void removals() {
    for (const Node* n : config_.nodes)
      for (const Removed& r : n->module->removed) removed(*n, r);
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
    const auto [by_from, new_from] = by_from_.emplace(s.from, statements_.size());
    const auto [by_to, new_to] = by_to_.emplace(s.to, statements_.size());
    if (!new_from && statements_[by_from->second].to != s.to) {
      const Statement& other = statements_[by_from->second];
      diags_.error("Ambiguous moves",
                   "The moved block" + at(other.moved->range) + " moves " + s.from + " to " + other.to +
                       ", but this one moves it to " + s.to +
                       ". An object can be moved to only one address, so remove one of the blocks.",
                   m.range);
    }
    if (!new_to && statements_[by_to->second].from != s.from) {
      const Statement& other = statements_[by_to->second];
      diags_.error("Ambiguous moves",
                   "The moved block" + at(other.moved->range) + " moves " + other.from + " to " + s.to +
                       ", and this one moves " + s.from + " there as well. Only one object can be moved to " +
                       s.to + ", so remove one of the blocks.",
                   m.range);
    }
    statements_.push_back(std::move(s));
  }

  // The node at the first module steps of an end point; null: nothing declares it.
  static const Node* module_of(const Node& n, const EndPoint& e, size_t steps) {
    const Node* at = &n;
    for (size_t i = 0; at && i < steps; ++i) {
      const int call = at->module->find_call(e.module_steps[i].first);
      at = call < 0 ? nullptr : at->children[static_cast<size_t>(call)].get();
    }
    return at;
  }

  void removed(const Node& n, const Removed& r) {
    const std::string text = absolute(n, r.from);
    Range where;
    if (r.from.resource) {
      const Node* home = module_of(n, r.from, r.from.module_steps.size());
      const int index = home ? home->module->find_resource(*r.from.resource) : -1;
      if (index < 0) return;
      where = home->module->resources[static_cast<size_t>(index)].range;
    } else {
      if (r.from.module_steps.empty()) return;
      const size_t last = r.from.module_steps.size() - 1;
      const Node* home = module_of(n, r.from, last);
      const int index = home ? home->module->find_call(r.from.module_steps[last].first) : -1;
      if (index < 0) return;
      where = home->module->calls[static_cast<size_t>(index)].range;
    }
    diags_.error(r.from.resource ? "Removed resource still exists" : "Removed module still exists",
                 "The removed block" + at(r.range) + " says that " + text +
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
      constexpr size_t kShown = 10;
      for (size_t i = 0; i < group.size() && i < kShown; ++i) {
        const uint32_t x = group[i];
        for (uint32_t y : graph.dependencies(x)) {
          if (std::binary_search(group.begin(), group.end(), y)) {
            detail += "\n  - " + texts[x] + " to " + texts[y];
            if (sources_ && first[x]) detail += " (" + place(*sources_, first[x]->range) + ")";
          }
        }
      }
      if (group.size() > kShown) detail += "\n  - … and " + std::to_string(group.size() - kShown) + " more";
      diags_.error("Cycle of moves", detail + "\nRemove one of them.",
                   first[group[0]] ? first[group[0]]->range : Range());
    }
  }

  const Config& config_;
  const SourceTable* sources_;
  Diagnostics& diags_;
  std::vector<Statement> statements_;
  std::unordered_map<std::string, size_t> by_from_, by_to_;
};

}  // namespace

void validate_moves(const Config& config, const SourceTable* sources, Diagnostics& diags) {
  MoveChecker(config, sources, diags).moves();
}

void validate_removals(const Config& config, const SourceTable* sources, Diagnostics& diags) {
  MoveChecker(config, sources, diags).removals();
}

}  // namespace xplan::config
