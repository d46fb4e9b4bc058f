// What all key providers have in common: their part of the metadata.
#include "core/crypt/key_provider.h"

#include <cstdlib>

namespace xplan::crypt {

Error KeyProvider::bad_metadata(std::string_view what) const {
  return Error{"the metadata of " + name_ + " " + std::string(what)};
}

Result<std::string> KeyProvider::own_metadata(const Metadata& stored) const {
  const auto it = stored.find(name_);
  if (it == stored.end()) {
    std::string names;
    for (const auto& [name, json] : stored) names += (names.empty() ? "" : ", ") + name;
    return Error{"it was encrypted with other key providers: there is no metadata for " + name_ +
                 (names.empty() ? ", nor for any other" : ", only for " + names)};
  }
  return it->second;
}

std::string variable(const Environment& environment, const char* name) {
  if (environment.variable) return environment.variable(name);
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace xplan::crypt
