// Layout in four steps over the lines: cut each into what comes before "=", the value and a trailing comment;
// spaces between neighbours; indentation by the brackets that are open; columns of consecutive lines.
//
// A line here ends with a newline of code: a heredoc is part of the line that it begins on.
#include "core/syntax/format.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/utf8.h"
#include "core/syntax/pieces.h"
#include "core/syntax/rewrite.h"

namespace xplan::syntax {
namespace {

constexpr size_t kIndent = 2;

// Pieces [begin, end); the value begins at `value` with its "=", a trailing comment at `comment`. Where there
// is none, these are the end of what comes before.
struct Line {
  size_t begin, value, comment, end;
};

class Layout {
 public:
  explicit Layout(std::vector<Piece> pieces) : p_(std::move(pieces)), spaces_(p_.size()) {}
  std::string run();

 private:
  void cut_lines();
  Line cut(size_t begin, size_t end) const;
  int depth_change(size_t begin, size_t end) const;
  void space();
  void indent();
  void align(size_t Line::*cell, size_t Line::*next);
  size_t columns(size_t begin, size_t end) const;

  std::vector<Piece> p_;
  std::vector<size_t> spaces_;  // before each piece
  std::vector<Line> lines_;
};

bool is_operator(const Piece& p) {
  return p.kind == PieceKind::Token &&
         (p.token == Tok::Assign || p.token == Tok::Colon || p.token == Tok::Comma ||
          p.token == Tok::Question || p.token == Tok::Arrow || (p.token >= Tok::Star && p.token <= Tok::Ge));
}

// Whether the edge between two pieces is inside of a string, where a space would be part of it.
bool in_string(const Piece& left, const Piece& right) {
  const auto text = [](const Piece& p) { return p.is(PieceKind::Text) || p.is(PieceKind::HeredocEnd); };
  return text(left) || text(right) || left.is(PieceKind::Open) || right.is(PieceKind::Close) ||
         left.is(Tok::Heredoc) || right.is(PieceKind::Interp) || right.is(PieceKind::Control);
}

// Whether a "-" subtracts, judged by what stands before it in its cell.
bool subtracts(const Piece* before) {
  if (!before || before->depth_change() > 0 || is_operator(*before)) return false;
  return true;
}

// Whether a space stands between two neighbours of a line; `before` is the piece before `left` in its cell,
// if any. The first row that applies decides.
bool apart(const Piece* before, const Piece& left, const Piece& right) {
  if (right.is(Tok::Newline)) return false;
  if (left.is(Tok::Ident) && right.is(Tok::OParen)) return false;  // a call
  if (left.is(Tok::Ident) && right.is(Tok::DoubleColon)) return false;
  if (left.is(Tok::DoubleColon) && right.is(Tok::Ident)) return false;
  if (left.is(Tok::Dot) || right.is(Tok::Dot)) return false;
  if (right.is(Tok::Comma) || right.is(Tok::Ellipsis)) return false;
  if (left.is(Tok::Comma)) return true;
  if (in_string(left, right)) return false;
  if (before && before->is(Tok::Ident) && left.is_word("in") && right.is(Tok::OBrack))
    return true;  // of a "for"
  if (right.is(Tok::OBrack) && (left.is(Tok::Ident) || left.is(Tok::Number) || left.depth_change() < 0))
    return false;
  if (left.is(Tok::Minus)) return subtracts(before);
  if (left.is(Tok::Not)) return false;
  const bool begins = left.is(PieceKind::Interp) || left.is(PieceKind::Control);
  if ((begins && right.is(Tok::OBrace)) || (left.is(Tok::CBrace) && right.is(PieceKind::SequenceEnd)))
    return true;  // "${ {" is no opening of two braces
  if (left.is(Tok::OBrace) || right.is(Tok::CBrace)) return !(left.is(Tok::OBrace) && right.is(Tok::CBrace));
  return left.depth_change() <= 0 && right.depth_change() >= 0;
}

int Layout::depth_change(size_t begin, size_t end) const {
  int change = 0;
  for (size_t i = begin; i < end; ++i) change += p_[i].depth_change();
  return change;
}

Line Layout::cut(size_t begin, size_t end) const {
  size_t comment = end;
  if (end - begin > 1 && (p_[end - 1].is(PieceKind::LineComment) || p_[end - 1].is(PieceKind::Remark)))
    comment = end - 1;
  size_t value = begin + 1;
  while (value < comment && !p_[value].is(Tok::Assign)) ++value;
  // A value that goes on in the next lines is no cell: its "=" is not aligned.
  if (value < comment && depth_change(value, comment) != 0) value = comment;
  return {begin, std::min(value, comment), comment, end};
}

void Layout::cut_lines() {
  for (size_t i = 0, begin = 0; i < p_.size(); ++i) {
    if (!p_[i].ends_line() && i + 1 < p_.size()) continue;
    lines_.push_back(cut(begin, i + 1));
    begin = i + 1;
  }
}

void Layout::space() {
  for (const Line& line : lines_) {
    for (const auto& [begin, end] : {std::pair(line.begin, line.value), std::pair(line.value, line.comment)})
      for (size_t i = begin; i + 1 < end; ++i)
        spaces_[i + 1] = apart(i > begin ? &p_[i - 1] : nullptr, p_[i], p_[i + 1]) ? 1 : 0;
  }
}

// Each line that leaves brackets open indents what follows by one step, however many they are; they are
// closed together or one by one.
void Layout::indent() {
  std::vector<int> open;  // brackets left open by each line that did
  for (const Line& line : lines_) {
    if (p_[line.begin].is(Tok::Newline)) continue;
    size_t head = line.begin;  // what stands before a heredoc's text
    while (head < line.value && !p_[head].is(Tok::Heredoc)) ++head;
    const int change = depth_change(line.begin, head) + depth_change(line.value, line.comment);
    for (int closed = -change; closed > 0 && !open.empty();) {
      const int here = std::min(closed, open.back());
      closed -= here;
      if ((open.back() -= here) == 0) open.pop_back();
    }
    spaces_[line.begin] = kIndent * open.size();
    if (change > 0) open.push_back(change);
  }
}

size_t Layout::columns(size_t begin, size_t end) const {
  size_t n = 0;
  for (size_t i = begin; i < end; ++i) {
    const std::string_view text = p_[i].text;
    const bool ascii =
        std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    n += spaces_[i] + (ascii ? text.size() : graphemes(text).size());
  }
  return n;
}

// Cells of consecutive lines begin in one column.
void Layout::align(size_t Line::*cell, size_t Line::*next) {
  const auto absent = [&](const Line& line) { return line.*cell == line.*next; };
  for (auto first = lines_.begin(); first != lines_.end();) {
    const auto last = std::find_if(first, lines_.end(), absent);
    size_t widest = 0;
    for (auto line = first; line != last; ++line) {
      const size_t at = (*line).*cell;
      spaces_[at] = columns(line->begin, at);
      widest = std::max(widest, spaces_[at]);
    }
    for (auto line = first; line != last; ++line)
      spaces_[(*line).*cell] = widest + 1 - spaces_[(*line).*cell];
    first = std::find_if_not(last, lines_.end(), absent);
  }
}

std::string Layout::run() {
  cut_lines();
  space();
  indent();
  align(&Line::value, &Line::comment);
  align(&Line::comment, &Line::end);
  if (!p_.empty() && p_.back().is(Tok::End)) spaces_.back() = p_.back().blanks.size();
  std::string out;
  for (size_t i = 0; i < p_.size(); ++i) out.append(spaces_[i], ' ').append(p_[i].text);
  return out;
}

}  // namespace

std::string format_native(std::string_view source) {
  if (source.starts_with("\xEF\xBB\xBF")) source.remove_prefix(3);
  return Layout(modern_spelling(cut_pieces(source))).run();
}

}  // namespace xplan::syntax
