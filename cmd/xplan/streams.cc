// Standard input, output and error of a command: locked whole writes, the terminal filter, reading lines
// (hidden for secrets) and reading everything, with waits that Ctrl-C can end.
#include "cmd/xplan/streams.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "cmd/xplan/hidden_typing.h"
#include "cmd/xplan/interrupt.h"
#include "core/base/write_all.h"

namespace xplan::cmd {
namespace {

// What nobody types, and no program has to say: an endless source would fill the memory.
constexpr size_t kLongestLine = size_t{1} << 20, kLongestInput = size_t{1} << 30;  // bytes

// Appends what can be read at once; false at the end of the input.
bool read_some(std::string& to) {
  char buffer[4096];
  ssize_t n;
  do n = ::read(0, buffer, sizeof buffer);
  while (n < 0 && errno == EINTR);
  if (n > 0) to.append(buffer, static_cast<size_t>(n));
  return n > 0;
}

}  // namespace

void Streams::out(std::string_view text) {
  std::lock_guard guard(lock_);
  if (out_is_terminal)
    filter_.add(text, buffer_);
  else
    buffer_ += colors_in_files ? with_terminal_codes(text) : std::string(text);
  if (out_is_terminal || buffer_.size() > 65536) {
    if (int error = write_all(1, buffer_)) broken_ = error;
    buffer_.clear();
  }
}

void Streams::err(std::string_view text) {
  flush();
  std::lock_guard guard(lock_);
  // Where this fails there is nowhere left to say so.
  (void)write_all(2, err_is_terminal   ? for_terminal(text)
                     : colors_in_files ? with_terminal_codes(text)
                                       : without_terminal_codes(text));
}

void Streams::flush() {
  std::lock_guard guard(lock_);
  filter_.finish(buffer_);
  if (int error = write_all(1, buffer_)) broken_ = error;
  buffer_.clear();
}

Typed Streams::read_line(std::string& line, Echo echo) {
  flush();
  AwaitInput input;
  std::optional<HiddenTyping> hidden;
  if (echo == Echo::Hidden && in_is_terminal) hidden.emplace();
  size_t end, from = 0;
  while ((end = typed_.find('\n', from)) == std::string::npos) {
    from = typed_.size();
    const Waited came = input.wait();
    if (came == Waited::Interrupt) return typed_.clear(), Typed::Interrupted;
    if (came == Waited::OtherSignal && hidden) hidden->pass_on();
    if (typed_.size() > kLongestLine) return typed_.clear(), Typed::End;
    if (came != Waited::Input || read_some(typed_)) continue;
    if (typed_.empty()) return Typed::End;
    typed_ += '\n';  // a last line without an end
  }
  line = typed_.substr(0, end);
  typed_.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return Typed::Line;
}

bool Streams::would_wait() const {
  pollfd in{0, POLLIN, 0};
  return typed_.empty() && ::poll(&in, 1, 0) == 0;
}

Result<std::string> Streams::read_all() {
  while (read_some(typed_))
    if (typed_.size() > kLongestInput)
      return Error{"it is larger than " + std::to_string(kLongestInput >> 20) + " MiB"};
  return std::exchange(typed_, {});
}

}  // namespace xplan::cmd
