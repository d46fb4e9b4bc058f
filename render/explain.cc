// Prints the reasons that CauseFinder gives as sentences, each with the steps that lead to it. Open this for
// the wording of explain.
#include "render/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/terminal.h"
#include "core/base/text.h"
#include "core/review/attributes.h"
#include "core/review/summary.h"
#include "render/short_value.h"

namespace xplan::render {
namespace {

using review::CauseChain;
using review::CauseFinder;
using review::CauseStep;
using review::Explained;
using review::Why;
using Changes = std::vector<const ResourceChange*>;

constexpr size_t kMostListed = 4;       // in a sentence
constexpr size_t kMostDependents = 10;  // in a list
constexpr size_t kMostSteps = 40;       // of a chain; of longer ones the beginning and the end

std::string list(const Changes& changes) {
  std::string out;
  for (size_t i = 0; i < changes.size() && i < kMostListed; ++i)
    out += (i ? ", " : "") + changes[i]->addr.text();
  if (changes.size() > kMostListed) out += fmt::format(" and {} more", changes.size() - kMostListed);
  return out;
}

std::string values(const std::optional<Value>& before, const std::optional<Value>& after) {
  if (before && after && (review::differ(*before, *after) || after->is_unknown()))
    return " " + short_change(*before, *after);
  if (after) return " = " + short_value(*after);
  return before ? " " + short_value(*before) + " -> (none)" : "";
}

// The same behind a colon.
std::string values_after_colon(const std::optional<Value>& before, const std::optional<Value>& after) {
  std::string out = values(before, after);
  if (out.starts_with(" = ")) out.erase(0, 2);
  return out.empty() ? "" : ":" + out;
}

std::string text_of(const CauseStep& s) {
  std::string out = s.subject + values(s.before, s.after);
  if (!s.note.empty()) out += (s.before || s.after ? ", " : " ") + s.note;
  if (!s.place.empty()) out += " (" + s.place + ")";
  return out;
}

// Where to look: at what is written, or where its value comes from.
std::string_view place_of(const Why& w) {
  if (w.chains.empty() || w.chains[0].empty()) return {};
  return w.because.empty() ? w.chains[0].front().place : w.chains[0].back().place;
}

void put_chain(const CauseChain& chain, const HumanOptions& o, std::string& out) {
  const size_t most = chain.size() > kMostSteps ? kMostSteps / 2 : chain.size();
  for (size_t i = 0; i < chain.size(); ++i) {
    if (i == most && chain.size() > kMostSteps) {
      out += fmt::format("       … {} more steps\n", chain.size() - kMostSteps);
      i = chain.size() - kMostSteps / 2;
    }
    put_hanging(out, fmt::format("    {:>3}. ", i + 1), text_of(chain[i]), "         ", o.note_width);
    out += '\n';
  }
}

void put_why(const Why& w, const HumanOptions& o, std::string& out) {
  std::string text = "because " + sentence(w);
  const bool steps = w.chains.size() > 1 || (!w.chains.empty() && w.chains[0].size() > 1);
  if (!steps && !w.chains.empty()) {
    const CauseStep& only = w.chains[0][0];
    text += values_after_colon(only.before, only.after);
  }
  if (!steps && !place_of(w).empty()) text += fmt::format(" ({})", place_of(w));
  put_hanging(out, "     ", text, "       ", o.note_width);
  out += '\n';
  if (!steps) return;
  for (size_t i = 0; i < w.chains.size(); ++i) {
    if (i) out += "       or:\n";
    put_chain(w.chains[i], o, out);
  }
  if (w.more_chains)
    out += fmt::format("       … and {} more cause{}; use -all to show {}\n", w.more_chains,
                       w.more_chains == 1 ? "" : "s", w.more_chains == 1 ? "it" : "them");
}

std::string repeated_text(const Why& w) {
  const bool as_planned = w.after && !review::differ(w.repeated->returned, *w.after);
  return fmt::format("the last apply set {} to the same value{}", w.attribute,
                     as_planned ? "; the provider returned that value, but it has changed since"
                                : ", and the provider returned " + short_value(w.repeated->returned));
}

void put_reasons(const std::vector<Why>& all, const HumanOptions& o, std::string& out) {
  for (const Why& w : all) {
    put_why(w, o, out);
    if (!w.repeated) continue;
    put_hanging(out, "     ", repeated_text(w), "       ", o.note_width);
    out += '\n';
  }
}

class ExplanationText {
 public:
  ExplanationText(CauseFinder& finder, const Explained& what, const HumanOptions& o, const Sink& sink)
      : finder_(finder), what_(what), o_(o), sink_(sink) {}

  void write() {
    for (const ResourceChange* c : what_.changes) change(*c);
    for (const DeferredChange* d : what_.deferred) {
      begin(d->change.addr.text(), "is deferred to a later plan");
      put_reasons(finder_.why(*d, what_.scope), o_, out_);
      flush();
    }
    for (const OutputChange* c : what_.outputs) {
      begin("output." + std::string(c->name.sv()), c->change.action == Action::Delete   ? "will be removed"
                                                   : c->change.action == Action::Create ? "will be added"
                                                                                        : "will change");
      put_reasons(finder_.why(*c, what_.scope), o_, out_);
      flush();
    }
    decided();
    for (const std::string& text : what_.untouched) {
      separate();
      put_wrapped(out_, text, o_.width);
      out_ += '\n';
    }
    if (first_) out_ += fmt::format("{}\n", what_.none);
    sink_(for_terminal(out_));
  }

 private:
  void separate() {
    if (!first_) out_ += '\n';
    first_ = false;
  }
  void begin(const std::string& address, std::string_view outcome) {
    separate();
    put(out_, address, Style::Bold, o_.color);
    out_ += fmt::format(" {}\n", outcome);
  }
  void flush() {
    if (out_.size() < (64 << 10)) return;
    sink_(for_terminal(out_));
    out_.clear();
  }

  void change(const ResourceChange& c) {
    const std::string deposed = c.deposed.empty() ? "" : fmt::format(" (deposed object {})", c.deposed);
    if (what_.only_unknown) {
      const std::vector<Why> unknown = finder_.unknown(c, what_.scope);
      if (unknown.empty()) return;
      begin(c.addr.text() + deposed, outcome(c));
      put_reasons(unknown, o_, out_);
      return flush();
    }
    begin(c.addr.text() + deposed, outcome(c));
    if (what_.attribute) {
      if (const std::optional<Why> w = finder_.attribute(c, *what_.attribute, what_.scope))
        put_reasons({*w}, o_, out_);
      return flush();
    }
    put_reasons(finder_.why(c, what_.scope), o_, out_);
    if (what_.thorough) thoroughly(c);
    flush();
  }

  void decided() {
    const std::vector<review::Decided> all = review::decided(finder_, what_);
    if (all.empty()) return;
    separate();
    out_ += "Decided by the provider when the changes are made:\n";
    for (const review::Decided& d : all) {
      std::string text = review::common_address(d.changes);
      if (d.changes.size() > 1) text += fmt::format(", {} objects", d.changes.size());
      put_hanging(out_, "  - ", fmt::format("{}: {}", text, fmt::join(d.attributes, ", ")), "      ",
                  o_.note_width);
      out_ += '\n';
      flush();
    }
  }

  void thoroughly(const ResourceChange& c) {
    if (c.change.action == Action::Create) put_reasons(finder_.unknown(c, what_.scope), o_, out_);
    const Changes found = finder_.dependents(c, kMostDependents + 1);
    if (found.empty()) return;
    out_ += "     This change leads to changes of:\n";
    for (size_t i = 0; i < std::min(found.size(), kMostDependents); ++i)
      out_ += "       - " + found[i]->addr.text() + "\n";
    if (found.size() > kMostDependents) out_ += "       … and more\n";
  }

  static std::string_view outcome(const ResourceChange& c) {
    if (c.change.action != Action::NoOp) return facts(c.change.action).outcome;
    return c.change.importing ? "will be imported" : c.moved() ? "will be moved" : "will not be changed";
  }

  CauseFinder& finder_;
  const Explained& what_;
  const HumanOptions& o_;
  const Sink& sink_;
  std::string out_;
  bool first_ = true;
};

}  // namespace

namespace {

// What is behind an attribute that nothing but its expression explains.
std::string origin_of(const Why& w) {
  if (!w.from.empty()) return fmt::format("{}", fmt::join(w.from, ", "));
  if (w.chains.empty() || w.chains[0].size() < 2) return {};
  const CauseStep& first = w.chains[0].front();
  const bool noted = first.kind == review::StepKind::Drift || first.kind == review::StepKind::Data ||
                     first.kind == review::StepKind::Function;
  return first.subject +
         (noted
              ? ", which " + std::string(first.kind == review::StepKind::Function ? "" : "was ") + first.note
              : "");
}

}  // namespace

std::string sentence(const Why& w) {
  const std::string what = w.attribute.empty() ? "" : w.attribute + " ";
  std::string out = what + w.text;
  const bool edited = w.text == "changed in the configuration";
  const bool edited_output = w.text == "its value changed in the configuration";
  if (!w.because.empty()) {
    if (w.text == "follows from another change")
      out = what + "follows from " + list(w.because);
    else
      out += (what.empty() ? ": " : ", because of ") + list(w.because);
  } else if (edited || edited_output) {
    const std::string origin = origin_of(w);
    if (!origin.empty() && w.sure)
      out = (edited_output ? "its value " : what) + "follows from " + origin;
    else if (!origin.empty())
      out += " (computed from " + origin + ")";
  }
  if (w.replaces && !w.attribute.empty()) out += ", and cannot be changed in place";
  return out;
}

void put_why_lines(CauseFinder& finder, const ResourceChange& c, int width, std::string& out) {
  for (const Why& w : finder.why(c)) {
    std::string text = "why: " + sentence(w);
    if (!place_of(w).empty()) text += fmt::format(" ({})", place_of(w));
    put_hanging(out, "  # ", for_terminal(text), "  #      ", width);
    out += '\n';
    if (!w.repeated) continue;
    put_hanging(out, "  # ", for_terminal(repeated_text(w)), "  #      ", width);
    out += '\n';
  }
}

void put_repeated_lines(CauseFinder& finder, const ResourceChange& c, int width, std::string& out) {
  for (const Why& w : finder.why(c)) {
    if (!w.repeated) continue;
    put_hanging(out, "  # ", for_terminal(repeated_text(w)), "  #      ", width);
    out += '\n';
  }
}

void render_explanation(CauseFinder& finder, const Explained& what, const HumanOptions& options,
                        const Sink& sink) {
  ExplanationText(finder, what, options, sink).write();
}

}  // namespace xplan::render
