// What follows a term: attributes, indexes and splats.
#include <fmt/format.h>

#include "core/syntax/parser.h"

namespace xplan::syntax {

// Puts the collected steps behind e: into e when it is a bare name so far, else as a node around it.
const Expr* Parser::with_steps(const Expr* e, std::vector<TraversalStep>& steps) {
  if (steps.empty()) return e;
  Range last = steps.back().range, first = steps.front().range;
  Expr* target;
  if (e->kind == ExprKind::Traversal) {
    target = const_cast<Expr*>(e);  // made a moment ago by name_or_call, nobody else has it
  } else {
    target = node(ExprKind::RelTraversal, e->range);
    target->traversal = file_.new_traversal();
    target->traversal->range = first;
    target->a = e;
    grow(target, e);
  }
  target->range.end = target->traversal->range.end = last.end;
  target->traversal->steps = file_.keep(std::move(steps));
  steps.clear();
  return target;
}

void Parser::legacy_index(size_t dot, std::vector<TraversalStep>& steps) {
  Token t = take();
  std::string_view digits = str(t);
  TraversalStep step;
  step.is_attr = false;
  step.range = range(dot, t.end);
  size_t point = digits.find('.');
  Result<Number> n = Number::parse(digits);
  if (point != digits.npos || !n.ok()) {
    std::string detail = "A dot can be followed only by a plain index.";
    if (point != digits.npos)
      detail = fmt::format(
          "Two consecutive indexes cannot be written with dots, because \"{}\" reads as a fraction. Write "
          "[{}][{}].",
          digits, digits.substr(0, point), digits.substr(point + 1));
    note("Invalid index", std::move(detail), range(t));
    step.index = Value::unknown();
  } else {
    step.index = Value::number(*n);
  }
  steps.push_back(std::move(step));
}

const Expr* Parser::attr_splat(const Expr* e, size_t dot) {
  Token star = take();
  Expr* item = node(ExprKind::SplatItem, range(dot, star.end));
  std::vector<TraversalStep> steps;
  while (at(Tok::Dot) && !stopped_) {
    size_t step_begin = take().begin;
    if (at(Tok::Ident)) {
      Token t = take();
      TraversalStep step;
      step.attr = Symbol(str(t)), step.range = range(step_begin, t.end);
      steps.push_back(std::move(step));
    } else if (at(Tok::Number)) {
      legacy_index(step_begin, steps);
    } else if (at(Tok::Star)) {
      fail_at(peek(), "Splat inside a splat",
              "\".*\" cannot be followed by another \".*\". Use \"[*]\" for both.");
    } else {
      fail_at(peek(), "Missing attribute name", "An attribute name is expected after a dot.");
    }
  }
  Expr* splat = node(ExprKind::Splat, range(0, 0));
  splat->legacy_splat = true;
  splat->a = e;
  splat->b = with_steps(item, steps);
  splat->range = {e->range.begin, text_.at(last_end_)};
  return grow(grow(splat, e), splat->b);
}

const Expr* Parser::full_splat(const Expr* e, size_t open) {
  Nest nest(*this);
  take();  // *
  if (too_deep(range(open, last_end_))) return e;
  if (!at(Tok::CBrack)) {
    fail_at(peek(), "Missing closing bracket",
            "A splat is written as \"[*]\": the asterisk must be followed directly by the closing bracket.");
    return e;
  }
  take();
  const Expr* item = node(ExprKind::SplatItem, range(open, last_end_));
  Expr* splat = node(ExprKind::Splat, e->range);
  splat->a = e;
  {
    Newlines newlines(*this, skip_newlines_);
    splat->b = postfix(item);
  }
  splat->range.end = text_.at(last_end_);
  return grow(grow(splat, e), splat->b);
}

// [index]: a literal one joins the steps (and e is returned as it is), any other makes a node around e.
const Expr* Parser::index_step(const Expr* e, std::vector<TraversalStep>& steps) {
  Token open = take();
  bool outer = skip_newlines_;
  Newlines newlines(*this, true);
  if (at(Tok::Star)) {
    e = with_steps(e, steps);
    set_skip(outer);
    return full_splat(e, open.begin);
  }
  const Expr* key = expression();
  if (at(Tok::End))
    fail("Unclosed index", "The bracket that is opened here is never closed. Add a \"]\".", range(open));
  else if (!at(Tok::CBrack))
    fail_at(peek(), "Missing closing bracket",
            fmt::format("The index is complete, so \"]\" is expected, but {} follows.", name_of(peek())),
            range(open));
  take();
  Range step_range = range(open.begin, last_end_);
  if (key->kind == ExprKind::Literal && !key->heredoc && (key->value.is_string() || key->value.is_number())) {
    TraversalStep step;
    step.is_attr = false;
    step.index = key->value;
    step.range = step_range;
    steps.push_back(std::move(step));
    return e;
  }
  e = with_steps(e, steps);
  Expr* index = node(ExprKind::Index, {e->range.begin, step_range.end});
  index->open_range = range(open);
  index->a = e, index->b = key;
  return grow(grow(index, e), key);
}

const Expr* Parser::postfix(const Expr* e) {
  std::vector<TraversalStep> steps;
  for (;;) {
    if (at(Tok::OBrack)) {
      e = index_step(e, steps);
      continue;
    }
    if (!at(Tok::Dot)) return with_steps(e, steps);
    size_t dot = take().begin;
    if (at(Tok::Ident)) {
      Token t = take();
      TraversalStep step;
      step.attr = Symbol(str(t)), step.range = range(dot, t.end);
      steps.push_back(std::move(step));
    } else if (at(Tok::Number)) {
      legacy_index(dot, steps);
    } else if (at(Tok::Star)) {
      e = with_steps(e, steps);
      e = attr_splat(e, dot);
    } else {
      fail_at(peek(), "Missing attribute name",
              fmt::format("An attribute name is expected after a dot, but {} follows.", name_of(peek())),
              range(dot, dot + 1));
    }
  }
}

}  // namespace xplan::syntax
