// ProviderSource: a place that has provider packages: a directory, a network mirror, a registry.
//
// Who calls it: provider_install.cc, through SourceSet, which asks all that are responsible for a provider.
// Contract: versions() gives the versions that exist for any platform, or an error with the reason; package()
// tells where the package of one version is and which hashes it may have. Nothing is downloaded here but
// lists. Cost: one request or one directory listing a call; answers are remembered where that is safe.
// Thread-safety: any thread, once all sources are added.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/install/hosts.h"
#include "core/install/mirror_layout.h"

namespace xplan::install {

struct Package {
  enum class Kind : uint8_t { Folder, Archive, Url } kind = Kind::Folder;
  std::string location;
  std::string token;             // for the host of a URL
  std::set<std::string> hashes;  // one of them must match, in a scheme that is known; empty: nothing is known
  std::set<std::string> lock_hashes;  // trusted hashes, of other platforms too, for the lock file
  // Of a URL that is not asked for directly: sends the request, whose own URL does not count.
  std::function<Result<HttpAnswer>(const HttpRequest&)> ask;
  std::optional<int> retries;          // of its download, as its installation method says
  std::string signer;                  // who signed the hashes: "signed, key ID …"; empty: nobody
  std::string authentication() const;  // for the user: "unauthenticated", "verified checksum", the signer
};

struct Available {
  std::vector<Version> versions;
  std::string unusable;               // versions that this program cannot run, and why; may be empty
  std::vector<std::string> warnings;  // what the source wants users of the provider to know
};

class ProviderSource {
 public:
  virtual ~ProviderSource() = default;
  // For messages: "the folder …", "the mirror …", "the registry …".
  virtual std::string name(const ProviderAddr& p) const = 0;
  // Empty when the source does not have the provider.
  virtual Result<Available> versions(const ProviderAddr& p) = 0;
  virtual Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) = 0;
};

std::unique_ptr<ProviderSource> filesystem_source(std::string dir, Platform platform = this_platform());
std::unique_ptr<ProviderSource> network_source(std::string url, Http& http, Services& services);
// `repository`: a template; see hosts::oci_repository(). The settings outlive it.
std::unique_ptr<ProviderSource> oci_source(std::string repository, const hosts::OciSettings& settings,
                                           Http& http);
std::unique_ptr<ProviderSource> registry_source(Services& services);

// The sources of all methods, in order.
class SourceSet {
 public:
  void add(InstallMethod method, std::unique_ptr<ProviderSource> source);

  struct Choice {
    Version version;
    std::vector<ProviderSource*> sources;  // that have it, in order
    std::vector<std::string> warnings;
  };
  // The newest version that meets the constraints. The error says what is wrong and where was looked.
  Result<Choice> choose(const ProviderAddr& p, const VersionConstraints& wanted);
  // This version and no other.
  Result<Choice> choose(const ProviderAddr& p, const Version& exactly);
  // The first source whose package is available.
  Result<Package> package(const ProviderAddr& p, const Choice& c, const Platform& platform);

 private:
  struct Entry {
    InstallMethod method;
    std::unique_ptr<ProviderSource> source;
  };
  Result<Choice> choose(const ProviderAddr& p, const std::function<bool(const Version&)>& wanted,
                        const std::string& what, const std::string& hint);
  std::vector<Entry> entries_;
};

}  // namespace xplan::install
