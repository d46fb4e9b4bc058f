// The token of single sign-on: as a login has left it in a file that is shared with other tools, and renewed.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

constexpr const char* kAdvice = "; run \"aws sso login\"";
constexpr int64_t kLongest = 365 * 24 * 3600;  // seconds that a token may last

// "": it has none that is good now.
std::string good_token(const Json& doc, int64_t now, const std::string& refused) {
  std::string token = string_in(doc, "accessToken");
  const auto end = parse_timestamp(string_in(doc, "expiresAt"));
  return token == refused || net::has_controls(token) || !end || *end <= now ? std::string() : token;
}

Result<Json> read_token(const std::string& path) {
  const Result<std::string> text = real_fs().read(path);
  if (!text) return Error{"there is no single sign-on token: " + text.error().message + kAdvice};
  Result<Json> doc = parse_document(*text);
  if (!doc)
    return Error{fmt::format("the single sign-on token in \"{}\" {}", path, doc.error().message) + kAdvice};
  return doc;
}

// What the service makes of it; what else is in the document stays, for the tools that put it there.
Result<Json> renewed(const AwsAsking& a, const SignOn& s, Json doc) {
  net::Request r;
  r.method = "POST";
  r.url = aws_endpoint(a.settings, "oidc", s.region, a.settings.sso_oidc_endpoint) + "/token";
  r.failure = "failed to reach the single sign-on service at";
  r.headers = {{"Content-Type", "application/json"}};
  r.body = Json{{"clientId", string_in(doc, "clientId")},
                {"clientSecret", string_in(doc, "clientSecret")},
                {"grantType", "refresh_token"},
                {"refreshToken", string_in(doc, "refreshToken")}}
               .dump();
  r.stop = a.stop;
  r.limits.body = 1 << 20;
  const Result<net::Answer> answer = a.client.send_plain(r);
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{"the single sign-on service answered " + describe_failure(*answer)};
  const Result<Json> made = parse_document(answer->body);
  const std::string token = made ? string_in(*made, "accessToken") : "";
  const Json* lasts = made ? member(*made, "expiresIn") : nullptr;
  const int64_t seconds = lasts && lasts->is_number_integer() ? lasts->get<int64_t>() : 0;
  if (token.empty() || net::has_controls(token) || seconds <= 0 || seconds > kLongest)
    return Error{"the response from the single sign-on service does not contain a token"};
  doc["accessToken"] = token;
  doc["expiresAt"] = timestamp(a.client.now() + seconds);
  if (const std::string next = string_in(*made, "refreshToken"); !next.empty()) doc["refreshToken"] = next;
  return doc;
}

// The token is good even where it cannot be kept.
void keep(const std::string& path, const Json& doc) {
  std::error_code ec;
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                               ec);
  if (const Result<void> kept = write_private(path, doc.dump()); !kept)
    log_line(LogLevel::Warn, "core", "the renewed single sign-on token: " + kept.error().message);
}

}  // namespace

Result<std::string> sign_on_token(const AwsAsking& a, const SignOn& s, const std::string& refused) {
  const std::string path = home_file(".aws/sso/cache/" + hex_encode(digest(Digest::Sha1, s.name)) + ".json");
  const Result<Json> doc = read_token(path);
  if (!doc) return doc.error();
  if (std::string token = good_token(*doc, a.client.now(), refused); !token.empty()) return token;
  const std::string ended = fmt::format("the single sign-on token in \"{}\" has expired", path);
  const bool renewable = s.session && !string_in(*doc, "refreshToken").empty() &&
                         !string_in(*doc, "clientId").empty() && !string_in(*doc, "clientSecret").empty();
  if (!renewable) return Error{ended + kAdvice};
  const Result<Json> made = renewed(a, s, *doc);
  if (made) {
    keep(path, *made);
    return string_in(*made, "accessToken");
  }
  if (stopped(a.stop)) return interrupted();
  // Another program may have been faster, and a refresh token is good once.
  const Result<Json> there = read_token(path);
  if (there && *there != *doc)
    if (std::string token = good_token(*there, a.client.now(), refused); !token.empty()) return token;
  return Error{fmt::format("{} and cannot be renewed: {}{}", ended, made.error().message, kAdvice)};
}

}  // namespace xplan::cloud
