// Calls a credentials helper.
#include "core/hosts/helper.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include "core/base/document.h"
#include "core/base/follow.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/base/write_all.h"
#include "core/cloud/aside.h"
#include "core/net/url.h"

#include <nlohmann/json.hpp>

namespace xplan::hosts {
namespace {

constexpr size_t kOutput = 64 << 10, kPipe = 64 << 10;
constexpr int kMillis = 120'000;  // it may ask somebody

std::string program_of(const CredentialsHelper& helper) {
  const char* home = std::getenv("HOME");
  return join_path(home ? home : "", ".terraform.d/plugins/terraform-credentials-" + helper.name);
}

// What it has printed.
Result<std::string> call(const CredentialsHelper& helper, const char* verb, const std::string& host,
                         const std::string& input, Stop stop) {
  const std::string program = program_of(helper), what = "the credentials helper \"" + program + "\" ";
  std::vector<std::string> arguments{program};
  arguments.insert(arguments.end(), helper.arguments.begin(), helper.arguments.end());
  arguments.insert(arguments.end(), {verb, host});
  Result<HelperSaid> said = ask_credentials_program(arguments, input, what, stop);
  if (!said) return said.error();
  if (said->code != 0) return Error{what + "failed"};
  return std::move(said->text);
}

}  // namespace

Result<HelperSaid> ask_credentials_program(const std::vector<std::string>& arguments,
                                           const std::string& input, const std::string& what, Stop stop) {
  Pipe in, out;
  cloud::Aside aside;
  if (!in.open() || !out.open() || !aside.begin()) return Error{what + "cannot be started"};
  SpawnRequest r;
  r.arguments = arguments;
  r.environment = environment_with({});
  r.in = in.read;
  r.out = out.write, r.err = aside.end();
  const Result<pid_t> child = spawn(r);
  in.close_read(), out.close_write(), aside.close_end();
  if (!child) return Error{what + "cannot be started: " + child.error().message};
  // One token: it fits into the pipe, so that nobody waits for a program that does not read.
  const bool given = input.size() <= kPipe && write_all(in.write, input) == 0;
  in.close_write();
  HelperSaid said;
  const bool cut = follow(*child, out.read, {stop, SIGTERM, 2000, kMillis}, [&](std::string_view piece) {
    if (said.text.size() <= kOutput) said.text += piece;
  });
  const int status = reap(*child, Rest::Killed);
  if (stopped(stop)) return interrupted();
  if (cut) return Error{what + "did not end within " + std::to_string(kMillis / 1000) + " seconds"};
  if (!WIFEXITED(status)) return Error{what + "failed"};
  said.code = WEXITSTATUS(status);
  if (said.code == 0 && !given) return Error{what + "did not read its input"};
  return said;
}

Result<std::string> token_of_helper(const CredentialsHelper& helper, const std::string& host, Stop stop) {
  const Result<std::string> text = call(helper, "get", host, "", stop);
  if (!text) return text.error();
  const std::string what = "the credentials helper \"" + program_of(helper) + "\" ";
  const Result<Json> doc = parse_document(*text);
  if (text->size() > kOutput || !doc)
    return Error{what + "did not print a JSON object such as {\"token\": \"…\"}"};
  std::string token = string_in(*doc, "token");
  if (net::has_controls(token)) return Error{what + "returned a token with control characters"};
  return token;
}

Result<void> store_in_helper(const CredentialsHelper& helper, const std::string& host,
                             const std::string& token, Stop stop) {
  const Result<std::string> done = call(helper, "store", host, Json{{"token", token}}.dump(), stop);
  return done ? Result<void>() : done.error();
}

Result<void> forget_in_helper(const CredentialsHelper& helper, const std::string& host, Stop stop) {
  const Result<std::string> done = call(helper, "forget", host, "", stop);
  return done ? Result<void>() : done.error();
}

}  // namespace xplan::hosts
