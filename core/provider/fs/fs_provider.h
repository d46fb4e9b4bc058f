// The provider fs: real files, directories and links, for a first configuration that does something real
// without any download.
//
// Who calls it: the built-in factory (terraform.io/builtin/fs, in-process) and the program
// terraform-provider-fs (registry.terraform.io/xplan/fs); both get the same object.
// Configuration: `root`, optional. When it is set, paths are relative to it, and nothing outside of it is
// read or written, not even by way of a symbolic link. Otherwise paths are relative to the working directory.
// Types: resources fs_file, fs_directory, fs_symlink; data sources fs_file, fs_directory; ephemeral fs_file
// (content that is never stored).  Cost: the file's size per call; files are read whole.
// Thread-safety: all calls may come concurrently; writes are atomic (a temporary file, then a rename).
#pragma once
#include <memory>

#include "core/provider/kit/provider.h"

namespace xplan {

std::shared_ptr<kit::Provider> make_fs_provider();

}  // namespace xplan
