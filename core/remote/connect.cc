// Attempts to connect, with waits between them.
#include "core/remote/connect.h"

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/backoff.h"
#include "core/remote/dial.h"
#include "core/remote/proxy.h"

namespace xplan::remote {
namespace {

using namespace std::chrono_literals;

Result<std::unique_ptr<Session>> open_session(const Login& login, const std::optional<Proxy>& proxy,
                                              const Patience& patience) {
  Result<int> fd = proxy ? dial(proxy->host, proxy->port, patience) : dial(login.host, login.port, patience);
  if (!fd) return proxy ? Error{"proxy: " + fd.error().message} : fd.error();
  if (proxy)
    if (const Result<void> passed = pass_proxy(*fd, *proxy, login.host, login.port, patience); !passed) {
      ::close(*fd);
      return passed.error();
    }
  return Session::open(login, *fd, patience);
}

Error at_bastion(const Error& e) {
  return Error{"bastion host: " + e.message};
}

std::string duration(std::chrono::milliseconds ms) {
  const auto s = ms.count() / 1000;
  if (s >= 60) return s % 60 ? fmt::format("{}m{}s", s / 60, s % 60) : fmt::format("{}m", s / 60);
  return s ? fmt::format("{}s", s) : fmt::format("{}ms", ms.count());
}

}  // namespace

std::string unavailable() {
  return ssh_missing().empty() ? ""
                               : "connections over SSH cannot be made on this system, because " +
                                     ssh_missing() + " (libssh) is not available";
}

Result<std::unique_ptr<Connection>> connect(const Target& target, Stop stop,
                                            const std::function<void(std::string_view)>& tell) {
  if (std::string why = unavailable(); !why.empty()) return Error{std::move(why)};
  for (const Login* l : {&target.login, target.bastion ? &*target.bastion : nullptr})
    for (const auto check : {check_keys, check_expected_key})
      if (const Result<void> ok = l ? check(*l) : Result<void>(); !ok)
        return l == &target.login ? ok.error() : at_bastion(ok.error());
  const Patience whole{stop, std::chrono::steady_clock::now() + target.timeout};
  std::string last;
  for (int attempt = 0;; ++attempt) {
    const Patience patience = whole.at_most(60s);
    auto try_once = [&]() -> Result<std::unique_ptr<Connection>> {
      auto c = std::make_unique<Connection>();
      int fd = -1;
      if (target.bastion) {
        Result<std::unique_ptr<Session>> bastion = open_session(*target.bastion, target.proxy, patience);
        if (!bastion) return at_bastion(bastion.error());
        Result<std::unique_ptr<Tunnel>> tunnel =
            Tunnel::open(std::move(*bastion), target.login.host, target.login.port, patience);
        if (!tunnel) return tunnel.error();
        c->tunnel_ = std::move(*tunnel);
        fd = c->tunnel_->take_descriptor();
      }
      Result<std::unique_ptr<Session>> session = fd < 0 ? open_session(target.login, target.proxy, patience)
                                                        : Session::open(target.login, fd, patience);
      if (!session) return session.error();
      c->session_ = std::move(*session);
      return c;
    };
    Result<std::unique_ptr<Connection>> c = try_once();
    if (c) return c;
    if (stopped(stop)) return interrupted();
    // What an attempt that was cut short failed with says less than what the one before it did.
    if (last.empty() || !whole.over()) {
      if (c.error().message != last) tell(c.error().message);
      last = c.error().message;
    }
    if (whole.over() || !wait_unless_stopped(std::min(backoff(attempt, 500ms, 10s), whole.left()), stop) ||
        whole.over())
      break;
  }
  if (stopped(stop)) return interrupted();
  return Error{fmt::format("no connection was established within {}: {}", duration(target.timeout), last)};
}

}  // namespace xplan::remote
