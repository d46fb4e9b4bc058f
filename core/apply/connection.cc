// Reads a connection's arguments and their defaults.
#include "core/apply/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/duration.h"

namespace xplan::applying {
namespace {

std::string text(const Value& v, std::string_view name) {
  const Value& a = *v.find_attr(name);
  return a.is_string() ? std::string(a.as_string()) : std::string();
}
std::string first_of(std::string one, std::string other) {
  return one.empty() ? std::move(other) : std::move(one);
}
uint16_t port(const Value& v, std::string_view name, uint16_t otherwise) {
  const Value& n = *v.find_attr(name);
  const int64_t i = n.is_number() ? n.as_number().exact_int64().value_or(0) : 0;
  return i > 0 && i <= 65535 ? static_cast<uint16_t>(i) : otherwise;
}
// Addresses with colons may stand in brackets.
std::string host(std::string h) {
  return h.size() > 2 && h.front() == '[' && h.back() == ']' ? h.substr(1, h.size() - 2) : h;
}

std::string shown_of(const ProvisionerCall& c, const std::string& value, std::string_view name) {
  return c.marked_connection.find_attr(name)->deep_marks() ? "(sensitive value)" : value;
}

void announce_login(const remote::Login& l, const ProvisionerCall& c, std::string_view prefix) {
  auto shown = [&](const std::string& value, std::string_view name) {
    auto marks = [&](std::string_view n) { return c.marked_connection.find_attr(n)->deep_marks(); };
    return marks(name) || marks(std::string(prefix).append(name)) ? std::string("(sensitive value)") : value;
  };
  c.tell("  Host: " + shown(l.host, "host"));
  c.tell("  User: " + shown(l.user, "user"));
  c.tell(fmt::format("  Password: {}", !l.password.empty()));
  c.tell(fmt::format("  Private key: {}", !l.private_key.empty()));
  c.tell(fmt::format("  Certificate: {}", !l.certificate.empty()));
  c.tell(fmt::format("  SSH Agent: {}", l.agent));
  c.tell(fmt::format("  Checking Host Key: {}", !l.host_key.empty()));
}

}  // namespace

Result<remote::Target> target_of(const Value& v) {
  remote::Target t;
  remote::Login& l = t.login;
  l.host = host(text(v, "host"));
  l.port = port(v, "port", 22);
  l.user = first_of(text(v, "user"), "root");
  l.password = Secret(text(v, "password"));
  l.private_key = Secret(text(v, "private_key"));
  l.certificate = text(v, "certificate");
  l.host_key = text(v, "host_key");
  l.agent_identity = text(v, "agent_identity");
  const char* socket = std::getenv("SSH_AUTH_SOCK");
  const bool has_agent = socket && *socket;
  l.agent = has_agent && !v.find_attr("agent")->is_false();
  if (v.find_attr("agent")->is_true() && !has_agent)
    return Error{
        "the connection asks for the SSH agent (agent = true), but the environment variable SSH_AUTH_SOCK is "
        "not set. Start an agent, or remove the argument"};
  if (int64_t ms = 0; parse_duration_ms(text(v, "timeout"), ms) && ms > 0)
    t.timeout =
        std::min(std::chrono::milliseconds(ms), std::chrono::milliseconds(std::chrono::hours(24 * 7)));
  t.windows = text(v, "target_platform") == "windows";
  if (const std::string by = host(text(v, "proxy_host")); !by.empty()) {
    remote::Proxy& p = t.proxy.emplace();
    p.socks = text(v, "proxy_scheme") == "socks5";
    p.host = by;
    p.port = port(v, "proxy_port", p.socks ? 1080 : 80);
    p.user = text(v, "proxy_user_name");
    p.password = Secret(text(v, "proxy_user_password"));
  }
  const std::string through = host(text(v, "bastion_host"));
  if (through.empty()) return t;
  remote::Login& b = t.bastion.emplace();
  b.host = through;
  b.port = port(v, "bastion_port", l.port);
  b.user = first_of(text(v, "bastion_user"), l.user);
  b.password = Secret(first_of(text(v, "bastion_password"), std::string(l.password.bytes())));
  const std::string own_key = text(v, "bastion_private_key");
  b.certificate = first_of(text(v, "bastion_certificate"), own_key.empty() ? l.certificate : "");
  b.private_key = Secret(first_of(own_key, std::string(l.private_key.bytes())));
  b.host_key = text(v, "bastion_host_key");
  b.agent = l.agent;
  b.agent_identity = l.agent_identity;
  return t;
}

void announce(const remote::Target& t, const ProvisionerCall& c) {
  c.tell("Connecting to remote host via SSH...");
  announce_login(t.login, c, "");
  c.tell(t.windows ? "  Target Platform: windows" : "  Target Platform: unix");
  if (t.proxy) {
    c.tell("Using configured proxy host...");
    c.tell("  ProxyHost: " + shown_of(c, t.proxy->host, "proxy_host"));
    c.tell("  ProxyPort: " + shown_of(c, std::to_string(t.proxy->port), "proxy_port"));
    c.tell("  ProxyUserName: " + shown_of(c, t.proxy->user, "proxy_user_name"));
    c.tell(fmt::format("  ProxyUserPassword: {}", !t.proxy->password.empty()));
  }
  if (!t.bastion) return;
  c.tell("Using configured bastion host...");
  announce_login(*t.bastion, c, "bastion_");
}

}  // namespace xplan::applying
