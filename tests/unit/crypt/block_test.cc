// The encryption block as it is written: each mistake with its place and what to do, layers over each other.
#include <functional>

#include "tests/unit/crypt/made.h"

using namespace xplan;
using test::kStateText;
using test::MadeEncryption;

namespace {

const std::string kKeys = R"(key_provider "pbkdf2" "k" { passphrase = "sixteen characters" }
)";
const std::string kBoth = kKeys + R"(method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
)";

crypt::Environment with(std::string tf_encryption) {
  crypt::Environment e;
  e.tf_encryption = std::move(tf_encryption);
  return e;
}

}  // namespace

TEST_CASE("mistakes in the encryption block are named with their place") {
  const struct {
    std::string tf, told;
  } rows[] = {
      {R"(key_provider "pbkdf2" "k" { passphrase = "short" })",
       "main.tf:3:1: Invalid encryption configuration: The argument \"passphrase\" of key_provider.pbkdf2.k "
       "is too "
       "short. It must have at least 16 bytes."},
      {R"(key_provider "pbkdf2" "k" {})",
       "main.tf:3:1: Invalid encryption configuration: The argument \"passphrase\" of key_provider.pbkdf2.k "
       "is not "
       "set, and neither is \"chain\". Set one of them: a passphrase of 16 bytes or more, or another key "
       "provider."},
      {R"(key_provider "pbkdf2" "k" {
  passphrase = "sixteen characters"
  iterations = 1000
})",
       "main.tf:5:3: Invalid encryption configuration: The argument \"iterations\" of key_provider.pbkdf2.k "
       "must be from 200000 to 20000000. The default is 600000."},
      {R"(key_provider "pbkdf2" "k" {
  passphrase    = "sixteen characters"
  hash_function = "md5"
})",
       "main.tf:5:3: Invalid encryption configuration: The argument \"hash_function\" of "
       "key_provider.pbkdf2.k must "
       "be \"sha512\" or \"sha256\"."},
      {R"(key_provider "pbkdf" "k" {})",
       "main.tf:3:14: Unsupported key provider: There is no key provider of type \"pbkdf\". Did you mean "
       "\"pbkdf2\"? The types are:\n  - pbkdf2\n  - external\n  - openbao\n  - gcp_kms\n  - aws_kms\n  - "
       "azure_vault\n"},
      {R"(key_provider "external" "k" { command = [] })",
       "main.tf:3:31: Invalid encryption configuration: The argument \"command\" of key_provider.external.k "
       "must be "
       "a list of strings: the program and its arguments."},
      {R"(key_provider "openbao" "k" {
  key_name   = "x"
  token      = "t"
  key_length = 24
})",
       "main.tf:6:3: Invalid encryption configuration: The argument \"key_length\" of key_provider.openbao.k "
       "must be "
       "16, 32 or 64."},
      {kKeys + kKeys,
       "main.tf:4:1: Duplicate block in the encryption block: key_provider.pbkdf2.k is declared more than "
       "once. "
       "Remove one of the blocks, or give it another name."},
      {R"(key_provider "pbkdf2" "a" { chain = key_provider.pbkdf2.b }
key_provider "pbkdf2" "b" { chain = key_provider.pbkdf2.a })",
       "main.tf:4:37: Key provider cycle: key_provider.pbkdf2.a depends on its own key. Remove one of the "
       "references."},
      {R"(key_provider "pbkdf2" "a" { chain = key_provider.pbkdf2.a })",
       "main.tf:3:37: Key provider cycle: key_provider.pbkdf2.a depends on its own key. Remove one of the "
       "references."},
      {R"(key_provider "pbkdf2" "a" {
  passphrase = "sixteen characters"
  encrypted_metadata_alias = "x"
}
key_provider "pbkdf2" "b" {
  chain = key_provider.pbkdf2.a
  encrypted_metadata_alias = "x"
}
method "aes_gcm" "m" { keys = key_provider.pbkdf2.b })",
       "main.tf:11:24: Invalid encryption configuration: The argument \"keys\" of method.aes_gcm.m uses "
       "two key providers with the same \"encrypted_metadata_alias\", so their metadata could not be told "
       "apart. Give one of them another alias."},
      {kBoth + R"(key_provider "pbkdf2" "c" {
  passphrase = "sixteen characters"
  chain      = key_provider.pbkdf2.k
})",
       "main.tf:7:3: Invalid encryption configuration: The argument \"chain\" of key_provider.pbkdf2.c "
       "cannot be "
       "used together with \"passphrase\". Remove one of them."},
      {R"(method "aes_gcm" "m" {})",
       "main.tf:3:1: Missing required argument: The argument \"keys\" is required in method.aes_gcm.m, but "
       "it is not "
       "set."},
      {kKeys + R"(method "aes_gcm" "m" { keys = key_provider.pbkdf2.kk })",
       "main.tf:4:31: Invalid reference in the encryption block: key_provider.pbkdf2.kk is not declared in "
       "the "
       "encryption block. Did you mean key_provider.pbkdf2.k?"},
      {kKeys + R"(method "aes_gcm" "m" { keys = var.keys })",
       "main.tf:4:31: Invalid reference in the encryption block: A reference to a key_provider block is "
       "expected "
       "here, for example key_provider.pbkdf2.main."},
      {kKeys + R"(method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.k
  aad  = [256]
})",
       "main.tf:6:3: Invalid encryption configuration: The argument \"aad\" of method.aes_gcm.m must be a "
       "list of "
       "whole numbers from 0 to 255."},
      {kBoth + "state { method = method.aes_gcm.n }",
       "main.tf:5:18: Invalid reference in the encryption block: method.aes_gcm.n is not declared in the "
       "encryption "
       "block. Did you mean method.aes_gcm.m?"},
      {kKeys + R"(method "aes_gmc" "m" { keys = key_provider.pbkdf2.k }
state { method = method.aes_gcm.m })",
       "main.tf:4:8: Unsupported encryption method: There is no encryption method of type \"aes_gmc\". Did "
       "you "
       "mean \"aes_gcm\"? The types are:\n  - aes_gcm\n  - unencrypted\n  - external\n"},
      {kBoth + "state {}",
       "main.tf:5:1: Missing required argument: The argument \"method\" is required here, but it is not set. "
       "It "
       "names the method to use, for example method.aes_gcm.main."},
      {kBoth + R"(method "unencrypted" "u" {}
state {
  method   = method.aes_gcm.m
  enforced = true
  fallback { method = method.unencrypted.u }
})",
       "main.tf:9:23: Unencrypted method where encryption is enforced: Encryption of \"state\" is enforced, "
       "so the "
       "method unencrypted cannot be used, not even as a fallback. Use another method, or remove "
       "\"enforced\"."},
      {R"(key_provider "pbkdf2" "k" { passphrase = data.x.y.z })",
       "main.tf:3:42: Invalid reference in the encryption block: The encryption block is needed before the "
       "state is "
       "read, so it can only refer to input variables and local values of the root module, to path and to "
       "terraform.workspace."},
      {R"(key_provider "pbkdf2" "k" { passphrase = var.none })",
       "main.tf:3:42: Invalid reference in the encryption block: The root module has no input variable "
       "\"none\"."},
  };
  for (const auto& row : rows) {
    const MadeEncryption m(row.tf);
    CHECK(m.told() == row.told);
    CHECK(!m.encryption);
  }
}

TEST_CASE("variables and local values are used, and never shown") {
  const std::string variables = R"(
variable "p" { default = "sixteen characters" }
variable "list" { default = ["a secret", "another"] }
variable "missing" { type = string }
locals {
  joined = join("-", [local.half, var.p])
  half   = upper(var.p)
  round  = local.round
})";
  auto made = [&](const std::string& expression) {
    return MadeEncryption("key_provider \"pbkdf2\" \"k\" {\n  passphrase = " + expression +
                              "\n}\nmethod \"aes_gcm\" \"m\" { keys = key_provider.pbkdf2.k }\n"
                              "state { method = method.aes_gcm.m }",
                          {}, {{"variables.tf", variables}});
  };
  const MadeEncryption good = made("\"${local.joined}/${terraform.workspace}/${path.module}\"");
  REQUIRE(good.told() == "");
  const auto text = good.state().encrypt(kStateText);
  REQUIRE(text);
  const MadeEncryption literal = made("\"SIXTEEN CHARACTERS-sixteen characters/default/.\"");
  CHECK(literal.state().decrypt(*text)->bytes == kStateText);
  CHECK(good.encryption->of_workspace());
  CHECK_FALSE(literal.encryption->of_workspace());
  for (const char* wrong : {"var.list", "var.list[5]", "substr(var.p, 0, 4)", "tonumber(var.p)", "var.p.x"}) {
    const MadeEncryption m = made(wrong);
    INFO(m.told());
    CHECK(!m.encryption);
    CHECK(m.diags.error_count() == 1);
    for (const Diagnostic& d : m.diags.all()) {
      CHECK((d.summary + d.detail).find("secret") == std::string::npos);
      CHECK((d.summary + d.detail).find("sixteen") == std::string::npos);
      for (const auto& [name, is] : d.values) {
        CHECK(is.find("secret") == std::string::npos);
        CHECK(is.find("sixteen") == std::string::npos);
      }
    }
  }
  CHECK(made("var.missing").told().find("The input variable \"missing\" has no value") != std::string::npos);
  CHECK(made("local.round").told().find("The local value \"round\" depends on itself") != std::string::npos);
}

TEST_CASE("the environment goes over the configuration, argument by argument") {
  const std::string targets = kBoth + "state { method = method.aes_gcm.m }";
  const std::string passphrase = R"(key_provider "pbkdf2" "k" { passphrase = "of the environment" })";
  const MadeEncryption file(targets), both(targets, with(passphrase)),
      json(targets, with(R"({"key_provider":{"pbkdf2":{"k":{"passphrase":"of the environment"}}}})")),
      alone("", with(passphrase + R"(
method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
state { method = method.aes_gcm.m })")),
      alone_json("", with(R"( {"key_provider":{"pbkdf2":{"k":{"passphrase":"of the environment"}}},
"method":{"aes_gcm":{"m":{"keys":"key_provider.pbkdf2.k"}}},
"state":{"method":"${method.aes_gcm.m}"}})"));
  REQUIRE(both.told() == "");
  REQUIRE(json.told() == "");
  REQUIRE(alone.told() == "");
  REQUIRE(alone_json.told() == "");
  const auto text = both.state().encrypt(kStateText);
  REQUIRE(text);
  CHECK(!file.state().decrypt(*text));
  for (const MadeEncryption* m : {&json, &alone, &alone_json})
    CHECK(m->state().decrypt(*text)->bytes == kStateText);
  const MadeEncryption none("", with("  "));
  CHECK(!none.state().encrypts());
  CHECK(!none.plan().encrypts());
  // Once enforced, it stays so.
  const MadeEncryption enforced(
      kBoth + "state {\n method = method.aes_gcm.m\n enforced = true\n}",
      with("method \"unencrypted\" \"u\" {}\nstate {\n method = method.unencrypted.u\n"
           " enforced = false\n}"));
  CHECK(!enforced.encryption);
}

TEST_CASE("the text of the environment is not shown") {
  for (const char* text : {R"(key_provider "pbkdf2" "k" { passphrase = "hush" })",
                           R"({"key_provider":{"pbkdf2":{"k":{"passphrase":"hush"}}}})",
                           R"(key_provider "pbkdf2" "k" { passphrase = "hush")"}) {
    const MadeEncryption m("", with(text));
    CHECK(!m.encryption);
    CHECK(m.diags.error_count() == 1);
    for (const Diagnostic& d : m.diags.all()) {
      CHECK(d.detail.starts_with("In the environment variable TF_ENCRYPTION, line 1, column "));
      CHECK(d.detail.find("hush") == std::string::npos);
      CHECK(!d.subject.valid());
    }
  }
}

TEST_CASE("override files go over the others, and JSON is as good") {
  const std::string over =
      R"({"terraform":{"encryption":{"key_provider":{"pbkdf2":{"k":{"passphrase":"of the override file"}}}}}})";
  const std::string targets = kBoth + "state { method = method.aes_gcm.m }";
  const MadeEncryption a(targets, {}, {{"override.tf.json", over}}), b(targets);
  REQUIRE(a.told() == "");
  const auto text = a.state().encrypt(kStateText);
  CHECK(!b.state().decrypt(*text));
  const MadeEncryption twice(targets, {}, {{"z.tf", "terraform {\n  encryption {}\n}"}});
  CHECK(twice.told().starts_with("z.tf:2:3: Duplicate block in the encryption block"));
}

TEST_CASE("states of other configurations have codecs by name") {
  const MadeEncryption m(kBoth + R"(
key_provider "pbkdf2" "o" { passphrase = "another passphrase" }
method "aes_gcm" "o" { keys = key_provider.pbkdf2.o }
remote_state_data_sources {
  default { method = method.aes_gcm.m }
  remote_state_data_source "net" { method = method.aes_gcm.o }
})");
  REQUIRE(m.told() == "");
  CHECK(!m.state().encrypts());
  const auto text = m.encryption->remote_state("net")->encrypt(kStateText);
  REQUIRE(text);
  CHECK(m.encryption->remote_state("net")->decrypt(*text));
  CHECK(!m.encryption->remote_state("net[0]")->decrypt(*text));
  CHECK(m.encryption->remote_state("other").get() == m.encryption->remote_state("another").get());
  auto name = [](const char* address) {
    return crypt::remote_state_name(*parse_abs_instance(address, nullptr));
  };
  CHECK(name("data.terraform_remote_state.net[4]") == "net[4]");
  CHECK(name("module.child[1].data.terraform_remote_state.net") == "child[1].net");
}
