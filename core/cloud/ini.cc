// Reads INI text line by line.
#include "core/cloud/ini.h"

#include "core/base/text.h"

namespace xplan::cloud {
namespace {

// Up to a comment behind a space.
std::string_view without_comment(std::string_view line) {
  for (size_t i = 1; i < line.size(); ++i)
    if ((line[i] == '#' || line[i] == ';') && (line[i - 1] == ' ' || line[i - 1] == '\t'))
      return line.substr(0, i);
  return line;
}

}  // namespace

Ini parse_ini(std::string_view text) {
  Ini out;
  IniSection* section = nullptr;
  std::string parent;  // an argument whose value may stand indented below it
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end), said = trimmed(line);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (said.empty() || said[0] == '#' || said[0] == ';') continue;
    const bool indented = line[0] == ' ' || line[0] == '\t';
    if (said[0] == '[') {
      const size_t close = said.find(']');
      parent.clear();
      section = close == said.npos ? nullptr : &out[std::string(trimmed(said.substr(1, close - 1)))];
      continue;
    }
    const size_t equals = said.find('=');
    if (!section || equals == said.npos) continue;
    const std::string name = ascii_lower(trimmed(said.substr(0, equals)));
    const std::string value(trimmed(without_comment(said.substr(equals + 1))));
    if (indented && !parent.empty()) {
      (*section)[parent + "." + name] = value;
    } else {
      (*section)[name] = value;
      parent = value.empty() ? name : "";
    }
  }
  return out;
}

}  // namespace xplan::cloud
