// Expressions: operators, literals, calls and collections. The steps behind a term are in parse_steps.cc.
#include <fmt/format.h>

#include "core/syntax/parser.h"

namespace xplan::syntax {
namespace {

struct BinaryOp {
  int level = 0;  // 0: not a binary operator
  Op op = Op::Add;
};

BinaryOp binary_op(Tok t) {
  switch (t) {
    case Tok::Or:
      return {1, Op::Or};
    case Tok::And:
      return {2, Op::And};
    case Tok::Eq:
      return {3, Op::Eq};
    case Tok::Ne:
      return {3, Op::Ne};
    case Tok::Lt:
      return {4, Op::Lt};
    case Tok::Le:
      return {4, Op::Le};
    case Tok::Gt:
      return {4, Op::Gt};
    case Tok::Ge:
      return {4, Op::Ge};
    case Tok::Plus:
      return {5, Op::Add};
    case Tok::Minus:
      return {5, Op::Sub};
    case Tok::Star:
      return {6, Op::Mul};
    case Tok::Slash:
      return {6, Op::Div};
    case Tok::Percent:
      return {6, Op::Mod};
    default:
      return {};
  }
}

}  // namespace

const Expr* Parser::expression() {
  Nest nest(*this);
  const Expr* condition = binary(1);
  if (!at(Tok::Question)) return condition;
  Token question = take();
  if (too_deep(range(question))) return condition;
  const Expr* yes = expression();
  if (!at(Tok::Colon)) {
    fail_at(peek(), "Incomplete conditional expression",
            "A conditional needs two results after \"?\", separated by a colon: condition ? value : value.",
            cover(condition->range, range(question)));
    return condition;
  }
  take();
  const Expr* no = expression();
  Expr* e = node(ExprKind::Conditional, cover(condition->range, no->range));
  e->a = condition, e->b = yes, e->c = no;
  return grow(grow(grow(e, condition), yes), no);
}

// Operators of one level associate to the left, so the left side grows in a loop; recursion is one step per
// level.
const Expr* Parser::binary(int min_level) {
  const Expr* left = unary();
  for (;;) {
    BinaryOp op = binary_op(peek().kind);
    if (op.level < min_level || op.level == 0) return left;
    take();
    const Expr* right = binary(op.level + 1);
    Expr* e = node(ExprKind::Binary, cover(left->range, right->range));
    e->op = op.op, e->a = left, e->b = right;
    left = grow(grow(e, left), right);
  }
}

const Expr* Parser::unary() {
  if (!at(Tok::Minus) && !at(Tok::Not)) return postfix(term());
  std::vector<Token> ops;
  while (at(Tok::Minus) || at(Tok::Not)) {
    ops.push_back(take());
    if (ops.size() > kMaxDepth) {
      fail("Nested too deeply",
           "This is a very long sequence of \"-\" or \"!\" operators. Remove the ones that cancel each other "
           "out.",
           range(ops[0]));
    }
  }
  const Expr* e = postfix(term());
  for (size_t i = ops.size(); i-- > 0;) {
    Expr* u = node(ExprKind::Unary, cover(range(ops[i]), e->range));
    u->op = ops[i].kind == Tok::Minus ? Op::Neg : Op::Not;
    u->a = e;
    e = grow(u, e);
  }
  return e;
}

const Expr* Parser::term() {
  const Token& t = peek();
  if (too_deep(range(t))) return placeholder(range(t));
  switch (t.kind) {
    case Tok::Ident:
      return name_or_call();
    case Tok::Number:
      return number();
    case Tok::Quote:
      return quoted();
    case Tok::Heredoc:
      return heredoc();
    case Tok::OParen:
      return parens();
    case Tok::OBrack:
      return tuple();
    case Tok::OBrace:
      return object();
    default:
      break;
  }
  std::string detail = fmt::format("A value is expected here, but {} follows.", name_of(t));
  if (t.kind == Tok::Newline)
    detail =
        "The line ends where a value is expected. Write the value on the same line, or enclose the whole "
        "expression in parentheses to continue it on the next one.";
  else if (t.kind == Tok::Assign)
    detail = "A value is expected here, but \"=\" follows. Use \"==\" to compare two values.";
  else if (t.kind == Tok::End)
    detail = "A value is expected here, but the input ends.";
  fail_at(t, "Invalid expression", std::move(detail));
  return placeholder(range(token_));
}

const Expr* Parser::number() {
  Token t = take();
  std::string text(str(t));
  // "1.e2" is read as "1e2".
  if (size_t dot = text.find(".e"), dot2 = text.find(".E"); dot != text.npos || dot2 != text.npos)
    text.erase(std::min(dot, dot2), 1);
  Result<Number> n = Number::parse(text);
  if (n.ok()) return literal(Value::number(*n), range(t));
  if (text.size() > 60) text = text.substr(0, 60) + "…";
  note("Invalid number",
       n.error().message == kTooManyDigits
           ? fmt::format("\"{}\" cannot be used: {}.", text, kTooManyDigits)
           : fmt::format(
                 "\"{}\" is not a number. Numbers are written as digits, with an optional fraction (1.5) "
                 "and exponent (1e9).",
                 text),
       range(t));
  return placeholder(range(t));
}

const Expr* Parser::name_or_call() {
  Token t = take();
  if (at(Tok::OParen)) return call(Symbol(str(t)), range(t));
  if (at(Tok::DoubleColon)) {
    std::string name(str(t));
    while (accept(Tok::DoubleColon)) {
      if (!at(Tok::Ident)) {
        fail_at(peek(), "Invalid function name",
                "The name of a function or of a function namespace is expected after \"::\".");
        return placeholder(range(t));
      }
      name += "::";
      name += str(take());
    }
    Range r = range(t.begin, last_end_);
    if (at(Tok::OParen)) return call(Symbol(name), r);
    fail_at(peek(), "Missing arguments of function call",
            fmt::format("\"{}\" is the name of a function. Its arguments must follow in parentheses.", name));
    return placeholder(r);
  }
  std::string_view word = str(t);
  if (word == "true" || word == "false") return literal(Value::boolean(word == "true"), range(t));
  if (word == "null") return literal(Value::null(), range(t));
  Expr* e = node(ExprKind::Traversal, range(t));
  e->traversal = file_.new_traversal();
  e->traversal->root = Symbol(word);
  e->traversal->root_range = e->traversal->range = e->range;
  return e;
}

const Expr* Parser::call(Symbol name, Range name_range) {
  Token open = take();
  Newlines newlines(*this, true);
  Expr* e = node(ExprKind::Call, name_range);
  e->name = name, e->name_range = name_range, e->open_range = range(open);
  // A brace never follows an argument, so it belongs to what is around the call.
  auto unclosed = [&] { return at(Tok::End) || at(Tok::CBrace); };
  std::vector<const Expr*> args;
  while (!at(Tok::CParen) && !unclosed()) {
    const Expr* arg = expression();
    args.push_back(arg);
    grow(e, arg);
    if (accept(Tok::Ellipsis)) {
      e->expand_final = true;
      if (!at(Tok::CParen))
        fail_at(peek(), "Misplaced \"...\"",
                "An argument expanded with \"...\" must be the last one, directly before the closing "
                "parenthesis.");
      break;
    }
    if (accept(Tok::Comma)) continue;
    if (at(Tok::CParen) || unclosed()) break;
    fail_at(peek(), "Missing comma between arguments",
            fmt::format("Arguments must be separated by commas, and the last one must be followed by "
                        "\")\". Here, {} follows.",
                        name_of(peek())),
            cover(name_range, e->open_range));
    break;
  }
  if (unclosed())
    fail("Unclosed function call",
         "The parenthesis that opens the arguments here is never closed. Add a \")\".", e->open_range,
         cover(name_range, e->open_range));
  take();
  e->range.end = text_.at(last_end_);
  e->items = file_.keep(std::move(args));
  return e;
}

const Expr* Parser::parens() {
  Token open = take();
  Newlines newlines(*this, true);
  const Expr* inner = expression();
  if (!at(Tok::CParen)) {
    if (at(Tok::End) || at(Tok::CBrace))
      fail("Unclosed parenthesis", "The parenthesis that is opened here is never closed. Add a \")\".",
           range(open));
    else
      fail_at(peek(), "Missing closing parenthesis",
              fmt::format("The expression in parentheses is complete, so \")\" is expected, but {} follows.",
                          name_of(peek())),
              cover(range(open), inner->range));
  }
  take();
  Expr* e = node(ExprKind::Parens, range(open.begin, last_end_));
  e->a = inner;
  return grow(e, inner);
}

const Expr* Parser::tuple() {
  Token open = take();
  Newlines newlines(*this, true);
  if (at_word("for")) return for_expr(open, false);
  Expr* e = node(ExprKind::Tuple, range(open));
  e->open_range = range(open);
  std::vector<const Expr*> items;
  while (!at(Tok::CBrack) && !stopped_) {
    if (at(Tok::End) || at(Tok::CBrace)) {
      fail("Unclosed list", "The bracket that opens the list here is never closed. Add a \"]\".",
           e->open_range);
      break;
    }
    const Expr* item = expression();
    items.push_back(item);
    grow(e, item);
    if (accept(Tok::Comma) || at(Tok::CBrack) || at(Tok::End) || at(Tok::CBrace)) continue;
    fail_at(peek(), "Missing comma between list items",
            fmt::format("List items must be separated by commas, even if each is on its own line. Here, {} "
                        "follows an item.",
                        name_of(peek())),
            e->open_range);
  }
  take();
  e->range.end = text_.at(last_end_);
  e->items = file_.keep(std::move(items));
  return e;
}

// A name that is directly followed by "=" or ":" is the text of the key; everything else is an expression.
const Expr* Parser::object_key() {
  if (at(Tok::Ident)) {
    Tok second = peek_second().kind;
    if (second == Tok::Assign || second == Tok::Colon) {
      Token t = take();
      return literal(Value::string(str(t)), range(t));
    }
  }
  return expression();
}

const Expr* Parser::object() {
  Token open = take();
  {
    Newlines newlines(*this, true);
    if (at_word("for")) return for_expr(open, true);
  }
  Newlines newlines(*this, false);
  Expr* e = node(ExprKind::Object, range(open));
  e->open_range = range(open);
  std::vector<const Expr*> items;
  for (;;) {
    while (accept(Tok::Newline)) {
    }
    if (at(Tok::CBrace) || stopped_) break;
    if (at(Tok::End)) {
      fail("Unclosed object", "The brace that opens the object here is never closed. Add a \"}\".",
           e->open_range);
      break;
    }
    const Expr* key = object_key();
    if (!at(Tok::Assign) && !at(Tok::Colon)) {
      if (at(Tok::End))
        fail("Unclosed object", "The brace that opens the object here is never closed. Add a \"}\".",
             e->open_range);
      else if (at(Tok::OBrace))
        fail_at(peek(), "Missing \"=\" after object key",
                "An object cannot contain blocks. Write key = { … }, with an equals sign.", e->open_range);
      else
        fail_at(peek(), "Missing \"=\" after object key",
                fmt::format("Each element of an object is written as key = value, but here {} follows the "
                            "key. A key with dots, spaces or other special characters must be in quotes.",
                            name_of(peek())),
                e->open_range);
      break;
    }
    take();
    const Expr* value = expression();
    items.push_back(key), items.push_back(value);
    grow(grow(e, key), value);
    if (accept(Tok::Comma) || accept(Tok::Newline) || at(Tok::CBrace) || at(Tok::End)) continue;
    fail_at(peek(), "Missing separator between object elements",
            fmt::format(
                "Elements of an object must be separated by commas or line breaks. Here, {} follows a value.",
                name_of(peek())),
            e->open_range);
  }
  take();
  e->range.end = text_.at(last_end_);
  e->items = file_.keep(std::move(items));
  return e;
}

// "name in" or "key, value in".
bool Parser::loop_names(Symbol& key, Symbol& value) {
  for (int i = 0; i < 2; ++i) {
    if (!at(Tok::Ident)) {
      fail_at(peek(), "Invalid loop variables",
              "\"for\" must be followed by one or two names, then \"in\" and the collection: for value in x, "
              "or for key, value in x.");
      return false;
    }
    key = value;
    value = Symbol(str(take()));
    if (i == 1 || !accept(Tok::Comma)) break;
  }
  if (at_word("in")) {
    take();
    return true;
  }
  fail_at(peek(), "Missing \"in\" of a loop",
          fmt::format("\"in\" and the collection are expected after the loop variables, but {} follows.",
                      name_of(peek())));
  return false;
}

const Expr* Parser::for_expr(const Token& open, bool braces) {
  Newlines newlines(*this, true);
  take();  // for
  Expr* e = node(ExprKind::For, range(open));
  e->open_range = range(open);
  e->is_object_for = braces;
  auto expect = [&](Tok t, std::string_view what) {
    if (accept(t)) return true;
    fail_at(peek(), "Incomplete \"for\" expression",
            fmt::format("{} Here, {} follows.", what, name_of(peek())), e->open_range);
    return false;
  };
  if (!loop_names(e->key_name, e->name)) return e;
  grow(e, e->a = expression());
  if (!expect(Tok::Colon, "A colon and the result for each element are expected after the collection."))
    return e;
  const Expr* result = expression();
  if (braces) {
    e->b = result;
    grow(e, result);
    if (!expect(Tok::Arrow,
                "In braces, the result for each element must be a key and a value, written as key => value."))
      return e;
    result = expression();
  } else if (at(Tok::Arrow)) {
    fail_at(peek(), "Key in a list",
            "In brackets, the result for each element must be a single value. For keys and values, enclose "
            "the expression in braces: {for … : key => value}.",
            e->open_range);
    return e;
  }
  e->c = result;
  grow(e, result);
  if (at(Tok::Ellipsis)) {
    if (!braces)
      note_at(peek(), "Misplaced \"...\"",
              "Only a \"for\" expression in braces can group values of the same key with \"...\".",
              e->open_range);
    take();
    e->grouping = braces;
  }
  if (at_word("if")) {
    take();
    grow(e, e->d = expression());
  }
  if (at(Tok::End))
    fail("Unclosed \"for\" expression",
         braces ? "The brace that is opened here is never closed. Add a \"}\"."
                : "The bracket that is opened here is never closed. Add a \"]\".",
         e->open_range);
  else
    expect(braces ? Tok::CBrace : Tok::CBrack,
           braces ? "The \"for\" expression is complete, so \"}\" is expected."
                  : "The \"for\" expression is complete, so \"]\" is expected.");
  e->range.end = text_.at(last_end_);
  return e;
}

}  // namespace xplan::syntax
