// Fetches the package of a module: a git repository, an archive, a directory.
//
// Who calls it: module_install.cc.
// Contract: the package is complete at `target` or nothing is there that was not before. Checksums, where the
// source gives them, are checked before an archive is opened. Cost: one download.  Thread-safety: one thread.
#pragma once
#include <string>
#include <string_view>

#include "core/config/module_source.h"
#include "core/install/hosts.h"

namespace xplan::install {

using config::ModuleSource;
using config::parse_module_source;

// Who named the address of a package. What a server names must not be a path of this machine, and what
// one names that was asked over https must be verifiable: by https too, or by a checksum.
enum class SaidBy : uint8_t { Configuration, Server, HttpsServer };
inline SaidBy said_at(std::string_view url) {
  return net::uses_https(url) ? SaidBy::HttpsServer : SaidBy::Server;
}
// `services`: has the settings of the user, for credentials.
Result<void> fetch_module(const ModuleSource& source, const std::string& target, Http& http,
                          Services& services, SaidBy said);

}  // namespace xplan::install
