// Documents of plans: those of testdata/documents/CASE, made by planning before.tf, applying it and planning
// after.tf, are as they were accepted (XPLAN_ACCEPT=1 rewrites them, and then fails); whatever values
// contain, Markdown stays balanced and within its limit; sensitive values are in none.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/base/terminal.h"
#include "core/base/utf8.h"
#include "render/github/annotations.h"
#include "render/junit/junit.h"
#include "render/markdown/markdown.h"
#include "render/markdown/markup.h"
#include "render/sarif/sarif.h"
#include "tests/support/folder.h"
#include "tests/support/test_world.h"
#include "tests/unit/render/plan_from_json.h"

using namespace xplan;
namespace fs = std::filesystem;

namespace {

// A plan and what a review of it refers to.
struct Reviewed {
  explicit Reviewed(const std::string& before, const std::string& after = "") : world(before) {
    plan = world.plan();
    if (after.empty()) return;
    world.apply(plan);
    world.fs.files["main.tf"] = after;
    plan = world.plan();
  }
  review::Review review(std::string_view fail_on = "") {
    summary = review::summarize(plan, {});
    std::vector<review::Guard> guards;
    if (!fail_on.empty()) guards = *review::parse_guards(fail_on);
    return {plan, summary, world.diags, review::violations(plan, guards, {}, {}),
            review::Places(world.config.get())};
  }
  test::TestWorld world;
  Plan plan;
  review::Summary summary;
};

std::string markdown(const review::Review& r, size_t limit = 65536, const SourceTable* sources = nullptr) {
  return render::render_markdown(r, {.max_bytes = limit, .sources = sources});
}
std::string sarif(const review::Review& r, const SourceTable& sources) {
  JsonWriter w(2);
  render::write_sarif(r, sources, {.version = "0", .directory = "infra"}, w);
  return w.take() + "\n";
}
std::string junit(const review::Review& r, const SourceTable& sources) {
  std::string out;
  render::write_junit(r, sources, "infra", [&](std::string_view text) { out += text; });
  return out;
}

// What is wrong with a document, "" for nothing.
std::string wrong_with(const std::string& text) {
  if (!utf8_valid(text)) return "a character is cut";
  if (for_terminal(text) != text) return "something acts on a terminal";
  std::istringstream lines(text);
  std::string line, fence;
  int details = 0;
  while (std::getline(lines, line)) {
    const size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    if (!fence.empty()) {
      if (ticks >= fence.size() && line.find_first_not_of("` ") == std::string::npos) fence.clear();
      continue;
    }
    if (ticks >= 3) {
      fence = line.substr(0, ticks);
      continue;
    }
    auto is_at = [&](size_t i, std::string_view tag) { return line.compare(i, tag.size(), tag) == 0; };
    int codes = 0, summaries = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '`' || line[i] == '@' || line[i] == '[' || line[i] == '\\') return "markup in " + line;
      if (line[i] != '<') continue;
      if (is_at(i, "<code>")) {
        ++codes;
      } else if (is_at(i, "</code>")) {
        --codes;
      } else if (is_at(i, "<details><summary>") && i == 0) {
        ++details, ++summaries, i += 9;
      } else if (is_at(i, "</summary>")) {
        --summaries;
      } else if (is_at(i, "</details>") && i == 0) {
        --details;
      } else {
        return "a tag in " + line;
      }
      if (codes < 0 || codes > 1 || details < 0 || details > 1) return "out of balance: " + line;
    }
    if (codes != 0 || summaries != 0) return "out of balance: " + line;
  }
  return !fence.empty() ? "an open fence" : details != 0 ? "open details" : "";
}

// IDs are other ones each time: "b81f1313-110c-4d26-bd62-f3a691c2b788".
std::string with_ids_hidden(const std::string& text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  auto fits = [](char c, char form) {
    return form == '-' ? c == '-' : isxdigit(static_cast<unsigned char>(c)) != 0;
  };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const std::string_view here = std::string_view(text).substr(i, kForm.size());
    const bool id = here.size() == kForm.size() && std::equal(here.begin(), here.end(), kForm.begin(), fits);
    out += id ? std::string("(some id)") : text.substr(i, 1);
    i += id ? kForm.size() : 1;
  }
  return out;
}

void check_accepted(const fs::path& path, std::string text) {
  text = with_ids_hidden(text);
  INFO(path.string());
  if (std::getenv("XPLAN_ACCEPT") && (!fs::exists(path) || test::file_text(path) != text)) {
    std::ofstream(path, std::ios::binary) << text;
    FAIL_CHECK("accepted, review the diff");
  }
  CHECK(text == test::file_text(path));
}

// A new object for each text, with the text in its address, its values and the name of an output.
Plan plan_of(const std::vector<std::string>& texts) {
  Plan plan;
  for (const std::string& text : texts) {
    ResourceChange c;
    c.addr = c.prev_addr = *parse_abs_instance("terraform_data.a[\"x\"]");
    c.addr.key.string = c.prev_addr.key.string = Symbol(text);
    c.schema = recorded_schema(Mode::Managed);
    c.change.action = Action::Update;
    c.change.before = Value::object({{Symbol("input"), Value::string("old\n" + text)}});
    c.change.after = Value::object({{Symbol("input"), Value::string(text + "\nnew\n" + text)}});
    plan.changes.push_back(c);
    OutputChange o;
    o.name = Symbol(text);
    o.change.action = Action::Create;
    o.change.after = Value::string(text);
    plan.outputs.push_back(o);
  }
  sort_changes(plan.changes);
  return plan;
}

}  // namespace

TEST_CASE("documents: as they were accepted") {
  for (const char* name : {"release", "hostile"}) {
    const fs::path folder = fs::path(TESTDATA "/documents") / name;
    Reviewed r(test::file_text(folder / "before.tf"), test::file_text(folder / "after.tf"));
    CHECK_FALSE(r.world.diags.has_errors());
    const review::Review review = r.review("destroy,output>5,update>100");
    const std::string md = markdown(review, 65536, r.world.sources.get());
    check_accepted(folder / "plan.md", md);
    CHECK(wrong_with(md) == "");
    check_accepted(folder / "plan.sarif", sarif(review, *r.world.sources));
    check_accepted(folder / "plan.junit", junit(review, *r.world.sources));
    check_accepted(folder / "annotations",
                   render::github_annotations(review, render::Checks::Annotated, *r.world.sources, "infra"));
    for (const std::string& text : {md, sarif(review, *r.world.sources), junit(review, *r.world.sources)})
      CHECK(text.find("hunter") == std::string::npos);
  }
}

TEST_CASE("documents: Markdown stays in balance and within its limit") {
  std::vector<std::string> texts = {"plain",
                                    "```",
                                    "``````````````````````",
                                    "~~~",
                                    "</details>",
                                    "<!-- ",
                                    "a|b",
                                    "::error::x",
                                    "@octocat",
                                    "\x1b[31m",
                                    "\u202e",
                                    "\\",
                                    "[x](y)",
                                    "\xff\xfe",
                                    "ä€😀",
                                    "\r\n\r\n",
                                    "- item\n+ item",
                                    "&lt;",
                                    "www.a.b",
                                    "<details><summary>",
                                    "\n\n# heading\n\n",
                                    std::string(3000, '`'),
                                    std::string(5000, 'x')};
  std::string wide;
  for (int i = 0; i < 2000; ++i) wide += "€";
  texts.push_back(wide);
  Reviewed r("");
  r.plan = plan_of(texts);
  for (const std::string& text : texts) r.world.diags.error(text, text + "\n" + text).address = text;
  const review::Review review = r.review("update,output");
  size_t last = 0;
  for (size_t limit = 0; limit < 120000; limit += limit < 3000 ? 7 : limit / 5) {
    const std::string text = markdown(review, limit);
    INFO(limit << "\n" << text.substr(0, 4000));
    REQUIRE(text.size() <= limit);
    REQUIRE(wrong_with(text) == "");
    if (limit > 400) REQUIRE(text.find("## Plan: 0 to add, 24 to change, 0 to destroy") == 0);
    last = text.size();
  }
  CHECK(last < 119000);  // all of it
  CHECK(markdown(review, 1000000).find("left out") == std::string::npos);
  CHECK(markdown(review, 3000).find("Shortened to 3,000 bytes") != std::string::npos);
}

TEST_CASE("documents: what kept a plan from being made") {
  SourceTable sources;
  const uint32_t base = sources.add("main.tf", "resource \"a\" \"b\" {\n  x = 1\n}\n");
  Diagnostics problems;
  problems.error("Unsupported argument", "An argument named \"x\" is not expected here.",
                 {base + 19, base + 20});
  problems.warn("Deprecated", "Use something else.");
  Plan plan;
  plan.errored = true;
  const review::Summary summary = review::summarize(plan, {});
  const review::Review review{plan, summary, problems, {}, review::Places(nullptr)};
  const std::string text = markdown(review, 65536, &sources);
  CHECK(wrong_with(text) == "");
  for (const char* part : {"## Planning failed", "### Errors (1)", "<code>Unsupported argument</code>",
                           "<code>main.tf&#58;2</code>", "is not expected here", "### Warnings (1)"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(sarif(review, sources).find("\"startLine\": 2") != std::string::npos);
  CHECK(junit(review, sources).find("<error type=\"plan\" message=\"Unsupported argument\">") !=
        std::string::npos);
}

TEST_CASE("documents: 100,000 changes") {
  Reviewed r("");
  std::vector<std::string> keys;
  for (int i = 0; i < 100000; ++i) keys.push_back("k" + std::to_string(i));
  r.plan = plan_of(keys);
  const auto begin = std::chrono::steady_clock::now();
  const review::Review review = r.review();
  for (const size_t limit : {size_t{65536}, size_t{1000000}}) {
    const std::string text = markdown(review, limit);
    CHECK(text.size() <= limit);
    CHECK(text.size() > limit / 2);
    CHECK(wrong_with(text) == "");
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));  // quadratic would be hours
}

TEST_CASE("documents: fingerprints stay when other changes come and go") {
  const std::string a = "resource \"terraform_data\" \"a\" { input = 1 }\n";
  const std::string b = "resource \"terraform_data\" \"b\" { input = 1 }\n";
  auto prints = [](const std::string& config) {
    Reviewed r(config);
    std::set<std::string> out;
    for (const review::Finding& f : findings(r.review())) out.insert(f.identity);
    return out;
  };
  const std::set<std::string> one = prints(a), two = prints("\n\n" + b + a);
  CHECK(one.size() == 1);
  CHECK(two.size() == 2);
  CHECK(two.count(*one.begin()) == 1);
}

TEST_CASE("documents: what is cut is cut between lines or characters") {
  struct Row {
    std::string text;
    size_t most;
    std::string kept;
  };
  for (const Row& row :
       {Row{"one\ntwo\n", 100, "one\ntwo\n"}, Row{"one\ntwo\n", 6, "one\n"}, Row{"one\ntwo\n", 4, "one\n"},
        Row{"one\ntwo\n", 2, "on"}, Row{"€€", 4, "€"}, Row{"€", 2, ""}, Row{"", 0, ""}})
    CHECK(render::markdown::first_lines(row.text, row.most) == row.kept);
  CHECK(render::markdown::fenced("diff", "a ``` b") == "````diff\na ``` b\n````\n");
  CHECK(render::markdown::code("a_b `x`") == "<code>a_b &#96;x&#96;</code>");
  CHECK(render::markdown::code("_x_") == "<code>&#95;x&#95;</code>");
  CHECK(render::markdown::code("abcdef", 3) == "<code>abc…</code>");
}
