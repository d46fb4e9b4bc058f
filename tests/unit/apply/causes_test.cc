// CauseFinder: the reasons given for changes, chains of causes, and very long chains of locals.
#include "core/review/causes.h"

#include <catch2/catch.hpp>

#include "tests/support/test_world.h"

using namespace xplan;

namespace {

std::string told(review::CauseFinder& finder, const ResourceChange& c) {
  std::string out;
  for (const review::Why& w : finder.why(c)) {
    out += out.empty() ? "" : "; ";
    out += w.attribute.empty() ? w.text : w.attribute + " " + w.text;
    for (const std::string& f : w.from) out += " <" + f + ">";
    for (const ResourceChange* b : w.because) out += " [" + b->addr.text() + "]";
    if (w.replaces) out += " !";
  }
  return out;
}

}  // namespace

TEST_CASE("why a plan changes what it changes") {
  struct Row {
    std::string_view situation;
    std::string before, after;
    std::string address, why;
  };
  const std::string a = "resource \"terraform_data\" \"a\" { input = \"1\" }\n";
  const std::string a2 = "resource \"terraform_data\" \"a\" { input = \"2\" }\n";
  const Row rows[] = {
      {"new", "", a, "terraform_data.a",
       "the configuration declares it, but the state contains no object for it"},
      {"changed where it stands", a, a2, "terraform_data.a", "input changed in the configuration"},
      {"gone", a, "", "terraform_data.a", "its resource block is no longer in the configuration"},
      {"through a local and a module",
       a + "module \"m\" {\n source = \"./m\"\n v = local.x\n}\nlocals { x = \"${terraform_data.a.output}!\" "
           "}",
       a2 + "module \"m\" {\n source = \"./m\"\n v = local.x\n}\nlocals { x = "
            "\"${terraform_data.a.output}!\" }",
       "module.m.terraform_data.inner", "input follows from another change [terraform_data.a]"},
      {"an attribute that stays the same causes nothing",
       a + "resource \"terraform_data\" \"b\" { input = [terraform_data.a.id, 1] }",
       a2 + "resource \"terraform_data\" \"b\" { input = [terraform_data.a.id, 2] }", "terraform_data.b",
       "input[1] changed in the configuration"},
      {"a variable with another default",
       "variable \"v\" { default = 1 }\nresource \"terraform_data\" \"a\" { input = var.v }",
       "variable \"v\" { default = 2 }\nresource \"terraform_data\" \"a\" { input = var.v }",
       "terraform_data.a", "input changed in the configuration <var.v>"},
      {"cannot be changed in place", "resource \"terraform_data\" \"a\" { triggers_replace = 1 }",
       "resource \"terraform_data\" \"a\" { triggers_replace = 2 }", "terraform_data.a",
       "triggers_replace changed in the configuration !"},
      {"replace_triggered_by",
       a + "resource \"terraform_data\" \"b\" {\n lifecycle { replace_triggered_by = [terraform_data.a] }\n}",
       a2 +
           "resource \"terraform_data\" \"b\" {\n lifecycle { replace_triggered_by = [terraform_data.a] }\n}",
       "terraform_data.b", "replace_triggered_by refers to something that changes [terraform_data.a] !"},
      {"the instance with the same key",
       "resource \"terraform_data\" \"a\" {\n for_each = {x = 1, y = 1}\n input = each.value\n}\n"
       "resource \"terraform_data\" \"b\" {\n for_each = {x = 1, y = 1}\n input = "
       "terraform_data.a[each.key].output\n}",
       "resource \"terraform_data\" \"a\" {\n for_each = {x = 2, y = 2}\n input = each.value\n}\n"
       "resource \"terraform_data\" \"b\" {\n for_each = {x = 1, y = 1}\n input = "
       "terraform_data.a[each.key].output\n}",
       "terraform_data.b[\"x\"]", "input follows from another change [terraform_data.a[\"x\"]]"},
      {"moved", a,
       "moved {\n from = terraform_data.a\n to = terraform_data.z\n}\nresource \"terraform_data\" \"z\" { "
       "input = \"1\" }",
       "terraform_data.z", "it was moved from terraform_data.a"},
      {"create before destroy because of a dependent",
       "resource \"terraform_data\" \"a\" { triggers_replace = 1 }\nresource \"terraform_data\" \"b\" {\n "
       "input = "
       "terraform_data.a.id\n lifecycle { create_before_destroy = true }\n}",
       "resource \"terraform_data\" \"a\" { triggers_replace = 2 }\nresource \"terraform_data\" \"b\" {\n "
       "input = "
       "terraform_data.a.id\n lifecycle { create_before_destroy = true }\n}",
       "terraform_data.a",
       "triggers_replace changed in the configuration !; the new object is created before the old one is "
       "destroyed, "
       "because terraform_data.b depends on it and has create_before_destroy"},
  };
  for (const Row& r : rows) {
    INFO(r.situation);
    test::TestWorld w(r.before);
    w.fs.files["m/main.tf"] = "variable \"v\" {}\nresource \"terraform_data\" \"inner\" { input = var.v }";
    w.fs.files[".terraform/modules/modules.json"] = R"({"Modules":[{"Key":"m","Source":"./m","Dir":"m"}]})";
    Plan first = w.plan();
    w.apply(first);
    INFO(w.problems());
    w.fs.files["main.tf"] = r.after;
    Plan p = w.plan();
    REQUIRE_FALSE(w.diags.has_errors());
    std::string why;
    auto address = parse_abs_instance(r.address, &why);
    const ResourceChange* c = p.find(*address);
    REQUIRE(c);
    review::CauseFinder finder(p, *w.config);
    CHECK(told(finder, *c) == r.why);
  }
}

TEST_CASE("a chain of causes begins with what was changed") {
  auto files = [](std::string_view v) {
    std::string out = "resource \"terraform_data\" \"d0\" { input = \"" + std::string(v) + "\" }\n";
    for (int i = 1; i < 5; ++i)
      out += "resource \"terraform_data\" \"d" + std::to_string(i) + "\" { input = [terraform_data.d" +
             std::to_string(i - 1) + ".output, terraform_data.d0.output] }\n";
    return out;
  };
  test::TestWorld w(files("1"));
  w.apply(w.plan());
  w.fs.files["main.tf"] = files("2");
  Plan p = w.plan();
  review::CauseFinder finder(p, *w.config);
  std::string why, order;
  for (const ResourceChange* c : finder.chain(*p.find(*parse_abs_instance("terraform_data.d4", &why))))
    order += c->addr.text() + " ";
  CHECK(order ==
        "terraform_data.d0 terraform_data.d1 terraform_data.d2 terraform_data.d3 terraform_data.d4 ");
}

TEST_CASE("chains of locals may be as long as somebody writes them") {
  auto files = [](int input) {
    const int length = 100'000;
    std::string out = "resource \"terraform_data\" \"a\" { input = " + std::to_string(input) +
                      " }\nresource \"terraform_data\" \"b\" { input = local.l" + std::to_string(length) +
                      " }\nlocals {\n l0 = terraform_data.a.output\n";
    for (int i = 1; i <= length; ++i)
      out += " l" + std::to_string(i) + " = local.l" + std::to_string(i - 1) + "\n";
    return out + "}\n";
  };
  test::TestWorld w(files(1));
  w.apply(w.plan());
  REQUIRE(w.problems() == "");
  w.fs.files["main.tf"] = files(2);
  Plan p = w.plan();
  REQUIRE(p.relevant_attributes.size() == 1);
  CHECK(p.relevant_attributes[0].addr.text() == "terraform_data.a");
  review::CauseFinder finder(p, *w.config);
  CHECK(finder.chain(*p.find(*parse_abs_instance("terraform_data.b"))).size() == 2);
}
