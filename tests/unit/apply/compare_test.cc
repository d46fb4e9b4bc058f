// What one plan does otherwise than another one; as text, see tests of render.
#include "core/review/compare.h"

#include <catch2/catch.hpp>

#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::review;

namespace {

// One line a difference: what, kind, name, parts, and the attributes with different values.
std::string lines(const PlanComparison& c) {
  std::string out;
  for (const Difference& d : c.differences) {
    out += d.what == Difference::What::OnlyNewer   ? "newer "
           : d.what == Difference::What::OnlyOlder ? "older "
                                                   : "other ";
    out += std::string(name_of(d.kind)) + " " + d.name;
    for (std::string_view p : d.parts) out += " " + std::string(p);
    if (d.older && d.newer)
      for (const OtherValue& v : other_values(*d.older, *d.newer)) out += " " + path_text(v.path);
    out += "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("comparison: each difference is found once, with its parts") {
  const std::string base = R"(
resource "terraform_data" "same" { input = { size = 1 } }
resource "terraform_data" "u" { input = { size = 1 } }
resource "terraform_data" "r" { triggers_replace = 1 }
resource "terraform_data" "d" {}
)";
  const std::string older = R"(
locals { command = "true" }
resource "terraform_data" "same" { input = { size = 2 } }
resource "terraform_data" "u" { input = { size = 2 } }
resource "terraform_data" "r" {
  triggers_replace = 1
  input            = "x"
}
resource "terraform_data" "n" {
  input = "a"
  provisioner "local-exec" { command = local.command }
}
resource "terraform_data" "gone" {}
output "o" { value = 1 }
)";
  struct Row {
    std::string from, to, lines;
  };
  const Row rows[] = {
      {"size = 9", "size = 9", ""},
      {"\"u\" { input = { size = 2 }", "\"u\" { input = { size = 3 }",
       "other change terraform_data.u changed .input.size\n"},
      {"\"u\" { input = { size = 2 }", "\"u\" { input = { size = 1 }", "older change terraform_data.u\n"},
      {"triggers_replace = 1", "triggers_replace = 2",
       "other change terraform_data.r action changed planned .id .triggers_replace\n"},
      {"input = \"a\"", "input = \"b\"", "other change terraform_data.n planned .input\n"},
      {"\"true\"", "\"false\"", "other read local.command value\n"},
      {"command = local.command", "command = \"other\"",
       "older read local.command\nother change terraform_data.n provisioners\n"},
      {"\"gone\" {}", "\"gone\" { depends_on = [terraform_data.n] }",
       "other change terraform_data.gone after\n"},
      {"resource \"terraform_data\" \"gone\" {}", "", "older change terraform_data.gone\n"},
      {"resource \"terraform_data\" \"gone\" {}", "resource \"terraform_data\" \"d\" {}",
       "older change terraform_data.d\nolder change terraform_data.gone\n"},
      {"value = 1", "value = 2", "other output o planned\n"},
      {"output \"o\" { value = 1 }", "", "older output o\n"},
  };
  for (const Row& r : rows) {
    INFO(r.from << " -> " << r.to);
    test::TestWorld a(base);
    a.apply(a.plan());
    test::TestWorld b(base);
    b.state = a.state;
    a.fs.files["main.tf"] = older;
    std::string newer = older;
    if (const size_t at = newer.find(r.from); at != std::string::npos) newer.replace(at, r.from.size(), r.to);
    b.fs.files["main.tf"] = newer;
    const Plan p = a.plan(), q = b.plan();
    INFO(a.problems() << b.problems());
    const EffectSources x{p, *a.config, *a.sources, {}}, y{q, *b.config, *b.sources, {}};
    CHECK(lines(compare(x, y, {})) == r.lines);
    CHECK(compare(y, x, {}).differences.size() == compare(x, y, {}).differences.size());
  }
}
