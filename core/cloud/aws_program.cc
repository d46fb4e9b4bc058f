// Keys that a program prints (credential_process), and the JSON form that they share with the services.
#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>

#include "core/base/document.h"
#include "core/base/follow.h"
#include "core/base/spawn.h"
#include "core/cloud/aside.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"

#include <nlohmann/json.hpp>

namespace xplan::cloud {
namespace {

constexpr size_t kOutput = 64 << 10;

}  // namespace

Result<AwsKeys> keys_in(const std::string& json, const char* token_name) {
  const Result<Json> doc = parse_document(json);
  if (!doc) return Error{doc.error().message};
  AwsKeys out{string_in(*doc, "AccessKeyId"), string_in(*doc, "SecretAccessKey"),
              string_in(*doc, token_name)};
  if (out.access_key.empty() || out.secret_key.empty()) return Error{"does not contain credentials"};
  const std::string end = string_in(*doc, "Expiration");
  if (end.empty()) return out;
  const auto at = parse_timestamp(end);
  if (!at) return Error{"has an Expiration that is not a time"};
  out.expires = *at;
  return out;
}

Result<AwsKeys> keys_of_program(const AwsAsking& a, const std::string& command) {
  const std::string what = "the credential_process of the AWS profile ";
  Pipe out;
  Aside aside;
  if (!out.open() || !aside.begin()) return Error{what + "cannot be started"};
  SpawnRequest r;
  r.arguments = {"/bin/sh", "-c", command};
  r.environment = environment_with({});
  r.out = out.write, r.err = aside.end();
  const Result<pid_t> child = spawn(r);
  out.close_write(), aside.close_end();
  if (!child) return Error{what + "cannot be started: " + child.error().message};
  std::string text;
  const bool cut =
      follow(*child, out.read, {a.stop, SIGTERM, 2000, a.program_millis}, [&](std::string_view piece) {
        if (text.size() <= kOutput) text += piece;
      });
  const int status = reap(*child, Rest::Killed);
  if (stopped(a.stop)) return interrupted();
  if (cut) return Error{fmt::format("{}did not end within {} seconds", what, a.program_millis / 1000)};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{what + "failed"};
  const Result<Json> doc = parse_document(text);
  const Json* version = doc ? member(*doc, "Version") : nullptr;
  if (text.size() > kOutput || !version || !version->is_number_integer() || version->get<int64_t>() != 1)
    return Error{what + "printed something other than version 1 credentials"};
  Result<AwsKeys> keys = keys_in(text, "SessionToken");
  if (!keys) return Error{what + "printed something that " + keys.error().message};
  return keys;
}

}  // namespace xplan::cloud
