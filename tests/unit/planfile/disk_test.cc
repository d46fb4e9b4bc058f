// Plan files on the disk: who may read them, encryption, odd names, and writes that fail.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/unit/planfile/planfile_support.h"

using namespace xplan;
using namespace xplan::planfile_test;

TEST_CASE("plan file: it is for its owner, or for those who could read the file that it replaces") {
  struct stat st;
  const std::string path = written("secret.plan");
  REQUIRE(::stat(path.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  written("secret.plan");
  REQUIRE(::stat(path.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0640);
}

TEST_CASE("plan file: a codec stands between it and the disk") {
  static constexpr std::string_view kEnvelope = "{\"meta\":";
  struct Backwards : crypt::Codec {
    bool encrypts() const override { return true; }
    Result<void> prepare() override { return {}; }
    Result<std::string> encrypt(std::string_view bytes) override {
      if (broken) return Error{"there is no key"};
      return std::string(kEnvelope) + std::string(bytes.rbegin(), bytes.rend());
    }
    Result<crypt::Decrypted> decrypt(std::string bytes) override {
      if (broken || !bytes.starts_with(kEnvelope)) return Error{"there is no key. Get one"};
      return crypt::Decrypted{std::string(bytes.rbegin(), bytes.rend() - kEnvelope.size()), false};
    }
    Result<void> accepts_plain() const override { return {}; }
    Result<std::unique_ptr<crypt::RecordWriter>> write_records() override { return Error{"none"}; }
    Result<crypt::RecordReader> read_records(std::string_view) override { return Error{"none"}; }
    bool broken = false;
  } codec;
  const std::string path = temp_path("encrypted.plan");
  REQUIRE(planfile::write(path, rich_plan(), snapshot(), lookup, codec));
  const std::string bytes = test::file_text(path);
  CHECK(bytes.starts_with(kEnvelope));
  CHECK(bytes.ends_with("KP"));
  CHECK(planfile::is_plan_file(path));
  CHECK(planfile::check_destination(path, "out"));
  auto opened = planfile::read(path, lookup, codec);
  REQUIRE(opened);
  check_plan(rich_plan(), opened->plan);
  check_error(planfile::read(path, lookup), path);  // encrypted, without a codec
  check_error(planfile::read(written("plain.plan"), lookup, codec), temp_path("plain.plan"));
  for (size_t n = 0; n < bytes.size(); n += 50) {  // what is decrypted is as hostile as what is not
    std::ofstream(path, std::ios::binary) << bytes.substr(0, n);
    check_error(planfile::read(path, lookup, codec), path);
  }
  codec.broken = true;
  std::filesystem::remove(path);
  auto failed = planfile::write(path, rich_plan(), snapshot(), lookup, codec);
  REQUIRE(!failed);
  CHECK(failed.error().message.find("there is no key") != std::string::npos);
  CHECK(!std::filesystem::exists(path));
}

TEST_CASE("plan file: files of the configuration may have any name") {
  const std::string path = temp_path("names2.plan");
  const std::vector<std::string> names = {"main.tf",        "m\x1b[1min.tf",   "\x01\x7f\xc3\xa9.tf",
                                          "caf\xc3\xa9.tf", "cafe\xcc\x81.tf", "a b.tf"};
  planfile::ConfigSnapshot s = snapshot();
  s.modules[0].files.clear();
  for (const std::string& n : names) s.modules[0].files.push_back({n, "# " + n});
  REQUIRE(planfile::write(path, rich_plan(), s, lookup));
  auto opened = planfile::read(path, lookup);
  INFO((opened ? std::string() : opened.error().message));
  REQUIRE(opened);
  for (const std::string& n : names) CHECK(*opened->fs.read(n) == "# " + n);
}

TEST_CASE("plan file: a failed write leaves nothing behind") {
  std::string path = temp_path("no/such/directory/x.plan");
  auto r = planfile::write(path, rich_plan(), snapshot(), lookup);
  REQUIRE(!r);
  CHECK(r.error().message.find(path) != std::string::npos);
  std::filesystem::create_directories(temp_path("dir.plan"));
  CHECK(!planfile::write(temp_path("dir.plan"), rich_plan(), snapshot(), lookup));
  CHECK(!planfile::write("/dev/null", rich_plan(), snapshot(), lookup));
  CHECK(std::filesystem::is_directory(temp_path("dir.plan")));
}
