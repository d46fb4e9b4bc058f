// Colours, word wrapping, rules and padding for text output.
#include "render/text.h"

#include <fmt/format.h>

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "core/base/terminal.h"
#include "core/base/utf8.h"
#include "core/syntax/lexer.h"

namespace xplan::render {

std::string_view style_code(Style s, bool color) {
  static const auto codes = [] {
    // In the order of Style.
    constexpr std::string_view kCodes[] = {
        "\x1b[0m",  "\x1b[1m",         "\x1b[32m",        "\x1b[31m",        "\x1b[33m",        "\x1b[36m",
        "\x1b[90m", "\x1b[1m\x1b[31m", "\x1b[1m\x1b[32m", "\x1b[1m\x1b[33m", "\x1b[1m\x1b[36m", "\x1b[4m"};
    std::array<std::string, std::size(kCodes)> out;
    for (size_t i = 0; i < out.size(); ++i) out[i] = terminal_code(kCodes[i]);
    return out;
  }();
  return color ? std::string_view(codes[static_cast<size_t>(s)]) : std::string_view();
}

void put(std::string& out, std::string_view text, Style s, bool color) {
  if (!color || s == Style::Plain) {
    out += text;
    return;
  }
  out += style_code(s, true);
  out += text;
  out += style_code(Style::Plain, true);
}

int display_width(std::string_view text) {
  int width = 0;
  for (size_t i = 0; i < text.size();) {
    if (const size_t code = terminal_code_length(text, i)) {  // takes no room
      i += code;
      continue;
    }
    width += std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(utf8_decode(text, i))));
  }
  return width;
}

namespace {

void wrap_line(std::string& out, std::string_view line, std::string_view next, int column, int width) {
  int begin = 0;  // columns of a line before its first word
  for (size_t i = 0; i < line.size();) {
    size_t spaces = i;
    while (spaces < line.size() && line[spaces] == ' ') ++spaces;
    size_t word = std::min(line.find(' ', spaces), line.size());
    int gap = static_cast<int>(spaces - i), columns = display_width(line.substr(spaces, word - spaces));
    if (i && column > begin && column + gap + columns > width) {
      out += '\n';
      out += next;
      column = begin = display_width(next);
      gap = 0;
    }
    out.append(static_cast<size_t>(gap), ' ');
    out += line.substr(spaces, word - spaces);
    column += gap + columns;
    i = word;
  }
}

// Of an item of a list, the columns before its first word.
size_t item_indent(std::string_view line) {
  const size_t mark = line.find_first_not_of(' ');
  if (mark == std::string_view::npos || !line.substr(mark).starts_with("- ")) return 0;
  return mark + 2;
}

}  // namespace

void put_hanging(std::string& out, std::string_view first, std::string_view text, std::string_view next,
                 int width) {
  out += first;
  if (width <= 0)
    out += text;
  else
    wrap_line(out, text, next, display_width(first), width);
}

void put_wrapped(std::string& out, std::string_view text, int width) {
  for (size_t i = 0;;) {
    size_t end = std::min(text.find('\n', i), text.size());
    std::string_view line = text.substr(i, end - i);
    const size_t indent = item_indent(line);
    if (indent)
      put_hanging(out, line.substr(0, indent), line.substr(indent), std::string(indent, ' '), width);
    else if (!line.empty() && line[0] == ' ')
      out += line;
    else
      put_hanging(out, "", line, "", width);
    if (end == text.size()) return;
    out += '\n';
    i = end + 1;
  }
}

void put_rule(std::string& out, const HumanOptions& options) {
  out += '\n';
  out += style_code(Style::Faint, options.color);
  for (int i = options.width > 0 ? options.width : 78; i > 0; --i) out += "─";
  if (options.color) out += style_code(Style::Plain, true);
  out += '\n';
}

void put_name(std::string& out, std::string_view name) {
  if (!name.empty() && syntax::identifier_at(name, 0) == name.size())
    out += name;
  else
    append_quoted(out, name, Quoting::Debug);
}

void put_padded(std::string& out, std::string_view text, size_t width) {
  out += text;
  size_t characters = static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  if (characters < width) out.append(width - characters, ' ');
}

std::string seconds_text(int64_t seconds) {
  std::string out;
  if (seconds >= 3600) out += fmt::format("{}h", seconds / 3600);
  if (seconds >= 60) out += fmt::format("{}m", seconds / 60 % 60);
  return out + fmt::format("{}s", seconds % 60);
}

std::string grouped_digits(size_t n) {
  const std::string digits = std::to_string(n);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace xplan::render
