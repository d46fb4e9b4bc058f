// Parses the "source" argument of a module call into its forms: local path, registry address, git, HTTP
// archive, shorthand for hosts; subdirectory and query arguments.
#include "core/config/module_source.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/addr/host.h"
#include "core/base/fs.h"
#include "core/base/text.h"

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

}  // namespace

std::string real_dir(const std::string& dir) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const fs::path here = fs::canonical(".", ec), real = ec ? fs::path() : fs::canonical(dir, ec);
  if (ec || real == (here / dir).lexically_normal() || real == fs::path(dir)) return dir;
  return dir.starts_with('/') ? real.string() : clean_path(real.lexically_relative(here).string());
}

Result<ModuleSource> parse_module_source(std::string_view source) {
  ModuleSource out;
  if (source.starts_with("./") || source.starts_with("../") || source == "." || source == "..") {
    out.text = out.package = clean_path(source);
    if (!out.text.starts_with("../")) out.text = "./" + out.text;
    return out;
  }
  Parts p = split(source);
  if (p.folder.starts_with('/') || clean_path(p.folder).starts_with(".."))
    return Error{"the directory after the double slash leads out of the package"};
  if (!p.folder.empty()) {
    p.folder = clean_path(p.folder);
    if (p.folder == ".") p.folder.clear();
  }
  out.folder = p.folder;
  const std::string tail = p.folder.empty() ? "" : "//" + p.folder;
  if (p.query.empty() && registry_address(p.package, out)) {
    out.package = out.host + "/" + out.path;
    out.text = out.package + tail;
    return out;
  }
  std::string url, head;
  for (std::string_view h : {"http::", "https::"})  // https::https://… says the same twice
    if (p.package.starts_with(h)) head = h;
  const std::string_view web = std::string_view(p.package).substr(head.size());
  if (p.package.starts_with("git::")) {
    url = p.package.substr(5);
    out.kind = ModuleSource::Kind::Git;
    if (Parts inner{url, p.folder, ""}; hosted_repository(inner, url)) p.folder = inner.folder;
    if (url.starts_with('/')) url = "file://" + url;
  } else if (hosted_repository(p, url)) {
    out.kind = ModuleSource::Kind::Git;
  } else if (web.starts_with("http://") || web.starts_with("https://")) {
    out.kind = ModuleSource::Kind::Http;
    url = web;
  } else if (p.package.starts_with('/') || p.package.starts_with("file://")) {
    out.kind = ModuleSource::Kind::Folder;
    url = p.package.starts_with('/') ? p.package : p.package.substr(7);
    if (!url.starts_with('/')) return Error{"the path in a file URL must begin with a slash"};
  } else if (p.package.find('@') != std::string::npos && p.package.find(':') != std::string::npos &&
             p.package.find("::") == std::string::npos && p.package.find("://") == std::string::npos) {
    out.kind = ModuleSource::Kind::Git;
    url = p.package;
  } else {
    const size_t getter = p.package.find("::");
    if (getter != std::string::npos)
      return Error{"modules cannot be downloaded with " + in_quotes(p.package.substr(0, getter)) +
                   "; supported are git, http, https, registries and directories"};
    return Error{in_quotes(source) + " is not a valid module source. For a local directory, write " +
                 in_quotes("./" + std::string(source))};
  }
  out.folder = p.folder;
  if (out.kind == ModuleSource::Kind::Git) {
    // git@host:path → an ordinary URL.
    if (url.find("://") == std::string::npos) {
      const size_t colon = url.find(':');
      if (url.find('@') == std::string::npos || colon == std::string::npos)
        return Error{in_quotes(url) + " is not the address of a git repository"};
      url = "ssh://" + url.substr(0, colon) + "/" + url.substr(colon + 1);
    }
    const std::string scheme = url.substr(0, url.find("://"));
    if (scheme != "https" && scheme != "http" && scheme != "ssh" && scheme != "git" && scheme != "file")
      return Error{"git repositories cannot be downloaded with " + in_quotes(scheme)};
    head = "git::";
  }
  std::string kept;  // of the query: what is not for us
  for (std::string_view q = std::string_view(p.query).substr(p.query.empty() ? 0 : 1); !q.empty();) {
    const size_t end = std::min(q.find('&'), q.size());
    const std::string_view pair = q.substr(0, end);
    q.remove_prefix(std::min(end + 1, q.size()));
    const size_t eq = std::min(pair.find('='), pair.size());
    const std::string name(pair.substr(0, eq));
    const bool ours = out.kind == ModuleSource::Kind::Git
                          ? name == "ref" || name == "depth" || name == "sshkey"
                          : name == "checksum" || name == "archive";
    if (ours)
      out.arguments.emplace(name, unescape(pair.substr(std::min(eq + 1, pair.size()))));
    else
      kept += (kept.empty() ? "?" : "&") + std::string(pair);
  }
  const std::string shown = out.kind == ModuleSource::Kind::Folder ? "file://" + url : url;
  out.url = url + (out.kind == ModuleSource::Kind::Folder ? "" : kept);
  out.package = head + shown + p.query;
  out.text = head + shown + (p.folder.empty() ? "" : "//" + p.folder) + p.query;
  return out;
}

}  // namespace xplan::config
