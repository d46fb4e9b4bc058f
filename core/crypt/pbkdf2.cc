// The key provider "pbkdf2": a key derived of a passphrase, or of the key of another provider.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/json_writer.h"
#include "core/crypt/key_provider.h"

namespace xplan::crypt {
namespace {

// Metadata can ask for any number of iterations.
constexpr int64_t kLeastIterations = 200'000, kMostIterations = 20'000'000;
constexpr size_t kLeastPassphrase = 16, kMostKey = 1024, kMostSalt = 1024;

bool is_hash(std::string_view name) {
  return name == "sha512" || name == "sha256";
}

struct Derivation {
  std::string salt, hash;
  int64_t iterations = 0, key_length = 0;
};

// HMAC with one key, over and over. The library's own derivation does the same, but hears of no interruption.
class Hmac {
 public:
  Hmac(const std::string& hash, std::string_view key) {
    std::string name = hash == "sha512" ? "SHA2-512" : "SHA2-256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), name.size()),
        OSSL_PARAM_construct_end()};
    EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    context_ = mac ? EVP_MAC_CTX_new(mac) : nullptr;
    EVP_MAC_free(mac);
    ok_ = context_ && EVP_MAC_init(context_, bytes_of(key), key.size(), parameters) == 1;
  }
  ~Hmac() { EVP_MAC_CTX_free(context_); }
  Hmac(const Hmac&) = delete;
  Hmac& operator=(const Hmac&) = delete;
  // Of `message` into `out`, which has room for it.
  bool of(std::string_view message, std::string& out) {
    size_t size = 0;
    ok_ = ok_ && EVP_MAC_init(context_, nullptr, 0, nullptr) == 1 &&
          EVP_MAC_update(context_, bytes_of(message), message.size()) == 1 &&
          EVP_MAC_final(context_, reinterpret_cast<unsigned char*>(out.data()), &size, out.size()) == 1 &&
          size == out.size();
    return ok_;
  }

 private:
  static const unsigned char* bytes_of(std::string_view s) {
    return reinterpret_cast<const unsigned char*>(s.data());
  }
  EVP_MAC_CTX* context_ = nullptr;
  bool ok_ = false;
};

// RFC 8018, section 5.2.
Result<Secret> derive(std::string_view passphrase, const Derivation& d, Stop stop) {
  constexpr int64_t kBetweenLooks = 4096;
  const size_t size = d.hash == "sha512" ? 64 : 32, length = static_cast<size_t>(d.key_length);
  Hmac hmac(d.hash, passphrase);
  std::string key, one(size, '\0'), block(size, '\0');
  key.reserve(length + size);
  bool ok = true;
  for (uint32_t number = 1; ok && key.size() < length; ++number) {
    std::string from = d.salt;
    for (int shift = 24; shift >= 0; shift -= 8) from += static_cast<char>(number >> shift & 0xff);
    ok = hmac.of(from, one);
    block = one;
    for (int64_t n = 1; ok && n < d.iterations && !(n % kBetweenLooks == 0 && stopped(stop)); ++n) {
      ok = hmac.of(one, one);
      for (size_t i = 0; i < size; ++i) block[i] = static_cast<char>(block[i] ^ one[i]);
    }
    key += block;
    if (stopped(stop)) break;
  }
  wipe(one), wipe(block);
  const bool whole = key.size() >= length && !stopped(stop);
  Secret out(std::move(key));
  if (!ok) return Error{"the cryptographic library failed to derive a key"};
  if (!whole) return interrupted();
  return Secret(std::string(out.bytes().substr(0, length)));
}

class Pbkdf2 : public KeyProvider {
 public:
  Pbkdf2(const KeySetup& setup, Secret passphrase, Derivation d, size_t salt_length)
      : KeyProvider(setup.name),
        chain_(setup.chain),
        passphrase_(std::move(passphrase)),
        form_(std::move(d)),
        stop_(setup.environment.stop),
        salt_length_(salt_length) {}

  Result<Secret> fresh(Metadata& out) override {
    Result<Secret> from = chain_ ? chain_->fresh(out) : passphrase_.copy();
    if (!from) return from.error();
    Derivation d = form_;
    d.salt = random_bytes(salt_length_);
    if (d.salt.empty()) return Error{"the system failed to provide random numbers"};
    JsonWriter w;
    w.begin_object();
    w.member("salt", base64_encode(d.salt));
    w.member("iterations", d.iterations);
    w.member("hash_function", d.hash);
    w.member("key_length", d.key_length);
    w.end_object();
    out[name()] = w.take();
    return derive(from->bytes(), d, stop_);
  }

  Result<Secret> recover(const Metadata& stored) override {
    const Result<std::string> text = own_metadata(stored);
    if (!text) return text.error();
    const Result<Json> meta = parse_document(*text);
    if (!meta) return bad_metadata("is not a JSON object");
    Derivation d;
    d.hash = string_in(*meta, "hash_function");
    auto number = [&](const char* member_name) -> int64_t {
      const Json* n = member(*meta, member_name);
      return n && n->is_number_unsigned() && n->get<uint64_t>() <= kMostIterations ? n->get<int64_t>() : 0;
    };
    d.iterations = number("iterations"), d.key_length = number("key_length");
    if (!is_hash(d.hash) || d.iterations < 1 || d.key_length < 1 ||
        d.key_length > static_cast<int64_t>(kMostKey) || !base64_decode(string_in(*meta, "salt"), d.salt) ||
        d.salt.empty() || d.salt.size() > kMostSalt)
      return bad_metadata("does not say how the key was derived, or not in a way that is supported");
    Result<Secret> from = chain_ ? chain_->recover(stored) : passphrase_.copy();
    if (!from) return from.error();
    return derive(from->bytes(), d, stop_);
  }

 private:
  const std::shared_ptr<KeyProvider> chain_;
  const Secret passphrase_;
  const Derivation form_;  // without a salt
  const Stop stop_;
  const size_t salt_length_;
};

std::shared_ptr<KeyProvider> make_pbkdf2(const Arguments& a, const KeySetup& setup) {
  Secret passphrase = a.secret("passphrase");
  if (setup.chain && a.is_set("passphrase"))
    return a.wrong("chain", "cannot be used together with \"passphrase\". Remove one of them.");
  if (!setup.chain && !a.is_set("passphrase"))
    return a.missing(
        "passphrase",
        "is not set, and neither is \"chain\". Set one of them: a passphrase of 16 bytes or more, "
        "or another key provider.");
  if (!setup.chain && passphrase.size() < kLeastPassphrase)
    return a.wrong("passphrase", "is too short. It must have at least 16 bytes.");
  Derivation d;
  d.iterations = a.number("iterations", 600'000);
  d.key_length = a.number("key_length", 32);
  d.hash = a.is_set("hash_function") ? a.text("hash_function") : "sha512";
  const int64_t salt = a.number("salt_length", 32);
  if (d.iterations < kLeastIterations || d.iterations > kMostIterations)
    return a.wrong("iterations", "must be from 200000 to 20000000. The default is 600000.");
  if (d.key_length < 1 || d.key_length > static_cast<int64_t>(kMostKey))
    return a.wrong("key_length", "must be from 1 to 1024. Write 16, 24 or 32 for aes_gcm.");
  if (!is_hash(d.hash)) return a.wrong("hash_function", "must be \"sha512\" or \"sha256\".");
  if (salt < 1 || salt > static_cast<int64_t>(kMostSalt))
    return a.wrong("salt_length", "must be from 1 to 1024. The default is 32.");
  return std::make_shared<Pbkdf2>(setup, std::move(passphrase), std::move(d), static_cast<size_t>(salt));
}

constexpr ArgumentRow kPbkdf2Arguments[] = {{"passphrase", ArgumentType::String, false, true},
                                            {"chain", ArgumentType::Keys},
                                            {"key_length", ArgumentType::Number},
                                            {"iterations", ArgumentType::Number},
                                            {"hash_function"},
                                            {"salt_length", ArgumentType::Number}};

}  // namespace

constinit const KeyProviderKind kPbkdf2{"pbkdf2", kPbkdf2Arguments, make_pbkdf2};

}  // namespace xplan::crypt
