// Plan files as archives: the names of their entries, archives that mean harm, and what was packed again.
#include <unistd.h>

#include <catch2/catch.hpp>

#include "planfile/container.h"
#include "tests/unit/planfile/planfile_support.h"

using namespace xplan;
using namespace xplan::planfile_test;

TEST_CASE("plan file: the entries have the names other tools look for") {
  planfile::ZipReader zip;
  REQUIRE(zip.open(written("names.plan")));
  std::vector<std::string> names = zip.names();
  CHECK(names == std::vector<std::string>{"tfplan", "tfstate", "tfstate-prev", "tfconfig/m-/main.tf",
                                          "tfconfig/m-/x.tf.json", "tfconfig/m-a/main.tf",
                                          "tfconfig/modules.json", ".terraform.lock.hcl", "xplan/plan",
                                          "xplan/deferred", "xplan/named"});
  auto text = zip.read("tfstate");
  REQUIRE(text);
  CHECK(text->find("\"serial\":7") != std::string::npos);
}

TEST_CASE("plan file: states take no more room than what is in them") {
  Value deep = Value::number(1);
  constexpr int kLevels = 14;
  for (int i = 0; i < kLevels; ++i) deep = Value::tuple({deep, deep});
  Plan p = rich_plan();
  p.prior_state.outputs[Symbol("deep")] = {deep, false, {}};
  const std::string path = temp_path("deep.plan");
  REQUIRE(planfile::write(path, p, snapshot(), lookup));
  planfile::ZipReader zip;
  REQUIRE(zip.open(path));
  auto text = zip.read("tfstate");
  REQUIRE(text);
  CHECK(text->size() < (size_t{40} << kLevels));
  auto opened = planfile::read(path, lookup);
  REQUIRE(opened);
  check_plan(p, opened->plan);
}

TEST_CASE("plan file: archives that are no plans, or mean harm, are refused") {
  struct Row {
    const char* about;
    std::vector<std::pair<std::string, std::string>> entries;
  };
  const std::string modules = R"([{"Key":"","Dir":"."}])";
  const std::string state =
      R"({"version":4,"terraform_version":"1.11.4","serial":0,"lineage":"","outputs":{},"resources":[]})";
  const std::string body = std::string("\x08\x03\x72\x06") + "1.11.4";
  auto plan = [&](std::string tfplan, std::string tfstate, std::string list) {
    return std::vector<std::pair<std::string, std::string>>{{"tfplan", std::move(tfplan)},
                                                            {"tfstate", tfstate},
                                                            {"tfstate-prev", state},
                                                            {"tfconfig/m-/main.tf", ""},
                                                            {"tfconfig/modules.json", std::move(list)}};
  };
  const Row rows[] = {
      {"no entry tfplan", {{"readme.txt", "hello"}}},
      {"a name that leads out", {{"../../etc/passwd", "x"}, {"tfplan", body}}},
      {"an absolute name", {{"/tfplan", body}}},
      {"no states", {{"tfplan", body}}},
      {"a later format", plan("\x08\x04", state, modules)},
      {"a later program", plan(std::string("\x08\x03\x72\x06") + "1.12.0", state, modules)},
      {"no version", plan("", state, modules)},
      {"a message that ends early", plan(body + "\x1a\x50" + "abc", state, modules)},
      {"a field of four gigabytes", plan(body + "\x1a\xff\xff\xff\xff\x0f", state, modules)},
      {"a tag without end", plan(body + std::string(20, '\xff'), state, modules)},
      {"a change without an address", plan(body + std::string("\x1a\x00", 2), state, modules)},
      {"a state that is none", plan(body, "{}", modules)},
      {"modules that are not JSON", plan(body, state, "[")},
      {"no root module", plan(body, state, "[]")},
      {"a module twice", plan(body, state, R"([{"Key":"","Dir":"."},{"Key":"","Dir":"x"}])")},
      {"modules.json with an odd member", plan(body, state, R"([1])")},
  };
  const std::string path = temp_path("odd.plan");
  for (const Row& row : rows) {
    INFO(row.about);
    ::unlink(path.c_str());
    planfile::ZipWriter zip(path, 0);
    for (const auto& [name, text] : row.entries) zip.add_text(name, text);
    REQUIRE(zip.close(false));
    check_error(planfile::read(path, lookup),
                row.about[0] == 'm' || row.about[0] == 'n' || row.about[0] == 'a' ? "plan" : path);
  }
  // The same without a flaw.
  ::unlink(path.c_str());
  planfile::ZipWriter zip(path, 0);
  for (const auto& [name, text] : plan(body, state, modules)) zip.add_text(name, text);
  REQUIRE(zip.close(false));
  CHECK(planfile::read(path, lookup));
}

TEST_CASE("plan file: what another tool packed again is refused, whatever it did") {
  const std::string path = written("exchanged.plan");
  std::vector<std::pair<std::string, std::string>> entries;
  {
    planfile::ZipReader in;
    REQUIRE(in.open(path));
    for (const std::string& n : in.names()) entries.emplace_back(n, *in.read(n));
  }
  auto packed = [&](bool sealed, auto edit) {
    auto copy = entries;
    edit(copy);
    planfile::ZipWriter zip(path, 0);
    for (const auto& [n, t] : copy) zip.add_text(n, t);
    REQUIRE(zip.close(sealed));
    return planfile::read(path, lookup);
  };
  auto nothing = [](auto&) {};
  CHECK(packed(true, nothing));
  check_error(packed(false, nothing), path);
  check_error(packed(false, [](auto& e) { std::swap(e[1].second, e[2].second); }), path);  // the states
  check_error(packed(false, [](auto& e) { e.erase(e.begin() + 5); }), path);
  check_error(packed(false, [](auto& e) { e.push_back({"tfconfig/m-/more.tf", "locals {}"}); }), path);
  check_error(packed(false, [](auto& e) { e[3].second += "#"; }), path);
  // What makes it ours is missing from a plan that is sealed.
  check_error(
      packed(true, [](auto& e) { std::erase_if(e, [](auto& x) { return x.first == "xplan/plan"; }); }), path);
}

TEST_CASE("plan file: an archive that inflates beyond measure is refused") {
  const std::string path = temp_path("bomb.plan");
  planfile::ZipWriter zip(path, 0);
  zip.add("tfplan", [] {
    return [n = 0](std::string& piece) mutable {
      piece.assign(1 << 20, '\0');
      return ++n < 66;
    };
  });
  REQUIRE(zip.close());
  check_error(planfile::read(path, lookup), path);
}
