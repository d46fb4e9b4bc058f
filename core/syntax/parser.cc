// What all parser files share: look-ahead, expected tokens, error reporting and recovery, depth limits, new
// nodes. Grammar: parse_body.cc, parse_expr.cc, parse_steps.cc, parse_template.cc.
#include "core/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace xplan::syntax {

const Token& Parser::peek() {
  if (stopped_) {
    token_ = {Tok::End, pos_, pos_};
  } else if (!have_) {
    token_ = scan(text_.s, pos_, skip_newlines_);
    have_ = true;
    if (places_) note_comments(pos_, token_.begin);
  }
  return token_;
}

// Between tokens there are blanks and comments.
void Parser::note_comments(size_t begin, size_t end) {
  const std::vector<size_t>& at = places_->at;
  for (auto i = std::lower_bound(at.begin(), at.end(), begin); i != at.end() && *i < end; ++i)
    places_->in_comment[static_cast<size_t>(i - at.begin())] = true;
}

Token Parser::take() {
  Token t = peek();
  if (!stopped_) pos_ = last_end_ = t.end, have_ = false;
  return t;
}

Token Parser::peek_second() {
  if (stopped_) return peek();
  return scan(text_.s, peek().end, skip_newlines_);
}

bool Parser::accept(Tok t) {
  if (!at(t)) return false;
  take();
  return true;
}

bool Parser::too_deep(Range where) {
  if (depth_ <= kMaxDepth) return false;
  fail("Nested too deeply",
       fmt::format("Brackets, blocks and templates can be nested at most {} levels deep. Move inner parts to "
                   "local values, or to the level above.",
                   kMaxDepth),
       where);
  return true;
}

void Parser::note(std::string_view summary, std::string detail, Range where, Range context) {
  if (!stopped_) diags_.error(summary, std::move(detail), where, context);
}

void Parser::fail(std::string_view summary, std::string detail, Range where, Range context) {
  if (stopped_) return;
  error_pos_ = peek().begin;
  diags_.error(summary, std::move(detail), where, context);
  stopped_ = true;
}

// A character that is not a token makes a better message than what was expected in its place.
bool Parser::describe_bad(const Token& t, std::string& detail) const {
  if (t.kind != Tok::Bad) return false;
  std::string_view hint = character_hint(str(t));
  detail = hint.empty()
               ? fmt::format("The character {} is not allowed outside of strings and comments. Remove it.",
                             quote(str(t)))
               : std::string(hint);
  return true;
}

void Parser::fail_at(const Token& t, std::string_view summary, std::string detail, Range context) {
  bool bad = describe_bad(t, detail);
  fail(!bad             ? summary
       : str(t) == "/*" ? "Unclosed comment"
                        : "Invalid character",
       std::move(detail), range(t), context);
}

void Parser::note_at(const Token& t, std::string_view summary, std::string detail, Range context) {
  bool bad = describe_bad(t, detail);
  note(!bad             ? summary
       : str(t) == "/*" ? "Unclosed comment"
                        : "Invalid character",
       std::move(detail), range(t), context);
}

std::string Parser::name_of(const Token& t) const {
  if (t.end - t.begin > 60) return t.kind == Tok::Ident ? "a name" : "a number";
  switch (t.kind) {
    case Tok::End:
      return "the end of the input";
    case Tok::Newline:
      return "the end of the line";
    case Tok::Ident:
      return fmt::format("the name \"{}\"", str(t));
    case Tok::Number:
      return fmt::format("the number {}", str(t));
    case Tok::Quote:
    case Tok::Heredoc:
      return "a string";
    default:
      return fmt::format("\"{}\"", str(t));
  }
}

Expr* Parser::node(ExprKind kind, Range r) {
  Expr* e = file_.new_expr();
  e->kind = kind;
  e->range = r;
  return e;
}

Expr* Parser::grow(Expr* e, const Expr* child) {
  if (child && child->height >= e->height) e->height = static_cast<uint16_t>(child->height + 1);
  if (e->height > kMaxHeight)
    fail("Expression is too long",
         fmt::format(
             "An expression can chain or nest at most {} operations. Move parts of it to local values.",
             kMaxHeight),
         e->range);
  return e;
}

const Expr* Parser::literal(Value v, Range r) {
  Expr* e = node(ExprKind::Literal, r);
  e->value = std::move(v);
  return e;
}

const Expr* Parser::placeholder(Range r) {
  return literal(Value::unknown(), r);
}

const Expr* Parser::whole_expression(size_t start) {
  move_to(start);
  set_skip(true);
  size_t begin = peek().begin;
  const Expr* e = expression();
  if (!at(Tok::End))
    fail_at(peek(), "Extra characters after expression",
            fmt::format("The expression ends before {}. An operator, a comma or a bracket may be missing.",
                        name_of(peek())));
  return stopped_ ? placeholder(range(begin, text_.s.size())) : e;
}

}  // namespace xplan::syntax
