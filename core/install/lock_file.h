// LockFile: the dependency lock file, .terraform.lock.hcl: which version of each provider is selected, and
// the hashes that its packages may have.
//
// Who calls it: installation, the check before providers are started, `providers lock`, `version`.
// Contract: text() is byte for byte what the reference tools write, so files do not flip between them:
// entries by address, hashes sorted, the equals signs of arguments on adjacent lines aligned. Reading is
// strict: a damaged entry is an error, because a lock that is not understood must not be taken for none.
// Cost: linear.  Thread-safety: plain data.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/addr/addr.h"
#include "core/config/version.h"
#include "core/diag/diagnostic.h"

namespace xplan::install {

inline constexpr std::string_view kLockFileName = ".terraform.lock.hcl";

struct LockEntry {
  ProviderAddr provider;
  Version version;
  std::string constraints;       // as they were when the version was selected; may be empty
  std::set<std::string> hashes;  // "h1:…", "zh:…", and schemes of others, kept as they are
  friend bool operator==(const LockEntry& a, const LockEntry& b) {
    return a.provider == b.provider && a.version.text() == b.version.text() &&
           a.constraints == b.constraints && a.hashes == b.hashes;
  }
};

struct LockFile {
  std::map<std::string, LockEntry> entries;  // by ProviderAddr::text()
  const LockEntry* find(const ProviderAddr& p) const;
  std::string text(std::string_view program) const;
  friend bool operator==(const LockFile& a, const LockFile& b) { return a.entries == b.entries; }
};
// Equal but for constraints, which are only notes: for them alone the file is not rewritten.
bool same_selections(LockFile a, LockFile b);

// A file that does not exist is an empty lock file. Nothing after an error.
std::optional<LockFile> read_lock_file(SourceTable& sources, const std::string& path, Diagnostics& diags);
std::optional<LockFile> parse_lock_file(SourceTable& sources, const std::string& name, std::string text,
                                        Diagnostics& diags);
bool write_lock_file(const LockFile& lock, const std::string& path, Diagnostics& diags);

}  // namespace xplan::install
