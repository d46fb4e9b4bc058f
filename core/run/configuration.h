// The configuration of a run, which can be loaded more than once: a provider's schema may turn out to be
// outdated, and configuration may be generated.
//
// Who calls it: run.h; cmd, for commands that only load.  Invariant: what problems() has is of the last
// loading.  Cost: as config::load.  Thread-safety: one thread.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/run/context.h"

namespace xplan::run {

struct LoadRequest {
  bool structure_only = false;  // no schemas
  std::string root_dir = {};    // empty: the working directory
  std::optional<std::string> test_dir = {};
  std::string installed_as = {};  // as in config::LoadOptions, and so is
  bool for_tests = false, alone = false;
};
std::unique_ptr<config::Config> load(const Context& c, const LoadRequest& r, Diagnostics& diags);
// An error where the root module has no files; `advice` is its last sentences.
void require_files(const Context& c, const config::Config& config, std::string_view advice,
                   Diagnostics& diags);

class Configuration {
 public:
  explicit Configuration(Context c) : context_(std::move(c)) {}
  bool load();  // again, when it is called again; false: with errors
  // Likewise, with one more file in the root module, from now on.
  bool load_with(std::string name, std::string text);
  const config::Config& operator*() const { return *config_; }
  const config::Config* operator->() const { return config_.get(); }
  Diagnostics& problems() { return problems_; }
  std::unique_ptr<config::Config> take() && { return std::move(config_); }

 private:
  Context context_;
  std::unique_ptr<Fs> files_;  // null: those of the context
  std::unique_ptr<config::Config> config_;
  Diagnostics problems_;
};

}  // namespace xplan::run
