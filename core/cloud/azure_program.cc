// Tokens from the Azure CLI, for whoever is logged in with it.
#include <sys/wait.h>

#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/follow.h"
#include "core/base/shown_text.h"
#include "core/base/spawn.h"
#include "core/base/text.h"
#include "core/cloud/azure_sources.h"

namespace xplan::cloud {
namespace {

constexpr size_t kPrinted = 256 << 10;
constexpr int kProgramMillis = 120'000;

// What it prints as JSON. Warnings may stand around that.
Result<Json> ask_program(std::vector<std::string> arguments, Stop stop) {
  const std::string what = "the Azure CLI (az) ";
  Pipe out;
  if (!out.open()) return Error{what + "cannot be started"};
  SpawnRequest r;
  r.arguments = std::move(arguments);
  r.environment = environment_with({});
  r.out = r.err = out.write;
  const Result<pid_t> child = spawn(r);
  out.close_write();
  if (!child)
    return Error{
        what + "cannot be started: " + child.error().message +
        "; install it and log in with \"az login\", or set other credentials, such as access_key or the "
        "environment variable ARM_ACCESS_KEY"};
  std::string text;
  const bool cut =
      follow(*child, out.read, {stop, SIGTERM, 2000, kProgramMillis}, [&](std::string_view piece) {
        if (text.size() <= kPrinted) text += piece;
      });
  const int status = reap(*child, Rest::Killed);
  if (stopped(stop)) return interrupted();
  if (cut) return Error{what + "did not end within " + std::to_string(kProgramMillis / 1000) + " seconds"};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Error{what + "failed; log in with \"az login\", or set other credentials. Its output: " +
                 shown_text(trimmed(text))};
  const size_t from = text.find('{'), to = text.rfind('}');
  if (text.size() > kPrinted || from == text.npos || to == text.npos || to < from)
    return Error{what + "printed something other than JSON"};
  Result<Json> doc = parse_document(std::string_view(text).substr(from, to - from + 1));
  if (!doc) return Error{what + "printed something that " + doc.error().message};
  return doc;
}

// Older programs tell only the local time: 2026-01-02 03:04:05.678901.
int64_t end_of_token(const Json& doc) {
  const Json* on = member(doc, "expires_on");
  if (on && on->is_number_integer()) return on->get<int64_t>();
  std::tm t{};
  if (!::strptime(string_in(doc, "expiresOn").c_str(), "%Y-%m-%d %H:%M:%S", &t)) return 0;
  t.tm_isdst = -1;
  return static_cast<int64_t>(std::mktime(&t));
}

}  // namespace

Result<AzureToken> token_of_program(const AzureAsking& a, const std::string& resource) {
  std::vector<std::string> arguments = {"az", "account", "get-access-token", "--scope",
                                        resource + "/.default"};
  if (!a.identity.tenant.empty()) arguments.insert(arguments.end(), {"--tenant", a.identity.tenant});
  arguments.emplace_back("-o=json");
  const Result<Json> doc = ask_program(std::move(arguments), a.stop);
  if (!doc) return doc.error();
  AzureToken out{string_in(*doc, "accessToken"), end_of_token(*doc)};
  if (out.text.empty()) return Error{"the Azure CLI (az) printed something other than a token"};
  if (out.expires <= 0) out.expires = a.client.now() + 300;
  return out;
}

Result<std::string> subscription_of_program(Stop stop) {
  const Result<Json> doc = ask_program({"az", "account", "show", "-o=json"}, stop);
  if (!doc) return doc.error();
  std::string id = string_in(*doc, "id");
  if (id.empty()) return Error{"the Azure CLI (az) does not say which subscription it uses"};
  return id;
}

}  // namespace xplan::cloud
