// Archives as module packages: their kind, their checksum, and what is in them.
#include "core/install/module_archive.h"

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/install/package_dir.h"

namespace xplan::install {
namespace {

using config::ModuleSource;

// "sha256:…", "md5:…", or a bare hexadecimal sum whose length tells its kind.
Result<void> check_sum(const std::string& file, std::string wanted) {
  std::string kind;
  if (const size_t colon = wanted.find(':'); colon != std::string::npos) {
    kind = wanted.substr(0, colon);
    wanted.erase(0, colon + 1);
  } else {
    kind = wanted.size() == 32   ? "md5"
           : wanted.size() == 40 ? "sha1"
           : wanted.size() == 64 ? "sha256"
                                 : "sha512";
  }
  if (kind == "file") return Error{"checksums in a separate file are not supported; use the checksum itself"};
  const std::optional<Digest> method = digest_named(kind);
  if (!method) return Error{in_quotes(kind) + " is not a valid checksum type"};
  const Result<std::string> sum = digest_of_file(*method, file);
  if (!sum) return sum.error();
  wanted = ascii_lower(wanted);
  if (*sum != wanted) return Error{"its " + kind + " checksum is " + *sum + ", not " + wanted};
  return {};
}

}  // namespace

std::optional<ArchiveKind> archive_of(const ModuleSource& s) {
  if (auto a = s.arguments.find("archive"); a != s.arguments.end()) return archive_kind(a->second);
  return archive_kind(s.url.substr(0, s.url.find_first_of("?#")));
}

Result<void> place_archive(const std::string& archive, const ModuleSource& s, ArchiveKind kind,
                           const std::string& target, Stop stop) {
  if (auto sum = s.arguments.find("checksum"); sum != s.arguments.end()) {
    if (Result<void> ok = check_sum(archive, sum->second); !ok) return ok;
  }
  auto content = TemporaryDir::beside(target, stop);
  if (!content) return content.error();
  if (Result<void> ok = unpack(archive, kind, ArchiveLinksMay::StayInside, content->path(), stop); !ok)
    return ok;
  return content->move_to(target);
}

}  // namespace xplan::install
