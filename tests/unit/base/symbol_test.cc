// Symbols made from several threads at once are the same.
#include "core/base/symbol.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

using xplan::Symbol;

TEST_CASE("symbol: equal texts are one symbol, from any thread") {
  CHECK(Symbol("").id() == 0);
  CHECK(Symbol("a") == Symbol(std::string("a")));
  CHECK(Symbol("a") != Symbol("b"));
  std::vector<uint32_t> ids[4];
  std::vector<std::thread> threads;
  for (auto& mine : ids)
    threads.emplace_back([&mine] {
      for (int i = 0; i < 20000; ++i) mine.push_back(Symbol("name-" + std::to_string(i)).id());
    });
  for (auto& t : threads) t.join();
  for (auto& mine : ids) CHECK(mine == ids[0]);
  CHECK(Symbol::from_id(ids[0][777]).sv() == "name-777");
}
