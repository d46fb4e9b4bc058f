// Hosts and tokens as the user has set them, where that can be read.
#include "core/hosts/user_hosts.h"

#include <catch2/catch.hpp>

#include "tests/support/environment.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::hosts;

TEST_CASE("user hosts: a configuration that cannot be read is an error, not one that says nothing") {
  test::Folder dir;
  dir.write("good", "credentials \"a.example\" { token = \"t\" }\n");
  dir.write("bad", "credentials {\n");
  const struct {
    const char *file, *problem;
  } table[] = {{"good", ""},
               {"bad", "the CLI configuration cannot be used: "},
               {"none", "the CLI configuration cannot be used: cannot open"}};
  for (const auto& t : table) {
    INFO(t.file);
    const test::Environment here({{"TF_CLI_CONFIG_FILE", dir / t.file}, {"TF_TOKEN_b_example", "u"}});
    UserHosts hosts(nullptr);
    const Result<std::string> token = hosts.token("b.example");
    const std::string problem = token ? "" : token.error().message;
    INFO(problem);
    CHECK(problem.empty() == !*t.problem);
    CHECK(problem.find(t.problem) != problem.npos);
    if (token) CHECK(*hosts.token("a.example") == "t");
  }
}
