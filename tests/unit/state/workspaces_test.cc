// Workspaces, and the names that are made up.
#include <stdlib.h>

#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

TEST_CASE("workspaces") {
  WorkFolder folder;
  ::unsetenv("TF_WORKSPACE");
  Workspaces w;
  using Names = std::vector<std::string>;
  CHECK(w.current() == "default");
  CHECK(w.list() == Names{"default"});
  CHECK_FALSE(w.select("staging").ok());
  REQUIRE(w.create("staging").ok());
  CHECK(text_of(".terraform/environment") == "staging");
  CHECK(w.current() == "staging");
  CHECK_FALSE(w.create("staging").ok());
  CHECK_FALSE(w.create("default").ok());
  REQUIRE(w.create("A_b").ok());
  CHECK(w.list() == Names{"default", "A_b", "staging"});
  CHECK_FALSE(w.remove("A_b").ok());
  REQUIRE(w.select("default").ok());
  CHECK_FALSE(w.remove("default").ok());
  CHECK_FALSE(w.remove("nope").ok());
  REQUIRE(w.remove("A_b").ok());
  CHECK(w.list() == Names{"default", "staging"});
  CHECK(w.state_path("default", "x.tfstate") == "x.tfstate");
  CHECK(w.state_path("staging", "x.tfstate") == "terraform.tfstate.d/staging/terraform.tfstate");
  put(".terraform/environment", "staging\n\n");
  CHECK(w.current() == "staging");
  ::setenv("TF_WORKSPACE", "zzz", 1);
  CHECK(w.current() == "zzz");
  CHECK(w.overridden());
  CHECK_FALSE(w.select("default").ok());
  ::unsetenv("TF_WORKSPACE");
  for (auto* bad : {"", ".", "..", "a/b", "a b", "é", "a%b", "a?b", "a;b"}) {
    CHECK_FALSE(valid_workspace_name(bad));
    CHECK_FALSE(w.create(bad).ok());
  }
  for (auto* good : {"a", "x.y", "A_b", "a-b~c", "a$&+:=@"}) CHECK(valid_workspace_name(good));
}

TEST_CASE("random ids have their form and differ") {
  std::string a = new_uuid(), b = new_uuid();
  CHECK(a != b);
  CHECK(a.size() == 36);
  CHECK(a[14] == '4');
  std::map<std::string, ObjectPtr> taken;
  for (int i = 0; i < 100; ++i) taken[new_deposed_key(taken)] = nullptr;
  CHECK(taken.size() == 100);
  CHECK(taken.begin()->first.size() == 8);
}
