// Requests to the API of a cluster, and what its answers say.
#include "core/backend/kubernetes/client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/limits.h"
#include "core/base/base64.h"
#include "core/base/shown_text.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::backend::kubernetes {
namespace {

constexpr long kSilence = 30;  // seconds

const char* kind_name(ObjectKind kind) {
  return kind == ObjectKind::Secret ? "secret" : "lease";
}

Error odd(const std::string& doing) {
  return Error{fmt::format(
      "failed to {}: the response is not one of a Kubernetes API; check the address of the cluster", doing)};
}

}  // namespace

std::string state_in(const Json& secret) {
  const Json* data = object_in(secret, "data");
  return data ? string_in(*data, "tfstate") : "";
}
std::string name_of(const Json& object) {
  const Json* meta = object_in(object, "metadata");
  return meta ? string_in(*meta, "name") : "";
}

std::string version_in(const Json& object) {
  const Json* meta = object_in(object, "metadata");
  return meta ? string_in(*meta, "resourceVersion") : "";
}

Json& inner(Json& object, const char* name) {
  Json& out = object[name];
  if (!out.is_object()) out = Json::object();
  return out;
}

KubeClient::KubeClient(KubeSettings settings, Stop stop)
    : settings_(std::move(settings)), stop_(stop), credentials_(settings_.access) {}

std::string KubeClient::shown(ObjectKind kind, const std::string& name) const {
  return fmt::format("{} \"{}/{}\"", kind_name(kind), settings_.name_space, name);
}

std::string KubeClient::path(ObjectKind kind, const std::string& name) const {
  std::string out = kind == ObjectKind::Secret ? "/api/v1" : "/apis/coordination.k8s.io/v1";
  out += "/namespaces/" + net::escape_path(settings_.name_space) + "/" + kind_name(kind) + "s";
  return name.empty() ? out : out + "/" + net::escape_path(name);
}

// Certificates of programs are others from time to time.
std::shared_ptr<net::Client> KubeClient::client_for(const Credentials& credentials) {
  std::lock_guard lock(mutex_);
  if (client_ && certificate_ == credentials.certificate) return client_;
  net::ClientOptions options = settings_.access.tls;
  if (!credentials.certificate.empty()) {
    options.certificate = credentials.certificate;
    options.private_key = credentials.private_key;
  }
  certificate_ = credentials.certificate;
  client_ = std::make_shared<net::Client>(std::move(options));
  return client_;
}

Result<net::Answer> KubeClient::attempt(const Asked& asked, const Credentials* refused, Credentials& used) {
  const Result<Credentials> c = credentials_.get(refused, asked.stop.stop);
  if (!c) return c.error();
  used = *c;
  net::Request r;
  r.method = asked.method;
  r.url = settings_.access.url + asked.path + (asked.query.empty() ? "" : "?" + asked.query);
  r.headers = {{"Accept", "application/json"}};
  if (asked.bare)
    r.headers = {
        {"Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"}};
  r.body = asked.body;
  if (r.body) r.headers.emplace_back("Content-Type", "application/json");
  if (!c->token.empty() && net::uses_http(r.url) && net::on_this_machine(r.url))
    r.headers.emplace_back("Authorization", "Bearer " + c->token);  // kubectl's own proxy, for example
  else
    r.token = c->token;
  r.user = c->user, r.password = c->password;
  r.follow = false;
  r.failure = "failed to reach the cluster at";
  r.limits.silence = kSilence;
  r.limits.body = uint64_t{1} << 30;
  r.retry = settings_.access.retry;
  if (asked.patient && r.retry.times > 0) r.patience = kWritePatience;
  r.stop = asked.stop;
  return client_for(*c)->send(r);
}

Result<net::Answer> KubeClient::send(const Asked& asked) {
  Credentials first, second;
  Result<net::Answer> a = attempt(asked, nullptr, first);
  if (a && a->status == 401 && credentials_.can_refresh()) return attempt(asked, &first, second);
  return a;
}

Error KubeClient::refused(const std::string& doing, const net::Answer& a) const {
  constexpr size_t kLooked = 64 << 10;
  const std::string_view body = std::string_view(a.body).substr(0, kLooked);
  const Result<Json> status = parse_document(body);
  const std::string said = shown_text(status ? string_in(*status, "message") : body);
  std::string out = fmt::format("failed to {}: the cluster answered {}", doing, net::status_text(a.status));
  if (!said.empty()) out += fmt::format(" ({})", said);
  if (a.status == 401) out += ". Check the credentials of the user in the kubeconfig file, or the token";
  if (a.status == 403)
    out +=
        ". The user needs permission to get, list, create, update and delete secrets and leases "
        "(coordination.k8s.io) in the namespace";
  return Error{out};
}

Result<std::optional<Json>> KubeClient::get(ObjectKind kind, const std::string& name, net::Ending stop) {
  const std::string doing = "read the " + shown(kind, name);
  const Result<net::Answer> a = send({.method = "GET", .path = path(kind, name), .stop = stop});
  if (!a) return a.error();
  Result<Json> doc = parse_document(a->body);
  // Something else than a cluster says so, too.
  if (a->status == 404 && doc && string_in(*doc, "reason") == "NotFound") return std::optional<Json>();
  if (a->status != 200) return refused(doing, *a);
  if (!doc || name_of(*doc) != name) return odd(doing);
  return std::optional(std::move(*doc));
}

Result<bool> KubeClient::create(ObjectKind kind, const Json& object, net::Ending stop) {
  const Result<net::Answer> a = send({.method = "POST",
                                      .path = path(kind),
                                      .body = document_text(object),
                                      .stop = stop,
                                      .patient = kind == ObjectKind::Secret});
  if (!a) return a.error();
  if (a->status == 409) return false;
  if (a->status != 200 && a->status != 201) return refused("create the " + shown(kind, name_of(object)), *a);
  return true;
}

Result<bool> KubeClient::replace(ObjectKind kind, const Json& object, net::Ending stop) {
  const std::string name = name_of(object);
  const Result<net::Answer> a = send({.method = "PUT",
                                      .path = path(kind, name),
                                      .body = document_text(object),
                                      .stop = stop,
                                      .patient = kind == ObjectKind::Secret});
  if (!a) return a.error();
  if (a->status == 409 || a->status == 404) return false;
  if (a->status != 200 && a->status != 201) return refused("change the " + shown(kind, name), *a);
  return true;
}

Result<bool> KubeClient::put_secret(const std::string& name, const std::function<void(Json&)>& fill,
                                    const May& may) {
  for (int n = 0; n < 5; ++n) {
    Result<std::optional<Json>> there = get(ObjectKind::Secret, name);
    if (!there) return there.error();
    const bool exists = there->has_value();
    Json secret = exists ? std::move(**there) : Json::object();
    secret["apiVersion"] = "v1", secret["kind"] = "Secret";
    if (!secret["metadata"].is_object()) secret["metadata"] = Json::object();
    secret["metadata"]["name"] = name;
    fill(secret);
    const Result<bool> still = may ? may() : Result<bool>(true);
    if (!still || !*still) return still;
    const Result<bool> put =
        exists ? replace(ObjectKind::Secret, secret) : create(ObjectKind::Secret, secret);
    if (!put || *put) return put;
  }
  return Error{fmt::format("other programs keep changing the {}", shown(ObjectKind::Secret, name))};
}

Result<void> KubeClient::remove(ObjectKind kind, const std::string& name) {
  const Result<bool> gone = remove_version(kind, name, "");
  return gone ? Result<void>() : gone.error();
}

Result<bool> KubeClient::remove_version(ObjectKind kind, const std::string& name,
                                        const std::string& version) {
  Json options = {{"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"propagationPolicy", "Background"}};
  if (!version.empty()) options["preconditions"] = {{"resourceVersion", version}};
  const Result<net::Answer> a =
      send({.method = "DELETE", .path = path(kind, name), .body = document_text(options)});
  if (!a) return a.error();
  if (a->status == 409 && !version.empty()) return false;
  if (a->status != 200 && a->status != 202 && a->status != 404)
    return refused("delete the " + shown(kind, name), *a);
  return true;
}

Result<std::vector<Json>> KubeClient::list(const std::string& selector, bool bare, net::Ending stop) {
  const std::string doing = fmt::format("list the secrets of the namespace \"{}\"", settings_.name_space);
  const Result<net::Answer> a = send({.method = "GET",
                                      .path = path(ObjectKind::Secret),
                                      .query = "labelSelector=" + net::escape_path(selector),
                                      .stop = stop,
                                      .bare = bare});
  if (!a) return a.error();
  if (a->status != 200) return refused(doing, *a);
  Result<Json> doc = parse_document(a->body);
  const Json* items = doc ? list_in(*doc, "items") : nullptr;
  if (!items) return odd(doing);
  std::vector<Json> out;
  for (const Json& item : *items) {
    if (name_of(item).empty()) return odd(doing);
    out.push_back(item);
  }
  return out;
}

}  // namespace xplan::backend::kubernetes
