// Variables of the environment for unit tests.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace xplan::test {

// Sets variables for as long as it lives, and clears those that say who asks for something and by which way:
// of clouds, of proxies.
class Environment {
 public:
  explicit Environment(std::initializer_list<std::pair<const char*, std::string>> set) {
    for (char** e = environ; *e; ++e) {
      const std::string name = std::string(*e).substr(0, std::string(*e).find('='));
      for (const char* cloud :
           {"AWS_", "ARM_", "AZURE_", "IDENTITY_", "ACTIONS_ID_TOKEN_", "SYSTEM_", "GOOGLE_", "CLOUDSDK_",
            "GCE_", "STORAGE_", "CONSUL_", "KUBE", "TENCENTCLOUD_", "ALICLOUD_", "OSS_"})
        if (name.starts_with(cloud)) clear_.push_back(name);
      if (name.ends_with("_PROXY") || name.ends_with("_proxy")) clear_.push_back(name);
    }
    for (const std::string& name : clear_) ::unsetenv(name.c_str());
    for (const auto& [name, value] : set) {
      const char* old = std::getenv(name);
      old_.emplace_back(name, old ? old : "");
      ::setenv(name, value.c_str(), 1);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : old_)
      value.empty() ? ::unsetenv(name) : ::setenv(name, value.c_str(), 1);
  }

 private:
  std::vector<std::string> clear_;
  std::vector<std::pair<const char*, std::string>> old_;
};

}  // namespace xplan::test
