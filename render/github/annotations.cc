// Writes ::error, ::warning and ::notice with the escapes that the runner undoes.
#include "render/github/annotations.h"

#include <fmt/format.h>

#include <array>

#include "core/base/terminal.h"
#include "render/finding_text.h"
#include "render/places.h"

namespace xplan::render {
namespace {

constexpr size_t kMostOfLevel = 10;  // what GitHub shows of a step
constexpr std::string_view kCommands[] = {"error", "warning", "notice"};

std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : for_terminal(text)) {
    const bool special = c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ','));
    if (special)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

class Lines {
 public:
  Lines(const SourceTable& sources, std::string_view directory) : sources_(sources), directory_(directory) {}

  template <class Text>
  void add(review::Level level, Range place, std::string_view title, Text text) {
    const size_t n = counts_[static_cast<size_t>(level)]++;
    if (n >= kMostOfLevel - 1) return keep_last(level, place, title, text);
    out_ += line(level, place, title, text());
  }
  std::string take() {
    for (size_t i = 0; i < std::size(kCommands); ++i) {
      if (counts_[i] > kMostOfLevel)
        out_ += fmt::format("::{} title=More::{} more of these are not shown here.\n", kCommands[i],
                            counts_[i] - kMostOfLevel + 1);
      else
        out_ += last_[i];
    }
    return std::move(out_);
  }

 private:
  // The tenth, if it stays the last one.
  template <class Text>
  void keep_last(review::Level level, Range place, std::string_view title, Text text) {
    std::string& last = last_[static_cast<size_t>(level)];
    if (last.empty()) last = line(level, place, title, text());
  }
  std::string line(review::Level level, Range place, std::string_view title, const std::string& text) const {
    std::string properties;
    if (const FilePlace p = file_place(sources_, place, directory_); !p.file.empty())
      properties = fmt::format("file={},line={},endLine={},", escaped(p.file, true), p.line, p.end_line);
    return fmt::format("::{} {}title={}::{}\n", kCommands[static_cast<size_t>(level)], properties,
                       escaped(title, true), escaped(text, false));
  }

  const SourceTable& sources_;
  const std::string_view directory_;
  std::array<size_t, std::size(kCommands)> counts_{};
  std::array<std::string, std::size(kCommands)> last_;
  std::string out_;
};

}  // namespace

std::string github_annotations(const review::Review& review, Checks checks, const SourceTable& sources,
                               std::string_view directory) {
  Lines lines(sources, directory);
  for (const review::Finding& f : findings(review)) {
    if (f.problem || f.rule == review::Rule::Forbidden) continue;
    if (f.rule == review::Rule::FailedCheck && checks == Checks::ToldByDiagnostics) continue;
    const review::RuleFacts rule = facts(f.rule);
    lines.add(rule.level, f.place, rule.title, [&] { return finding_text(f); });
  }
  return lines.take();
}

std::string github_annotations(const Diagnostics& diags, const SourceTable& sources,
                               std::string_view directory) {
  Lines lines(sources, directory);
  for (const Diagnostic& d : diags.all())
    lines.add(d.severity == Severity::Error ? review::Level::Error : review::Level::Warning, d.subject,
              d.summary, [&] {
                return (d.address.empty() ? "" : d.address + ": ") +
                       (d.detail.empty() ? d.summary : d.detail);
              });
  return lines.take();
}

}  // namespace xplan::render
