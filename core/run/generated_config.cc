// Carries out -generate-config-out: generates configuration for import blocks, writes the file, loads the
// configuration again with it (through a file system with one file added), and notes it in the plan.
#include "core/run/generated_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/plan/identity.h"
#include "core/syntax/body.h"

namespace xplan::run {
namespace {

// The name under which the root module reads it: its own, or else one that nothing has.
std::string name_in_module(const Fs& files, const std::string& path) {
  std::string clean = clean_path(path);
  if (!why_not_read(clean)) return clean;
  std::string base = clean.substr(clean.rfind('/') + 1);
  if (!base.ends_with(".tf")) base += ".tf";
  if (base == "override.tf" || base.ends_with("_override.tf")) base.insert(base.size() - 3, "_1");
  while (files.exists(base)) base.insert(0, "generated_");
  return base;
}

}  // namespace

const char* why_not_read(const std::string& path) {
  const std::string clean = clean_path(path);
  if (clean.find('/') != std::string::npos) return "it is not in the directory of the root module";
  if (!clean.ends_with(".tf")) return "its name does not end in \".tf\"";
  if (clean == "override.tf" || clean.ends_with("_override.tf"))
    return "it is an override file, which can only change what other files declare";
  return nullptr;
}

bool check_generated_path(const Context& c, const std::string& path, Diagnostics& diags) {
  if (path.empty() || !c.files.exists(path)) return true;
  diags.error("Target generated file already exists",
              fmt::format("Generated configuration is only written to a new file, but \"{}\" already "
                          "exists. Choose another file name, or remove this file.",
                          path));
  return false;
}

std::vector<GeneratedConfig> add_generated_config(const Context& c, const std::string& path,
                                                  const PlanOptions& options, Planned& p,
                                                  Diagnostics& diags) {
  if (path.empty()) return {};
  std::vector<GeneratedConfig> made;
  Diagnostics found;
  auto generate = [&] {
    found.clear();
    made = generate_config(*p.config, p.state.state, options, c.providers, found);
    return !found.has_errors();
  };
  // Once more where the schemas were outdated by which it failed.
  bool good = generate();
  if (!good && c.schemas.renew(config::Renew::Running)) good = p.config.load() && generate();
  diags.append(std::move(found));
  if (made.empty() || !good) return {};
  std::string text = fmt::format(
      "# __generated__ by {}\n# Review these blocks, then move them to where they belong in the "
      "configuration.\n",
      c.product);
  for (const GeneratedConfig& g : made)
    text += fmt::format("\n# __generated__ by {} from {}\n{}\n", c.product,
                        g.from.identity.is_null() ? syntax::quote(g.from.id) : identity_text(g.from.identity),
                        g.text);
  if (Result<void> ok = write_atomic(path, text); !ok) {
    diags.error("Failed to write generated configuration", ok.error().sentence());
    return {};
  }
  if (const char* why = why_not_read(path))
    diags.warn("Generated configuration is not part of the root module",
               fmt::format("This plan includes the configuration written to \"{}\", but later ones will not, "
                           "because {}. Move its blocks to another .tf file of the root module.",
                           path, why));
  p.config.load_with(name_in_module(c.files, path), std::move(text));
  return made;
}

void note_generated_config(const std::vector<GeneratedConfig>& made, Plan& plan) {
  if (made.empty()) return;
  std::unordered_map<AbsInstance, const GeneratedConfig*> by_addr;
  for (const GeneratedConfig& g : made) by_addr.emplace(g.addr, &g);
  for (ResourceChange& c : plan.changes)
    if (auto it = by_addr.find(c.addr); it != by_addr.end() && c.change.importing)
      c.change.generated_config = it->second->text;
}

}  // namespace xplan::run
