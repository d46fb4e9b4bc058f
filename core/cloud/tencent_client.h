// TencentClient: signed requests to Tencent Cloud, with the keys of whoever asks.
//
// Who calls it: the backend cos.
// Contract: keys are those of the settings, or those of a role that is assumed with them, or those of the
// machine's role; the latter are fetched again when less than five minutes of them are left, and used to
// their end where that fails; `stop` ends the first search alone. Tried again,
// with back-off: what fails on its way, 429, and answers from 500 on but 501. Errors are phrases, without
// keys. What is tried again may have been done before: callers ask for things that may be done twice, or look
// afterwards. Cost: one request, if all is well.  Thread-safety: any thread.
#pragma once
#include <optional>
#include <string>

#include "core/base/document.h"
#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/cloud/renewed.h"
#include "core/cloud/tencent_signature.h"

namespace xplan::cloud {

struct TencentRole {
  std::string arn, session_name, policy, external_id;
  int64_t seconds = 7200;
};

struct TencentSettings {
  TencentKeys keys;
  std::string machine_role;  // of the machine, where there are no keys
  std::optional<TencentRole> role;
  std::string region, domain = "tencentcloudapi.com";
};

// An answer of a service: what it says, or the code and message of why it does not.
struct TencentReply {
  std::string refused, text;
  bool repeated = false;  // an earlier attempt may have been carried out
};

class TencentClient {
 public:
  TencentClient(TencentSettings settings, Stop stop)
      : settings_(std::move(settings)), stop_(stop), kept_(300) {}
  Result<net::Answer> send(const CosCall& call, const net::Limits& limits, net::Ending stop);
  Result<TencentReply> ask(const std::string& service, const char* version, const char* action,
                           const std::string& body, net::Ending stop);

 private:
  Result<TencentKeys> keys();
  Result<TencentKeys> find(Stop stop);
  Result<TencentKeys> keys_of_machine(Stop stop);
  Result<TencentKeys> assume(const TencentRole& role, const TencentKeys& by, Stop stop);
  Result<net::Answer> send(net::Request r, net::Ending stop);
  Result<TencentReply> ask_as(const TencentKeys& keys, TencentCall call, net::Ending stop,
                              std::string* whole);

  const TencentSettings settings_;
  const Stop stop_;
  net::Client client_;
  Renewed<TencentKeys> kept_;
};

}  // namespace xplan::cloud
