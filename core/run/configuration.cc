// Loading the configuration of a run, and loading it again with a file that was generated for it.
#include "core/run/configuration.h"

#include <fmt/format.h>

#include <algorithm>

namespace xplan::run {
namespace {

// Other files and one more in the working directory.
class WithFile : public Fs {
 public:
  WithFile(const Fs& others, std::string name, std::string text)
      : others_(others), name_(std::move(name)), text_(std::move(text)) {}
  Result<std::string> read(const std::string& path) const override {
    if (clean_path(path) == name_) return text_;
    return others_.read(path);
  }
  Result<std::vector<std::string>> list(const std::string& dir) const override {
    Result<std::vector<std::string>> names = others_.list(dir);
    if (names && clean_path(dir) == ".") {
      names->erase(std::remove(names->begin(), names->end(), name_), names->end());
      names->insert(std::lower_bound(names->begin(), names->end(), name_), name_);
    }
    return names;
  }
  bool is_dir(const std::string& path) const override { return others_.is_dir(path); }
  bool exists(const std::string& path) const override {
    return clean_path(path) == name_ || others_.exists(path);
  }

 private:
  const Fs& others_;
  std::string name_, text_;
};

std::unique_ptr<config::Config> load_from(Fs& files, const Context& c, const LoadRequest& r,
                                          Diagnostics& diags) {
  config::LoadOptions o;
  if (!r.root_dir.empty()) o.root_dir = r.root_dir;
  o.data_dir = c.data_dir;
  o.stop = c.stop;
  o.structure_only = r.structure_only;
  o.installed_as = r.installed_as;
  o.alone = r.alone;
  o.test_dir = r.test_dir;
  o.for_tests = r.for_tests;
  o.before_schemas = c.before_schemas;
  o.early = c.early();
  return config::load(files, c.sources, o, r.structure_only ? nullptr : &c.schemas, diags);
}

}  // namespace

std::unique_ptr<config::Config> load(const Context& c, const LoadRequest& r, Diagnostics& diags) {
  return load_from(c.files, c, r, diags);
}

void require_files(const Context& c, const config::Config& config, std::string_view advice,
                   Diagnostics& diags) {
  if (!config.root->module->files.empty()) return;
  diags.error("No configuration files",
              fmt::format("There are no configuration files (.tf or .tf.json) in {}. {}", c.cwd, advice));
}

bool Configuration::load() {
  problems_.clear();
  config_ = load_from(files_ ? *files_ : context_.files, context_, {}, problems_);
  return !problems_.has_errors();
}

bool Configuration::load_with(std::string name, std::string text) {
  files_ = std::make_unique<WithFile>(context_.files, std::move(name), std::move(text));
  return load();
}

}  // namespace xplan::run
