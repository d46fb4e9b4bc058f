// Recognizes strings in which only whitespace changes, and strings that are encoded data (base64, PEM).
#include "render/smart/text_change.h"

#include <algorithm>
#include <cctype>

#include "render/smart/lines.h"

namespace xplan::render {

namespace {

enum class LineEnd { None, Lf, CrLf, Mixed };

LineEnd line_end(std::string_view text) {
  size_t lf = 0, crlf = 0;
  for (size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1))
    ++(i && text[i - 1] == '\r' ? crlf : lf);
  return lf && crlf ? LineEnd::Mixed : lf ? LineEnd::Lf : crlf ? LineEnd::CrLf : LineEnd::None;
}

std::string_view name_of(LineEnd e) {
  return e == LineEnd::Lf ? "LF" : "CRLF";
}

std::string without(std::string_view text, std::string_view characters) {
  std::string out;
  out.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [&](char c) { return characters.find(c) == characters.npos; });
  return out;
}

// Each line without whitespace at its end, line feeds between them.
std::string without_line_ends(std::string_view text, bool blank_lines) {
  std::string out;
  for_each_line(text, [&](std::string_view line) {
    const size_t last = line.find_last_not_of(" \t\r");
    line = line.substr(0, last == line.npos ? 0 : last + 1);
    if (line.empty() && !blank_lines) return;
    out += line;
    out += '\n';
  });
  return out;
}

std::string_view without_final_newlines(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

bool only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == text.npos;
}

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=\r\n";
constexpr size_t kShortestBlob = 64;

// The data between the BEGIN and END lines of PEM, and what it is; text that has no such lines as it is.
std::string_view armoured(std::string_view text, std::string& what) {
  constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ", kDashes = "-----";
  if (!text.starts_with(kBegin)) return text;
  const size_t name_end = text.find(kDashes, kBegin.size()), end = text.find(kEnd);
  if (name_end == text.npos || end == text.npos || end < name_end) return text;
  const std::string_view rest = text.substr(end);
  if (rest.find('\n') < without_final_newlines(rest).size()) return text;  // more than one
  const std::string_view name = text.substr(kBegin.size(), name_end - kBegin.size());
  if (name.size() > 40 || !only(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")) return text;
  what = "PEM " + std::string(name);
  return text.substr(name_end + kDashes.size(), end - name_end - kDashes.size());
}

}  // namespace

std::string line_end_change(std::string_view before, std::string_view after) {
  const LineEnd old = line_end(before), now = line_end(after);
  auto uniform = [](LineEnd e) { return e == LineEnd::Lf || e == LineEnd::CrLf; };
  if (!uniform(old) || !uniform(now) || old == now) return "";
  return "from " + std::string(name_of(old)) + " to " + std::string(name_of(now));
}

SpaceChange space_change(std::string_view before, std::string_view after) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  if (without(before, kSpace) != without(after, kSpace)) return {};
  if (const std::string_view core = without_final_newlines(before); core == without_final_newlines(after)) {
    const bool had = core.size() < before.size(), has = core.size() < after.size();
    if (only(before.substr(core.size()), "\n") && only(after.substr(core.size()), "\n"))
      return {!had   ? "only a newline at the end is added"
              : !has ? "only the newline at the end is removed"
                     : "only the number of newlines at the end changes",
              true};
  }
  if (without(before, "\r") == without(after, "\r")) {
    const std::string how = line_end_change(before, after);
    return {"only line endings change" + (how.empty() ? "" : ", " + how), true};
  }
  const bool lines = before.find('\n') != before.npos || after.find('\n') != after.npos;
  if (lines && without_line_ends(before, true) == without_line_ends(after, true))
    return {"only whitespace at the ends of lines changes", true};
  if (lines && without_line_ends(before, false) == without_line_ends(after, false))
    return {"only blank lines change", false};
  return {"only whitespace changes", false};
}

std::string blob_kind(std::string_view text, size_t& bytes) {
  std::string what;
  const std::string_view data = armoured(text, what);
  if (!only(data, kBase64)) return "";
  size_t digits = 0, padding = 0, slashes = 0, kinds = 0;
  bool upper = false, lower = false, number = false;
  for (char c : data) {
    const auto u = static_cast<unsigned char>(c);
    padding += c == '=';
    slashes += c == '/' || c == '-' || c == '_';
    digits += c != '=' && c != '\r' && c != '\n';
    upper |= std::isupper(u) != 0, lower |= std::islower(u) != 0, number |= std::isdigit(u) != 0;
  }
  kinds = size_t{upper} + size_t{lower} + size_t{number};
  bytes = digits * 3 / 4;
  if (!what.empty()) return what;
  // Paths and names have the same characters, but more of some, and are seldom of such a length.
  if (digits < kShortestBlob || kinds < 3 || slashes * 12 > digits || (digits + padding) % 4) return "";
  return data.starts_with("H4sI") ? "base64 of gzip data" : "base64";
}

}  // namespace xplan::render
