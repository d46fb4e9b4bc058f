// Which files of a directory count, and OpenTofu's among them.
#include "core/config/module_files.h"
#include "core/config/dialect.h"

#include <catch2/catch.hpp>

using namespace xplan::config;
using Names = std::vector<std::string>;

TEST_CASE("files of modules") {
  const Names all = {"a.tf",         "a.tofu",         "b.tf.json",     "b.tofu.json",
                     "b.tf",         "c.tofu",         ".x.tofu",       "d.tofu~",
                     "override.tf",  "override.tofu",  "x.tfvars",      "e_override.tofu.json",
                     "t.tftest.hcl", "t.tofutest.hcl", "u.tftest.json", ".tofu"};
  DirectoryFiles plain = classify(all);
  CHECK(plain.primary == Names{"a.tf", "b.tf", "b.tf.json"});
  CHECK(plain.overrides == Names{"override.tf"});
  CHECK(files_that_count({"t.tftest.hcl", "t.tofutest.hcl"}) == Names{"t.tftest.hcl"});
  use_dialect(Dialect::OpenTofu);
  const DirectoryFiles tofu = classify(all);
  // Of both forms with the same name, OpenTofu's; the two syntaxes stand beside each other.
  CHECK(tofu.primary == Names{"a.tofu", "b.tf", "b.tofu.json", "c.tofu"});
  CHECK(tofu.overrides == Names{"e_override.tofu.json", "override.tofu"});
  CHECK(files_that_count({"t.tftest.hcl", "t.tofutest.hcl", "u.tftest.json"}) ==
        Names{"t.tofutest.hcl", "u.tftest.json"});
  use_dialect(Dialect::Xplan);
  CHECK(classify(all).primary == plain.primary);
}
