// login: gets a token for a host and keeps it. logout: forgets it.
#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/installation.h"
#include "core/addr/host.h"
#include "core/base/spawn.h"
#include "core/hosts/document.h"
#include "core/hosts/helper.h"
#include "core/hosts/loopback.h"
#include "core/hosts/oauth.h"
#include "core/hosts/stored_tokens.h"
#include "core/net/redact.h"

namespace xplan::cmd {
namespace {

std::string env(const char* name) {
  const char* v = std::getenv(name);
  return v ? v : "";
}

constexpr std::string_view kPage =
    "<!doctype html><meta charset=utf-8><title>Login</title><p>The login is complete. You can close this "
    "page and return to the terminal.";

// A login or logout of one host.
class Account {
 public:
  Account(Session& s, std::string host) : s_(s), host_(std::move(host)), in_(s), file_(env("HOME")) {}
  int login();
  int logout();

 private:
  const std::optional<hosts::CredentialsHelper>& helper() const { return in_.settings.helper; }
  std::string place() const {
    return helper() ? fmt::format("the credentials helper \"{}\"", helper()->name)
                    : fmt::format("the file {}", file_.path());
  }
  void fail(std::string detail) { s_.diags.error("Login failed", std::move(detail)); }
  bool set_elsewhere();
  std::optional<std::string> from_browser(const hosts::LoginOffer& offer);
  std::optional<std::string> from_page(const std::string& service);
  void show(const std::string& url);
  bool keep(const std::string& token);

  Session& s_;
  const std::string host_;
  Installation in_;
  const hosts::StoredTokens file_;
};

// A token that is set where login does not write would be used instead of the new one.
bool Account::set_elsewhere() {
  if (in_.settings.tokens.count(host_) == 0) return false;
  const Result<bool> stored = file_.has(host_);
  if (stored && *stored && !helper()) return false;
  if (!stored)
    fail(fmt::format("Stored tokens cannot be read: {}.", stored.error().message));
  else
    s_.diags.error(
        "Token is already set",
        fmt::format("The token for {} is set in the CLI configuration or in an environment variable, "
                    "and would be used instead of a new one. Remove it there to log in.",
                    host_));
  return true;
}

// Opens a browser where there is one, and says where to go in any case.
void Account::show(const std::string& url) {
  const std::string browser = env("BROWSER").empty() ? "xdg-open" : env("BROWSER");
  const bool screen = !env("BROWSER").empty() || !env("DISPLAY").empty() || !env("WAYLAND_DISPLAY").empty();
  s_.prose(screen ? "Your browser should open this page now. If it does not, open it yourself:\n"
                  : "Open this page in a browser on this machine:\n");
  s_.io.out("    " + url + "\n\n");
  s_.io.flush();
  if (!screen) return;
  SpawnRequest r;
  r.arguments = {"setsid", "-f", browser, url};  // it outlives this program
  r.environment = environment_with({});
  if (const Result<pid_t> child = spawn(r)) reap(*child, Rest::Stays);
}

std::optional<std::string> Account::from_browser(const hosts::LoginOffer& offer) {
  hosts::Loopback loopback;
  if (const Result<void> ok = loopback.listen(offer.first_port, offer.last_port); !ok)
    return fail(fmt::format("No local port is available for the browser to return to: {}.",
                            ok.error().message)),
           std::nullopt;
  const hosts::Login attempt(offer, loopback.port());
  show(attempt.page());
  s_.prose("Waiting for the login in the browser...\n");
  s_.io.flush();
  const auto query = loopback.wait("/login", attempt.state(), kPage, &s_.stop);
  const Result<std::string> code = query ? attempt.code(*query) : query.error();
  const Result<std::string> token = code ? attempt.token(*code, &s_.stop) : code.error();
  if (token) return *token;
  fail(fmt::format("The host {} did not return a token: {}.", host_, token.error().message));
  return std::nullopt;
}

// A token that the user makes in a browser; the host is asked whose it is.
std::optional<std::string> Account::from_page(const std::string& service) {
  show("https://" + host_ + "/app/settings/tokens?source=terraform-login");
  s_.prose(
      fmt::format("Create a token there and paste it here; it is not shown.\n\n  Token for {}: ", host_));
  s_.io.flush();
  std::string token;
  const Typed typed = s_.io.read_line(token, Echo::Hidden);
  s_.io.out("\n");
  if (typed != Typed::Line || token.empty()) return fail("No token was entered."), std::nullopt;
  if (net::has_controls(token)) return fail("The token contains control characters."), std::nullopt;
  hosts::HttpRequest r;
  r.url = service + "account/details";
  if (in_.services.trusts(host_, r.url)) r.token = token;
  const Result<hosts::HttpAnswer> answer = in_.http.get(r);
  if (!answer)
    return fail(fmt::format("The token cannot be checked: {}.", answer.error().message)), std::nullopt;
  if (answer->status != 200)
    return fail(fmt::format("The host {} does not accept the token: it answered {}.", host_,
                            hosts::status_text(answer->status))),
           std::nullopt;
  if (const std::string user = hosts::text_at(answer->body, {"data", "attributes", "username"});
      !user.empty())
    s_.prose(fmt::format("The token belongs to the user {}.\n", user));
  return token;
}

bool Account::keep(const std::string& token) {
  const Result<void> kept =
      helper() ? hosts::store_in_helper(*helper(), host_, token, &s_.stop) : file_.store(host_, token);
  if (!kept) fail(fmt::format("The token cannot be stored: {}.", kept.error().message));
  return kept.ok();
}

int Account::login() {
  if (s_.diags.has_errors() || set_elsewhere()) return s_.finish();
  const Result<std::string> document = in_.services.login(host_);
  if (!document) return fail(document.error().sentence()), s_.finish();
  std::optional<hosts::LoginOffer> offer;
  std::string service;
  if (!document->empty()) {
    const Result<hosts::LoginOffer> found = hosts::login_offer(*document);
    if (!found)
      return fail(fmt::format("Logging in to {} is not possible: {}.", host_, found.error().message)),
             s_.finish();
    offer = *found;
  } else if (const Result<std::string> url = in_.services.find(host_, "tfe.v2"); url) {
    service = *url;
  } else {
    return fail(fmt::format("The host {} does not offer a login service (login.v1 or tfe.v2).", host_)),
           s_.finish();
  }
  s_.prose(fmt::format("A token for {} will be requested{} and stored in {}.\n", host_,
                       offer ? " in your browser" : "", place()));
  if (!s_.approved("Do you want to proceed?", "Nothing was changed.")) {
    if (!s_.diags.has_errors())
      s_.diags.error("Login cancelled", "The login was not approved. Nothing was changed.");
    return s_.finish();
  }
  const std::optional<std::string> token = offer ? from_browser(*offer) : from_page(service);
  if (!token || !keep(*token)) return s_.finish();
  s_.prose(fmt::format("\nThe token for {} was saved in {}.\n", host_, place()));
  if (!helper() && !env("TF_CLI_CONFIG_FILE").empty())
    s_.diags.warn("Token is not used",
                  "While the environment variable TF_CLI_CONFIG_FILE is set, no other CLI configuration file "
                  "is read, including the one with this token. Unset it, or set the token in that file.");
  return s_.finish();
}

int Account::logout() {
  if (s_.diags.has_errors()) return s_.finish();
  const std::string where = place();
  Result<bool> gone = true;
  if (helper()) {
    // It is told in any case: that it has no token, or cannot say so, is only for the message.
    const Result<std::string> known = hosts::token_of_helper(*helper(), host_, &s_.stop);
    const Result<void> done = hosts::forget_in_helper(*helper(), host_, &s_.stop);
    gone = done ? Result<bool>(!known || !known->empty()) : done.error();
  } else {
    gone = file_.forget(host_);
  }
  if (!gone) {
    s_.diags.error("Logout failed",
                   fmt::format("The token for {} was not removed: {}.", host_, gone.error().message));
    return s_.finish();
  }
  const std::string text = *gone ? fmt::format(
                                       "The token for {} was removed from {}. It remains valid until it "
                                       "is revoked at the host.",
                                       host_, where)
                                 : fmt::format("No token for {} is stored in {}.", host_, where);
  std::string wrapped;
  render::put_wrapped(wrapped, text, s_.human.width - 1);
  s_.tell(wrapped, {}, text);
  if (in_.settings.tokens.count(host_) && (helper() || !*gone))
    s_.diags.warn("A token is set elsewhere",
                  fmt::format("The CLI configuration or an environment variable also sets a token for {}, "
                              "which is still used. Remove it there to log out completely.",
                              host_));
  return s_.finish();
}

int run(Session& s, const Args& args, Flags& flags, int (Account::*action)()) {
  std::vector<std::string> names;
  flags.arguments(names, s.product == "OpenTofu" ? 1 : 0, 1, "the name of a host");
  const bool asks = action == &Account::login;
  if (std::optional<int> code = asks ? s.parse(flags, args) : s.parse_telling(flags, args)) return *code;
  const std::string name = names.empty() ? "app.terraform.io" : names[0];
  const std::optional<std::string> host = normal_host(name);
  if (!host)
    return s.diags.error("Invalid host name", fmt::format("\"{}\" is not the name of a host.", name)),
           s.finish();
  return (Account(s, *host).*action)();
}

}  // namespace

int run_login(Session& s, const Args& args) {
  Flags flags("login [HOST]",
              "Obtains a token for a host through a browser and stores it for later runs. The host is "
              "app.terraform.io unless another one is given.");
  return run(s, args, flags, &Account::login);
}

int run_logout(Session& s, const Args& args) {
  Flags flags("logout [HOST]",
              "Removes the token that login stored for a host. The host is app.terraform.io unless another "
              "one is given.");
  return run(s, args, flags, &Account::logout);
}

}  // namespace xplan::cmd
