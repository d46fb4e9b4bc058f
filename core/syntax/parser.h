// Parser: recursive descent over one text, for bodies, expressions and templates alike.
//
// Who calls it: entry.cc (files and single expressions), json_syntax.cc (strings of JSON files), review
// (likewise, to mask them). Contract: every problem is reported once, and the result is usable: a placeholder
// stands where an expression could not be understood. After a syntax error the parser is `stopped`: it sees
// only End tokens, so that every function returns immediately without further messages; the statement level
// then skips to a safe place and goes on. Cost: linear. Recursion is limited by kMaxDepth, the height of
// trees by kMaxHeight. Thread-safety: one parser, one thread; it writes into the File's arena. Why one class
// for three languages: they nest in each other ("${ {a = "${b}"} }"), and where one ends is decided by the
// one inside.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/syntax/arena.h"
#include "core/syntax/lexer.h"

namespace xplan::syntax {

class Parser {
 public:
  Parser(File& file, Text text, Diagnostics& diags) : file_(file), text_(text), diags_(diags) {}

  // A whole file. `unindented_closes`: a block header in the first column ends all open blocks (used for a
  // second try at a file in which a brace is missing). unclosed() tells whether a block had no end.
  Body file_body(size_t start, bool unindented_closes);
  // Finds out which of these places, in order, are in comments. Outlives the parser.
  struct Places {
    std::vector<size_t> at;
    std::vector<bool> in_comment;  // parallel
  };
  void look_for(Places& places) { places_ = &places; }
  bool unclosed() const { return unclosed_; }
  // The text is one expression, newlines are whitespace.
  const Expr* whole_expression(size_t start = 0);
  // The text is a template.
  const Expr* whole_template(size_t start = 0);

  Range range(size_t begin, size_t end) const { return text_.range(begin, end); }

 private:
  // What stands in a template, in source order, before the parts are put into a tree.
  struct Part {
    enum Kind : uint8_t { Text, Interp, If, Else, EndIf, For, EndFor } kind = Text;
    std::string text;
    const Expr* expr = nullptr;
    Symbol name, key_name;
    Range range;
  };
  // The parts so far, and what a strip marker (~) just read asks for: it reaches only the piece of text next
  // to it, and a piece ends with its line except in quoted strings.
  struct Parts {
    std::vector<Part> list;
    bool trim_next = false, previous_is_text = false;
  };

  struct Nest {  // one more level of recursion
    explicit Nest(Parser& p) : p(p) { ++p.depth_; }
    ~Nest() { --p.depth_; }
    Nest(const Nest&) = delete;
    Parser& p;
  };
  struct Newlines {  // whether newlines count, for a stretch of text
    Newlines(Parser& p, bool skip) : p(p), before(p.skip_newlines_) { p.set_skip(skip); }
    ~Newlines() { p.set_skip(before); }
    Newlines(const Newlines&) = delete;
    Parser& p;
    bool before;
  };

  // Tokens.
  const Token& peek();
  void note_comments(size_t begin, size_t end);
  Token take();
  Token peek_second();  // the token behind peek()
  bool at(Tok t) { return peek().kind == t; }
  bool accept(Tok t);
  std::string_view str(const Token& t) const { return text_.s.substr(t.begin, t.end - t.begin); }
  Range range(const Token& t) const { return text_.range(t.begin, t.end); }
  bool at_word(std::string_view w) { return at(Tok::Ident) && str(peek()) == w; }
  void set_skip(bool skip) { skip_newlines_ = skip, have_ = false; }
  void move_to(size_t pos) { pos_ = pos, last_end_ = pos, have_ = false; }
  bool too_deep(Range where);

  // Problems.
  void note(std::string_view summary, std::string detail, Range where, Range context = {});  // and go on
  void fail(std::string_view summary, std::string detail, Range where, Range context = {});  // and stop
  void fail_at(const Token& t, std::string_view summary, std::string detail, Range context = {});
  void note_at(const Token& t, std::string_view summary, std::string detail, Range context = {});
  bool describe_bad(const Token& t, std::string& detail) const;
  std::string name_of(
      const Token& t) const;  // for messages: "a comma", "the name \"x\"", "the end of the file"

  // Bodies (parse_body.cc).
  void body_items(Body& body, const Token* open);  // open: the brace; null for a file
  struct Layout {
    bool top, one_line;
    bool broken = false;  // it began as one line; that it goes on is reported
  };
  void item(std::vector<Attribute>& attributes, std::vector<const Block*>& blocks, Layout& layout);
  void attribute(const Token& name, std::vector<Attribute>& out);
  const Block* block(const Token& name);
  void end_of_item(std::string_view what, Layout& layout);
  void drop_duplicates(std::vector<Attribute>& attributes);
  bool at_unindented_header();
  void recover(size_t from);
  void skip_block(size_t open);

  // Expressions (parse_expr.cc).
  const Expr* expression();
  const Expr* binary(int min_level);
  const Expr* unary();
  const Expr* term();
  const Expr* postfix(const Expr* e);
  const Expr* parens();
  const Expr* tuple();
  const Expr* object();
  const Expr* object_key();
  const Expr* for_expr(const Token& open, bool braces);
  const Expr* name_or_call();
  const Expr* call(Symbol name, Range name_range);
  const Expr* number();
  bool loop_names(Symbol& key, Symbol& value);
  // Steps (parse_steps.cc).
  const Expr* index_step(const Expr* e, std::vector<TraversalStep>& steps);
  const Expr* attr_splat(const Expr* e, size_t dot);
  const Expr* full_splat(const Expr* e, size_t open);
  void legacy_index(size_t dot, std::vector<TraversalStep>& steps);
  const Expr* with_steps(const Expr* e, std::vector<TraversalStep>& steps);

  // Templates (parse_template.cc).
  const Expr* quoted();
  const Expr* heredoc();
  bool label_string(std::string& out);  // a quoted string without template sequences
  void quoted_parts(size_t open, Parts& parts);
  void line_parts(Parts& parts, const Token* heredoc, std::string_view marker);
  size_t escape(size_t i, std::string& out);
  bool at_last_quote();
  void sequence(Parts& parts, bool in_quotes);  // ${…} or %{…} at pos_
  void directive(Part& part);
  void add_text(Parts& parts, std::string& text, size_t begin, size_t end);  // takes the text
  static void remove_indent(std::vector<Part>& parts);
  // assemble_template.cc
  class Assembly;
  const Expr* assemble(std::vector<Part>& parts, Range whole, bool heredoc);

  // Nodes.
  Expr* node(ExprKind kind, Range r);
  Expr* grow(Expr* e, const Expr* child);  // accounts for a child in e's height
  const Expr* literal(Value v, Range r);
  const Expr* placeholder(Range r);

  Places* places_ = nullptr;
  File& file_;
  Text text_;
  Diagnostics& diags_;
  Token token_;
  size_t pos_ = 0;       // where the next token is looked for
  size_t last_end_ = 0;  // end of the last token taken
  size_t error_pos_ = 0;
  bool have_ = false;  // token_ is the token at pos_
  bool skip_newlines_ = false;
  bool stopped_ = false;
  int depth_ = 0;
  // Body state.
  bool unindented_closes_ = false, closing_all_ = false, unclosed_ = false;
};

}  // namespace xplan::syntax
