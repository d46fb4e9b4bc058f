// Programs and servers that give keys, encrypt and decrypt: as they should, and as they should not.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/crypt/program.h"
#include "tests/support/folder.h"
#include "tests/support/small_server.h"
#include "tests/unit/crypt/made.h"

using namespace xplan;
using test::kStateText;
using test::MadeEncryption;

namespace {

const std::string kHeader = R"(echo '{"magic":"OpenTofu-External-Key-Provider","version":1}')";
// AAAA… is a key of 32 bytes.
const std::string kKey(43, 'A');
const std::string kAnswer = kHeader + "\nin=$(cat)\nprintf '{\"keys\":{\"encryption_key\":\"" + kKey +
                            "=\",\"decryption_key\":\"" + kKey +
                            "=\"},\"meta\":{\"external_data\":{\"was\":%s}}}' "
                            "\"${in:-none}\"\n";

std::string keys_of(const std::string& script) {
  return "key_provider \"external\" \"x\" { command = [\"/bin/sh\", \"" + script +
         "\"] }\nmethod \"aes_gcm\" \"m\" { keys = key_provider.external.x }\n"
         "state { method = method.aes_gcm.m }";
}
crypt::Environment hasty() {
  crypt::Environment e;
  e.program_limit = std::chrono::seconds(2);
  return e;
}

}  // namespace

TEST_CASE("a program gives keys") {
  const test::Folder folder;
  folder.write("keys.sh", kAnswer);
  const MadeEncryption m(keys_of(folder / "keys.sh"));
  REQUIRE(m.told() == "");
  const auto text = m.state().encrypt(kStateText);
  REQUIRE(text);
  // {"external_data":{"was":null}}
  CHECK(text->find(R"("key_provider.external.x":"eyJleHRlcm5hbF9kYXRhIjp7IndhcyI6bnVsbH19")") !=
        std::string::npos);
  const auto again = m.state().decrypt(*text);
  REQUIRE(again);
  CHECK(again->bytes == kStateText);
}

TEST_CASE("targets that share a key provider ask it one after the other") {
  const test::Folder folder;
  folder.write("keys.sh", "mkdir " + (folder / "inside") + " || touch " + (folder / "two") + "\nsleep 0.1\n" +
                              kAnswer + "rmdir " + (folder / "inside") + " 2>/dev/null\n");
  const MadeEncryption m(keys_of(folder / "keys.sh") +
                         "\nremote_state_data_sources {\n"
                         "remote_state_data_source \"a\" { method = method.aes_gcm.m }\n"
                         "remote_state_data_source \"b\" { method = method.aes_gcm.m }\n}");
  REQUIRE(m.told() == "");
  const auto text = m.state().encrypt(kStateText);
  REQUIRE(text);
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (const char* name : {"a", "b", "c"})
    threads.emplace_back([&, name] { good += m.encryption->remote_state(name)->decrypt(*text).ok(); });
  for (std::thread& t : threads) t.join();
  CHECK(good == 2);  // "c" has no method
  CHECK_FALSE(real_fs().exists(folder / "two"));
}

TEST_CASE("what programs do wrong is one error, without what they were told or told") {
  const struct {
    const char* script;
    std::string problem;
  } rows[] = {
      {"cat >/dev/null; exit 3", "it exited with code 3"},
      {"echo complaint >&2; exit 1", "it exited with code 1. Its output: \"complaint\""},
      {"echo one >&2; echo two >&2; exit 1",
       "it exited with code 1. Its output:\none\ntwo\n(end of the output)"},
      {"echo not this; sleep 0.1; echo vault sealed >&2; exit 1",
       "it exited with code 1. Its output: \"vault sealed\""},
      {"kill -9 $$", "it was terminated by signal 9"},
      {"exit 0", "it exited without printing the header that the protocol begins with"},
      {"echo hello; sleep 60", "its first line is not the JSON header that the protocol begins with"},
      {"echo '{\"magic\":\"Something-Else\",\"version\":1}'; sleep 60",
       "its header does not have the magic word \"OpenTofu-External-Key-Provider\""},
      {"echo '{\"magic\":\"OpenTofu-External-Key-Provider\",\"version\":2}'; sleep 60",
       "it uses a version of the protocol other than 1"},
      {"exec <&- >&-; sleep 60", "it did not end within 2 seconds"},
      {"sleep 60", "it did not end within 2 seconds"},
      {"while :; do echo noise >&2; done", "it did not end within 2 seconds"},
      {"head -c 100000 /dev/zero | tr '\\0' x; sleep 60", "its first line is too long to be the header"},
  };
  for (const auto& row : rows) {
    const crypt::Program p{
        {"/bin/sh", "-c", row.script}, "OpenTofu-External-Key-Provider", std::chrono::seconds(2)};
    const auto r = crypt::run_program(p, Secret(std::string("null")));
    INFO(row.script);
    REQUIRE(!r);
    CHECK(r.error().message.starts_with("the program \"/bin/sh\" failed: " + row.problem));
  }
  const crypt::Program absent{{"/no/such/program"}, "x"};
  CHECK(crypt::run_program(absent, {}).error().message.starts_with("\"/no/such/program\" failed to start"));
}

TEST_CASE("a flood is cut off, a background process is not waited for, large inputs pass") {
  const auto run = [](const std::string& script, const std::string& input) {
    const crypt::Program p{
        {"/bin/sh", "-c", script}, "OpenTofu-External-Key-Provider", std::chrono::seconds(20)};
    return crypt::run_program(p, Secret(input));
  };
  auto r = run(kHeader + "; exec cat /dev/zero", "");
  REQUIRE(!r);
  CHECK(r.error().message.find("its output is larger than 1048576 bytes") != std::string::npos);
  r = run(kHeader + "; sleep 100 & echo {}", "null");
  REQUIRE(r);
  CHECK(r->bytes() == "{}\n");
  r = run(kHeader + "; wc -c", std::string(3'000'000, 'x'));  // read as it is written
  REQUIRE(r);
  CHECK(std::stoi(std::string(r->bytes())) == 3'000'000);
  r = run(kHeader + "; echo {}", std::string(3'000'000, 'x'));  // not read at all
  REQUIRE(r);
  const std::atomic<bool> stop{true};
  const crypt::Program stopped{{"/bin/sleep", "60"}, "x", std::chrono::seconds(60), &stop};
  CHECK(crypt::run_program(stopped, {}).error().message.find("it was interrupted") != std::string::npos);
}

TEST_CASE("answers of key programs have exactly the members of the protocol") {
  const test::Folder folder;
  const std::string key = kKey + "=";
  for (const std::string& answer :
       {std::string("not JSON"), std::string("{}"), std::string("[]"), std::string(R"({"keys":{}})"),
        R"({"keys":{"encryption_key":""}})" + std::string(),
        R"({"keys":{"encryption_key":"!!"}})" + std::string(),
        R"({"keys":{"encryption_key":")" + key + R"("},"more":1})",
        R"({"keys":{"encryption_key":")" + key + R"(","key":"x"}})",
        R"({"keys":{"encryption_key":")" + key + R"("},"meta":{"more":1}})"}) {
    folder.write("keys.sh", kHeader + "\ncat <<'END'\n" + answer + "\nEND\n");
    const MadeEncryption m(keys_of(folder / "keys.sh"), hasty());
    const auto r = m.state().prepare();
    INFO(answer);
    REQUIRE(!r);
    CHECK(
        r.error().message.starts_with("key_provider.external.x (main.tf:3:1) did not provide a key: the "
                                      "response from the program \"/bin/sh\" "));
    CHECK(r.error().message.find(kKey) == std::string::npos);
  }
}

TEST_CASE("programs encrypt and decrypt") {
  const test::Folder folder;
  const std::string header = R"(echo '{"magic":"OpenTofu-External-Encryption-Method","version":1}')";
  folder.write("swap.sh", header + "\nsed 's/.*\"payload\":\"\\([^\"]*\\)\".*/{\"payload\":\"\\1\"}/'\n");
  folder.write("bad.sh", header + "\ncat\n");  // the key comes back
  std::atomic<bool> stop = false;
  auto made = [&](const std::string& decrypt) {
    return MadeEncryption(R"(key_provider "pbkdf2" "k" { passphrase = "sixteen characters" }
method "external" "m" {
  keys            = key_provider.pbkdf2.k
  encrypt_command = ["/bin/sh", ")" +
                              folder.path + R"(/swap.sh"]
  decrypt_command = ["/bin/sh", ")" +
                              folder.path + "/" + decrypt + R"("]
}
state { method = method.external.m })",
                          {.stop = &stop});
  };
  const MadeEncryption m = made("swap.sh"), bad = made("bad.sh");
  REQUIRE(m.told() == "");
  const auto text = m.state().encrypt(kStateText);
  REQUIRE(text);
  CHECK(m.state().decrypt(*text)->bytes == kStateText);
  CHECK(bad.state().decrypt(*text).error().message.find("is not a JSON object with \"payload\"") !=
        std::string::npos);
  stop = true;  // what a run has done is written all the same, and nothing else is read
  CHECK(m.state().encrypt(kStateText));
  CHECK(m.state().decrypt(*text).error().message.find("it was interrupted") != std::string::npos);
}

TEST_CASE("keys of a transit engine") {
  std::string refuse;
  test::SmallServer server([&](const test::Asked& a) {
    if (!refuse.empty()) return test::SmallServer::answer("403 Forbidden", refuse);
    const bool decrypts = a.path == "/v1/engine/decrypt/my%20key";
    if (decrypts && a.body != R"({"ciphertext":"vault:v1:abc"})")
      return test::SmallServer::answer("400 Bad Request");
    if (!decrypts && (a.path != "/v1/engine/datakey/plaintext/my%20key" || a.body != R"({"bits":256})"))
      return test::SmallServer::answer("404 Not Found");
    return test::SmallServer::answer(
        "200 OK", R"({"data":{"plaintext":")" + kKey + R"(=","ciphertext":"vault:v1:abc"}})");
  });
  crypt::Environment e;
  e.variable = [&](const char* name) {
    return name == std::string("BAO_ADDR")    ? server.url + "/"
           : name == std::string("BAO_TOKEN") ? "hush"
                                              : "";
  };
  const MadeEncryption m(R"(key_provider "openbao" "b" {
  key_name            = "my key"
  transit_engine_path = "/engine"
}
method "aes_gcm" "m" { keys = key_provider.openbao.b }
state { method = method.aes_gcm.m })",
                         e);
  REQUIRE(m.told() == "");
  const auto text = m.state().encrypt(kStateText);
  REQUIRE(text);
  // {"ciphertext":"…"}, of the base64 of vault:v1:abc
  CHECK(text->find("eyJjaXBoZXJ0ZXh0IjoiZG1GMWJIUTZkakU2WVdKaiJ9") != std::string::npos);
  CHECK(m.state().encrypt(kStateText));
  CHECK(m.state().decrypt(*text)->bytes == kStateText);
  REQUIRE(server.asked().size() == 2);  // once for each key
  CHECK(server.asked()[0].headers["X-Vault-Token"] == "hush");
  refuse = R"({"errors":["permission denied"]})";
  const MadeEncryption denied(R"(key_provider "openbao" "b" { key_name = "k" }
method "aes_gcm" "m" { keys = key_provider.openbao.b }
state { method = method.aes_gcm.m })",
                              e);
  CHECK(denied.state().prepare().error().message ==
        "key_provider.openbao.b (main.tf:3:1) did not provide a key: the OpenBao server " + server.url +
            " refused the key \"k\": 403 Forbidden: permission denied");
  e.variable = [](const char*) { return ""; };
  const MadeEncryption none(R"(key_provider "openbao" "b" { key_name = "k" })", e);
  CHECK(none.told().find("\"token\" of key_provider.openbao.b is not set") != std::string::npos);
}
