// The name of the program in messages, and words as a shell reads them.
#include "core/base/command_line.h"

#include <algorithm>
#include <utility>

namespace xplan {
namespace {

std::string& name() {
  static std::string text = "xplan";
  return text;
}

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=:,@%+").find(c) != std::string_view::npos;
}

}  // namespace

std::string_view program_name() {
  return name();
}

void set_program_name(std::string text) {
  name() = std::move(text);
}

std::string own_command(std::string_view words) {
  return '"' + name() + ' ' + std::string(words) + '"';
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out = "'";
  for (char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

}  // namespace xplan
