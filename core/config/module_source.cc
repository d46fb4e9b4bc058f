// Parses the "source" argument of a module call into its forms: local path, registry address, git, HTTP
// archive, shorthand for hosts; subdirectory and query arguments.
#include "core/config/module_source.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/addr/host.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/config/bucket_source.h"
#include "core/config/oci_source.h"

namespace xplan::config {
namespace {

std::string unescape(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '%' && i + 2 < s.size() && hex_digit(s[i + 1]) >= 0 && hex_digit(s[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(s[i + 1]) * 16 + hex_digit(s[i + 2]));
      i += 2;
    } else {
      out += s[i] == '+' ? ' ' : s[i];
    }
  }
  return out;
}

struct Parts {
  std::string package, folder, query;  // the query with its question mark
};

// "a://b/c//d?e" → "a://b/c", "d", "?e"
Parts split(std::string_view s) {
  Parts out;
  const size_t query = std::min(s.find('?'), s.size());
  out.query = s.substr(query);
  s = s.substr(0, query);
  const size_t scheme = s.find("://");
  const size_t slashes = s.find("//", scheme == std::string_view::npos ? 0 : scheme + 3);
  if (slashes != std::string_view::npos) {
    out.folder = s.substr(slashes + 2);
    s = s.substr(0, slashes);
  }
  out.package = s;
  return out;
}

bool is_name(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// namespace/name/system, or with a host that has a dot before.
bool registry_address(std::string_view s, ModuleSource& out) {
  std::vector<std::string_view> parts;
  for (size_t i = 0; i <= s.size();) {
    const size_t end = std::min(s.find('/', i), s.size());
    parts.push_back(s.substr(i, end - i));
    i = end + 1;
  }
  std::string host = "registry.terraform.io";
  if (parts.size() == 4) {
    host = normal_host(parts[0]).value_or("");
    const std::string_view h = std::string_view(host).substr(0, host.find(':'));
    if (h.find('.') == std::string_view::npos || h == "github.com" || h == "bitbucket.org" ||
        h == "gitlab.com")
      return false;
    parts.erase(parts.begin());
  }
  if (parts.size() != 3 || !std::all_of(parts.begin(), parts.end(), is_name)) return false;
  out.kind = ModuleSource::Kind::Registry;
  out.host = host;
  out.path = std::string(parts[0]) + "/" + std::string(parts[1]) + "/" + std::string(parts[2]);
  return true;
}

// "github.com/owner/repo[/directory]" → its repository.
bool hosted_repository(Parts& p, std::string& url) {
  for (std::string_view host : {"github.com/", "bitbucket.org/", "gitlab.com/"}) {
    if (!p.package.starts_with(host)) continue;
    const size_t repo = p.package.find('/', host.size());
    if (repo == std::string::npos) return false;
    size_t end = std::min(p.package.find('/', repo + 1), p.package.size());
    if (end < p.package.size()) {
      const std::string more = p.package.substr(end + 1);
      p.folder = p.folder.empty() ? more : more + "/" + p.folder;
    }
    url = "https://" + p.package.substr(0, end);
    if (!url.ends_with(".git")) url += ".git";
    return true;
  }
  return false;
}

bool is_local(std::string_view s) {
  return s.starts_with("./") || s.starts_with("../") || s == "." || s == "..";
}

ModuleSource local_source(std::string_view s) {
  ModuleSource out;
  out.text = out.package = clean_path(s);
  if (!out.text.starts_with("../")) out.text = "./" + out.text;
  return out;
}

// Where the package is: the form of its source decides.
struct Place {
  ModuleSource::Kind kind;
  std::string url;
  std::string prefix = {};  // before the URL in addresses
};

// The forms of sources, in the order in which they are tried. Each says nothing when the source has another
// form; it may take a subdirectory out of the package.
using Form = std::optional<Result<Place>> (*)(Parts& p);

std::optional<Result<Place>> git_form(Parts& p) {
  if (!p.package.starts_with("git::")) return std::nullopt;
  std::string url = p.package.substr(5);
  if (Parts inner{url, p.folder, ""}; hosted_repository(inner, url)) p.folder = inner.folder;
  if (url.starts_with('/')) url = "file://" + url;
  return Place{ModuleSource::Kind::Git, url};
}

std::optional<Result<Place>> hosted_form(Parts& p) {
  std::string url;
  if (!hosted_repository(p, url)) return std::nullopt;
  return Place{ModuleSource::Kind::Git, url};
}

std::optional<Result<Place>> web_form(Parts& p) {
  std::string prefix;
  for (std::string_view h : {"http::", "https::"})  // https::https://… says the same twice
    if (p.package.starts_with(h)) prefix = h;
  const std::string url = p.package.substr(prefix.size());
  if (!url.starts_with("http://") && !url.starts_with("https://")) return std::nullopt;
  return Place{ModuleSource::Kind::Http, url, prefix};
}

std::optional<Result<Place>> mercurial_form(Parts& p) {
  if (!p.package.starts_with("hg::")) return std::nullopt;
  std::string url = p.package.substr(4);
  if (url.starts_with('/')) url = "file://" + url;
  for (std::string_view known : {"https://", "http://", "ssh://", "file:///"})
    if (url.starts_with(known) && url.size() > known.size())
      return Place{ModuleSource::Kind::Mercurial, url, "hg::"};
  return Error{in_quotes(url) +
               " is not the URL of a Mercurial repository, which begins with https://, http://, "
               "ssh:// or file:///"};
}

// With the prefix of the service, or by its host alone.
std::optional<Result<Place>> s3_form(Parts& p) {
  if (std::optional<Result<std::string>> url = s3_shorthand(p.package))
    return *url ? Result<Place>(Place{ModuleSource::Kind::S3, **url, "s3::"}) : url->error();
  if (!p.package.starts_with("s3::")) return std::nullopt;
  const std::string url = p.package.substr(4);
  if (Result<BucketPlace> place = s3_place(url); !place) return place.error();
  return Place{ModuleSource::Kind::S3, url, "s3::"};
}

std::optional<Result<Place>> gcs_form(Parts& p) {
  if (std::optional<Result<std::string>> url = gcs_shorthand(p.package))
    return *url ? Result<Place>(Place{ModuleSource::Kind::Gcs, **url, "gcs::"}) : url->error();
  if (!p.package.starts_with("gcs::")) return std::nullopt;
  const std::string url = p.package.substr(5);
  if (Result<BucketPlace> place = gcs_place(url); !place) return place.error();
  return Place{ModuleSource::Kind::Gcs, url, "gcs::"};
}

std::optional<Result<Place>> oci_form(Parts& p) {
  if (!p.package.starts_with("oci://")) return std::nullopt;
  return Place{ModuleSource::Kind::Oci, p.package};
}

std::optional<Result<Place>> directory_form(Parts& p) {
  if (p.package.starts_with('/')) return Place{ModuleSource::Kind::Folder, p.package};
  if (!p.package.starts_with("file://")) return std::nullopt;
  if (p.package.substr(7).starts_with('/')) return Place{ModuleSource::Kind::Folder, p.package.substr(7)};
  return Error{"the path in a file URL must begin with a slash"};
}

std::optional<Result<Place>> ssh_form(Parts& p) {  // user@host:path
  if (p.package.find('@') == std::string::npos || p.package.find(':') == std::string::npos ||
      p.package.find("::") != std::string::npos || p.package.find("://") != std::string::npos)
    return std::nullopt;
  return Place{ModuleSource::Kind::Git, p.package};
}

Result<Place> place_of(Parts& p, std::string_view source) {
  static constexpr Form kForms[] = {git_form, hosted_form, mercurial_form, s3_form, gcs_form,
                                    oci_form, web_form,    directory_form, ssh_form};
  for (Form form : kForms)
    if (std::optional<Result<Place>> place = form(p)) return std::move(*place);
  size_t scheme = p.package.find("::");
  if (scheme == std::string::npos) scheme = p.package.find("://");
  if (scheme != std::string::npos)
    return Error{
        "modules cannot be downloaded with " + in_quotes(p.package.substr(0, scheme)) +
        "; the supported sources are git, hg, http, https, s3, gcs, oci://, registries and directories"};
  return Error{in_quotes(source) + " is not a valid module source. For a local directory, write " +
               in_quotes("./" + std::string(source))};
}

// git@host:path → an ordinary URL, of a kind that can be downloaded.
Result<std::string> git_url(std::string url) {
  if (url.find("://") == std::string::npos) {
    const size_t colon = url.find(':');
    if (url.find('@') == std::string::npos || colon == std::string::npos)
      return Error{in_quotes(url) + " is not the address of a git repository"};
    url = "ssh://" + url.substr(0, colon) + "/" + url.substr(colon + 1);
  }
  const std::string scheme = url.substr(0, url.find("://"));
  for (std::string_view known : {"https", "http", "ssh", "git", "file"})
    if (scheme == known) return url;
  return Error{"git repositories cannot be downloaded with " + in_quotes(scheme)};
}

// What says how to download, by the kind of source; all else in a query is part of the URL.
struct Arguments {
  ModuleSource::Kind kind;
  std::vector<std::string_view> names;
};
bool is_argument(ModuleSource::Kind kind, std::string_view name) {
  using Kind = ModuleSource::Kind;
  static const Arguments kArguments[] = {
      {Kind::Git, {"ref", "depth", "sshkey"}},
      {Kind::Mercurial, {"rev", "ref"}},
      {Kind::Http, {"checksum", "archive"}},
      {Kind::Folder, {"checksum", "archive"}},
      {Kind::S3,
       {"checksum", "archive", "region", "version", "aws_profile", "aws_access_key_id",
        "aws_access_key_secret", "aws_access_token"}},
      {Kind::Gcs, {"checksum", "archive"}},
      {Kind::Oci, {"tag", "digest"}},
  };
  for (const Arguments& a : kArguments)
    if (a.kind == kind) return std::find(a.names.begin(), a.names.end(), name) != a.names.end();
  return false;
}

// Takes these out of a query; the rest, with its question mark.
std::string take_arguments(std::string_view query, ModuleSource& out) {
  std::string kept;
  for (std::string_view q = query.substr(query.empty() ? 0 : 1); !q.empty();) {
    const size_t end = std::min(q.find('&'), q.size());
    const std::string_view pair = q.substr(0, end);
    q.remove_prefix(std::min(end + 1, q.size()));
    const size_t eq = std::min(pair.find('='), pair.size());
    const std::string name(pair.substr(0, eq));
    if (is_argument(out.kind, name))
      out.arguments.emplace(name, unescape(pair.substr(std::min(eq + 1, pair.size()))));
    else
      kept += (kept.empty() ? "?" : "&") + std::string(pair);
  }
  return kept;
}

}  // namespace

std::string real_dir(const std::string& dir) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const fs::path here = fs::canonical(".", ec), real = ec ? fs::path() : fs::canonical(dir, ec);
  if (ec || real == (here / dir).lexically_normal() || real == fs::path(dir)) return dir;
  return dir.starts_with('/') ? real.string() : clean_path(real.lexically_relative(here).string());
}

Result<ModuleSource> parse_module_source(std::string_view source) {
  if (is_local(source)) return local_source(source);
  Parts p = split(source);
  if (p.folder.starts_with('/') || clean_path(p.folder).starts_with(".."))
    return Error{"the directory after the double slash leads outside of the package"};
  if (!p.folder.empty()) p.folder = clean_path(p.folder);
  if (p.folder == ".") p.folder.clear();
  auto behind = [&p] { return p.folder.empty() ? "" : "//" + p.folder; };
  ModuleSource out;
  if (p.query.empty() && registry_address(p.package, out)) {
    out.folder = p.folder;
    out.package = out.host + "/" + out.path;
    out.text = out.package + behind();
    return out;
  }
  Result<Place> place = place_of(p, source);
  if (!place) return place.error();
  out.kind = place->kind;
  out.folder = p.folder;
  if (out.kind == ModuleSource::Kind::Git) {
    Result<std::string> url = git_url(place->url);
    if (!url) return url.error();
    place->url = std::move(*url), place->prefix = "git::";
  }
  const bool directory = out.kind == ModuleSource::Kind::Folder;
  const std::string query = take_arguments(p.query, out);
  const std::string shown = place->prefix + (directory ? "file://" : "") + place->url;
  out.url = place->url + (directory ? "" : query);
  out.package = shown + p.query;
  out.text = shown + behind() + p.query;
  if (out.kind == ModuleSource::Kind::Oci)
    if (Result<OciPlace> oci = oci_place(out); !oci) return oci.error();
  return out;
}

}  // namespace xplan::config
