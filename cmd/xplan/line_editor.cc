// The console's prompt on top of libedit: history, completion of known words, and Ctrl-C that drops the
// current line. The only file that uses that library.
#include "cmd/xplan/line_editor.h"

#include <editline/readline.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>

#include "cmd/xplan/interrupt.h"

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

LineEditor::LineEditor(std::vector<std::string> words, ConsoleHistory history)
    : history_(std::move(history)) {
  std::sort(words.begin(), words.end());
  g_words = new std::vector<std::string>(std::move(words));
  std::setlocale(LC_CTYPE, "C.UTF-8");  // else the library takes ASCII only
  static char breaks[] = " \t\n\"'`(){}[]<>=+*/%!&|?:,;";
  rl_completer_word_break_characters = breaks;
  rl_attempted_completion_function = complete;
  using_history();
  for (const std::string& line : history_.load()) add_history(line.c_str());
}

LineEditor::~LineEditor() {
  delete g_words;
  g_words = nullptr;
}

Typed LineEditor::read(const char* prompt, std::string& line) {
  AwaitInput input;
  char* text = readline(prompt);
  if (input.interrupted()) {
    std::free(text);
    return Typed::Interrupted;
  }
  if (!text) return Typed::End;
  line = text;
  std::free(text);
  if (history_.keep(line)) add_history(line.c_str());
  return Typed::Line;
}

}  // namespace xplan::cmd
