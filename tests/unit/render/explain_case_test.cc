// Runs testdata/explain/*.case: configurations, steps, and what explain says of the plans; README.md there
// describes the form. Everything is in memory, with a provider whose objects can be changed behind its back.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/text.h"
#include "core/review/explained.h"
#include "core/run/last_apply.h"
#include "core/run/run.h"
#include "render/explain.h"
#include "tests/support/acme_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;

namespace {

namespace files = std::filesystem;

struct Step {
  std::string command;
  std::vector<std::string> body;
  bool expects() const { return command.starts_with("explain") || command.starts_with("lines"); }
};
struct Case {
  std::vector<std::string> title;  // the first line, and comments behind it
  std::vector<Step> steps;
};

// Random ones: "151917aa-483a-4cbd-aa8a-a01d8351cb0a".
std::string without_ids(std::string_view text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool id = text.size() - i >= kForm.size() &&
                    std::equal(kForm.begin(), kForm.end(), text.begin() + static_cast<int64_t>(i),
                               [](char f, char c) { return f == '-' ? c == '-' : hex_digit(c) >= 0; });
    id ? out += "ID" : out += text[i];
    i += id ? kForm.size() : 1;
  }
  return out;
}

std::vector<Case> parse_cases(std::istream& in) {
  std::vector<Case> out;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=== ")) {
      out.push_back({{line}, {}});
    } else if (line.starts_with("-- ")) {
      out.back().steps.push_back({line.substr(3), {}});
    } else if (out.back().steps.empty()) {
      out.back().title.push_back(line);
    } else {
      out.back().steps.back().body.push_back(line);
    }
  }
  for (Case& c : out)
    for (Step& s : c.steps)
      while (!s.body.empty() && s.body.back().empty()) s.body.pop_back();
  return out;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& l : lines) out += l + "\n";
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string w; in >> w;) out.push_back(w);
  return out;
}

class Runner {
 public:
  // What the step prints; empty for those that print nothing.
  std::string run(const Step& s) {
    const std::vector<std::string> words = words_of(s.command);
    const std::string& name = words[0];
    if (name == "explain" || name == "lines") return explain(words);
    if (name == "plan" || name == "apply") {
      plan(words);
      if (name == "apply") apply();
    } else if (name == "rm") {
      world_.fs.files.erase(words.at(1));
    } else if (name == "real") {
      change(words);
    } else if (name == "image") {
      cloud_.digests[words.at(1)] = words.at(2);
    } else if (name == "taint") {
      taint(words.at(1));
    } else if (name == "no-note") {
      note_.clear();
    } else {
      world_.fs.files[name] = text_of(s.body);
    }
    INFO(s.command << "\n" << world_.problems());
    REQUIRE_FALSE(world_.diags.has_errors());
    world_.diags.clear();
    return "";
  }

 private:
  static std::string_view value(const std::string& option, std::string_view name) {
    return option.starts_with(name) ? std::string_view(option).substr(name.size()) : std::string_view();
  }

  void plan(const std::vector<std::string>& words) {
    PlanOptions o;
    run::InputRequest inputs;
    for (const std::string& w : words) {
      if (auto v = value(w, "-var="); !v.empty()) inputs.options.push_back({false, std::string(v)});
      if (auto v = value(w, "-var-file="); !v.empty()) inputs.options.push_back({true, std::string(v)});
      if (auto v = value(w, "-env="); !v.empty())
        inputs.environment.emplace_back(v.substr(0, v.find('=')), v.substr(v.find('=') + 1));
      if (auto v = value(w, "-replace="); !v.empty()) {
        o.force_replace.push_back(*parse_abs_instance(v));
        o.force_replace_texts.emplace_back(v);
      }
      if (auto v = value(w, "-target="); !v.empty()) {
        o.targets.push_back(*parse_target(v));
        o.target_texts.emplace_back(v);
      }
      if (w == "-destroy") o.mode = PlanMode::Destroy;
      if (w == "-allow-deferral") o.deferral_allowed = true;
    }
    test::TestWorld& w = world_;
    w.sources = std::make_unique<SourceTable>();
    w.factory = std::make_unique<test::AcmeFactory>(cloud_);
    w.schemas = std::make_unique<ProviderSchemas>(*w.factory);
    w.config = config::load(w.fs, *w.sources, {}, w.schemas.get(), w.diags);
    if (w.diags.has_errors()) return;
    run::Context c{w.fs, *w.sources, *w.factory, *w.schemas, "."};
    run::FrontEnd nobody;
    run::Inputs given = run::read_inputs(c, *w.config->root->module, inputs, nobody, w.diags);
    if (w.diags.has_errors()) return;
    o.variables = w.values = given.values;
    o.given_variables = given.given;
    o.timestamp = "2026-01-02T03:04:0" + std::to_string(plans_++ % 10) + "Z";
    plan_ = make_plan(*w.config, w.state, o, *w.factory, w.diags);
    if (!note_.empty()) REQUIRE(run::compare_with_note(note_, w.state, plan_));
  }

  void apply() {
    if (world_.diags.has_errors()) return;
    world_.apply(plan_);
    world_.state.lineage = "lineage";
    ++world_.state.serial;
    note_ = run::note_of_apply(plan_, world_.state, !world_.diags.has_errors());
  }

  void change(const std::vector<std::string>& words) {
    if (words.at(2) == "gone") {
      REQUIRE(cloud_.servers.erase(words[1]) == 1);
      return;
    }
    kit::Object server(cloud_.servers.at(words[1]));
    server.set(words[2], words.at(3));
    cloud_.servers[words[1]] = server.value();
  }

  void taint(const std::string& address) {
    InstanceState* i = world_.state.find(*parse_abs_instance(address));
    REQUIRE((i && i->current));
    Object tainted = *i->current;
    tainted.status = ObjectStatus::Tainted;
    i->current = std::make_shared<const Object>(std::move(tainted));
  }

  std::string explain(const std::vector<std::string>& words) {
    review::ExplainRequest request;
    bool json = false;
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "-destroyed")
        request.destroyed = true;
      else if (words[i] == "-replaced")
        request.replaced = true;
      else if (words[i] == "-unknown")
        request.unknown = true;
      else if (words[i] == "-all")
        request.all = true;
      else if (words[i] == "-json")
        json = true;
      else
        request.address = words[i];
    }
    Diagnostics problems;
    const std::optional<review::Explained> what = review::select_explained(plan_, request, problems);
    std::string out;
    for (const Diagnostic& d : problems.all()) out += "Error: " + d.summary + ": " + d.detail + "\n";
    if (!what) return out;
    review::CauseFinder finder(plan_, *world_.config, world_.sources.get());
    if (words[0] == "lines") {  // as plan -explain has them
      for (const ResourceChange* c : what->changes) {
        out += c->addr.text() + "\n";
        render::put_why_lines(finder, *c, 0, out);
      }
    } else if (json) {
      JsonWriter w(2);
      render::write_explanation_json(finder, *what, w);
      out += w.take() + "\n";
    } else {
      render::render_explanation(finder, *what, {}, [&](std::string_view text) { out += text; });
    }
    return without_ids(out);
  }

  test::AcmeCloud cloud_;
  test::TestWorld world_{""};
  Plan plan_;
  std::string note_;
  int plans_ = 0;
};

void run_file(const files::path& path) {
  std::ifstream in(path);
  std::vector<Case> cases = parse_cases(in);
  const char* accept = std::getenv("XPLAN_ACCEPT");
  const bool accepting = accept && *accept && std::string(accept) != "0";
  std::string rewritten;
  bool changed = false;
  for (Case& c : cases) {
    Runner runner;
    rewritten += text_of(c.title);
    for (size_t i = 0; i < c.steps.size(); ++i) {
      Step& s = c.steps[i];
      INFO(path.filename().string() << ": " << c.title[0]);
      const std::string got = runner.run(s);
      std::string wanted = text_of(s.body);
      if (s.expects()) {
        changed |= got != wanted;
        if (!accepting) CHECK(got == wanted);
        wanted = got;
      }
      rewritten += "-- " + s.command + "\n" + wanted;
    }
    if (&c != &cases.back()) rewritten += "\n";
  }
  if (accepting && changed) {
    std::ofstream(path) << rewritten;
    FAIL(path.filename().string() << ": accepted, review the diff");
  }
  CHECK(!cases.empty());
}

}  // namespace

TEST_CASE("explanations") {
  std::vector<files::path> all;
  for (const auto& entry : files::directory_iterator(std::string(TESTDATA) + "/explain"))
    if (entry.path().extension() == ".case") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  REQUIRE(!all.empty());
  for (const files::path& path : all) {
    SECTION(path.stem().string()) {
      run_file(path);
    }
  }
}
