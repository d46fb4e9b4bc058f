// Fetches provider packages and computes their hashes.
//
// Who calls it: provider_install.cc; `providers lock` and `providers mirror`, which do not unpack anything.
// Contract: what a source says about hashes is checked here; what a lock file says is the caller's.
// Cost: a download, and reading every byte once or twice.  Thread-safety: one Http, one thread.
#pragma once
#include <functional>
#include <set>
#include <string>

#include "core/diag/diagnostic.h"
#include "core/install/hosts.h"
#include "core/install/source.h"

namespace xplan::install {

// An archive of a package on this disk: where it is, or downloaded to `to`. Without https only when there is
// something to verify it with: hashes from its source, or `locked` ones.
Result<std::string> fetch_archive(const Package& p, Http& http, const std::string& to,
                                  const std::set<std::string>& locked = {});
// Whether one of the hashes belongs to the package; unknown schemes never do. `zh` may be empty.
bool hash_matches(const std::set<std::string>& hashes, const std::string& h1, const std::string& zh);

// Why an address without https, which a server names, is not used: ", which does not use https, …".
extern const char* const kNotVerifiable;

// With its period, unless it ends in a list; without credentials of URLs.
std::string sentence(std::string text);
// The error where no version of a provider can be selected.
void report_no_version(const ProviderAddr& p, const std::string& why, Diagnostics& diags);
// The error of an installation that was told to stop.
void report_interruption(Diagnostics& diags);

struct FetchedPackage {
  std::string h1, zh;   // zh: empty for an unpacked package
  std::string archive;  // empty for an unpacked package
};
// Downloads to `to` where needed, hashes without unpacking, and checks against the source's hashes.
Result<FetchedPackage> fetch_package(const Package& p, Http& http, const std::string& to);

}  // namespace xplan::install
