// Writes the messages of -json streams: version, planned changes, drift, summaries, outputs, diagnostics,
// hook events.
#include "render/json_stream.h"

#include <fmt/format.h>

#include <optional>

#include "core/base/clock.h"
#include "core/value/json.h"
#include "render/human_diag.h"
#include "render/json_diag.h"
#include "render/json_state.h"
#include "render/snippet.h"

namespace xplan::render {
namespace {

void write_resource(std::string_view key, const AbsInstance& a, JsonWriter& w) {
  std::string_view type = a.resource.type.sv();
  AbsInstance local = a;
  local.module = {};
  w.key(key);
  w.begin_object();
  w.member("addr", a.text());
  w.member("module", a.module.is_root() ? std::string() : a.module.text());
  w.member("resource", local.text());
  w.member("implied_provider", type.substr(0, type.find('_')));
  w.member("resource_type", type);
  w.member("resource_name", a.resource.name.sv());
  w.key("resource_key");
  if (a.key.none())
    w.null();
  else
    write_instance_key(a.key, w);
  w.end_object();
}

// The one word for an action; what changes nothing is named after what it does to the state.
std::string_view action_word(const ResourceChange& c) {
  if (c.change.action == Action::NoOp && c.change.importing) return "import";
  if (c.change.action == Action::NoOp && c.moved()) return "move";
  return facts(c.change.action).word;
}

std::string_view reason_word(Reason r) {
  const ReasonFacts f = facts(r);
  return f.word.empty() ? f.name : f.word;
}

bool shown(const ResourceChange& c) {
  return !(c.addr.resource.mode == Mode::Data && c.change.action == Action::Delete) &&
         c.addr.resource.mode != Mode::Ephemeral &&
         (c.change.action != Action::NoOp || c.moved() || c.change.importing);
}

// OpenTofu's have one more member, and its sentences one more part, where objects are forgotten.
void write_summary(const JsonStream::Applied& n, bool of_tofu, std::string_view operation, JsonWriter& w) {
  auto count = [&](std::string_view name, size_t value) { w.member(name, static_cast<int64_t>(value)); };
  w.key("changes");
  w.begin_object();
  count("add", n.added);
  count("change", n.changed);
  count("import", n.imported);
  count("remove", n.destroyed);
  if (of_tofu) count("forget", n.forgotten);
  w.member("operation", operation);
  w.end_object();
  w.member("type", "change_summary");
}

std::string forgotten_text(const JsonStream::Applied& n, bool of_tofu, std::string_view words) {
  return of_tofu && n.forgotten ? fmt::format(", {} {}", n.forgotten, words) : "";
}

}  // namespace

void JsonStream::message(std::string_view level, std::string_view text,
                         const std::function<void(JsonWriter&)>& members, Time time) const {
  JsonWriter w;
  w.begin_object();
  w.member("@level", level);
  w.member("@message", text);
  w.member("@module", module_);
  if (!test_file_.empty()) w.member("@testfile", test_file_);
  if (!test_run_.empty()) w.member("@testrun", test_run_);
  w.member("@timestamp", std::string_view(utc_now(time == Time::Seconds ? 0 : 6)));
  members(w);
  w.end_object();
  std::string line = w.take();
  line += '\n';
  sink_(line);
}

void JsonStream::version(std::string_view product, std::string_view product_version,
                         std::string_view language_version) const {
  message("info", fmt::format("{} {}", product, product_version), [&](JsonWriter& w) {
    // The reference tools find the level of the language under the name of the program that defined it.
    w.member(module_ == "tofu.ui" ? "tofu" : "terraform", language_version);
    w.member("type", "version");
    w.member("ui", "1.2");
    if (product_version != language_version) w.member("xplan", product_version);
  });
}

void JsonStream::log(std::string_view text) const {
  message("info", text, [](JsonWriter& w) { w.member("type", "log"); });
}

void JsonStream::diagnostics(const Diagnostics& diags, const SourceTable* sources) const {
  std::optional<Snippets> snippets;
  if (sources) snippets.emplace(*sources);
  for (const Diagnostic* d : sorted_diagnostics(diags)) {
    bool error = d->severity == Severity::Error;
    message(error ? "error" : "warn", fmt::format("{}: {}", error ? "Error" : "Warning", d->summary),
            [&](JsonWriter& w) {
              w.key("diagnostic");
              write_diagnostic(w, *d, snippets ? &*snippets : nullptr);
              w.member("type", "diagnostic");
            });
  }
}

void JsonStream::change(std::string_view type, const ResourceChange& c) const {
  std::string_view action = action_word(c);
  bool drift = type == "resource_drift";
  message("info",
          drift ? fmt::format("{}: Drift detected ({})", c.addr.text(), action)
                : fmt::format("{}: Plan to {}", c.addr.text(), action),
          [&](JsonWriter& w) {
            w.key("change");
            w.begin_object();
            write_resource("resource", c.addr, w);
            if (c.moved()) write_resource("previous_resource", c.prev_addr, w);
            w.member("action", action);
            if (c.reason != Reason::None) w.member("reason", reason_word(c.reason));
            if (c.change.importing) {
              w.key("importing");
              w.begin_object();
              if (!c.change.import_id.empty()) w.member("id", c.change.import_id);
              if (!c.change.import_identity.is_null())
                w.key("identity"), write_json(w, c.change.import_identity);
              w.end_object();
            }
            if (!c.change.generated_config.empty()) w.member("generated_config", c.change.generated_config);
            w.end_object();
            w.member("type", type);
          });
}

void JsonStream::deferred(const DeferredChange& d) const {
  message("info", fmt::format("{}: Deferred ({})", d.change.addr.text(), deferred_reason_name(d.reason)),
          [&](JsonWriter& w) {
            w.key("change");
            w.begin_object();
            write_resource("resource", d.change.addr, w);
            w.member("action", action_word(d.change));
            w.member("reason", deferred_reason_name(d.reason));
            w.end_object();
            w.member("type", "deferred_change");
          });
}

void JsonStream::plan(const Plan& plan, bool whole) const {
  bool only_drift = plan.mode == PlanMode::RefreshOnly;
  if (whole)
    for (const ResourceChange& c : plan.drift)
      if (shown(c) && (only_drift || c.change.action != Action::NoOp)) change("resource_drift", c);
  Applied n;
  for (const ResourceChange& c : plan.changes) {
    Action a = c.change.action;
    if (!shown(c) || (!whole && a == Action::NoOp)) continue;
    change("planned_change", c);
    n.imported += c.change.importing;
    n.added += a == Action::Create || is_replace(a);
    n.changed += a == Action::Update;
    n.destroyed += destroys(a);
    n.forgotten += a == Action::Forget;
  }
  for (const DeferredChange& d : plan.deferred) deferred(d);
  if (!whole) return;
  message("info",
          fmt::format("Plan: {}{} to add, {} to change, {} to destroy{}.",
                      n.imported ? fmt::format("{} to import, ", n.imported) : "", n.added, n.changed,
                      n.destroyed, forgotten_text(n, of_tofu(), "to forget")),
          [&](JsonWriter& w) { write_summary(n, of_tofu(), "plan", w); });
  if (plan.outputs.empty()) return;
  message("info", fmt::format("Outputs: {}", plan.outputs.size()), [&](JsonWriter& w) {
    w.key("outputs");
    w.begin_object();
    for (const OutputChange& o : plan.outputs) {
      w.key(o.name.sv());
      w.begin_object();
      w.member("sensitive", o.sensitive || o.was_sensitive);
      w.member("action", facts(o.change.action).word);
      w.end_object();
    }
    w.end_object();
    w.member("type", "outputs");
  });
}

void JsonStream::applied(const Applied& n, bool destroy) const {
  std::string text = destroy
                         ? fmt::format("Destroy complete! Resources: {} destroyed.", n.destroyed)
                         : fmt::format("Apply complete! Resources: {}{} added, {} changed, {} destroyed{}.",
                                       n.imported ? fmt::format("{} imported, ", n.imported) : "", n.added,
                                       n.changed, n.destroyed, forgotten_text(n, of_tofu(), "forgotten"));
  message("info", text,
          [&](JsonWriter& w) { write_summary(n, of_tofu(), destroy ? "destroy" : "apply", w); });
}

void JsonStream::outputs(const std::map<Symbol, OutputState, SymbolTextLess>& outputs) const {
  message("info", fmt::format("Outputs: {}", outputs.size()), [&](JsonWriter& w) {
    w.key("outputs");
    w.begin_object();
    for (const auto& [name, o] : outputs) {
      w.key(name.sv());
      w.begin_object();
      w.member("sensitive", o.sensitive);
      if (!o.deprecated.empty()) w.member("deprecated", o.deprecated);
      w.key("type");
      w.raw(o.value.type().json());
      if (!o.sensitive) w.key("value"), write_json(w, o.value);
      w.end_object();
    }
    w.end_object();
    w.member("type", "outputs");
  });
}

void JsonStream::hook(std::string_view type, const AbsInstance& a, std::string_view text,
                      const std::function<void(JsonWriter&)>& more) const {
  message("info", text, [&](JsonWriter& w) {
    w.key("hook");
    w.begin_object();
    write_resource("resource", a, w);
    more(w);
    w.end_object();
    w.member("type", type);
  });
}

}  // namespace xplan::render
