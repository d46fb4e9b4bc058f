// The directory in which a plugin makes its socket: of this run, so that nothing is left where plugins are
// killed.
//
// Who calls it: Session, before it starts a plugin.
// Invariant: the directory exists for as long as the object does, and nobody else can put anything there.
// Where PLUGIN_UNIX_SOCKET_DIR is set, it lies in that one; where none can be made, path() is empty, and the
// plugin chooses a place itself. Cost: one system call, and one more to remove it. Thread-safety: one thread.
#pragma once
#include <string>

namespace xplan::plugin {

class SocketDir {
 public:
  SocketDir();
  ~SocketDir();
  SocketDir(const SocketDir&) = delete;
  SocketDir& operator=(const SocketDir&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace xplan::plugin
