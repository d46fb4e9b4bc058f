// Compares the places of states, journals, lock files and backups.
#include "core/state/store_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/state/lock.h"

namespace xplan {
namespace {

namespace fs = std::filesystem;

// Also of a link that leads to nothing yet.
fs::path place_of(const std::string& path) {
  std::error_code ec;
  fs::path p = fs::absolute(path, ec);
  for (int links = 0; links < 40 && fs::is_symlink(p, ec); ++links) {
    const fs::path target = fs::read_symlink(p, ec);
    if (ec) break;
    p = p.parent_path() / target;
  }
  const fs::path real = fs::weakly_canonical(p, ec);
  return ec ? p.lexically_normal() : real;
}

}  // namespace

bool same_place(const std::string& a, const std::string& b) {
  return a == b || place_of(a) == place_of(b);
}

bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code ec;
  return fs::equivalent(a, b, ec) || same_place(a, b);
}

StateFiles files_of(const StatePaths& paths) {
  StateFiles f;
  const std::string in = paths.state.empty() ? "terraform.tfstate" : paths.state;
  f.state = paths.state_out.empty() ? in : paths.state_out;
  for (const std::string& state : {f.state, in}) {
    f.own.emplace_back("state", state);
    f.own.emplace_back("journal", state + ".journal");
    f.own.emplace_back("lock file", lock_info_path(state));
    if (in == f.state) break;
  }
  if (paths.backup != "-" && !paths.backup.empty() && !same_place(paths.backup, f.state))
    f.backup = paths.backup;
  return f;
}

Result<void> check_backups(const std::vector<StateFiles>& states) {
  for (size_t i = 0; i < states.size(); ++i) {
    const StateFiles& s = states[i];
    if (s.backup.empty()) continue;
    for (const StateFiles& other : states)
      for (const auto& [what, path] : other.own)
        if (same_place(s.backup, path))
          return Error{
              fmt::format("the backup of the state \"{}\" cannot be kept in \"{}\", because this file is the "
                          "{} \"{}\" and would be overwritten. Choose a different file for the backup, or "
                          "\"-\" to make none",
                          s.state, s.backup, what, path)};
    for (size_t j = 0; j < i; ++j)
      if (!states[j].backup.empty() && same_place(s.backup, states[j].backup))
        return Error{
            fmt::format("the backups of the states \"{}\" and \"{}\" cannot both be kept in \"{}\". Choose a "
                        "different file for one of them, or \"-\" to make none",
                        states[j].state, s.state, s.backup)};
  }
  return {};
}

}  // namespace xplan
