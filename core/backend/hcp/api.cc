// Requests to the service: where it is, what is sent with each of them, and what refusals say.
#include "core/backend/hcp/api.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/backend/limits.h"
#include "core/base/command_line.h"
#include "core/base/log.h"
#include "core/base/shown_text.h"
#include "core/config/version.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::backend::hcp {
namespace {

constexpr uint64_t kDocument = 16 << 20, kState = uint64_t{1} << 30;
constexpr const char* kForm = "application/vnd.api+json";
constexpr int kLongestInterval = 3600;

net::Retry retries(const HcpSettings& s) {
  net::Retry out;
  out.times = 4;
  out.first = s.first_pause;
  out.most = std::chrono::seconds(8);
  return out;
}

// The first reason in {"errors": [{"title", "detail"}]}.
std::string reason_in(const std::string& body) {
  const Result<Json> doc = parse_document(body);
  const Json* errors = doc ? list_in(*doc, "errors") : nullptr;
  if (!errors || errors->empty()) return {};
  const Json& first = errors->front();
  if (first.is_string()) return shown_line(first.get<std::string>());
  const std::string title = string_in(first, "title"), detail = string_in(first, "detail");
  return shown_line(detail.empty() ? title : title.empty() ? detail : title + ": " + detail);
}

// Whoever knows the address of a state's content may read it, so it is not logged.
std::string logged(const std::string& url, const std::string& base) {
  return url.starts_with(base) ? shown_line(url.substr(0, url.find('?'))) : net::host_and_port(url) + "/…";
}

}  // namespace

std::string shown_line(std::string_view text) {
  return shown_text(text);
}

std::string attribute(const Json& object, std::string_view name) {
  const Json* all = object_in(object, "attributes");
  return all ? string_in(*all, name) : std::string();
}

bool flag_attribute(const Json& object, std::string_view name, bool otherwise) {
  const Json* all = object_in(object, "attributes");
  const Json* one = all ? member(*all, name) : nullptr;
  return one && one->is_boolean() ? one->get<bool>() : otherwise;
}

std::string Api::organization_path() const {
  return "organizations/" + net::escape_path(settings_.organization) + "/";
}

Result<Api::Found> Api::find() {
  std::lock_guard lock(mutex_);
  if (found_) return *found_;
  const std::string& host = settings_.host;
  Result<std::string> token = settings_.token.empty() ? hosts_.token(host) : settings_.token;
  if (!token) return token.error();
  if (token->empty()) {
    std::string variable = " or in the environment variable TF_TOKEN_";
    for (const char c : host) variable += c == '.' ? "_" : c == '-' ? "__" : std::string(1, c);
    if (host.find(':') != host.npos) variable.clear();  // which no name of a variable can contain
    return Error{fmt::format(
        "a token for {0} is missing. Set one in a \"credentials\" block of the CLI configuration{1}; "
        "{2}, \"terraform login {0}\" or \"tofu login {0}\" can create one",
        host, variable, own_command("login " + host))};
  }
  Result<std::string> base = hosts_.service(host, "tfe.v2");
  if (!base) return stopped(stop_) ? interrupted() : base.error();
  found_ = Found{std::move(*base), std::move(*token)};
  return *found_;
}

Result<Reply> Api::exchange(net::Request r) {
  const net::Ending stop = r.stop;
  Result<net::Answer> a = client_.send(r);
  if (log_enabled(LogLevel::Debug, "cloud"))
    if (const Result<Found> found = find())
      log_line(LogLevel::Debug, "cloud",
               fmt::format("{} {}: {}", r.method, logged(r.url, found->base),
                           a ? "status " + std::to_string(a->status) : "no response"));
  if (!a) return stopped(stop) ? interrupted() : a.error();
  if (const auto told = a->headers.find("x-terraform-snapshot-interval"); told != a->headers.end()) {
    int seconds = 0;
    std::from_chars(told->second.data(), told->second.data() + told->second.size(), seconds);
    if (seconds > 0) interval_ = std::min(seconds, kLongestInterval);
  }
  return Reply{a->status, std::move(a->body)};
}

Result<Reply> Api::send(const char* method, const std::string& path, const std::string* body,
                        net::Ending stop, bool once) {
  const Result<Found> found = find();
  if (!found) return found.error();
  net::Request r;
  r.method = method;
  r.url = found->base + path;
  r.token = found->token;
  r.headers = {{"Accept", kForm}, {"Terraform-Version", std::string(kLanguageVersion)}};
  if (body) {
    r.body = *body;
    r.headers.emplace_back("Content-Type", kForm);
  }
  r.limits.silence = 60;
  r.limits.body = kDocument;
  r.retry = retries(settings_);
  r.once = once;
  r.stop = stop;
  if (body && !stop.stop) r.patience = kWritePatience;  // a state is announced
  return exchange(std::move(r));
}

Result<Json> Api::data_of(const Reply& r) {
  Result<Json> doc = parse_document(r.body);
  if (!doc) return Error{"the response from the server " + doc.error().message};
  const Json* data = object_in(*doc, "data");
  if (!data) return Error{"the response from the server has no data"};
  return Json(*data);
}

Result<net::Request> Api::content(const char* method, const std::string& url, net::Ending stop) {
  const Result<Found> found = find();
  if (!found) return found.error();
  net::Request r;
  r.method = method;
  r.url = net::resolve_url(found->base, url);
  if (!net::uses_https(r.url) || net::has_controls(r.url))
    return Error{"the server keeps states at an address that is not an https URL"};
  r.secret_path = true;
  if (net::host_and_port(r.url) == net::host_and_port(found->base)) r.token = found->token;
  r.limits.silence = 60;
  r.limits.body = kState;
  r.retry = retries(settings_);
  r.stop = stop;
  return r;
}

Result<Reply> Api::get_content(const std::string& url, net::Ending stop, Arrival* arrival) {
  Result<net::Request> r = content("GET", url, stop);
  if (r) r->arrival = arrival;
  return r ? exchange(std::move(*r)) : r.error();
}

Result<Reply> Api::put_content(const std::string& url, std::string_view bytes) {
  Result<net::Request> r = content("PUT", url, nullptr);
  if (!r) return r.error();
  r->body = std::string(bytes);
  r->patience = kWritePatience;
  r->headers = {{"Content-Type", "application/octet-stream"}};
  return exchange(std::move(*r));
}

Error Api::refused(const std::string& what, const Reply& r) const {
  std::string reason = reason_in(r.body);
  if (!reason.empty()) reason = " (" + reason + ")";
  std::string help;
  if (r.status == 401)
    help = fmt::format(
        "; the token for {0} is not, or no longer, valid. Set another one in a \"credentials\" block of the "
        "CLI configuration or in an environment variable of the form TF_TOKEN_host; {1}, \"terraform login "
        "{0}\" or \"tofu login {0}\" can create one",
        settings_.host, own_command("login " + settings_.host));
  else if (r.status == 403)
    help = "; the token does not permit this";
  else if (r.status == 404)
    help =
        "; the server answers in this way both when something does not exist and when the token does not "
        "permit reading it";
  return Error{
      fmt::format("cannot {}: the server answered {}{}{}", what, net::status_text(r.status), reason, help)};
}

}  // namespace xplan::backend::hcp
