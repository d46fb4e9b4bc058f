// Parses bodies: arguments, blocks and labels.
#include <fmt/format.h>

#include <unordered_map>

#include "core/syntax/parser.h"
#include "core/syntax/skip.h"

namespace xplan::syntax {

Body Parser::file_body(size_t start, bool unindented_closes) {
  unindented_closes_ = unindented_closes;
  move_to(start);
  set_skip(false);
  Body b;
  body_items(b, nullptr);
  b.range = range(start, text_.s.size());
  return b;
}

bool Parser::at_unindented_header() {
  const Token& t = peek();
  return t.kind == Tok::Ident && (t.begin == 0 || text_.s[t.begin - 1] == '\n') &&
         is_block_header(text_.s, t.begin);
}

void Parser::body_items(Body& body, const Token* open) {
  Nest nest(*this);
  Newlines newlines(*this, false);
  body.file = &file_;
  std::vector<Attribute> attributes;
  std::vector<const Block*> blocks;
  const bool top = open == nullptr;
  Layout layout{top, open && !at(Tok::Newline)};
  bool brace_lost = false;  // that of a block on one line, behind an error
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
      if (!closing_all_ && !brace_lost)
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
    item(attributes, blocks, layout);
    if (stopped_) brace_lost |= layout.one_line, recover(from);
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

void Parser::item(std::vector<Attribute>& attributes, std::vector<const Block*>& blocks, Layout& layout) {
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
    if (!stopped_) end_of_item("argument", layout);
    layout.one_line &= !at(Tok::Newline);
    return;
  }
  const bool brace_below = at(Tok::Newline) && !layout.one_line && peek_second().kind == Tok::OBrace;
  if (at(Tok::Quote) || at(Tok::Ident) || at(Tok::OBrace) || brace_below) {
    if (layout.one_line)
      note("Block in a single-line block",
           "A block on one line can contain at most one argument and no other block. Write the inner block "
           "on its own lines.",
           range(name));
    const Block* b = block(name);
    if (b) blocks.push_back(b);
    if (!stopped_ && !closing_all_ && !(layout.one_line && at(Tok::Newline))) end_of_item("block", layout);
    layout.one_line &= !at(Tok::Newline);
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
void Parser::end_of_item(std::string_view what, Layout& layout) {
  if (at(Tok::End)) return;
  if (at(Tok::Newline)) {
    if (!layout.one_line) return;
    layout.broken = true;
    note("Single-line block is not closed",
         "A block whose first argument is on the line of its opening brace must be closed on the same "
         "line. Start a new line after the opening brace.",
         range(peek()));
    return;
  }
  if (at(Tok::CBrace) && !layout.top) {
    if (layout.one_line || layout.broken) return;
    note(fmt::format("Missing new line after {}", what),
         "The closing brace of a multi-line block must be on its own line.", range(peek()));
    return;
  }
  if (at(Tok::Comma)) {
    fail_at(peek(), "Unexpected comma",
            layout.one_line
                ? "A block on one line can contain at most one argument. Write each argument on its own "
                  "line, without commas."
                : "Arguments are separated by line breaks, not commas.");
    return;
  }
  fail_at(
      peek(), fmt::format("Missing new line after {}", what),
      fmt::format("Each {} must be followed by a line break, but here {} follows.", what, name_of(peek())));
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
  if (at(Tok::Dot) && !b->labels.empty() && peek_second().kind == Tok::Ident) {
    const Token dot = take();
    std::string written(str(name));
    for (Symbol label : b->labels) written += fmt::format(" \"{}\"", label.sv());
    fail(
        "Invalid block",
        fmt::format("The labels of a block are separated by spaces, not by periods. Write {} \"{}\" {{ … }}.",
                    written, str(peek())),
        range(dot), range(name.begin, peek().end));
    return nullptr;
  }
  if (at(Tok::Newline) && peek_second().kind == Tok::OBrace) {
    take();
    note("Invalid block",
         "The opening brace of a block must be on the line of the block type. Move it there.", range(peek()),
         b->def_range);
  }
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

void Parser::recover(size_t from) {
  stopped_ = false;
  closing_all_ |= error_pos_ >= text_.s.size();  // something else was not closed, and swallowed the braces
  size_t place = resume_after_error(text_.s, from, error_pos_, unindented_closes_);
  move_to(place > from ? place : std::max(pos_, from + 1));
}

void Parser::skip_block(size_t open) {
  move_to(end_of_bracket(text_.s, open));
}

}  // namespace xplan::syntax
