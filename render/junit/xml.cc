// Escapes text for XML.
#include "render/junit/xml.h"

#include <fmt/format.h>

#include "core/base/terminal.h"
#include "core/base/utf8.h"

namespace xplan::render {
namespace {

// `put` writes what may stand in XML, from `begin` of `text` up to the next character.
template <class Put>
std::string each_character(const std::string& text, Put put) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    const char32_t c = utf8_decode(text, i);
    if (c == 0xFFFE || c == 0xFFFF)
      out += c == 0xFFFE ? "\\ufffe" : "\\uffff";
    else
      put(out, c, std::string_view(text).substr(begin, i - begin));
  }
  return out;
}

}  // namespace

std::string xml_text(std::string_view text) {
  return each_character(for_terminal(text), [](std::string& out, char32_t c, std::string_view as_it_is) {
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\n' || c == '\t')
      out += fmt::format("&#{};", static_cast<uint32_t>(c));
    else
      out += as_it_is;
  });
}

std::string xml_cdata(std::string_view text) {
  std::string out = each_character(
      for_terminal(text), [](std::string& to, char32_t, std::string_view as_it_is) { to += as_it_is; });
  for (size_t at = 0; (at = out.find("]]>", at)) != std::string::npos; at += 15)
    out.replace(at, 3, "]]]]><![CDATA[>");
  return "<![CDATA[" + out + "]]>";
}

}  // namespace xplan::render
