// Method: how bytes are encrypted with a key, and the table of kinds.
//
// Who calls it: target.cc encrypts and decrypts; maker.cc makes methods of their blocks.
// Contract: what open() gets is hostile; its error is a phrase that says what is wrong with that, and never
// has a byte of it. `key` is null where the method has no key provider.  Cost: linear; a program for the
// method external.  Thread-safety: any thread.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/secret.h"
#include "core/crypt/arguments.h"
#include "core/crypt/encryption.h"

namespace xplan::crypt {

class Method {
 public:
  virtual ~Method() = default;
  virtual Result<std::string> seal(const Secret* key, std::string_view plain) const = 0;
  virtual Result<std::string> open(const Secret* key, std::string_view sealed) const = 0;
};

struct MethodKind {
  std::string_view type;
  ArgumentTable arguments;  // "keys" among them where it takes some
  // Null: bytes stay as they are, or, after reporting, something is wrong.
  std::shared_ptr<Method> (*make)(const Arguments& arguments, const Environment& environment);
};
extern const MethodKind kAesGcm, kUnencrypted, kExternalMethod;
inline constexpr const MethodKind* kMethods[] = {&kAesGcm, &kUnencrypted, &kExternalMethod};

}  // namespace xplan::crypt
