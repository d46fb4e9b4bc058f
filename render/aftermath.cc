// Prints what became of an apply.
#include "render/aftermath.h"

#include <fmt/format.h>

#include "core/base/command_line.h"
#include "render/places.h"

namespace xplan::render {
namespace {

using review::Aftermath;
using review::Failure;
using review::FailureGroup;
using review::Operation;

constexpr size_t kMostCauses = 4, kMostFailures = 4;
constexpr int64_t kWorthTelling = 5;  // seconds of an operation
constexpr Aftermath kAll[] = {Aftermath::NotCreated, Aftermath::Tainted, Aftermath::MayHaveChanged,
                              Aftermath::StillExists, Aftermath::NotRead};

struct Words {
  std::string one, many, then;
};
// Of `n` objects, the first of which has this address.
Words words(Aftermath a, size_t n, const std::string& address) {
  switch (a) {
    case Aftermath::NotCreated:
      return {"It was not created.", "They were not created.",
              "Correct the cause, then apply again to create what is missing."};
    case Aftermath::Tainted:
      return {"Its creation was not completed, so it is tainted and the next apply replaces it.",
              "Their creation was not completed, so they are tainted and the next apply replaces them.",
              fmt::format("To keep {} as it is, run {}.", n == 1 ? "it" : "one",
                          own_command("untaint " + shell_word(address)))};
    case Aftermath::MayHaveChanged:
      return {"It may have been changed in part.", "They may have been changed in part.",
              fmt::format("Correct the cause; {} shows what is left to do.", own_command("plan"))};
    case Aftermath::StillExists:
      return {"It still exists.", "They still exist.",
              "Correct the cause, then apply again to destroy what is left."};
    case Aftermath::NotRead:
      return {"It could not be read.", "They could not be read.", "Correct the cause, then apply again."};
  }
  return {};
}

class Text {
 public:
  Text(const AftermathFacts& f, const SourceTable& sources, const HumanOptions& o)
      : f_(f), sources_(sources), o_(o) {}

  std::string write() {
    longest();
    if (!f_.failures.empty()) failures();
    if (!f_.changes.whole()) totals();
    return std::move(out_);
  }

 private:
  void line(std::string_view lead, const std::string& text) {
    put_hanging(out_, lead, text, std::string(lead.size(), ' '), o_.width);
    out_ += '\n';
  }
  void title(std::string_view text) {
    out_ += '\n';
    put(out_, text, Style::Bold, o_.color);
    out_ += '\n';
  }

  void longest() {
    const std::vector<Operation>& all = f_.work.longest();
    if (all.size() < 3 || all[0].seconds < kWorthTelling) return;
    title("Longest operations:");
    for (size_t i = 0; i < 3; ++i)
      out_ += fmt::format("  {:>8}  {}: {}\n", seconds_text(static_cast<int64_t>(all[i].seconds)),
                          all[i].addr.text(), facts(all[i].action).still);
  }

  void failures() {
    title("Failures by cause:");
    for (size_t i = 0; i < f_.failures.size() && i < kMostCauses; ++i) group(f_.failures[i]);
    if (f_.failures.size() > kMostCauses)
      out_ += fmt::format("  and {} more causes, all of which are reported above\n",
                          f_.failures.size() - kMostCauses);
  }

  void group(const FailureGroup& g) {
    const FilePlace place = file_place(sources_, g.place, "");
    std::string cause = g.summary.empty() ? "No error was reported" : g.summary;
    if (!place.file.empty()) cause += fmt::format(" ({}:{})", place.file, place.line);
    out_ += "  ";
    put(out_, fmt::format("{:>5} ×", g.failures.size()), Style::Red, o_.color);
    out_ += "  " + cause + '\n';
    if (!g.detail.empty()) line("           ", first_sentence(g.detail));
    std::string names;
    for (size_t i = 0; i < g.failures.size() && i < kMostFailures; ++i)
      names += (i ? ", " : "") + g.failures[i].operation->addr.text();
    if (g.failures.size() > kMostFailures)
      names += fmt::format(" and {} more", g.failures.size() - kMostFailures);
    line("           ", names);
    for (const Aftermath a : kAll) advice(g, a);
  }

  void advice(const FailureGroup& g, Aftermath a) {
    size_t n = 0;
    const Failure* first = nullptr;
    for (const Failure& f : g.failures)
      if (f.aftermath == a && ++n == 1) first = &f;
    if (n == 0) return;
    const Words w = words(a, n, first->operation->addr.text());
    const std::string of = n == g.failures.size() ? "" : fmt::format("{} of them: ", n);
    line("           ", fmt::format("{}{} {}", of, n == 1 ? w.one : w.many, w.then));
  }

  // Enough to know it by; all of it stands above.
  static std::string first_sentence(const std::string& detail) {
    std::string out = detail.substr(0, std::min(detail.find('\n'), detail.size()));
    constexpr size_t kMost = 150;
    // Not what introduces the lines that follow, and rather a whole sentence than a part of the next one.
    const size_t end = out.rfind(". ", out.size() <= kMost ? std::string::npos : kMost);
    if (end != std::string::npos && (out.ends_with(':') || out.size() > kMost)) return out.substr(0, end + 1);
    if (out.size() <= kMost) return out;
    const size_t space = out.rfind(' ', kMost);
    return out.substr(0, space == std::string::npos ? kMost : space) + " …";
  }

  void totals() {
    out_ += '\n' + incomplete_text(f_.changes, "Apply", ", in " + seconds_text(f_.seconds), o_);
  }

  const AftermathFacts& f_;
  const SourceTable& sources_;
  const HumanOptions& o_;
  std::string out_;
};

}  // namespace

std::string incomplete_text(const ChangeCounts& changes, std::string_view command, std::string_view after,
                            const HumanOptions& options) {
  std::string out, text = fmt::format(" {} done", grouped_digits(changes.done));
  if (changes.failed) text += fmt::format(", {} failed", grouped_digits(changes.failed));
  if (changes.not_started) text += fmt::format(", {} not started", grouped_digits(changes.not_started));
  put(out, fmt::format("{} incomplete!", command), Style::BoldRed, options.color);
  put(out, fmt::format("{}{}.", text, after), Style::Bold, options.color);
  return out + '\n';
}

std::string aftermath_text(const AftermathFacts& facts, const SourceTable& sources,
                           const HumanOptions& options) {
  return Text(facts, sources, options).write();
}

}  // namespace xplan::render
