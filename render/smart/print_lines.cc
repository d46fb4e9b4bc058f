// Prints changed texts of several lines in the smart style: what changes with a few lines around it.
#include <algorithm>
#include <string>
#include <vector>

#include "render/printer.h"
#include "render/smart/lines.h"
#include "render/smart/text_change.h"

namespace xplan::render {

namespace {

constexpr size_t kContext = 3;  // unchanged lines around a change

using StepKind = LineStep::Kind;

// What is near enough to a change to be shown.
std::vector<bool> shown_steps(const std::vector<LineStep>& steps) {
  std::vector<bool> out(steps.size());
  for (size_t i = 0, until = 0; i < steps.size(); ++i) {
    if (steps[i].kind == StepKind::Same) continue;
    const size_t end = std::min(steps.size(), i + kContext + 1);
    for (size_t k = std::max(until, i < kContext ? 0 : i - kContext); k < end; ++k) out[k] = true;
    until = end;
  }
  return out;
}

std::string without_space(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [](char c) { return c != ' ' && c != '\t' && c != '\r'; });
  return out;
}

std::string final_newline_change(std::string_view before, std::string_view after) {
  const bool had = before.ends_with('\n'), has = after.ends_with('\n');
  if (had == has || before.empty() || after.empty()) return "";
  return had ? "(the newline at the end is removed)" : "(a newline is added at the end)";
}

}  // namespace

// Prints the steps of one text.
class Printer::Hunks {
 public:
  Hunks(Printer& printer, const std::vector<LineStep>& steps, bool space_said, int indent,
        const PrintOptions& o)
      : p_(printer), steps_(steps), space_said_(space_said), indent_(indent), o_(o) {}

  void print() {
    const std::vector<bool> shown = shown_steps(steps_);
    for (size_t i = 0; i < steps_.size();) {
      if (!shown[i]) {
        size_t end = i;
        while (end < steps_.size() && !shown[end]) ++end;
        if (end - i == 1)
          line(Act::NoOp, steps_[i].text);
        else
          p_.hidden_count(indent_, "line", end - i, o_);
        i = end;
        continue;
      }
      switch (steps_[i].kind) {
        case StepKind::Same:
          line(Act::NoOp, steps_[i++].text);
          break;
        case StepKind::MovedHere:
          p_.moved_start(indent_, o_);
          p_.out_ += steps_[i++].text;
          p_.out_ += '\n';
          break;
        case StepKind::MovedAway: {
          const size_t n = run(i, StepKind::MovedAway);
          p_.comment(
              indent_,
              n == 1 ? "(1 line moved from here)" : "(" + std::to_string(n) + " lines moved from here)", o_);
          i += n;
          break;
        }
        case StepKind::Removed:
        case StepKind::Added: {
          const size_t removed = run(i, StepKind::Removed), added = run(i + removed, StepKind::Added);
          changed(i, removed, added);
          i += removed + added;
          break;
        }
      }
    }
  }

 private:
  size_t run(size_t i, StepKind kind) const {
    size_t n = 0;
    while (i + n < steps_.size() && steps_[i + n].kind == kind) ++n;
    return n;
  }
  void line(Act act, std::string_view text) {
    p_.line_start(indent_, act, o_);
    p_.out_ += text;
    p_.out_ += '\n';
  }
  bool is_long(std::string_view text) const {
    return o_.width > 0 && text.size() > static_cast<size_t>(std::max(40, o_.width - 4 * indent_ - 4));
  }
  // As many lines on either side are taken for the same lines, changed.
  void changed(size_t i, size_t removed, size_t added) {
    if (removed != added) {
      for (size_t k = i; k < i + removed + added; ++k)
        line(k < i + removed ? Act::Delete : Act::Create, steps_[k].text);
      return;
    }
    bool only_space = true;
    std::vector<std::vector<Edit>> edits;
    bool long_ones = false;
    for (size_t k = i; k < i + removed; ++k) {
      const std::string_view old = steps_[k].text, now = steps_[k + removed].text;
      only_space = only_space && without_space(old) == without_space(now);
      const bool is_long_pair = is_long(old) && is_long(now);
      long_ones |= is_long_pair;
      edits.push_back(is_long_pair || o_.color ? word_edits(old, now)
                                               : std::vector<Edit>{{0, old.size(), 0, now.size()}});
    }
    if (long_ones) {
      for (size_t k = 0; k < removed; ++k)
        p_.excerpts(steps_[i + k].text, steps_[i + removed + k].text, edits[k], indent_, o_);
    } else {
      for (size_t k = 0; k < removed; ++k)
        coloured(Act::Delete, steps_[i + k].text, edits[k], &Edit::old_begin, &Edit::old_end);
      for (size_t k = 0; k < removed; ++k)
        coloured(Act::Create, steps_[i + removed + k].text, edits[k], &Edit::new_begin, &Edit::new_end);
    }
    if (only_space && !space_said_) p_.comment(indent_, "(only whitespace differs)", o_);
  }
  void coloured(Act act, std::string_view text, const std::vector<Edit>& edits, size_t Edit::*begin,
                size_t Edit::*end) {
    p_.line_start(indent_, act, o_);
    size_t at = 0;
    for (const Edit& e : edits) {
      p_.out_ += text.substr(at, e.*begin - at);
      if (e.*end > e.*begin)
        put(p_.out_, text.substr(e.*begin, e.*end - e.*begin), act == Act::Delete ? Style::Red : Style::Green,
            o_.color);
      at = e.*end;
    }
    p_.out_ += text.substr(at);
    p_.out_ += '\n';
  }

  Printer& p_;
  const std::vector<LineStep>& steps_;
  const bool space_said_;
  const int indent_;
  const PrintOptions& o_;
};

bool Printer::as_lines(TextPair& p, int indent, const PrintOptions& o) {
  if (p.before.find('\n') == p.before.npos && p.after.find('\n') == p.after.npos) return false;
  const std::string line_ends = line_end_change(p.before, p.after);
  const std::vector<LineStep> steps = line_steps(p.before, p.after, line_ends.empty());
  auto any = [&](auto... kinds) {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const LineStep& s) { return ((s.kind == kinds) || ...); });
  };
  const std::string space = space_change(p.before, p.after).note;
  out_ += "<<-EOT";
  replace_suffix(p.d.replace, o);
  if (!space.empty())
    note(space, o);
  else if (!p.note.empty())
    note(p.note, o);
  if (!line_ends.empty()) note("line endings change, too, " + line_ends, o);
  if (any(StepKind::MovedHere) && !any(StepKind::Removed, StepKind::Added))
    note("only the order of lines changes", o);
  out_ += '\n';
  Hunks(*this, steps, !space.empty(), indent + 1, o).print();
  if (const std::string end = final_newline_change(p.before, p.after); !end.empty())
    comment(indent + 1, end, o);
  line_start(indent, Act::NoOp, o);
  out_ += "EOT";
  return true;
}

}  // namespace xplan::render
