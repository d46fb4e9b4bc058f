// Speaks the sending side of scp: a line for each file or directory, its bytes, and a byte of consent for
// each.
#include "core/remote/upload.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "core/base/fs.h"
#include "core/base/system_text.h"
#include "core/remote/channel.h"

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

class Sink {
 public:
  Sink(std::unique_ptr<Channel> c, const Patience& patience) : channel_(std::move(c)), patience_(patience) {}

  Result<void> begin() { return consent(); }

  Result<void> content(const std::string& name, std::string_view bytes, int mode) {
    if (Result<void> ok = line(fmt::format("C{:04o} {} ", mode, bytes.size()), name); !ok) return ok;
    if (Result<void> ok = send(bytes); !ok) return ok;
    return end_of_file();
  }

  Result<void> file(const std::string& path, const std::string& name, int mode) {
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
      if (n <= 0) return Error{fmt::format("\"{}\" became shorter while it was read", path)};
      if (Result<void> ok = send({buffer.data(), static_cast<size_t>(n)}); !ok) return ok;
      left -= n;
    }
    return end_of_file();
  }

  Result<void> directory(const std::string& path, const std::string& name) {
    if (Result<void> ok = line("D0755 0 ", name); !ok) return ok;
    if (Result<void> ok = inside(path); !ok) return ok;
    return send_and_wait("E\n");
  }

  Result<void> inside(const std::string& path) {
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

  // Everything was sent: the command must agree by ending well.
  Result<void> finish() {
    channel_->end_input();
    if (Result<void> ok = wait([&] { return channel_->ended(); }); !ok) return ok;
    if (std::optional<std::string> why = channel_->failure()) return Error{problem("scp failed: " + *why)};
    return {};
  }

 private:
  Result<void> line(std::string head, const std::string& name) {
    if (name.find('\n') != name.npos)
      return Error{"a name with a line break cannot be uploaded: \"" + one_line(name) + "\""};
    return send_and_wait(head.append(name) + "\n");
  }
  Result<void> end_of_file() { return send_and_wait(std::string_view("\0", 1)); }
  Result<void> send(std::string_view bytes) {
    Result<void> ok = channel_->write(bytes, output_, patience_);
    if (ok || stopped(patience_.stop)) return ok;
    read_rest();
    return Error{problem(ok.error().message)};
  }
  Result<void> send_and_wait(std::string_view bytes) {
    if (Result<void> ok = send(bytes); !ok) return ok;
    return consent();
  }

  Result<void> wait(const std::function<bool()>& ready) {
    const Patience patience = patience_.at_most(300s);
    for (;;) {
      const bool any = channel_->read(output_);
      if (ready()) return {};
      if (patience.over())
        return stopped(patience.stop) ? interrupted() : Error{problem("the server does not answer")};
      if (!any) channel_->session().wait(20);
    }
  }
  // A byte 0; or 1 or 2 with a line of text.
  Result<void> consent() {
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
    return Error{"the server refused it: " + one_line(said_ + " " + errors_)};
  }
  // What follows within a moment belongs to the reason.
  void read_rest() {
    for (int i = 0; i < 10 && said_.find('\n') == said_.npos && !channel_->ended(); ++i)
      if (!channel_->read(output_)) channel_->session().wait(20);
  }
  std::string problem(std::string text) const {
    const std::string more = one_line(said_ + " " + errors_);
    return more.empty() ? text : text + "; it said: " + more;
  }

  std::unique_ptr<Channel> channel_;
  const Patience patience_;
  std::string said_, errors_;
  std::vector<std::pair<dev_t, ino_t>> way_;
  const Channel::Output output_ = [this](std::string_view piece, bool is_stderr) {
    std::string& to = is_stderr ? errors_ : said_;
    to.append(piece.substr(0, kMostSaid - std::min(to.size(), kMostSaid)));
  };
};

struct Place {
  std::string directory, name;
};
Place place_of(const Upload& to) {
  std::string path = without_home(to.destination);
  if (to.windows) std::replace(path.begin(), path.end(), '\\', '/');
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

Result<void> transfer(Session& s, const char* options, const std::string& to, bool windows,
                      const Patience& patience, const std::function<Result<void>(Sink&)>& what) {
  Result<std::unique_ptr<Channel>> c = Channel::run(
      s, fmt::format("scp {} {}", options, remote_word(to, windows)), Channel::Terminal::No, patience);
  if (!c) return c.error();
  Sink sink(std::move(*c), patience);
  if (Result<void> ok = sink.begin(); !ok) return ok;
  if (Result<void> ok = what(sink); !ok) return ok;
  return sink.finish();
}

}  // namespace

std::string without_home(const std::string& path) {
  if (path == "~") return ".";
  return path.starts_with("~/") ? path.substr(std::min(path.find_first_not_of('/', 1), path.size())) : path;
}

std::string remote_word(std::string_view path, bool windows) {
  if (windows) return '"' + std::string(path) + '"';
  std::string out = path.starts_with('-') ? "'./" : "'";
  for (char c : path)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

Result<void> upload_content(Session& s, std::string_view content, const Upload& to,
                            const Patience& patience) {
  const Place p = place_of(to);
  if (p.name.empty()) return Error{"the destination ends with a slash, but content needs the name of a file"};
  return transfer(s, "-d -t", p.directory, to.windows, patience,
                  [&](Sink& sink) { return sink.content(p.name, content, to.mode); });
}

Result<void> upload_path(Session& s, const std::string& source, const Upload& to, const Patience& patience) {
  struct stat st;
  if (::stat(source.c_str(), &st) != 0)
    return Error{fmt::format("cannot open \"{}\": {}", source, system_text(errno))};
  const size_t end = source.find_last_not_of('/');
  const std::string path = end == source.npos ? "/" : source.substr(0, end + 1);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (!S_ISDIR(st.st_mode)) {
    const Place p = place_of(to);
    return transfer(s, "-d -t", p.directory, to.windows, patience,
                    [&](Sink& sink) { return sink.file(source, p.name.empty() ? name : p.name, to.mode); });
  }
  const std::string destination = without_home(to.destination);
  const bool itself = path == source && name != "." && name != "..";
  return transfer(s, itself ? "-r -t" : "-r -d -t", destination, to.windows, patience,
                  [&](Sink& sink) { return itself ? sink.directory(path, name) : sink.inside(path); });
}

}  // namespace xplan::remote
