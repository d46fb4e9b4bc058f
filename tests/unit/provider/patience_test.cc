// When a plugin that does not answer is given up, and what may still begin then.
#include "core/provider/plugin/patience.h"

#include <catch2/catch.hpp>
#include <memory>
#include <thread>
#include <vector>

using namespace xplan::plugin;
using Kind = Patience::Kind;

TEST_CASE("a plugin is given up when it answers nothing after an interrupt, or does not end") {
  std::atomic<bool> stop = false;
  Patience hangs(&stop), changes(&stop), answers(&stop), asked(&stop), told(&stop), heard(&stop);
  Patience* const all[] = {&hangs, &changes, &answers, &asked, &told, &heard};
  using UnderWay = std::unique_ptr<Patience::UnderWay>;
  auto begin = [](Patience& p, Kind kind) { return std::make_unique<Patience::UnderWay>(p, kind); };
  std::vector<UnderWay> calls;
  for (Patience* p : {&hangs, &changes, &told, &heard}) calls.push_back(begin(*p, Kind::Call));
  calls.push_back(begin(changes, Kind::Change));
  for (Patience* p : all) CHECK_FALSE(p->ends());
  stop = true;
  for (Patience* p : {&asked, &told, &heard}) calls.push_back(begin(*p, Kind::Stop));
  heard.heard_stop();
  calls.pop_back();
  UnderWay one = begin(answers, Kind::Call);
  const auto begun = std::chrono::steady_clock::now();
  auto passed = [&] { return std::chrono::steady_clock::now() - begun; };
  for (bool second = false; passed() < Patience::kTime + std::chrono::milliseconds(500);) {
    for (Patience* p : all)
      if (p->ends()) CHECK(((p == &hangs || p == &told) && passed() >= Patience::kTime));
    if (!second && passed() > Patience::kTime / 2) {
      second = true;
      one.reset();
      one = begin(answers, Kind::Call);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(hangs.end() == Patience::End::NotTold);
  CHECK(told.end() == Patience::End::Told);
  for (Patience* p : {&changes, &answers, &asked, &heard}) CHECK(p->end() == Patience::End::None);
  while (passed() < Patience::kTimeToEnd + std::chrono::milliseconds(500) && !heard.ends())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(heard.end() == Patience::End::Heard);
  CHECK(passed() >= Patience::kTimeToEnd - std::chrono::milliseconds(50));
  // A change that begins now would be killed.
  CHECK_FALSE(*begin(hangs, Kind::Change));
  CHECK(*begin(answers, Kind::Change));
}
