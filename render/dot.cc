// Writes graphs as DOT.
#include "render/dot.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/command_line.h"
#include "core/base/terminal.h"
#include "render/group_text.h"

namespace xplan::render {
namespace {

std::string_view colour_of(review::Risk r) {
  switch (risk_text(r).style) {
    case Style::Red:
      return "#b3261e";
    case Style::Yellow:
      return "#7a5200";
    case Style::Green:
      return "#116329";
    case Style::Cyan:
      return "#00616e";
    default:
      return "#59616e";
  }
}

// Between double quotes.
std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : for_terminal(without_terminal_codes(text))) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

// Hands on what has gathered.
void pass(std::string& out, const Sink& sink, size_t most = 65536) {
  if (out.size() < most) return;
  sink(out);
  out.clear();
}

constexpr std::string_view kOfResources =
    "digraph G {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n";

std::string_view shape_of(review::OperationGraph::Shape s) {
  using Shape = review::OperationGraph::Shape;
  switch (s) {
    case Shape::None:
      return "";
    case Shape::Resource:
      return "box";
    case Shape::Provider:
      return "diamond";
    case Shape::Variable:
      return "note";
  }
  return "";
}

}  // namespace

void write_dot(const review::ChangeGraph& graph, const Sink& sink) {
  std::string out =
      "digraph G {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n  edge [fontname "
      "= "
      "\"sans-serif\", fontsize = 10];\n";
  std::vector<std::string> names;
  for (const review::ChangeGraph::Node& n : graph.nodes) {
    // Objects of one resource are changed in several ways together: the name tells them apart.
    const std::string_view mark =
        n.action() == Action::CreateThenDelete ? std::string_view("+/-") : risk_text(n.risk).mark;
    const std::string address =
        n.address() + (n.changes.size() > 1 ? fmt::format(" ({} instances)", n.changes.size()) : "");
    names.push_back(dot_quoted(std::string(mark) + (mark.empty() || mark == " " ? "" : " ") + address));
    out += fmt::format("  {} [color = \"{}\"];\n", names.back(), colour_of(n.risk));
    pass(out, sink);
  }
  for (const review::ChangeGraph::Edge& e : graph.edges) {
    out += fmt::format("  {} -> {}", names[e.from], names[e.to]);
    std::string attributes;
    for (const std::string& a : e.attributes) attributes += (attributes.empty() ? "" : ", ") + a;
    if (e.why)
      out += fmt::format(" [style = bold, label = {}]",
                         dot_quoted(attributes.empty() ? "follows from" : attributes));
    else
      out += " [style = dashed]";
    out += ";\n";
    pass(out, sink);
  }
  if (!graph.dependencies) out += "  // Dependencies are left out: there are too many to be of use.\n";
  sink(out + "}\n");
}

void write_dot(const review::ResourceGraph& graph, const Sink& sink) {
  std::string out(kOfResources);
  if (graph.nodes.empty())
    out += fmt::format("  /* No resources are declared. All that is evaluated: {} graph -type=plan */\n",
                       program_name());
  for (size_t i = 0; i < graph.nodes.size();) {
    const Module module = graph.nodes[i].module;
    const std::string path = module.text(), margin = module.is_root() ? "  " : "    ";
    if (!module.is_root())
      out += fmt::format("  subgraph {} {{\n    label = {}\n    fontname = \"sans-serif\"\n",
                         dot_quoted("cluster_" + path), dot_quoted(path));
    for (; i < graph.nodes.size() && graph.nodes[i].module == module; ++i) {
      out += fmt::format("{}{} [label={}];\n", margin, dot_quoted(graph.nodes[i].text()),
                         dot_quoted(graph.nodes[i].resource.text()));
      pass(out, sink);
    }
    if (!module.is_root()) out += "  }\n";
  }
  for (const auto& [from, to] : graph.edges) {
    out += fmt::format("  {} -> {};\n", dot_quoted(graph.nodes[from].text()),
                       dot_quoted(graph.nodes[to].text()));
    pass(out, sink);
  }
  sink(out + "}\n");
}

void write_dot(const review::OperationGraph& graph, const Sink& sink) {
  const auto& nodes = graph.nodes;
  std::vector<std::string> names;
  std::vector<uint32_t> order;
  for (uint32_t n = 0; n < nodes.size(); ++n)
    names.push_back(dot_quoted("[root] " + nodes[n].name)), order.push_back(n);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return nodes[a].name < nodes[b].name; });
  std::string out = "digraph {\n\tcompound = \"true\"\n\tnewrank = \"true\"\n\tsubgraph \"root\" {\n";
  for (const uint32_t n : order) {
    if (nodes[n].shape == review::OperationGraph::Shape::None) continue;
    const std::string line = fmt::format("\t\t{} [label = {}, shape = \"{}\"]\n", names[n],
                                         dot_quoted(nodes[n].label), shape_of(nodes[n].shape));
    for (size_t i = 0; i < nodes[n].times; ++i) out += line, pass(out, sink);
  }
  std::vector<uint32_t> cycle(nodes.size());  // numbered from 1
  for (size_t i = 0; i < graph.cycles.size(); ++i)
    for (const uint32_t n : graph.cycles[i]) cycle[n] = static_cast<uint32_t>(i + 1);
  EdgeList edges = graph.edges;
  std::sort(edges.begin(), edges.end(), [&](const auto& a, const auto& b) {
    // As lines, in which a quotation mark ends each name.
    if (a.first != b.first) return names[a.first] < names[b.first];
    return names[a.second] < names[b.second];
  });
  for (const auto& [from, to] : edges) {
    out += fmt::format("\t\t{} -> {}", names[from], names[to]);
    if (cycle[from] && cycle[from] == cycle[to]) out += " [color = \"red\", penwidth = \"2.0\"]";
    out += '\n';
    pass(out, sink);
  }
  sink(out + "\t}\n}\n");
}

}  // namespace xplan::render
