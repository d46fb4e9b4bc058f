// modules.json: where the modules are that were installed for calls that are not local.
//
// Who calls it: the tree of modules; test files, whose runs take modules of their own.
// Contract: the file is read when it is first needed; a damaged one is reported once. Cost: one pass over it,
// then a look-up a call. Thread-safety: one thread.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/base/fs.h"
#include "core/config/config.h"

namespace xplan::config {

class InstalledModules {
 public:
  struct Entry {
    std::string source, version, dir;
  };
  using Report = std::function<void(std::string_view summary, std::string detail, Range where)>;

  InstalledModules(const Fs& fs, const std::string& data_dir, Diagnostics& diags)
      : fs_(fs), data_dir_(data_dir), diags_(diags) {}
  // By path: "a.b". Null: it is not listed, or its directory is gone.
  const Entry* find(const std::string& key);
  // Where what a call asks for is installed, under this key; nothing after `report` heard why not.
  std::optional<std::string> directory_for(const ModuleCall& call, const ModuleFrom& asked,
                                           const std::string& key, const Report& report);

 private:
  void read();
  const Fs& fs_;
  const std::string& data_dir_;
  Diagnostics& diags_;
  std::unordered_map<std::string, Entry> entries_;
  bool read_ = false;
};

}  // namespace xplan::config
