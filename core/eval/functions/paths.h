// Paths and file contents as the functions of the language see them.
//
// Who calls it: files.cc.
// Contract: relative paths start at the base directory of the call, a leading "~" is the home directory, and
// paths are cleaned lexically before they are used. Only regular files are read (and the null device):
// anything else could block or never end. Errors are phrases that name the path. Cost: system calls, no
// caching.  Thread-safety: free functions without state.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace xplan::eval {

bool expand_home(std::string_view path, std::string& out, std::string& why);
// Where a path given to a function is. Empty base: the working directory.
bool resolve_path(std::string_view base_dir, std::string_view path, std::string& out, std::string& why);
std::string absolute_path(std::string_view base_dir, std::string_view path);
// `target` as seen from `base`; both clean. False when there is no way (base starts with ".." and target does
// not).
bool relative_path(std::string_view base, std::string_view target, std::string& out);

// Feeds a file's content to `sink` in pieces; sink returns false to stop.
bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& sink,
                 std::string& why);
bool read_whole(const std::string& path, std::string& out, std::string& why);
// What is not a regular file, as stat() says: "a directory", "a device", …
std::string_view file_kind(unsigned mode);

}  // namespace xplan::eval
