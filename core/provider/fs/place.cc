// Resolves configured paths below the provider's root, refusing those that lead outside of it; file modes,
// missing parent directories, and the fields that all types share.
#include "core/provider/fs/place.h"

#include <fmt/format.h>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/fs.h"
#include "core/base/system_text.h"
#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/validators.h"

namespace xplan::fs {
namespace {

namespace stdfs = std::filesystem;

bool inside(const std::string& root, const std::string& path) {
  return path == root || root == "/" ||
         (path.size() > root.size() && path.compare(0, root.size(), root) == 0 && path[root.size()] == '/');
}

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

void Places::set_root(std::string_view root, ProviderDiags& diags) {
  root_.clear();
  if (root.empty()) return;
  std::error_code failed;
  stdfs::path canonical = stdfs::canonical(std::string(root), failed);
  if (failed || !stdfs::is_directory(canonical, failed)) {
    kit::add_error(diags, "Invalid root",
                   fmt::format("The root \"{}\" is not a directory that can be used{}.", root,
                               failed ? ": " + system_text(failed.value()) : std::string()),
                   kit::at("root"));
    return;
  }
  root_ = canonical.string();
}

std::string Places::find(std::string_view path, bool for_reading, const Path& where,
                         ProviderDiags& diags) const {
  auto refuse = [&](const std::string& why) {
    kit::add_error(diags, "Invalid path", path.empty() ? why : fmt::format("The path \"{}\" {}.", path, why),
                   where);
    return std::string();
  };
  if (path.empty()) return refuse("The path is empty.");
  if (path.find('\0') != std::string_view::npos) return refuse("contains a NUL character");
  if (root_.empty()) return clean_path(path);
  std::string full = clean_path(path[0] == '/' ? std::string(path) : root_ + "/" + std::string(path));
  if (!inside(root_, full)) return refuse(fmt::format("leads outside of the provider's root \"{}\"", root_));
  if (full == root_) return full;
  // Everything up to the last name is followed when it is used, so it has to stay inside.
  std::error_code failed;
  std::string parent = stdfs::weakly_canonical(parent_of(full), failed).string();
  if (failed) return refuse("cannot be resolved: " + system_text(failed.value()));
  if (!inside(root_, parent))
    return refuse(fmt::format("leads outside of the provider's root \"{}\" through a symbolic link", root_));
  std::string place = (parent == "/" ? "" : parent) + full.substr(full.rfind('/'));
  if (for_reading && stdfs::is_symlink(place, failed)) {
    std::string target = stdfs::weakly_canonical(place, failed).string();
    if (failed) return refuse("cannot be resolved: " + system_text(failed.value()));
    if (!inside(root_, target))
      return refuse(
          fmt::format("is a symbolic link that leads outside of the provider's root \"{}\"", root_));
    return target;
  }
  return place;
}

int mode_bits(std::string_view text) {
  if (text.empty() || text.size() > 5) return -1;
  int bits = 0;
  for (char c : text) {
    if (c < '0' || c > '7') return -1;
    bits = bits * 8 + (c - '0');
  }
  return bits <= 07777 ? bits : -1;
}
std::string mode_text(unsigned bits) {
  return fmt::format("0{:03o}", bits & 07777);
}
std::string not_made(const std::string& path, int error) {
  if (error != EEXIST) return fmt::format("\"{}\" cannot be created: {}.", path, system_text(error));
  return fmt::format(
      "\"{}\" already exists. Import it; or, if it was created as a parent of another object, make that "
      "object depend on this one.",
      path);
}

bool make_parents(const std::string& path, std::string& error) {
  std::error_code failed;
  stdfs::create_directories(parent_of(path), failed);
  if (failed)
    error = fmt::format("The directory \"{}\" cannot be created: {}", parent_of(path),
                        system_text(failed.value()));
  return !failed;
}

kit::Field path_field() {
  return kit::string("path")
      .required()
      .modify(kit::requires_replace())
      .describe("The path, relative to the provider's root or, without one, to the working directory.");
}

kit::Field mode_field(const char* standard) {
  return kit::string("mode")
      .with_default(Value::string(standard))
      .describe("Permissions as an octal number.")
      .equivalent_when([](const Value& a, const Value& b) {
        return mode_bits(a.as_string()) >= 0 && mode_bits(a.as_string()) == mode_bits(b.as_string());
      })
      .validate(kit::validator("An octal number.", [](const kit::ValidateRequest& r, ProviderDiags& diags) {
        if (mode_bits(r.value.as_string()) < 0)
          kit::add_error(diags, "Invalid mode",
                         fmt::format("\"{}\" is not a valid octal permission number such as \"0644\".",
                                     r.value.as_string()),
                         r.path);
      }));
}

kit::Field parents_field() {
  return kit::boolean("create_parents")
      .with_default(Value::boolean(true))
      .describe("Whether missing parent directories are created (they are never removed).");
}

}  // namespace xplan::fs
