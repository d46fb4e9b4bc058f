// Finds literals by the tree of their expression.
#include "core/review/source_literals.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace xplan::review {

using syntax::Expr;
using syntax::ExprKind;

namespace {

Secrecy inner(const Secrecy& s, Type declared) {
  return {s.kind, declared, s.literal};
}

// "sensitive" or "core::sensitive".
bool calls_sensitive(std::string_view function) {
  return function == "sensitive" || function.ends_with("::sensitive");
}

bool is_text(const Expr& e) {
  return e.kind == ExprKind::Literal && e.value.is_string();
}

// The bytes of a quote that begins here: it may be escaped for JSON.
size_t quote_at(std::string_view text, size_t at) {
  for (const std::string_view quote : {"\"", "\\\"", "\\u0022"})
    if (text.substr(at).starts_with(quote)) return quote.size();
  return 0;
}

size_t quote_before(std::string_view text, size_t end, bool escaped) {
  for (const std::string_view quote : {"\\\"", "\\u0022"})
    if (escaped && text.substr(0, end).ends_with(quote)) return quote.size();
  return 1;
}

// What stands between the quotes, or between the first and the last line of a heredoc.
Literals::Place inside(const Expr& e, std::string_view text, size_t begin, size_t end) {
  if (const size_t quote = quote_at(text, begin); quote && !e.heredoc)
    return {begin + quote, std::max(begin + quote, end - quote_before(text, end, quote > 1))};
  const std::string_view written = text.substr(0, end);
  const std::string_view line = written.find('\n', begin) == written.npos ? "\\n" : "\n";
  const size_t first = written.find(line, begin);
  if (first == written.npos) return {begin, end};
  size_t last = written.rfind(line);
  if (last + line.size() == end && last > first) last = written.rfind(line, last - 1);  // the line's end
  return {first + line.size(), std::max(first + line.size(), last)};
}

class Finder {
 public:
  Finder(const syntax::File& file, Literals& out) : file_(file), out_(out) {}
  void find(const Expr& root, const Secrecy& secrecy, bool address);

 private:
  void keep_named(const Expr& e, const Secrecy& s);
  bool is_constant(const Expr& e);
  bool place(const Expr& e, Literals::Place& at) const;
  void object(const Expr& e);
  void text(const Expr& e, Literals::Place at, bool whole, bool address);

  const syntax::File& file_;
  Literals& out_;
  std::unordered_set<const Expr*> in_template_, named_, keys_;
  std::unordered_map<const Expr*, bool> constant_;
};

bool Finder::place(const Expr& e, Literals::Place& at) const {
  if (!e.range.valid() || e.range.begin < file_.base) return false;
  at = {e.range.begin - file_.base, e.range.end - file_.base};
  return at.second <= file_.text.size() && at.first < at.second;
}

// Collections and keys that the declared type says must be there.
void Finder::keep_named(const Expr& e, const Secrecy& s) {
  if (e.kind == ExprKind::Parens && e.a) return keep_named(*e.a, s);
  if (e.kind == ExprKind::Conditional) return keep_named(*e.b, s), keep_named(*e.c, s);
  if (e.kind != ExprKind::Object && e.kind != ExprKind::Tuple) return;
  if (s.names_parts()) named_.insert(&e);
  if (e.kind == ExprKind::Tuple) {
    for (size_t i = 0; i < e.items.size(); ++i) keep_named(*e.items[i], s.element(i));
    return;
  }
  for (size_t i = 0; i + 1 < e.items.size(); i += 2) {
    const std::string_view name = is_text(*e.items[i]) ? e.items[i]->value.as_string() : std::string_view();
    if (s.names(name)) named_.insert(e.items[i]);
    keep_named(*e.items[i + 1], s.member(name));
  }
}

// Without references: nobody needs to see what it depends on.
bool Finder::is_constant(const Expr& e) {
  if (e.kind == ExprKind::Literal) return true;
  if (e.kind == ExprKind::Parens || e.kind == ExprKind::Unary) return e.a && is_constant(*e.a);
  if (e.kind != ExprKind::Object && e.kind != ExprKind::Tuple && e.kind != ExprKind::Template) return false;
  if (const auto known = constant_.find(&e); known != constant_.end()) return known->second;
  bool all = true;
  for (const Expr* item : e.items) all = is_constant(*item) && all;
  return constant_[&e] = all;
}

void Finder::object(const Expr& e) {
  for (size_t i = 0; i + 1 < e.items.size(); i += 2) {
    const Expr& key = *e.items[i];
    Literals::Place at;
    if (!is_text(key) || named_.count(&key) || !place(key, at)) continue;
    keys_.insert(&key);
    const bool quoted = quote_at(file_.text, at.first) > 0;
    (quoted ? out_.keys : out_.names).push_back(quoted ? inside(key, file_.text, at.first, at.second) : at);
  }
}

void Finder::text(const Expr& e, Literals::Place at, bool whole, bool address) {
  if (in_template_.count(&e)) {
    out_.parts.push_back({at.first, at.second, whole, false, address});
  } else if (e.heredoc || quote_at(file_.text, at.first)) {
    const auto [from, to] = inside(e, file_.text, at.first, at.second);
    out_.parts.push_back({from, to, whole, false, address});
  }
}

void Finder::find(const Expr& root, const Secrecy& secrecy, bool address) {
  const bool whole = secrecy.whole(), all = secrecy.kind == Secrecy::All;
  if (all) keep_named(root, secrecy);
  syntax::walk(root, [&](const Expr& e) {
    Literals::Place at;
    if (!place(e, at)) return;
    if (!in_template_.count(&e) && (e.heredoc || quote_at(file_.text, at.first))) out_.texts.push_back(at);
    const bool object_like = e.kind == ExprKind::Object || e.kind == ExprKind::Tuple;
    if (e.kind == ExprKind::Template) {
      in_template_.insert(e.items.begin(), e.items.end());
    } else if (e.kind == ExprKind::Call && !all && calls_sensitive(e.name.sv())) {
      for (const Expr* argument : e.items) find_literals(*argument, {Secrecy::All}, file_, out_);
    } else if (object_like && all) {
      if (e.kind == ExprKind::Object) object(e);
      const size_t one = e.kind == ExprKind::Object ? 2 : 1;
      Literals::Place first;
      if (e.items.size() > one && !named_.count(&e) && is_constant(e) && place(*e.items[one - 1], first))
        out_.blank.push_back({first.second, at.second - 1});
    } else if (e.kind == ExprKind::Literal && e.value.is_number() && whole) {
      out_.parts.push_back({at.first, at.second, true, true});
    } else if (is_text(e) && !keys_.count(&e) && !named_.count(&e)) {
      text(e, at, whole, address);
    }
  });
}

}  // namespace

Secrecy Secrecy::element(size_t i) const {
  if (declared.is_list() || declared.is_set()) return inner(*this, declared.element());
  const bool has = declared.is_tuple() && i < declared.elements().size();
  return inner(*this, has ? declared.elements()[i] : Type::dynamic());
}

bool Secrecy::names(std::string_view member) const {
  return declared.is_object() && declared.find_attr(member) >= 0;
}

Secrecy Secrecy::member(std::string_view name) const {
  if (declared.is_map()) return inner(*this, declared.element());
  return inner(*this, names(name) ? declared.elements()[declared.find_attr(name)] : Type::dynamic());
}

void find_literals(const Expr& root, Secrecy secrecy, const syntax::File& file, Literals& out, bool address) {
  Finder(file, out).find(root, secrecy, address);
}

}  // namespace xplan::review
