// The handshake of a session and the check of the server's key.
#include "core/remote/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace xplan::remote {
namespace {

using namespace std::chrono_literals;

// The algorithms that a key of a type signs with.
std::string algorithms_of(std::string_view type) {
  return type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256,ssh-rsa" : std::string(type);
}

struct PublicKey {
  std::string type, base64;
};
// The first two words of a line of a .pub file; in a line of known_hosts, names stand before them.
Result<PublicKey> public_key(std::string_view text) {
  std::string_view rest = trimmed(text);
  for (int words = 0; words < 3 && !rest.empty(); ++words) {
    const std::string_view type = rest.substr(0, rest.find_first_of(" \t\n"));
    rest = trimmed(rest.substr(type.size()));
    if (!type.starts_with("ssh-") && !type.starts_with("ecdsa-") && !type.starts_with("sk-")) continue;
    return PublicKey{std::string(type), std::string(rest.substr(0, rest.find_first_of(" \t\n")))};
  }
  return Error{
      "the connection's host_key is not a public key. It must have the form \"ssh-ed25519 AAAA…\", as in the "
      "server's "
      "/etc/ssh/ssh_host_ed25519_key.pub"};
}

// The library offers no certificates as host keys, so no server shows its own.
constexpr const char* kNoAuthorities =
    "Certificates of hosts are not supported: host_key must be the server's own key, not that of an "
    "authority that has signed it";

Result<void> read_host_key(const Login& login, PublicKey& key, Key& out) {
  Result<PublicKey> wanted = public_key(login.host_key);
  if (!wanted) return wanted.error();
  if (wanted->type.find("-cert-v") != std::string::npos || trimmed(login.host_key).starts_with("@"))
    return Error{std::string("the connection's host_key cannot be used. ") + kNoAuthorities};
  key = std::move(*wanted);
  if (ssh().ssh_pki_import_pubkey_base64(key.base64.c_str(), ssh().ssh_key_type_from_name(key.type.c_str()),
                                         &out.handle) != SSH_OK)
    return Error{"the connection's host_key is not a valid public key"};
  return {};
}

std::string fingerprint(ssh_key key) {
  unsigned char* hash = nullptr;
  size_t size = 0;
  if (ssh().ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size) != 0) return "";
  char* text = ssh().ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size);
  std::string out = text ? text : "";
  if (text) ssh().ssh_string_free_char(text);
  ssh().ssh_clean_pubkey_hash(&hash);
  return out;
}

}  // namespace

std::string one_line(std::string_view text) {
  constexpr size_t kMost = 400;
  std::string out;
  for (size_t i = 0; i < text.size() && out.size() < kMost;) {
    const size_t start = i;
    const char32_t c = utf8_decode(text, i);
    if (c < 0x20 || c == 0x7f)
      out += ' ';
    else
      out.append(text.substr(start, i - start));
  }
  return std::string(trimmed(out)) + (out.size() >= kMost ? "…" : "");
}

Session::Session(int fd) : handle_(ssh().ssh_new()), fd_(fd) {}

Session::~Session() {
  if (handle_) {
    ssh().ssh_silent_disconnect(handle_);
    ssh().ssh_free(handle_);
  }
  ::close(fd_);
}

std::string Session::last_error() const {
  return one_line(ssh().ssh_get_error(handle_));
}

void Session::wait(int millis) const {
  pollfd p{fd_, POLLIN, 0};
  if (ssh().ssh_get_poll_flags(handle_) & SSH_WRITE_PENDING) p.events |= POLLOUT;
  (void)::poll(&p, 1, millis);
}

bool Session::until_done(const std::function<bool()>& f, const Patience& patience) const {
  while (!f()) {
    if (patience.over()) return false;
    wait(20);
  }
  return true;
}

Result<void> Session::handshake(const Login& login, const Patience& patience) {
  const Ssh& s = ssh();
  if (!handle_) return Error{"there is not enough memory for another connection"};
  const bool own_files = false;
  s.ssh_options_set(handle_, SSH_OPTIONS_PROCESS_CONFIG, &own_files);
  for (const auto option : {SSH_OPTIONS_KNOWNHOSTS, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, SSH_OPTIONS_SSH_DIR})
    s.ssh_options_set(handle_, option, "/dev/null");
  s.ssh_options_set(handle_, SSH_OPTIONS_HOST, "target");  // only names of files depend on it
  s.ssh_options_set(handle_, SSH_OPTIONS_USER, login.user.c_str());
  std::string key_type;
  if (!login.host_key.empty()) {
    const Result<PublicKey> key = public_key(login.host_key);
    if (!key) return key.error();
    key_type = one_line(key->type);
    if (s.ssh_options_set(handle_, SSH_OPTIONS_HOSTKEYS, algorithms_of(key->type).c_str()) != SSH_OK)
      return Error{"the connection's host_key has the type \"" + one_line(key->type) +
                   "\", which is not supported"};
  }
  // The library closes what it is given.
  socket_t theirs = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
  if (theirs < 0) return Error{"there are too many open files for another connection"};
  s.ssh_options_set(handle_, SSH_OPTIONS_FD, &theirs);
  s.ssh_set_blocking(handle_, 0);
  int rc = SSH_AGAIN;
  if (!until_done([&] { return (rc = s.ssh_connect(handle_)) != SSH_AGAIN; }, patience))
    return Error{fmt::format("{} on port {} does not answer as an SSH server", login.host, login.port)};
  if (rc != SSH_OK && !key_type.empty() && last_error().find("server host key") != std::string::npos)
    return Error{
        fmt::format("{} does not offer a host key of the type {}, as host_key requires, so it is not the "
                    "expected machine",
                    login.host, key_type)};
  if (rc != SSH_OK)
    return Error{fmt::format("the SSH handshake with {} failed: {}", login.host, last_error())};
  return check_host_key(login);
}

Result<void> check_expected_key(const Login& login) {
  PublicKey wanted;
  Key key;
  return login.host_key.empty() ? Result<void>() : read_host_key(login, wanted, key);
}

Result<void> Session::check_host_key(const Login& login) {
  if (login.host_key.empty()) return {};
  PublicKey wanted;
  Key expected, seen;
  if (Result<void> ok = read_host_key(login, wanted, expected); !ok) return ok;
  if (ssh().ssh_get_server_publickey(handle_, &seen.handle) != SSH_OK)
    return Error{"the server has no key that could be checked"};
  if (ssh().ssh_key_cmp(expected.handle, seen.handle, SSH_KEY_CMP_PUBLIC) == 0) return {};
  return Error{
      fmt::format("the host key of {} does not match host_key: it is {}, but {} is expected. Another machine "
                  "may be answering in its place. {}",
                  login.host, fingerprint(seen.handle), fingerprint(expected.handle), kNoAuthorities)};
}

Result<std::unique_ptr<Session>> Session::open(const Login& login, int fd, const Patience& patience) {
  std::unique_ptr<Session> s(new Session(fd));
  if (Result<void> ok = s->handshake(login, patience); !ok) return ok.error();
  if (Result<void> ok = log_in(*s, login, patience); !ok) return ok.error();
  return s;
}

}  // namespace xplan::remote
