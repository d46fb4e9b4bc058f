// Reads the first members of a state.
#include "core/state/state_head.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "core/state/json_scan.h"

namespace xplan {
namespace {

// Empty: it cannot be read.
std::string beginning_of(const std::string& path) {
  std::string out(64 * 1024, '\0');
  size_t filled = 0;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a named pipe must not hang
  while (fd >= 0 && filled < out.size()) {
    const ssize_t n = ::read(fd, out.data() + filled, out.size() - filled);
    if (n > 0) filled += static_cast<size_t>(n);
    if (n == 0 || (n < 0 && errno != EINTR)) break;
  }
  if (fd >= 0) ::close(fd);
  out.resize(filled);
  return out;
}

}  // namespace

std::optional<StateHead> read_state_head(const std::string& path) {
  const std::string text = beginning_of(path);
  JsonScan scan(text);
  StateHead out;
  bool serial = false, lineage = false;
  std::string_view member;
  if (text.empty() || !scan.begin_object()) return std::nullopt;
  while (!(serial && lineage) && scan.member(member)) {
    if (member == "serial") {
      const std::string_view number = scan.raw();
      const auto read = std::from_chars(number.data(), number.data() + number.size(), out.serial);
      serial = read.ec == std::errc() && read.ptr == number.data() + number.size();
    } else if (member == "lineage") {
      out.lineage = scan.string();
      lineage = !scan.failed();
    } else {
      scan.raw();
    }
  }
  return serial && lineage ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace xplan
