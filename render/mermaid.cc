// Writes graphs as Mermaid.
#include "render/mermaid.h"

#include <fmt/format.h>

#include "core/base/terminal.h"

namespace xplan::render {
namespace {

// Between double quotes, where entities stand for what has a meaning.
std::string mermaid_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : for_terminal(without_terminal_codes(text))) {
    if (std::string_view("\"#&<>`\n").find(c) != std::string_view::npos)
      out += fmt::format("#{};", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

void write_mermaid(const review::ResourceGraph& graph, const Sink& sink) {
  std::string out = "flowchart RL\n";
  size_t modules = 0;
  for (size_t i = 0; i < graph.nodes.size();) {
    const Module module = graph.nodes[i].module;
    const std::string_view margin = module.is_root() ? "  " : "    ";
    if (!module.is_root())
      out += fmt::format("  subgraph m{} [{}]\n", modules++, mermaid_quoted(module.text()));
    for (; i < graph.nodes.size() && graph.nodes[i].module == module; ++i)
      out += fmt::format("{}n{}[{}]\n", margin, i, mermaid_quoted(graph.nodes[i].resource.text()));
    if (!module.is_root()) out += "  end\n";
  }
  for (const auto& [from, to] : graph.edges) out += fmt::format("  n{} --> n{}\n", from, to);
  sink(out);
}

void write_mermaid(const review::OperationGraph& graph, const Sink& sink) {
  std::string out = "flowchart LR\n";
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    out += fmt::format("  n{}[{}]\n", i, mermaid_quoted(graph.nodes[i].name));
  std::vector<uint32_t> cycle(graph.nodes.size());  // numbered from 1
  for (size_t i = 0; i < graph.cycles.size(); ++i)
    for (const uint32_t n : graph.cycles[i]) cycle[n] = static_cast<uint32_t>(i + 1);
  std::string red;
  size_t number = 0;
  for (const auto& [from, to] : graph.edges) {
    out += fmt::format("  n{} --> n{}\n", from, to);
    if (cycle[from] && cycle[from] == cycle[to])
      red += fmt::format("  linkStyle {} stroke:red,stroke-width:2px\n", number);
    ++number;
  }
  sink(out + red);
}

}  // namespace xplan::render
