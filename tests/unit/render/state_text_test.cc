// Recorded states and outputs as printed for people, raw and as JSON.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "render/human_state.h"
#include "tests/support/folder.h"
#include "tests/unit/render/plan_from_json.h"

using namespace xplan;

namespace {

std::string read(const std::string& name) {
  return test::file_text(TESTDATA "/render/state/" + name);
}

State recorded() {
  return std::move(read_state(std::make_shared<std::string>(read("many.tfstate"))).value());
}

schema::SchemaPtr lookup(const ProviderAddr&, Mode mode, Symbol) {
  auto frozen = std::make_shared<schema::Schema>(*recorded_schema(mode));
  frozen->block.freeze();
  return frozen;
}

}  // namespace

TEST_CASE("state text: modules, tainted and deposed objects, sensitive values, outputs") {
  State state = recorded();
  std::string out;
  Diagnostics diags;
  render::render_state(state, lookup, {}, out, diags);
  CHECK(diags.empty());
  CHECK(out == read("many.show.txt"));
}

TEST_CASE("state text: one instance") {
  State state = recorded();
  AbsInstance addr = *parse_abs_instance("terraform_data.z");
  std::string out;
  Diagnostics diags;
  render::render_state_instance(addr, *state.find(addr), state.resources.at(addr.abs_resource()).provider,
                                lookup, {}, out, diags);
  CHECK(diags.empty());
  CHECK(out == read("many.z.txt"));
  addr = *parse_abs_instance("terraform_data.j");  // deposed only
  render::render_state_instance(addr, *state.find(addr), state.resources.at(addr.abs_resource()).provider,
                                lookup, {}, out, diags);
  CHECK(diags.has_errors());
}

TEST_CASE("state text: an object without a schema is named and left out") {
  State state = recorded();
  std::string out;
  Diagnostics diags;
  render::render_state(
      state, [](const ProviderAddr&, Mode, Symbol) { return nullptr; }, {}, out, diags);
  CHECK(diags.has_errors());
  CHECK(out.find("resource \"") == std::string::npos);
}

TEST_CASE("state text: nothing to show") {
  std::string out;
  Diagnostics diags;
  render::render_state(State(), lookup, {}, out, diags);
  CHECK(out == "The state file is empty. No resources are represented.\n");
}

TEST_CASE("outputs: a few bytes that are long in full are not, and do not hide the others") {
  State state;
  const Value number = Value::number(*Number::parse("1e-99999"));
  state.outputs[Symbol("a")].value = Value::tuple(std::vector<Value>(300, number));
  state.outputs[Symbol("b")].value = Value::tuple(std::vector<Value>(300, number));
  state.outputs[Symbol("c")].value = Value::string("c");
  const std::string told = "b = (too large to be shown: counts as ";
  std::string out, shown;
  render::render_outputs(state.outputs, {}, out);
  CHECK(out.size() < 32'000'000);
  CHECK(out.find(told) != std::string::npos);
  CHECK(out.ends_with(" elements)\nc = \"c\"\n"));
  Diagnostics diags;
  render::render_state(state, lookup, {}, shown, diags);
  CHECK(shown.size() < 32'000'000);
  CHECK(shown.find(told) != std::string::npos);
  CHECK(render::check_shown(state.outputs.at(Symbol("b")).value, diags));
  CHECK(diags.size() == 0);
  CHECK_FALSE(render::check_shown(Value::tuple(std::vector<Value>(400, number)), diags));
  CHECK(diags.all()[0].detail.find("1048576") != std::string::npos);
}

TEST_CASE("outputs: all, one, raw and JSON") {
  State state = recorded();
  std::string out;
  render::render_outputs(state.outputs, {}, out);
  CHECK(out == read("many.output.txt"));
  std::string section;
  render::render_outputs_section(state.outputs, {}, section);
  CHECK(section == "\nOutputs:\n\n" + out);
  CHECK(render::outputs_json(state.outputs) == read("many.output.json"));
  CHECK(render::output_value_text(state.outputs.at(Symbol("str")).value) == "<<EOT\na\nb\n\nEOT\n");
  CHECK(render::output_json(state.outputs.at(Symbol("obj")).value) ==
        "{\"n\":[\"x\",{}],\"x\":\"a\",\"y\":null}\n");
  struct Row {
    Value value;
    bool ok;
    std::string text;
  };
  for (const Row& r : {Row{Value::string("a\"b\n"), true, "a\"b\n"}, Row{Value::number(12), true, "12"},
                       Row{Value::boolean(false), true, "false"}, Row{Value::null(), false, ""},
                       Row{Value::tuple({Value::number(1)}), false, ""}}) {
    Diagnostics diags;
    std::string raw;
    CHECK(render::output_raw_text(r.value, raw, diags) == r.ok);
    CHECK(raw == r.text);
    CHECK(diags.has_errors() == !r.ok);
  }
  render::HumanOptions clear;
  clear.show_sensitive = true;
  out.clear();
  render::render_outputs(state.outputs, clear, out);
  CHECK(out.find("sec = \"x\"\n") != std::string::npos);
}
