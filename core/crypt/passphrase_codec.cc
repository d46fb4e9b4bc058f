// A codec of nothing but a passphrase: the key provider pbkdf2 and the method aes_gcm, as a block with their
// defaults makes them.
#include "core/crypt/arguments.h"
#include "core/crypt/target.h"

namespace xplan::crypt {

std::shared_ptr<Codec> codec_of_passphrase(Payload payload, const std::string& source,
                                           const Secret& passphrase, const Environment& environment,
                                           Diagnostics& diags) {
  constexpr size_t kShortest = 16;
  if (passphrase.size() < kShortest) {
    diags.error("Passphrase is too short", "The passphrase of " + source + " must have at least 16 bytes.");
    return nullptr;
  }
  Arguments of_keys("passphrase", {}, diags), of_method("aes_gcm", {}, diags);
  of_keys.give("passphrase", Value::string_nfc(passphrase.bytes()));
  Step step{"the passphrase of " + source, "pbkdf2, aes_gcm", kAesGcm.make(of_method, environment),
            kPbkdf2.make(of_keys, {"key_provider.pbkdf2.plan", nullptr, environment})};
  if (!step.method || !step.keys) return nullptr;
  return codec_of(payload, {std::move(step)});
}

}  // namespace xplan::crypt
