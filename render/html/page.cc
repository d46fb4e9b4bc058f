// Fills page.html: each {{name}} in it is a place, and the table below says what goes there.
#include "render/html/page.h"

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/base/check.h"
#include "core/base/digest.h"
#include "render/html/assets.h"
#include "render/html/data.h"
#include "render/html/rows.h"
#include "render/html/sections.h"
#include "render/html/styled.h"

namespace xplan::render::html {
namespace {

// Only the page's own style and script, and nothing from anywhere else; no script makes elements of text.
std::string policy() {
  auto hash = [](std::string_view text) { return base64_encode(digest(Digest::Sha256, text)); };
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action "
      "'none'; "
      "require-trusted-types-for 'script'; trusted-types 'none'",
      hash(kStyle), hash(kScript));
}

// The sections that there are.
void put_links(const PageInput& in, const HumanOptions& options, std::string& out) {
  auto link = [&](std::string_view id, std::string_view name, size_t count, bool there) {
    if (!there) return;
    out += fmt::format("<a href=\"#{}\">{}", id, name);
    if (count) out += fmt::format(" <span class=\"count\">{}</span>", count);
    out += "</a>\n";
  };
  const size_t changes = each_change(in, options, nullptr), drift = each_drift(in, options, nullptr);
  std::string outputs;
  put_outputs(in, options, outputs);
  link("summary", "Summary", 0, true);
  link("changes", "Changes", changes, changes);
  link("graph", "Graph", 0, changes);
  link("drift", "Drift", drift, drift);
  link("deferred", "Deferred", in.plan.deferred.size(), !in.plan.deferred.empty());
  link("outputs", "Outputs", 0, !outputs.empty());
  link("checks", "Checks", in.summary.failed_checks, !in.plan.checks.empty());
}

struct Place {
  std::string_view name;
  void (*write)(const PageInput&, const HumanOptions&, const Sink&);
};

template <void (*put)(const PageInput&, const HumanOptions&, std::string&)>
void written(const PageInput& in, const HumanOptions& o, const Sink& sink) {
  std::string out;
  put(in, o, out);
  sink(out);
}
void put_title(const PageInput& in, const HumanOptions& o, std::string& out) {
  put_text(out, title(in, o));
}

constexpr Place kPlaces[] = {
    {"policy", [](const PageInput&, const HumanOptions&, const Sink& sink) { sink(policy()); }},
    {"style", [](const PageInput&, const HumanOptions&, const Sink& sink) { sink(kStyle); }},
    {"script", [](const PageInput&, const HumanOptions&, const Sink& sink) { sink(kScript); }},
    {"title", written<put_title>},
    {"facts", written<put_facts>},
    {"links", written<put_links>},
    {"summary", written<put_summary>},
    {"without_script", put_without_script},
    {"outputs", written<put_outputs>},
    {"checks", written<put_checks>},
    {"data", write_data},
};

}  // namespace
}  // namespace xplan::render::html

namespace xplan::render {

void write_html(const PageInput& in, const HumanOptions& options, const Sink& sink) {
  HumanOptions o = options;
  o.diff = DiffStyle::Smart;
  o.color = true, o.width = 0, o.note_width = 0, o.show_sensitive = false;
  std::string_view rest = html::kPage;
  for (size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    sink(rest.substr(0, at));
    const size_t end = rest.find("}}", at);
    const std::string_view name = rest.substr(at + 2, end - at - 2);
    bool found = false;
    for (const html::Place& p : html::kPlaces)
      if (p.name == name) found = true, p.write(in, o, sink);
    XPLAN_CHECK(found);
    rest.remove_prefix(end + 2);
  }
  sink(rest);
}

}  // namespace xplan::render
