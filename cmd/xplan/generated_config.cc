// Carries out -generate-config-out: generates configuration for import blocks, writes the file, loads the
// configuration again with it (through a file system with one file added), and notes it in the plan.
#include "cmd/xplan/generated_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/plan/identity.h"
#include "core/syntax/body.h"

namespace xplan::cmd {
namespace {

// The real files and one more in the root module.
class WithFile : public Fs {
 public:
  WithFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}
  Result<std::string> read(const std::string& path) const override {
    if (clean_path(path) == name_) return text_;
    return real_fs().read(path);
  }
  Result<std::vector<std::string>> list(const std::string& dir) const override {
    Result<std::vector<std::string>> names = real_fs().list(dir);
    if (names && clean_path(dir) == ".") {
      names->erase(std::remove(names->begin(), names->end(), name_), names->end());
      names->insert(std::lower_bound(names->begin(), names->end(), name_), name_);
    }
    return names;
  }
  bool is_dir(const std::string& path) const override { return real_fs().is_dir(path); }
  bool exists(const std::string& path) const override {
    return clean_path(path) == name_ || real_fs().exists(path);
  }

 private:
  std::string name_, text_;
};

// The name under which the root module reads it: its own where it lies there, else one that nothing has.
std::string name_in_module(const std::string& path) {
  std::string clean = clean_path(path);
  if (clean.find('/') == std::string::npos && clean.ends_with(".tf")) return clean;
  std::string base = clean.substr(clean.rfind('/') + 1);
  if (!base.ends_with(".tf")) base += ".tf";
  while (real_fs().exists(base)) base.insert(0, "generated_");
  return base;
}

}  // namespace

bool check_generated_path(Session& s, const std::string& path) {
  if (path.empty() || !real_fs().exists(path)) return true;
  s.diags.error("Target generated file already exists",
                fmt::format("Generated configuration is only written to a new file, but \"{}\" already "
                            "exists. Choose another file name, or remove this file.",
                            path));
  return false;
}

std::vector<GeneratedConfig> add_generated_config(Session& s, const std::string& path,
                                                  const PlanOptions& options, Planned& p) {
  if (path.empty()) return {};
  std::vector<GeneratedConfig> made;
  Diagnostics found;
  auto generate = [&] {
    found.clear();
    made = generate_config(*p.config, p.state.state, options, *s.providers, found);
    return !found.has_errors();
  };
  // Once more where the schemas were outdated by which it failed.
  bool good = generate();
  if (!good && s.schemas().renew(config::Renew::Running)) good = reload(p) && generate();
  s.diags.append(std::move(found));
  if (made.empty() || !good) return {};
  std::string text = fmt::format(
      "# __generated__ by {}\n# Review these blocks, then move them to where they belong in the "
      "configuration.\n",
      s.product);
  for (const GeneratedConfig& g : made)
    text += fmt::format("\n# __generated__ by {} from {}\n{}\n", s.product,
                        g.from.identity.is_null() ? syntax::quote(g.from.id) : identity_text(g.from.identity),
                        g.text);
  if (Result<void> ok = write_atomic(path, text); !ok) {
    s.diags.error("Failed to write generated configuration", ok.error().sentence());
    return {};
  }
  auto files = std::make_shared<WithFile>(name_in_module(path), std::move(text));
  p.load = [&s, files](Diagnostics& found) { return s.load_config_from(*files, found); };
  reload(p);
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

}  // namespace xplan::cmd
