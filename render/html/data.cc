// Writes the rows of a page and the graph as JSON.
#include "render/html/data.h"

#include <unordered_map>

#include "core/base/json_writer.h"
#include "core/base/terminal.h"
#include "render/html/rows.h"
#include "render/html/styled.h"

namespace xplan::render::html {
namespace {

// Texts that many rows have in common are told once.
class Numbers {
 public:
  int64_t of(const std::string& text) {
    auto [it, fresh] = numbers_.try_emplace(text, static_cast<int64_t>(texts_.size()));
    if (fresh) texts_.push_back(text);
    return it->second;
  }
  void write(std::string_view name, JsonWriter& w) const {
    w.key(name);
    w.begin_array();
    for (const std::string& t : texts_) w.string(for_terminal(t));
    w.end_array();
  }

 private:
  std::unordered_map<std::string, int64_t> numbers_;
  std::vector<std::string> texts_;
};

class DataWriter {
 public:
  DataWriter(const PageInput& in, const HumanOptions& options, const Sink& sink)
      : in_(in), o_(options), w_(sink, 0) {}

  void write() {
    w_.begin_object();
    kinds();
    graph();
    rows("changes", each_change);
    rows("drift", each_drift);
    rows("deferred", each_deferred);
    modules_.write("modules", w_);  // known by now
    types_.write("types", w_);
    w_.end_object();
    w_.flush();
  }

 private:
  void kinds() {
    w_.key("kinds");
    w_.begin_array();
    for (const KindFacts& k : kKinds) {
      w_.begin_array();
      for (const std::string_view s : {k.name, k.mark, k.style, k.outcome}) w_.string(s);
      w_.end_array();
    }
    w_.end_array();
  }

  void graph() {
    w_.key("graph");
    w_.begin_object();
    w_.member("dependencies", in_.graph.dependencies);
    w_.key("nodes");
    w_.begin_array();
    for (size_t n = 0; n < in_.graph.nodes.size(); ++n) {
      const review::ChangeGraph::Node& node = in_.graph.nodes[n];
      for (const ResourceChange* c : node.changes) node_of_.emplace(c, static_cast<int64_t>(n));
      w_.begin_array();
      w_.string(for_terminal(node.address()));
      w_.integer(static_cast<int64_t>(kind_of(node.action(), node.first().change.importing)));
      w_.integer(static_cast<int64_t>(node.changes.size()));
      w_.integer(static_cast<int64_t>(node.risk));
      w_.end_array();
    }
    w_.end_array();
    w_.key("edges");
    w_.begin_array();
    for (const review::ChangeGraph::Edge& e : in_.graph.edges) {
      w_.begin_array();
      w_.integer(e.from), w_.integer(e.to), w_.integer(e.why);
      for (const std::string& a : e.attributes) w_.string(for_terminal(a));
      w_.end_array();
    }
    w_.end_array();
    w_.end_object();
  }

  void rows(std::string_view name, size_t (*each)(const PageInput&, const HumanOptions&, const OnRow&)) {
    w_.key(name);
    w_.begin_array();
    each(in_, o_, [&](const Row& row) {
      this->row(row);
      return true;
    });
    w_.end_array();
  }

  void row(const Row& row) {
    const ResourceChange& c = *row.change;
    auto node = node_of_.find(row.change);
    w_.begin_array();
    w_.string(for_terminal(row.address));
    w_.integer(static_cast<int64_t>(row.kind));
    w_.integer(modules_.of(c.addr.module.module().text()));
    w_.integer(types_.of(std::string(c.addr.resource.type.sv())));
    w_.integer(static_cast<int64_t>(row.risk));
    w_.string(for_terminal(note(row)));
    w_.integer(node == node_of_.end() ? -1 : node->second);
    w_.string(marked(row.text));
    w_.end_array();
  }

  static std::string note(const Row& row) {
    std::string out;
    auto add = [&](std::string_view text) { out += (out.empty() ? "" : ", ") + std::string(text); };
    if (review::concerns_data(row.risk) && row.kind <= Kind::ReplaceCreatingFirst) add("stores data");
    if (row.change->moved()) add("moved from " + row.change->prev_addr.text());
    if (row.change->change.importing && row.kind != Kind::Import) add("imported");
    return out;
  }

  const PageInput& in_;
  const HumanOptions& o_;
  JsonWriter w_;
  Numbers modules_, types_;
  std::unordered_map<const ResourceChange*, int64_t> node_of_;
};

}  // namespace

void write_data(const PageInput& in, const HumanOptions& options, const Sink& sink) {
  DataWriter(in, options, sink).write();
}

}  // namespace xplan::render::html
