// AlibabaClient: signed requests to Alibaba Cloud, with the keys of whoever asks.
//
// Who calls it: the backend oss.
// Contract: keys are those of the settings, or those of the machine's role, or those of a role that is
// assumed with either; what expires is fetched again when less than five minutes of it are left, and used to
// its end where that fails; `stop` ends the first search alone. Tried again, with back-off: what fails on its
// way, 429, and answers from 500 on but 501. Errors are phrases, without keys. What is tried again may have
// been done before: callers ask for things that may be done twice, or look afterwards. Cost: one request, if
// all is well.  Thread-safety: any thread.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/base/document.h"
#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/cloud/alibaba_signature.h"
#include "core/cloud/renewed.h"

namespace xplan::cloud {

struct AlibabaRole {
  std::string arn, session_name, policy;
  int64_t seconds = 3600;
};

struct AlibabaSettings {
  AlibabaKeys keys;
  std::string machine_role;  // of the machine, where there are no keys
  std::optional<AlibabaRole> role;
  std::string region, sts;                          // sts: a URL
  std::string metadata = "http://100.100.100.200";  // of the machine
};

class AlibabaClient {
 public:
  AlibabaClient(AlibabaSettings settings, Stop stop)
      : settings_(std::move(settings)), stop_(stop), kept_(300) {}
  Result<net::Answer> send(const OssCall& call, const net::Limits& limits, net::Ending stop);
  Result<net::Answer> send(const TableStoreCall& call, net::Ending stop);
  // The host of a service in the region, as the service for that tells; empty where it does not.
  std::string host_of(const std::string& service, net::Ending stop);

 private:
  static constexpr int kTries = 4;
  static bool passes(int status);
  Result<AlibabaKeys> keys();
  Result<AlibabaKeys> find(Stop stop);
  Result<AlibabaKeys> keys_of_machine(Stop stop);
  Result<AlibabaKeys> assume(const AlibabaRole& role, const AlibabaKeys& by, Stop stop);
  Result<net::Answer> ask(const RpcCall& call, const AlibabaKeys& keys, net::Ending stop, int tries = kTries);
  Result<net::Answer> send(net::Request r, net::Ending stop, bool conflicts = false);

  const AlibabaSettings settings_;
  const Stop stop_;
  net::Client client_;
  Renewed<AlibabaKeys> kept_;
};

}  // namespace xplan::cloud
