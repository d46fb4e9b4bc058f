// Escapes text for Markdown, and puts it between fences that it cannot close.
#include "render/markdown/markup.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/terminal.h"
#include "core/base/utf8.h"

namespace xplan::render::markdown {
namespace {

constexpr std::string_view kMarkup = "&<>`*~[]\\|@#:$!_";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// An underscore within a word means nothing; the point of "www." makes a link.
bool stands_for_itself(std::string_view text, size_t i) {
  if (text[i] == '_' && i > 0 && i + 1 < text.size()) return is_word(text[i - 1]) && is_word(text[i + 1]);
  if (text[i] == '.') return i == 0 || (text[i - 1] != 'w' && text[i - 1] != 'W');
  return kMarkup.find(text[i]) == std::string_view::npos;
}

// What stands between tags of a terminal's code counts as one sign: "+", "-/+".
struct Sign {
  std::string text;
  size_t end = 0;  // behind it
};
Sign sign_at(std::string_view line, size_t i) {
  Sign s{"", i};
  std::string text;
  while (i < line.size()) {
    if (const size_t length = line[i] == '\xff' ? terminal_code_length(line, i) : 0; length > 0)
      i += length, s = {text, i};
    else if (std::string_view("+-~/<=.").find(line[i]) != std::string_view::npos)
      text += line[i++];
    else
      break;
  }
  return s;
}

void put_diff_line(std::string_view line, std::string& out) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (indent < line.size() && line[indent] == '\xff' && terminal_code_length(line, indent) > 0) {
    const Sign sign = sign_at(line, indent);
    const bool one = sign.text == "+" || sign.text == "-" || sign.text == "~";
    if (one) out += sign.text == "~" ? '!' : sign.text[0];
    out.append(indent, ' ');
    if (!one) out += sign.text;
    line.remove_prefix(sign.end);
  }
  out += for_terminal(without_terminal_codes(line));
}

}  // namespace

std::string code(std::string_view text, size_t most_characters) {
  std::string shown = for_terminal(text.substr(0, most_characters * 8));
  std::string out = "<code>";
  size_t i = 0, count = 0;
  for (; i < shown.size() && count < most_characters; ++count) {
    const char c = shown[i];
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "&#92;n" : "&#92;t", ++i;
    } else if (const size_t length = std::max<size_t>(utf8_length_at(shown, i), 1); length > 1) {
      out += shown.substr(i, length), i += length;
    } else {
      if (stands_for_itself(shown, i))
        out += c;
      else
        out += fmt::format("&#{};", static_cast<unsigned char>(c));
      ++i;
    }
  }
  if (i < shown.size() || text.size() > most_characters * 8) out += "…";
  return out + "</code>";
}

std::string diff_lines(std::string_view printed) {
  std::string out;
  out.reserve(printed.size());
  while (!printed.empty()) {
    const size_t end = printed.find('\n');
    put_diff_line(printed.substr(0, end), out);
    out += '\n';
    if (end == std::string_view::npos) break;
    printed.remove_prefix(end + 1);
  }
  return out;
}

std::string_view first_lines(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  const size_t line_end = text.substr(0, most_bytes).rfind('\n');
  if (line_end != std::string_view::npos) return text.substr(0, line_end + 1);
  size_t end = most_bytes;  // of the first line
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string fenced(std::string_view language, std::string_view text) {
  size_t longest = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, text,
                     text.empty() || text.ends_with('\n') ? "" : "\n", fence);
}

}  // namespace xplan::render::markdown
