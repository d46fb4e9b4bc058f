// Lines: the output of a program, line by line as it comes.
//
// Who calls it: local-exec (core/apply), scripts on other machines (core/remote).
// Contract: complete lines go to f without whitespace at their ends; empty ones only if they are asked for.
// A carriage return ends a line, too: what a program writes over its last line is a line of its own. Cost:
// linear; at most 1 MiB of an endless line is kept.  Thread-safety: one thread.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace xplan {

class Lines {
 public:
  enum class Empty : bool { Dropped, Kept };
  explicit Lines(const std::function<void(std::string_view)>& f, Empty empty = Empty::Dropped)
      : f_(f), empty_(empty) {}
  void add(std::string_view s) {
    for (size_t end; (end = s.find_first_of("\r\n")) != s.npos; s.remove_prefix(end + 1)) {
      rest_ += s.substr(0, end);
      const bool second = s[end] == '\n' && returned_ && rest_.empty();  // of the end of one line
      returned_ = s[end] == '\r';
      if (second) continue;
      if (empty_ == Empty::Kept && rest_.empty()) f_("");
      finish();
    }
    if (!s.empty()) returned_ = false;
    rest_ += s;
    if (rest_.size() > kMost) finish();
  }
  void finish() {
    rest_.erase(rest_.find_last_not_of(" \t\v\f") + 1);
    if (!rest_.empty()) f_(rest_);
    rest_.clear();
  }

 private:
  static constexpr size_t kMost = 1 << 20;
  const std::function<void(std::string_view)>& f_;
  const Empty empty_;
  bool returned_ = false;  // the last character was a carriage return
  std::string rest_;
};

}  // namespace xplan
