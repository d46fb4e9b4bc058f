// Text for people: options, colours, word wrapping, rules.
//
// Who calls it: every human_*.cc of this folder, and cmd for its own sentences.
// Contract: all functions append to `out`. Colours are given as a Style and vanish when HumanOptions::color
// is off; nothing here writes to a stream, so that a renderer can be tested as text. Cost: linear in the
// text.  Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/quote.h"
#include "render/diff_style.h"

namespace xplan {
struct ResourceChange;
}
namespace xplan::render {

struct HumanOptions {
  bool color = false;
  int width = 78;  // columns of the terminal; 78 where there is none, 0: never wrap
  DiffStyle diff = DiffStyle::Compat;
  int note_width = 0;  // the same for the notes of changes, which tools read: 0 where there is none
  std::string product = "xplan";  // "xplan will perform the following actions:"
  bool in_automation = false;     // leave out what to type next
  bool show_sensitive = false;    // print sensitive values in clear
  bool compact_warnings = false;  // warnings as a list of summaries, when there are no errors
  bool consolidate_warnings = true, consolidate_errors = false;  // those of one summary are one
  bool plain_diagnostics = false;  // diagnostics without the box around them (-no-color)
  // Adds lines below the header of a proposed change.
  std::function<void(const ResourceChange&, std::string& out)> why;
};

enum class Style : uint8_t {
  Plain,
  Bold,
  Green,
  Red,
  Yellow,
  Cyan,
  Faint,
  BoldRed,
  BoldGreen,
  BoldYellow,
  BoldCyan,
  Underline
};

// The terminal's code for a style, as base/terminal.h lets it pass; empty without colour. Plain is the reset
// code.
std::string_view style_code(Style s, bool color);
// Appends text in a style, and the reset code after it.
void put(std::string& out, std::string_view text, Style s, bool color);

// Breaks lines longer than `width` at spaces; items of lists ("  - ") go on below their first word. Other
// lines that begin with a space are kept as they are (code, commands). Width 0: as it is.
void put_wrapped(std::string& out, std::string_view text, int width);
// `first` and the words of one line, broken at spaces with `next` before each further line. Width 0: as it
// is.
void put_hanging(std::string& out, std::string_view first, std::string_view text, std::string_view next,
                 int width);
// A horizontal rule over the width, on lines of its own.
void put_rule(std::string& out, const HumanOptions& options);
// Display columns of one line (wide characters count two, combining ones none).
int display_width(std::string_view text);

// A name as it is, or quoted when it is not an identifier.
void put_name(std::string& out, std::string_view name);
// 59s, 1m0s, 1h0m0s
std::string seconds_text(int64_t seconds);
// 1,234,567
std::string grouped_digits(size_t n);
// Text, then spaces up to that many characters (code points).
void put_padded(std::string& out, std::string_view text, size_t width);

// Where long output goes piece by piece, so that a plan of 100,000 changes is never held as one text.
using Sink = std::function<void(std::string_view)>;

}  // namespace xplan::render
