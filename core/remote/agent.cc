// Stands between the library and the agent, and reorders the one answer that lists keys.
#include "core/remote/agent.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "core/base/base64.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/base/threads.h"

namespace xplan::remote {
namespace {

constexpr size_t kMostBytes = 1 << 20;  // of a message
constexpr char kKeys = 12;              // SSH_AGENT_IDENTITIES_ANSWER

uint32_t number_at(std::string_view s, size_t at) {
  uint32_t n = 0;
  for (size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(s[at + i]);
  return n;
}
std::string number(size_t n) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 0xff);
  return out;
}

// One side of the conversation: a socket, and how long it may take for each part.
struct Side {
  int fd;
  Patience patience;
};

// Until there is something to read, or room to write, as long as there is patience.
bool await(const Side& s, short what) {
  for (pollfd p{s.fd, what, 0}; !s.patience.over();) {
    const int n = ::poll(&p, 1, 100);
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) return false;
  }
  return false;
}

// Of what recv() and send() return: nothing came of it, but the next time something may.
bool again(ssize_t n) {
  return n < 0 && (errno == EINTR || errno == EAGAIN);
}

bool read_all(const Side& s, char* to, size_t n) {
  while (n > 0) {
    if (!await(s, POLLIN)) return false;
    const ssize_t got = ::recv(s.fd, to, n, MSG_DONTWAIT);
    if (again(got)) continue;
    if (got <= 0) return false;
    to += got, n -= static_cast<size_t>(got);
  }
  return true;
}
bool send_all(const Side& s, std::string_view text) {
  while (!text.empty()) {
    if (!await(s, POLLOUT)) return false;
    const ssize_t sent = ::send(s.fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (again(sent)) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}
std::optional<std::string> message(const Side& s) {
  char head[4];
  if (!read_all(s, head, sizeof head)) return std::nullopt;
  const uint32_t size = number_at({head, 4}, 0);
  if (size > kMostBytes) return std::nullopt;
  std::string out(size, '\0');
  if (!read_all(s, out.data(), out.size())) return std::nullopt;
  return out;
}
bool send_message(const Side& s, const std::string& text) {
  return send_all(s, number(text.size()) + text);
}

int connect_to_agent() {
  const char* path = ::getenv("SSH_AUTH_SOCK");
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  if (!path || std::strlen(path) >= sizeof a.sun_path) return -1;
  std::strcpy(a.sun_path, path);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0) return fd;
  ::close(fd);
  return -1;
}

// What a text "TYPE BASE64 …" means, or a file with it; empty: it is neither.
std::string blob_of(const std::string& identity) {
  auto blob = [](std::string_view text) -> std::string {
    text = trimmed(text);
    const size_t space = text.find(' ');
    if (space == text.npos) return "";
    text.remove_prefix(space + 1);
    std::string out;
    return base64_decode(text.substr(0, text.find_first_of(" \n")), out) ? out : "";
  };
  if (std::string b = blob(identity); !b.empty()) return b;
  for (const char* end : {".pub", ""})
    if (Result<std::string> text = real_fs().read(identity + end))
      if (std::string b = blob(*text); !b.empty()) return b;
  return "";
}

// The library asks when it wants to, and ends the conversation by closing its socket. An agent may ask its
// user.
void relay(const Side& library, const Side& agent, const std::string& comment, const std::string& key_blob) {
  while (const std::optional<std::string> question = message(library)) {
    if (!send_message(agent, *question)) break;
    const std::optional<std::string> answer = message(agent);
    if (!answer) break;
    if (!send_message(library, comment.empty() ? *answer : in_order(*answer, comment, key_blob))) break;
  }
  ::close(library.fd);
  ::close(agent.fd);
}

}  // namespace

std::string in_order(const std::string& answer, const std::string& comment, const std::string& key_blob) {
  if (answer.size() < 5 || answer[0] != kKeys) return answer;
  std::string first, others;
  const uint32_t count = number_at(answer, 1);
  size_t at = 5;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t start = at;
    std::string_view parts[2];  // the key and its comment
    for (std::string_view& part : parts) {
      if (answer.size() - at < 4) return answer;
      const size_t size = number_at(answer, at);
      if (answer.size() - at - 4 < size) return answer;
      part = std::string_view(answer).substr(at + 4, size);
      at += 4 + size;
    }
    const bool wanted = parts[0] == key_blob || parts[1] == comment;
    (wanted ? first : others).append(answer, start, at - start);
  }
  return answer.substr(0, 5) + first + others;
}

void use_agent(ssh_session session, const std::string& identity, const Patience& patience) {
  int pair[2];
  const int agent = connect_to_agent();
  if (agent < 0) return;
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return void(::close(agent));
  std::thread t = optional_thread(
      [ours = pair[0], agent, identity, patience, blob = identity.empty() ? "" : blob_of(identity)] {
        take_no_signals();
        relay({ours, endless(nullptr)}, {agent, patience}, identity, blob);
      });
  if (t.joinable()) {
    t.detach();
    ssh().ssh_set_agent_socket(session, pair[1]);
    return;
  }
  for (int fd : {pair[0], pair[1], agent}) ::close(fd);
}

}  // namespace xplan::remote
