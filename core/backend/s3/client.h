// S3Client: objects of a bucket and items of a DynamoDB table, as the backend "s3" uses them.
//
// Who calls it: place.cc, locks.cc and server.cc.
// Contract: an error is a phrase that names the object. The first request finds out, once, whether the
// credentials are valid and belong to an account that the settings allow. A put with a condition is atomic
// where the server compares, as AWS does; see put() for the others. What `stop` is given to ends when it is
// set; the rest (whatever ends a run: the last write, the release of locks) does not.  Cost: one request
// each, but for put(). Thread-safety: any thread.
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/s3/settings.h"
#include "core/base/document.h"

namespace xplan::backend::s3 {

struct S3Object {
  std::string bytes, etag;
};

// What must be there for a put: anything; nothing; the object with this ETag.
struct S3Condition {
  enum class Kind : uint8_t { Any, Absent, Match } kind = Kind::Any;
  std::string etag;
};

struct S3Put {
  bool conflict = false;
  std::string etag;
};

class S3Client {
 public:
  S3Client(S3Settings settings, Stop stop);
  const S3Settings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& key) const { return "s3://" + settings_.bucket + "/" + key; }

  Result<std::optional<S3Object>> get(const std::string& key, net::Ending stop = nullptr,
                                      std::atomic<int64_t>* left = nullptr, Arrival* arrival = nullptr);
  // `tags`: of the object, as a query has them; "" for none.
  Result<S3Put> put(const std::string& key, std::string_view bytes, const S3Condition& condition = {},
                    const std::string& tags = {}, net::Ending stop = nullptr);
  // What is there now, if it is not what the condition asks for: a conflict.
  Result<std::optional<S3Put>> look(const std::string& key, const S3Condition& condition, net::Ending stop);
  // `etag`: only that, where the server compares; some others do not look at it. `unsure`: then it is sent
  // once, and on an error this says whether it may have been carried out all the same.
  Result<void> remove(const std::string& key, const std::string& etag = {}, bool* unsure = nullptr,
                      net::Ending stop = nullptr);
  // Fine if they are not there. Cost: a request for every thousand, and one for each that is left then.
  Result<void> remove_all(const std::vector<std::string>& keys);
  Result<std::vector<std::string>> list(const std::string& prefix,
                                        net::Ending stop = nullptr);  // keys, in order

  // Of the table; the answer's text. An error of the service has its code at hand.
  struct TableAnswer {
    std::string refused;  // the code, where the service refuses
    std::string text;     // the answer, or the whole problem
  };
  Result<TableAnswer> table(const char* action, const std::string& body, const std::string& item,
                            net::Ending stop = nullptr);

 private:
  // How the server takes conditions, as far as that is known: each form is tried after the one before.
  enum class Form : uint8_t { Quoted, Bare, None };
  Result<net::Answer> send(net::Request r, const std::string& service, net::Ending stop);
  bool checked();  // the account, or it need not be
  Result<void> check_account(Stop stop);
  net::Request request(const char* method, const std::string& key) const;
  std::string bucket_url() const;
  void add_encryption(net::Request& r, bool writes) const;
  Error refused(const std::string& what, const std::string& shown, const net::Answer& a) const;
  static void add_condition(net::Request& r, const S3Condition& condition, Form form);
  Result<bool> is_there(const std::string& key, std::string_view bytes, std::string& etag, net::Ending stop);

  const S3Settings settings_;
  const Stop stop_;
  cloud::AwsClient client_;
  cloud::AwsCredentials credentials_;
  std::mutex mutex_;
  bool checked_ = false;  // the account
  std::atomic<Form> form_{Form::Quoted};
};

}  // namespace xplan::backend::s3
