// Fetches one module package by its kind of source: git clone, archive download with checksum,
// "terraform-get" redirection; then takes the subdirectory out of it.
#include "core/install/module_fetch.h"

#include <stdio.h>

#include <algorithm>
#include <optional>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/install/archive.h"
#include "core/install/download_page.h"
#include "core/install/git.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"

namespace xplan::install {
namespace {

// By the argument or the URL; nothing when it leads to no archive.
std::optional<ArchiveKind> kind_of(const ModuleSource& s) {
  if (auto a = s.arguments.find("archive"); a != s.arguments.end()) return archive_kind(a->second);
  return archive_kind(s.url.substr(0, s.url.find('?')));
}

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

Result<void> fetch_archive_of(const ModuleSource& s, ArchiveKind kind, const std::string& target,
                              Http& http) {
  auto work = TemporaryDir::beside(target);
  if (!work) return work.error();
  HttpRequest r;
  r.url = s.url;
  r.to_file = work->path() + "/package";
  r.max_bytes = uint64_t{2} << 30;
  auto answer = http.get(r);
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{"the download failed with status " + status_text(answer->status)};
  if (auto sum = s.arguments.find("checksum"); sum != s.arguments.end()) {
    if (Result<void> ok = check_sum(r.to_file, sum->second); !ok) return ok;
  }
  auto content = TemporaryDir::beside(target);
  if (!content) return content.error();
  if (Result<void> ok = unpack(r.to_file, kind, ArchiveLinksMay::StayInside, content->path(), http.stop); !ok)
    return ok;
  return content->move_to(target);
}

bool names_this_machine(const ModuleSource& s) {
  if (s.kind == ModuleSource::Kind::Folder) return true;
  if (s.kind != ModuleSource::Kind::Git) return false;
  if (s.url.find("://") != std::string::npos) return s.url.starts_with("file:");
  const size_t host = s.url.find(':');  // USER@HOST:PATH; all else is a path
  return host == std::string::npos || s.url.find('/') < host;
}

bool is_verifiable(const ModuleSource& s) {
  return !(s.url.starts_with("http://") || s.url.starts_with("git://")) ||
         (s.kind == ModuleSource::Kind::Http && kind_of(s) && s.arguments.count("checksum"));
}

Result<void> fetch(const ModuleSource& s, const std::string& target, Http& http, int redirects, SaidBy said) {
  if (said != SaidBy::Configuration && names_this_machine(s))
    return Error{"a server must not refer to a directory of this machine"};
  if (said == SaidBy::HttpsServer && !is_verifiable(s))
    return Error{"the server names the address " + in_quotes(s.package) + kNotVerifiable};
  if (s.kind == ModuleSource::Kind::Folder) {
    if (!real_fs().is_dir(s.url)) return Error{"there is no directory " + in_quotes(s.url)};
    return place_link(s.url, target);
  }
  if (s.kind == ModuleSource::Kind::Git) {
    auto work = TemporaryDir::beside(target);
    if (!work) return work.error();
    if (Result<void> ok = clone_repository(s, work->path(), http.stop); !ok) return ok;
    return work->move_to(target);
  }
  if (s.kind != ModuleSource::Kind::Http)
    return Error{"it redirects to another registry address or a local path"};
  if (const auto kind = kind_of(s)) return fetch_archive_of(s, *kind, target, http);
  if (redirects <= 0) return Error{"it redirects too many times"};
  HttpRequest r;
  r.url = s.url + (s.url.find('?') == std::string::npos ? "?" : "&") + "terraform-get=1";
  auto answer = http.get(r);
  if (!answer) return answer.error();
  if (answer->status != 200 && answer->status != 204)
    return Error{"the response was " + status_text(answer->status)};
  std::string next = answer->headers["x-terraform-get"];
  if (next.empty()) next = source_on_page(answer->body);
  if (next.empty())
    return Error{
        "the URL is not that of an archive, and the response does not say where the module is "
        "(X-Terraform-Get)"};
  if (next.starts_with('/') || next.starts_with("./")) next = resolve_url(answer->url, next);
  auto other = parse_module_source(next);
  if (!other) return other.error();
  if (other->folder.empty()) return fetch(*other, target, http, redirects - 1, said_at(answer->url));
  // A directory of the package becomes the package.
  auto work = TemporaryDir::beside(target);
  if (!work) return work.error();
  const std::string whole = work->path() + "/package";
  if (Result<void> ok = fetch(*other, whole, http, redirects - 1, said_at(answer->url)); !ok) return ok;
  const std::string part = whole + "/" + other->folder;
  if (!real_fs().is_dir(part)) return Error{"the package has no directory " + in_quotes(other->folder)};
  auto content = TemporaryDir::beside(target);
  if (!content) return content.error();
  if (::rename(part.c_str(), content->path().c_str()) != 0)
    return Error{"the directory " + in_quotes(other->folder) + " cannot be moved to its destination"};
  return content->move_to(target);
}

}  // namespace

Result<void> fetch_module(const ModuleSource& source, const std::string& target, Http& http, SaidBy said) {
  return fetch(source, target, http, 10, said);
}

}  // namespace xplan::install
