// Writes the messages about tests.
#include "cmd/xplan/test_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "render/json_test.h"

namespace xplan::cmd {
namespace {

void write_left(const test::Ledger::Runs& left, JsonWriter& w) {
  auto list = [&](std::string_view key, const std::set<std::string>& objects) {
    w.key(key);
    w.begin_array();
    for (const std::string& o : objects) w.begin_object(), w.member("instance", o), w.end_object();
    w.end_array();
  };
  w.begin_object();
  std::set<std::string> main;
  for (const auto& [run, objects] : left)
    if (objects.main) main.insert(objects.existing.begin(), objects.existing.end());
  if (!main.empty()) list("state", main);
  w.key("states");
  w.begin_object();
  for (const auto& [run, objects] : left)
    if (!objects.main && !objects.existing.empty()) list(run.substr(run.rfind('/') + 1), objects.existing);
  w.end_object();
  w.key("planned");
  w.begin_array();
  for (const auto& [run, objects] : left)
    for (const std::string& o : objects.begun) w.string(o);
  w.end_array();
  w.end_object();
}

render::ProviderSchemaList schemas_of(Session& s, const config::Config& c, Diagnostics& diags) {
  std::map<std::string, ProviderAddr> all;
  for (const config::Node* n : c.nodes)
    for (const ProviderConfigAddr& p : n->resource_providers) all.emplace(p.provider.text(), p.provider);
  render::ProviderSchemaList out;
  for (const auto& [name, p] : all)
    if (const auto provider = s.providers->start(p, diags)) out.emplace_back(p, provider->schema());
  return out;
}

}  // namespace

void TestMessages::found(const std::vector<const config::TestFile*>& files) {
  size_t runs = 0;
  for (const config::TestFile* f : files) runs += f->runs.size();
  auto plural = [](size_t n) { return n == 1 ? "" : "s"; };
  out_.message("info",
               fmt::format("Found {} file{} and {} run block{}", files.size(), plural(files.size()), runs,
                           plural(runs)),
               [&](JsonWriter& w) {
                 w.key("test_abstract");
                 w.begin_object();
                 for (const config::TestFile* f : files) {
                   w.key(f->path);
                   w.begin_array();
                   for (const config::TestRunBlock& r : f->runs) w.string(r.name.sv());
                   w.end_array();
                 }
                 w.end_object();
                 w.member("type", "test_abstract");
               });
}

void TestMessages::file(const config::TestFile& f, std::string_view text, std::string_view progress,
                        std::string_view status) {
  out_.about(f.path, {});
  if (out_.of_tofu() && status.empty()) return;  // which tells only how it ended
  out_.message("info", fmt::format("{}... {}", f.path, text), [&](JsonWriter& w) {
    w.key("test_file");
    w.begin_object();
    w.member("path", std::string_view(f.path));
    if (!out_.of_tofu()) w.member("progress", progress);
    if (!status.empty()) w.member("status", status);
    w.end_object();
    w.member("type", "test_file");
  });
}

void TestMessages::run(const config::TestFile& f, const config::TestRunBlock& r, std::string_view text,
                       std::string_view progress, std::string_view status, int64_t milliseconds) {
  out_.about(f.path, std::string(r.name.sv()));
  if (out_.of_tofu() && status.empty()) return;
  out_.message("info", fmt::format("  \"{}\"... {}", r.name.sv(), text), [&](JsonWriter& w) {
    w.key("test_run");
    w.begin_object();
    w.member("path", std::string_view(f.path));
    w.member("run", r.name.sv());
    if (!out_.of_tofu()) w.member("progress", progress);
    status.empty() ? w.member("elapsed", milliseconds) : w.member("status", status);
    w.end_object();
    w.member("type", "test_run");
  });
}

void TestMessages::made(const test::Outcome& made) {
  Diagnostics diags;
  out_.message("info", fmt::format("-verbose flag enabled, printing {}", made.plan ? "plan" : "state"),
               [&](JsonWriter& w) {
                 const std::string_view type = made.plan ? "test_plan" : "test_state";
                 w.key(type);
                 if (made.plan)
                   render::write_test_plan_json(*made.plan, schemas_of(s_, *made.config, diags), w);
                 else
                   render::write_test_state_json(*made.state, s_.schema_lookup(),
                                                 schemas_of(s_, *made.config, diags), w, diags);
                 w.member("type", type);
               });
  out_.diagnostics(diags, &s_.sources);
}

void TestMessages::left_behind(const config::TestFile& f, const config::TestRunBlock& r, const State& left) {
  out_.about(f.path, std::string(r.name.sv()));
  if (left.resources.empty()) return;
  out_.message("error",
               fmt::format("{} left some resources in state after executing {}/{}, they need to be "
                           "cleaned up manually.",
                           s_.product, f.path, r.name.sv()),
               [&](JsonWriter& w) {
                 w.key("test_cleanup");
                 w.begin_object();
                 w.key("failed_resources");
                 w.begin_array();
                 test::each_object(left, [&](const AbsInstance& a, const std::string& deposed) {
                   w.begin_object();
                   w.member("instance", std::string_view(a.text()));
                   if (!deposed.empty()) w.member("deposed_key", deposed);
                   w.end_object();
                 });
                 w.end_array();
                 w.end_object();
                 w.member("type", "test_cleanup");
               });
}

void TestMessages::interrupted(std::string_view meaning, const test::Ledger::Runs& left) {
  out_.about({}, {});
  out_.log(std::string(meaning));
  if (std::none_of(left.begin(), left.end(), [](const auto& r) { return r.second.any(); })) return;
  const std::string& last = std::find_if(left.begin(), std::prev(left.end()), [](const auto& r) {
                              return !r.second.begun.empty();
                            })->first;
  out_.about(last.substr(0, last.rfind('/')), last.substr(last.rfind('/') + 1));
  out_.message(
      "error",
      fmt::format(
          "{} was interrupted before what the tests created was destroyed. It must be cleaned up manually.",
          s_.product),
      [&](JsonWriter& w) {
        w.key("test_interrupt");
        write_left(left, w);
        w.member("type", "test_interrupt");
      });
}

void TestMessages::summary(const test::Summary& n) {
  out_.about({}, {});
  out_.message("info", test_summary_text(n), [&](JsonWriter& w) {
    w.key("test_summary");
    w.begin_object();
    w.member("status", test::status_name(n.status));
    w.member("passed", int64_t{n.passed});
    w.member("failed", int64_t{n.failed});
    w.member("errored", int64_t{n.errored});
    w.member("skipped", int64_t{n.skipped});
    w.end_object();
    w.member("type", "test_summary");
  });
}

}  // namespace xplan::cmd
