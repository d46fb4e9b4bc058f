// A small scanner over brackets, templates, strings, comments and heredocs that tells the console whether an
// expression needs more lines. It is not the parser: it must accept text that is not finished.
#include "cmd/xplan/incomplete.h"

#include <cctype>
#include <vector>

namespace xplan::cmd {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

// `at` is behind "<<". The position behind the heredoc, npos when its end is missing, `at` when it is not a
// heredoc.
size_t skip_heredoc(std::string_view text, size_t at) {
  size_t i = at;
  if (i < text.size() && text[i] == '-') ++i;
  size_t begin = i;
  while (i < text.size() && is_word(text[i])) ++i;
  std::string_view mark = text.substr(begin, i - begin);
  if (mark.empty() || (i < text.size() && text[i] != '\n')) return at;
  while (i < text.size()) {
    size_t line = i + 1, end = text.find('\n', line);
    if (end == std::string_view::npos) end = text.size();
    std::string_view s = text.substr(line > text.size() ? text.size() : line, end - line);
    size_t first = s.find_first_not_of(" \t");
    if (first != std::string_view::npos && s.substr(first) == mark) return end;
    i = end;
  }
  return std::string_view::npos;
}

}  // namespace

bool is_incomplete(std::string_view text) {
  std::vector<char> open;  // '(' '[' '{', '"' of a string, '$' of a template sequence
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!open.empty() && open.back() == '"') {
      if (c == '\n') return false;
      if (c == '"')
        open.pop_back();
      else if (c == '\\')
        ++i;
      else if ((c == '$' || c == '%') && i + 1 < text.size() && text[i + 1] == '{') {
        if (i > 0 && text[i - 1] == c) continue;  // $${ is plain text
        open.push_back('$'), ++i;
      }
      continue;
    }
    char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '"' || c == '(' || c == '[' || c == '{') {
      open.push_back(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty()) return false;
      open.pop_back();
    } else if (c == '#' || (c == '/' && next == '/')) {
      i = text.find('\n', i);
      if (i == std::string_view::npos) break;
    } else if (c == '/' && next == '*') {
      i = text.find("*/", i + 2);
      if (i == std::string_view::npos) return true;
      ++i;
    } else if (c == '<' && next == '<') {
      size_t behind = skip_heredoc(text, i + 2);
      if (behind == std::string_view::npos) return true;
      i = behind - 1;
    }
  }
  return !open.empty() && open.back() != '"';
}

}  // namespace xplan::cmd
