// The forms of a plan's documents, and their options.
#include "cmd/xplan/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/atomic_file.h"
#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/terminal.h"
#include "core/review/change_graph.h"
#include "planfile/planfile.h"
#include "render/dot.h"
#include "render/html/page.h"
#include "render/human_plan.h"
#include "render/json_plan.h"
#include "render/junit/junit.h"
#include "render/markdown/markdown.h"
#include "render/places.h"
#include "render/sarif/sarif.h"
#include "render/summary.h"

namespace xplan::cmd {
namespace {

constexpr size_t kUsualBytes = 65536, kFewestBytes = 1000;

// What every form is made from.
struct Material {
  Session& s;
  const Reviewed& reviewed;
  const review::Review& of;
  const review::DataTypes& types;
  std::string directory;
  size_t max_bytes;
};

void write_json(const Material& m, const render::Sink& sink) {
  JsonWriter w(sink, 0);
  render::write_plan_json(m.reviewed.plan, *m.reviewed.config, m.reviewed.schemas, w, m.s.diags);
  w.flush();
  sink("\n");
}

std::string problem_line(const Diagnostic& d, const SourceTable& sources) {
  const render::FilePlace p = render::file_place(sources, d.subject, "");
  std::string place = p.file.empty() ? d.address : fmt::format("{}:{}", p.file, p.line);
  return fmt::format("Error: {}{}\n", d.summary, place.empty() ? "" : " (" + place + ")");
}

void write_summary(const Material& m, const render::Sink& sink) {
  render::HumanOptions plain;
  plain.product = m.s.product;
  std::string text;
  render::render_summary(m.of.summary, plain, text);
  text += '\n';
  for (const Diagnostic& d : m.of.problems.all())
    if (d.severity == Severity::Error) text += problem_line(d, m.s.sources);
  if (!m.of.plan.errored) text += render::plan_summary(m.of.plan, plain) + "\n";
  sink(harmless_text(text));
}

void write_markdown(const Material& m, const render::Sink& sink) {
  sink(render::render_markdown(m.of, {.max_bytes = m.max_bytes,
                                      .product = m.s.product,
                                      .more = std::string(program_name()) + " show",
                                      .sources = &m.s.sources}));
}

void write_sarif(const Material& m, const render::Sink& sink) {
  JsonWriter w(sink, 0);
  render::write_sarif(m.of, m.s.sources, {.version = std::string(kProgramVersion), .directory = m.directory},
                      w);
  w.flush();
  sink("\n");
}

void write_junit(const Material& m, const render::Sink& sink) {
  render::write_junit(m.of, m.s.sources, m.directory, sink);
}

// What changes and why, of a plan and its configuration.
struct Reasons {
  explicit Reasons(const Material& m)
      : config(m.reviewed.declared()),
        causes(m.of.plan, config, &m.s.sources),
        graph(change_graph(m.of.plan, config, causes, m.types)) {}
  const config::Config& config;
  review::CauseFinder causes;
  review::ChangeGraph graph;
};

void write_page(const Material& m, const render::Sink& sink) {
  Reasons why(m);
  render::write_html({m.of.plan, m.of.summary, m.of.problems, m.s.sources, why.graph, m.types, why.causes},
                     m.s.human, sink);
}

void write_graph(const Material& m, const render::Sink& sink) {
  render::write_dot(Reasons(m).graph, sink);
}

struct Form {
  std::string_view name, what, more;
  bool printable, secret, needs_config;
  void (*write)(const Material&, const render::Sink&);
};
constexpr Form kForms[] = {
    {"json", "the plan as JSON", "in the form of \"show -json\", with sensitive values", false, true, true,
     write_json},
    {"summary", "the summary of the plan", "", false, false, false, write_summary},
    {"markdown", "the plan as Markdown", "the riskiest changes first, within the limit of -max-bytes", true,
     false, false, write_markdown},
    {"sarif", "the risks of the plan as a SARIF log", "", true, false, false, write_sarif},
    {"junit", "the changes and checks of the plan as a JUnit report", "", true, false, false, write_junit},
    {"html", "the plan as a self-contained HTML page", "", true, false, false, write_page},
    {"graph", "a graph in the DOT language", "what changes and why", true, false, false, write_graph},
};

std::string help_text(const Form& f, std::string_view verb, std::string_view where) {
  return fmt::format("{} {}{}{}{}.", verb, f.what, where, f.more.empty() ? "" : ": ", f.more);
}

}  // namespace

void Documents::add(Flags& f, Printing printing) {
  static_assert(std::size(kForms) == kCount);
  of_saved_plan_ = printing == Printing::Possible;
  for (size_t i = 0; i < kCount; ++i)
    if (kForms[i].printable && printing == Printing::Possible)
      f.flag(kForms[i].name, print_[i], help_text(kForms[i], "Print", ""));
  for (size_t i = 0; i < kCount; ++i)
    f.text(fmt::format("out-{}", kForms[i].name), files_[i], help_text(kForms[i], "Write", " to FILE"),
           "FILE");
  f.number("max-bytes", max_bytes_, "Maximum size of the Markdown in bytes (default 65536).");
  f.flag("github", github_,
         "In a GitHub workflow: annotate files with the risks of the plan, and append the plan to the step "
         "summary.");
}

bool Documents::wanted() const {
  return printed() || github_ ||
         std::any_of(files_.begin(), files_.end(), [](const std::string& f) { return !f.empty(); });
}

bool Documents::prepare(Session& s) {
  auto conflict = [&](std::string_view a, std::string_view b) {
    s.diags.error("Incompatible command line options",
                  fmt::format("-{} and -{} cannot be used together.", a, b));
  };
  if (github_ && s.json) conflict("github", "json");
  if (max_bytes_ >= 0 && static_cast<size_t>(max_bytes_) < kFewestBytes)
    s.diags.error("Invalid option value", fmt::format("The option -max-bytes must be at least {}, not {}.",
                                                      kFewestBytes, max_bytes_));
  for (size_t i = 0; i < kCount; ++i) {
    if (print_[i] && s.json) conflict(kForms[i].name, "json");
    if (print_[i] && printed()) conflict(kForms[static_cast<size_t>(printed_)].name, kForms[i].name);
    if (print_[i]) printed_ = static_cast<int>(i);
    if (files_[i].empty()) continue;
    const std::string option = fmt::format("out-{}", kForms[i].name);
    if (Result<void> ok = planfile::check_document(files_[i], option); !ok)
      s.diags.error("Invalid document path", ok.error().sentence());
    s.claim(files_[i], option);
  }
  if (s.diags.has_errors()) return false;
  if (github_) workflow_ = std::make_unique<WorkflowCommands>(s, repository_directory(s.cwd));
  return true;
}

bool Documents::write(Session& s, const Reviewed& reviewed, const ReviewFlags& flags) {
  if (!wanted()) return true;
  const Plan plan = reviewed.marked();
  const review::Summary summary = summarize(plan, flags.data_types());
  const review::Review review{plan, summary, s.diags, flags.violations(plan),
                              review::Places(reviewed.config)};
  const Material material{s,
                          reviewed,
                          review,
                          flags.data_types(),
                          repository_directory(s.cwd),
                          max_bytes_ >= 0 ? static_cast<size_t>(max_bytes_) : kUsualBytes};
  for (size_t i = 0; i < kCount; ++i) {
    if (files_[i].empty() || (!reviewed.config && kForms[i].needs_config)) continue;
    std::string text;
    kForms[i].write(material, [&](std::string_view piece) { text += piece; });
    const Result<void> ok = write_atomic(files_[i], text, kForms[i].secret ? 0600 : 0644);
    if (!ok)
      s.diags.error("Failed to write document",
                    fmt::format("-out-{}: {}", kForms[i].name, ok.error().sentence()));
  }
  if (printed())
    kForms[static_cast<size_t>(printed_)].write(material, [&](std::string_view text) { s.io.out(text); });
  if (workflow_) {
    workflow_->append_summary(review);
    workflow_->annotate(review,
                        of_saved_plan_ ? render::Checks::Annotated : render::Checks::ToldByDiagnostics);
  }
  return !s.diags.has_errors();
}

void Documents::write_failed(Session& s, const ReviewFlags& flags) {
  Plan none;
  none.errored = true;
  write(s, {none, nullptr, s.schema_lookup()}, flags);
}

}  // namespace xplan::cmd
