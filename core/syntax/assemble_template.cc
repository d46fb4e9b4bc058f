// Puts the parts of a template, which stand in source order, into a tree: plain text, a single interpolation,
// or items with directives (if, for) around some of them.
#include <fmt/format.h>

#include <algorithm>

#include "core/syntax/parser.h"

namespace xplan::syntax {

// The directives that are open at some part, innermost last; the whole template is the outermost.
class Parser::Assembly {
 public:
  Assembly(Parser& p, Range whole) : p_(p), whole_(whole) {
    open_.push_back({nullptr, {whole.begin, whole.begin}, {}});
  }
  void add(Part& part);
  const Expr* finish(bool heredoc);

 private:
  struct Open {
    Expr* e;      // the directive; null for the whole template
    Range range;  // its opening sequence, or that of its else
    std::vector<const Expr*> items;
    bool in_else = false;
  };
  void add_text(Part& part);
  void end_text();
  void open_directive(const Part& part);
  void add_else(const Part& part);
  void end_directive(const Part& part);
  void close_branch(uint32_t end);
  void pop_directive();

  Parser& p_;
  const Range whole_;
  std::vector<Open> open_;
  std::string text_;  // of the text parts just before, which become one item
  Range text_range_;
};

void Parser::Assembly::add(Part& part) {
  if (part.kind != Part::Text) end_text();
  switch (part.kind) {
    case Part::Text:
      add_text(part);
      break;
    case Part::Interp:
      open_.back().items.push_back(part.expr);
      break;
    case Part::If:
    case Part::For:
      open_directive(part);
      break;
    case Part::Else:
      add_else(part);
      break;
    case Part::EndIf:
    case Part::EndFor:
      end_directive(part);
      break;
  }
}

void Parser::Assembly::add_text(Part& part) {
  text_range_ = text_range_.valid() ? cover(text_range_, part.range) : part.range;
  text_ = text_.empty() ? std::move(part.text) : std::move(text_) + part.text;
}

void Parser::Assembly::end_text() {
  if (!text_.empty()) open_.back().items.push_back(p_.literal(Value::string(text_), text_range_));
  text_.clear();
  text_range_ = {};
}

void Parser::Assembly::open_directive(const Part& part) {
  Expr* e = p_.node(part.kind == Part::If ? ExprKind::TemplateIf : ExprKind::TemplateFor, part.range);
  e->a = part.expr ? part.expr : p_.placeholder(part.range);
  p_.grow(e, e->a);
  e->name = part.name, e->key_name = part.key_name;
  e->open_range = part.range;
  open_.push_back({e, part.range, {}});
  if (open_.size() > kMaxDepth)
    p_.fail("Nested too deeply",
            fmt::format("Template directives can be nested at most {} levels deep.", kMaxDepth), part.range);
}

// The items since the directive began, or since its else, up to `end`, as a template.
void Parser::Assembly::close_branch(uint32_t end) {
  Open& o = open_.back();
  Expr* t = p_.node(ExprKind::Template, {o.range.end, end});
  for (const Expr* item : o.items) p_.grow(t, item);
  t->items = p_.file_.keep(std::move(o.items));
  o.items.clear();
  (o.in_else ? o.e->c : o.e->b) = t;
  p_.grow(o.e, t);
}

void Parser::Assembly::add_else(const Part& part) {
  Open& top = open_.back();
  if (!top.e || top.e->kind != ExprKind::TemplateIf || top.in_else) {
    p_.note("Unbalanced template directive", "This \"else\" does not belong to an open \"if\" directive.",
            part.range);
    return;
  }
  close_branch(part.range.begin);
  top.in_else = true;
  top.range = part.range;
}

void Parser::Assembly::end_directive(const Part& part) {
  const bool is_if = part.kind == Part::EndIf;
  Expr* e = open_.back().e;
  if (!e || (e->kind == ExprKind::TemplateIf) != is_if) {
    p_.note("Unbalanced template directive",
            fmt::format("This \"{}\" does not belong to {} directive.", is_if ? "endif" : "endfor",
                        is_if ? "an open \"if\"" : "an open \"for\""),
            part.range);
    return;
  }
  close_branch(part.range.begin);
  e->range = cover(e->range, part.range);
  pop_directive();
}

void Parser::Assembly::pop_directive() {
  const Expr* done = open_.back().e;
  open_.pop_back();
  open_.back().items.push_back(done);
}

const Expr* Parser::Assembly::finish(bool heredoc) {
  end_text();
  while (open_.size() > 1) {
    const Expr& e = *open_.back().e;
    const bool is_if = e.kind == ExprKind::TemplateIf;
    p_.note("Unclosed template directive",
            fmt::format("This \"{}\" directive has no end. Add \"%{{ {} }}\".", is_if ? "if" : "for",
                        is_if ? "endif" : "endfor"),
            e.open_range);
    close_branch(whole_.end);
    pop_directive();
  }
  Expr* t = p_.node(ExprKind::Template, whole_);
  t->heredoc = heredoc;
  for (const Expr* item : open_[0].items) p_.grow(t, item);
  t->items = p_.file_.keep(std::move(open_[0].items));
  return t;
}

const Expr* Parser::assemble(std::vector<Part>& parts, Range whole, bool heredoc) {
  if (stopped_) return placeholder(whole);
  if (parts.size() == 1 && parts[0].kind == Part::Interp) {
    Expr* e = node(ExprKind::TemplateWrap, whole);
    e->a = parts[0].expr;
    return grow(e, e->a);
  }
  if (std::all_of(parts.begin(), parts.end(), [](const Part& p) { return p.kind == Part::Text; })) {
    std::string all;
    for (const Part& p : parts) all += p.text;
    Expr* e = node(ExprKind::Literal, whole);
    e->value = Value::string(all);
    e->heredoc = heredoc;
    return e;
  }
  Assembly tree(*this, whole);
  for (size_t i = 0; i < parts.size() && !stopped_; ++i) tree.add(parts[i]);
  return tree.finish(heredoc);
}

}  // namespace xplan::syntax
