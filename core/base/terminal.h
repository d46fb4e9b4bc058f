// Text on its way to a terminal: codes of our own pass, everything else that would act on a terminal is shown
// instead. Values, names, file contents and what other programs said may hold any bytes.
//
// Who calls it: renderers wrap the codes they make in terminal_code(); cmd/xplan/streams.cc and base/log.cc
// pass everything they write through a filter, so that nobody else needs to think of it.
// Contract: our codes stand between tags that are chosen at random when the process starts, so nothing that
// comes from outside can pass for one. Shown as \uXXXX, as JSON and the configuration language write them:
// control characters but line feed and tab (C0, DEL, C1), and the marks that reorder text (bidirectional
// embeddings, overrides, isolates). Ill-formed bytes are shown as \xXX. A carriage return before a line feed
// is dropped.  Cost: linear.  Thread-safety: the functions are pure; a filter belongs to one stream.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace xplan {

std::string terminal_code(std::string_view code);
// Length of the code with its tags that begins at text[at]; 0 where none does.
size_t terminal_code_length(std::string_view text, size_t at);

class TerminalFilter {
 public:
  // Appends what may be written of the text. A character that is cut off at its end waits for the next piece.
  void add(std::string_view text, std::string& out);
  void finish(std::string& out);  // appends what waited in vain

 private:
  std::string cut_;
};
// A text that stands alone.
std::string for_terminal(std::string_view text);
// What another program said, wherever it goes: what acts on a terminal is shown as there, and ill-formed
// bytes are U+FFFD, as the reference has them.
std::string harmless_text(std::string_view text);
// The same of what people read for its own sake, such as the output of their commands: colours stay.
std::string harmless_output(std::string_view text);
// The text for a file: without codes of our own, every other byte as it is.
std::string without_terminal_codes(std::string_view text);
// The text for a file that is to have our codes; every other byte as it is.
std::string with_terminal_codes(std::string_view text);

}  // namespace xplan
