// The format language of format() and formatlist(): parsing a format string and applying it.
//
// Who calls it: format.cc.
// Grammar: %[flags][width][.precision][[argument]]verb, flags from 0 # - + space, numbers without leading
// zeros, arguments counted from 1; %% is a percent sign. Verbs: v t b d o x X e E f g G s q. Cost:
// parse_format is linear in the text and is done once for all elements of formatlist(); apply_format is
// linear in the result, which is limited. Thread-safety: pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/functions/support.h"

namespace xplan::eval {

struct FormatVerb {
  std::string_view raw;  // as written, for messages
  size_t offset = 0;     // of the percent sign
  size_t argument = 0;   // counted from 1
  char verb = 0;
  bool zero = false, sharp = false, plus = false, minus = false, space = false;
  std::optional<size_t> width, precision;
};

struct FormatPiece {
  std::string literal;             // before the verb
  std::optional<FormatVerb> verb;  // the last piece has none
};

struct Format {
  std::vector<FormatPiece> pieces;
  size_t arguments = 0;  // the highest number that occurs
  std::string problem;   // not empty: the text is malformed from here on; found before that are `pieces`
};

Format parse_format(std::string_view text);
// False: `error` says why; its argument is relative to args (or -1).
bool apply_format(const Format& format, Args args, std::string& out, CallError& error);

}  // namespace xplan::eval
