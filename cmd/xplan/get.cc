// get: installs the modules that the configuration calls. modules: lists the module calls of the
// configuration with what is installed for them.
#include <fmt/format.h>

#include <algorithm>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/installation.h"
#include "core/net/redact.h"

namespace xplan::cmd {
namespace {

// What is installed for a call; what the call says when nothing is, or where the module is part of this tree,
// as variables may lead to another one than when it was installed.
install::ModuleEntry entry(const install::ModuleManifest& installed, const config::Node& n) {
  if (n.from.source.starts_with("./") || n.from.source.starts_with("../"))
    return {n.from.source, "", n.module->dir};
  std::string key;
  for (Symbol step : n.path.steps()) key += (key.empty() ? "" : ".") + std::string(step.sv());
  auto it = installed.find(key);
  return it == installed.end() ? install::ModuleEntry{n.from.source, "", n.module->dir} : it->second;
}

void print_tree(const install::ModuleManifest& installed, const config::Node& n, const std::string& indent,
                std::string& out) {
  std::vector<const config::Node*> children;
  for (const auto& child : n.children)
    if (child) children.push_back(child.get());
  std::sort(children.begin(), children.end(),
            [](auto* a, auto* b) { return a->call->name.sv() < b->call->name.sv(); });
  for (const config::Node* child : children) {
    const bool last = child == children.back();
    const install::ModuleEntry e = entry(installed, *child);
    out += fmt::format("{}{}\"{}\"[{}]{}\n", indent, last ? "└── " : "├── ", child->call->name.sv(),
                       net::without_credentials(e.source), e.version.empty() ? "" : " " + e.version);
    print_tree(installed, *child, indent + (last ? "    " : kUnderBranch), out);
  }
}

void write_list(const config::Config& c, const install::ModuleManifest& installed, size_t count,
                JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "1.0");
  w.key("modules");
  if (count == 0) {
    w.null();
  } else {
    w.begin_array();
    for (const config::Node* n : c.nodes) {
      if (!n->call) continue;
      const install::ModuleEntry e = entry(installed, *n);
      w.begin_object();
      w.member("key", n->call->name.sv());
      w.member("source", net::without_credentials(e.source));
      w.member("version", e.version);
      w.end_object();
    }
    w.end_array();
  }
  w.end_object();
}

}  // namespace

int run_get(Session& s, const Args& args) {
  bool update = false;
  std::vector<config::VariableOption> values;
  std::string test_dir = "tests";
  Flags flags("get", "Installs the modules that the configuration calls.");
  flags.flag("update", update, "Download all modules again, in their newest allowed versions.")
      .text("test-directory", test_dir, "Directory with tests.", "DIR")
      .variables(values, kOfEarly);
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  Installation in(s, Installation::Messages::Plain);
  if (!s.diags.has_errors()) in.modules(update, test_dir);
  if (!s.diags.has_errors()) s.load_config(true);
  return s.finish();
}

int run_modules(Session& s, const Args& args) {
  Flags flags("modules", "Lists the modules of the configuration; installed ones with their versions.");
  std::vector<config::VariableOption> values;
  flags.flag("json", s.json, "Print JSON.").variables(values, kOfEarly);
  s.add_json_into(flags, Session::Into::Document);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  auto c = s.load_config(true);
  if (s.diags.has_errors()) return s.finish();
  const install::ModuleManifest installed = install::read_manifest(s.data_dir);
  size_t count = 0;
  for (const config::Node* n : c->nodes) count += n->call != nullptr;
  if (s.wants_document()) s.put_document([&](JsonWriter& w) { write_list(*c, installed, count, w); });
  if (s.json) return s.finish();
  std::string text =
      count == 0 ? "The configuration calls no modules.\n" : "\nModules declared by configuration:\n.\n";
  print_tree(installed, *c->root, "", text);
  s.io.out(text);
  return s.finish();
}

}  // namespace xplan::cmd
