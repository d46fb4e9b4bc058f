// Tokens from files, and what exec plugins print.
#include "core/backend/kubernetes/credentials.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/follow.h"
#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/base/spawn.h"
#include "core/base/text.h"
#include "core/cloud/aside.h"
#include "core/cloud/time.h"

namespace xplan::backend::kubernetes {
namespace {

constexpr size_t kOutput = 256 << 10;
constexpr int64_t kBefore = 30;  // seconds before they end that credentials are asked for again

std::string input_of(const Plugin& plugin, const Access& access) {
  Json spec = {{"interactive", false}};
  if (plugin.cluster_info) {
    Json cluster = {{"server", access.url}};
    if (!access.tls.authorities.empty())
      cluster["certificate-authority-data"] = base64_encode(access.tls.authorities);
    if (!access.tls.server_name.empty()) cluster["tls-server-name"] = access.tls.server_name;
    if (!access.tls.verify) cluster["insecure-skip-tls-verify"] = true;
    if (!access.proxy.empty()) cluster["proxy-url"] = access.proxy;
    spec["cluster"] = cluster;
  }
  const Json out = {{"apiVersion", plugin.api_version}, {"kind", "ExecCredential"}, {"spec", spec}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<Credentials> CredentialSource::get(const Credentials* refused, Stop stop) {
  Credentials out{access_.token, access_.user, access_.password, {}, {}};
  if (!access_.token_file.empty()) {
    const Result<std::string> text = real_fs().read(access_.token_file);
    if (!text) return Error{"the token of the cluster cannot be read: " + text.error().message};
    out.token = trimmed(*text);
  }
  if (!access_.plugin || !out.token.empty() || !out.user.empty()) return out;
  std::lock_guard lock(mutex_);
  const bool fresh = refused && refused->token == kept_.token && refused->certificate == kept_.certificate;
  if (fresh || ends_ - kBefore <= cloud::unix_now()) {
    Result<Credentials> printed = of_program(stop);
    if (!printed) return printed;
    kept_ = std::move(*printed);
  }
  return kept_;
}

Result<std::string> CredentialSource::run(const Plugin& plugin, Stop stop) const {
  const std::string what = fmt::format("the program \"{}\", which provides the credentials of the cluster,",
                                       shown_text(plugin.command));
  Pipe out;
  cloud::Aside aside;
  if (!out.open() || !aside.begin()) return Error{what + " cannot be started"};
  SpawnRequest r;
  r.arguments = {plugin.command};
  r.arguments.insert(r.arguments.end(), plugin.arguments.begin(), plugin.arguments.end());
  std::map<std::string, std::optional<std::string>> variables = {
      {"KUBERNETES_EXEC_INFO", input_of(plugin, access_)}};
  for (const auto& [name, value] : plugin.environment) variables[name] = value;
  r.environment = environment_with(variables);
  r.out = out.write, r.err = aside.end();
  const Result<pid_t> child = spawn(r);
  out.close_write(), aside.close_end();
  if (!child) return Error{what + " cannot be started: " + child.error().message};
  std::string text;
  const bool cut =
      follow(*child, out.read, {stop, SIGTERM, 2000, plugin.limit_millis}, [&](std::string_view piece) {
        if (text.size() <= kOutput) text += piece;
      });
  const int status = reap(*child, Rest::Killed);
  if (stopped(stop)) return interrupted();
  if (cut) return Error{fmt::format("{} did not end within {} seconds", what, plugin.limit_millis / 1000)};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{what + " failed"};
  if (text.size() > kOutput) return Error{what + " printed too much"};
  return text;
}

Result<Credentials> CredentialSource::of_program(Stop stop) {
  const Plugin& plugin = *access_.plugin;
  const Result<std::string> text = run(plugin, stop);
  if (!text) return text.error();
  const auto wrong = [&](const char* why) {
    return Error{fmt::format("the program \"{}\" printed something other than credentials: {}",
                             shown_text(plugin.command), why)};
  };
  const Result<Json> doc = parse_document(*text);
  if (!doc) return wrong("it is not a JSON object");
  if (string_in(*doc, "kind") != "ExecCredential" || string_in(*doc, "apiVersion") != plugin.api_version)
    return wrong("its kind must be ExecCredential, and its apiVersion the one that is configured");
  const Json* status = object_in(*doc, "status");
  if (!status) return wrong("it has no status");
  Credentials out{string_in(*status, "token"),
                  {},
                  {},
                  string_in(*status, "clientCertificateData"),
                  string_in(*status, "clientKeyData")};
  if (out.certificate.empty() != out.private_key.empty())
    return wrong("a certificate and its key must be set together");
  if (out.token.empty() && out.certificate.empty()) return wrong("it has neither a token nor a certificate");
  const std::string end = string_in(*status, "expirationTimestamp");
  const auto at = cloud::parse_timestamp(end);
  if (!end.empty() && !at) return wrong("its expirationTimestamp is not a time");
  ends_ = at ? *at : std::numeric_limits<int64_t>::max();
  return out;
}

}  // namespace xplan::backend::kubernetes
