// Templates: text with ${…} and %{…} in it, in quotes, as a heredoc, or on its own.
#include <fmt/format.h>

#include <climits>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/syntax/parser.h"

namespace xplan::syntax {
namespace {

void trim_left(std::string& s) {
  size_t i = 0;
  while (size_t n = space_at(s, i)) i += n;
  s.erase(0, i);
}

void trim_right(std::string& s) {
  size_t end = s.size();
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(s[start]) & 0xC0) == 0x80) --start;
    if (space_at(s, start) != end - start) break;
    end = start;
  }
  s.resize(end);
}

std::string_view trimmed(std::string_view s) {
  size_t i = 0;
  while (size_t n = space_at(s, i)) i += n;
  s.remove_prefix(i);
  while (!s.empty() && (s.back() == ' ' || (s.back() >= '\t' && s.back() <= '\r'))) s.remove_suffix(1);
  return s;
}

// Where a run of plain text ends: each of these starts something in one kind of template or the other.
size_t run_end(std::string_view s, size_t i, bool quoted) {
  for (; i < s.size(); ++i) {
    char c = s[i];
    if (c == '\n' || c == '$' || c == '%') return i;
    if (quoted && (c == '"' || c == '\\' || c == '\r')) return i;
  }
  return i;
}

constexpr std::string_view kDirectives = "The directives are if, else, endif, for and endfor.";

}  // namespace

void Parser::add_text(Parts& parts, std::string& text, size_t begin, size_t end) {
  if (begin == end) return;
  if (parts.trim_next) trim_left(text);
  parts.trim_next = false;
  parts.previous_is_text = true;
  Part p;
  p.text = std::move(text);
  p.range = range(begin, end);
  parts.list.push_back(std::move(p));
  text.clear();
}

size_t Parser::escape(size_t i, std::string& out) {
  std::string_view s = text_.s;
  char c = i + 1 < s.size() ? s[i + 1] : '\n';
  switch (c) {
    case 'n':
      out += '\n';
      return i + 2;
    case 'r':
      out += '\r';
      return i + 2;
    case 't':
      out += '\t';
      return i + 2;
    case '"':
      out += '"';
      return i + 2;
    case '\\':
      out += '\\';
      return i + 2;
    case 'u':
    case 'U':
      break;
    case '\n':
    case '\r':
      note("Invalid escape sequence",
           "A backslash at the end of a line does not continue the string. Write a multi-line string as a "
           "heredoc (<<NAME).",
           range(i, i + 1));
      return i + 1;
    default: {
      size_t n = utf8_length_at(s, i + 1);
      if (n == 0) n = 1;
      note("Invalid escape sequence",
           fmt::format(
               "\"\\{0}\" is not a valid escape sequence. Valid ones are \\n, \\r, \\t, \\\", \\\\, \\uXXXX "
               "and \\UXXXXXXXX; for a literal backslash write \"\\\\{0}\".{1}",
               s.substr(i + 1, n),
               c == '$' || c == '%' ? fmt::format(" For a literal \"{0}{{\", write \"{0}{0}{{\".", c) : ""),
           range(i, i + 1 + n));
      out.append(s, i + 1, n);
      return i + 1 + n;
    }
  }
  size_t digits = c == 'u' ? 4 : 8, end = i + 2;
  char32_t r = 0;
  for (; end < s.size() && end < i + 2 + digits; ++end) {
    int d = hex_digit(s[end]);
    if (d < 0) break;
    r = r << 4 | static_cast<char32_t>(d);
  }
  if (end != i + 2 + digits) {
    note("Invalid escape sequence",
         fmt::format("\"\\{}\" must be followed by exactly {} hexadecimal digits.", c, digits),
         range(i, end));
  } else if (r > 0x10FFFF || (r >= 0xD800 && r <= 0xDFFF)) {
    note("Invalid escape sequence", "This number is not a Unicode code point.", range(i, end));
  } else {
    utf8_append(out, r);
  }
  return end;
}

const Expr* Parser::quoted() {
  Token open = take();
  size_t end = run_end(text_.s, pos_, true);
  if (end < text_.s.size() && text_.s[end] == '"') {  // nearly every string
    std::string_view plain = text_.s.substr(pos_, end - pos_);
    move_to(end + 1);
    return literal(Value::string(plain), range(open.begin, end + 1));
  }
  Parts parts;
  quoted_parts(open.begin, parts);
  return assemble(parts.list, range(open.begin, last_end_), false);
}

void Parser::quoted_parts(size_t open, Parts& parts) {
  std::string_view s = text_.s;
  std::string run;
  size_t i = pos_, begin = i;
  for (;;) {
    size_t plain = run_end(s, i, true);
    run.append(s, i, plain - i);
    i = plain;
    char c = i < s.size() ? s[i] : '\n';
    char next = i + 1 < s.size() ? s[i + 1] : '\0';
    if (c == '"') {
      add_text(parts, run, begin, i);
      move_to(i + 1);
      return;
    }
    if (c == '\\') {
      i = escape(i, run);
    } else if ((c == '$' || c == '%') && next == c && i + 2 < s.size() && s[i + 2] == '{') {
      run += c, run += '{';
      i += 3;
    } else if ((c == '$' || c == '%') && next == '{') {
      add_text(parts, run, begin, i);
      move_to(i);
      sequence(parts, true);
      if (stopped_) return;
      i = begin = pos_;
    } else if (c == '$' || c == '%' || (c == '\r' && next != '\n')) {
      run += c;
      ++i;
    } else {
      add_text(parts, run, begin, i);
      move_to(i);
      fail("Unterminated string",
           "The string that begins here has no closing quote on its line. Add a '\"'. Write a string that "
           "spans several lines with \\n, or as a heredoc (<<NAME).",
           range(open, open + 1), range(open, i));
      return;
    }
  }
}

const Expr* Parser::heredoc() {
  Token open = take();
  std::string_view intro = str(open), marker = trimmed(intro.substr(2));
  bool indented = marker[0] == '-';
  if (indented) marker.remove_prefix(1);
  Parts parts;
  line_parts(parts, &open, marker);
  if (indented) remove_indent(parts.list);
  return assemble(parts.list, range(open.begin, last_end_), true);
}

// Text in lines: a heredoc, up to the line that consists of its marker, or a template on its own, up to its
// end.
void Parser::line_parts(Parts& parts, const Token* heredoc, std::string_view marker) {
  std::string_view s = text_.s;
  std::string run;
  size_t i = pos_, begin = i;
  bool line_start = heredoc != nullptr, marker_seen = false;
  for (;;) {
    if (line_start) {
      size_t eol = std::min(s.find('\n', i), s.size());
      std::string_view line = trimmed(s.substr(i, eol - i));
      if (line == marker) {
        move_to(static_cast<size_t>(line.data() - s.data()) + marker.size());
        return;
      }
      marker_seen |= line.substr(0, marker.size()) == marker;
      line_start = false;
    }
    size_t plain = run_end(s, i, false);
    run.append(s, i, plain - i);
    i = plain;
    if (i >= s.size()) {
      add_text(parts, run, begin, i);
      move_to(i);
      if (heredoc)
        fail(
            "Unterminated heredoc",
            fmt::format(
                "The heredoc that begins here has no end: no line consists of \"{}\" alone.{}", marker,
                marker_seen ? " There is a line that starts with it, but nothing else may stand on that line."
                            : ""),
            range(heredoc->begin, heredoc->begin + trimmed(str(*heredoc)).size()));
      return;
    }
    char c = s[i], next = i + 1 < s.size() ? s[i + 1] : '\0';
    if (c == '\n') {
      run += c;
      ++i;
      add_text(parts, run, begin, i);
      begin = i;
      line_start = heredoc != nullptr;
    } else if (next == c && i + 2 < s.size() && s[i + 2] == '{') {
      run += c, run += '{';
      i += 3;
    } else if (next == '{') {
      add_text(parts, run, begin, i);
      move_to(i);
      sequence(parts, false);
      if (stopped_) return;
      i = begin = pos_;
    } else {
      run += c;
      ++i;
    }
  }
}

// Whether a quote comes next and is the last one on its line: it closes a string rather than beginning one.
bool Parser::at_last_quote() {
  if (!at(Tok::Quote)) return false;
  const size_t next = text_.s.find_first_of("\"\n", peek().end);
  return next == text_.s.npos || text_.s[next] == '\n';
}

void Parser::sequence(Parts& parts, bool in_quotes) {
  size_t begin = pos_;
  bool control = text_.s[begin] == '%', trim = begin + 2 < text_.s.size() && text_.s[begin + 2] == '~';
  if (trim && parts.previous_is_text) trim_right(parts.list.back().text);
  parts.trim_next = parts.previous_is_text = false;
  move_to(begin + 2 + trim);
  Range open = range(begin, pos_);
  Newlines newlines(*this, true);
  Part part;
  auto unclosed = [&] {
    fail("Unclosed template sequence",
         fmt::format("The \"{0}{{\" that begins here is never closed. Add a \"}}\"; for a literal \"{0}{{\", "
                     "write \"{0}{0}{{\".",
                     text_.s[begin]),
         open);
  };
  if (at(Tok::End) || (in_quotes && at_last_quote())) {
    unclosed();
  } else if (control) {
    directive(part);
  } else {
    part.kind = Part::Interp;
    part.expr = expression();
  }
  if (at(Tok::CBrace) || at(Tok::TrimBrace)) {
    parts.trim_next = take().kind == Tok::TrimBrace;
  } else if (at(Tok::End) || (in_quotes && at(Tok::Quote))) {
    unclosed();
  } else {
    fail_at(peek(), "Extra characters in template sequence",
            fmt::format("\"}}\" is expected to close the sequence, but {0} follows. If this is code for "
                        "another language, such as a shell script, write \"{1}{1}{{\" instead of \"{1}{{\".",
                        name_of(peek()), text_.s[begin]),
            open);
  }
  part.range = range(begin, last_end_);
  parts.list.push_back(std::move(part));
}

void Parser::directive(Part& part) {
  if (!at(Tok::Ident)) {
    fail_at(peek(), "Invalid template directive",
            fmt::format("A directive is expected after \"%{{\". {} For a literal \"%{{\", write \"%%{{\".",
                        kDirectives));
    return;
  }
  Token word = take();
  std::string_view w = str(word);
  if (w == "if") {
    part.kind = Part::If;
    part.expr = expression();
  } else if (w == "for") {
    part.kind = Part::For;
    if (loop_names(part.key_name, part.name)) part.expr = expression();
  } else if (w == "else") {
    part.kind = Part::Else;
  } else if (w == "endif") {
    part.kind = Part::EndIf;
  } else if (w == "endfor") {
    part.kind = Part::EndFor;
  } else {
    std::string_view near = did_you_mean(w, {"if", "else", "endif", "for", "endfor"});
    fail("Invalid template directive",
         fmt::format("There is no directive \"{}\". {}{}", w, kDirectives,
                     near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near)),
         range(word));
  }
}

// Takes from each line the whitespace that all lines have in common. Lines of nothing but whitespace do not
// count and are left alone. What is a line start is decided after the strip markers have done their work, so
// a line whose newline was stripped takes the next one with it.
void Parser::remove_indent(std::vector<Part>& parts) {
  size_t least = SIZE_MAX;
  bool line_start = true;
  std::vector<std::string*> adjust;
  for (Part& p : parts) {
    bool ends_line = p.kind == Part::Text && !p.text.empty() && p.text.back() == '\n';
    if (line_start) {
      size_t spaces = 0;
      if (p.kind == Part::Text) {
        size_t i = 0;
        while (size_t n = space_at(p.text, i)) i += n, ++spaces;
        if (i == p.text.size() && ends_line)
          spaces = SIZE_MAX;
        else
          adjust.push_back(&p.text);
      }
      least = std::min(least, spaces);
    }
    line_start = ends_line;
  }
  for (std::string* text : adjust) {
    size_t i = 0;
    for (size_t n = 0; n < least; ++n) i += space_at(*text, i);
    text->erase(0, i);
  }
}

const Expr* Parser::whole_template(size_t start) {
  move_to(start);
  Parts parts;
  line_parts(parts, nullptr, {});
  return assemble(parts.list, range(start, text_.s.size()), false);
}

bool Parser::label_string(std::string& out) {
  Token open = take();
  Parts parts;
  quoted_parts(open.begin, parts);
  for (const Part& p : parts.list) {
    out += p.text;
    if (p.kind != Part::Text)
      note("Template in block label",
           "Labels are read before anything is evaluated, so they cannot contain \"${\" or \"%{\". For these "
           "characters in a label, write \"$${\" or \"%%{\".",
           p.range);
  }
  return !stopped_;
}

}  // namespace xplan::syntax
