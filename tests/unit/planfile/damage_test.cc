// Plan files: damage of every kind (cut off, flipped bits, garbage, other messages), and the seal that shows
// it.
#include <catch2/catch.hpp>
#include <random>

#include "core/base/fs.h"
#include "planfile/container.h"
#include "planfile/seal.h"
#include "tests/unit/planfile/planfile_support.h"

using namespace xplan;
using namespace xplan::planfile_test;

TEST_CASE("plan file: a file that is cut off anywhere is refused") {
  const std::string whole = test::file_text(written("whole.plan"));
  const std::string path = temp_path("cut.plan");
  for (size_t n = 0; n < whole.size(); ++n) {
    spit(path, std::string_view(whole).substr(0, n));
    check_error(planfile::read(path, lookup), path);
  }
}

TEST_CASE("plan file: every flipped bit is found") {
  const std::string whole = test::file_text(written("whole.plan"));
  const std::string path = temp_path("flipped.plan");
  std::string damaged = whole;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    spit(path, damaged);
    auto opened = planfile::read(path, lookup);
    INFO("bit " << bit);
    check_error(opened, path);
    damaged[bit / 8] = whole[bit / 8];
  }
}

TEST_CASE("plan file: without its seal a plan is none of ours, and not taken for another program's") {
  const std::string whole = test::file_text(written("whole.plan"));
  const std::string path = temp_path("unsealed.plan");
  const size_t mark = whole.rfind("xplan plan file");
  REQUIRE(mark != std::string::npos);
  auto refused = [&](std::string bytes) {
    spit(path, bytes);
    check_error(planfile::read(path, lookup), path);
  };
  refused(whole + std::string(1, '\0'));            // something behind it
  refused(whole + whole);                           // twice
  refused(std::string(whole.size(), ' ') + whole);  // something before it
  std::string bare = whole.substr(0, mark);
  bare[bare.size() - 2] = bare[bare.size() - 1] = 0;  // a zip without a comment, whole in itself
  refused(bare);
  // The same when one bit more is wrong in it: nothing takes it for a plan of the reference.
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = bare;
    const size_t at = random() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    refused(damaged);
  }
}

TEST_CASE("plan file: garbage is refused with one error") {
  const std::string path = temp_path("garbage.plan");
  std::mt19937 random(11);
  for (size_t size : {size_t{0}, size_t{1}, size_t{22}, size_t{1000}, size_t{100000}}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    spit(path, bytes);
    CHECK(!planfile::is_plan_file(path));
    check_error(planfile::read(path, lookup), path);
  }
  spit(path, "{\"version\": 4}");
  CHECK(!planfile::is_plan_file(path));
  check_error(planfile::read(temp_path("missing.plan"), lookup), temp_path("missing.plan"));
  CHECK(!planfile::is_plan_file(temp_path("missing.plan")));
  check_error(planfile::read("/tmp", lookup), "/tmp");
}

TEST_CASE("plan file: messages with any content and right checksums are read or refused") {
  std::mt19937 random(3);
  const std::string path = temp_path("mutated.plan");
  size_t refused = 0;
  for (const char* file : {"sensitive-diffs-3", "import-block-1", "check-blocks-1"}) {
    planfile::ZipReader in;
    REQUIRE(in.open(std::string(TESTDATA) + "/planfile/" + file + ".plan"));
    std::vector<std::pair<std::string, std::string>> entries;
    for (const std::string& n : in.names()) entries.emplace_back(n, *in.read(n));
    for (int i = 0; i < 300; ++i) {
      auto copy = entries;
      std::string& text = copy[random() % 3 ? 0 : random() % copy.size()].second;
      for (int k = 0; k < 1 + i % 4 && !text.empty(); ++k) {
        size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, random() % 9);
            break;
          case 2:
            text.insert(at, text.substr(random() % text.size(), random() % 40));
            break;
          case 3:
            text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
            break;
        }
      }
      planfile::ZipWriter zip(path, 0);
      for (const auto& [n, t] : copy) zip.add_text(n, t);
      REQUIRE(zip.close(false));
      auto opened = planfile::read(path, lookup);
      if (opened) {
        CHECK(planfile::write(temp_path("mutated2.plan"), opened->plan, snapshot(), lookup));
      } else {
        ++refused;
        CHECK(!opened.error().message.empty());
      }
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("plan file: the seal closes in whatever pieces the bytes come") {
  const std::string zip = std::string(1000, 'z') + planfile::open_seal();
  std::string whole = zip;
  planfile::SealCloser(whole.size()).pass(whole);
  const std::string path = temp_path("sealed");
  REQUIRE(write_atomic(path, whole));
  std::FILE* file = std::fopen(path.c_str(), "r");
  REQUIRE(file);
  CHECK(planfile::check_seal(file) == planfile::Seal::Good);
  std::fclose(file);
  for (size_t size : {1, 7, 63, 64, 65, 500, 2000}) {
    planfile::SealCloser closer(zip.size());
    std::string out;
    for (size_t i = 0; i < zip.size(); i += size) {
      std::string piece = zip.substr(i, size);
      closer.pass(piece);
      out += piece;
    }
    CHECK(out == whole);
  }
}
