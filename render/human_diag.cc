// Prints diagnostics for people: sorting, merging of equal ones, consolidation of similar warnings, and the
// box with source line, values and detail.
#include "render/human_diag.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/base/terminal.h"
#include "core/base/utf8.h"
#include "render/snippet.h"

namespace xplan::render {

namespace {

struct Entry {
  const Diagnostic* d;
  std::string note;                    // "and 3 more like this"
  std::vector<const Diagnostic*> all;  // what is merged into it
};

class Box {
 public:
  Box(Snippets* snippets, const HumanOptions& o, std::string& out) : snippets_(snippets), o_(o), out_(out) {}

  void write(const Diagnostic& d, const std::string& note) {
    bool error = d.severity == Severity::Error;
    std::string text;
    put(text, error ? "Error: " : "Warning: ", error ? Style::BoldRed : Style::BoldYellow, o_.color);
    put(text, d.summary, Style::Bold, o_.color);
    text += "\n\n";
    place(d, text);
    std::string detail = harmless_text(d.detail);
    while (detail.ends_with('\n')) detail.pop_back();
    if (!note.empty()) detail += (detail.empty() ? "" : "\n\n") + note;
    if (!detail.empty()) {
      int width = o_.width <= 0 ? 0 : o_.plain_diagnostics ? o_.width - 1 : o_.width - 3;
      put_wrapped(text, detail, width);
      text += '\n';
    }
    if (o_.plain_diagnostics) {
      out_ += '\n';
      out_ += text;
      return;
    }
    rule("╷", error);
    out_ += '\n';
    for (size_t i = 0; i < text.size();) {
      size_t end = text.find('\n', i);
      line(std::string_view(text).substr(i, end - i), error);
      i = end + 1;
    }
    rule("╵", error);
    out_ += '\n';
  }

 private:
  // "   3: name = value". Commands, which are copied from a terminal, are not broken.
  static bool is_code(std::string_view text) {
    const size_t number = text.find_first_not_of(' '), end = text.find_first_not_of("0123456789", number);
    return number != text.npos && end != number && end != text.npos && text.substr(end).starts_with(": ");
  }
  // A terminal would break code that is too long without the rule in front of it.
  void line(std::string_view text, bool error) {
    const int room = o_.note_width > 0 ? std::max(o_.note_width - 2, 20) : 0;
    rule("│", error);
    if (!text.empty()) out_ += ' ';
    if (room == 0 || !is_code(text) || display_width(text) <= room) {
      out_ += text;
      out_ += '\n';
      return;
    }
    std::string_view style;
    int used = 0;
    for (size_t i = 0; i < text.size();) {
      if (const size_t code = terminal_code_length(text, i)) {
        out_ += style = text.substr(i, code);
        i += code;
        continue;
      }
      const size_t begin = i;
      (void)utf8_decode(text, i);
      const std::string_view character = text.substr(begin, i - begin);
      if (used + display_width(character) > room) {
        if (!style.empty()) out_ += style_code(Style::Plain, o_.color);
        out_ += '\n';
        rule("│", error);
        out_ += "       ";
        out_ += style;
        used = 6;
      }
      used += display_width(character);
      out_ += character;
    }
    out_ += '\n';
  }
  void rule(std::string_view s, bool error) { put(out_, s, error ? Style::Red : Style::Yellow, o_.color); }

  void place(const Diagnostic& d, std::string& text) {
    if (!d.address.empty()) text += "  with " + d.address + ",\n";
    Snippet s;
    if (!snippets_ || !snippets_->find(d, s)) {
      if (!d.address.empty()) text += '\n';
      return;
    }
    text += "  on " + std::string(s.file) + " line " + std::to_string(s.start.line);
    if (!s.block.empty()) text += ", in " + s.block;
    text += ":\n";
    code(s, text);
    values(d, text);
    text += '\n';
  }

  void code(const Snippet& s, std::string& text) {
    size_t line_begin = 0;
    for (int number = s.first_line;; ++number) {
      size_t line_end = std::min(s.code.find('\n', line_begin), s.code.size());
      std::string label = std::to_string(number);
      if (label.size() < 4) text.append(4 - label.size(), ' ');
      text += label + ": ";
      auto part = [&](size_t from, size_t to, bool marked) {
        from = std::clamp(from, line_begin, line_end);
        to = std::clamp(to, from, line_end);
        const std::string_view piece = std::string_view(s.code).substr(from, to - from);
        if (marked && !piece.empty())
          put(text, piece, Style::Underline, o_.color);
        else
          text += piece;
      };
      part(line_begin, s.mark_begin, false);
      part(s.mark_begin, s.mark_end, true);
      part(std::max(s.mark_end, line_begin), line_end, false);
      text += '\n';
      if (line_end == s.code.size()) return;
      line_begin = line_end + 1;
    }
  }

  void values(const Diagnostic& d, std::string& text) {
    const eval::Function* f = d.function_name.empty() ? nullptr : known_function(d.function_name);
    if (d.values.empty() && !f) return;
    text += "    ";
    put(text, "├────────────────", Style::Faint, o_.color);
    text += '\n';
    auto bar = [&] {
      text += "    ";
      put(text, "│", Style::Faint, o_.color);
      text += ' ';
    };
    if (f) {
      bar();
      text += "while calling ";
      put(text, d.function_name, Style::Bold, o_.color);
      text += '(';
      bool first = true;
      for (const eval::Param& p : f->params) {
        if (!first) text += ", ";
        first = false;
        text += p.name;
      }
      if (f->variadic) {
        if (!first) text += ", ";
        text += f->variadic->name;
        text += "...";
      }
      text += ")\n";
    }
    auto sorted = d.values;
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [name, statement] : sorted) {
      bar();
      put(text, name, Style::Bold, o_.color);
      text += ' ' + statement + '\n';
    }
  }

  Snippets* snippets_;
  const HumanOptions& o_;
  std::string& out_;
};

std::string other_objects(const std::vector<const Diagnostic*>& all) {
  constexpr size_t kShown = 50;
  std::string text = "The same happened to:";
  for (size_t i = 1; i < all.size() && i <= kShown; ++i) text += "\n  - " + all[i]->address;
  if (all.size() > kShown + 1) text += "\n  … and " + std::to_string(all.size() - kShown - 1) + " more";
  return text;
}

// Warnings of one summary that have a place become one, unless the options say otherwise: what many places
// have in common is said once. So do problems of many objects that differ in nothing else.
std::vector<Entry> consolidated(const std::vector<const Diagnostic*>& sorted, const HumanOptions& o) {
  std::vector<Entry> out;
  std::unordered_map<std::string_view, size_t> first_warning, first_error;
  std::unordered_map<std::string, size_t> first_of_many;
  for (const Diagnostic* d : sorted) {
    const bool warning = d->severity == Severity::Warning;
    if ((warning ? o.consolidate_warnings : o.consolidate_errors) && d->subject.valid() && !d->from_check) {
      auto [it, fresh] = (warning ? first_warning : first_error).emplace(d->summary, out.size());
      if (!fresh) {
        out[it->second].all.push_back(d);
        continue;
      }
    }
    if (d->of_many && !d->address.empty()) {
      auto [it, fresh] = first_of_many.emplace(d->summary + '\0' + d->detail, out.size());
      if (!fresh) {
        out[it->second].all.push_back(d);
        continue;
      }
    }
    out.push_back({d, {}, {d}});
  }
  for (Entry& e : out) {
    size_t more = e.all.size() - 1;
    const std::string_view what = e.d->severity == Severity::Warning ? "warning" : "error";
    if (more && e.d->of_many)
      e.note = other_objects(e.all);
    else if (more == 1)
      e.note = "(and one more similar " + std::string(what) + " elsewhere)";
    else if (more > 1)
      e.note = "(and " + std::to_string(more) + " more similar " + std::string(what) + "s elsewhere)";
  }
  return out;
}

void compact(const std::vector<Entry>& entries, const SourceTable* sources, const HumanOptions& o,
             std::string& out) {
  put(out, "Warnings:", Style::BoldYellow, o.color);
  out += "\n\n";
  for (const Entry& e : entries) {
    out += "- " + e.d->summary + "\n";
    ResolvedRange at;
    if (sources && sources->resolve(e.d->subject, at)) {
      out += "  on " + std::string(at.file) + " line " + std::to_string(at.start.line);
      if (e.all.size() > 1) out += " (and " + std::to_string(e.all.size() - 1) + " more)";
      out += '\n';
    }
  }
  out += "\nTo see these warnings in full, run without -compact-warnings.\n";
}

}  // namespace

std::vector<const Diagnostic*> sorted_diagnostics(const Diagnostics& diags) {
  std::vector<const Diagnostic*> out;
  std::unordered_set<std::string> seen;
  for (const Diagnostic& d : diags.all()) {
    std::string key;
    for (std::string_view part :
         {std::string_view(d.summary), std::string_view(d.detail), std::string_view(d.address)})
      key += std::string(part) + '\0';
    key += std::to_string(static_cast<int>(d.severity)) + '/' + std::to_string(d.subject.begin) + '/' +
           std::to_string(d.subject.end);
    if (seen.insert(std::move(key)).second) out.push_back(&d);
  }
  // The places of a source table are in the order in which files were read, which is their order by name.
  std::stable_sort(out.begin(), out.end(), [](const Diagnostic* a, const Diagnostic* b) {
    if (a->severity != b->severity) return a->severity == Severity::Warning;
    return std::tie(a->subject.begin, a->subject.end) < std::tie(b->subject.begin, b->subject.end);
  });
  return out;
}

void render_diagnostic(const Diagnostic& d, const SourceTable* sources, const HumanOptions& options,
                       std::string& out) {
  if (!sources) return Box(nullptr, options, out).write(d, "");
  Snippets snippets(*sources);
  Box(&snippets, options, out).write(d, "");
}

void render_diagnostics(const Diagnostics& diags, const SourceTable* sources, const HumanOptions& options,
                        const Sink& out, const Sink& err) {
  if (diags.empty()) return;
  std::vector<Entry> entries = consolidated(sorted_diagnostics(diags), options);
  std::string text;
  if (options.compact_warnings && !diags.has_errors()) {
    compact(entries, sources, options, text);
    return out(text);
  }
  std::optional<Snippets> snippets;
  if (sources) snippets.emplace(*sources);
  for (const Entry& e : entries) {
    text.clear();
    Box(snippets ? &*snippets : nullptr, options, text).write(*e.d, e.note);
    (e.d->severity == Severity::Error ? err : out)(text);
  }
}

}  // namespace xplan::render
