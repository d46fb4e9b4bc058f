// RemovedBlocks: which objects are forgotten, and which block is found for an address.
#include "core/plan/removed.h"

#include <catch2/catch.hpp>

#include "tests/support/test_world.h"

using namespace xplan;

TEST_CASE("removed blocks: which objects are forgotten, and which block names them") {
  test::TestWorld w(R"(
module "a" { source = "./a" }
removed {
  from = terraform_data.kept
  lifecycle { destroy = false }
}
removed {
  from = terraform_data.ended
  lifecycle { destroy = true }
}
removed {
  from = module.gone
  lifecycle { destroy = false }
}
removed {
  from = module.ended
  lifecycle { destroy = true }
}
)");
  w.fs.files["a/main.tf"] = R"(
removed {
  from = terraform_data.kept
  lifecycle { destroy = false }
}
removed {
  from = module.b.terraform_data.kept
  lifecycle { destroy = false }
}
)";
  w.plan();
  REQUIRE(w.problems() == "");
  const RemovedBlocks removed(*w.config);
  struct Row {
    const char* address;
    std::optional<bool> destroys;
    bool named;
  };
  for (const Row& r : {
           Row{"terraform_data.kept", false, true},
           Row{"terraform_data.ended", true, true},
           Row{"terraform_data.other", std::nullopt, false},
           Row{"module.a.terraform_data.kept", false, true},
           Row{"module.a.terraform_data.ended", std::nullopt, false},
           Row{"module.a.module.b.terraform_data.kept", false, true},
           Row{"module.gone.terraform_data.x", false, false},
           Row{"module.gone.module.c.terraform_data.x", false, false},
           Row{"module.ended.terraform_data.x", true, false},
           Row{"module.a.module.gone.terraform_data.x", std::nullopt, false},
       }) {
    INFO(r.address);
    const ConfigResource address = *parse_config_resource(r.address);
    CHECK(removed.destroys(address) == r.destroys);
    CHECK((removed.find(address) != nullptr) == r.named);
  }
}
