// Turns a terminal's colours into classes.
#include "render/html/styled.h"

#include "core/base/terminal.h"

namespace xplan::render::html {
namespace {

struct ClassOfCode {
  std::string_view code, name;
};
constexpr ClassOfCode kClasses[] = {{"\x1b[1m", "b"},  {"\x1b[32m", "g"}, {"\x1b[31m", "r"},
                                    {"\x1b[33m", "y"}, {"\x1b[36m", "c"}, {"\x1b[90m", "f"},
                                    {"\x1b[4m", "u"}};

std::string_view class_of_code(std::string_view code) {
  for (const ClassOfCode& c : kClasses)
    if (c.code == code) return c.name;
  return "";
}

void put_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
}

// Calls back for each piece of text that can be shown, and for each colour: its class, or "" for their end.
template <class Text, class Code>
void pieces(std::string_view text, const Text& on_text, const Code& on_code) {
  const std::string safe = for_terminal(text);
  std::string_view rest = safe;
  while (!rest.empty()) {
    const size_t at = rest.find('\x1b');
    if (at) on_text(rest.substr(0, at));
    if (at == std::string_view::npos) return;
    const size_t end = rest.find('m', at);  // codes of our own all end with it
    on_code(class_of_code(rest.substr(at, end + 1 - at)));
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

std::string_view class_of(Style style) {
  // In the order of Style.
  constexpr std::string_view kNames[] = {"", "b", "g", "r", "y", "c", "f", "b r", "b g", "b y", "b c", "u"};
  return kNames[static_cast<size_t>(style)];
}

void put_text(std::string& out, std::string_view text) {
  put_escaped(out, for_terminal(without_terminal_codes(text)));
}

void put_styled(std::string& out, std::string_view text) {
  int open = 0;
  auto close = [&] {
    for (; open > 0; --open) out += "</span>";
  };
  pieces(
      text, [&](std::string_view t) { put_escaped(out, t); },
      [&](std::string_view name) {
        if (name.empty()) return close();
        out += "<span class=\"";
        out += name;
        out += "\">";
        ++open;
      });
  close();
}

std::string marked(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  pieces(
      text, [&](std::string_view t) { out += t; },
      [&](std::string_view name) {
        out += '\x01';
        out += name.empty() ? "0" : name;
      });
  return out;
}

}  // namespace xplan::render::html
