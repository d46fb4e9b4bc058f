// Recorded plans: testdata/render/NAME.json is a plan, NAME.txt the lines of its text that people and tools
// rely on (diffs, headers, summary). What stands around them is ours and not compared.
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/terminal.h"
#include "render/change_diff.h"
#include "render/human_plan.h"
#include "tests/support/folder.h"
#include "tests/unit/render/plan_from_json.h"

using namespace xplan;

namespace {

bool starts(const std::string& line, std::initializer_list<const char*> any) {
  return std::any_of(any.begin(), any.end(), [&](const char* p) { return line.rfind(p, 0) == 0; });
}

bool is_legend(const std::string& line) {
  size_t i = line.find_first_not_of(' ');
  if (i == std::string::npos || i > 2) return false;
  size_t end = line.find(' ', i);
  if (end == std::string::npos || end - i > 3 || line.find_first_not_of("-+~<=/.", i) < end) return false;
  for (char c : line.substr(end + 1))
    if (!isalpha(static_cast<unsigned char>(c)) && c != ' ' && c != '-' && c != '(' && c != ')') return false;
  return end + 1 < line.size() && isalpha(static_cast<unsigned char>(line[end + 1]));
}

// The lines that are compared.
std::string kept(const std::string& text) {
  std::string out, line;
  std::istringstream lines(text);
  while (std::getline(lines, line)) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (is_legend(line)) continue;
    if (!starts(line,
                {"  ", " # ", " . ", "-/+ ", "+/- ", " <= ", "Plan: ", "Changes to Outputs:", "No changes."}))
      continue;
    if (line.rfind("No changes.", 0) == 0) line = "No changes.";
    out += line + "\n";
  }
  return out;
}

render::HumanOptions terraform() {
  render::HumanOptions o;
  o.product = "Terraform";
  o.in_automation = true;
  return o;
}

}  // namespace

TEST_CASE("plan text: every recorded plan reads as it was recorded") {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TESTDATA "/render")) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    auto plan = plan_from_json(test::file_text(entry.path()));
    std::string out;
    render::render_plan(*plan, terraform(), out);
    auto expected = entry.path();
    expected.replace_extension(".txt");
    INFO(entry.path().filename().string());
    CHECK(kept(out) == test::file_text(expected));
  }
  CHECK(count > 150);
}

TEST_CASE("plan text: a sink receives the same bytes as a string") {
  auto plan = plan_from_json(test::file_text(TESTDATA "/render/random-1.json"));
  std::string whole, pieces;
  render::render_plan(*plan, terraform(), whole);
  render::render_plan(*plan, terraform(), [&](std::string_view s) { pieces += s; });
  CHECK(whole == pieces);
}

TEST_CASE("plan text: the product name and its own words") {
  struct Row {
    std::string product, tainted, forget, summary;
  };
  auto plan = std::make_unique<Plan>();
  auto add = [&](const char* name, Action action, Reason reason) {
    ResourceChange c;
    c.addr = c.prev_addr = *parse_abs_instance(name);
    c.schema = recorded_schema(Mode::Managed);
    c.change.action = action;
    c.change.before = Value::object({{Symbol("id"), Value::string("x")}});
    c.change.after = action == Action::Forget ? Value::null() : c.change.before;
    c.reason = reason;
    plan->changes.push_back(c);
  };
  add("terraform_data.a", Action::DeleteThenCreate, Reason::ReplaceBecauseTainted);
  add("terraform_data.b", Action::Forget, Reason::None);
  for (const Row& row :
       {Row{"xplan", "# terraform_data.a is tainted, so must be replaced\n",
            " # terraform_data.b will no longer be managed by xplan, but will not be destroyed\n",
            "Plan: 1 to add, 0 to change, 1 to destroy."},
        Row{"OpenTofu", "# terraform_data.a is tainted, so it must be replaced\n",
            "  # terraform_data.b will be removed from the OpenTofu state but will not be destroyed\n",
            "Plan: 1 to add, 0 to change, 1 to destroy, 1 to forget."}}) {
    render::HumanOptions o;
    o.product = row.product;
    std::string out;
    render::render_plan(*plan, o, out);
    CHECK(out.find("\n" + row.product + " will perform the following actions:\n") != std::string::npos);
    CHECK(out.find(row.tainted) != std::string::npos);
    CHECK(out.find(row.forget) != std::string::npos);
    CHECK(out.find("\n" + row.summary + "\n") != std::string::npos);
    CHECK(render::plan_summary(*plan, o) == row.summary);
  }
}

TEST_CASE("plan text: what is deferred stands behind the changes, each with its reason") {
  auto plan = std::make_unique<Plan>();
  auto made = [&](const char* address, Action action) {
    ResourceChange c;
    c.addr = c.prev_addr = *parse_partial_instance(address);
    c.schema = recorded_schema(Mode::Managed);
    c.change.action = action;
    c.change.before =
        action == Action::Create ? Value::null() : Value::object({{Symbol("id"), Value::string("x")}});
    c.change.after = Value::object(
        {{Symbol("id"), action == Action::NoOp ? Value::string("x") : Value::unknown(Type::string())}});
    return c;
  };
  plan->deferred.push_back(
      {made("module.m[*].terraform_data.a[*]", Action::Create), DeferredReason::InstanceCountUnknown});
  plan->deferred.push_back({made("terraform_data.b", Action::NoOp), DeferredReason::ProviderConfigUnknown});
  plan->complete = false;
  std::string alone, with_change;
  render::render_plan(*plan, terraform(), alone);
  CHECK(alone.find("No changes.") == std::string::npos);
  CHECK(alone.find("Plan:") == std::string::npos);
  CHECK(alone.find(
            "\n  # module.m[*].terraform_data.a[*] is deferred\n  # (the number of instances is not known "
            "yet)\n  + resource \"terraform_data\" \"a\" {\n      + id = (known after apply)\n    }\n") !=
        std::string::npos);
  CHECK(
      alone.find("\n  # terraform_data.b is deferred\n  # (its provider configuration is not known yet)\n") !=
      std::string::npos);
  plan->changes.push_back(made("terraform_data.c", Action::Create));
  render::render_plan(*plan, terraform(), with_change);
  size_t change = with_change.find("# terraform_data.c will be created"),
         later = with_change.find("is deferred"),
         summary = with_change.find("\nPlan: 1 to add, 0 to change, 0 to destroy.\n");
  CHECK(change < later);
  CHECK(later < summary);
  CHECK(summary != std::string::npos);
}

TEST_CASE("plan text: drift is shown when it feeds the plan, in a refresh-only plan always") {
  auto object = [](const char* input) {
    return Value::object({{Symbol("id"), Value::string("i")},
                          {Symbol("input"), Value::string(input)},
                          {Symbol("output"), Value::object({{Symbol("k"), Value::string(input)},
                                                            {Symbol("l"), Value::string(input)}})}});
  };
  Plan plan;
  ResourceChange c;
  c.addr = c.prev_addr = *parse_abs_instance("terraform_data.a");
  c.schema = recorded_schema(Mode::Managed);
  c.change.action = Action::Update;
  c.change.before = object("old");
  c.change.after = object("new");
  plan.drift.push_back(c);
  OutputChange o;
  o.name = Symbol("o");
  o.change.action = Action::Update;
  o.change.before = Value::string("old");
  o.change.after = Value::string("new");
  plan.outputs.push_back(o);
  auto text = [&] {
    std::string out;
    render::render_plan(plan, terraform(), out);
    return out;
  };
  CHECK(text().find("outside of") == std::string::npos);
  plan.relevant_attributes = {{c.addr, {PathStep::of_attr("output"), PathStep::of_attr("k")}}};
  CHECK(text().rfind("\nNote: Objects have changed outside of Terraform\n", 0) == 0);
  CHECK(text().find("  # terraform_data.a has changed\n"
                    "  ~ resource \"terraform_data\" \"a\" {\n"
                    "        id     = \"i\"\n"
                    "      ~ output = {\n"
                    "          ~ k = \"old\" -> \"new\"\n"
                    "            # (1 unchanged attribute hidden)\n"
                    "        }\n"
                    "        # (1 unchanged attribute hidden)\n"
                    "    }\n") != std::string::npos);
  CHECK(text().find("\nUnless you have made equivalent changes to your configuration") != std::string::npos);
  plan.relevant_attributes.clear();
  plan.outputs.clear();
  plan.mode = PlanMode::RefreshOnly;
  CHECK(text().find("      ~ input  = \"old\" -> \"new\"\n") != std::string::npos);
  plan.drift[0].change.action = Action::Delete;
  plan.drift[0].change.after = Value::null();
  CHECK(text().find("  # terraform_data.a has been deleted\n  - resource") != std::string::npos);
}

TEST_CASE("plan text: nothing to do, in every mode") {
  Plan plan;
  auto first = [&] {
    std::string out;
    render::render_plan(plan, terraform(), out);
    return out.substr(0, out.find('\n', 1));
  };
  CHECK(first() == "\nNo changes. Your infrastructure matches the configuration.");
  plan.mode = PlanMode::Destroy;
  CHECK(first() == "\nNo changes. No objects need to be destroyed.");
  plan.mode = PlanMode::RefreshOnly;
  CHECK(first() == "\nNo changes. Your infrastructure still matches the configuration.");
  plan.errored = true;
  CHECK(first().rfind("\nPlanning failed.", 0) == 0);
}

TEST_CASE("plan text: colours") {
  Plan plan;
  ResourceChange c;
  c.addr = c.prev_addr = *parse_abs_instance("terraform_data.a");
  c.schema = recorded_schema(Mode::Managed);
  c.change.action = Action::Delete;
  c.change.before = Value::object({{Symbol("id"), Value::string("i")}});
  plan.changes.push_back(c);
  render::HumanOptions o;
  o.color = true;
  std::string out;
  render::render_plan(plan, o, out);
  out = for_terminal(out);
  CHECK(out.find("\x1b[1m  # terraform_data.a\x1b[0m will be \x1b[1m\x1b[31mdestroyed\x1b[0m\n") !=
        std::string::npos);
  CHECK(out.find("  \x1b[31m-\x1b[0m id = \"i\" \x1b[90m-> null\x1b[0m\n") != std::string::npos);
}

TEST_CASE("plan text: a hundred thousand changes") {
  Plan plan;
  for (int i = 0; i < 100000; ++i) {
    ResourceChange c;
    c.addr.resource = {Mode::Managed, Symbol("terraform_data"), Symbol("a")};
    c.addr.key = InstanceKey::of(i);
    c.prev_addr = c.addr;
    c.schema = recorded_schema(Mode::Managed);
    c.change.action = Action::Update;
    auto object = [&](int n) {
      return Value::object({{Symbol("id"), Value::number(i)}, {Symbol("input"), Value::number(n)}});
    };
    c.change.before = object(i);
    c.change.after = object(i + 1);
    plan.changes.push_back(std::move(c));
  }
  size_t bytes = 0;
  auto start = std::chrono::steady_clock::now();
  render::render_plan(plan, terraform(), [&](std::string_view s) { bytes += s.size(); });
  CHECK(bytes > 10'000'000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));  // a tenth of this is normal
}

TEST_CASE("outputs: what doubles with each local is not shown when it has become too large") {
  Value v = Value::tuple({Value::string("x"), Value::string("y")});
  for (int i = 0; i < 20; ++i) v = Value::tuple({v, v});
  OutputChange o;
  o.name = Symbol("o");
  o.change.action = Action::Create;
  o.change.after = v;
  std::string out;
  render::Arena arena;
  CHECK(render::put_output_change(o, "o", 1, {}, out, arena));
  CHECK(out == "  + o = (too large to be shown: counts as 4194303 elements)\n");
  o.change = {Action::NoOp, v, v};
  CHECK_FALSE(render::put_output_change(o, "o", 1, {}, out, arena));
  o.change.action = Action::Update;
  o.change.after = Value::string("z");
  o.sensitive = true;
  out.clear();
  CHECK(render::put_output_change(o, "o", 1, {}, out, arena));
  CHECK(out == "  ~ o = (sensitive value)\n");
}
