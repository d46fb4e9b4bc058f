// What a terminal shows while changes are made: failed operations, those that run, and how far it all is.
//
// Who calls it: cmd, ten times a second (live_progress.cc).
// Contract: at most `height` lines of less than `width` columns, whatever the names are; names are cut at
// their beginning, where they are alike. No control characters but our own codes (base/terminal.h).
// Cost: linear in the lines shown, whatever is running.  Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xplan::render {

struct LiveOperation {
  std::string name, doing;  // "aws_instance.web[0]", "creating"
  int64_t seconds = 0;
};

struct LiveStatus {
  std::vector<LiveOperation> running;  // those that began first
  size_t running_in_all = 0;
  std::vector<LiveOperation> failed;  // the last ones
  size_t failed_in_all = 0;
  size_t done = 0, expected = 0;
  int64_t seconds = 0;
  double per_second = 0;  // operations that ended lately; 0: unknown
  bool stopping = false;
};

std::vector<std::string> live_lines(const LiveStatus& status, int width, int height, bool color);

// The text in at most so many columns; what is left out at its beginning is marked.
std::string end_of_text(std::string_view text, int columns);
// The same with a part of its middle left out: addresses differ in their modules, and in their instance keys.
std::string middle_left_out(std::string_view text, int columns);

}  // namespace xplan::render
