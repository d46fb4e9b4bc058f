// The provider configurations of a module tree, under the keys by which the plan's JSON names them.
//
// Who calls it: json_config.
// Contract: a configuration that a module gets from the module above it is not an entry of its own: key()
// gives the one it comes from. Keys are LOCAL_NAME[.ALIAS] in the root module and MODULE:LOCAL_NAME[.ALIAS]
// elsewhere. Cost: linear in modules, provider blocks and resources.  Thread-safety: immutable after
// construction.
#pragma once
#include <map>
#include <string>
#include <unordered_map>

#include "core/base/json_writer.h"
#include "core/config/config.h"

namespace xplan::render {

class ProviderKeys {
 public:
  explicit ProviderKeys(const config::Config& config);
  std::string key(const config::Node& n, const config::Resource& r) const;
  bool empty() const;
  void write(JsonWriter& w) const;  // the object

 private:
  struct Entry {
    std::string name, full_name, alias, version, module;
    const config::ProviderConfig* block = nullptr;
    std::string source;  // key of the configuration it is passed from; empty: none
  };
  void add_module(const config::Node& n);
  void add_passed(const config::Node& n);
  std::string source_of(std::string key, const std::string& full_name) const;

  std::map<std::string, Entry> entries_;
};

}  // namespace xplan::render
