// Codecs with keys at hand, so that tests of stores derive none.
#pragma once
#include "core/crypt/aes_gcm.h"
#include "core/crypt/target.h"

namespace xplan::store_test {

class KeyAtHand : public crypt::KeyProvider {
 public:
  explicit KeyAtHand(char key) : KeyProvider("key_provider.test.k"), key_(key) {}
  Result<Secret> fresh(crypt::Metadata& out) override {
    out[name()] = "{}";
    return Secret(std::string(32, key_));
  }
  Result<Secret> recover(const crypt::Metadata& stored) override {
    if (auto own = own_metadata(stored); !own) return own.error();
    return Secret(std::string(32, key_));
  }

 private:
  const char key_;
};

class AesGcm : public crypt::Method {
 public:
  Result<std::string> seal(const Secret* key, std::string_view plain) const override {
    return crypt::aes_gcm_seal(*key, plain, {});
  }
  Result<std::string> open(const Secret* key, std::string_view sealed) const override {
    return crypt::aes_gcm_open(*key, sealed, {});
  }
};

// Of each letter a key, in their order: the method, then those it falls back to; '-' is unencrypted.
inline std::shared_ptr<crypt::Codec> codec(std::string_view keys) {
  std::vector<crypt::Step> steps;
  for (char key : keys)
    steps.push_back({std::string("method.test.") + key, "main.tf:7:5",
                     key == '-' ? nullptr : std::make_shared<AesGcm>(),
                     key == '-' ? nullptr : std::make_shared<KeyAtHand>(key)});
  return crypt::codec_of(crypt::Payload::State, std::move(steps));
}

}  // namespace xplan::store_test
