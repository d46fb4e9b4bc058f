// What a few lines of configuration can ask for: values that are small in memory and endless when written
// out, numbers of any number of digits, patterns with any number of ways to match, loops that a user gives
// up.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/eval/functions/glob.h"
#include "core/eval/limits.h"
#include "core/syntax/body.h"
#include "tests/unit/eval/scope.h"

using namespace xplan;
using namespace xplan::eval;

namespace {

class Bench {
 public:
  Bench() { register_core_functions(table); }
  // The value as the console shows it, or the summary of the first problem, with an exclamation mark.
  std::string operator()(const std::string& text) {
    SourceTable sources;
    Diagnostics diags;
    const syntax::Expr* e = nullptr;
    auto file = syntax::parse_expression(sources, "test", text, e, diags);
    NamesScope scope(table);
    scope.names = names;
    Value v = e && !diags.has_errors() ? evaluate(*e, scope, diags) : Value::unknown();
    if (diags.has_errors()) return detail = diags.all()[0].detail, "! " + diags.all()[0].summary;
    return console_text(v);
  }

  FunctionTable table;
  std::vector<std::pair<Symbol, Value>> names;
  std::string detail;
};

struct Row {
  const char *text, *answer;
};

// 2^levels ones in as many tuples as there are levels.
Value doubled(int levels) {
  Value v = Value::number(1);
  for (int i = 0; i < levels; ++i) v = Value::tuple({v, v});
  return v;
}

double seconds(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Each answer comes, and in a time that somebody may wait for.
void answers(Bench& run, std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(row.text);
    std::string said;
    CHECK(seconds([&] { said = run(row.text); }) < 100);
    CHECK(said == row.answer);
  }
}

}  // namespace

TEST_CASE(
    "limits: what is small in memory and endless when written out is refused before it is gone through") {
  Bench run;
  run.names = {{Symbol("a"), doubled(23)},
               {Symbol("b"), doubled(23)},
               {Symbol("s"), doubled(18)},
               {Symbol("t"), doubled(18)},
               {Symbol("long"), Value::string(std::string(1 << 20, 'x'))}};
  // Wherever two of them come together, which no walk through them has to find out.
  for (const char* text :
       {"[a, a]", "distinct([a, b, a])", "toset([a, b])", "flatten([a, b])", "[a, b] == [b, a]",
        "jsonencode([a, b])", "yamlencode({a = a, b = b})", "format(\"%v\", [a, b])", "sensitive([a, b])",
        "tolist([a, b])", "merge({a = a}, {b = b})", "[for i in range(1000) : a]",
        "{for i in range(1000) : i => [a]}", "[[a][*], b]", "[for i in range(1000) : long]",
        "toset([for i in range(1000) : [i, long]])", "jsonencode([for i in range(1000) : long])"}) {
    CAPTURE(text);
    std::string said;
    CHECK(seconds([&] { said = run(text); }) < 100);  // and not for hours
    CHECK(said == "! Value too large");
  }
  // Below the limits, every one of them takes its time, and no more.
  answers(run, {{"s == t", "true"},
                {"length(distinct([s, t, s]))", "1"},
                {"length(toset([s, t]))", "1"},
                {"length(setunion([s], [t]))", "1"},
                {"length(flatten([s, t]))", "524288"},
                {"length(jsonencode(s))", "1048573"},
                {"length(format(\"%v\", s))", "1048573"},
                {"contains([t], s)", "true"},
                {"issensitive(sensitive([s, t]))", "true"}});
}

TEST_CASE("limits: numbers of very many digits are refused where they come in or are calculated") {
  Bench run;
  run.names = {{Symbol("ones"), Value::string(std::string(300'000, '1'))}};
  answers(run,
          {{"length(tostring(1e90000))", "90001"},
           {"1e90000 > 1e89999", "true"},
           {"1e90000 == 1e90000", "true"},
           {"1e99999999", "! Invalid number"},
           {"1e-99999999", "! Invalid number"},
           {"tonumber(\"1e99999999\")", "! Unsuitable function argument"},
           {"tonumber(ones)", "! Unsuitable function argument"},
           {"parseint(ones, 10)", "! Unsuitable function argument"},
           {"1e90000 * 1e90000", "! Value too large"},
           {"1e-90000 / 1e90000", "! Value too large"},
           {"[1e90000 * 1e90000][0]", "! Value too large"},
           {"format(\"%d\", 1e60000 * 1e60000)", "! Value too large"},
           {"jsondecode(\"1e99999999\")", "! Unsuitable function argument"},
           {"jsonencode([for i in range(1000) : [for j in range(1000) : 1e90000]])", "! Value too large"}});
}

TEST_CASE("limits: patterns of fileset") {
  const std::filesystem::path dir = std::filesystem::temp_directory_path() / "xplan-limits-glob";
  std::filesystem::remove_all(dir);
  std::string deep = dir.string();
  for (int i = 0; i < 12; ++i) {
    deep += "/d" + std::to_string(i);
    std::filesystem::create_directories(deep);
    for (const char* name : {"/f", "/g.txt", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"})
      std::ofstream(deep + name) << "x";
  }
  auto count = [&](const std::string& pattern) {
    std::vector<std::string> found;
    switch (glob(dir.string(), pattern, found)) {
      case GlobStatus::Ok:
        return static_cast<int>(found.size());
      case GlobStatus::TooComplex:
        return -1;
      case GlobStatus::BadPattern:
        return -2;
      case GlobStatus::Stopped:
        return -3;
    }
    return -4;
  };
  std::string row, braces = "{";
  for (int i = 0; i < 200; ++i) row += "**/", braces += "a,";
  std::string stars, nested;
  for (int i = 0; i < 40; ++i) stars += "*a", nested += "{a,a}";
  // A row of ** stands for half as many directories and any number of others: each second one is a name.
  struct {
    std::string pattern;
    int found;
  } const rows[] = {{"**/f", 12},
                    {"**/**/f", 12},
                    {"**/**/**/f", 12},
                    {"**/**/**/**/f", 11},
                    {"**/**/**/**/**/**/f", 10},
                    {"d0/**/**/f", 11},
                    {"**/d1/**/**/f", 10},
                    {row + "f", 0},
                    {"**", 48},
                    {"**/**", 48},
                    {"**/**/**", 47},
                    {row + "**", 0},
                    {stars + "c", 0},
                    {"**/" + stars + "c", -1},
                    {"**/" + nested + "c", -1},
                    {"**/" + braces + "f}", 12}};
  for (const auto& r : rows) {
    CAPTURE(r.pattern);
    int found = 0;
    CHECK(seconds([&] { found = count(r.pattern); }) < 100);
    CHECK(found == r.found);
  }
  std::vector<std::string> found;
  CHECK(glob(dir.string(), "**", found, [] { return true; }) == GlobStatus::Stopped);
  std::filesystem::remove_all(dir);
}

// A call on a large text is left behind wherever it is, so here is one that ends only then.
std::atomic<bool> left_behind{false};
Value endless(std::span<const Value>, const CallContext& ctx, CallError&) {
  while (!ctx.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // in some library
  left_behind = true;
  return Value::boolean(true);
}

TEST_CASE("limits: a long call is left behind after an interrupt") {
  Bench run;
  std::atomic<bool> stop{false};
  run.table.stop = &stop;
  run.table.add(
      {.name = "endless", .params = {{"text", Type::string()}}, .returns = Type::boolean(), .impl = endless});
  run.names = {{Symbol("long"), Value::string(std::string(kLongText, 'x'))}};
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  CHECK(run("endless(long)") == "! Evaluation was interrupted");
  CHECK(!left_behind);
  user.join();
  while (!left_behind) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_CASE("limits: a call on a large text is like one on a small text") {
  Bench run;
  const std::atomic<bool> stop{false};
  run.table.stop = &stop;
  run.names = {{Symbol("long"), Value::string(std::string(kLongText, 'x'))},
               {Symbol("text"), Value::string("${t}")}};
  for (const Row& row :
       std::initializer_list<Row>{{"length(upper(long)) == length(long)", "true"},
                                  {"length(base64gzip(long)) > 0", "true"},
                                  {"sha256(long) == sha256(lower(upper(long)))", "true"},
                                  {"length(split(\"x\", long)) == length(long) + 1", "true"},
                                  {"jsondecode(jsonencode(long)) == long", "true"},
                                  {"length(templatestring(text, {t = long})) == length(long)", "true"},
                                  {"nonsensitive(length(upper(sensitive(long)))) == length(long)", "true"},
                                  {"jsondecode(long)", "! Unsuitable function argument"},
                                  {"can(yamldecode(long))", "true"}}) {
    CAPTURE(row.text);
    CHECK(run(row.text) == row.answer);
  }
}

TEST_CASE("limits: evaluation ends soon after the run is to end") {
  Bench run;
  std::atomic<bool> stop{false};
  run.table.stop = &stop;
  run.names = {{Symbol("long"), Value::string(std::string(1 << 20, 'x'))}};
  for (const char* text :
       {"[for i in range(1000) : [for j in range(1000) : [for k in range(10) : i]]]",
        "can([for i in range(1000) : length([for j in range(1000) : length(range(1000))])])",
        "try([for i in range(1000) : length([for j in range(1000) : length(range(1000))])], 1)",
        "join(\"\", [for i in range(1000) : \"%{for j in range(1000)}${length(range(1000))}%{endfor}\"])",
        "[for i in range(1000) : regexall(\"(?:x{500}){2}y|x\", long)]",
        "[for i in range(1000) : replace(long, \"/x{900}y|x/\", \"y\")]",
        "[for i in range(1000) : length(jsonencode(split(\"\", long)))]", "bcrypt(\"a\", 31)"}) {
    CAPTURE(text);
    stop = false;
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop = true;
    });
    std::string said;
    CHECK(seconds([&] { said = run(text); }) < 100);  // and not for hours
    user.join();
    CHECK(said == "! Evaluation was interrupted");
  }
  // What is evaluated at the end of a run is short, and is evaluated.
  stop = true;
  CHECK(run("alltrue([for i in range(1000) : i >= 0])") == "true");
  CHECK(run("try(length(bcrypt(\"a\", 4)), 0)") == "60");
}

TEST_CASE("limits: templates that render each other have an end, and hear an interrupt") {
  Bench run;
  run.table.template_depth = 100;
  const Value twice = Value::string("${templatestring(t, {t = t})}${templatestring(t, {t = t})}"),
              tried =
                  Value::string("${try(templatestring(t, {t = t}), 1)}${can(templatestring(t, {t = t}))}");
  run.names = {{Symbol("t"), twice}, {Symbol("s"), tried}, {Symbol("v"), Value::string("${x}")}};
  std::atomic<bool> stop{false};
  run.table.stop = &stop;
  for (const char* text : {"templatestring(t, {t = t})", "templatestring(s, {t = s})"}) {
    CAPTURE(text);
    stop = false;
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop = true;
    });
    CHECK(run(text) == "! Evaluation was interrupted");
    user.join();
  }
  stop = false;
  const std::string many = "[for i in range(1024) : templatestring(v, {x = length(range(64))})]";
  CHECK(run("length(" + many + ")") == "1024");
  CHECK(run("[for j in range(1024) : length([for i in range(128) : templatestring(v, {x = i})])]") ==
        "! Function call failed");
  CHECK(run.detail.find("too many templates") != std::string::npos);
}
