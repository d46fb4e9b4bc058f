// Builds a graph of everything that can refer to something (across all module paths) and reports each group
// in a cycle with one shortest cycle. Runs when the configuration is loaded, before any plan.
#include "core/config/cycles.h"

#include <algorithm>
#include <deque>

#include "core/config/decode.h"
#include "core/graph/graph.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::Traversal;

namespace {

enum class Kind : uint8_t { Variable, Local, Output, Resource, Provider, Call, CallEnd };

struct Object {
  const Node* node;
  Kind kind;
  uint32_t index;
};

// First number of each kind for a node; objects are numbered kind by kind.
struct Base {
  uint32_t variables, locals, outputs, resources, providers, calls, call_ends;
};

class CycleFinder {
 public:
  CycleFinder(const Config& c, SourceTable& s, Diagnostics& d) : config_(c), sources_(s), diags_(d) {}

  void run() {
    for (const Node* n : config_.nodes) number(*n);
    graph_ = Graph(static_cast<uint32_t>(objects_.size()));
    for (const Node* n : config_.nodes) connect(*n);
    graph_.freeze();
    for (const std::vector<uint32_t>& group : graph_.cycles()) report(group);
  }

 private:
  void number(const Node& n) {
    const Module& m = *n.module;
    auto add = [&](Kind kind, size_t count) {
      const uint32_t first = static_cast<uint32_t>(objects_.size());
      for (size_t i = 0; i < count; ++i) objects_.push_back({&n, kind, static_cast<uint32_t>(i)});
      return first;
    };
    Base b;
    b.variables = add(Kind::Variable, m.variables.size());
    b.locals = add(Kind::Local, m.locals.size());
    b.outputs = add(Kind::Output, m.outputs.size());
    b.resources = add(Kind::Resource, m.resources.size());
    b.providers = add(Kind::Provider, m.providers.size());
    b.calls = add(Kind::Call, m.calls.size());
    b.call_ends = add(Kind::CallEnd, m.calls.size());
    bases_.emplace(&n, b);
  }

  void edge(uint32_t from, uint32_t to) {
    if (from != to) graph_.add_edge(from, to);
  }

  void refer(uint32_t from, const Node& n, const Traversal& t, bool whole) {
    if (!t.bound) return;
    const Reference& r = n.module->reference(t);
    const Base& b = bases_.at(&n);
    switch (r.kind) {
      case RefKind::Variable:
        edge(from, b.variables + r.index);
        break;
      case RefKind::Local:
        edge(from, b.locals + r.index);
        break;
      case RefKind::Resource:
        edge(from, b.resources + r.index);
        break;
      case RefKind::ModuleCall: {
        const Node* child = n.children[r.index].get();
        const int output = child && !r.output.empty() && !whole ? child->module->find_output(r.output) : -1;
        if (output >= 0)
          edge(from, bases_.at(child).outputs + static_cast<uint32_t>(output));
        else
          edge(from, b.call_ends + r.index);
        edge(from, b.calls + r.index);
        break;
      }
      case RefKind::CountIndex:
      case RefKind::EachKey:
      case RefKind::EachValue:
      case RefKind::Self:
      case RefKind::PathModule:
      case RefKind::PathRoot:
      case RefKind::PathCwd:
      case RefKind::Workspace:
      case RefKind::Applying:
      case RefKind::Given:
      case RefKind::Invalid:
        break;
    }
  }
  void refer(uint32_t from, const Node& n, const std::vector<const Traversal*>& list, bool whole = false) {
    for (const Traversal* t : list) refer(from, n, *t, whole);
  }
  void refer(uint32_t from, const Node& n, const Expr* e) {
    if (!e) return;
    scratch_.clear();
    syntax::collect_traversals(*e, scratch_);
    refer(from, n, scratch_);
  }
  void refer(uint32_t from, const Node& n, const std::vector<CheckRule>& rules) {
    for (const CheckRule& r : rules) {
      refer(from, n, r.condition);
      refer(from, n, r.error_message);
    }
  }

  void connect(const Node& n) {
    const Module& m = *n.module;
    const Base& b = bases_.at(&n);
    const bool has_call = n.parent != nullptr;
    const uint32_t own_call =
        has_call ? bases_.at(n.parent).calls + static_cast<uint32_t>(n.call - n.parent->module->calls.data())
                 : 0;
    auto inside = [&](uint32_t x) {
      if (has_call) graph_.add_edge(x, own_call);
    };
    for (uint32_t i = 0; i < m.variables.size(); ++i) {
      inside(b.variables + i);
      refer(b.variables + i, n, m.variables[i].validations);
    }
    if (has_call) {
      for (const syntax::Attribute& a : n.call->arguments) {
        const int i = m.find_variable(a.name);
        if (i >= 0) refer(b.variables + static_cast<uint32_t>(i), *n.parent, a.expr);
      }
    }
    for (uint32_t i = 0; i < m.locals.size(); ++i) {
      inside(b.locals + i);
      refer(b.locals + i, n, m.locals[i].expr);
    }
    for (uint32_t i = 0; i < m.outputs.size(); ++i) {
      inside(b.outputs + i);
      refer(b.outputs + i, n, m.outputs[i].expr);
      refer(b.outputs + i, n, m.outputs[i].preconditions);
      refer(b.outputs + i, n, m.outputs[i].depends_on, true);
    }
    for (uint32_t i = 0; i < m.providers.size(); ++i) {
      inside(b.providers + i);
      refer(b.providers + i, n, m.providers[i].references);
    }
    for (uint32_t i = 0; i < m.resources.size(); ++i) {
      const Resource& r = m.resources[i];
      inside(b.resources + i);
      refer(b.resources + i, n, r.references);
      refer(b.resources + i, n, r.depends_on, true);
      for (const Expr* e : r.replace_triggered_by) refer(b.resources + i, n, e);
      if (i < n.resource_providers.size()) {
        const ProviderConfigAddr& p = n.resource_providers[i];
        if (const Node* home = config_.find(p.module)) {
          for (uint32_t k = 0; k < home->module->providers.size(); ++k) {
            const ProviderConfig& c = home->module->providers[k];
            if (c.provider == p.provider && c.alias == p.alias)
              edge(b.resources + i, bases_.at(home).providers + k);
          }
        }
      }
    }
    for (uint32_t i = 0; i < m.calls.size(); ++i) {
      const ModuleCall& c = m.calls[i];
      inside(b.calls + i);
      refer(b.calls + i, n, c.count);
      refer(b.calls + i, n, c.for_each);
      refer(b.calls + i, n, c.enabled);
      for (const ModuleCall::Passed& x : c.providers) refer(b.calls + i, n, x.parent.key);
      refer(b.calls + i, n, c.depends_on, true);
      const Node* child = n.children[i].get();
      graph_.add_edge(b.call_ends + i, b.calls + i);
      if (!child) continue;
      const Base& cb = bases_.at(child);
      for (uint32_t k = 0; k < child->module->resources.size(); ++k)
        graph_.add_edge(b.call_ends + i, cb.resources + k);
      for (uint32_t k = 0; k < child->module->outputs.size(); ++k)
        graph_.add_edge(b.call_ends + i, cb.outputs + k);
      for (uint32_t k = 0; k < child->module->calls.size(); ++k)
        graph_.add_edge(b.call_ends + i, cb.call_ends + k);
    }
  }

  std::string text(const Object& o) const {
    std::string out = o.node->path.text();
    if (!out.empty()) out += '.';
    const Module& m = *o.node->module;
    switch (o.kind) {
      case Kind::Variable:
        return out + "var." + std::string(m.variables[o.index].name.sv());
      case Kind::Local:
        return out + "local." + std::string(m.locals[o.index].name.sv());
      case Kind::Output:
        return out + "output." + std::string(m.outputs[o.index].name.sv());
      case Kind::Resource:
        return out + m.resources[o.index].addr.text();
      case Kind::Provider: {
        const ProviderConfig& p = m.providers[o.index];
        out += "provider." + std::string(p.local_name.sv());
        return p.alias.empty() ? out : out + "." + std::string(p.alias.sv());
      }
      case Kind::Call:
        return out + "module." + std::string(m.calls[o.index].name.sv()) + " (its instances)";
      case Kind::CallEnd:
        return out + "module." + std::string(m.calls[o.index].name.sv()) + " (the whole module)";
    }
    return out;
  }
  Range range(const Object& o) const {
    const Module& m = *o.node->module;
    switch (o.kind) {
      case Kind::Variable:
        return m.variables[o.index].range;
      case Kind::Local:
        return m.locals[o.index].range;
      case Kind::Output:
        return m.outputs[o.index].range;
      case Kind::Resource:
        return m.resources[o.index].range;
      case Kind::Provider:
        return m.providers[o.index].range;
      case Kind::Call:
      case Kind::CallEnd:
        return m.calls[o.index].range;
    }
    return {};
  }

  // A shortest cycle through the first object of the group.
  void report(const std::vector<uint32_t>& group) {
    const std::unordered_map<uint32_t, bool> members = [&] {
      std::unordered_map<uint32_t, bool> set;
      for (uint32_t x : group) set.emplace(x, true);
      return set;
    }();
    const uint32_t start = group[0];
    std::unordered_map<uint32_t, uint32_t> from;
    std::deque<uint32_t> queue{start};
    bool closed = false;
    uint32_t last = start;
    while (!queue.empty() && !closed) {
      const uint32_t x = queue.front();
      queue.pop_front();
      for (uint32_t y : graph_.dependencies(x)) {
        if (y == start) {
          last = x;
          closed = true;
          break;
        }
        if (members.count(y) && from.emplace(y, x).second) queue.push_back(y);
      }
    }
    std::vector<uint32_t> circle{last};
    while (circle.back() != start) circle.push_back(from.at(circle.back()));
    std::reverse(circle.begin(), circle.end());
    std::string detail =
        "These objects depend on each other's values, so none of them can be evaluated first:";
    constexpr size_t kShown = 10;  // and the last one
    for (size_t i = 0; i < circle.size(); ++i) {
      if (i == kShown && circle.size() > kShown + 2) {
        detail += "\n  - … and " + std::to_string(circle.size() - kShown - 1) + " more, up to";
        i = circle.size() - 1;
      }
      detail += "\n  - " + text(objects_[circle[i]]) + " (" + place(sources_, range(objects_[circle[i]])) +
                ") depends on " + text(objects_[circle[(i + 1) % circle.size()]]);
    }
    detail += "\nRemove one of these references.";
    diags_.error("Dependency cycle", std::move(detail), range(objects_[start]));
  }

  const Config& config_;
  SourceTable& sources_;
  Diagnostics& diags_;
  Graph graph_;
  std::vector<Object> objects_;
  std::unordered_map<const Node*, Base> bases_;
  std::vector<const Traversal*> scratch_;
};

}  // namespace

void check_cycles(const Config& config, SourceTable& sources, Diagnostics& diags) {
  CycleFinder(config, sources, diags).run();
}

}  // namespace xplan::config
