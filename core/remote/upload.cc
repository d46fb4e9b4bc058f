// Which command takes an upload, and what is sent to it.
#include "core/remote/upload.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/base/system_text.h"
#include "core/remote/scp.h"

namespace xplan::remote {
namespace {

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
                      const Patience& patience, const std::function<Result<void>(ScpSender&)>& what) {
  if (Result<void> ok = check_path(to, windows); !ok) return ok;
  Result<std::unique_ptr<Channel>> c = Channel::run(
      s, fmt::format("scp {} {}", options, remote_word(to, windows)), Channel::Terminal::No, patience);
  if (!c) return c.error();
  ScpSender sink(std::move(*c), patience);
  if (Result<void> ok = sink.begin(); !ok) return ok;
  if (Result<void> ok = what(sink); !ok) return ok;
  return sink.finish();
}

}  // namespace

std::string without_home(const std::string& path) {
  if (path == "~") return ".";
  return path.starts_with("~/") ? path.substr(std::min(path.find_first_not_of('/', 1), path.size())) : path;
}

Result<void> check_path(std::string_view path, bool windows) {
  if (path.find('\0') != path.npos) return Error{"the path contains a NUL character"};
  if (windows && path.find_first_of("\"<>|&^\r\n") != path.npos)
    return Error{fmt::format("the path \"{}\" contains a character that paths on Windows cannot have",
                             one_line(path))};
  return {};
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
                  [&](ScpSender& sink) { return sink.content(p.name, content, to.mode); });
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
    return transfer(s, "-d -t", p.directory, to.windows, patience, [&](ScpSender& sink) {
      return sink.file(source, p.name.empty() ? name : p.name, to.mode);
    });
  }
  const std::string destination = without_home(to.destination);
  const bool itself = path == source && name != "." && name != "..";
  return transfer(s, itself ? "-r -t" : "-r -d -t", destination, to.windows, patience,
                  [&](ScpSender& sink) { return itself ? sink.directory(path, name) : sink.inside(path); });
}

}  // namespace xplan::remote
