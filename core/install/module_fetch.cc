#include "core/install/module_fetch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/install/archive.h"
#include "core/install/package_dir.h"
#include "core/install/run.h"

namespace xplan::install {
namespace {

constexpr std::array<std::string_view, 12> kArchives{
    "zip", "tar.gz", "tgz", "tar.xz", "txz", "tar.bz2", "tbz2", "tar", "tar.zst", "tzst", "tar.bz", "tbz"};

std::string last_lines(std::string s) {
  std::erase(s, '\r');  // from ssh
  while (s.ends_with('\n')) s.pop_back();
  return s.size() > 2000 ? "…" + s.substr(s.size() - 2000) : s;
}

// The key as its argument may have it: in either alphabet, with or without padding, "+" turned into a space.
bool decode_key(std::string text, std::string& out) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  for (char& c : text) c = c == '-' || c == ' ' ? '+' : c == '_' ? '/' : c;
  while (text.size() % 4 != 0) text += '=';
  return base64_decode(text, out);
}

class Git {
 public:
  Git(const ModuleSource& s, const std::atomic<bool>* stop) : source_(s), stop_(stop) {}

  Result<void> clone(const std::string& work) {
    auto argument = [&](const char* name) {
      auto it = source_.arguments.find(name);
      return it == source_.arguments.end() ? std::string() : it->second;
    };
    const std::string ref = argument("ref"), depth = argument("depth"), key = argument("sshkey");
    if (ref.starts_with('-')) return Error{in_quotes(ref) + " is no name of a version"};
    if (depth.find_first_not_of("0123456789") != std::string::npos || depth.size() > 9)
      return Error{in_quotes(depth) + " is no depth"};
    environment_ = {{"GIT_TERMINAL_PROMPT", "0"}, {"GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file"}};
    const std::string key_file = work + ".key";
    if (!key.empty()) {
      std::string private_key;
      if (!decode_key(key, private_key)) return Error{"the sshkey of the source is not base64"};
      if (Result<void> ok = write_atomic(key_file, private_key, 0600); !ok) return ok;
      environment_.push_back({"GIT_SSH_COMMAND", "ssh -i '" + key_file + "' -o StrictHostKeyChecking=no"});
    }
    Result<void> ok = fetch(work, ref, depth);
    if (!key.empty()) ::unlink(key_file.c_str());
    return ok;
  }

 private:
  Result<void> fetch(const std::string& work, const std::string& ref, const std::string& depth) {
    std::vector<std::string> clone{"git", "clone", "--quiet"};
    if (!depth.empty() && depth != "0") {
      clone.insert(clone.end(), {"--depth", depth});
      if (!ref.empty()) clone.insert(clone.end(), {"--branch", ref});
    }
    clone.insert(clone.end(), {"--", source_.url, work});
    if (Result<void> ok = git(clone); !ok) return ok;
    if (!ref.empty()) {
      if (Result<void> ok = git({"git", "-C", work, "checkout", "--quiet", ref, "--"}); !ok) return ok;
    }
    if (!real_fs().exists(work + "/.gitmodules")) return {};
    return git({"git", "-C", work, "submodule", "--quiet", "update", "--init", "--recursive"});
  }
  Result<void> git(const std::vector<std::string>& arguments) {
    auto ran = run(arguments, environment_, stop_);
    if (!ran) return ran.error();
    if (ran->code == 0) return {};
    return Error{"git failed with the code " + std::to_string(ran->code) + ":\n" + last_lines(ran->output) +
                 "\n"};
  }

  const ModuleSource& source_;
  const std::atomic<bool>* stop_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

// The kind of archive by the argument or the URL; empty when it is none.
std::string archive_kind(const ModuleSource& s) {
  if (auto a = s.arguments.find("archive"); a != s.arguments.end()) {
    return std::find(kArchives.begin(), kArchives.end(), a->second) == kArchives.end() ? "" : a->second;
  }
  const std::string path = s.url.substr(0, s.url.find('?'));
  for (std::string_view k : kArchives) {
    if (path.ends_with("." + std::string(k))) return std::string(k);
  }
  return {};
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
  if (kind == "file") return Error{"checksums in a file of their own are not supported; give the sum itself"};
  const std::optional<Digest> method = digest_named(kind);
  if (!method) return Error{in_quotes(kind) + " is no kind of checksum"};
  auto bytes = real_fs().read(file);
  if (!bytes) return bytes.error();
  const std::string sum = hex_encode(digest(*method, *bytes));
  wanted = ascii_lower(wanted);
  if (sum != wanted) return Error{"its " + kind + " checksum is " + sum + ", not " + wanted};
  return {};
}

// The content of <meta name="terraform-get" content="…">, in either kind of quotes and of letters.
std::string meta_source(const std::string& html) {
  const std::string lower = ascii_lower(html);
  for (size_t at = 0; (at = lower.find("<meta", at)) != std::string::npos; ++at) {
    const size_t end = std::min(html.find('>', at), html.size());
    auto attribute = [&](const std::string& name) {
      const size_t i = lower.find(" " + name + "=", at), begin = i + name.size() + 3;
      if (i >= end || begin >= end) return std::string();
      return html.substr(begin, std::min(html.find(html[begin - 1], begin), end) - begin);
    };
    if (attribute("name") == "terraform-get") return attribute("content");
  }
  return {};
}

Result<void> fetch_archive_of(const ModuleSource& s, const std::string& kind, const std::string& target,
                              Http& http) {
  auto work = TemporaryDir::beside(target);
  if (!work) return work.error();
  HttpRequest r;
  r.url = s.url;
  r.to_file = work->path() + "/package." + kind;
  r.max_bytes = uint64_t{2} << 30;
  auto answer = http.get(r);
  if (!answer) return answer.error();
  if (answer->status != 200)
    return Error{"the download failed with the status " + status_text(answer->status)};
  if (auto sum = s.arguments.find("checksum"); sum != s.arguments.end()) {
    if (Result<void> ok = check_sum(r.to_file, sum->second); !ok) return ok;
  }
  auto content = TemporaryDir::beside(target);
  if (!content) return content.error();
  if (Result<void> ok = unpack(r.to_file, content->path()); !ok) return ok;
  return content->move_to(target);
}

Result<void> fetch(const ModuleSource& s, const std::string& target, Http& http, int redirects) {
  if (s.kind == ModuleSource::Kind::Folder) {
    if (!real_fs().is_dir(s.url)) return Error{"there is no folder " + in_quotes(s.url)};
    return place_link(s.url, target);
  }
  if (s.kind == ModuleSource::Kind::Git) {
    auto work = TemporaryDir::beside(target);
    if (!work) return work.error();
    if (Result<void> ok = Git(s, http.stop).clone(work->path()); !ok) return ok;
    return work->move_to(target);
  }
  if (s.kind != ModuleSource::Kind::Http)
    return Error{"it leads to another registry address or a local path"};
  if (const std::string kind = archive_kind(s); !kind.empty()) return fetch_archive_of(s, kind, target, http);
  if (redirects <= 0) return Error{"it leads from one place to another too often"};
  HttpRequest r;
  r.url = s.url + (s.url.find('?') == std::string::npos ? "?" : "&") + "terraform-get=1";
  auto answer = http.get(r);
  if (!answer) return answer.error();
  if (answer->status != 200 && answer->status != 204)
    return Error{"the answer was " + status_text(answer->status)};
  std::string next = answer->headers["x-terraform-get"];
  if (next.empty()) next = meta_source(answer->body);
  if (next.empty())
    return Error{
        "the URL leads to no archive, and the answer does not say where the module is (X-Terraform-Get)"};
  if (next.starts_with('/') || next.starts_with("./")) next = resolve_url(answer->url, next);
  auto other = parse_module_source(next);
  if (!other) return other.error();
  if (other->folder.empty()) return fetch(*other, target, http, redirects - 1);
  // A folder of the package becomes the package.
  auto work = TemporaryDir::beside(target);
  if (!work) return work.error();
  const std::string whole = work->path() + "/package";
  if (Result<void> ok = fetch(*other, whole, http, redirects - 1); !ok) return ok;
  const std::string part = whole + "/" + other->folder;
  if (!real_fs().is_dir(part)) return Error{"the package has no folder " + in_quotes(other->folder)};
  auto content = TemporaryDir::beside(target);
  if (!content) return content.error();
  if (::rename(part.c_str(), content->path().c_str()) != 0)
    return Error{"the folder " + in_quotes(other->folder) + " cannot be moved to its place"};
  return content->move_to(target);
}

}  // namespace

Result<void> fetch_module(const ModuleSource& source, const std::string& target, Http& http) {
  return fetch(source, target, http, 10);
}

}  // namespace xplan::install
