// The pages of documentation that a provider gives.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/fs.h"
#include "core/provider/kit/docs.h"
#include "core/provider/kit/kit.h"

using namespace xplan;

namespace {

struct Rule {
  std::string port;
  kit::Attr<std::string> note;
  static kit::Fields<Rule> fields() {
    return {{{"port", &Rule::port, kit::required().describe("Where.\nOr which.")},
             {"note", &Rule::note, kit::optional()}}};
  }
};
struct Wall {
  std::string name;
  kit::Attr<std::string> mode, old, id, secret;
  std::vector<Rule> rule;
  kit::Attr<Rule> main;
  static kit::Fields<Wall> fields() {
    return {{{"name", &Wall::name, kit::required().modify(kit::requires_replace()).describe("Its name")},
             {"mode", &Wall::mode, kit::defaults_to("open").validate(kit::one_of({"open", "shut"}))},
             {"old", &Wall::old, kit::optional().deprecated("Use mode.")},
             {"id", &Wall::id, kit::computed().modify(kit::use_state_for_unknown())},
             {"secret", &Wall::secret, kit::optional().write_only().sensitive()},
             {"rule", &Wall::rule, kit::block().items(1, 3)},
             {"main", &Wall::main, kit::optional()}}};
  }
};
class Walls : public kit::ResourceOf<Wall> {
 public:
  kit::About about() const override {
    return {.description = "A wall.\nOf fire.\n\nMore.",
            .rules = {kit::at_most_one_of({"old", "mode"})},
            .example = "resource \"fw_wall\" \"a\" {}"};
  }
  void create(Wall&, kit::Call&) override {}
  void read(Wall&, kit::Call&) override {}
  void update(Wall&, const Wall&, kit::Call&) override {}
  void remove(const Wall&, kit::Call&) override {}
};
class WallData : public kit::DataSourceOf<Rule> {
 public:
  void read(Rule&, kit::Call&) override {}
};

constexpr const char* kResource = R"(---
page_title: "fw_wall Resource - fw"
subcategory: ""
description: |-
  A wall. Of fire.
---

# fw_wall (Resource)

A wall.
Of fire.

More.

## Example Usage

```terraform
resource "fw_wall" "a" {}
```

## Schema

At most one of "old", "mode" must be set.

### Required

- `name` (String) Its name. Changing this value replaces the object.
- `rule` (Block List, Min: 1, Max: 3) (see [below](#nested--rule))

### Optional

- `main` (Attributes) (see [below](#nested--main))
- `mode` (String) Default: `"open"`. The value must be one of "open", "shut".
- `old` (String, Deprecated) Use mode.
- `secret` (String, Sensitive, Write-only)

### Read-Only

- `id` (String)

<a id="nested--main"></a>
### Nested Schema for `main`

Required:

- `port` (String) Where. Or which.

Optional:

- `note` (String)

<a id="nested--rule"></a>
### Nested Schema for `rule`

Required:

- `port` (String) Where. Or which.

Optional:

- `note` (String)
)";

constexpr const char* kFunction = R"(---
page_title: "double function - fw"
subcategory: ""
description: |-
  Twice a number.
---

# function: double

Twice a number.

## Signature

```text
double(number number) number
```

## Arguments

1. `number` (Number)
)";

}  // namespace

TEST_CASE("documentation has a page for everything, as registries lay it out") {
  kit::Provider p;
  p.add<Walls>("fw_wall");
  p.add<WallData>("fw_wall");
  p.add<WallData>("other");
  p.add_function("double", {"Twice a number.", {"number"}}, [](int64_t n) { return 2 * n; });
  std::map<std::string, std::string> pages = kit::documentation(p, "fw");
  std::vector<std::string> paths;
  for (const auto& [path, text] : pages) paths.push_back(path);
  CHECK(paths == std::vector<std::string>{"docs/data-sources/other.md", "docs/data-sources/wall.md",
                                          "docs/functions/double.md", "docs/index.md",
                                          "docs/resources/wall.md"});
  CHECK(pages["docs/resources/wall.md"] == kResource);
  CHECK(pages["docs/functions/double.md"] == kFunction);
  CHECK(pages["docs/index.md"] ==
        "---\npage_title: \"fw Provider\"\nsubcategory: \"\"\ndescription: |-\n  \n---\n\n# fw Provider\n");

  std::string dir = (std::filesystem::temp_directory_path() / "kit-docs-XXXXXX").string();
  REQUIRE(mkdtemp(dir.data()));
  CHECK(kit::write_documentation(p, "fw", dir));
  Result<std::string> written = real_fs().read(dir + "/docs/resources/wall.md");
  REQUIRE(written);
  CHECK(*written == kResource);
  std::filesystem::remove_all(dir);
  CHECK_FALSE(kit::write_documentation(p, "fw", "/dev/null"));
}
