// Summaries of plans: what is one group, what is odd, and that sensitive values stay marked.
#include <catch2/catch.hpp>

#include "core/review/summary.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::review;

namespace {

// "updates terraform_data.a[*] x3 odd: input.v": a line for each group.
std::string lines(const Summary& s) {
  std::string out;
  for (const ChangeGroup& g : s.groups) {
    out += std::string(facts(g.risk).name) + " " + g.address() + " x" + std::to_string(g.changes.size());
    if (g.odd) out += " odd";
    if (!g.same_values) out += " other-values";
    out += ":";
    for (const ChangedAttribute& a : g.attributes)
      if (!a.is_result()) out += " " + path_text(a.path) + (a.forces_replacement ? "!" : "");
    out += "\n";
  }
  return out;
}

std::string summary_after(const std::string& before, const std::string& after) {
  test::TestWorld w(before);
  w.apply(w.plan());
  w.fs.files["main.tf"] = after;
  const Plan plan = w.plan();
  CHECK(w.problems() == "");
  return lines(summarize(plan, {}));
}

std::string resource(const std::string& key_to_value, const std::string& more = "") {
  return "resource \"terraform_data\" \"a\" {\n  for_each = " + key_to_value +
         "\n  input = { v = each.value, s = 1 }\n" + more + "}\n";
}

}  // namespace

TEST_CASE("summary: the same change of many instances is one group, the others are named") {
  const std::string before = resource(R"({ a = "1", b = "1", c = "1", d = "1", e = "9" })");
  struct Row {
    std::string after, groups;
  };
  const Row rows[] = {
      {before, ""},
      {resource(R"({ a = "2", b = "2", c = "2", d = "2", e = "9" })"),
       "updates terraform_data.a[*] x4: .input.v\n"},
      {resource(R"({ a = "2", b = "2", c = "3", d = "2", e = "9" })"),
       "updates terraform_data.a[*] x3: .input.v\nupdates terraform_data.a[\"c\"] x1 odd: .input.v\n"},
      {resource(R"({ a = "2", b = "3", c = "2", d = "2", e = "8" })"),
       "updates terraform_data.a[*] x3: .input.v\nupdates terraform_data.a[*] x2 odd other-values: "
       ".input.v\n"},
      {resource(R"({ a = "2", b = "3", c = "4", d = "5", e = "9" })"),
       "updates terraform_data.a[*] x4 other-values: .input.v\n"},
      {resource(R"({ a = "1", b = "1", z = "1" })"),
       "destroys terraform_data.a[*] x3:\ncreates terraform_data.a[\"z\"] x1:\n"},
      {"", "destroys terraform_data.a[*] x5:\n"},
      {"moved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n"
       "resource \"terraform_data\" \"b\" {\n  for_each = { a = \"1\", b = \"1\", c = \"1\", d = \"1\", e = "
       "\"7\" }\n"
       "  input = { v = each.value, s = 1 }\n}\n",
       "updates terraform_data.b[\"e\"] x1: .input.v\nmoves terraform_data.b[*] x4:\n"},
      {resource(R"({ a = "1", b = "1", c = "1", d = "1", e = "9" })", "  triggers_replace = [each.key]\n"),
       "replaces terraform_data.a[*] x5 other-values: .triggers_replace!\n"},
  };
  for (const Row& r : rows) {
    INFO(r.after);
    CHECK(summary_after(before, r.after) == r.groups);
  }
}

TEST_CASE("summary: instances of a module's instances have one address") {
  test::TestWorld w("module \"m\" {\n  source = \"./m\"\n  for_each = toset([\"x\", \"y\"])\n}\n");
  w.fs.files["m/main.tf"] = "resource \"terraform_data\" \"a\" {}\n";
  const Plan plan = w.plan();
  REQUIRE(w.problems() == "");
  const Summary s = summarize(plan, {});
  CHECK(lines(s) == "creates module.m[*].terraform_data.a x2:\n");
  REQUIRE(s.by_module.size() == 1);
  CHECK(s.by_module[0].name == "module.m");
  CHECK(s.by_module[0].counts.create == 2);
}

TEST_CASE("summary: what stores data comes first, and is counted") {
  test::TestWorld w("resource \"terraform_data\" \"a\" {}\nresource \"terraform_data\" \"b\" {}\n");
  w.apply(w.plan());
  w.fs.files["main.tf"] = "resource \"terraform_data\" \"b\" {\n  triggers_replace = 1\n}\n";
  const Plan plan = w.plan();
  DataTypes types;
  CHECK(summarize(plan, types).counts.holding_data == 0);
  REQUIRE(types.add_lines("terraform_*").ok());
  const Summary s = summarize(plan, types);
  CHECK(s.counts.holding_data == 2);
  CHECK(lines(s) ==
        "destroys_data terraform_data.a x1:\nreplaces_data terraform_data.b x1: .triggers_replace!\n");
}

TEST_CASE("summary: parts of what is sensitive are sensitive") {
  const std::string text =
      "variable \"s\" {\n  sensitive = true\n  default = { k = \"%\" }\n}\n"
      "resource \"terraform_data\" \"a\" {\n  input = var.s\n}\n";
  auto with = [&](const std::string& v) { return std::string(text).replace(text.find('%'), 1, v); };
  test::TestWorld w(with("old"));
  w.apply(w.plan());
  w.fs.files["main.tf"] = with("new");
  const Plan plan = w.plan();
  const Summary s = summarize(plan, {});
  REQUIRE(s.groups.size() == 1);
  for (const ChangedAttribute& a : s.groups[0].attributes) {
    INFO(path_text(a.path));
    CHECK((a.before.has_mark(kSensitive) || !a.before.is_string()));
    CHECK((a.after.has_mark(kSensitive) || a.after.is_unknown()));
  }
}
