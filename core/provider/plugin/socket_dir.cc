// Makes and removes the directory of a plugin's socket.
#include "core/provider/plugin/socket_dir.h"

#include <cstdlib>
#include <filesystem>

namespace xplan::plugin {
namespace {

constexpr size_t kLongest =
    60;  // the path of a socket is shorter than 108 bytes, and plugins add names of their own

std::string base() {
  for (const char* name : {"PLUGIN_UNIX_SOCKET_DIR", "TMPDIR"})
    if (const char* v = std::getenv(name); v && *v && std::string_view(v).size() <= kLongest) return v;
  return "/tmp";
}

}  // namespace

SocketDir::SocketDir() : path_(base() + "/plugin-XXXXXX") {
  if (!mkdtemp(path_.data())) path_.clear();
}

SocketDir::~SocketDir() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace xplan::plugin
