// The codec of one target: its method, then those it falls back to.
//
// Who makes one: maker.cc.  Contract: that of Codec.  Cost: keys are fetched once for encrypting; for
// decrypting once for all that has the same metadata.  Thread-safety: any thread; one call at a time goes on.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/crypt/codec.h"
#include "core/crypt/envelope.h"
#include "core/crypt/key_provider.h"
#include "core/crypt/method.h"

namespace xplan::crypt {

struct Step {
  std::string name;                   // method.TYPE.NAME
  std::string place;                  // where the configuration says that it is used: main.tf:7:5
  std::shared_ptr<Method> method;     // null: unencrypted
  std::shared_ptr<KeyProvider> keys;  // null: it has none
  std::string key_source = {};        // key_provider.TYPE.NAME and where it is declared
};
// `steps` is not empty.
std::shared_ptr<Codec> codec_of(Payload payload, std::vector<Step> steps);
// With AES-256-GCM and a key derived of a passphrase (pbkdf2), without any encryption block. `source` is
// where the passphrase comes from, as users know it. Null: after reporting that it cannot be used.
std::shared_ptr<Codec> codec_of_passphrase(Payload payload, const std::string& source,
                                           const Secret& passphrase, const Environment& environment,
                                           Diagnostics& diags);
// Of what an encryption block says nothing about: plain, with advice to add it.
std::shared_ptr<Codec> codec_without(Payload payload);

}  // namespace xplan::crypt
