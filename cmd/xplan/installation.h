// Installation: what the commands that install something share.
//
// Who calls it: init, get, providers lock, providers mirror.
// Contract: problems go into the session's diagnostics.  Thread-safety: one thread, apart from what it says
// while others download.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cmd/xplan/session.h"
#include "core/install/hosts.h"
#include "core/install/module_install.h"
#include "core/install/provider_install.h"

namespace xplan::cmd {

class Installation {
 public:
  // In the stream, what is told is a message of the type "log", or one without a type.
  enum class Messages : uint8_t { Logged, Plain };
  explicit Installation(Session& s, Messages messages = Messages::Logged);
  install::CliConfig settings;
  install::Http http;
  install::Services services;
  install::SourceSet sources;

  // What the CLI configuration says, or only these directories.
  void use_settings();
  void use_folders(const std::vector<std::string>& dirs);
  void add(install::InstallMethod m);

  // Modules of the configuration; false after errors.
  bool modules(bool upgrade, const std::string& test_dir);
  // One line for people, or a message of the stream; one thread at a time.
  void tell(const std::string& text);

 private:
  void show_progress(uint64_t done, uint64_t total);
  Session& s_;
  const Messages messages_;
  std::mutex showing_;  // downloads go on, and show how far they are, while others have something to tell
  std::chrono::steady_clock::time_point shown_at_;
  bool shown_ = false;
};

// -plugin-dir is remembered for the next init.
std::vector<std::string> remembered_plugin_dirs(Session& s);
void remember_plugin_dirs(Session& s, const std::vector<std::string>& dirs);

}  // namespace xplan::cmd
