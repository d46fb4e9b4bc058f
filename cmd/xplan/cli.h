// Command lines: the flags of one command, declared by the command's own file, parsed by CLI11, which nothing
// else includes, and listed in its help.
//
// Who calls it: every command.
// Contract: flags are written as -name, -name=value, -name value, or with two dashes; a Boolean flag may have
// =true or =false. An unknown flag, a missing or invalid value or an extra argument is one clear error
// (exit code 1); -h, -help and --help print the command's help (exit code 0). Values are stored in the order
// in which they are given, so the last one counts. Thread-safety: none needed.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/xplan/streams.h"
#include "core/config/inputs.h"

namespace xplan::cmd {

// A row of a list in a help text: what is typed, and what it does.
struct HelpRow {
  std::string left, text;
};
// Rows as two columns, or, on a narrow terminal, with the explanations below.
void put_help_rows(std::string& out, const std::vector<HelpRow>& rows, size_t column, int width);
std::string option_name(const HelpRow& row);  // as it begins on a command line: "-json", "-out="
int help_width(const Streams& io);
bool is_help_flag(std::string_view argument);
// As flags take it: true, false, 1, 0 and the like.
std::optional<bool> parse_boolean(std::string_view text);

// Which variables' values commands take that evaluate nothing else.
inline constexpr std::string_view kOfEarly = " that the backend block or sources of modules use";

class Flags {
 public:
  // usage: what is typed after the program's name ("show [FILE]"); about: one or two sentences for the help.
  Flags(std::string usage, std::string about);
  ~Flags();
  Flags& flag(std::string_view name, bool& value, std::string help);
  // A flag that also takes other words, of which `takes` tells in full what is allowed. False: not this one.
  using Word = std::function<bool(const std::string& word)>;
  Flags& flag_or(std::string_view name, std::string left, Word word, std::string takes, std::string help);
  Flags& text(std::string_view name, std::string& value, std::string help, std::string value_name = "VALUE");
  // A whole number that is not negative.
  Flags& number(std::string_view name, int& value, std::string help);
  // Takes on or off, or what flag() takes.
  Flags& on_off(std::string_view name, bool& value, std::string help);
  // Takes one of a few words.
  Flags& choice(std::string_view name, std::string& value, std::vector<std::string> words, std::string help);
  // As parse_duration_ms() reads it.
  Flags& duration(std::string_view name, std::string& value, std::string help);
  Flags& list(std::string_view name, std::vector<std::string>& value, std::string help,
              std::string value_name = "VALUE");
  // A flag whose order among others matters: each occurrence is reported.
  Flags& each(std::string_view name, std::function<void(std::string value)> seen, std::string help,
              std::string value_name = "VALUE");
  // -var and -var-file, in the order in which they are given; `of` says whose variables.
  Flags& variables(std::vector<config::VariableOption>& options, std::string_view of);
  const std::vector<config::VariableOption>* given_variables() const;  // null: the command has no such flags
  // Flags that scripts give because other programs or commands have them, but that have no effect here.
  Flags& accepted_flag(std::string_view name);
  Flags& accepted_flag(std::string_view name, bool& value);  // but for what contradicts another option
  Flags& accepted_value(std::string_view name);
  // An option that people look for here, and the command that has it ("apply").
  Flags& elsewhere(std::string_view name, std::string command);
  Flags& arguments(std::vector<std::string>& values, size_t min, size_t max, std::string names);
  Flags& no_arguments(std::string advice);  // for those who give some
  Flags& note(std::string paragraph);       // stands behind the options in the help; may be repeated
  // Commands below this one, for its help.
  Flags& commands(std::vector<HelpRow> rows);

  // As they begin on a command line: "-json", "-out=".
  std::vector<std::string> option_names() const;
  // For completion. What is typed: "state show"; of an option as it is typed ("-target"), whether a value
  // follows, and what the help calls it ("ADDRESS", "smart|compat"); the same of an argument ("" where there
  // are no more).
  std::string typed() const;
  bool takes_value(std::string_view option) const;
  std::string value_name(std::string_view option) const;
  std::string argument_name(size_t place) const;

  using Misuse = std::function<void(std::string_view summary, std::string detail)>;
  // Nothing: run the command. Otherwise that was all, and the exit code; what was wrong was told to `misuse`.
  std::optional<int> parse(const std::vector<std::string>& args, Streams& io, const Misuse& misuse);

 private:
  struct Impl;
  // Stores a value; otherwise, what the option takes ("a whole number").
  using Store = std::function<std::string(const std::string& value)>;
  Flags& add(std::string_view name, bool takes_value, std::string left, std::string help, Store store);
  std::string help_text(const Streams& io) const;
  std::string command() const;  // "xplan plan"
  std::string help_hint() const;
  std::string unknown_option(std::string_view name) const;
  std::string wrong_arguments(const std::vector<std::string>& given) const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::cmd
