// ModuleSource: where a module comes from, as the argument "source" says it.
//
// Who calls it: the tree of modules, for what is installed; installation.
// Forms: ./dir and ../dir; [host/]namespace/name/system of a registry; git::URL, github.com/owner/repo,
// git@host:path; hg::URL; http(s) URLs of archives; s3::URL and gcs::URL, or their hosts without a scheme;
// oci://registry/repository; absolute paths of directories and archives. A "//" sets off a directory inside
// of the package, and arguments follow a "?". Contract: `text` is the normal form that modules.json keeps.
// Cost: linear. Thread-safety: pure functions.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::config {

struct ModuleSource {
  enum class Kind : uint8_t {
    Local,
    Registry,
    Git,
    Mercurial,
    Http,
    S3,
    Gcs,
    Oci,
    Folder
  } kind = Kind::Local;
  std::string text;        // the normal form, with directory and arguments
  std::string package;     // without the directory: what is downloaded. Local: the path
  std::string folder;      // inside of the package; may be empty
  std::string host, path;  // Registry: its host, and namespace/name/system
  std::string url;         // of all others; Folder: a path. Without arguments that are for us
  std::map<std::string, std::string> arguments;  // those that are for us: ref, depth, checksum, archive, …
  std::string argument(const std::string& name) const {
    const auto it = arguments.find(name);
    return it == arguments.end() ? std::string() : it->second;
  }
};
Result<ModuleSource> parse_module_source(std::string_view source);
// Where the directory of a local source is behind links, because that is what "../" in it starts from;
// relative where it was.
std::string real_dir(const std::string& dir);

}  // namespace xplan::config
