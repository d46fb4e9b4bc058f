// ModuleSource: where a module comes from, as the argument "source" says it.
//
// Who calls it: the tree of modules, for what is installed; installation.
// Forms: ./dir and ../dir; [host/]namespace/name/system of a registry; git::URL, github.com/owner/repo,
// git@host:path; http(s) URLs of archives; absolute paths. A "//" sets off a directory inside of the package,
// and arguments follow a "?". Contract: `text` is the normal form that modules.json keeps. Cost: linear.
// Thread-safety: pure functions.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::config {

struct ModuleSource {
  enum class Kind : uint8_t { Local, Registry, Git, Http, Folder } kind = Kind::Local;
  std::string text;        // the normal form, with directory and arguments
  std::string package;     // without the directory: what is downloaded. Local: the path
  std::string folder;      // inside of the package; may be empty
  std::string host, path;  // Registry: its host, and namespace/name/system
  std::string url;         // Git, Http, Folder (a path): without arguments that are for us
  std::map<std::string, std::string> arguments;  // ref, depth, sshkey, checksum, archive
};
Result<ModuleSource> parse_module_source(std::string_view source);
// Where the directory of a local source is behind links, because that is what "../" in it starts from;
// relative where it was.
std::string real_dir(const std::string& dir);

}  // namespace xplan::config
