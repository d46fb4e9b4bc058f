// fileset: matches names against one pattern part (*, ?, classes, alternatives) and walks directories for
// "**", with limits on steps, entries and depth.
#include "core/eval/functions/glob.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/fs.h"
#include "core/base/utf8.h"

namespace xplan::eval {

namespace {

constexpr size_t kMaxSteps = 1'000'000;  // of matching one name
constexpr size_t kMaxAllSteps = 500 * kMaxSteps;
constexpr int kMaxNesting = 200;            // stars and alternatives in one name
constexpr size_t kMaxEntries = 10'000'000;  // names looked at
constexpr int kMaxDirectories = 500;        // below one another
constexpr size_t kLook = 256;               // whether to stop, after so many names

enum class Match { No, Yes, Bad };

size_t find_unescaped(std::string_view s, char c) {
  for (size_t i = 0; i < s.size(); i++) {
    if (s[i] == '\\')
      i++;
    else if (s[i] == c)
      return i;
  }
  return std::string_view::npos;
}

// One character of a class, unescaped; false: the class is malformed.
bool class_character(std::string_view set, size_t& i, char32_t& c) {
  if (i >= set.size() || set[i] == '-') return false;
  if (set[i] == '\\' && ++i >= set.size()) return false;
  c = utf8_decode(set, i);
  return true;
}

Match match_class(std::string_view set, char32_t c) {
  bool inverse = set.starts_with('^');
  if (inverse) set.remove_prefix(1);
  bool found = false;
  for (size_t i = 0; i < set.size();) {
    char32_t low, high;
    if (!class_character(set, i, low)) return Match::Bad;
    high = low;
    if (i < set.size() && set[i] == '-') {
      i++;
      if (!class_character(set, i, high)) return Match::Bad;
    }
    found = found || (low <= c && c <= high);
  }
  return found != inverse ? Match::Yes : Match::No;
}

class NameMatcher {
 public:
  Match match_name(std::string_view pattern, std::string_view name) {
    all_steps_ += std::exchange(steps_, 0);
    return all_steps_ > kMaxAllSteps ? give_up() : match(pattern, name, 0);
  }

  bool too_complex = false;

 private:
  Match match(std::string_view pattern, std::string_view name, int nesting) {
    if (nesting > kMaxNesting) return give_up();
    if (name.empty()) return pattern.empty() || pattern == "*" ? Match::Yes : Match::No;
    size_t p = 0, n = 0;
    while (p < pattern.size() && n < name.size()) {
      if (++steps_ > kMaxSteps) return give_up();
      size_t after_name = n, after = p;
      char32_t have = utf8_decode(name, after_name), want = utf8_decode(pattern, after);
      switch (want) {
        case '*':
          if (after >= pattern.size()) return Match::Yes;
          for (; n < name.size() && !too_complex; utf8_decode(name, n)) {
            if (match(pattern.substr(after), name.substr(n), nesting + 1) == Match::Yes) return Match::Yes;
          }
          return Match::No;
        case '{':
          return alternatives(pattern.substr(after), name.substr(n), nesting);
        case '[': {
          size_t end = find_unescaped(pattern.substr(after), ']');
          if (end == std::string_view::npos || end == 0) return Match::Bad;
          Match m = match_class(pattern.substr(after, end), have);
          if (m != Match::Yes) return m;
          after += end + 1;
          break;
        }
        case '\\':
          if (after >= pattern.size()) return Match::Bad;
          want = utf8_decode(pattern, after);
          if (want != have) return Match::No;
          break;
        default:
          if (want != have && want != '?') return Match::No;
      }
      p = after, n = after_name;
    }
    std::string_view rest = pattern.substr(p);
    bool all = n == name.size() && (rest.empty() || rest == "*" || rest == "**");
    return all ? Match::Yes : Match::No;
  }

  Match give_up() {
    too_complex = true;
    return Match::No;
  }

  Match alternatives(std::string_view pattern, std::string_view name, int nesting) {
    size_t end = find_unescaped(pattern, '}');
    if (end == std::string_view::npos) return Match::Bad;
    std::string_view options = pattern.substr(0, end), rest = pattern.substr(end + 1);
    for (;;) {
      size_t comma = std::min(find_unescaped(options, ','), options.size());
      std::string whole(options.substr(0, comma));
      whole += rest;
      steps_ += whole.size() / 16;  // of copying
      if (Match m = match(whole, name, nesting + 1); m != Match::No) return m;
      if (comma == options.size() || too_complex) return Match::No;
      options.remove_prefix(comma + 1);
    }
  }

  size_t steps_ = 0, all_steps_ = 0;
};

class Globber {
 public:
  Globber(std::string_view base_dir, std::vector<std::string>& out, std::function<bool()> stopped)
      : base_dir_(base_dir), out_(out), stopped_(std::move(stopped)) {}

  GlobStatus run(std::string_view pattern) {
    std::string at = pattern.starts_with('/') ? "/" : ".";
    for (size_t i = 0; i <= pattern.size();) {  // a slash behind a backslash does not separate
      size_t end = i;
      while (end < pattern.size() && !(pattern[end] == '/' && (end == i || pattern[end - 1] != '\\'))) end++;
      if (end > i) parts_.emplace_back(pattern.substr(i, end - i));
      i = end + 1;
    }
    shorten_rows();
    walk(at, 0, 0);
    std::sort(out_.begin(), out_.end());
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
    return status_;
  }

 private:
  struct Entry {
    std::string name;
    bool is_link, is_dir;  // is_dir: with links followed
  };

  // In a row of **, every second one is matched as a name, as in the reference tools. So the row stands for
  // any number of directories and some more; walked as it stands, each ** multiplies the work.
  void shorten_rows() {
    std::vector<std::string> shorter;
    for (size_t i = 0; i < parts_.size();) {
      size_t n = 0;
      while (i + n < parts_.size() && parts_[i + n] == "**") n++;
      if (n == 0) {
        shorter.push_back(std::move(parts_[i++]));
        continue;
      }
      i += n;
      const bool last = i == parts_.size();
      if (!last) shorter.emplace_back("**");
      shorter.insert(shorter.end(), (last ? n - 1 : n) / 2, "*");
      if (last) shorter.emplace_back("**");
    }
    parts_ = std::move(shorter);
  }

  bool stat_at(const std::string& path, struct stat& info, bool follow) const {
    std::string at = join_path(base_dir_, path);
    return (follow ? ::stat : ::lstat)(at.c_str(), &info) == 0;
  }

  std::vector<Entry> list(const std::string& path) {
    std::vector<Entry> entries;
    std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(join_path(base_dir_, path).c_str()), closedir);
    if (!dir) return entries;
    while (dirent* e = readdir(dir.get())) {
      std::string_view name = e->d_name;
      if (name == "." || name == "..") continue;
      Entry entry{std::string(name), e->d_type == DT_LNK, e->d_type == DT_DIR};
      if (e->d_type == DT_LNK || e->d_type == DT_UNKNOWN) {
        struct stat info;
        std::string full = join_path(path, name);
        entry.is_link = stat_at(full, info, false) && S_ISLNK(info.st_mode);
        entry.is_dir = stat_at(full, info, true) && S_ISDIR(info.st_mode);
      }
      entries.push_back(std::move(entry));
      if (++seen_ > kMaxEntries) status_ = GlobStatus::TooComplex;
      if (seen_ % kLook == 0) look();
      if (status_ != GlobStatus::Ok) break;
    }
    return entries;
  }

  void look() {
    if (stopped_ && stopped_()) status_ = GlobStatus::Stopped;
  }

  // Matches parts_[part…] below `path`.
  void walk(std::string path, size_t part, int depth) {
    look();
    size_t first = part;
    while (part < parts_.size() && parts_[part].find_first_of("*?[{\\") == std::string::npos) part++;
    for (size_t i = first; i < part; i++) path = join_path(path, parts_[i]);
    struct stat info;
    if (status_ != GlobStatus::Ok || !stat_at(path, info, false)) return;
    if (part == parts_.size()) {
      out_.push_back(path);
      return;
    }
    if (!stat_at(path, info, true) || !S_ISDIR(info.st_mode)) return;
    if (depth > kMaxDirectories) {
      status_ = GlobStatus::TooComplex;
      return;
    }
    std::pair<dev_t, ino_t> here(info.st_dev, info.st_ino);
    std::vector<Entry> entries = list(path);
    if (parts_[part] == "**") {
      bool last = part + 1 == parts_.size();
      open_.push_back(here);
      for (const Entry& e : entries) {
        std::string full = join_path(path, e.name);
        if (e.is_dir && !(e.is_link && is_open(full))) {
          if (last) out_.push_back(full);
          walk(full, part, depth + 1);
        } else if (last && !e.is_dir && !dangling(e, full)) {
          out_.push_back(full);
        }
      }
      open_.pop_back();
      if (last) return;
      part++;
    }
    for (const Entry& e : entries) {
      look();
      if (status_ != GlobStatus::Ok) return;
      switch (matcher_.match_name(parts_[part], e.name)) {
        case Match::Bad:
          status_ = GlobStatus::BadPattern;
          return;
        case Match::No:
          if (matcher_.too_complex) status_ = GlobStatus::TooComplex;
          break;
        case Match::Yes:
          if (part + 1 == parts_.size())
            out_.push_back(join_path(path, e.name));
          else
            walk(join_path(path, e.name), part + 1, depth + 1);
      }
    }
  }

  bool is_open(const std::string& path) const {
    struct stat info;
    if (!stat_at(path, info, true)) return true;
    return std::find(open_.begin(), open_.end(), std::pair<dev_t, ino_t>(info.st_dev, info.st_ino)) !=
           open_.end();
  }
  // ** passes over links that lead nowhere; a pattern that matches their name does not.
  bool dangling(const Entry& e, const std::string& path) const {
    struct stat info;
    return e.is_link && !stat_at(path, info, true);
  }

  std::string base_dir_;
  std::vector<std::string>& out_;
  std::vector<std::string> parts_;
  std::vector<std::pair<dev_t, ino_t>> open_;  // directories that a ** is in
  std::function<bool()> stopped_;
  NameMatcher matcher_;
  size_t seen_ = 0;
  GlobStatus status_ = GlobStatus::Ok;
};

}  // namespace

GlobStatus glob(std::string_view base_dir, std::string_view pattern, std::vector<std::string>& out,
                std::function<bool()> stopped) {
  return Globber(base_dir, out, std::move(stopped)).run(pattern);
}

}  // namespace xplan::eval
