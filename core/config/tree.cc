// Builds the tree of module paths: follows each call to its directory (local or installed), refuses
// cycles and trees that are too large, and checks the arguments of calls against the variables.
#include "core/config/tree.h"

#include <algorithm>

#include "core/config/dialect.h"
#include "core/config/discarded.h"
#include "core/config/early.h"
#include "core/config/installed_modules.h"
#include "core/config/module_files.h"
#include "core/config/module_source.h"

namespace xplan::config {
namespace {

class Builder {
 public:
  Builder(Config& c, const Fs& fs, SourceTable& s, const LoadOptions& o, Diagnostics& d)
      : config_(c), fs_(fs), sources_(s), options_(o), diags_(d) {}

  Tree run() {
    config_.root = std::make_unique<Node>();
    config_.root->module = module(clean_path(options_.root_dir));
    config_.early = std::make_shared<Early>(*config_.root->module, options_.early, options_.stop);
    scopes_.emplace(*config_.early, kModuleSource, kNeededEarly);
    constants_.emplace(*config_.early, kConstantVariable, kNeededEarly);
    std::vector<Node*> stack{config_.root.get()};
    while (!stack.empty()) {
      if (stack.back()->parent && options_.stopping()) return give_up(stack);
      Node* n = stack.back();
      stack.pop_back();
      config_.nodes.push_back(n);
      config_.by_path.emplace(n->path.id(), n);
      tree_.first_node.emplace(n->module, n);
      n->children.resize(n->module->calls.size());
      check_constants(*n);
      for (size_t i = 0; i < n->module->calls.size(); ++i) {
        if (config_.nodes.size() + stack.size() > kMaxNodes) {
          diags_.error("Too many modules",
                       "This configuration calls more than " + std::to_string(kMaxNodes) +
                           " modules. The number multiplies when modules call other modules several times. "
                           "Reduce the number of calls.",
                       n->module->calls[i].range);
          for (std::unique_ptr<Node>& c : n->children) c.reset();
          return give_up(stack);
        }
        if (!options_.alone) n->children[i] = child(*n, n->module->calls[i]);
      }
      for (size_t i = n->children.size(); i-- > 0;) {
        if (n->children[i]) stack.push_back(n->children[i].get());
      }
    }
    return std::move(tree_);
  }

 private:
  // What a module declares as constant, its call must say without anything that planning finds out. Reported
  // once per call, however many paths lead to it. Of the root module, the user must say it, unless nothing
  // else is looked at, or it is a test's; what is ephemeral is used nowhere early, and no plan keeps it.
  void check_constants(const Node& n) {
    if (!has_additions() || (!n.parent && (options_.alone || !options_.installed_as.empty()))) return;
    for (const Variable& v : n.module->variables) {
      if (!v.constant.value_or(false) || (!n.parent && v.ephemeral)) continue;
      Diagnostics found;
      constants_->of(n)->look_up(v, found);
      if (found.has_errors() && (!n.call || reported_.emplace(n.call, true).second))
        diags_.append(std::move(found));
    }
  }

  Tree give_up(const std::vector<Node*>& unseen) {
    for (Node* n : unseen) forget(*n);
    return std::move(tree_);
  }

  // A node that is not listed is not a node of the tree.
  static void forget(Node& n) {
    n.parent->children[static_cast<size_t>(n.call - n.parent->module->calls.data())].reset();
  }

  Module* module(const std::string& dir) {
    auto [it, fresh] = by_dir_.emplace(dir, nullptr);
    if (!fresh) return it->second;
    std::vector<LayeredBody> layered;
    std::unique_ptr<Module> m = read_module(fs_, sources_, dir, layered, diags_);
    tree_.syntax_errors |= m->syntax_errors;
    it->second = m.get();
    tree_.layered.emplace(m.get(), std::move(layered));
    config_.modules.push_back(std::move(m));
    return it->second;
  }

  std::unique_ptr<Node> child(Node& parent, const ModuleCall& call) {
    const std::optional<ModuleFrom> from = source(parent, call);
    if (!from) return nullptr;
    const std::optional<std::string> dir = directory(parent, call, *from);
    if (!dir) return nullptr;
    for (const Node* up = &parent; up; up = up->parent) {
      if (up->module->dir != *dir) continue;
      // Reported once per call, however many paths lead to it.
      if (!reported_.emplace(&call, true).second) return nullptr;
      std::string chain = in_quotes(*dir);
      for (const Node* x = &parent; x != up; x = x->parent)
        chain = in_quotes(x->module->dir) + ", which calls " + chain;
      diags_.error("Module cycle",
                   "The module in " + in_quotes(*dir) + " calls " + chain +
                       " again. A module cannot call itself, directly or through others, because the calls "
                       "would never end.",
                   call.source_range);
      return nullptr;
    }
    auto node = std::make_unique<Node>();
    node->parent = &parent;
    node->call = &call;
    node->path = parent.path.child(call.name);
    node->from = *from;
    node->module = module(*dir);
    return node;
  }

  void report(const ModuleCall& call, std::string_view summary, std::string detail) {
    report(call, summary, std::move(detail), call.range);
  }
  void report(const ModuleCall& call, std::string_view summary, std::string detail, Range where) {
    if (reported_.emplace(&call, true).second) diags_.error(summary, std::move(detail), where);
  }

  // Reported once per call, however many paths lead to it.
  std::optional<ModuleFrom> source(const Node& parent, const ModuleCall& call) {
    Diagnostics found;
    std::optional<ModuleFrom> from = source_of(
        call, [&] { return scopes_->of(parent); }, found);
    if (!found.empty() && reported_.emplace(&call, true).second) diags_.append(std::move(found));
    return from;
  }

  std::optional<std::string> directory(const Node& parent, const ModuleCall& call, const ModuleFrom& from) {
    const Result<ModuleSource> source = parse_module_source(from.source);
    if (source && source->kind == ModuleSource::Kind::Local) {
      std::string dir = join_path(parent.module->dir, from.source);
      if (const std::string& real = real_of(dir); !real.empty()) return real;
      // A saved plan has no links; its manifest says where they led.
      if (const auto* i = installed_.find(key_of(parent, call)); i && i->source == from.source) return i->dir;
      report(call, fs_.exists(dir) ? "Unreadable module directory" : "Module directory not found",
             "The module " + in_quotes(call.name.sv()) + " should be in the directory " + in_quotes(dir) +
                 (fs_.exists(dir) ? ", but that is a file. The source of a module is a directory with "
                                    "configuration files."
                                  : ", but there is no such directory. The path is relative to the "
                                    "directory of the calling module."));
      return std::nullopt;
    }
    return installed_.directory_for(call, from, key_of(parent, call),
                                    [&](std::string_view summary, std::string detail, Range where) {
                                      report(call, summary, std::move(detail), where);
                                    });
  }

  // Many calls lead to the same few directories. Empty: it is not a directory.
  const std::string& real_of(const std::string& dir) {
    auto [it, fresh] = real_dirs_.try_emplace(dir);
    if (fresh && fs_.is_dir(dir)) it->second = real_dir(dir);
    return it->second;
  }

  std::string key_of(const Node& parent, const ModuleCall& call) const {
    std::string key = options_.installed_as.empty() ? "" : options_.installed_as + ".";
    for (Symbol step : parent.path.steps()) key += std::string(step.sv()) + ".";
    return key + std::string(call.name.sv());
  }

  Config& config_;
  const Fs& fs_;
  SourceTable& sources_;
  const LoadOptions& options_;
  Diagnostics& diags_;
  Tree tree_;
  std::unordered_map<std::string, Module*> by_dir_;
  std::unordered_map<std::string, std::string> real_dirs_;
  std::unordered_map<const ModuleCall*, bool> reported_;
  std::optional<EarlyScopes> scopes_, constants_;
  InstalledModules installed_{fs_, options_.data_dir, diags_};
};

void check_call(const ModuleCall& call, const Module& child, Diagnostics& diags) {
  std::unordered_map<Symbol, bool> given;  // or meant
  for (const syntax::Attribute& a : call.arguments) {
    given.emplace(a.name, true);
    if (const int v = child.find_variable(a.name); v >= 0) {
      warn_of_discarded(*a.expr, child.variables[static_cast<size_t>(v)].type.type, a.name.sv(), diags);
      continue;
    }
    std::vector<std::string_view> names{"source", "version", "count", "for_each", "depends_on", "providers"};
    for (const Variable& v : child.variables) names.push_back(v.name.sv());
    if (const auto near = did_you_mean(a.name.sv(), names); !near.empty()) given.emplace(Symbol(near), true);
    diags.error("Unsupported argument",
                "The module " + in_quotes(call.name.sv()) + " has no input variable " +
                    in_quotes(a.name.sv()) + "." + suggestion(a.name.sv(), names),
                a.name_range);
  }
  for (const Variable& v : child.variables) {
    if (!v.required() || given.count(v.name)) continue;
    diags.error("Missing required argument",
                "The module " + in_quotes(call.name.sv()) + " has an input variable " +
                    in_quotes(v.name.sv()) + " without a default value, so it must be set in the call.",
                call.range);
  }
}

}  // namespace

Tree build_tree(Config& config, const Fs& fs, SourceTable& sources, const LoadOptions& options,
                Diagnostics& diags) {
  return Builder(config, fs, sources, options, diags).run();
}

void check_interfaces(const Config& config, const Tree& tree, Diagnostics& structure, Diagnostics& diags) {
  for (const std::unique_ptr<Module>& m : config.modules) {
    auto first = tree.first_node.find(m.get());
    if (first == tree.first_node.end()) continue;
    const Node& n = *first->second;
    for (size_t i = 0; i < m->calls.size(); ++i) {
      if (n.children[i]) check_call(m->calls[i], *n.children[i]->module, diags);
    }
    if (!n.parent) {
      for (const Output& o : m->outputs) {
        if (!o.ephemeral) continue;
        diags.error("Ephemeral output of the root module",
                    "The output value " + in_quotes(o.name.sv()) +
                        " is ephemeral, but the output values of the root module are kept in the state. Only "
                        "called modules "
                        "can have ephemeral output values.",
                    o.range);
      }
      continue;
    }
    if (m->backend) {
      structure.warn("Backend configuration ignored",
                     "The root module decides where the state is stored. The backend block of a called "
                     "module has no effect.",
                     m->backend->range);
    }
    if (m->encryption) {
      structure.warn(
          "Encryption configuration ignored",
          "The root module decides how states and plan files are encrypted. The encryption block of "
          "a called module has no effect.",
          *m->encryption);
    }
    for (const Import& i : m->imports) {
      structure.error(
          "Import in a called module",
          "Import blocks are allowed only in the root module: Terraform has those of called modules "
          "from version 1.16 on, and xplan does not have them. Move this one to the root module, "
          "and put the path of the called module in front of its address.",
          i.range);
    }
  }
}

}  // namespace xplan::config
