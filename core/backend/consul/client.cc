// Requests to a Consul server, and what its answers say.
#include "core/backend/consul/client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/limits.h"
#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::backend::consul {
namespace {

constexpr long kSilence = 30, kBrief = 5;  // seconds

std::string escaped(std::string_view key) {
  std::string out;
  for (size_t at = 0; at <= key.size();) {
    const size_t end = std::min(key.find('/', at), key.size());
    out += net::escape_path(key.substr(at, end - at));
    if (end < key.size()) out += '/';
    at = end + 1;
  }
  return out;
}

uint64_t number_in(const Json& object, std::string_view name) {
  const Json* x = member(object, name);
  return x && x->is_number_unsigned() ? x->get<uint64_t>() : 0;
}

// An answer that is not what the API promises.
Error odd(const std::string& doing) {
  return Error{fmt::format(
      "failed to {}: the response is not one of a Consul server; check the address of the server", doing)};
}

}  // namespace

ConsulClient::ConsulClient(ConsulSettings settings, Stop stop)
    : settings_(std::move(settings)), stop_(stop), client_(settings_.client) {}

std::string ConsulClient::shown(const std::string& key) const {
  return net::shown_address(settings_.url) + "/v1/kv/" + key;
}

Result<net::Answer> ConsulClient::send(const Asked& asked) {
  net::Request r;
  r.method = asked.method;
  r.url = settings_.url + "/v1/" + asked.path;
  std::string query = asked.query;
  for (const auto& [name, value] : {std::pair("dc", &settings_.datacenter),
                                    {"ns", &settings_.name_space},
                                    {"partition", &settings_.partition}})
    if (!value->empty()) query += (query.empty() ? "" : "&") + (name + ("=" + net::escape_path(*value)));
  if (!query.empty()) r.url += "?" + query;
  if (!settings_.token.empty()) r.headers = {{"X-Consul-Token", settings_.token}};
  r.user = settings_.user, r.password = settings_.password;
  r.body = asked.body;
  r.follow = false;  // the token would go along
  r.path_as_is = true;
  r.failure = "failed to reach the Consul server at";
  r.limits.silence = kSilence;
  r.limits.body = uint64_t{1} << 30;
  r.limits.together = asked.left;
  if (asked.brief)
    r.limits.connect = r.limits.whole = kBrief;
  else
    r.retry = settings_.retry;
  if (asked.patient) r.patience = kWritePatience;
  r.stop = asked.stop;
  return client_.send(r);
}

Error ConsulClient::refused(const std::string& doing, const net::Answer& a) const {
  std::string out = fmt::format("failed to {}: the server answered {}", doing, net::status_text(a.status));
  if (const std::string said = shown_text(a.body); !said.empty()) out += fmt::format(" ({})", said);
  if (a.status == 401) out += ". Set \"http_auth\" to a user name and a password that the server accepts";
  if (a.status == 403)
    out += settings_.token.empty()
               ? ". Set \"access_token\" or the environment variable CONSUL_HTTP_TOKEN to a token with "
                 "permission for that"
               : ". Check the token: it needs write permission for the keys that begin with the path, and "
                 "for sessions";
  return Error{out};
}

Result<std::optional<Entry>> ConsulClient::get(const std::string& key, net::Ending stop, bool consistent) {
  const std::string doing = fmt::format("read \"{}\"", shown(key));
  const Result<net::Answer> a = send({.method = "GET",
                                      .path = "kv/" + escaped(key),
                                      .query = consistent ? "consistent=" : "",
                                      .stop = stop});
  if (!a) return a.error();
  // Of a key that is not there the body is empty; of a server that is none it is not.
  if (a->status == 404 && a->body.empty()) return std::optional<Entry>();
  if (a->status != 200) return refused(doing, *a);
  const Result<Json> list = parse_list_document(a->body);
  if (!list || list->size() != 1 || string_in((*list)[0], "Key") != key) return odd(doing);
  const Json& found = (*list)[0];
  Entry out{.value = {}, .session = string_in(found, "Session"), .index = number_in(found, "ModifyIndex")};
  if (out.index == 0 || !base64_decode(string_in(found, "Value"), out.value)) return odd(doing);
  return std::optional(std::move(out));
}

Result<std::optional<std::string>> ConsulClient::get_value(const std::string& key, net::Ending stop,
                                                           std::atomic<int64_t>* left) {
  Result<net::Answer> a =
      send({.method = "GET", .path = "kv/" + escaped(key), .query = "raw=", .stop = stop, .left = left});
  if (!a) return a.error();
  if (a->status == 404 && a->body.empty()) return std::optional<std::string>();
  if (a->status != 200) return refused(fmt::format("read \"{}\"", shown(key)), *a);
  return std::optional(std::move(a->body));
}

Result<bool> ConsulClient::put(const std::string& key, std::string_view bytes, const std::string& how,
                               net::Ending stop) {
  const std::string doing = fmt::format("write \"{}\"", shown(key));
  const Result<net::Answer> a = send({.method = "PUT",
                                      .path = "kv/" + escaped(key),
                                      .query = how,
                                      .body = std::string(bytes),
                                      .stop = stop,
                                      .patient = how.empty()});
  if (!a) return a.error();
  if (a->status != 200) return refused(doing, *a);
  if (!a->body.starts_with("true") && !a->body.starts_with("false")) return odd(doing);
  return a->body.starts_with("true");
}

Result<bool> ConsulClient::remove(const std::string& key, const std::string& how, net::Ending stop) {
  const std::string doing = fmt::format("delete \"{}\"", shown(key));
  const Result<net::Answer> a =
      send({.method = "DELETE", .path = "kv/" + escaped(key), .query = how, .stop = stop});
  if (!a) return a.error();
  if (a->status != 200) return refused(doing, *a);
  return a->body.starts_with("true");
}

Result<std::vector<std::string>> ConsulClient::keys(const std::string& prefix, net::Ending stop) {
  const std::string doing = fmt::format("list the keys that begin with \"{}\"", shown(prefix));
  const Result<net::Answer> a =
      send({.method = "GET", .path = "kv/" + escaped(prefix), .query = "keys=&separator=%2F", .stop = stop});
  if (!a) return a.error();
  std::vector<std::string> out;
  if (a->status == 404 && a->body.empty()) return out;
  if (a->status != 200) return refused(doing, *a);
  const Result<Json> list = parse_list_document(a->body);
  if (!list) return odd(doing);
  for (const Json& key : *list) {
    if (!key.is_string()) return odd(doing);
    out.push_back(key.get<std::string>());
  }
  return out;
}

Result<ConsulClient::Stored> ConsulClient::store(const std::string& key, std::string_view bytes,
                                                 uint64_t index) {
  const std::string doing = fmt::format("write \"{}\"", shown(key));
  const Json op = {{"Verb", "cas"}, {"Key", key}, {"Value", base64_encode(bytes)}, {"Index", index}};
  const Result<net::Answer> a =
      send({.method = "PUT",
            .path = "txn",
            .body = Json::array({{{"KV", op}}}).dump(-1, ' ', false, Json::error_handler_t::replace),
            .patient = true});
  if (!a) return a.error();
  if (a->status == 413) return Stored{Stored::End::TooLarge, 0};
  if (a->status == 409) return after_conflict(key, bytes);
  if (a->status != 200) return refused(doing, *a);
  const Result<Json> doc = parse_document(a->body);
  const Json* results = doc ? list_in(*doc, "Results") : nullptr;
  const Json* kv = results && results->size() == 1 ? object_in((*results)[0], "KV") : nullptr;
  const uint64_t now = kv ? number_in(*kv, "ModifyIndex") : 0;
  if (now == 0) return odd(doing);
  return Stored{Stored::End::Done, now};
}

// It may have been us: an attempt before the last one, whose answer was lost.
Result<ConsulClient::Stored> ConsulClient::after_conflict(const std::string& key, std::string_view bytes) {
  const Result<std::optional<Entry>> there = get(key);
  if (!there) return there.error();
  if (*there && (*there)->value == bytes) return Stored{Stored::End::Done, (*there)->index};
  return Stored{Stored::End::Conflict, 0};
}

// As the reference tools make it: 15 seconds without a word, then five until another one can have the lock.
Result<std::string> ConsulClient::create_session(net::Ending stop) {
  const std::string doing = "create a session for the lock";
  const Result<net::Answer> a =
      send({.method = "PUT",
            .path = "session/create",
            .body = R"({"LockDelay":"5000ms","Name":"Consul API Lock","TTL":"15s"})",
            .stop = stop});
  if (!a) return a.error();
  if (a->status != 200) return refused(doing, *a);
  const Result<Json> doc = parse_document(a->body);
  std::string id = doc ? string_in(*doc, "ID") : "";
  if (id.empty()) return odd(doing);
  return id;
}

Result<bool> ConsulClient::renew_session(const std::string& id, net::Ending stop) {
  const Result<net::Answer> a = send({.method = "PUT",
                                      .path = "session/renew/" + net::escape_path(id),
                                      .body = "",
                                      .stop = stop,
                                      .brief = true});
  if (!a) return a.error();
  if (a->status == 404) return false;
  if (a->status != 200) return refused("renew the session of the lock", *a);
  return true;
}

Result<void> ConsulClient::destroy_session(const std::string& id, net::Ending stop) {
  const Result<net::Answer> a =
      send({.method = "PUT", .path = "session/destroy/" + net::escape_path(id), .body = "", .stop = stop});
  if (!a) return a.error();
  if (a->status != 200) return refused("end the session of the lock", *a);
  return {};
}

}  // namespace xplan::backend::consul
