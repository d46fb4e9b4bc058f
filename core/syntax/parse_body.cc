// Parses bodies: arguments, blocks and labels, and where to resume after a syntax error.
#include <fmt/format.h>

#include <unordered_map>

#include "core/syntax/parser.h"

namespace xplan::syntax {
namespace {

// What encloses a position while text is skipped.
enum class Inside : char { Bracket, Paren, Brace, Quotes, Sequence, Heredoc };
struct Level {
  Inside kind;
  std::string_view marker;  // Heredoc
};

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

Body Parser::file_body(size_t start, bool unindented_closes) {
  unindented_closes_ = unindented_closes;
  move_to(start);
  set_skip(false);
  Body b;
  body_items(b, nullptr);
  b.range = range(start, text_.s.size());
  return b;
}

// A name in the first column and a brace on the same line: what a top-level block begins with.
bool Parser::at_unindented_header() {
  const Token& t = peek();
  if (t.kind != Tok::Ident || (t.begin > 0 && text_.s[t.begin - 1] != '\n')) return false;
  size_t i = t.end;
  for (;;) {
    Token next = scan(text_.s, i, false);
    if (next.kind == Tok::OBrace) return true;
    if (next.kind == Tok::Quote) {
      i = next.end;
      while (i < text_.s.size() && text_.s[i] != '"' && text_.s[i] != '\n') ++i;
      if (i >= text_.s.size() || text_.s[i] != '"') return false;
      ++i;
    } else if (next.kind == Tok::Ident) {
      i = next.end;
    } else {
      return false;
    }
  }
}

void Parser::body_items(Body& body, const Token* open) {
  Nest nest(*this);
  Newlines newlines(*this, false);
  body.file = &file_;
  std::vector<Attribute> attributes;
  std::vector<const Block*> blocks;
  bool top = open == nullptr;
  bool one_line = open && !at(Tok::Newline);
  for (;;) {
    while (accept(Tok::Newline)) {
    }
    if (at(Tok::CBrace)) {
      Token close = take();
      if (!top) break;
      note("Unexpected closing brace",
           "There is no open block for this brace to close. Remove it, or add the missing \"{\".",
           range(close));
      continue;
    }
    bool closed_by_header = !top && unindented_closes_ && at_unindented_header();
    if (at(Tok::End) || closed_by_header) {
      if (top) break;
      unclosed_ = true;
      if (!closing_all_)
        note("Unclosed block",
             closed_by_header ? fmt::format("The brace that opens the block here is not closed before the "
                                            "next block, \"{}\", begins. Add a \"}}\".",
                                            str(peek()))
                              : "The brace that opens the block here is not closed before the end of the "
                                "file. Add a \"}\".",
             range(*open));
      closing_all_ = true;  // the blocks around it end here too; one message is enough
      break;
    }
    if (top) closing_all_ = false;
    size_t from = peek().begin;
    item(attributes, blocks, one_line, top);
    if (stopped_) recover(from);
  }
  drop_duplicates(attributes);
  body.attributes = file_.keep(std::move(attributes));
  body.blocks = file_.keep(std::move(blocks));
}

// An argument given twice is reported, and the first one is kept.
void Parser::drop_duplicates(std::vector<Attribute>& attributes) {
  std::unordered_map<Symbol, Range> seen;
  std::erase_if(attributes, [&](const Attribute& a) {
    auto [it, fresh] = seen.emplace(a.name, a.name_range);
    if (!fresh)
      note("Duplicate argument",
           fmt::format("The argument \"{}\" is set more than once in this block. Remove all but one.",
                       a.name.sv()),
           a.name_range);
    return !fresh;
  });
}

void Parser::item(std::vector<Attribute>& attributes, std::vector<const Block*>& blocks, bool& one_line,
                  bool top) {
  Token name = peek();
  if (name.kind == Tok::Quote) {
    fail("Quoted argument name",
         "Argument names and block types are written without quotes. Only keys of an object in braces may be "
         "quoted: a \"=\" may be missing before the brace.",
         range(name));
    return;
  }
  if (name.kind != Tok::Ident) {
    fail_at(
        name, "Argument or block expected",
        fmt::format("An argument (name = value) or a block (type {{ … }}) is expected here, but {} follows.",
                    name_of(name)));
    return;
  }
  take();
  if (at(Tok::Assign)) {
    attribute(name, attributes);
    if (!stopped_) end_of_item("argument", one_line, top);
    one_line &= !at(Tok::Newline);
    return;
  }
  if (at(Tok::Quote) || at(Tok::Ident) || at(Tok::OBrace)) {
    if (one_line)
      note("Block in a single-line block",
           "A block on one line can contain at most one argument and no other block. Write the inner block "
           "on its own lines.",
           range(name));
    const Block* b = block(name);
    if (b) blocks.push_back(b);
    if (!stopped_ && !closing_all_ && !(one_line && at(Tok::Newline))) end_of_item("block", one_line, top);
    one_line &= !at(Tok::Newline);
    return;
  }
  std::string detail;
  if (at(Tok::Colon))
    detail =
        "An argument is written as name = value, with an equals sign. A colon is allowed only inside "
        "objects.";
  else if (at(Tok::Newline) || at(Tok::End))
    detail = fmt::format(
        "\"{0}\" stands alone on its line. Write \"{0} = value\" for an argument or \"{0} {{ … }}\" for a "
        "block.",
        str(name));
  else if (at(Tok::Dot) || at(Tok::OBrack))
    detail =
        "An argument name cannot contain dots or indexes; parts of a value cannot be set on their own. Set "
        "the whole value.";
  else
    detail = fmt::format(
        "Either \"=\" and a value, or \"{{\" and the content of a block, is expected after \"{}\". Here, {} "
        "follows.",
        str(name), name_of(peek()));
  fail_at(peek(), "Invalid argument or block", std::move(detail), range(name));
}

// After an argument or block: the line must end, or, on a one-line block, the block. Says what is wrong and
// lets the parser go on in the same place.
void Parser::end_of_item(std::string_view what, bool one_line, bool top) {
  if (at(Tok::End)) return;
  if (at(Tok::Newline)) {
    if (one_line)
      note("Single-line block is not closed",
           "A block whose first argument is on the line of its opening brace must be closed on the same "
           "line. Start a new line after the opening brace.",
           range(peek()));
    return;
  }
  if (at(Tok::CBrace) && !top) {
    if (one_line) return;
    note(fmt::format("Missing new line after {}", what),
         "The closing brace of a multi-line block must be on its own line.", range(peek()));
    return;
  }
  if (at(Tok::Comma)) {
    fail_at(peek(), "Unexpected comma",
            one_line ? "A block on one line can contain at most one argument. Write each argument on its own "
                       "line, without commas."
                     : "Arguments are separated by line breaks, not commas.");
    return;
  }
  fail_at(
      peek(), fmt::format("Missing new line after {}", what),
      fmt::format("Each {} must end with its line, but {} follows on the same line.", what, name_of(peek())));
}

void Parser::attribute(const Token& name, std::vector<Attribute>& out) {
  take();  // =
  size_t begin = peek().begin;
  Attribute a;
  a.name = Symbol(str(name));
  a.name_range = range(name);
  a.expr = expression();
  if (stopped_) a.expr = placeholder(range(begin, std::max(last_end_, begin)));
  a.range = range(name.begin, std::max(last_end_, name.end));
  out.push_back(a);
}

const Block* Parser::block(const Token& name) {
  Block* b = file_.new_block();
  b->type = Symbol(str(name));
  b->type_range = range(name);
  for (;;) {
    if (at(Tok::Quote)) {
      size_t begin = peek().begin;
      std::string label;
      if (!label_string(label)) return nullptr;
      b->labels.push_back(Symbol(label));
      b->label_ranges.push_back(range(begin, last_end_));
    } else if (at(Tok::Ident)) {
      Token t = take();
      b->labels.push_back(Symbol(str(t)));
      b->label_ranges.push_back(range(t));
    } else {
      break;
    }
  }
  b->def_range = range(name.begin, last_end_);
  if (!at(Tok::OBrace)) {
    std::string detail = fmt::format(
        "The content of a block must be enclosed in braces, with the opening brace on the line of the block "
        "type. Here, {} follows.",
        name_of(peek()));
    if (at(Tok::Assign)) detail = "An argument has a single name before \"=\"; a block has no \"=\".";
    fail_at(peek(), "Invalid block", std::move(detail), b->def_range);
    return nullptr;
  }
  Token open = take();
  if (depth_ >= kMaxDepth) {
    fail("Nested too deeply", fmt::format("Blocks can be nested at most {} levels deep.", kMaxDepth),
         range(open));
    stopped_ = false;
    skip_block(open.begin);
    b->body.file = &file_;
  } else {
    body_items(b->body, &open);
  }
  b->body.range = range(open.begin, last_end_);
  return b;
}

// Walks over the text with an eye on brackets and strings only. Returns the place of the first newline (or
// block header in the first column) behind `until` that is outside of all brackets, or of the brace that
// closes what was open before `from`; or an earlier newline behind which an argument seems to begin. With
// `lines` false: the place behind the bracket at `from`.
size_t Parser::skip_balanced(size_t from, size_t until, bool lines) const {
  std::string_view s = text_.s;
  std::vector<Level> levels;
  size_t i = from, error_line = until > 0 ? s.rfind('\n', until - 1) : s.npos;
  auto pop = [&] {
    if (!levels.empty()) levels.pop_back();
  };
  while (i < s.size()) {
    Inside in = levels.empty() ? Inside::Brace : levels.back().kind;
    char c = s[i], next = i + 1 < s.size() ? s[i + 1] : '\0';
    if (in == Inside::Quotes || in == Inside::Heredoc) {
      if ((c == '$' || c == '%') && next == c && i + 2 < s.size() && s[i + 2] == '{') {
        i += 3;
      } else if ((c == '$' || c == '%') && next == '{') {
        levels.push_back({Inside::Sequence, {}});
        i += 2;
      } else if (in == Inside::Quotes) {
        if (c == '\n') {
          pop();  // unterminated: what follows is code again
          while (!levels.empty() && levels.back().kind == Inside::Sequence) pop(), pop();
          continue;
        }
        if (c == '"') pop();
        i += c == '\\' && next != '\n' ? 2 : 1;
      } else if (c == '\n') {
        size_t begin = i + 1, eol = std::min(s.find('\n', begin), s.size()), end = eol;
        while (begin < end && blank(s[begin])) ++begin;
        while (end > begin && blank(s[end - 1])) --end;
        if (s.substr(begin, end - begin) == levels.back().marker) {
          pop();
          i = eol;
        } else {
          ++i;
        }
      } else {
        ++i;
      }
      continue;
    }
    Token t = scan(s, i, false);
    switch (t.kind) {
      case Tok::End:
        return s.size();
      case Tok::Newline:
        if (lines && levels.empty() && t.begin >= until) return t.begin;
        // "name =" at the start of the line with the error or of a later one, and not in braces: a bracket or
        // a quote was forgotten before, and here the next argument begins.
        if (lines && (t.end - 1 == error_line || t.begin >= until) && !levels.empty() &&
            levels.back().kind != Inside::Brace) {
          Token name = scan(s, t.end, false);
          if (name.kind == Tok::Ident && scan(s, name.end, false).kind == Tok::Assign) return t.begin;
        }
        if (lines && unindented_closes_ && t.begin >= until && t.end < s.size() && identifier_at(s, t.end)) {
          Parser probe(file_, text_, diags_);
          probe.move_to(t.end);
          if (probe.at_unindented_header()) return t.begin;
        }
        break;
      case Tok::Quote:
        levels.push_back({Inside::Quotes, {}});
        break;
      case Tok::Heredoc: {
        std::string_view marker = s.substr(t.begin + 2, t.end - t.begin - 3);
        if (marker[0] == '-') marker.remove_prefix(1);
        if (marker.back() == '\r') marker.remove_suffix(1);
        levels.push_back({Inside::Heredoc, marker});
        i = t.end - 1;  // the newline, so that the first line is looked at
        continue;
      }
      case Tok::OBrace:
        levels.push_back({Inside::Brace, {}});
        break;
      case Tok::OBrack:
        levels.push_back({Inside::Bracket, {}});
        break;
      case Tok::OParen:
        levels.push_back({Inside::Paren, {}});
        break;
      case Tok::CBrack:
      case Tok::CParen: {
        Inside want = t.kind == Tok::CBrack ? Inside::Bracket : Inside::Paren;
        if (!levels.empty() && levels.back().kind == want) pop();
        break;
      }
      case Tok::CBrace:
      case Tok::TrimBrace: {
        // A closing brace also closes brackets and parentheses that were forgotten inside of it.
        while (!levels.empty() &&
               (levels.back().kind == Inside::Bracket || levels.back().kind == Inside::Paren))
          pop();
        if (levels.empty() && lines && t.begin >= until) return t.begin;
        pop();
        break;
      }
      case Tok::Bad:
        if (s.substr(t.begin, 2) == "/*") return s.size();  // a comment without end
        break;
      default:
        break;
    }
    i = t.end;
    if (!lines && levels.empty()) return i;
  }
  return s.size();
}

void Parser::recover(size_t from) {
  stopped_ = false;
  closing_all_ |= error_pos_ >= text_.s.size();  // something else was not closed, and swallowed the braces
  size_t place = skip_balanced(from, error_pos_, true);
  move_to(place > from ? place : std::max(pos_, from + 1));
}

void Parser::skip_block(size_t open) {
  move_to(skip_balanced(open, 0, false));
}

}  // namespace xplan::syntax
