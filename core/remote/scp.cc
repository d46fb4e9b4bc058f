// The turns of the protocol: a line for each file or directory, its bytes, and a byte of consent for each.
#include "core/remote/scp.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/fs.h"
#include "core/base/system_text.h"

namespace xplan::remote {
namespace {

using namespace std::chrono_literals;
constexpr size_t kMostSaid = 4096;  // bytes of what the other side says that are kept
constexpr size_t kMostDepth = 200;

class File {
 public:
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

Result<std::vector<std::string>> names_in(const std::string& path) {
  DIR* dir = ::opendir(path.c_str());
  if (!dir) return Error{fmt::format("cannot read the directory \"{}\": {}", path, system_text(errno))};
  std::vector<std::string> names;
  while (const dirent* e = ::readdir(dir))
    if (const std::string name = e->d_name; name != "." && name != "..") names.push_back(name);
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}
constexpr std::string_view kEndOfFile("\0", 1);

}  // namespace

ScpSender::ScpSender(std::unique_ptr<Channel> c, const Patience& patience)
    : channel_(std::move(c)), patience_(patience), output_([this](std::string_view piece, bool is_stderr) {
        std::string& to = is_stderr ? errors_ : said_;
        to.append(piece.substr(0, kMostSaid - std::min(to.size(), kMostSaid)));
      }) {}

Result<void> ScpSender::content(const std::string& name, std::string_view bytes, int mode) {
  if (Result<void> ok = line(fmt::format("C{:04o} {} ", mode, bytes.size()), name); !ok) return ok;
  if (Result<void> ok = send(bytes); !ok) return ok;
  return send_and_wait(kEndOfFile);
}

Result<void> ScpSender::file(const std::string& path, const std::string& name, int mode) {
  const File f(path);
  struct stat st;
  if (f.fd() < 0 || ::fstat(f.fd(), &st) != 0)
    return Error{fmt::format("cannot open \"{}\": {}", path, system_text(errno))};
  if (!S_ISREG(st.st_mode)) return Error{fmt::format("\"{}\" is neither a file nor a directory", path)};
  if (Result<void> ok = line(fmt::format("C{:04o} {} ", mode, st.st_size), name); !ok) return ok;
  std::vector<char> buffer(1 << 18);
  for (off_t left = st.st_size; left > 0;) {
    const ssize_t n =
        ::read(f.fd(), buffer.data(), std::min<size_t>(buffer.size(), static_cast<size_t>(left)));
    if (n <= 0) return Error{fmt::format("\"{}\" was truncated while it was being read", path)};
    if (Result<void> ok = send({buffer.data(), static_cast<size_t>(n)}); !ok) return ok;
    left -= n;
  }
  return send_and_wait(kEndOfFile);
}

Result<void> ScpSender::directory(const std::string& path, const std::string& name) {
  if (Result<void> ok = line("D0755 0 ", name); !ok) return ok;
  if (Result<void> ok = inside(path); !ok) return ok;
  return send_and_wait("E\n");
}

Result<void> ScpSender::inside(const std::string& path) {
  struct stat st;
  if (::stat(path.c_str(), &st) != 0)
    return Error{fmt::format("cannot open \"{}\": {}", path, system_text(errno))};
  const std::pair id(st.st_dev, st.st_ino);
  if (std::find(way_.begin(), way_.end(), id) != way_.end() || way_.size() >= kMostDepth)
    return Error{
        fmt::format("\"{}\" leads back to a directory that contains it, or is nested too deeply", path)};
  way_.push_back(id);
  Result<std::vector<std::string>> names = names_in(path);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    const std::string one = path + "/" + name;
    if (Result<void> ok = real_fs().is_dir(one) ? directory(one, name) : file(one, name, 0644); !ok)
      return ok;
  }
  way_.pop_back();
  return {};
}

Result<void> ScpSender::finish() {
  channel_->end_input();
  if (Result<void> ok = wait([&] { return channel_->ended(); }); !ok) return ok;
  if (std::optional<std::string> why = channel_->failure()) return Error{problem("scp failed: " + *why)};
  return {};
}

Result<void> ScpSender::line(std::string head, const std::string& name) {
  if (name.find('\n') != name.npos)
    return Error{"a name with a line break cannot be uploaded: \"" + one_line(name) + "\""};
  return send_and_wait(head.append(name) + "\n");
}

Result<void> ScpSender::send(std::string_view bytes) {
  Result<void> ok = channel_->write(bytes, output_, patience_);
  if (ok || stopped(patience_.stop)) return ok;
  read_rest();
  return Error{problem(ok.error().message)};
}

Result<void> ScpSender::send_and_wait(std::string_view bytes) {
  if (Result<void> ok = send(bytes); !ok) return ok;
  return consent();
}

Result<void> ScpSender::wait(const std::function<bool()>& ready) {
  const Patience patience = patience_.at_most(300s);
  for (;;) {
    const bool any = channel_->read(output_);
    if (ready()) return {};
    if (patience.over())
      return stopped(patience.stop) ? interrupted() : Error{problem("the server does not answer")};
    if (!any) channel_->session().wait(20);
  }
}

Result<void> ScpSender::consent() {
  if (Result<void> ok = wait([&] { return !said_.empty() || channel_->ended(); }); !ok) return ok;
  if (said_.empty()) {
    const std::optional<std::string> why = channel_->failure();
    return Error{problem("the program scp on the server failed" + (why ? ": " + *why : std::string()))};
  }
  const char code = said_[0];
  said_.erase(0, 1);
  if (code == 0) return {};
  read_rest();
  if (code != 1 && code != 2) said_.insert(0, 1, code);
  return Error{"the server rejected the upload: " + one_line(said_ + " " + errors_)};
}

void ScpSender::read_rest() {
  for (int i = 0; i < 10 && said_.find('\n') == said_.npos && !channel_->ended(); ++i)
    if (!channel_->read(output_)) channel_->session().wait(20);
}

std::string ScpSender::problem(std::string text) const {
  const std::string more = one_line(said_ + " " + errors_);
  return more.empty() ? text : text + "; it said: " + more;
}

}  // namespace xplan::remote
