// Prints changed strings in the smart style: by structure, by line or by word, whichever is first in kViews
// to fit both sides.
#include <algorithm>
#include <string>

#include "render/printer.h"
#include "render/smart/document.h"
#include "render/smart/text_change.h"

namespace xplan::render {

namespace {

constexpr size_t kAlwaysOnOneLine = 24;  // columns of each side
constexpr int kFewestContext = 12;       // columns shown on each side of a change in a long string
constexpr size_t kLongestPart = 16;      // of a word that is left out rather than cut
constexpr int kNoLimit = 1 << 20;

// As between quotes, without them.
void put_inside(std::string& out, std::string_view text) {
  std::string quoted;
  append_quoted(quoted, text, Quoting::Debug);
  out.append(quoted, 1, quoted.size() - 2);
}

// Where an excerpt that would begin or end at i does so, at the next or the last word before the limit.
size_t to_word(std::string_view text, size_t i, size_t limit) {
  if (i == 0 || text[i - 1] == ' ') return i;
  const size_t space = text.substr(0, limit).find(' ', i);
  if (space != text.npos && space - i < kLongestPart) return space + 1;
  while (i < limit && (text[i] & 0xc0) == 0x80) ++i;
  return i;
}
size_t back_to_word(std::string_view text, size_t i, size_t limit) {
  if (i >= text.size() || text[i] == ' ') return i;
  const size_t space = text.rfind(' ', i);
  if (space != text.npos && space >= limit && i - space < kLongestPart) return space;
  while (i > limit && (text[i] & 0xc0) == 0x80) --i;
  return i;
}

}  // namespace

int Printer::columns_left(const PrintOptions& o) const {
  if (o.width <= 0) return kNoLimit;
  const size_t line = out_.rfind('\n') + 1;  // 0 where there is none
  return o.width - display_width(std::string_view(out_).substr(line));
}

void Printer::changed_text(const Diff& d, int indent, const PrintOptions& o) {
  using View = bool (Printer::*)(TextPair&, int, const PrintOptions&);
  static constexpr View kViews[] = {&Printer::as_json, &Printer::as_space, &Printer::as_yaml,
                                    &Printer::as_blob, &Printer::as_lines, &Printer::as_words};
  TextPair p{d, d.before->text, d.after->text};
  for (View view : kViews)
    if ((this->*view)(p, indent, o)) return;
}

// A change that one sentence tells.
void Printer::said(TextPair& p, std::string_view what, const PrintOptions& o) {
  out_ += '(';
  out_ += what;
  out_ += ')';
  replace_suffix(p.d.replace, o);
}

bool Printer::as_json(TextPair& p, int indent, const PrintOptions& o) {
  const Item* before = json_document(p.before, arena_);
  const Item* after = before ? json_document(p.after, arena_) : nullptr;
  if (!after) return false;
  if (equal(*before, *after))
    said(p, "only the formatting of this JSON changes", o);
  else
    document(p, "jsonencode", 1, *Differ(arena_, DiffStyle::Smart).json(before, after), indent, o);
  return true;
}

bool Printer::as_yaml(TextPair& p, int indent, const PrintOptions& o) {
  if (p.before.find('\n') == p.before.npos && p.after.find('\n') == p.after.npos) return false;
  size_t old_count = 0, new_count = 0;
  const Item* before = yaml_document(p.before, arena_, old_count);
  const Item* after = before ? yaml_document(p.after, arena_, new_count) : nullptr;
  if (!after || (old_count == 1) != (new_count == 1)) return false;
  if (equal(*before, *after)) p.note = "only formatting or comments of this YAML change";
  if (!p.note.empty() || yaml_comments_differ(p.before, p.after)) return false;
  document(p, "yamlencode", new_count, *Differ(arena_, DiffStyle::Smart).json(before, after), indent, o);
  return true;
}

void Printer::document(TextPair& p, std::string_view function, size_t documents, const Diff& tree, int indent,
                       const PrintOptions& o) {
  out_ += function;
  out_ += '(';
  replace_suffix(p.d.replace, o);
  if (documents > 1) note(std::to_string(documents) + " documents", o);
  out_ += '\n';
  PrintOptions inner = o.below();
  inner.no_null = inner.document = true;
  inner.show_unchanged = false;
  if (tree.form == Diff::Form::Object && tree.act == Act::Update) {
    changed_members(tree, indent, inner, inner);
  } else {
    std::string name;
    const Diff& shown = follow(tree, name, inner);
    line_start(indent + 1, shown.act, inner);
    if (!name.empty()) out_ += name + " = ";
    print(shown, indent + 1, inner);
    out_ += '\n';
  }
  line_start(indent, Act::NoOp, o);
  out_ += ')';
}

bool Printer::as_space(TextPair& p, int, const PrintOptions& o) {
  const SpaceChange change = space_change(p.before, p.after);
  if (!change.whole) return false;
  // What is short is seen at once.
  std::string both;
  append_quoted(both, p.before, Quoting::Debug);
  both += " -> ";
  append_quoted(both, p.after, Quoting::Debug);
  if (display_width(both) > columns_left(o) || std::count(p.before.begin(), p.before.end(), '\n') > 1) {
    said(p, change.note, o);
    return true;
  }
  append_quoted(out_, p.before, Quoting::Debug);
  arrow(o);
  append_quoted(out_, p.after, Quoting::Debug);
  replace_suffix(p.d.replace, o);
  note(change.note, o);
  return true;
}

bool Printer::as_blob(TextPair& p, int, const PrintOptions& o) {
  size_t old_bytes = 0, new_bytes = 0;
  const std::string old_kind = blob_kind(p.before, old_bytes), new_kind = blob_kind(p.after, new_bytes);
  if (old_kind.empty() || new_kind.empty()) return false;
  auto size = [](size_t n) { return grouped_digits(n) + (n == 1 ? " byte" : " bytes"); };
  std::string what = old_kind + ", " + size(old_bytes);
  what += old_kind != new_kind     ? " -> " + new_kind + ", " + size(new_bytes)
          : old_bytes != new_bytes ? " -> " + size(new_bytes)
                                   : " that change";
  said(p, what, o);
  return true;
}

bool Printer::as_words(TextPair& p, int indent, const PrintOptions& o) {
  std::string old, now;
  append_quoted(old, p.before, Quoting::Debug);
  append_quoted(now, p.after, Quoting::Debug);
  const int old_width = display_width(old), now_width = display_width(now);
  const std::string space = space_change(p.before, p.after).note;
  const bool short_ones = std::max(old_width, now_width) <= static_cast<int>(kAlwaysOnOneLine);
  if (short_ones || old_width + 4 + now_width <= columns_left(o)) {
    out_ += old;
    arrow(o);
    out_ += now;
    replace_suffix(p.d.replace, o);
    if (!space.empty()) note(space, o);
    return true;
  }
  out_ += '(';
  replace_suffix(p.d.replace, o);
  if (!space.empty()) note(space, o);
  out_ += '\n';
  excerpts(p.before, p.after, word_edits(p.before, p.after), indent + 1, o);
  line_start(indent, Act::NoOp, o);
  out_ += ')';
  return true;
}

// The parts of long strings that change, each side on a line of its own, the same text around both.
void Printer::excerpts(std::string_view before, std::string_view after, const std::vector<Edit>& edits,
                       int indent, const PrintOptions& o) {
  const int room = (o.width > 0 ? o.width : 80) - 4 * indent - 4 - 6;  // quotes, dots
  constexpr size_t kNear = 2 * kFewestContext;
  size_t shown_until = 0;  // in `before`
  for (size_t i = 0; i < edits.size();) {
    size_t last = i;
    while (last + 1 < edits.size() && edits[last + 1].old_begin - edits[last].old_end <= kNear) ++last;
    const Edit& first = edits[i];
    const Edit& end = edits[last];
    const size_t next = last + 1 < edits.size() ? edits[last + 1].old_begin : before.size();
    const int widest = static_cast<int>(
        std::min<size_t>(kNoLimit, std::max(end.old_end - first.old_begin, end.new_end - first.new_begin)));
    const size_t free = static_cast<size_t>(std::max(room - widest, 2 * kFewestContext));
    const size_t right_most = (next - end.old_end) / (last + 1 < edits.size() ? 2 : 1);
    const size_t left_most = first.old_begin - shown_until;
    const size_t left = std::min(left_most, free - std::min(free / 2, right_most));
    const size_t right = std::min(right_most, free - left);
    shown_until = end.old_end + right;
    auto line = [&](Act act, std::string_view text, size_t Edit::*begin, size_t Edit::*stop) {
      const size_t from = to_word(text, first.*begin - left, first.*begin);
      const size_t to = back_to_word(text, end.*stop + right, end.*stop);
      line_start(indent, act, o);
      if (from > 0) out_ += "… ";
      out_ += '"';
      size_t at = from;
      for (size_t e = i; e <= last; ++e) {
        put_inside(out_, text.substr(at, edits[e].*begin - at));
        std::string changed;
        put_inside(changed, text.substr(edits[e].*begin, edits[e].*stop - edits[e].*begin));
        if (!changed.empty()) put(out_, changed, act == Act::Delete ? Style::Red : Style::Green, o.color);
        at = edits[e].*stop;
      }
      put_inside(out_, text.substr(at, to - at));
      out_ += '"';
      if (to < text.size()) out_ += " …";
      out_ += '\n';
    };
    line(Act::Delete, before, &Edit::old_begin, &Edit::old_end);
    line(Act::Create, after, &Edit::new_begin, &Edit::new_end);
    i = last + 1;
  }
}

}  // namespace xplan::render
