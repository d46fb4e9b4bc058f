// Requests: whom they come from, their URLs and what all of them have; items of the table.
#include "core/backend/s3/client.h"

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/shown_text.h"
#include "core/base/threads.h"
#include "core/cloud/aws_account.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_bucket.h"

namespace xplan::backend::s3 {

S3Client::S3Client(S3Settings settings, Stop stop)
    : settings_(std::move(settings)),
      stop_(stop),
      client_(settings_.client, settings_.retries),
      credentials_(settings_.aws, client_, stop) {}

std::string S3Client::bucket_url() const {
  const S3Settings& s = settings_;
  const std::string base = cloud::aws_endpoint(s.aws, "s3", s.region, s.s3_endpoint);
  return cloud::bucket_url(base, s.bucket, s.path_style);
}

net::Request S3Client::request(const char* method, const std::string& key) const {
  net::Request r;
  r.method = method;
  r.url = bucket_url() + (key.empty() ? "" : "/" + cloud::aws_escape(key, true));
  r.compressed = false;
  r.limits.body = uint64_t{1} << 30;
  return r;
}

Result<net::Answer> S3Client::send(net::Request r, const std::string& service, net::Ending stop) {
  const bool any_account = settings_.allowed_accounts.empty() && settings_.forbidden_accounts.empty();
  const bool only_reads = r.method == "GET" || r.method == "HEAD";
  r.stop = stop;
  const auto sent = [&] {
    return client_.send(r, {settings_.region, service},
                        [this](const std::string& refused) { return credentials_.keys(refused); });
  };
  if (!any_account || !only_reads || checked()) {
    const Result<void> fine = check_account(stop.stop);
    return fine ? sent() : fine.error();
  }
  Result<void> fine;
  Result<net::Answer> a = net::Answer();
  run_concurrently(
      2, [&](size_t part) { part == 0 ? void(a = sent()) : void(fine = check_account(stop.stop)); });
  return fine ? std::move(a) : fine.error();
}

bool S3Client::checked() {
  std::lock_guard lock(mutex_);
  return checked_ || !settings_.ask_account;
}

Result<void> S3Client::check_account(Stop stop) {
  std::lock_guard lock(mutex_);
  if (checked_ || !settings_.ask_account) return {};
  const Result<void> ok =
      cloud::check_account(client_, credentials_, settings_.region, settings_.allowed_accounts,
                           settings_.forbidden_accounts, stop, true);
  if (!ok) return stopped(stop) ? interrupted() : ok.error();
  checked_ = true;
  return {};
}

void S3Client::add_encryption(net::Request& r, bool writes) const {
  const S3Settings& s = settings_;
  if (!s.encrypt) return;
  const std::string name = "X-Amz-Server-Side-Encryption";
  if (!s.customer_key.empty()) {
    r.headers.emplace_back(name + "-Customer-Algorithm", "AES256");
    r.headers.emplace_back(name + "-Customer-Key", base64_encode(s.customer_key));
    r.headers.emplace_back(name + "-Customer-Key-Md5", base64_encode(digest(Digest::Md5, s.customer_key)));
  } else if (writes) {
    r.headers.emplace_back(name, s.kms_key.empty() ? "AES256" : "aws:kms");
    if (!s.kms_key.empty()) r.headers.emplace_back(name + "-Aws-Kms-Key-Id", s.kms_key);
  }
}

Error S3Client::refused(const std::string& what, const std::string& shown, const net::Answer& a) const {
  const std::string code = cloud::failure_of(a).code;
  if (code == "NoSuchBucket")
    return Error{fmt::format(
        "the S3 bucket \"{}\" does not exist; create it first, or correct the argument \"bucket\"",
        settings_.bucket)};
  std::string help;
  if (code == "AccessDenied")
    help = "; the credentials need permission for that, and to list the objects of the bucket";
  return Error{fmt::format("failed to {} \"{}\": the server answered {}{}", what, shown_text(shown),
                           cloud::describe_failure(a), help)};
}

Result<S3Client::TableAnswer> S3Client::table(const char* action, const std::string& body,
                                              const std::string& item, net::Ending stop) {
  net::Request r;
  r.method = "POST";
  r.url = cloud::aws_endpoint(settings_.aws, "dynamodb", settings_.region, settings_.dynamodb_endpoint) + "/";
  r.headers = {{"Content-Type", "application/x-amz-json-1.0"},
               {"X-Amz-Target", std::string("DynamoDB_20120810.") + action}};
  r.body = body;
  r.limits.body = 4 << 20;
  const std::string what =
      fmt::format("failed to access the item \"{}\" of the DynamoDB table \"{}\" ({}): ", shown_text(item),
                  settings_.table, action);
  const Result<net::Answer> a = send(std::move(r), "dynamodb", stop);
  if (!a) return stopped(stop) ? interrupted() : Error{what + a.error().message};
  if (a->status == 200) return TableAnswer{"", a->body};
  const std::string code = cloud::failure_of(*a).code;
  return TableAnswer{
      code.empty() ? "unknown" : code,
      what + "the server answered " + cloud::describe_failure(*a) +
          (code == "ResourceNotFoundException" ? "; create the table first, with the string key LockID"
                                               : "")};
}

}  // namespace xplan::backend::s3
