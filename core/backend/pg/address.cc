// Connection strings: what libpq knows, what the server is to know, and defaults.
#include "core/backend/pg/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>

#include "core/backend/pg/pq_api.h"
#include "core/cloud/signing.h"
#include "core/diag/diagnostic.h"
#include "core/net/url.h"
#include "core/state/lock.h"

namespace xplan::backend {
namespace {

struct FreeOptions {
  void operator()(PQconninfoOption* o) const { pq().PQconninfoFree(o); }
};
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

const std::set<std::string, std::less<>>& known_parameters() {
  static const std::set<std::string, std::less<>> names = [] {
    std::set<std::string, std::less<>> out = {"ssl"};  // in URLs, for sslmode
    const Options all(pq().PQconndefaults());
    for (const PQconninfoOption* o = all.get(); o && o->keyword; ++o) out.insert(o->keyword);
    return out;
  }();
  return names;
}

// What is nearly a name that libpq has is that one, mistyped, and not a setting of the server.
std::string_view near_known(std::string_view name) {
  std::vector<std::string_view> names;
  if (name.size() < 4) return {};
  for (const std::string& n : known_parameters())
    if (n[0] == name[0] && n.size() <= name.size() + 1 && name.size() <= n.size() + 1) names.push_back(n);
  return did_you_mean(name, names);
}

// A connection string without what libpq would refuse; that becomes options of the server's session.
struct Split {
  std::string known, options, typo;  // typo: a name that is nearly one of libpq's
  // True: leave it where it is.
  bool keep(std::string_view name, std::string_view value) {
    if (known_parameters().contains(name)) return true;
    if (name == "binary_parameters" || name == "disable_prepared_binary_result") return false;
    if (!near_known(name).empty()) typo = name;
    options += fmt::format("{}-c {}=", options.empty() ? "" : " ", name);
    for (const char c : value) {
      if (c == ' ' || c == '\\') options += '\\';
      options += c;
    }
    return false;
  }
};

// The user and password end at the last "@" before the path, as for the driver of the reference tools; for
// libpq, at the first one: it would take what follows for the host, and tell it.
std::string with_escaped_user(std::string_view url) {
  const size_t from = url.find("://") + 3;
  const size_t at = url.substr(0, url.find('/', from)).rfind('@');
  if (at == url.npos || at < from) return std::string(url);
  std::string out(url.substr(0, from));
  for (const char c : url.substr(from, at - from)) out += c == '@' ? "%40" : std::string(1, c);
  return out.append(url.substr(at));
}

Split split_url(std::string_view url) {
  const size_t question = std::min(url.find('?'), url.size());
  Split out{with_escaped_user(url.substr(0, question)), {}, {}};
  char separator = '?';
  for (size_t at = question + 1; at < url.size();) {
    const size_t end = std::min(url.find('&', at), url.size());
    const std::string_view one = url.substr(at, end - at);
    const size_t equals = one.find('=');
    if (equals == one.npos ||
        out.keep(cloud::uri_unescape(one.substr(0, equals)), cloud::uri_unescape(one.substr(equals + 1)))) {
      out.known.append(1, separator).append(one);
      separator = '&';
    }
    at = end + 1;
  }
  return out;
}

// NAME = VALUE …; values may be in single quotes, with backslashes before what they shall not mean. Whatever
// does not look like that is left for libpq to complain of.
Split split_pairs(const std::string& text) {
  Split out;
  auto space = [&](size_t& at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  };
  for (size_t at = 0; space(at), at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && text[at] != '=' && !std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    const std::string name = text.substr(begin, at - begin);
    space(at);
    if (at >= text.size() || text[at] != '=') return {text, {}, {}};
    space(++at);
    const bool quoted = at < text.size() && text[at] == '\'';
    std::string value;
    for (at += quoted; at < text.size(); ++at) {
      if (quoted ? text[at] == '\'' : std::isspace(static_cast<unsigned char>(text[at])) != 0) break;
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      value += text[at];
    }
    if (quoted && at++ >= text.size()) return {text, {}, {}};
    if (out.keep(name, value)) out.known += text.substr(begin, at - begin) + " ";
  }
  return out;
}

bool in_environment(std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [](const char* n) {
    const char* value = std::getenv(n);
    return value && *value;
  });
}
std::string environment_or(const char* name, const std::string& otherwise) {
  return in_environment({name}) ? std::getenv(name) : otherwise;
}

class Parameters {
 public:
  explicit Parameters(PgAddress& to) : all_(to.parameters) {}
  std::string get(std::string_view name) const {
    for (const auto& [n, value] : all_)
      if (n == name) return value;
    return {};
  }
  void otherwise(const char* name, std::string value) {
    if (get(name).empty()) all_.emplace_back(name, std::move(value));
  }

 private:
  std::vector<std::pair<std::string, std::string>>& all_;
};

// Also the name of the database that libpq takes where nothing names one.
std::string default_user() {
  const Options all(pq().PQconndefaults());
  for (const PQconninfoOption* o = all.get(); o && o->keyword; ++o)
    if (o->keyword == std::string_view("user") && o->val) return o->val;
  return {};
}

// Dead connections are noticed within a minute, not after hours.
void fill_in(PgAddress& out) {
  Parameters p(out);
  const bool service = !p.get("service").empty() || in_environment({"PGSERVICE"});
  const bool has_host =
      !p.get("host").empty() || !p.get("hostaddr").empty() || in_environment({"PGHOST", "PGHOSTADDR"});
  if (!service && !has_host) p.otherwise("host", "localhost");
  if (!service && !in_environment({"PGSSLMODE"})) p.otherwise("sslmode", "require");
  p.otherwise("fallback_application_name", kPgApplication + new_lock_info("", "").who);
  p.otherwise("client_encoding", "UTF8");
  p.otherwise("keepalives_idle", "30");
  p.otherwise("keepalives_interval", "10");
  p.otherwise("keepalives_count", "3");
  p.otherwise("tcp_user_timeout", "60000");
  const std::string user = p.get("user").empty() ? default_user() : p.get("user");
  const std::string database = p.get("dbname").empty() ? environment_or("PGDATABASE", user) : p.get("dbname");
  const std::string host =
      p.get("host").empty() ? environment_or("PGHOST", p.get("hostaddr")) : p.get("host");
  const std::string port = p.get("port").empty() ? environment_or("PGPORT", "5432") : p.get("port");
  const std::string place = host.starts_with('/') ? net::escape_path(host) : host;  // a directory of sockets
  out.shown = service ? fmt::format("postgres://{}/{}", p.get("service"), database)
                      : fmt::format("postgres://{}:{}/{}", place, port, database);
  const std::string seconds =
      p.get("connect_timeout").empty() ? environment_or("PGCONNECT_TIMEOUT", "") : p.get("connect_timeout");
  if (const long n = std::atol(seconds.c_str()); n > 0) out.seconds = n;
}

}  // namespace

const Pq& pq() {
  static const Pq p;
  return p;
}

Result<PgAddress> parse_pg_address(const std::string& conn_str) {
  if (!pq_missing().empty())
    return Error{"PostgreSQL cannot be reached from this system, because " + pq_missing() +
                 " (libpq) is not available"};
  const bool url = conn_str.starts_with("postgres://") || conn_str.starts_with("postgresql://");
  const Split split = url ? split_url(conn_str) : split_pairs(conn_str);
  if (!split.typo.empty())
    return Error{
        fmt::format("the argument \"conn_str\" has the unknown keyword \"{}\" (did you mean \"{}\"?)",
                    split.typo, near_known(split.typo))};
  char* problem = nullptr;  // it has a copy of what it does not understand, which may be a password
  const Options parsed(pq().PQconninfoParse(split.known.c_str(), &problem));
  if (problem) pq().PQfreemem(problem);
  if (!parsed)
    return Error{
        "the argument \"conn_str\" is not a valid connection string. Write "
        "postgres://USER:PASSWORD@HOST:PORT/DATABASE "
        "or host=HOST dbname=DATABASE, for example, with special characters in the former as %XX"};
  PgAddress out;
  for (const PQconninfoOption* o = parsed.get(); o->keyword; ++o)
    if (o->val && *o->val) out.parameters.emplace_back(o->keyword, o->val);
  if (!split.options.empty()) {
    const auto options = std::find_if(out.parameters.begin(), out.parameters.end(),
                                      [](const auto& p) { return p.first == "options"; });
    if (options == out.parameters.end())
      out.parameters.emplace_back("options", split.options);
    else
      options->second += " " + split.options;
  }
  fill_in(out);
  return out;
}

}  // namespace xplan::backend
