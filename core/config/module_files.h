// Reads a module's directory: which files count, parsing, override files, sorting blocks by what they
// declare.
//
// Who calls it: tree.cc, once per directory; install/module_install.cc, for the calls in modules that are not
// loaded yet.
// Rules: *.tf and *.tf.json, and for OpenTofu *.tofu and *.tofu.json as well, each of which hides the file
// with the same name in the other form; names that begin with "." or "#", or end with "~" or "#" are editors'
// leftovers; a base name of "override" or ending in "_override" makes an override file, which only changes
// what others declare. Cost: linear in the files. Thread-safety: one thread.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/config/decode.h"

namespace xplan::config {

struct DirectoryFiles {
  std::vector<std::string> primary, overrides;  // names, sorted
  bool empty() const { return primary.empty() && overrides.empty(); }
};
// Without those that a file of OpenTofu's hides, and without OpenTofu's where the dialect does not have them.
std::vector<std::string> files_that_count(const std::vector<std::string>& names);
DirectoryFiles classify(const std::vector<std::string>& names);

// Decodes all of a directory. Always returns a module; an unreadable directory is reported.
std::unique_ptr<Module> read_module(const Fs& fs, SourceTable& sources, const std::string& dir,
                                    std::vector<LayeredBody>& layered, Diagnostics& diags);

}  // namespace xplan::config
