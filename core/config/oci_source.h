// Places of modules in OCI registries: oci://REGISTRY/REPOSITORY, with ?tag=TAG or ?digest=sha256:….
//
// Who calls it: module_source.cc, to check sources; installation.
// Contract: what comes out of it can be a part of a URL as it is. Cost: linear. Thread-safety: pure function.
#pragma once
#include <string>

#include "core/base/result.h"

namespace xplan::config {

struct ModuleSource;
struct OciPlace {
  std::string registry;    // a host, with a port where it names one
  std::string repository;  // a/b/c
  std::string reference;   // a tag, or a digest
  bool by_digest = false;
};
Result<OciPlace> oci_place(const ModuleSource& s);

// Whether it is "REGISTRY/REPOSITORY".
bool is_oci_repository(const std::string& text);

// Whether it is "sha256:" or "sha512:" and as many hexadecimal digits as that takes.
bool is_oci_digest(const std::string& text);

}  // namespace xplan::config
