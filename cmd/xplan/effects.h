// The effects of a plan on the command line: its digest, shown and expected.
//
// Who calls it: plan, apply, destroy, show, diff.
// Contract: what other programs read stays as it is: a digest is shown where it is asked for, and unasked
// only on a terminal. Cost: as review/digest.h.  Thread-safety: one thread.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cmd/xplan/operation.h"
#include "core/review/digest.h"

namespace xplan::cmd {

// The exit code where what was approved (-expect), or saved and moved on (-rebase), no longer holds.
inline constexpr int kNotAsApproved = 4;

// The provider versions that a dependency lock file selects; nothing after reporting what is wrong with it.
using Versions = std::map<std::string, review::ProviderVersion>;
std::optional<Versions> locked_versions(Session& s);                           // of the working directory
std::optional<Versions> locked_versions(Session& s, const std::string& text);  // of a saved plan

// Nothing after reporting why there is none.
std::optional<std::string> effect_digest(Session& s, const review::EffectSources& from);
void show_digest(Session& s, const std::string& digest);

// A saved plan, and all that tells its effects.
struct OpenedEffects {
  planfile::Opened opened;
  std::unique_ptr<config::Config> config;
  Versions versions;
  review::EffectSources sources(const Session& s) const {
    return {opened.plan, *config, s.sources, versions};
  }
};
// Nothing after reporting why not.
std::unique_ptr<OpenedEffects> open_effects(Session& s, const std::string& path,
                                            const std::vector<config::VariableOption>& variables);
std::unique_ptr<OpenedEffects> effects_of(Session& s, const std::string& path, planfile::Opened opened);

// -expect: the plan that was approved, by its digest or as the file it was saved to.
class Expectation {
 public:
  void add(Flags& f);
  // Opens the file that is named; false after reporting why not. Before anything else is done.
  bool prepare(Session& s, const std::vector<config::VariableOption>& variables);
  bool given() const { return !text_.empty(); }
  // Whether the plan has the effects that are expected. If not, the difference was shown, and the exit code
  // is kNotAsApproved.
  bool met(Session& s, const review::EffectSources& plan) const;

 private:
  std::string text_;
  std::unique_ptr<OpenedEffects> approved_;  // where a file was given
};

}  // namespace xplan::cmd
