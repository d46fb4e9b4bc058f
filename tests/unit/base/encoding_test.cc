// Base64, hexadecimal text and digests.
#include <catch2/catch.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "tests/support/folder.h"

using namespace xplan;

TEST_CASE("base64 of every remainder of a length, and back") {
  struct Row {
    const char *bytes, *text;
  };
  for (const Row& r : {Row{"", ""}, Row{"f", "Zg=="}, Row{"fo", "Zm8="}, Row{"foo", "Zm9v"},
                       Row{"foob", "Zm9vYg=="}, Row{"\xfb\xff\xbf", "+/+/"}}) {
    std::string back;
    CHECK(base64_encode(r.bytes) == r.text);
    CHECK(base64_decode(r.text, back));
    CHECK(back == r.bytes);
  }
  std::string all, back;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  REQUIRE(base64_decode(base64_encode(all), back));
  CHECK(back == all);
}

TEST_CASE("what decoding base64 lets pass and what it does not") {
  std::string out;
  CHECK((base64_decode("Zm9v\r\nYg\n=\n=\n", out) && out == "foob"));
  CHECK((base64_decode("Zh==", out) && out == "f"));  // surplus bits
  for (const char* bad :
       {"Zg", "Zg=", "Zg===", "Z", "Z===", "=", "Zg==Zg==", "Zm9v=", "Zm 9v", "Zm-v", "Zm9vé"}) {
    CAPTURE(bad);
    CHECK_FALSE(base64_decode(bad, out));
  }
}

TEST_CASE("bytes as hexadecimal text and as a UUID") {
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += static_cast<char>(i * 13);
  CHECK(hex_encode(bytes.substr(0, 5)) == "000d1a2734");
  CHECK(uuid_text(bytes) == "000d1a27-3441-4e5b-6875-828f9ca9b6c3");
}

TEST_CASE("digests at once, in pieces and of a file are the same") {
  const std::string sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  CHECK(sha256_hex("abc") == sum);
  DigestStream pieces;
  pieces.update("a"), pieces.update(""), pieces.update("bc");
  CHECK(hex_encode(pieces.finish()) == sum);
  CHECK(hex_encode(digest(*digest_named("md5"), "abc")) == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(hex_encode(digest(*digest_named("sha1"), "abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(digest(*digest_named("sha512"), "").size() == 64);
  CHECK_FALSE(digest_named("sha3"));

  const test::Folder folder;
  const std::string path = folder / "f", large(600'000, 'x');
  REQUIRE(write_atomic(path, "abc"));
  Result<std::string> read = sha256_file(path);
  CHECK((read && *read == sum));
  REQUIRE(write_atomic(path, large));
  read = sha256_file(path);
  CHECK((read && *read == sha256_hex(large)));
  read = sha256_file(path + "2");
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message, Catch::Contains("cannot open \"" + path + "2\""));
  read = sha256_file(folder.path);
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message, Catch::Contains("cannot read"));
}
