// Walks the blocks and arguments of a file by their pieces, and copies them with the old spellings replaced.
#include "core/syntax/rewrite.h"

#include <algorithm>
#include <utility>

namespace xplan::syntax {
namespace {

Piece made(Tok token, std::string_view text) {
  return {PieceKind::Token, token, {}, text};
}

bool remark(const Piece& p) {
  return p.is(PieceKind::Remark);
}

// Types as they were once written, and what they are called now.
struct OldType {
  bool quoted;
  std::string_view name, element;
};
constexpr OldType kOldTypes[] = {{true, "string", {}},   {true, "list", "string"}, {true, "map", "string"},
                                 {false, "list", "any"}, {false, "map", "any"},    {false, "set", "any"}};

class Rewriter {
 public:
  explicit Rewriter(std::vector<Piece> in) : in_(std::move(in)) { out_.reserve(in_.size() + 16); }
  std::vector<Piece> run() {
    std::vector<bool> variable;  // the open blocks: is it one of a variable?
    while (i_ < in_.size()) {
      if (in_[i_].is(Tok::CBrace) && !variable.empty()) variable.pop_back();
      if (!in_[i_].is(Tok::Ident))
        copy(i_ + 1);
      else if (const size_t next = behind_remarks(i_ + 1); next < in_.size() && in_[next].is(Tok::Assign))
        argument(next, !variable.empty() && variable.back() && in_[i_].text == "type");
      else
        variable.push_back(header(variable.empty()));
    }
    return std::move(out_);
  }

 private:
  size_t behind_remarks(size_t i) const {
    while (i < in_.size() && remark(in_[i])) ++i;
    return i;
  }
  void copy(size_t end) {
    for (; i_ < end; ++i_) out_.push_back(in_[i_]);
  }
  bool header(bool top);
  void argument(size_t assign, bool type);
  size_t value_end(size_t i) const;
  bool old_type(size_t begin, size_t end);
  bool lone_interpolation(size_t begin, size_t end) const;
  bool several_lines(size_t begin, size_t end) const;
  void unwrap(size_t begin, size_t end);

  std::vector<Piece> in_, out_;
  size_t i_ = 0;
};

// A block's type, labels and brace. Whether it is a variable.
bool Rewriter::header(bool top) {
  const bool variable = top && in_[i_].text == "variable";
  copy(i_ + 1);
  while (i_ < in_.size() && !in_[i_].is(Tok::OBrace)) {
    if (in_[i_].is(Tok::Ident)) {
      out_.push_back({PieceKind::Open, Tok::Bad, in_[i_].blanks, "\""});
      out_.push_back({PieceKind::Text, Tok::Bad, {}, in_[i_].text});
      out_.push_back({PieceKind::Close, Tok::Bad, {}, "\""});
      ++i_;
    } else {
      copy(i_ + 1);
    }
  }
  copy(std::min(i_ + 1, in_.size()));
  return variable;
}

// Where an argument's value ends: with its line, or with the block on its line.
size_t Rewriter::value_end(size_t i) const {
  for (int depth = 0; i < in_.size(); ++i) {
    if (depth == 0 && (in_[i].ends_line() || in_[i].is(Tok::CBrace))) break;
    depth += in_[i].depth_change();
  }
  return i;
}

void Rewriter::argument(size_t assign, bool type) {
  copy(behind_remarks(assign + 1));
  const size_t end = value_end(i_);
  size_t last = end;
  while (last > i_ && remark(in_[last - 1])) --last;
  if (type ? !old_type(i_, last) : lone_interpolation(i_, last)) {
    if (!type) unwrap(i_, last);
  }
  copy(end);
}

bool Rewriter::old_type(size_t begin, size_t end) {
  const bool quoted = end - begin == 3 && in_[begin].is(PieceKind::Open);
  if (!quoted && end - begin != 1) return false;
  const std::string_view name = in_[begin + (quoted ? 1 : 0)].text;
  for (const OldType& t : kOldTypes) {
    if (t.quoted != quoted || t.name != name) continue;
    out_.push_back(made(Tok::Ident, t.name));
    if (!t.element.empty()) {
      out_.push_back(made(Tok::OParen, "("));
      out_.push_back(made(Tok::Ident, t.element));
      out_.push_back(made(Tok::CParen, ")"));
    }
    i_ = end;
    return true;
  }
  return false;
}

// Whether the pieces are one string that consists of one ${…}.
bool Rewriter::lone_interpolation(size_t begin, size_t end) const {
  if (end - begin < 5 || !in_[begin].is(PieceKind::Open) || !in_[begin + 1].is(PieceKind::Interp) ||
      !in_[end - 2].is(PieceKind::SequenceEnd) || !in_[end - 1].is(PieceKind::Close))
    return false;
  int quotes = 0;
  for (size_t i = begin + 2; i < end - 2; ++i) {
    const Piece& p = in_[i];
    quotes += p.is(PieceKind::Open) ? 1 : p.is(PieceKind::Close) ? -1 : 0;
    if (quotes < 0) return false;
    if (quotes == 0 && (p.is(PieceKind::Interp) || p.is(PieceKind::Control) || p.is(PieceKind::SequenceEnd)))
      return false;
    if (p.is(PieceKind::LineComment) && i + 3 < end) return false;  // code behind it would be swallowed
  }
  return true;
}

// Whether a newline of code stands in the expression, outside of parentheses around all of it.
bool Rewriter::several_lines(size_t begin, size_t end) const {
  const bool parens = in_[begin].is(Tok::OParen) && in_[end - 1].is(Tok::CParen);
  int depth = 0;
  for (size_t i = begin; i < end; ++i) {
    if (in_[i].is(Tok::Newline) && !(parens && depth > 0)) return true;
    depth += in_[i].depth_change();
  }
  return false;
}

// Takes the expression out of its string, and out of one in it. One of several lines needs parentheses to
// stay one.
void Rewriter::unwrap(size_t begin, size_t end) {
  size_t first = begin, last = end;
  do {
    first += 2, last -= 2;
    while (first < last && in_[first].is(Tok::Newline)) ++first;
    while (last > first && in_[last - 1].is(Tok::Newline)) --last;
  } while (lone_interpolation(first, last));
  const bool parens = first < last && several_lines(first, last);
  if (parens) out_.push_back(made(Tok::OParen, "("));
  i_ = first;
  copy(last);
  if (parens) out_.push_back(made(Tok::CParen, ")"));
  i_ = end;
}

}  // namespace

std::vector<Piece> modern_spelling(std::vector<Piece> pieces) {
  return Rewriter(std::move(pieces)).run();
}

}  // namespace xplan::syntax
