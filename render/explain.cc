// Prints the reasons that CauseFinder gives, as sentences and as JSON. Open this for the wording of explain.
#include "render/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_set>

namespace xplan::render {
namespace {

std::string list(const std::vector<const ResourceChange*>& changes) {
  constexpr size_t kShown = 4;
  std::string out;
  for (size_t i = 0; i < changes.size() && i < kShown; ++i) out += (i ? ", " : "") + changes[i]->addr.text();
  if (changes.size() > kShown) out += fmt::format(" and {} more", changes.size() - kShown);
  return out;
}

std::string sentence(const Why& w) {
  std::string out;
  if (w.attribute.empty())
    out = w.because.empty() ? w.text : fmt::format("{}: {}", w.text, list(w.because));
  else if (w.because.empty())
    out = fmt::format("{} {}", w.attribute, w.text);
  else
    out = fmt::format("{} follows from {}", w.attribute, list(w.because));
  if (!w.from.empty() && w.because.empty())
    out += fmt::format(" (computed from {})", fmt::join(w.from, ", "));
  if (w.replaces && !w.attribute.empty()) out += ", and cannot be changed in place";
  return out;
}

std::string_view outcome(const ResourceChange& c) {
  if (c.change.action == Action::NoOp) return c.change.importing ? "will be imported" : "will be moved";
  return facts(c.change.action).outcome;
}

std::string action_names(Action a) {
  const auto names = facts(a).json;
  return std::string(names[0]) + (names[1].empty() ? "" : ", " + std::string(names[1]));
}

Changes selection(const Plan& plan, CauseFinder& finder, const Changes& only) {
  Changes out;
  std::unordered_set<const ResourceChange*> seen;
  for (const ResourceChange* c : only)
    for (const ResourceChange* cause : finder.chain(*c))
      if (seen.insert(cause).second) out.push_back(cause);
  if (!only.empty()) return out;
  for (const ResourceChange& c : plan.changes)
    if (CauseFinder::explains(c)) out.push_back(&c);
  return out;
}

}  // namespace

void put_why_lines(CauseFinder& finder, const ResourceChange& c, int width, std::string& out) {
  for (const Why& w : finder.why(c)) {
    put_hanging(out, "  # ", "why: " + sentence(w), "  #      ", width);
    out += '\n';
  }
}

void render_explanation(const Plan& plan, CauseFinder& finder, const Changes& only,
                        const HumanOptions& options, std::string& out) {
  size_t number = 0;
  const Changes changes = selection(plan, finder, only);
  if (changes.empty()) out += "The plan changes nothing.\n";
  for (const ResourceChange* c : changes) {
    if (number++) out += '\n';
    if (only.size() == 1 && changes.size() > 1) out += fmt::format("{}. ", number);
    put(out, c->addr.text(), Style::Bold, options.color);
    if (!c->deposed.empty()) out += fmt::format(" (deposed object {})", c->deposed);
    out += fmt::format(" {}\n", outcome(*c));
    for (const Why& w : finder.why(*c)) {
      put_hanging(out, "     ", "because " + sentence(w), "       ", options.note_width);
      out += '\n';
    }
  }
}

void write_explanation_json(const Plan& plan, CauseFinder& finder, const Changes& only, JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "1.0");
  w.key("changes");
  w.begin_array();
  for (const ResourceChange* c : selection(plan, finder, only)) {
    w.begin_object();
    w.member("address", std::string_view(c->addr.text()));
    if (!c->deposed.empty()) w.member("deposed", std::string_view(c->deposed));
    w.member("action", action_names(c->change.action));
    w.key("causes");
    w.begin_array();
    for (const Why& why : finder.why(*c)) {
      w.begin_object();
      w.member("text", std::string_view(sentence(why)));
      if (!why.attribute.empty()) w.member("attribute", std::string_view(why.attribute));
      if (why.replaces) w.member("replaces", true);
      auto strings = [&](std::string_view key, const auto& items, auto text) {
        if (items.empty()) return;
        w.key(key);
        w.begin_array();
        for (const auto& i : items) w.string(text(i));
        w.end_array();
      };
      strings("made_of", why.from, [](const std::string& s) { return s; });
      strings("because_of", why.because, [](const ResourceChange* x) { return x->addr.text(); });
      w.end_object();
    }
    w.end_array();
    w.end_object();
  }
  w.end_array();
  w.end_object();
}

}  // namespace xplan::render
