// The console's history file: where it is, loading it, appending a line, and shortening it when it has grown
// to twice its size. Everything is created readable by its owner only.
#include "cmd/xplan/console_history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/fs.h"
#include "core/base/text.h"

namespace xplan::cmd {
namespace {

constexpr size_t kKept = 1000;  // lines that are left of a file that grew to twice as many

void make_private_dirs(const std::filesystem::path& dir) {
  if (dir.empty() || std::filesystem::exists(dir)) return;
  make_private_dirs(dir.parent_path());
  (void)::mkdir(dir.c_str(), 0700);
}

}  // namespace

std::string ConsoleHistory::default_path(const std::function<const char*(const char*)>& environment) {
  if (const char* path = environment("XPLAN_CONSOLE_HISTORY")) return path;
  if (const char* state = environment("XDG_STATE_HOME"); state && *state == '/')
    return std::string(state) + "/xplan/console_history";
  const char* home = environment("HOME");
  return home && *home == '/' ? std::string(home) + "/.local/state/xplan/console_history" : std::string();
}

std::vector<std::string> ConsoleHistory::load() {
  std::vector<std::string> lines;
  Result<std::string> text = path_.empty() ? Result<std::string>(std::string()) : real_fs().read(path_);
  if (!text) return lines;
  for (size_t i = 0; i < text->size();) {
    const size_t end = std::min(text->find('\n', i), text->size());
    if (end > i) lines.push_back(text->substr(i, end - i));
    i = end + 1;
  }
  if (lines.size() > 2 * kKept) {
    lines.erase(lines.begin(), lines.end() - kKept);
    std::string shorter;
    for (const std::string& line : lines) shorter += line + '\n';
    (void)write_atomic(path_, shorter, 0600).ok();
  }
  if (!lines.empty()) last_ = lines.back();
  return lines;
}

bool ConsoleHistory::keep(std::string_view line) {
  if (trimmed(line).empty() || line[0] == ' ' || line == last_) return false;
  last_ = line;
  if (path_.empty()) return true;
  make_private_dirs(std::filesystem::path(path_).parent_path());
  const int fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return true;
  const std::string text = std::string(line) + '\n';
  (void)!::write(fd, text.data(), text.size());
  ::close(fd);
  return true;
}

}  // namespace xplan::cmd
