// The console's prompt on top of libedit: history, completion of known words, and Ctrl-C that drops the
// current line. The only file that uses that library.
#include "cmd/xplan/line_editor.h"

#include <editline/readline.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cmd/xplan/interrupt.h"
#include "core/base/utf8.h"

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

const AwaitInput* g_input = nullptr;  // of the line that is being read
size_t g_typed = 0;                   // characters of it so far, also those that were deleted again

int next_byte() {
  for (;;) {
    const Waited came = g_input->wait();
    if (came == Waited::Interrupt) return EOF;
    if (came == Waited::OtherSignal) {  // such as going on after Ctrl-Z, with the terminal as others left it
      rl_prep_terminal(1);
      rl_resize_terminal();
      rl_forced_update_display();
      continue;
    }
    unsigned char c = 0;
    const ssize_t n = ::read(0, &c, 1);
    if (n == 1) return c;
    if (n == 0 || errno != EINTR) return EOF;
  }
}

// The library takes a whole character for what this returns.
int next_character(FILE*) {
  const int first = next_byte();
  if (first == EOF) return EOF;
  ++g_typed;
  const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  std::string bytes(1, static_cast<char>(first));
  for (int i = 0; i < more; ++i) {
    const int next = next_byte();
    if (next == EOF) return EOF;
    bytes += static_cast<char>(next);
  }
  size_t at = 0;
  return static_cast<int>(utf8_decode(bytes, at));
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
  rl_getc_function = next_character;
  using_history();
  for (const std::string& line : history_.load()) add_history(line.c_str());
}

bool LineEditor::was_typing() const {
  return g_typed > 0;
}

LineEditor::~LineEditor() {
  delete g_words;
  g_words = nullptr;
}

Typed LineEditor::read(const char* prompt, std::string& line) {
  AwaitInput input;
  g_input = &input;
  g_typed = 0;
  char* text = readline(prompt);
  g_input = nullptr;
  if (input.interrupted()) {
    std::free(text);
    line.clear();
    return Typed::Interrupted;
  }
  if (!text) return Typed::End;
  line = text;
  std::free(text);
  if (history_.keep(line)) add_history(line.c_str());
  return Typed::Line;
}

}  // namespace xplan::cmd
