// The backend "http": one state at an address. It has no workspaces, and locks where the settings say how.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "core/backend/arguments.h"
#include "core/backend/backend.h"
#include "core/backend/http/place.h"
#include "core/backend/server.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/text.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::backend {
namespace {

constexpr Argument kHttpArguments[] = {
    {"address", Type::string, "TF_HTTP_ADDRESS"},
    {"update_method", Type::string, "TF_HTTP_UPDATE_METHOD", "POST"},
    {"lock_address", Type::string, "TF_HTTP_LOCK_ADDRESS"},
    {"unlock_address", Type::string, "TF_HTTP_UNLOCK_ADDRESS"},
    {"lock_method", Type::string, "TF_HTTP_LOCK_METHOD", "LOCK"},
    {"unlock_method", Type::string, "TF_HTTP_UNLOCK_METHOD", "UNLOCK"},
    {"username", Type::string, "TF_HTTP_USERNAME"},
    {"password", Type::string, "TF_HTTP_PASSWORD", {}, true},
    {"skip_cert_verification", Type::boolean},
    {"retry_max", Type::number, "TF_HTTP_RETRY_MAX", "2"},
    {"retry_wait_min", Type::number, "TF_HTTP_RETRY_WAIT_MIN", "1"},
    {"retry_wait_max", Type::number, "TF_HTTP_RETRY_WAIT_MAX", "30"},
    {"client_ca_certificate_pem", Type::string, "TF_HTTP_CLIENT_CA_CERTIFICATE_PEM"},
    {"client_certificate_pem", Type::string, "TF_HTTP_CLIENT_CERTIFICATE_PEM"},
    {"client_private_key_pem", Type::string, "TF_HTTP_CLIENT_PRIVATE_KEY_PEM", {}, true},
    {"headers", [] { return Type::map(Type::string()); }},
};
constexpr std::string_view kHttpAdditions[] = {"headers"};

Error no_workspaces(const std::string& selected) {
  return Error{fmt::format(
      "workspaces are not supported by the backend \"http\", but \"{}\" is selected. Select "
      "\"{}\" with {}, or change or unset TF_WORKSPACE",
      selected, kDefaultWorkspace, own_command(fmt::format("workspace select {}", kDefaultWorkspace)))};
}

class HttpServer : public Server {
 public:
  explicit HttpServer(std::shared_ptr<const HttpSettings> settings) : settings_(std::move(settings)) {}
  std::unique_ptr<Place> place(const std::string& workspace) const override {
    if (workspace != kDefaultWorkspace)
      return no_place(net::shown_address(settings_->address), no_workspaces(workspace));
    return http_place(settings_);
  }
  Result<Runs> runs(const std::string& workspace) const override {
    return workspace == kDefaultWorkspace ? Result<Runs>(Runs{}) : no_workspaces(workspace);
  }
  Result<std::vector<std::string>> workspaces() const override { return kNone; }
  bool has_workspaces() const override { return false; }
  Result<void> remove(const std::string&) const override { return kNone; }
  Empty begins_empty() const override { return Empty::Never; }
  std::string identity(const std::string&) const override {
    return net::without_credentials(settings_->address);  // states may differ in a parameter alone
  }

 private:
  inline static const Error kNone{"the backend \"http\" does not support workspaces"};
  const std::shared_ptr<const HttpSettings> settings_;
};

// What is wrong with a URL; "" is nothing.
std::string url_problem(std::string_view url) {
  const size_t scheme = url.find("://");
  const std::string begin = ascii_lower(url.substr(0, std::min(scheme, url.size())));
  if (scheme == url.npos || (begin != "http" && begin != "https"))
    return "must be a URL that begins with http:// or https://";
  const std::string_view rest = url.substr(scheme + 3), authority = rest.substr(0, rest.find_first_of("/?#"));
  const size_t at = authority.rfind('@');
  if (at != authority.npos && authority.substr(0, at).find('@') != authority.npos)
    return "must have %40 for each \"@\" in the user name and the password";
  const std::string_view place = authority.substr(at + 1);  // all of it where there is none
  const size_t bracket = place.rfind(']');
  const size_t colon = place.find(':', bracket == place.npos ? 0 : bracket);
  if (place.empty() || colon == 0) return "must name a host";
  if (colon != place.npos) {
    const std::string_view port = place.substr(colon + 1);
    int number = 0;
    const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (failed != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
      return "must have a port between 1 and 65535";
  }
  return net::host_and_port(url).empty() ? "must be a valid URL" : "";
}

// One that is needed for nothing may be absent.
Result<std::string> address(const Arguments& a, std::string_view name) {
  const std::string url = a.text(name), problem = url.empty() ? "" : url_problem(url);
  if (problem.empty()) return url;
  return Error{fmt::format("the argument \"{}\" {}, not \"{}\"", name, problem, net::shown_address(url))};
}

Result<int64_t> count(const Arguments& a, std::string_view name) {
  constexpr int64_t kMost = 24 * 60 * 60;
  Result<int64_t> n = a.number(name);
  if (n && (*n < 0 || *n > kMost))
    return Error{fmt::format("the argument \"{}\" must be between 0 and {}, not {}", name, kMost, *n)};
  return n;
}

std::optional<Error> addresses(const Arguments& a, HttpSettings& out) {
  if (const std::string empty = a.empty({"lock_address", "unlock_address"}); !empty.empty())
    return Error{empty};
  const std::pair<std::string_view, std::string&> all[] = {
      {"address", out.address}, {"lock_address", out.lock_address}, {"unlock_address", out.unlock_address}};
  for (const auto& [name, to] : all) {
    Result<std::string> url = address(a, name);
    if (!url) return url.error();
    to = std::move(*url);
  }
  if (!out.address.empty()) return std::nullopt;
  return Error{
      "the argument \"address\" is required: it is the URL of the state. Set it in the backend block, with "
      "-backend-config=\"address=URL\" or in the environment variable TF_HTTP_ADDRESS"};
}

std::optional<Error> retries(const Arguments& a, HttpSettings& out) {
  const Result<int64_t> times = count(a, "retry_max"), least = count(a, "retry_wait_min"),
                        most = count(a, "retry_wait_max");
  for (const Result<int64_t>* n : {&times, &least, &most})
    if (!*n) return n->error();
  out.retry.times = static_cast<int>(*times);
  out.retry.first = std::chrono::seconds(*least);
  out.retry.most = std::chrono::seconds(*most);
  out.retry.again = [](int status) { return status == 429 || (status >= 500 && status != 501); };
  return std::nullopt;
}

std::optional<Error> certificates(const Arguments& a, net::ClientOptions& out) {
  const Result<bool> skip = a.flag("skip_cert_verification");
  if (!skip) return skip.error();
  out.verify = !*skip;
  out.authorities = a.text("client_ca_certificate_pem");
  out.certificate = a.text("client_certificate_pem");
  out.private_key = a.text("client_private_key_pem");
  if (out.certificate.empty() != out.private_key.empty())
    return Error{"\"client_certificate_pem\" and \"client_private_key_pem\" must be set together"};
  for (const Argument& row : kHttpArguments)
    if (row.name.ends_with("_pem") && a.is_set(row.name) &&
        a.text(row.name).find("-----BEGIN ") == std::string::npos)
      return Error{
          fmt::format("the argument \"{0}\" must be PEM text (-----BEGIN …), not the name of a file. Write "
                      "it as a heredoc, "
                      "for example:\n\n  {0} = <<-PEM\n    -----BEGIN CERTIFICATE-----\n    …\n  PEM\n\n"
                      "Or set the environment variable {1} to the text",
                      row.name, row.environment)};
  return std::nullopt;
}

// That are sent with each request, as they are.
std::optional<Error> headers(const Arguments& a, HttpSettings& out) {
  constexpr std::string_view kNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const Value& given = a.value("headers");
  for (size_t i = 0; !given.is_null() && i < given.length(); ++i) {
    const std::string name(given.map_key(i)), lower = ascii_lower(name);
    const Value& v = given.elements()[i];
    const std::string text = v.is_string() ? std::string(v.as_string()) : "";
    auto wrong = [&](std::string_view why) {
      return Error{fmt::format("the header \"{}\" of the argument \"headers\" {}", name, why)};
    };
    if (name.empty() || name.find_first_not_of(kNames) != name.npos)
      return wrong("must have a name of letters, digits, hyphens and underscores");
    const bool ascii = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
    if (trimmed(text).empty() || !ascii || net::has_controls(text))
      return wrong("must have a value of ASCII characters, without control characters");
    if (lower == "content-type" || lower == "content-md5")
      return wrong("is set by each request, so it cannot be given");
    if (lower == "authorization" && a.is_set("username"))
      return wrong("cannot be used together with the argument \"username\"");
    out.headers.emplace_back(name, text);
  }
  return std::nullopt;
}

const schema::Block& http_schema() {
  static const schema::Block block = schema_of(kHttpArguments);
  return block;
}

Result<std::unique_ptr<Backend>> open_http(const Value& settings, const Opening& opening) {
  const Arguments a(kHttpArguments, settings);
  auto out = std::make_shared<HttpSettings>();
  for (const std::optional<Error>& problem :
       {addresses(a, *out), retries(a, *out), certificates(a, out->tls), headers(a, *out)})
    if (problem) return *problem;
  out->update_method = a.text("update_method");
  out->lock_method = a.text("lock_method");
  out->unlock_method = a.text("unlock_method");
  out->user = a.text("username");
  out->password = a.text("password");
  out->stop = opening.stop;
  return remote_backend(std::make_unique<HttpServer>(std::move(out)), opening);
}

}  // namespace

constinit const Kind kHttp{"http", http_schema, open_http, true, kHttpAdditions};

}  // namespace xplan::backend
