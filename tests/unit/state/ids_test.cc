// The names that are made up.
#include <catch2/catch.hpp>

#include "core/state/store.h"

using namespace xplan;

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
