// Asks a credentials helper for the token of a host.
#include "core/hosts/helper.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include "core/base/document.h"
#include "core/base/follow.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/net/url.h"

#include <nlohmann/json.hpp>

namespace xplan::hosts {
namespace {

constexpr size_t kOutput = 64 << 10;
constexpr int kMillis = 120'000;  // it may ask somebody

std::string program_of(const CredentialsHelper& helper) {
  const char* home = std::getenv("HOME");
  return join_path(home ? home : "", ".terraform.d/plugins/terraform-credentials-" + helper.name);
}

}  // namespace

Result<std::string> token_of_helper(const CredentialsHelper& helper, const std::string& host, Stop stop) {
  const std::string program = program_of(helper), what = "the credentials helper \"" + program + "\" ";
  Pipe out;
  if (!out.open()) return Error{what + "cannot be started"};
  SpawnRequest r;
  r.arguments = {program};
  r.arguments.insert(r.arguments.end(), helper.arguments.begin(), helper.arguments.end());
  r.arguments.insert(r.arguments.end(), {"get", host});
  r.environment = environment_with({});
  r.out = out.write;
  const Result<pid_t> child = spawn(r);
  out.close_write();
  if (!child) return Error{what + "cannot be started: " + child.error().message};
  std::string text;
  const bool cut = follow(*child, out.read, {stop, SIGTERM, 2000, kMillis}, [&](std::string_view piece) {
    if (text.size() <= kOutput) text += piece;
  });
  const int status = reap(*child, Rest::Killed);
  if (stopped(stop)) return interrupted();
  if (cut) return Error{what + "did not end within " + std::to_string(kMillis / 1000) + " seconds"};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{what + "failed"};
  const Result<Json> doc = parse_document(text);
  if (text.size() > kOutput || !doc)
    return Error{what + "did not print a JSON object such as {\"token\": \"…\"}"};
  std::string token = string_in(*doc, "token");
  if (net::has_controls(token)) return Error{what + "gave a token with control characters"};
  return token;
}

}  // namespace xplan::hosts
