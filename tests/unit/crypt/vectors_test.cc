// Envelopes that an independent implementation made (Python's hashlib, the openssl program), and what becomes
// of them when they are damaged.
#include <atomic>
#include <chrono>
#include <thread>

#include "core/base/base64.h"
#include "tests/unit/crypt/made.h"

using namespace xplan;
using test::kStateText;
using test::MadeEncryption;

namespace {

const std::string kVector =
    R"({"serial":7,"lineage":"11111111-2222-3333-4444-555555555555","meta":{"key_provider.pbkdf2.k":"eyJzYWx0IjoiQUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVhHQmthR3h3ZEhoOD0iLCJpdGVyYXRpb25zIjo2MDAwMDAsImhhc2hfZnVuY3Rpb24iOiJzaGE1MTIiLCJrZXlfbGVuZ3RoIjozMn0="},"encrypted_data":"AAECAwQFBgcICQoLJuEFjr0eNgpNWFiKrGiQY9jPxGkXX0wCK8vbMu9E/18XsP1GG316ewiAt5p+924xclD2KgX4F8pRg/n9YwSkg/Bs2C6V89cWpIWdlLW3x4cBXm+b9t7E6BuYB3a5ZDl022d93Aqs51gKn3bNMYNYTeZY897u/+YJEyR8nW8LPlj7FmSOo/qLgWTn/O0RtoJOBVp8K7BABWqwukIkHDt8pssJyR8ULgA=","encryption_version":"v0"})";
// PBKDF2-HMAC-SHA256 of 1000 iterations, a key of 16 bytes, associated data 1, 2, 255, an alias.
const std::string kAssociated =
    R"({"serial":7,"lineage":"11111111-2222-3333-4444-555555555555","meta":{"alias":"eyJzYWx0IjoiL3dCellXeDAiLCJpdGVyYXRpb25zIjoxMDAwLCJoYXNoX2Z1bmN0aW9uIjoic2hhMjU2Iiwia2V5X2xlbmd0aCI6MTZ9"},"encrypted_data":"ZGVmZ2hpamtsbW5vI2HzCiVQriTy7plvtIV2GWTPoD0b+JAndwMl3Emeltyhc4K0cFOuq7Gl28BnbYsDzgPvihpWsDgkjigOcOYY/CxJqK0VLI96Ys8G/pRVDOIRymqcjQPGIo15k1DxCe2QEsWb5zlPSbBRCrq5QusSwYBUSV3krF4zD5iRn7xOtqBb9v0OoUqapajbR8k3N4udQIzd7Mhn6npNPEg6uPHK8CQP6mf/fK4=","encryption_version":"v0"})";
// A plan file; a key of 24 bytes derived of one of 48.
const std::string kChained =
    R"({"meta":{"key_provider.pbkdf2.a":"eyJzYWx0IjoiY3pFPSIsIml0ZXJhdGlvbnMiOjIsImhhc2hfZnVuY3Rpb24iOiJzaGE1MTIiLCJrZXlfbGVuZ3RoIjo0OH0=","key_provider.pbkdf2.b":"eyJzYWx0IjoiY3pJPSIsIml0ZXJhdGlvbnMiOjMsImhhc2hfZnVuY3Rpb24iOiJzaGE1MTIiLCJrZXlfbGVuZ3RoIjoyNH0="},"encrypted_data":"AAAAAAAAAAAAAAAAn4wIzbUf+2+C/b9eukyWBsHL70SJxhudJHqcnGrUmpGlcbUn3w==","encryption_version":"v0"})";

// PBKDF2-HMAC-SHA256 of 3 iterations, a key of 100 bytes; of it, PBKDF2-HMAC-SHA512 of 5000, 16 bytes.
const std::string kLongChain =
    R"({"meta":{"key_provider.pbkdf2.a":"eyJzYWx0IjoiY3pFPSIsIml0ZXJhdGlvbnMiOjMsImhhc2hfZnVuY3Rpb24iOiJzaGEyNTYiLCJrZXlfbGVuZ3RoIjoxMDB9","key_provider.pbkdf2.b":"eyJzYWx0IjoiY3pJPSIsIml0ZXJhdGlvbnMiOjUwMDAsImhhc2hfZnVuY3Rpb24iOiJzaGE1MTIiLCJrZXlfbGVuZ3RoIjoxNn0="},"encrypted_data":"AAAAAAAAAAAAAAAAhJPKL53deLeJFFBMDgzoEUChFJD0nuJ+r0oTQpq/dEExpaAQeQ==","encryption_version":"v0"})";
// 20,000,000 iterations, a key of 1024 bytes.
const std::string kSlowMetadata =
    "eyJzYWx0IjoiY3pFPSIsIml0ZXJhdGlvbnMiOjIwMDAwMDAwLCJoYXNoX2Z1bmN0aW9uIjoic2hhNTEyIiwia2V5X2xlbmd0aCI6MTAy"
    "NH0=";

const std::string kPublished = R"(
key_provider "pbkdf2" "k" { passphrase = "correct-horse-battery-staple" }
method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
state { method = method.aes_gcm.m })";
const std::string kFast = R"(
key_provider "pbkdf2" "k" {
  passphrase = "another passphrase!"
  encrypted_metadata_alias = "alias"
  hash_function = "sha256"
  iterations = 200000
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.k
  aad = [1, 2, 255]
}
state { method = method.aes_gcm.m })";

std::string replaced(std::string s, const std::string& from, const std::string& to) {
  REQUIRE(s.find(from) != s.npos);
  return s.replace(s.find(from), from.size(), to);
}
std::string problem(crypt::Codec& c, const std::string& text) {
  const auto r = c.decrypt(text);
  return r ? "it was read: " + r->bytes : r.error().message;
}

}  // namespace

TEST_CASE("the published vector is decrypted") {
  const MadeEncryption m(kPublished);
  REQUIRE(m.told() == "");
  auto r = m.state().decrypt(kVector);
  REQUIRE(r);
  CHECK(r->bytes == kStateText);
  CHECK(!r->migrate);
}

TEST_CASE("other hash functions, key lengths, aliases, associated data and chains are decrypted") {
  const MadeEncryption m(kFast);
  REQUIRE(m.told() == "");
  auto r = m.state().decrypt(kAssociated);
  REQUIRE(r);
  CHECK(r->bytes == kStateText);
  const MadeEncryption chained(R"(
key_provider "pbkdf2" "b" { chain = key_provider.pbkdf2.a }
key_provider "pbkdf2" "a" { passphrase = "the first passphrase" }
method "aes_gcm" "m" { keys = key_provider.pbkdf2.b }
plan { method = method.aes_gcm.m })");
  REQUIRE(chained.told() == "");
  auto p = chained.plan().decrypt(kChained);
  REQUIRE(p);
  CHECK(p->bytes == "PK\x03\x04 not really a zip");
  // A key of four blocks of SHA-256, and one of many iterations.
  p = chained.plan().decrypt(kLongChain);
  REQUIRE(p);
  CHECK(p->bytes == "PK\x03\x04 not really a zip");
}

TEST_CASE("a derivation that takes long hears of an interruption") {
  std::atomic<bool> stop = false;
  const MadeEncryption m(kPublished, {.stop = &stop});
  REQUIRE(m.told() == "");
  const size_t from = kVector.find(R"("meta":{")");
  const std::string slow = kVector.substr(0, from) + R"("meta":{"key_provider.pbkdf2.k":")" + kSlowMetadata +
                           kVector.substr(kVector.find(R"("},"encrypted_data")"));
  std::thread interrupts([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  const auto began = std::chrono::steady_clock::now();
  CHECK(problem(m.state(), slow).ends_with("it was interrupted"));
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
  interrupts.join();
}

TEST_CASE("what is encrypted is an envelope that only its configuration decrypts") {
  const MadeEncryption m(kFast);
  REQUIRE(m.state().prepare());
  const auto once = m.state().encrypt(kStateText), twice = m.state().encrypt(kStateText);
  REQUIRE(once);
  REQUIRE(twice);
  CHECK(
      once->starts_with(R"({"serial":7,"lineage":"11111111-2222-3333-4444-555555555555","meta":{"alias":")"));
  CHECK(once->ends_with(R"(","encryption_version":"v0"})"));
  CHECK(*once != *twice);  // another nonce
  const size_t meta = once->find("encrypted_data");
  CHECK(once->substr(0, meta) == twice->substr(0, meta));  // the same key
  for (const auto* text : {&*once, &*twice}) {
    auto r = m.state().decrypt(*text);
    REQUIRE(r);
    CHECK(r->bytes == kStateText);
  }
  const MadeEncryption next(kFast);  // the next run
  auto r = next.state().decrypt(*once);
  REQUIRE(r);
  CHECK(r->bytes == kStateText);
  const auto fresh = next.state().encrypt(kStateText);
  REQUIRE(fresh);
  CHECK(fresh->substr(0, meta) != once->substr(0, meta));
}

TEST_CASE("what is wrong with an envelope is one error") {
  const MadeEncryption m(kFast);
  const std::string other_key =
      "it cannot be decrypted with method.aes_gcm.m (main.tf:14:18) and the key of key_provider.pbkdf2.k "
      "(main.tf:4:1): either the key is wrong, or the data was changed after it was encrypted";
  const std::string incomplete = "it is encrypted, but incomplete or damaged: ";
  auto with_meta = [](const std::string& json) {
    const size_t from = kAssociated.find(R"("alias":")") + 9;
    return kAssociated.substr(0, from) + base64_encode(json) +
           kAssociated.substr(kAssociated.find('"', from));
  };
  auto with_data = [](const std::string& data) {
    const size_t from = kAssociated.find(R"("encrypted_data":")") + 18;
    return kAssociated.substr(0, from) + base64_encode(data) +
           kAssociated.substr(kAssociated.find('"', from));
  };
  const std::string bad_meta =
      "it cannot be decrypted with method.aes_gcm.m (main.tf:14:18) and the key of key_provider.pbkdf2.k "
      "(main.tf:4:1): the metadata of alias ";
  const struct {
    std::string text, problem;
  } rows[] = {
      {replaced(kAssociated, "ZGVm", "ZGVn"), other_key},    // nonce
      {replaced(kAssociated, "/fK4=", "/fK8="), other_key},  // tag
      {with_data(""),
       "it cannot be decrypted with method.aes_gcm.m (main.tf:14:18) and the key of key_provider.pbkdf2.k "
       "(main.tf:4:1): the encrypted data is incomplete"},
      {with_data(std::string(40, 'x')), other_key},
      {replaced(kAssociated, R"("serial":7)", R"("serial":8)"),
       "the serial and lineage around it are not those of the state that is encrypted in it: it was changed "
       "since "
       "it was written"},
      {replaced(kAssociated, "555555555555\"", "555555555556\""),
       "the serial and lineage around it are not those of the state that is encrypted in it: it was changed "
       "since "
       "it was written"},
      {replaced(kAssociated, R"("serial":7,)", ""),
       "the serial and lineage around it are not those of the state that is encrypted in it: it was changed "
       "since "
       "it was written"},
      {replaced(kAssociated, "\"v0\"", "\"v1\""),
       "it is encrypted in a format that is not supported: its version is not \"v0\""},
      {replaced(kAssociated, ",\"encryption_version\":\"v0\"", ""),
       incomplete + "there is no \"encryption_version\""},
      {replaced(kAssociated, "ZGVm", "Z!Vm"), incomplete + "its \"encrypted_data\" is not valid base64"},
      {replaced(kAssociated, "eyJz", "eyJ*"),
       incomplete + "the metadata of a key provider is not valid base64"},
      {kVector,
       "it cannot be decrypted with method.aes_gcm.m (main.tf:14:18) and the key of key_provider.pbkdf2.k "
       "(main.tf:4:1): it was encrypted with other key "
       "providers: there is no "
       "metadata for alias, only for key_provider.pbkdf2.k"},
      {with_meta("[]"), bad_meta + "is not a JSON object"},
      {with_meta("{"), bad_meta + "is not a JSON object"},
      {with_meta("{}"), bad_meta + "does not say how the key was derived, or not in a way that is supported"},
      {with_meta(R"({"salt":"/wBzYWx0","iterations":1000,"hash_function":"md5","key_length":16})"),
       bad_meta + "does not say how the key was derived, or not in a way that is supported"},
      {with_meta(R"({"salt":"/wBzYWx0","iterations":99999999999,"hash_function":"sha256","key_length":16})"),
       bad_meta + "does not say how the key was derived, or not in a way that is supported"},
      {with_meta(R"({"salt":"/wBzYWx0","iterations":-1,"hash_function":"sha256","key_length":16})"),
       bad_meta + "does not say how the key was derived, or not in a way that is supported"},
      {with_meta(R"({"salt":")" + base64_encode(std::string(1025, 's')) +
                 R"(","iterations":1000,"hash_function":"sha256","key_length":16})"),
       bad_meta + "does not say how the key was derived, or not in a way that is supported"},
      {with_meta(R"({"salt":")" + base64_encode(std::string(1024, 's')) +
                 R"(","iterations":1000,"hash_function":"sha256","key_length":16})"),
       other_key},
      {with_meta(R"({"salt":"/wBzYWx0","iterations":1000,"hash_function":"sha256","key_length":15})"),
       "it cannot be decrypted with method.aes_gcm.m (main.tf:14:18) and the key of key_provider.pbkdf2.k "
       "(main.tf:4:1): the key has 15 bytes, but aes_gcm "
       "takes 16, 24 or 32"},
      {with_meta(R"({"salt":"/wBzYWx0","iterations":1001,"hash_function":"sha256","key_length":16})"),
       other_key},
      {"hello", "it is neither a state nor an encrypted state"},
      {"{}", "it is neither a state nor an encrypted state"},
      {"PK\x03\x04", "it is neither a state nor an encrypted state"},
  };
  for (const auto& row : rows) CHECK(problem(m.state(), row.text) == row.problem);
  const MadeEncryption wrong(replaced(kFast, "another passphrase!", "another passphrase?"));
  CHECK(problem(wrong.state(), kAssociated) == other_key);
  const MadeEncryption no_aad(replaced(kFast, "aad = [1, 2, 255]", ""));
  CHECK(problem(no_aad.state(), kAssociated) == other_key);
}

TEST_CASE("an envelope that ends early, or has one byte changed, is never read") {
  const MadeEncryption m(kFast);
  for (size_t n = 1; n < kAssociated.size(); n += 7) {
    const auto r = m.state().decrypt(kAssociated.substr(0, n));
    INFO(n);
    REQUIRE(!r);
    CHECK(!r.error().message.empty());
  }
  for (size_t n = 0; n < kAssociated.size(); n += 3) {
    std::string text = kAssociated;
    text[n] = static_cast<char>(text[n] ^ (1 + n % 127));
    if (const auto r = m.state().decrypt(text)) CHECK(r->bytes == kStateText);  // whitespace, unused bits
  }
}

TEST_CASE("plain bytes are accepted where unencrypted is in the chain") {
  const std::string refused =
      "it is not encrypted (encountered unencrypted payload without unencrypted method configured), but the "
      "method at main.tf:14:18 requires encryption. To encrypt it from now on, add a fallback with a method "
      "of "
      "type \"unencrypted\" there, and remove the fallback once it is encrypted";
  const MadeEncryption strict(kFast);
  CHECK(problem(strict.state(), kStateText) == refused);
  CHECK(strict.state().decrypt("")->bytes.empty());  // there is no state yet
  const std::string unencrypted = "\nmethod \"unencrypted\" \"u\" {}\n";
  const MadeEncryption migrating(unencrypted +
                                 replaced(kFast, "state { method = method.aes_gcm.m }",
                                          "state {\n method = method.aes_gcm.m\n fallback {\n method = "
                                          "method.unencrypted.u\n }\n}"));
  REQUIRE(migrating.encryption);
  CHECK(migrating.told().starts_with("[W] main.tf:"));
  auto r = migrating.state().decrypt(kStateText);
  REQUIRE(r);
  CHECK(r->bytes == kStateText);
  CHECK(r->migrate);
  CHECK(!migrating.state().decrypt(kAssociated)->migrate);
  CHECK(migrating.state().encrypt(kStateText)->find("terraform_version") == std::string::npos);
  const MadeEncryption leaving(unencrypted +
                               replaced(kFast, "state { method = method.aes_gcm.m }",
                                        "state {\n method = method.unencrypted.u\n fallback {\n method = "
                                        "method.aes_gcm.m\n }\n}"));
  CHECK(!leaving.state().encrypts());
  CHECK(!leaving.state().decrypt(kStateText)->migrate);
  CHECK(leaving.state().decrypt(kAssociated)->migrate);
  CHECK(*leaving.state().encrypt(kStateText) == kStateText);
  CHECK(*leaving.state().write_records() == nullptr);
}

TEST_CASE("a fallback decrypts what the method cannot") {
  const std::string rolled = R"(
key_provider "pbkdf2" "new" { passphrase = "the next passphrase" }
method "aes_gcm" "new" { keys = key_provider.pbkdf2.new })" +
                             replaced(kFast, "state { method = method.aes_gcm.m }",
                                      "state {\n method = method.aes_gcm.new\n fallback {\n method = "
                                      "method.aes_gcm.m\n }\n}");
  const MadeEncryption m(rolled);
  REQUIRE(m.told() == "");
  auto r = m.state().decrypt(kAssociated);
  REQUIRE(r);
  CHECK(r->bytes == kStateText);
  CHECK(r->migrate);
  CHECK(problem(m.state(), kVector) ==
        "it cannot be decrypted with any of the configured methods:\n  - method.aes_gcm.new (main.tf:17:11) "
        "and the key of key_provider.pbkdf2.new (main.tf:4:1): "
        "it was "
        "encrypted with "
        "other key providers: there is no metadata for key_provider.pbkdf2.new, only for "
        "key_provider.pbkdf2.k\n  - "
        "method.aes_gcm.m (main.tf:19:11) and the key of key_provider.pbkdf2.k (main.tf:6:1): it was "
        "encrypted with other key providers: there is no metadata "
        "for alias, only for "
        "key_provider.pbkdf2.k");
}

TEST_CASE("without configuration bytes are what they are, and encrypted ones are named as such") {
  crypt::Codec& c = *crypt::Codec::plain();
  CHECK(*c.encrypt("anything") == "anything");
  CHECK(c.decrypt(kStateText)->bytes == kStateText);
  CHECK(c.decrypt("hello")->bytes == "hello");
  CHECK(c.decrypt("")->bytes.empty());
  CHECK(problem(c, kVector).starts_with("it is encrypted, but no encryption is configured"));
  CHECK(problem(c, kChained).starts_with("it is encrypted, but no encryption is configured"));
}

TEST_CASE("records of a journal are encrypted one by one, with a key of their own") {
  const MadeEncryption m(kFast);
  auto writer = m.state().write_records();
  REQUIRE(writer);
  REQUIRE(*writer);
  const std::string header = (*writer)->header();
  CHECK(crypt::is_record_header(header));
  CHECK(header.find('\n') == std::string::npos);
  std::vector<std::string> lines;
  for (const char* text : {"first", "", "first"}) lines.push_back(*(*writer)->seal(text));
  CHECK(lines[0] != lines[2]);
  const MadeEncryption next(kFast);
  auto reader = next.state().read_records(header);
  REQUIRE(reader);
  for (size_t i = 0; i < 3; ++i) {
    const auto record = reader->open(lines[i]);
    REQUIRE(record);
    CHECK(record->bytes == (i == 1 ? "" : "first"));
    CHECK(record->number == i);
  }
  std::string changed = lines[0];
  changed[20] = changed[20] == 'A' ? 'B' : 'A';
  CHECK(reader->open(changed).error().message ==
        "an encrypted record is damaged: it was changed since it was written");
  CHECK(!reader->open(lines[0].substr(0, 8)));
  CHECK(reader->open("!").error().message == "an encrypted record is incomplete or damaged");
  auto another = m.state().write_records();
  CHECK(!reader->open(*(*another)->seal("first")));  // another key
  CHECK(!next.state().read_records(kVector.substr(0, 40)));
}
