// The stages of a script's life on a server.
#include "core/remote/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/lines.h"
#include "core/remote/channel.h"
#include "core/remote/upload.h"

namespace xplan::remote {
namespace {

using namespace std::chrono_literals;

// A command of our own, whose output counts only when it fails.
Result<void> run_quietly(Session& s, const std::string& command, const Patience& patience) {
  Result<std::unique_ptr<Channel>> c = Channel::run(s, command, Channel::Terminal::No, patience);
  if (!c) return c.error();
  std::string said;
  const Channel::Output keep = [&](std::string_view piece, bool) {
    if (said.size() < 1000) said += piece;
  };
  for (;;) {
    const bool any = (*c)->read(keep);
    if (!any && (*c)->ended()) break;
    if (patience.over()) return Error{"it took too long"};
    if (!any) s.wait(20);
  }
  if (std::optional<std::string> why = (*c)->failure())
    return Error{*why + (said.empty() ? "" : "; it said: " + one_line(said))};
  return {};
}

Result<void> follow_script(Session& s, const std::string& command, Stop stop,
                           const std::function<void(std::string_view)>& line) {
  Result<std::unique_ptr<Channel>> c = Channel::run(s, command, Channel::Terminal::Yes, endless(stop));
  if (!c) return c.error();
  Lines lines(line, Lines::Empty::Kept);
  const Channel::Output pass_on = [&](std::string_view piece, bool) { lines.add(piece); };
  std::optional<std::chrono::steady_clock::time_point> hang_up;
  for (;;) {
    const bool any = (*c)->read(pass_on);
    if (!any && (*c)->ended()) break;
    if (stopped(stop) && !hang_up) {
      (void)(*c)->interrupt();
      hang_up = std::chrono::steady_clock::now() + 5s;
    }
    if (hang_up && std::chrono::steady_clock::now() > *hang_up) break;
    if (!any) s.wait(50);
  }
  lines.finish();
  const std::optional<std::string> why = (*c)->failure();
  if (hang_up)
    return Error{why ? *why + " after the run was interrupted"
                     : "the run was interrupted, and the script may have stopped before it was finished"};
  if (why) return Error{*why};
  return {};
}

}  // namespace

std::string script_path(std::string pattern) {
  pattern = without_home(pattern);
  constexpr std::string_view kMark = "%RAND%";
  for (size_t at = 0; (at = pattern.find(kMark, at)) != pattern.npos;) {
    const std::string bytes = random_bytes(sizeof(uint64_t));
    uint64_t n = 0;
    std::memcpy(&n, bytes.data(), std::min(bytes.size(), sizeof n));
    const std::string digits = std::to_string(n);
    pattern.replace(at, kMark.size(), digits);
    at += digits.size();
  }
  return pattern;
}

Result<void> run_script(Session& s, std::string_view content, const std::string& path, bool windows,
                        Stop stop, const std::function<void(std::string_view)>& line) {
  if (Result<void> ok = check_path(path, windows); !ok) return Error{"script_path: " + ok.error().message};
  if (windows && path.find_first_of(" \t;,=()%!'`") != path.npos)  // it is run as it stands there
    return Error{fmt::format(
        "script_path: \"{}\" cannot be run on Windows. Use a path of letters, digits, -, _, . and separators",
        one_line(path))};
  const Upload to{path, 0700, windows};
  if (Result<void> ok = upload_content(s, content, to, endless(stop)); !ok)
    return Error{fmt::format("the script was not uploaded to \"{}\": {}", path, ok.error().message)};
  std::string native = path.find('/') == path.npos && !windows ? "./" + path : path;
  if (windows) std::replace(native.begin(), native.end(), '/', '\\');
  const std::string word = remote_word(native, windows);
  Result<void> ok;
  const Patience soon = endless(stop).at_most(60s);
  // A file that was there before keeps its mode.
  if (!windows) ok = run_quietly(s, "chmod 0700 " + word, soon);
  if (ok) ok = follow_script(s, windows ? native : word, stop, line);
  // Also after an interrupt.
  (void)run_quietly(s, (windows ? "del " : "rm -f ") + word, endless(nullptr).at_most(10s));
  return ok;
}

}  // namespace xplan::remote
