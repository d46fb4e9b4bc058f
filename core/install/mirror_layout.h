// The layout of provider packages in directories: mirrors, the cache, .terraform/providers.
//
// Who calls it: sources, installation, the check before providers are started, `providers mirror`.
// Layout: HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/ holds an unpacked package, and
// HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip a packed one; links to directories count as
// directories. What does not look like a package is skipped. Cost: listing one provider's directories, or all
// three levels for providers_in_mirror().  Thread-safety: pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/addr/addr.h"
#include "core/base/result.h"
#include "core/config/version.h"

namespace xplan::install {

struct Platform {
  std::string os, arch;
  std::string text() const { return os + "_" + arch; }
};
Platform this_platform();
bool parse_platform(std::string_view text, Platform& out);

struct MirrorPackage {
  Version version;
  std::string path;
  bool packed = false;
};

std::string archive_name(const ProviderAddr& p, const std::string& version, const Platform& platform);
// BASE/HOST/NAMESPACE/TYPE/VERSION/OS_ARCH
std::string package_path(const std::string& base, const ProviderAddr& p, const std::string& version,
                         const Platform& platform);
// Packages of a provider for the platform; where a version is there both ways, the unpacked one comes first.
// An error only when `base` itself cannot be read.
Result<std::vector<MirrorPackage>> packages_in_mirror(const std::string& base, const ProviderAddr& p,
                                                      const Platform& platform);
std::vector<std::string> providers_in_mirror(const std::string& base);  // "host/namespace/type", sorted
// The program in an unpacked package; empty when there is none.
std::string provider_program(const std::string& dir, const ProviderAddr& p);

}  // namespace xplan::install
