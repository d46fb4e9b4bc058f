// The fuzz targets over their seeds and simple changes of them, always the same ones.
#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "tests/fuzz/target.h"

using namespace xplan;

namespace {

std::string changed(std::string text, std::mt19937& random) {
  for (int times = 1 + random() % 4; times > 0 && !text.empty(); --times) {
    const size_t at = random() % text.size();
    switch (random() % 5) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
        break;
      case 2:
        text.erase(at, 1 + random() % 9);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      case 4:
        text.resize(at);
        break;
    }
  }
  return text;
}

// In memory of exactly its size, so that the sanitizers see a byte too many.
void run(const fuzz::Target& target, std::string_view bytes) {
  std::unique_ptr<char[]> exact(new char[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), exact.get());
  target.run({exact.get(), bytes.size()});
}

// `changes` in all, of all seeds in turn.
void replay(const fuzz::Target& target, unsigned changes) {
  const std::vector<std::string> seeds = target.seeds();
  REQUIRE(!seeds.empty());
  for (const std::string& seed : seeds) run(target, seed);
  for (unsigned i = 0; i < changes; ++i) {
    std::mt19937 random(i);
    const std::string& seed = seeds[i % seeds.size()];
    INFO("seed " << i % seeds.size() << ", change " << i);
    if (target.change_inside) {
      auto inside = target.change_inside(seed, i, [&](std::string part) { return changed(part, random); });
      REQUIRE(inside);
      run(target, *inside);
    } else {
      run(target, changed(seed, random));
    }
  }
}

}  // namespace

TEST_CASE("replay: syntax") {
  replay(fuzz::syntax, 2000);
}
TEST_CASE("replay: configuration") {
  replay(fuzz::configuration, 2000);
}
TEST_CASE("replay: state") {
  replay(fuzz::state, 2000);
}
TEST_CASE("replay: journal") {
  replay(fuzz::journal, 2000);
}
TEST_CASE("replay: msgpack") {
  replay(fuzz::msgpack, 20000);
}
TEST_CASE("replay: lock file") {
  replay(fuzz::lock_file, 5000);
}
TEST_CASE("replay: CLI configuration") {
  replay(fuzz::cli_config, 5000);
}
TEST_CASE("replay: cloud answers") {
  replay(fuzz::cloud_answer, 20000);
}
TEST_CASE("replay: rows of tables") {
  replay(fuzz::table_row, 20000);
}

TEST_CASE("replay: documents of hosts") {
  replay(fuzz::discovery, 20000);
}
TEST_CASE("replay: AWS profiles") {
  replay(fuzz::aws_profiles, 3000);
}
TEST_CASE("replay: Google credentials") {
  replay(fuzz::google_credentials, 3000);
}
TEST_CASE("replay: kubeconfig") {
  replay(fuzz::kubeconfig, 3000);
}
TEST_CASE("replay: answers of servers of states") {
  replay(fuzz::server_answers, 300);
}
TEST_CASE("replay: envelope") {
  replay(fuzz::envelope, 5000);
}
TEST_CASE("replay: plan file") {
  replay(fuzz::plan_file, 500);
}
TEST_CASE("replay: sealed plan file") {
  replay(fuzz::sealed_plan_file, 300);
}
