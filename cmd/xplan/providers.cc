// providers: the tree of required providers and where each requirement comes from; providers schema: their
// schemas as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/help.h"
#include "cmd/xplan/state_access.h"
#include "core/config/test_suite.h"
#include "core/install/requirements.h"
#include "render/json_schemas.h"

namespace xplan::cmd {
namespace {

std::string quoted_provider(const ProviderAddr& p) {
  return fmt::format("provider[{}]", p.text());
}

// `more`: entries that follow.
void print_tree(const config::Node& n, const std::string& indent, std::string& out, size_t more = 0) {
  const install::Requirements needed = install::module_requirements(*n.module, true);
  size_t left = needed.size() + n.children.size() + more;
  for (const auto& [name, r] : needed) {
    bool last = --left == 0;
    const std::string versions = r.constraints.text();
    out += fmt::format("{}{}provider[{}]{}{}\n", indent, last ? "└── " : "├── ", name,
                       versions.empty() ? "" : " ", versions);
  }
  for (const auto& child : n.children) {
    bool last = --left == 0;
    if (!child) continue;
    out += fmt::format("{}{}module.{}\n", indent, last ? "└── " : "├── ", child->call->name.sv());
    print_tree(*child, indent + (last ? "    " : kUnderBranch), out);
  }
}

// "test.tests.setup" for tests/setup.tftest.hcl.
std::string name_of(const config::TestFile& f) {
  std::string name = "test." + f.path.substr(0, f.path.rfind(".tftest."));
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// The modules that runs of tests take, each read once.
void print_tests(Session& s, const std::vector<const config::TestFile*>& files, std::string& out) {
  std::map<std::string, std::unique_ptr<config::Config>> read;
  for (const config::TestFile* f : files) {
    const bool last = f == files.back();
    out += fmt::format("{}{}\n", last ? "└── " : "├── ", name_of(*f));
    const std::string indent = last ? "    " : kUnderBranch;
    const auto has_module = [](const config::TestRunBlock& r) { return r.module.has_value(); };
    auto left = std::count_if(f->runs.begin(), f->runs.end(), has_module);
    for (const config::TestRunBlock& r : f->runs) {
      if (!has_module(r)) continue;
      const bool last_run = --left == 0;
      out += fmt::format("{}{}run.{}\n", indent, last_run ? "└── " : "├── ", r.name.sv());
      auto [at, fresh] = read.try_emplace(r.module->dir);
      if (fresh) at->second = s.load_config(true, r.module->dir, {}, r.module->key);
      if (const auto& c = at->second) print_tree(*c->root, indent + (last_run ? "    " : kUnderBranch), out);
    }
  }
}

std::vector<const config::TestFile*> with_modules(const config::Config& c) {
  std::vector<const config::TestFile*> out;
  for (const config::TestFile& f : c.tests->files)
    if (std::any_of(f.runs.begin(), f.runs.end(), [](const auto& r) { return r.module.has_value(); }))
      out.push_back(&f);
  return out;
}

int schema(Session& s, const Args& args) {
  StateFlags sf;
  sf.lock = false;
  Flags flags("providers schema -json",
              "Prints the schemas of all providers that the configuration and the state require.");
  flags.flag("json", s.json, "Print JSON (required: there is no other format).");
  sf.add_values(flags);
  s.add_json_into(flags, Session::Into::Document);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (!s.wants_document())
    return s.diags.error("The option -json is required", "Schemas can be printed only as JSON. Add -json."),
           s.finish();
  auto c = s.load_config(true);
  Opened o;
  if (s.diags.has_errors() || !open_selected_state(s, sf, "providers-schema", Missing::Allowed, o))
    return s.finish();
  s.context().before_schemas(*c, s.diags);  // so that what is found is told once
  std::map<std::string, ProviderAddr> all;
  for (const config::Node* n : c->nodes)
    for (const auto& [name, r] : install::module_requirements(*n->module, true))
      all.emplace(name, r.provider);
  for (const auto& [addr, r] : o.state.resources)
    all.emplace(r.provider.provider.text(), r.provider.provider);
  std::vector<std::pair<ProviderAddr, schema::ProviderSchemaPtr>> schemas;
  for (const auto& [name, p] : all) {
    if (auto provider = s.providers->start(p, s.diags)) schemas.emplace_back(p, provider->schema());
  }
  if (s.diags.has_errors()) return s.finish();
  s.put_document([&](JsonWriter& w) { render::write_schemas_json(schemas, w); });
  return s.finish();
}

}  // namespace

int run_providers(Session& s, const Args& args) {
  static constexpr SubCommand kCommands[] = {
      {"lock", Does::Work, run_providers_lock, "Record checksums for further platforms"},
      {"mirror", Does::Work, run_providers_mirror, "Copy provider packages to a directory"},
      {"schema", Does::Print, schema, "Print the schemas of the providers"},
  };
  const bool completes_command = s.completing && args.empty() && !s.completing->last.starts_with('-');
  if (completes_command || (!args.empty() && !args[0].starts_with('-')))
    return run_group(s, "providers", "", kCommands, args);
  StateFlags sf;
  sf.lock = false;
  Flags flags("providers", "Shows which providers the modules of the configuration and the state require.");
  std::string test_dir = "tests";
  flags.text("test-directory", test_dir, "Directory with tests (default \"tests\").", "DIR")
      .commands(help_rows(kCommands));
  sf.add_values(flags);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  auto c = s.load_config(true, {}, test_dir);
  Opened o;
  if (s.diags.has_errors() || !open_selected_state(s, sf, "providers", Missing::Allowed, o))
    return s.finish();
  const std::vector<const config::TestFile*> tests = with_modules(*c);
  std::string text = "\nProviders required by configuration:\n.\n";
  print_tree(*c->root, "", text, tests.size());
  print_tests(s, tests, text);
  if (s.diags.has_errors()) return finish_unchanged(s, {&o});
  text += "\n";
  std::set<std::string> in_state;
  for (const auto& [addr, r] : o.state.resources) in_state.insert(quoted_provider(r.provider.provider));
  if (!in_state.empty()) text += "Providers required by state:\n\n";
  for (const std::string& p : in_state) text += "    " + p + "\n\n";
  s.io.out(text);
  return s.finish();
}

}  // namespace xplan::cmd
