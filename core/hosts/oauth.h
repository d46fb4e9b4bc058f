// How a host gives a token to somebody who logs in with a browser: OAuth 2.0's authorization code (RFC 6749,
// 4.1) with a proof that the same program asks twice (PKCE, RFC 7636).
//
// Who calls it: the command login.
// Contract: what the host says is hostile: URLs that are not https are refused. No message has a code, a
// verifier or a token. Cost: one request.  Thread-safety: pure but for random numbers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/hosts/loopback.h"

namespace xplan::hosts {

struct LoginOffer {
  std::string client, authorize, token;  // the client's ID; URLs
  int first_port = 1024, last_port = 65535;
  std::vector<std::string> scopes;
};
// From the member login.v1 of the host's document.
Result<LoginOffer> login_offer(std::string_view document);

// One attempt to log in.
class Login {
 public:
  // `port`: where this program listens.
  Login(LoginOffer offer, int port);
  std::string page() const;                            // the URL to open in a browser
  const std::string& state() const { return state_; }  // that the browser brings back
  // What the browser brought back: the code, or why there is none.
  Result<std::string> code(const Loopback::Query& query) const;
  Result<std::string> token(const std::string& code, Stop stop) const;

 private:
  std::string redirect() const;
  const LoginOffer offer_;
  const int port_;
  const std::string state_, verifier_;
};

}  // namespace xplan::hosts
