// Uploads of files and directories, in the protocol of scp, which every server with its program takes.
//
// Who calls it: provisioners (core/apply), script.cc.
// Contract: files are read piece by piece. Links are followed, but not in circles. Files get mode 0644 and
// directories 0755 there, less the server's umask. Cost: linear in what is sent, one command.
// Thread-safety: that of the session.
#pragma once
#include <string>
#include <string_view>

#include "core/remote/session.h"

namespace xplan::remote {

struct Upload {
  std::string destination;  // a path on the server
  int mode = 0644;          // of a single file
  bool windows = false;
};
Result<void> upload_content(Session& s, std::string_view content, const Upload& to, const Patience& patience);
// A directory "a/" stands for what is in it, "a" for itself; a destination "d/" for a file in that directory.
Result<void> upload_path(Session& s, const std::string& source, const Upload& to, const Patience& patience);

// Shells do not expand ~ in a quoted path; but commands begin in the home directory anyway.
std::string without_home(const std::string& path);
// Whether a path can stand in a command there; not what cannot be quoted.
Result<void> check_path(std::string_view path, bool windows);
// A path as one word of a command there.
std::string remote_word(std::string_view path, bool windows);

}  // namespace xplan::remote
