#include "cmd/xplan/line_editor.h"

#include <editline/readline.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace xplan::cmd {
namespace {

std::vector<std::string>* g_words = nullptr;

char* next_word(const char* text, int state) {
  static size_t at = 0;
  if (state == 0) at = 0;
  size_t length = std::strlen(text);
  while (g_words && at < g_words->size()) {
    const std::string& w = (*g_words)[at++];
    if (w.compare(0, length, text) == 0) return strdup(w.c_str());
  }
  return nullptr;
}

char** complete(const char* text, int, int) {
  rl_attempted_completion_over = 1;  // never file names
  rl_completion_append_character = '\0';
  return rl_completion_matches(text, next_word);
}

}  // namespace

LineEditor::LineEditor(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  g_words = new std::vector<std::string>(std::move(words));
  static char breaks[] = " \t\n\"'`(){}[]<>=+*/%!&|?:,;";
  rl_completer_word_break_characters = breaks;
  rl_attempted_completion_function = complete;
  using_history();
}

LineEditor::~LineEditor() {
  delete g_words;
  g_words = nullptr;
}

bool LineEditor::read(const char* prompt, std::string& line) {
  char* text = readline(prompt);
  if (!text) return false;
  line = text;
  if (*text) add_history(text);
  std::free(text);
  return true;
}

}  // namespace xplan::cmd
