// The sections of a Markdown document: what is forbidden, failed checks, changes by risk, drift, outputs,
// deferred changes.
#include "render/markdown/sections.h"

#include <fmt/format.h>

#include "render/change_diff.h"
#include "render/group_text.h"
#include "render/markdown/markup.h"
#include "render/places.h"

namespace xplan::render::markdown {
namespace {

using review::ChangeGroup;
using review::Review;

std::string spaced(std::string_view sign, const std::string& rest) {
  return sign.empty() || sign == " " ? rest : fmt::format("{} {}", code(sign), rest);
}

std::string group_line(const ChangeGroup& g) {
  std::string out = spaced(group_mark(g), code(group_address(g)));
  const GroupNote note = group_note(g);
  if (!note.count.empty()) out += " " + note.count;
  if (!note.keys.empty()) out += " " + code(note.keys);
  if (!note.change.empty()) out += (note.count.empty() ? " " : ": ") + code(note.change);
  return out;
}

// The diffs of its changes; of those that change alike one, and the addresses of the others.
std::string group_body(const ChangeGroup& g, const HumanOptions& o, size_t room) {
  std::string out;
  const bool alike = g.same_values && !g.attributes.empty();
  for (size_t i = 0; i < g.changes.size() && out.size() <= room; ++i) {
    std::string printed;
    if (alike && i == 1) printed = "\n  # The same change of:\n";
    if (alike && i > 0)
      printed += "  #   " + g.changes[i]->addr.text() + "\n";
    else
      render_change(*g.changes[i], ChangeCause::Proposed, o, printed);
    if (!alike && i > 0) out += '\n';
    out += diff_lines(printed);
  }
  return out;
}

Section of_groups(const Review& r, size_t begin, size_t end, const HumanOptions& o) {
  auto group = [&groups = r.summary.groups, begin](size_t i) -> const ChangeGroup& {
    return groups[begin + i];
  };
  Section s;
  s.title = risk_text(group(0).risk).title;
  s.rows = end - begin;
  s.line = [group](size_t i) { return group_line(group(i)); };
  s.body = [group, &o](size_t i, size_t room) { return group_body(group(i), o, room); };
  s.changes = [group](size_t i) { return group(i).changes.size(); };
  return s;
}

void add_groups(const Review& r, const HumanOptions& o, std::vector<Section>& out) {
  const auto& groups = r.summary.groups;
  for (size_t i = 0; i < groups.size();) {
    const size_t begin = i;
    while (i < groups.size() && groups[i].risk == groups[begin].risk) ++i;
    out.push_back(of_groups(r, begin, i, o));
  }
}

// Rows that are listed one by one: where they are, and what is said of each.
template <class T, class Line, class Body>
void add_list(std::string title, std::vector<const T*> all, Line line, Body body, std::vector<Section>& out) {
  if (all.empty()) return;
  Section s;
  s.title = std::move(title);
  s.rows = all.size();
  s.changes = [](size_t) { return size_t{1}; };
  s.line = [all, line](size_t i) { return line(*all[i]); };
  s.body = [all = std::move(all), body](size_t i, size_t room) { return body(*all[i], room); };
  out.push_back(std::move(s));
}

template <class T, class Wanted>
std::vector<const T*> those(const std::vector<T>& all, Wanted wanted) {
  std::vector<const T*> out;
  for (const T& x : all)
    if (wanted(x)) out.push_back(&x);
  return out;
}

// Lines of plain text, indented like those of a diff that do not change.
template <class Texts>
std::string plain_lines(const Texts& texts, size_t room) {
  std::string out;
  for (const std::string& text : texts) {
    if (out.size() > room) break;
    out += "  ";
    for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
    out += '\n';
  }
  return diff_lines(out);
}

std::string problem_line(const Diagnostic& d, const SourceTable* sources) {
  std::string out = code(d.summary);
  const FilePlace p = sources ? file_place(*sources, d.subject, "") : FilePlace();
  if (!p.file.empty()) out += " " + code(fmt::format("{}:{}", p.file, p.line));
  return d.address.empty() ? out : out + " " + code(d.address);
}

void add_problems(const Review& r, Severity severity, const SourceTable* sources, std::vector<Section>& out) {
  add_list(
      severity == Severity::Error ? "Errors" : "Warnings",
      those(r.problems.all(),
            [severity](const Diagnostic& d) { return d.severity == severity && !d.from_check; }),
      [sources](const Diagnostic& d) { return problem_line(d, sources); },
      [](const Diagnostic& d, size_t room) {
        return d.detail.empty() ? "" : plain_lines(std::vector<std::string>{d.detail}, room);
      },
      out);
}

void add_verdicts(const Review& r, std::vector<Section>& out) {
  add_list(
      "Forbidden by -fail-on", those(r.violations, [](const review::Violation&) { return true; }),
      [](const review::Violation& v) {
        return fmt::format("{} {} found, {} permitted", code(v.guard.text), v.what.size(), v.guard.most);
      },
      [](const review::Violation& v, size_t room) { return plain_lines(v.what, room); }, out);
  auto failed = [](CheckStatus s) { return s == CheckStatus::Fail || s == CheckStatus::Error; };
  add_list(
      "Failed checks", those(r.plan.checks, [&](const CheckResult& c) { return failed(c.status); }),
      [](const CheckResult& c) { return code(c.config_addr); },
      [failed](const CheckResult& c, size_t room) {
        std::vector<std::string> texts;
        for (const CheckObject& object : c.objects) {
          if (!failed(object.status)) continue;
          texts.push_back(object.object_addr + ":");
          for (const std::string& m : object.failure_messages) texts.push_back("  " + m);
        }
        return plain_lines(texts, room);
      },
      out);
}

void add_drift(const Review& r, const HumanOptions& o, std::vector<Section>& out) {
  add_list(
      fmt::format("Changed outside of {}", o.product),
      those(r.plan.drift, [](const ResourceChange& c) { return c.change.action != Action::NoOp; }),
      [](const ResourceChange& c) {
        return spaced(c.change.action == Action::Delete ? "-" : "~", code(c.addr.text()));
      },
      [&o](const ResourceChange& c, size_t) {
        std::string printed;
        render_change(c, ChangeCause::Drift, o, printed);
        return diff_lines(printed);
      },
      out);
}

void add_outputs(const Review& r, const HumanOptions& o, std::vector<Section>& out) {
  add_list(
      "Outputs", those(r.plan.outputs, [](const OutputChange& c) { return c.change.action != Action::NoOp; }),
      [](const OutputChange& c) { return code(c.name.sv()); },
      [&o](const OutputChange& c, size_t) {
        Arena arena;
        std::string printed;
        put_output_change(c, c.name.sv(), 0, o, printed, arena);
        return diff_lines(printed);
      },
      out);
}

void add_deferred(const Review& r, const HumanOptions& o, std::vector<Section>& out) {
  add_list(
      "Deferred to a later plan", those(r.plan.deferred, [](const DeferredChange&) { return true; }),
      [](const DeferredChange& d) { return code(d.change.addr.text()); },
      [&o](const DeferredChange& d, size_t) {
        Arena arena;
        std::string printed;
        render_deferred(d, o, printed, arena);
        return diff_lines(printed);
      },
      out);
}

}  // namespace

std::vector<Section> sections_of(const Review& review, const SourceTable* sources,
                                 const HumanOptions& options) {
  std::vector<Section> out;
  add_problems(review, Severity::Error, sources, out);
  add_verdicts(review, out);
  add_groups(review, options, out);
  add_problems(review, Severity::Warning, sources, out);
  add_drift(review, options, out);
  add_outputs(review, options, out);
  add_deferred(review, options, out);
  return out;
}

}  // namespace xplan::render::markdown
