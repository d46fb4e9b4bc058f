// A property: over random targets and addresses, TargetIndex gives the same answers as each Target alone.
#include "core/addr/target_index.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace xplan;

TEST_CASE("an index of targets answers as each of them does") {
  std::mt19937 random(5);
  auto pick = [&](uint32_t n) { return random() % n; };
  auto key = [&] {
    switch (pick(3)) {
      case 0:
        return InstanceKey();
      case 1:
        return InstanceKey::of(pick(2));
      default:
        return InstanceKey::of(Symbol(pick(2) ? "k" : "l"));
    }
  };
  auto module = [&] {
    ModuleInstance m;
    for (uint32_t depth = pick(4); depth > 0; --depth) m = m.child(Symbol(pick(2) ? "a" : "b"), key());
    return m;
  };
  auto resource = [&] {
    return Resource{pick(3) ? Mode::Managed : Mode::Data, Symbol("t"), Symbol(pick(2) ? "x" : "y")};
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<Target> targets(pick(12));
    for (Target& t : targets) {
      t.module = module();
      if (pick(2)) t.resource = resource();
      t.has_key = t.resource && pick(2);
      if (t.has_key) t.key = key();
    }
    const TargetIndex index(targets);
    for (int question = 0; question < 50; ++question) {
      const AbsInstance a{module(), resource(), key()};
      std::vector<uint32_t> expected, expected_config, found = index.covering(a),
                                                       found_config = index.covering(a.config());
      bool inside = false;
      for (uint32_t i = 0; i < targets.size(); ++i) {
        if (targets[i].covers(a)) expected.push_back(i);
        if (targets[i].covers(a.config())) expected_config.push_back(i);
        inside |= targets[i].covers(a.module.module());
      }
      std::sort(found.begin(), found.end());
      std::sort(found_config.begin(), found_config.end());
      INFO(a.text());
      REQUIRE(found == expected);
      REQUIRE(index.covers(a) == !expected.empty());
      REQUIRE(found_config == expected_config);
      REQUIRE(index.covers(a.config()) == !expected_config.empty());
      REQUIRE(index.covers(a.module.module()) == inside);
    }
  }
}
