// The tree of modules: from a root directory to nodes, through the calls.
//
// Who calls it: load.cc.
// Contract: a directory is read once, whoever calls it; calls in local directories ("./", "../") need no
// installation, all others are looked up in modules.json of the data directory; a cycle of calls is refused,
// and so is a tree of more than kMaxNodes module paths (calls of calls multiply). Cost: linear in files and
// nodes; the walk is iterative. Thread-safety: one thread.
#pragma once
#include "core/config/decode.h"

namespace xplan::config {

inline constexpr size_t kMaxNodes = 100'000;

struct Tree {
  std::unordered_map<const Module*, std::vector<LayeredBody>> layered;
  std::unordered_map<const Module*, const Node*> first_node;
  bool syntax_errors = false;  // something declared may be missing, so references cannot be judged
};
// Fills config.root, modules, nodes and by_path.
Tree build_tree(Config& config, const Fs& fs, SourceTable& sources, const LoadOptions& options,
                Diagnostics& diags);

// What a call gives against what the called module declares, and blocks that only the root module may have.
// `structure`: what needs no look at the called module.
void check_interfaces(const Config& config, const Tree& tree, Diagnostics& structure, Diagnostics& diags);

}  // namespace xplan::config
