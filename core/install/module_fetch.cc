// Fetches one module package by its kind of source: git clone, archive download with checksum,
// "terraform-get" redirection; then takes the subdirectory out of it.
#include "core/install/module_fetch.h"

#include <stdio.h>

#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/install/download_page.h"
#include "core/install/git.h"
#include "core/install/mercurial.h"
#include "core/install/module_archive.h"
#include "core/install/object_fetch.h"
#include "core/install/oci_fetch.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"

namespace xplan::install {
namespace {

Result<void> fetch_archive_of(const ModuleSource& s, ArchiveKind kind, const std::string& target,
                              Http& http) {
  auto work = TemporaryDir::beside(target, http.stop);
  if (!work) return work.error();
  HttpRequest r;
  r.url = s.url;
  r.to_file = work->path() + "/package";
  r.max_bytes = uint64_t{2} << 30;
  auto answer = http.get(r);
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{"the download failed with status " + status_text(answer->status)};
  return place_archive(r.to_file, s, kind, target, http.stop);
}

// A directory or an archive of this machine.
Result<void> fetch_local(const ModuleSource& s, const std::string& target, Http& http) {
  if (real_fs().is_dir(s.url)) return place_link(s.url, target);
  if (!real_fs().exists(s.url)) return Error{"there is no directory or archive " + in_quotes(s.url)};
  if (const auto kind = archive_of(s)) return place_archive(s.url, s, *kind, target, http.stop);
  return Error{in_quotes(s.url) + " is neither a directory nor an archive"};
}

bool names_this_machine(const ModuleSource& s) {
  if (s.kind == ModuleSource::Kind::Folder) return true;
  if (s.kind == ModuleSource::Kind::Mercurial) return s.url.starts_with("file:");
  if (s.kind != ModuleSource::Kind::Git) return false;
  if (s.url.find("://") != std::string::npos) return s.url.starts_with("file:");
  const size_t host = s.url.find(':');  // USER@HOST:PATH; all else is a path
  return host == std::string::npos || s.url.find('/') < host;
}

bool is_verifiable(const ModuleSource& s) {
  return !(s.url.starts_with("http://") || s.url.starts_with("git://")) ||
         (archive_of(s) && s.arguments.count("checksum"));  // repositories have no such argument
}

using Clone = Result<void> (*)(const ModuleSource& s, const std::string& to, Stop stop);
Result<void> clone(const ModuleSource& s, const std::string& target, Clone clone_to, Http& http) {
  auto work = TemporaryDir::beside(target, http.stop);
  if (!work) return work.error();
  if (Result<void> ok = clone_to(s, work->path(), http.stop); !ok) return ok;
  return work->move_to(target);
}

Result<void> fetch(const ModuleSource& s, const std::string& target, Http& http, Services& services,
                   int redirects, SaidBy said) {
  if (said != SaidBy::Configuration && names_this_machine(s))
    return Error{"a server must not refer to a path of this machine"};
  if (said == SaidBy::HttpsServer && !is_verifiable(s))
    return Error{"the server returned the address " + in_quotes(s.package) + kNotVerifiable};
  if (s.kind == ModuleSource::Kind::Folder) return fetch_local(s, target, http);
  if (s.kind == ModuleSource::Kind::Git) return clone(s, target, clone_repository, http);
  if (s.kind == ModuleSource::Kind::Mercurial) return clone(s, target, clone_mercurial, http);
  if (s.kind == ModuleSource::Kind::S3 || s.kind == ModuleSource::Kind::Gcs)
    return fetch_objects(s, target, http.stop);
  if (s.kind == ModuleSource::Kind::Oci) return fetch_oci(s, target, services.config().oci, http);
  if (s.kind != ModuleSource::Kind::Http)
    return Error{"it redirects to another registry address or a local path"};
  if (const auto kind = archive_of(s)) return fetch_archive_of(s, *kind, target, http);
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
  if (other->folder.empty())
    return fetch(*other, target, http, services, redirects - 1, said_at(answer->url));
  // A directory of the package becomes the package.
  auto work = TemporaryDir::beside(target, http.stop);
  if (!work) return work.error();
  const std::string whole = work->path() + "/package";
  if (Result<void> ok = fetch(*other, whole, http, services, redirects - 1, said_at(answer->url)); !ok)
    return ok;
  const std::string part = whole + "/" + other->folder;
  if (!real_fs().is_dir(part)) return Error{"the package has no directory " + in_quotes(other->folder)};
  auto content = TemporaryDir::beside(target, http.stop);
  if (!content) return content.error();
  if (::rename(part.c_str(), content->path().c_str()) != 0)
    return Error{"the directory " + in_quotes(other->folder) + " cannot be moved to its destination"};
  return content->move_to(target);
}

}  // namespace

Result<void> fetch_module(const ModuleSource& source, const std::string& target, Http& http,
                          Services& services, SaidBy said) {
  return fetch(source, target, http, services, 10, said);
}

}  // namespace xplan::install
