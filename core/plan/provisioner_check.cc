// The rules for arguments of remote-exec, file and connection blocks.
#include "core/plan/provisioner_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/schema/decode.h"

namespace xplan {
namespace {

class ProvisionerCheck {
 public:
  ProvisionerCheck(const config::Provisioner& p, Diagnostics& diags) : p_(p), diags_(diags) {}

  void arguments(const Value& v) {
    if (p_.type.sv() == "remote-exec") {
      one_of(v, {"inline", "script", "scripts"});
      for (const char* list : {"inline", "scripts"}) elements(v, list);
      if (is(v, "script", [](const Value& s) { return s.as_string().empty(); })) empty(p_.body, "script");
    }
    if (p_.type.sv() == "file") {
      one_of(v, {"source", "content"});
      for (const char* text : {"source", "destination"})
        if (is(v, text, [](const Value& s) { return s.as_string().empty(); })) empty(p_.body, text);
      if (v.find_attr("destination")->is_null())
        report(p_.body, "destination",
               "The argument \"destination\" is null; a path on the machine is required.");
    }
  }

  void connection(const Value& v) {
    const syntax::Rest& body = *p_.whole_connection;
    if (const Value& host = *v.find_attr("host");
        host.is_null() || (host.is_string() && host.as_string().empty()))
      report(
          body, "host",
          "The connection has no host. Set host to the name or address of the machine: self.public_ip, for "
          "example.");
    one_word(v, "type", {"ssh"},
             "Only SSH is supported: set type to \"ssh\", or remove it. For Windows machines, use the "
             "OpenSSH server instead of WinRM.");
    one_word(v, "target_platform", {"unix", "windows"}, "It must be \"unix\" or \"windows\".");
    one_word(v, "proxy_scheme", {"http", "socks5"},
             "It must be \"http\" or \"socks5\": proxies are reached without TLS.");
    int64_t ms = 0;
    if (is(v, "timeout", [&](const Value& s) {
          return !s.as_string().empty() && (!parse_duration_ms(std::string(s.as_string()), ms) || ms == 0);
        }))
      report(body, "timeout",
             fmt::format("{} is not a valid duration for the timeout. Write 30s or 2m, for example.",
                         shown(*v.find_attr("timeout"))));
    for (const char* port : {"port", "bastion_port", "proxy_port"})
      if (const Value& n = *v.find_attr(port); n.is_number()) {
        const std::optional<int64_t> i = n.as_number().exact_int64();
        if (!i || *i < 0 || *i > 65535)
          report(body, port, fmt::format("{} must be a whole number from 1 to 65535.", port));
      }
  }

 private:
  static bool is(const Value& v, const char* name, const std::function<bool(const Value&)>& f) {
    const Value& a = *v.find_attr(name);
    return a.is_string() && f(a);
  }
  static std::string shown(const Value& v) {
    return v.contains_marks() ? "A sensitive value" : in_quotes(v.as_string());
  }

  void one_of(const Value& v, const std::vector<const char*>& names) {
    std::vector<const char*> set;
    bool unknown = false;
    std::string all;
    for (size_t i = 0; i < names.size(); ++i) {
      const Value& a = *v.find_attr(names[i]);
      unknown |= a.is_unknown();
      if (a.is_known() && !a.is_null()) set.push_back(names[i]);
      all += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
    }
    if (set.size() > 1)
      report(p_.body, set[1],
             fmt::format("Only one of the arguments {} can be set, but both \"{}\" and \"{}\" are set.", all,
                         set[0], set[1]));
    else if (set.empty() && !unknown)
      report(p_.body, nullptr, fmt::format("One of the arguments {} must be set.", all));
  }

  void elements(const Value& v, const char* name) {
    const Value& list = *v.find_attr(name);
    if (!list.is_known() || list.is_null()) return;
    if (list.length() == 0)
      return report(p_.body, name, fmt::format("\"{}\" is an empty list, so there is nothing to run.", name));
    for (size_t i = 0; i < list.length(); ++i) {
      const Value& e = list.elements()[i];
      const bool of_files = name == std::string_view("scripts");
      if (e.is_null() || (of_files && e.is_string() && e.as_string().empty()))
        return report(p_.body, name,
                      fmt::format("Element {} of \"{}\" is {}. Remove it, or set it to {}.", i, name,
                                  e.is_null() ? "null" : "an empty string",
                                  of_files ? "the path of a script" : "a command"));
    }
  }

  void one_word(const Value& v, const char* name, const std::vector<std::string_view>& words,
                const char* advice) {
    if (is(v, name, [&](const Value& s) {
          return !s.as_string().empty() &&
                 std::find(words.begin(), words.end(), s.as_string()) == words.end();
        }))
      report(*p_.whole_connection, name,
             fmt::format("{} is not supported as the {} of a connection. {}", shown(*v.find_attr(name)), name,
                         advice));
  }

  void empty(const syntax::Rest& body, const char* name) {
    report(body, name, fmt::format("The argument \"{}\" is an empty string, but a path is required.", name));
  }

  void report(const syntax::Rest& body, const char* name, std::string detail) {
    Range where = name && body.body ? schema::locate(*body.body, {PathStep::of_attr(Symbol(name))}) : Range();
    if (!where.valid()) where = p_.range;
    const bool of_connection = p_.whole_connection && &body == &*p_.whole_connection;
    diags_.error(of_connection ? "Invalid connection" : "Invalid provisioner arguments", std::move(detail),
                 where);
  }

  const config::Provisioner& p_;
  Diagnostics& diags_;
};

}  // namespace

void check_provisioner(const config::Provisioner& p, const Value& arguments, const Value* connection,
                       Diagnostics& diags) {
  ProvisionerCheck check(p, diags);
  check.arguments(arguments);
  if (connection && p.whole_connection) check.connection(*connection);
}

void check_provisioner(const config::Provisioner& p, const eval::Scope& scope, Diagnostics& diags) {
  const schema::Block* schema = config::provisioner_schema(p.type);
  if (!schema) return;
  Diagnostics not_yet, no_connection_yet;
  // Of every type, since a plan keeps which files were read.
  const Value arguments = schema::decode(p.body, *schema, scope, not_yet);
  if (!config::needs_connection(p.type)) return;
  if (!not_yet.has_errors()) check_provisioner(p, arguments, nullptr, diags);
  if (!p.whole_connection) return;
  const Value connection =
      schema::decode(*p.whole_connection, config::connection_schema(), scope, no_connection_yet);
  if (!no_connection_yet.has_errors()) ProvisionerCheck(p, diags).connection(connection);
}

void report_missing_connection(const config::Provisioner& p, Diagnostics& diags) {
  diags.error("Missing connection",
              fmt::format("The provisioner \"{}\" runs on another machine, but neither it nor its resource "
                          "has a connection block. Add a connection block that sets at least \"host\".",
                          p.type.sv()),
              p.range);
}

}  // namespace xplan
