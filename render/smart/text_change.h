// What kind of change a string undergoes, where its content hardly tells: whitespace, line ends, and text
// that is data in disguise (base64, PEM).
//
// Who calls it: the printer, for changed strings in the smart style.
// Cost: linear.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan::render {

struct SpaceChange {
  std::string note;    // "only line endings change, from LF to CRLF"; empty: it is more than whitespace
  bool whole = false;  // the note says it all: there is no need to see the text
};
// Of two different strings.
SpaceChange space_change(std::string_view before, std::string_view after);

// "from LF to CRLF" when each text keeps to one way of ending lines, and they differ; else empty.
std::string line_end_change(std::string_view before, std::string_view after);

// What is encoded in a text that is nothing but base64 or PEM: "base64", "base64 of gzip data", "PEM
// certificate"; empty for other texts. `bytes`: how many are encoded.
std::string blob_kind(std::string_view text, size_t& bytes);

}  // namespace xplan::render
