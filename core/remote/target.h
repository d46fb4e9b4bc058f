// Target: a machine to connect to over SSH, and as whom; and how long somebody waits for it.
//
// Used by: core/apply makes one of a connection block; this folder connects to it.
// Contract: texts are as given, keys as their content. Cost: copies of texts; those with secrets are wiped.
// Thread-safety: immutable while connected.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/secret.h"
#include "core/base/stop.h"

namespace xplan::remote {

struct Login {
  std::string host;
  uint16_t port = 22;
  std::string user;
  Secret password, private_key;
  std::string certificate;
  std::string host_key;  // empty: any is accepted
  bool agent = false;    // the one that SSH_AUTH_SOCK names
  std::string agent_identity;
};
struct Proxy {
  bool socks = false;  // version 5; else HTTP
  std::string host;
  uint16_t port = 80;
  std::string user;  // "": none
  Secret password;
};
struct Target {
  Login login;
  std::optional<Login> bastion;  // the way to the target
  std::optional<Proxy> proxy;    // the way to the first of them
  std::chrono::milliseconds timeout{300'000};
  bool windows = false;
};

// How long to go on: until then, or until the run is to stop.
struct Patience {
  Stop stop;
  std::chrono::steady_clock::time_point until;
  bool over() const { return stopped(stop) || std::chrono::steady_clock::now() >= until; }
  std::chrono::milliseconds left() const {
    const auto now = std::chrono::steady_clock::now();
    return now < until ? std::chrono::duration_cast<std::chrono::milliseconds>(until - now)
                       : std::chrono::milliseconds(0);
  }
  Patience at_most(std::chrono::milliseconds time) const {
    return {stop, std::min(until, std::chrono::steady_clock::now() + time)};
  }
};
inline Patience endless(Stop stop) {
  return {stop, std::chrono::steady_clock::time_point::max()};
}

}  // namespace xplan::remote
