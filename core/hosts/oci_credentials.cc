// Finds credentials for OCI registries: entries of the CLI configuration, docker-style files, programs.
#include "core/hosts/oci_credentials.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/hosts/helper.h"
#include "core/net/url.h"

namespace xplan::hosts {
namespace {

// In these files, the registry of Docker has names of its own, and others may have a scheme.
std::string pattern_of(std::string key) {
  for (std::string_view scheme : {"https://", "http://"})
    if (key.starts_with(scheme)) key.erase(0, scheme.size());
  while (key.ends_with('/')) key.pop_back();
  for (std::string_view version : {"/v1", "/v2"})
    if (key.ends_with(version)) key.resize(key.size() - version.size());
  const size_t host = std::min(key.find('/'), key.size());
  const std::string registry = ascii_lower(key.substr(0, host));
  return (registry == "index.docker.io" ? "docker.io" : registry) + key.substr(host);
}

// "USER:PASSWORD" in base64.
bool read_auth(const std::string& auth, OciCredentials& out) {
  std::string text;
  if (!base64_decode(auth, text)) return false;
  while (text.ends_with('\0')) text.pop_back();
  const size_t colon = text.find(':');
  if (colon == text.npos) return false;
  out.user = text.substr(0, colon), out.password = text.substr(colon + 1);
  return true;
}

Result<void> read_entries(const Json& auths, const std::string& path, std::vector<OciEntry>& out) {
  for (const auto& [key, value] : auths.items()) {
    OciEntry e{pattern_of(key), {}, ""};
    e.credentials.refresh_token = string_in(value, "identitytoken");
    e.credentials.access_token = string_in(value, "registrytoken");
    const std::string auth = string_in(value, "auth");
    if (!auth.empty() && !read_auth(auth, e.credentials))
      return Error{"the entry for " + in_quotes(key) + " of " + in_quotes(path) +
                   " has no \"auth\" of the form USER:PASSWORD in base64"};
    const OciCredentials& c = e.credentials;
    if (!auth.empty() || !c.refresh_token.empty() || !c.access_token.empty()) out.push_back(std::move(e));
  }
  return {};
}

Result<void> read_file(const std::string& path, std::vector<OciEntry>& out) {
  constexpr uint64_t kMost = 4 << 20;
  if (!real_fs().exists(path)) return {};
  const Result<std::string> text = real_fs().read(path);
  if (!text) return Error{"the credentials of OCI registries cannot be read: " + text.error().message};
  const Result<Json> doc = text->size() <= kMost ? parse_document(*text) : Error{"is too large"};
  if (!doc)
    return Error{"the file with credentials of OCI registries " + in_quotes(path) + " " +
                 doc.error().message};
  const bool old = path.ends_with(".dockercfg");  // all of it is a list of registries
  if (const Json* auths = old ? &*doc : object_in(*doc, "auths"))
    if (Result<void> ok = read_entries(*auths, path, out); !ok) return ok;
  if (old) return {};
  if (const Json* helpers = object_in(*doc, "credHelpers"))
    for (const auto& [key, value] : helpers->items())
      if (value.is_string()) out.push_back({pattern_of(key), {}, value.get<std::string>()});
  if (std::string store = string_in(*doc, "credsStore"); !store.empty())
    out.push_back({"", {}, std::move(store)});
  return {};
}

std::vector<std::string> usual_files(const OciEnvironment& env) {
  auto variable = [&](const char* name) {
    const char* said = env(name);
    return std::string(said ? said : "");
  };
  const std::string home = variable("HOME");
  std::string settings = variable("XDG_CONFIG_HOME");
  if (settings.empty()) settings = join_path(home, ".config");
  std::vector<std::string> out;
  if (const std::string run = variable("XDG_RUNTIME_DIR"); !run.empty())
    out.push_back(join_path(run, "containers/auth.json"));
  out.push_back(join_path(settings, "containers/auth.json"));
  out.push_back(join_path(home, ".docker/config.json"));
  out.push_back(join_path(home, ".dockercfg"));
  return out;
}

bool covers(const std::string& pattern, const std::string& place) {
  return pattern.empty() || place == pattern || (place.starts_with(pattern) && place[pattern.size()] == '/');
}

Result<std::optional<OciCredentials>> ask_helper(const std::string& name, const std::string& registry,
                                                 Stop stop) {
  if (!is_oci_helper(name)) return Error{in_quotes(name) + " cannot be the name of a credentials helper"};
  const std::string program = "docker-credential-" + name,
                    what = "the credentials helper " + in_quotes(program) + " ";
  const std::string server = registry == "docker.io" ? "https://index.docker.io/v1/" : registry;
  const Result<HelperSaid> said = ask_credentials_program({program, "get"}, server, what, stop);
  if (!said) return said.error();
  // It says so in words, and has no other way.
  if (said->code != 0 && said->text.find("credentials not found") != std::string::npos)
    return std::optional<OciCredentials>();
  if (said->code != 0) return Error{what + "failed"};
  const Result<Json> doc = parse_document(said->text);
  if (!doc) return Error{what + "did not print a JSON object with \"Username\" and \"Secret\""};
  OciCredentials out;
  const std::string user = string_in(*doc, "Username"), secret = string_in(*doc, "Secret");
  if (user == "<token>")
    out.refresh_token = secret;
  else
    out.user = user, out.password = secret;
  return std::optional(std::move(out));
}

}  // namespace

bool is_oci_helper(const std::string& name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.find_first_not_of(kAllowed) == name.npos;
}

Result<std::optional<OciCredentials>> find_oci_credentials(const OciSettings& settings,
                                                           const std::string& registry,
                                                           const std::string& repository,
                                                           const OciEnvironment& env, Stop stop) {
  std::vector<OciEntry> entries = settings.entries;
  if (settings.discover)
    for (const std::string& file : settings.files ? *settings.files : usual_files(env))
      if (Result<void> ok = read_file(file, entries); !ok) return ok.error();
  const std::string place = pattern_of(registry) + "/" + repository;
  const OciEntry* best = nullptr;
  for (const OciEntry& e : entries)
    if (covers(e.pattern, place) && (!best || e.pattern.size() > best->pattern.size())) best = &e;
  if (!best) return std::optional<OciCredentials>();
  if (!best->helper.empty()) return ask_helper(best->helper, pattern_of(registry), stop);
  for (const std::string* text : {&best->credentials.user, &best->credentials.password,
                                  &best->credentials.access_token, &best->credentials.refresh_token})
    if (net::has_controls(*text))
      return Error{"the credentials for " + in_quotes(place) + " contain control characters"};
  return std::optional(best->credentials);
}

}  // namespace xplan::hosts
