// Input variables: sources and precedence, conversion, missing values, marks. A table of cases.
#include "core/config/inputs.h"

#include <catch2/catch.hpp>

#include "core/eval/eval.h"
#include "tests/unit/config/fake_schemas.h"

using namespace xplan;

namespace {

constexpr const char* kDeclared = R"(
variable "text" { type = string }
variable "untyped" { default = "d" }
variable "number" {
  type    = number
  default = 1
}
variable "list" {
  type    = list(string)
  default = []
}
variable "any" {
  type    = any
  default = null
}
variable "object" {
  type    = object({ a = optional(string, "x"), b = optional(number) })
  default = {}
}
variable "filled" {
  default  = "f"
  nullable = false
}
variable "secret" {
  type      = list(string)
  default   = []
  sensitive = true
}
variable "needed" {
  nullable = false
}
)";

struct Row {
  const char* name;
  std::map<std::string, std::string> files;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<config::VariableOption> options;
  const char* values;    // "name=console text" of the given variables, one per line
  const char* problems;  // severity and summary, one per line
};

const Row kRows[] = {
    {"texts of primitive and untyped variables are literal",
     {},
     {},
     {{false, "text=[1]"}, {false, "untyped=[1, 2]"}, {false, "number=5"}},
     "number=5\ntext=\"[1]\"\nuntyped=\"[1, 2]\"\n",
     ""},
    {"texts of other types are expressions",
     {},
     {{"TF_VAR_any", "{a=1}"}},
     {{false, "list=[\"x\", 1]"}, {false, "object={a = \"=\"}"}},
     "any={\n  \"a\" = 1\n}\nlist=tolist([\n  \"x\",\n  \"1\",\n])\nobject={\n  \"a\" = \"=\"\n  \"b\" = "
     "tonumber(null)\n}\n",
     ""},
    {"spaces belong to the text", {}, {}, {{false, "text= x "}}, "text=\" x \"\n", ""},
    {"references are refused",
     {},
     {},
     {{false, "list=[var.text]"}},
     "list=tolist([\n  (known after apply),\n])\n",
     "error Reference not allowed\n"},
    {"a wrong type is refused",
     {},
     {},
     {{false, "number=x"}},
     "number=(known after apply)\n",
     "error Invalid value for input variable\n"},
    {"an option without equals sign is refused",
     {},
     {},
     {{false, "text"}},
     "text=(known after apply)\n",
     "error Invalid -var option\n"},
    {"undeclared names: option, environment, file",
     {{"terraform.tfvars", "nothing = 1\n"}},
     {{"TF_VAR_nothing", "1"}, {"PATH", "x"}},
     {{false, "txet=1"}},
     "text=(known after apply)\n",
     "warning Value for undeclared variable\nerror Value for undeclared variable\n"},
    {"later sources win",
     {{"terraform.tfvars", "text = \"t\"\nuntyped = \"t\"\nnumber = 1\n"},
      {"terraform.tfvars.json", R"({"untyped": "j", "number": 2, "//": "c"})"},
      {"b.auto.tfvars", "number = 4\n"},
      {"a.auto.tfvars.json", R"({"number": 3})"},
      {"x.tfvars", "filled = \"file\"\n"}},
     {{"TF_VAR_text", "env"}, {"TF_VAR_list", "[\"env\"]"}},
     {{false, "filled=option"}, {true, "x.tfvars"}},
     "filled=\"file\"\nlist=tolist([\n  \"env\",\n])\nnumber=4\ntext=\"t\"\nuntyped=\"j\"\n",
     ""},
    {"JSON strings are literal",
     {{"x.json", R"({"text": "${x}"})"}},
     {},
     {{true, "x.json"}},
     "text=\"${x}\"\n",
     ""},
    {"a file holds constants only",
     {{"terraform.tfvars", "text = var.x\nuntyped = upper(\"x\")\n"}},
     {},
     {},
     "text=(known after apply)\nuntyped=(known after apply)\n",
     "error Reference not allowed\nerror Function call not allowed\n"},
    {"declarations do not belong in a file of values",
     {{"terraform.tfvars", "variable \"x\" {}\nother {}\n"}},
     {},
     {},
     "needed=(known after apply)\ntext=(known after apply)\n",
     "error Variable declaration in a variables file\nerror Unexpected block\n"},
    {"a missing file is an error, and may have all values that are missing",
     {},
     {},
     {{true, "none.tfvars"}},
     "needed=(known after apply)\ntext=(known after apply)\n",
     "error Unreadable variables file\n"},
    {"so is a broken one",
     {{"x.tfvars", "text \"t\"\n"}},
     {},
     {{true, "x.tfvars"}},
     "needed=(known after apply)\ntext=(known after apply)\n",
     "error Invalid block\n"},
    {"so is one without a name",
     {},
     {},
     {{true, ""}},
     "needed=(known after apply)\ntext=(known after apply)\n",
     "error Missing file name\n"},
    {"null stands for the default where null is not allowed",
     {{"terraform.tfvars", "filled = null\nneeded = null\nany = null\n"}},
     {},
     {},
     "any=null\nfilled=\"f\"\nneeded=(known after apply)\n",
     "error Invalid value for input variable\n"},
    {"a secret that cannot be parsed is not shown",
     {},
     {},
     {{false, "secret=[hunter2"}},
     "secret=(known after apply)\n",
     "error Invalid value for input variable\n"},
    {"a secret that is no constant is not shown",
     {},
     {},
     {{false, "secret=hunter2.x"}},
     "secret=(known after apply)\n",
     "error Invalid value for input variable\n"},
    {"a secret of another type is not shown",
     {{"terraform.tfvars", "secret = \"hunter2\"\n"}},
     {},
     {},
     "secret=(known after apply)\n",
     "error Invalid value for input variable\n"},
};

}  // namespace

TEST_CASE("inputs: sources, precedence and conversion") {
  for (const Row& row : kRows) {
    INFO(row.name);
    MemoryFs fs;
    fs.files = row.files;
    fs.files["main.tf"] = kDeclared;
    SourceTable sources;
    Diagnostics diags;
    FakeSchemas schemas;
    auto config = config::load(fs, sources, {}, &schemas, diags);
    REQUIRE(diags.empty());
    const config::Module& root = *config->root->module;
    config::InputOptions options;
    options.environment = row.environment;
    options.options = row.options;
    const config::InputValues inputs = config::collect_inputs(fs, sources, root, options, diags);
    std::string values, problems;
    const auto all = config::finalize_inputs(root, inputs, diags);
    CHECK(all.size() == root.variables.size());
    for (auto& [name, v] : inputs) {
      values += std::string(name.sv()) + "=" + eval::console_text(all.at(name)) + "\n";
    }
    for (const Diagnostic& d : diags.all()) {
      problems += (d.severity == Severity::Error ? "error " : "warning ") + d.summary + "\n";
      CHECK(d.detail.find("hunter2") == std::string::npos);
      ResolvedRange r;
      if (sources.resolve(d.subject, r)) CHECK(r.first_line.find("hunter2") == std::string_view::npos);
    }
    CHECK(values == row.values);
    CHECK(problems == row.problems);
  }
}

TEST_CASE("inputs: required variables without a value are listed") {
  MemoryFs fs;
  fs.files["main.tf"] = kDeclared;
  SourceTable sources;
  Diagnostics diags;
  FakeSchemas schemas;
  auto config = config::load(fs, sources, {}, &schemas, diags);
  const config::Module& root = *config->root->module;
  config::InputOptions options;
  options.options = {{false, "text=t"}};
  const config::InputValues inputs = config::collect_inputs(fs, sources, root, options, diags);
  const auto missing = config::missing_inputs(root, inputs);
  REQUIRE(missing.size() == 1);
  CHECK(missing[0]->name.sv() == "needed");
  config::report_missing_inputs(missing, diags);
  CHECK(diags.error_count() == 1);
}

TEST_CASE("inputs: values of sensitive and ephemeral variables are marked") {
  config::Variable v;
  v.name = Symbol("v");
  v.sensitive = v.ephemeral = true;
  Diagnostics diags;
  CHECK(config::finalize_variable(v, Value::string("x"), {}, diags).marks() == (kSensitive | kEphemeral));
  v.nullable = false;
  CHECK(config::finalize_variable(v, Value::null(), {}, diags).is_unknown());
  CHECK(diags.error_count() == 1);
}
