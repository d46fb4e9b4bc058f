// The key provider "pbkdf2": a key derived of a passphrase, or of the key of another provider.
#include <openssl/evp.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/json_writer.h"
#include "core/crypt/key_provider.h"

namespace xplan::crypt {
namespace {

// Metadata can ask for any number of iterations, and derivation is not interrupted.
constexpr int64_t kLeastIterations = 200'000, kMostIterations = 20'000'000;
constexpr size_t kLeastPassphrase = 16, kMostKey = 1024, kMostSalt = 1 << 20;

const EVP_MD* hash_named(std::string_view name) {
  return name == "sha512" ? EVP_sha512() : name == "sha256" ? EVP_sha256() : nullptr;
}

struct Derivation {
  std::string salt, hash;
  int64_t iterations = 0, key_length = 0;
};

Result<Secret> derive(std::string_view passphrase, const Derivation& d) {
  std::string key(static_cast<size_t>(d.key_length), '\0');
  const bool ok =
      passphrase.size() <= std::numeric_limits<int>::max() &&
      PKCS5_PBKDF2_HMAC(passphrase.data(), static_cast<int>(passphrase.size()),
                        reinterpret_cast<const unsigned char*>(d.salt.data()),
                        static_cast<int>(d.salt.size()), static_cast<int>(d.iterations), hash_named(d.hash),
                        static_cast<int>(key.size()), reinterpret_cast<unsigned char*>(key.data())) == 1;
  if (!ok) return Error{"the cryptographic library failed to derive a key"};
  return Secret(std::move(key));
}

class Pbkdf2 : public KeyProvider {
 public:
  Pbkdf2(const KeySetup& setup, Secret passphrase, Derivation d, size_t salt_length)
      : KeyProvider(setup.name),
        chain_(setup.chain),
        passphrase_(std::move(passphrase)),
        form_(std::move(d)),
        salt_length_(salt_length) {}

  Result<Secret> fresh(Metadata& out) override {
    Result<Secret> from = chain_ ? chain_->fresh(out) : passphrase_.copy();
    if (!from) return from.error();
    Derivation d = form_;
    d.salt = random_bytes(salt_length_);
    if (d.salt.empty()) return Error{"the system has no random numbers"};
    JsonWriter w;
    w.begin_object();
    w.member("salt", base64_encode(d.salt));
    w.member("iterations", d.iterations);
    w.member("hash_function", d.hash);
    w.member("key_length", d.key_length);
    w.end_object();
    out[name()] = w.take();
    return derive(from->bytes(), d);
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
    if (!hash_named(d.hash) || d.iterations < 1 || d.key_length < 1 ||
        d.key_length > static_cast<int64_t>(kMostKey) || !base64_decode(string_in(*meta, "salt"), d.salt) ||
        d.salt.empty() || d.salt.size() > kMostSalt)
      return bad_metadata("does not say how the key was derived, or not in a way that is supported");
    Result<Secret> from = chain_ ? chain_->recover(stored) : passphrase_.copy();
    if (!from) return from.error();
    return derive(from->bytes(), d);
  }

 private:
  const std::shared_ptr<KeyProvider> chain_;
  const Secret passphrase_;
  const Derivation form_;  // without a salt
  const size_t salt_length_;
};

std::shared_ptr<KeyProvider> make_pbkdf2(const Arguments& a, const KeySetup& setup) {
  Secret passphrase = a.secret("passphrase");
  if (setup.chain && a.is_set("passphrase"))
    return a.wrong("chain", "cannot be used together with \"passphrase\". Remove one of them.");
  if (!setup.chain && !a.is_set("passphrase"))
    return a.wrong("passphrase",
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
    return a.wrong("iterations", "must be at least 200000 and at most 20000000. Leave it out for 600000.");
  if (d.key_length < 1 || d.key_length > static_cast<int64_t>(kMostKey))
    return a.wrong("key_length", "must be at least 1 and at most 1024. Write 16, 24 or 32 for aes_gcm.");
  if (!hash_named(d.hash)) return a.wrong("hash_function", "must be \"sha512\" or \"sha256\".");
  if (salt < 1 || salt > static_cast<int64_t>(kMostSalt))
    return a.wrong("salt_length", "must be at least 1. Leave it out for 32.");
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
