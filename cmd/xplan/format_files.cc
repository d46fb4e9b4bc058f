// Finds files of the native syntax below files and directories.
#include "cmd/xplan/format_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace xplan::cmd {
namespace {

namespace stdfs = std::filesystem;

constexpr std::string_view kEndings[] = {".tf",   ".tfvars",       ".tftest.hcl",  ".tfmock.hcl",
                                         ".tofu", ".tofutest.hcl", ".tofumock.hcl"};

bool has_native_ending(const std::string& name) {
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

class Finder {
 public:
  Finder(bool recursive, Diagnostics& diags) : recursive_(recursive), diags_(diags) {
    std::error_code ec;
    here_ = stdfs::current_path(ec);
  }
  void target(const std::string& name);
  std::vector<std::string> found;

 private:
  void directory(const stdfs::path& dir);
  void file(const stdfs::path& path);
  std::string shown(const stdfs::path& path) const;

  const bool recursive_;
  Diagnostics& diags_;
  stdfs::path here_;
  std::set<stdfs::path> seen_;
};

// As seen from the working directory; an absolute path stays one when it leads elsewhere.
std::string Finder::shown(const stdfs::path& path) const {
  const stdfs::path full = (here_ / path).lexically_normal();
  const stdfs::path relative = full.lexically_relative(here_);
  if (relative.empty() || (path.is_absolute() && *relative.begin() == "..")) return full.string();
  return relative.string();
}

void Finder::file(const stdfs::path& path) {
  std::string name = shown(path);
  if (seen_.insert(name).second) found.push_back(std::move(name));
}

void Finder::directory(const stdfs::path& dir) {
  std::error_code ec;
  std::vector<stdfs::directory_entry> entries;
  for (stdfs::directory_iterator it(dir, ec), end; !ec && it != end; it.increment(ec)) entries.push_back(*it);
  if (ec)
    diags_.error("Failed to read directory",
                 fmt::format("The directory \"{}\" cannot be read: {}.", shown(dir), ec.message()));
  std::sort(entries.begin(), entries.end());
  for (const stdfs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".")) continue;
    if (entry.is_directory(ec)) {
      if (recursive_ && !entry.is_symlink(ec)) directory(entry.path());
    } else if (has_native_ending(name)) {
      file(entry.path());
    }
  }
}

void Finder::target(const std::string& name) {
  std::error_code ec;
  if (stdfs::is_directory(name, ec)) return directory(name);
  if (!stdfs::exists(name, ec))
    diags_.error("No such file or directory", fmt::format("There is no file or directory \"{}\".", name));
  else if (!has_native_ending(name))
    diags_.error(
        "Not a native syntax file",
        fmt::format(
            "\"{}\" cannot be formatted. The name of a file must end with {}. JSON files are not formatted.",
            name,
            fmt::format("{} or {}", fmt::join(std::begin(kEndings), std::end(kEndings) - 1, ", "),
                        *(std::end(kEndings) - 1))));
  else
    file(name);
}

}  // namespace

std::vector<std::string> files_to_format(const std::vector<std::string>& targets, bool recursive,
                                         Diagnostics& diags) {
  Finder finder(recursive, diags);
  for (const std::string& target : targets) finder.target(target);
  return std::move(finder.found);
}

}  // namespace xplan::cmd
