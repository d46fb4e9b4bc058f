// Cuts a native source into pieces. Strings end where their expressions let them, so the levels that are open
// are kept on a stack.
#include "core/syntax/pieces.h"

#include <algorithm>

namespace xplan::syntax {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

class Cutter {
 public:
  explicit Cutter(std::string_view s) : s_(s) {}
  std::vector<Piece> run() {
    out_.reserve(s_.size() / 5);
    while (i_ < s_.size()) {
      if (levels_.empty() || levels_.back().kind == Level::Sequence)
        code();
      else
        string();
    }
    if (blanks_ < i_) add(PieceKind::Token, i_, Tok::End);
    return std::move(out_);
  }

 private:
  struct Level {
    enum Kind : uint8_t { Quotes, Heredoc, Sequence } kind;
    int braces = 0;           // Sequence: open braces of code within it
    std::string_view marker;  // Heredoc
  };
  bool is(size_t at, char c) const { return at < s_.size() && s_[at] == c; }
  void add(PieceKind kind, size_t end, Tok token = Tok::Bad) {
    out_.push_back({kind, token, s_.substr(blanks_, i_ - blanks_), s_.substr(i_, end - i_)});
    i_ = blanks_ = end;
  }
  void code();
  bool comment();
  void string();
  void sequence();
  bool heredoc_end();
  size_t text_end() const;

  std::string_view s_;
  size_t blanks_ = 0, i_ = 0;  // the blanks before the next piece begin, the piece begins
  std::vector<Level> levels_;
  std::vector<Piece> out_;
};

bool Cutter::comment() {
  if (is(i_, '#') || (is(i_, '/') && is(i_ + 1, '/'))) {
    const size_t end = s_.find('\n', i_);
    add(PieceKind::LineComment, end == s_.npos ? s_.size() : end + 1);
    return true;
  }
  if (!is(i_, '/') || !is(i_ + 1, '*')) return false;
  const size_t end = s_.find("*/", i_ + 2);
  add(PieceKind::Remark, end == s_.npos ? s_.size() : end + 2);
  return true;
}

void Cutter::code() {
  while (i_ < s_.size() && is_blank(s_[i_])) ++i_;
  if (i_ == s_.size() || comment()) return;
  const Token t = scan(s_, i_, false);
  Level* in = levels_.empty() ? nullptr : &levels_.back();
  if (t.kind == Tok::Quote) {
    add(PieceKind::Open, t.end);
    levels_.push_back({Level::Quotes, 0, {}});
  } else if (t.kind == Tok::Heredoc) {
    std::string_view marker = s_.substr(t.begin + 2, t.end - t.begin - 3);
    if (marker.front() == '-') marker.remove_prefix(1);
    if (marker.back() == '\r') marker.remove_suffix(1);
    add(PieceKind::Token, t.end, t.kind);
    levels_.push_back({Level::Heredoc, 0, marker});
  } else if (in && in->braces == 0 && (t.kind == Tok::CBrace || t.kind == Tok::TrimBrace)) {
    levels_.pop_back();
    add(PieceKind::SequenceEnd, t.end);
  } else {
    if (in) in->braces += t.kind == Tok::OBrace ? 1 : t.kind == Tok::CBrace ? -1 : 0;
    add(PieceKind::Token, t.end, t.kind);
  }
}

// At the start of a line of a heredoc: its last line?
bool Cutter::heredoc_end() {
  if (i_ > 0 && s_[i_ - 1] != '\n') return false;
  size_t begin = i_;
  while (begin < s_.size() && is_blank(s_[begin])) ++begin;
  const std::string_view marker = levels_.back().marker;
  if (s_.substr(begin, marker.size()) != marker) return false;
  size_t end = begin + marker.size();
  while (end < s_.size() && is_blank(s_[end])) ++end;
  if (end < s_.size() && s_[end] != '\n' && !(s_[end] == '\r' && is(end + 1, '\n'))) return false;
  levels_.pop_back();
  add(PieceKind::HeredocEnd, end);
  return true;
}

// Where literal text ends: at a template sequence, at the string's end, behind a line.
size_t Cutter::text_end() const {
  const bool quotes = levels_.back().kind == Level::Quotes;
  for (size_t i = i_; i < s_.size(); ++i) {
    const char c = s_[i];
    if (c == '\n') return i + 1;
    if (quotes && c == '"') return i;
    if (quotes && c == '\\' && !is(i + 1, '\n')) ++i;
    if ((c != '$' && c != '%') || i + 1 == s_.size()) continue;
    if (s_[i + 1] == '{') return i;
    if (s_[i + 1] == c && is(i + 2, '{')) i += 2;
  }
  return s_.size();
}

void Cutter::sequence() {
  const PieceKind kind = s_[i_] == '$' ? PieceKind::Interp : PieceKind::Control;
  add(kind, i_ + (is(i_ + 2, '~') ? 3 : 2));
  levels_.push_back({Level::Sequence, 0, {}});
}

void Cutter::string() {
  if (levels_.back().kind == Level::Heredoc && heredoc_end()) return;
  const size_t end = std::min(text_end(), s_.size());
  if (end > i_) return add(PieceKind::Text, end);
  if (s_[i_] != '"') return sequence();
  levels_.pop_back();
  add(PieceKind::Close, i_ + 1);
}

}  // namespace

int Piece::depth_change() const {
  switch (kind) {
    case PieceKind::Interp:
    case PieceKind::Control:
      return 1;
    case PieceKind::SequenceEnd:
      return -1;
    case PieceKind::Token:
      break;
    default:
      return 0;
  }
  if (token == Tok::OBrace || token == Tok::OBrack || token == Tok::OParen) return 1;
  return token == Tok::CBrace || token == Tok::CBrack || token == Tok::CParen ? -1 : 0;
}

std::vector<Piece> cut_pieces(std::string_view source) {
  return Cutter(source).run();
}

}  // namespace xplan::syntax
