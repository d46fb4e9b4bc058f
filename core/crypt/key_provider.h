// KeyProvider: where keys come from, and the table of kinds.
//
// Who calls it: target.cc asks for keys; maker.cc makes providers of their blocks.
// Contract: a new kind is a file with a KeyProviderKind of its own and a row in kKeyProviders. make() finds
// out what is wrong with the arguments and nothing more: it fetches nothing and starts nothing. Whatever a
// provider has to know again for decrypting goes into the metadata, under its own name, which is kept in the
// clear. Metadata is hostile when it comes back.  Cost: fresh() and recover() take from half a second
// (derivation) to minutes (programs, servers).  Thread-safety: kinds need
// none: Maker lets one thread at a time into each provider, whichever targets share it.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/secret.h"
#include "core/crypt/arguments.h"
#include "core/crypt/encryption.h"
#include "core/crypt/envelope.h"

namespace xplan::crypt {

class KeyProvider {
 public:
  explicit KeyProvider(std::string name) : name_(std::move(name)) {}
  virtual ~KeyProvider() = default;
  // A new key to encrypt with; what decrypting takes is added to `out`.
  virtual Result<Secret> fresh(Metadata& out) = 0;
  // The key for what was encrypted with this metadata.
  virtual Result<Secret> recover(const Metadata& stored) = 0;

 protected:
  const std::string& name() const { return name_; }  // in the metadata
  // Its own part of the metadata, which need not be JSON; an error where there is none.
  Result<std::string> own_metadata(const Metadata& stored) const;
  // "the metadata of NAME …": for what is wrong with it.
  Error bad_metadata(std::string_view what) const;

 private:
  const std::string name_;
};

struct KeySetup {
  std::string name;                    // in the metadata
  std::shared_ptr<KeyProvider> chain;  // that its argument "chain" names; null: none
  const Environment& environment;
};

// Of the environment; "" where it is not set.
std::string variable(const Environment& environment, const char* name);

struct KeyProviderKind {
  std::string_view type;
  ArgumentTable arguments = {};
  // Null after reporting what is wrong.
  std::shared_ptr<KeyProvider> (*make)(const Arguments& arguments, const KeySetup& setup) = nullptr;
  // A nested block of which there may be one, and its arguments, which are asked for as BLOCK.NAME.
  std::string_view block = {};
  ArgumentTable of_block = {};
};
extern const KeyProviderKind kPbkdf2, kExternalKeys, kOpenBao, kGcpKms, kAwsKms, kAzureVault;
inline constexpr const KeyProviderKind* kKeyProviders[] = {&kPbkdf2, &kExternalKeys, &kOpenBao,
                                                           &kGcpKms, &kAwsKms,       &kAzureVault};

}  // namespace xplan::crypt
