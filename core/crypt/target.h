// The codec of one target: its method, then those it falls back to.
//
// Who makes one: encryption.cc.  Contract: that of Codec.  Cost: keys are fetched once for encrypting; for
// decrypting once for all that has the same metadata.  Thread-safety: any thread; one call at a time goes on.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/crypt/codec.h"
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
// Of what an encryption block says nothing about: plain, with advice to add it.
std::shared_ptr<Codec> codec_without(Payload payload);

}  // namespace xplan::crypt
