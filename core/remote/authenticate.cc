// Ways to log in, one after the other: the private key, the keys of the agent, the password.
#include <fmt/format.h>

#include <vector>

#include "core/base/text.h"
#include "core/remote/agent.h"
#include "core/remote/connect.h"
#include "core/remote/session.h"

namespace xplan::remote {
namespace {

// For keys behind a passphrase: without it, the library asks for one at the terminal.
int no_passphrase(const char*, char*, size_t, int, int, void*) {
  return -1;
}

// The private key, with its certificate; null: there is none.
Result<void> read_key(const Login& login, Key& key) {
  const Ssh& s = ssh();
  if (login.certificate.empty() && login.private_key.empty()) return {};
  if (login.private_key.empty())
    return Error{"the connection sets \"certificate\" without \"private_key\", but both are required"};
  // Texts of the library's kind end with a zero byte, which strings have anyway.
  std::string text = std::string(trimmed(login.private_key.bytes())) + "\n";
  const int read =
      s.ssh_pki_import_privkey_base64(text.c_str(), nullptr, no_passphrase, nullptr, &key.handle);
  wipe(text);
  if (read != SSH_OK)
    return Error{
        "the connection's private_key cannot be read. It must be the content of a file with a private key in "
        "OpenSSH or PEM "
        "format that is not protected by a passphrase: file(\"id_ed25519\"), for example"};
  if (login.certificate.empty()) return {};
  const std::string_view line = trimmed(login.certificate);
  const std::string type(line.substr(0, line.find(' ')));
  const std::string_view rest = trimmed(line.substr(type.size()));
  const std::string base64(rest.substr(0, rest.find(' ')));
  Key certificate;
  if (s.ssh_pki_import_cert_base64(base64.c_str(), s.ssh_key_type_from_name(type.c_str()),
                                   &certificate.handle) != SSH_OK ||
      s.ssh_pki_copy_cert_to_privkey(certificate.handle, key.handle) != SSH_OK)
    return Error{
        "the connection's certificate cannot be used with private_key. It must be the content of the file "
        "that a certificate "
        "authority made for this key: file(\"id_ed25519-cert.pub\"), for example"};
  return {};
}

class Attempt {
 public:
  Attempt(Session& s, const Login& login, const Patience& patience)
      : s_(s), login_(login), patience_(patience) {}

  Result<void> run() {
    if (Result<void> ok = read_key(login_, key_); !ok) return ok;
    if (ask([&] { return ssh().ssh_userauth_none(s_.handle(), nullptr); })) return {};
    if (failed_) return ended();
    const int methods = ssh().ssh_userauth_list(s_.handle(), nullptr);
    if (methods & SSH_AUTH_METHOD_PUBLICKEY) {
      if (key_.handle && try_way("the private key", [&] {
            return ssh().ssh_userauth_publickey(s_.handle(), nullptr, key_.handle);
          }))
        return {};
      if (!failed_ && login_.agent) {
        use_agent(s_.handle(), login_.agent_identity, patience_);
        if (try_way("the keys of the agent", [&] { return ssh().ssh_userauth_agent(s_.handle(), nullptr); }))
          return {};
      }
    }
    if (!login_.password.empty()) {
      if (!failed_ && methods & SSH_AUTH_METHOD_PASSWORD && try_way("the password", [&] {
            return ssh().ssh_userauth_password(s_.handle(), nullptr, password().c_str());
          }))
        return {};
      if (!failed_ && methods & SSH_AUTH_METHOD_INTERACTIVE && questions()) return {};
    }
    return failed_ ? ended() : refused(methods);
  }

 private:
  std::string password() const { return std::string(login_.password.bytes()); }

  // True: the user is in.
  bool ask(const std::function<int()>& way) {
    int rc = SSH_AUTH_AGAIN;
    const bool done = s_.until_done([&] { return (rc = way()) != SSH_AUTH_AGAIN; }, patience_);
    failed_ = !done || rc == SSH_AUTH_ERROR;
    in_time_ = done;
    partly_ |= rc == SSH_AUTH_PARTIAL;
    return rc == SSH_AUTH_SUCCESS;
  }
  bool try_way(const char* name, const std::function<int()>& way) {
    tried_.emplace_back(name);
    return ask(way);
  }

  // A password is also an answer to the questions of a server, if it asks only one at a time.
  bool questions() {
    tried_.emplace_back("the password (keyboard-interactive)");
    constexpr int kRounds = 10;
    for (int round = 0; round < kRounds; ++round) {
      int rc = SSH_AUTH_AGAIN;
      in_time_ = s_.until_done(
          [&] { return (rc = ssh().ssh_userauth_kbdint(s_.handle(), nullptr, nullptr)) != SSH_AUTH_AGAIN; },
          patience_);
      failed_ = !in_time_ || rc == SSH_AUTH_ERROR;
      if (failed_ || rc != SSH_AUTH_INFO) return !failed_ && rc == SSH_AUTH_SUCCESS;
      const int n = ssh().ssh_userauth_kbdint_getnprompts(s_.handle());
      if (n > 1 || (n == 1 && answered_)) return false;
      if (n == 1) {
        answered_ = true;
        ssh().ssh_userauth_kbdint_setanswer(s_.handle(), 0, password().c_str());
      }
    }
    return false;
  }

  Error ended() const {
    if (!in_time_) return Error{fmt::format("{} did not answer the login request in time", login_.host)};
    return Error{fmt::format("the login at {} failed: {}", login_.host, s_.last_error())};
  }
  Error refused(int methods) const {
    auto list = [](const std::vector<std::string>& words) {
      std::string out;
      for (size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
      return out;
    };
    std::vector<std::string> takes;
    for (const auto& [bit, name] : {std::pair(SSH_AUTH_METHOD_PUBLICKEY, "keys"),
                                    {SSH_AUTH_METHOD_PASSWORD, "passwords"},
                                    {SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive logins"}})
      if (static_cast<unsigned>(methods) & static_cast<unsigned>(bit)) takes.emplace_back(name);
    std::string text = fmt::format("{} rejected the login of the user \"{}\"", login_.host, login_.user);
    if (tried_.empty())
      return Error{text + ": the connection sets none of the credentials that it accepts" +
                   (takes.empty() ? "" : " (" + list(takes) + ")")};
    text += " with " + list(tried_) + (partly_ ? " alone" : "");
    return Error{text + (takes.empty() ? "" : "; it accepts " + list(takes))};
  }

  Session& s_;
  const Login& login_;
  const Patience& patience_;
  Key key_;
  std::vector<std::string> tried_;
  bool failed_ = false, in_time_ = true, partly_ = false, answered_ = false;
};

}  // namespace

Result<void> check_keys(const Login& login) {
  Key key;
  return read_key(login, key);
}

Result<void> log_in(Session& s, const Login& login, const Patience& patience) {
  return Attempt(s, login, patience).run();
}

}  // namespace xplan::remote
