// Fetches modules from OCI registries.
//
// Who calls it: module_fetch.cc.
// Contract: that of module_fetch.h. What the registry says is hostile: a manifest that was asked for by its
// digest, and the package always, have the digest that they are to have. Cost: two requests, and those of
// oci_registry.h. Thread-safety: any thread.
#pragma once
#include <string>

#include "core/config/module_source.h"
#include "core/hosts/oci_credentials.h"
#include "core/install/hosts.h"

namespace xplan::install {

Result<void> fetch_oci(const config::ModuleSource& source, const std::string& target,
                       const hosts::OciSettings& settings, Http& http);

}  // namespace xplan::install
