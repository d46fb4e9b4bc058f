// Clones module repositories with hg: the settings that make it run nothing from the repository, and the
// revision.
#include "core/install/mercurial.h"

#include "core/base/text.h"
#include "core/install/run_program.h"

namespace xplan::install {
namespace {

Result<void> hg(std::vector<std::string> arguments, Stop stop) {
  arguments.insert(arguments.begin(), {"hg", "--noninteractive", "--config", "subrepos.allowed=false"});
  return run_to_success(arguments, {{"HGPLAIN", "1"}, {"HGRCSKIPREPO", "1"}}, stop);
}

}  // namespace

Result<void> clone_mercurial(const config::ModuleSource& source, const std::string& to, Stop stop) {
  const std::string rev = source.argument("rev"), revision = rev.empty() ? source.argument("ref") : rev;
  if (revision.starts_with('-')) return Error{in_quotes(revision) + " is not a valid revision"};
  if (Result<void> ok = hg({"clone", "--quiet", "--noupdate", "--", source.url, to}, stop); !ok) return ok;
  std::vector<std::string> update{"--repository", to, "update", "--quiet", "--clean"};
  if (!revision.empty()) update.push_back("--rev=" + revision);
  return hg(std::move(update), stop);
}

}  // namespace xplan::install
