// The dependency lock file: round trips, damaged files, and an installation from a directory of packages up
// to the check before a plugin runs.
#include "core/install/lock_file.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "core/install/installed.h"
#include "core/install/package_dir.h"
#include "core/install/provider_install.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::install;

namespace {

std::string said(const Diagnostics& d) {
  std::string out;
  for (const Diagnostic& x : d.all()) out += x.summary + ": " + x.detail + "\n";
  return out;
}

Requirements needs(std::initializer_list<std::pair<const char*, const char*>> list) {
  Requirements out;
  for (auto& [name, versions] : list) {
    ProviderAddr p = *parse_provider_addr(name);
    out[p.text()] = {p, normalized(*parse_version_constraints(versions))};
  }
  return out;
}

// What others have written with the same packages.
constexpr const char* kLock = R"(# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "example.com/acme/thing" {
  version = "1.2.0"
  hashes = [
    "h1:yUC0buWjcEqVOxRNYtQp7J2ULy/LKjM6KwIifrC647I=",
  ]
}

provider "registry.terraform.io/hashicorp/null" {
  version     = "3.1.0"
  constraints = ">= 2.0.0, >= 3.0.0, ~> 3.0, != 3.0.1, < 4.0.0"
  hashes = [
    "h1:SWCKdac9IeO53WoU46vNp5DTK4B0SbRLS3Y0O9HkTwE=",
    "zh:0123",
  ]
}
)";

}  // namespace

TEST_CASE("a lock file that others wrote is written the same") {
  test::Folder f;
  f.write("lock", kLock);
  SourceTable sources;
  Diagnostics diags;
  auto lock = read_lock_file(sources, f / "lock", diags);
  CHECK(said(diags) == "");
  REQUIRE(lock);
  CHECK(lock->text("terraform") == kLock);
}

TEST_CASE("damaged lock files are refused, each problem named") {
  struct {
    const char *text, *says;
  } rows[] = {
      {"provider \"x\" {\n version = \"1.0.0\"\n}\n", "full address"},
      {"provider \"a.b/c/d\" {\n version = \"one\"\n}\n", "not a valid version number"},
      {"provider \"a.b/c/d\" {\n version = \"1.0.0\"\n hashes = []\n}\n", "at least one"},
      {"provider \"a.b/c/d\" {\n version = \"1.0.0\"\n hashes = [\"x\"]\n}\n", "scheme"},
      {"provider \"a.b/c/d\" {\n version = \"1.0.0\"\n constraints = \"=>1\"\n}\n", "constraints"},
      {"provider \"a.b/c/d\" {\n version = \"1.0.0\"\n}\nprovider \"a.b/c/d\" {\n version = \"1.0.0\"\n}\n",
       "more than one entry"},
      {"provider \"a.b/c/d\" {\n version = \"1\"\n}\n", "full form"},
      {"provider \"a.b/-/d\" {\n version = \"1.0.0\"\n}\n", "has no versions to select"},
      {"providers \"a.b/c/d\" {\n}\n", "providers"},
      {"provider \"a.b/c/d\" {\n}\n", "version"},
      {"provider {", ""},
  };
  for (auto& r : rows) {
    test::Folder f;
    f.write("lock", r.text);
    SourceTable sources;
    Diagnostics diags;
    INFO(r.text);
    CHECK(!read_lock_file(sources, f / "lock", diags));
    CHECK_THAT(said(diags), Catch::Contains(r.says));
  }
}

TEST_CASE("constraints are put in the order that lock files have") {
  struct {
    const char *given, *shown;
  } rows[] = {
      {"~> 3.0, >= 3.0.0, != 3.0.1, >= 2.0, < 4", ">= 2.0.0, >= 3.0.0, ~> 3.0, != 3.0.1, < 4.0.0"},
      {"~> 3.0.0, >= 3.0.0, <= 3.0.0, = 3.0.0, 3.0.0, >=3, !=2.0,~> 3, ~> 3.0",
       "!= 2.0.0, >= 3.0.0, 3.0.0, ~> 3.0.0, ~> 3.0, <= 3.0.0"},
      {"< 3.0.0, != 3.0.0, <= 3.0.0, > 3.0.0, >= 3.0.0, ~> 3.0.0, 3.0.0",
       "> 3.0.0, >= 3.0.0, 3.0.0, ~> 3.0.0, <= 3.0.0, < 3.0.0, != 3.0.0"},
      {">= 1.0.0-a, >= 1.0.0, >= 1.0.0-b, ~> 1.0.0-b, ~> 1.2-rc1",
       ">= 1.0.0-a, >= 1.0.0-b, ~> 1.0.0-b, >= 1.0.0, ~> 1.2-rc1"},
  };
  for (auto& r : rows) CHECK(normalized(*parse_version_constraints(r.given)).text() == r.shown);
}

TEST_CASE("a pre-release is chosen only when it is named") {
  auto ok = [](const char* c, const char* v) {
    return allowed(normalized(*parse_version_constraints(c)), *parse_version(v));
  };
  CHECK(ok("3.2.0-beta1", "3.2.0-beta1"));
  CHECK_FALSE(ok(">= 3.2.0-beta1", "3.2.0-beta1"));
  CHECK_FALSE(ok("~> 3.2.0-beta1", "3.2.0-beta1"));
  CHECK(ok("> 2.0.0-alpha+x, <= 4", "3.1.0"));
  CHECK_FALSE(ok("~> 3", "4.0.0"));
}

TEST_CASE("from a folder of packages to a program that is checked before it may run") {
  test::Folder f;
  const std::string dir = "mirror/example.com/acme/thing/1.2.0/" + this_platform().text();
  f.write(dir + "/terraform-provider-thing_v1.2.0", "#!/bin/sh\necho hi\n");
  f.write(dir + "/README", "readme\n");
  f.write("mirror/example.com/acme/thing/1.0.0/" + this_platform().text() + "/terraform-provider-thing",
          "old");
  SourceSet sources;
  sources.add({InstallMethod::Kind::Filesystem, f / "mirror"}, filesystem_source(f / "mirror"));
  Http http;
  InstallOptions o;
  o.providers_dir = f / "providers";
  Diagnostics diags;
  Requirements needed = needs({{"example.com/acme/thing", ">= 1.0"}});
  InstallResult r = install_providers(needed, {}, sources, http, o, diags);
  CHECK(said(diags) == "");
  REQUIRE(r.lock.entries.size() == 1);
  CHECK(r.lock.entries.begin()->second.version.text() == "1.2.0");
  CHECK(*r.lock.entries.begin()->second.hashes.begin() == "h1:yUC0buWjcEqVOxRNYtQp7J2ULy/LKjM6KwIifrC647I=");

  InstalledOptions io;
  io.providers_dir = o.providers_dir;
  auto programs = find_installed(needed, r.lock, io, diags);
  CHECK(said(diags) == "");
  REQUIRE(programs.size() == 1);
  CHECK_THAT(programs[0].path, Catch::EndsWith("terraform-provider-thing_v1.2.0"));

  SECTION("a changed program is not started") {
    f.write(dir + "/README", "changed\n");
    CHECK(find_installed(needed, r.lock, io, diags).empty());
    CHECK_THAT(said(diags), Catch::StartsWith("Required plugins are not installed: "));
    CHECK_THAT(said(diags), Catch::Contains("checksums"));
  }
  SECTION("a missing lock file asks for init") {
    CHECK(find_installed(needed, {}, io, diags).empty());
    CHECK_THAT(said(diags), Catch::StartsWith("Inconsistent dependency lock file: "));
  }
  SECTION("a changed package is not installed again under the same lock") {
    f.write(dir + "/README", "changed\n");
    remove_all(o.providers_dir);
    install_providers(needed, r.lock, sources, http, o, diags);
    CHECK_THAT(said(diags), Catch::StartsWith("Failed to install provider: "));
    CHECK(!std::filesystem::exists(
        package_path(o.providers_dir, needed.begin()->second.provider, "1.2.0", this_platform())));
  }
  SECTION("constraints that the locked version does not meet ask for an upgrade") {
    Requirements other = needs({{"example.com/acme/thing", "< 1.1"}});
    CHECK(find_installed(other, r.lock, io, diags).empty());
    CHECK_THAT(said(diags), Catch::Contains("init -upgrade"));
    diags.clear();
    install_providers(other, r.lock, sources, http, o, diags);
    CHECK_THAT(said(diags), Catch::Contains("-upgrade"));
    diags.clear();
    o.upgrade = true;
    InstallResult down = install_providers(other, r.lock, sources, http, o, diags);
    CHECK(said(diags) == "");
    CHECK(down.lock.entries.begin()->second.version.text() == "1.0.0");
    CHECK(down.lock.entries.begin()->second.hashes.size() == 1);
  }
}
