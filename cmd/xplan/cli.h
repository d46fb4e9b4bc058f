// Command lines: the flags of one command, declared by the command's own file and parsed by CLI11 behind this
// door.
//
// Who calls it: every command.
// Contract: flags are written as -name, -name=value, -name value, or with two dashes; a Boolean flag may have
// =true or =false. An unknown flag, a missing value or a surplus argument is one clear error (exit code 1);
// -h, -help and --help print the command's help (exit code 0). Thread-safety: none needed.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/xplan/streams.h"

namespace xplan::cmd {

class Flags {
 public:
  // usage: what follows "xplan"; about: one or two sentences for the help.
  Flags(std::string usage, std::string about);
  ~Flags();
  Flags& flag(std::string_view name, bool& value, std::string help);
  Flags& text(std::string_view name, std::string& value, std::string help, std::string value_name = "VALUE");
  Flags& number(std::string_view name, int& value, std::string help);
  Flags& list(std::string_view name, std::vector<std::string>& value, std::string help,
              std::string value_name = "VALUE");
  // Several flags whose order matters among each other: each occurrence is reported with its name.
  Flags& ordered(std::vector<std::pair<std::string, std::string>> names_and_help,
                 std::function<void(std::string_view name, std::string value)> seen);
  Flags& arguments(std::vector<std::string>& values, size_t min, size_t max, std::string names);

  using Misuse = std::function<void(std::string_view summary, std::string detail)>;
  // Nothing: run the command. Otherwise that was all, and the exit code; what was wrong was told to `misuse`.
  std::optional<int> parse(const std::vector<std::string>& args, Streams& io, const Misuse& misuse);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::cmd
