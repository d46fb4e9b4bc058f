// Finds the place to go on at after a syntax error, and the end of a block that is not parsed. Looks at
// nothing but brackets, strings, heredocs and templates, since anything may be wrong with the rest.
#include "core/syntax/skip.h"

#include <algorithm>
#include <vector>

#include "core/syntax/lexer.h"

namespace xplan::syntax {
namespace {

// What encloses a position while text is skipped.
enum class Inside : char { Bracket, Paren, Brace, Quotes, Sequence, Heredoc };
struct Level {
  Inside kind;
  std::string_view marker = {};  // Heredoc
};

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string_view without_blanks(std::string_view s) {
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

// The levels that are open at a position, and the steps over one token of code or one piece of a string.
class Skipper {
 public:
  // `lines`: from the start of a line on, which may be a block's header.
  Skipper(std::string_view s, size_t from, bool lines) : s_(s), i_(from), lines_(lines), header_(lines) {}
  size_t at() const { return i_; }
  bool at_end() const { return i_ >= s_.size(); }
  bool outside() const { return levels_.empty(); }
  bool in_braces() const { return outside() || levels_.back().kind == Inside::Brace; }
  bool in_string() const {
    return !outside() && (levels_.back().kind == Inside::Quotes || levels_.back().kind == Inside::Heredoc);
  }
  void step_in_string();
  Token next() const { return scan(s_, i_, false); }
  void step_over(const Token& t);
  void close_forgotten();

 private:
  void open(Inside kind, std::string_view marker = {}) { levels_.push_back({kind, marker}); }
  void pop() {
    if (!outside()) levels_.pop_back();
  }
  void close(Inside kind) {
    if (!outside() && levels_.back().kind == kind) pop();
  }
  bool is(size_t at, char c) const { return at < s_.size() && s_[at] == c; }
  void step_in_quotes();
  void step_in_heredoc();
  void open_heredoc(const Token& t);

  std::string_view s_;
  size_t i_;
  const bool lines_;
  bool header_;  // no "=" on this line yet
  std::vector<Level> levels_;
};

void Skipper::step_in_string() {
  const char c = s_[i_];
  if (c == '$' || c == '%') {
    if (is(i_ + 1, c) && is(i_ + 2, '{')) {
      i_ += 3;
      return;
    }
    if (is(i_ + 1, '{')) {
      open(Inside::Sequence);
      i_ += 2;
      return;
    }
  }
  levels_.back().kind == Inside::Quotes ? step_in_quotes() : step_in_heredoc();
}

void Skipper::step_in_quotes() {
  const char c = s_[i_];
  if (c == '\n') {  // unterminated: what follows is code again
    pop();
    while (!outside() && levels_.back().kind == Inside::Sequence) pop(), pop();
    // A label without its closing quote does not hide the brace that ends the line of a block's header.
    size_t end = i_;
    while (blank(s_[end - 1])) --end;
    if (header_ && s_[end - 1] == '{' && in_braces()) open(Inside::Brace);
    return;
  }
  if (c == '"') pop();
  i_ += c == '\\' && !is(i_ + 1, '\n') ? 2 : 1;
}

void Skipper::step_in_heredoc() {
  if (s_[i_] == '\n') {
    const size_t begin = i_ + 1, end = std::min(s_.find('\n', begin), s_.size());
    if (without_blanks(s_.substr(begin, end - begin)) == levels_.back().marker) {
      pop();
      i_ = end;
      return;
    }
  }
  ++i_;
}

void Skipper::open_heredoc(const Token& t) {
  std::string_view marker = s_.substr(t.begin + 2, t.end - t.begin - 3);
  if (marker[0] == '-') marker.remove_prefix(1);
  if (marker.back() == '\r') marker.remove_suffix(1);
  open(Inside::Heredoc, marker);
  i_ = t.end - 1;  // the newline, so that the first line is looked at
}

// A closing brace also closes brackets and parentheses that were forgotten inside of it.
void Skipper::close_forgotten() {
  while (!outside() && (levels_.back().kind == Inside::Bracket || levels_.back().kind == Inside::Paren))
    pop();
}

void Skipper::step_over(const Token& t) {
  i_ = t.end;
  switch (t.kind) {
    case Tok::Assign:
      header_ = false;
      return;
    case Tok::Newline:
      header_ = lines_;
      return;
    case Tok::Quote:
      return open(Inside::Quotes);
    case Tok::Heredoc:
      return open_heredoc(t);
    case Tok::OBrace:
      return open(Inside::Brace);
    case Tok::OBrack:
      return open(Inside::Bracket);
    case Tok::OParen:
      return open(Inside::Paren);
    case Tok::CBrack:
      return close(Inside::Bracket);
    case Tok::CParen:
      return close(Inside::Paren);
    case Tok::CBrace:
    case Tok::TrimBrace:
      close_forgotten();
      return pop();
    case Tok::Bad:
      if (s_.substr(t.begin, 2) == "/*") i_ = s_.size();  // a comment without end
      return;
    default:  // nothing that opens or closes
      return;
  }
}

// "name =" at the start of a line: there an argument begins.
bool is_argument(std::string_view s, size_t line) {
  const Token name = scan(s, line, false);
  return name.kind == Tok::Ident && scan(s, name.end, false).kind == Tok::Assign;
}

}  // namespace

bool is_block_header(std::string_view s, size_t name) {
  for (size_t i = name;;) {
    const Token t = scan(s, i, false);
    i = t.end;
    if (t.kind == Tok::OBrace) return true;
    if (t.kind == Tok::Ident) continue;
    if (t.kind != Tok::Quote) return false;
    while (i < s.size() && s[i] != '"' && s[i] != '\n') ++i;
    if (i >= s.size() || s[i] != '"') return false;
    ++i;
  }
}

size_t resume_after_error(std::string_view s, size_t from, size_t error, bool headers_end) {
  const size_t error_line = error > 0 ? s.rfind('\n', error - 1) : s.npos;
  Skipper skip(s, from, true);
  while (!skip.at_end()) {
    if (skip.in_string()) {
      skip.step_in_string();
      continue;
    }
    const Token t = skip.next();
    const bool behind = t.begin >= error;
    if (t.kind == Tok::Newline) {
      if (skip.outside() && behind) return t.begin;
      // Not in braces, on the line of the error or a later one: a bracket or a quote was forgotten before,
      // and here the next argument begins.
      if ((behind || t.end - 1 == error_line) && !skip.in_braces() && is_argument(s, t.end)) return t.begin;
      if (headers_end && behind && t.end < s.size() && identifier_at(s, t.end) && is_block_header(s, t.end))
        return t.begin;
    } else if (t.kind == Tok::CBrace || t.kind == Tok::TrimBrace) {
      skip.close_forgotten();
      if (skip.outside() && behind) return t.begin;
    }
    skip.step_over(t);
  }
  return s.size();
}

size_t end_of_bracket(std::string_view s, size_t open) {
  Skipper skip(s, open, false);
  do {
    skip.in_string() ? skip.step_in_string() : skip.step_over(skip.next());
  } while (!skip.at_end() && !skip.outside());
  return std::min(skip.at(), s.size());
}

}  // namespace xplan::syntax
