// Places: paths of a configuration into paths of the file system, within the provider's root.
//
// Who calls it: every resource and data source of this folder. Contract: with a root, a path that leads out
// of it, by its text (".." or absolute) or through symbolic links, is an error that says so. The check looks
// at the links as they are at that moment. `for_reading` follows a link at the end of the path; writing
// replaces such a link instead.  Cost: a few system calls.  Thread-safety: set_root before anything else.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/provider/kit/resource.h"

namespace xplan::fs {

class Places {
 public:
  // Empty: no root. An error when it is not a directory.
  void set_root(std::string_view root, ProviderDiags& diags);
  // Empty with an error (at `where`) when the path may not be used.
  std::string find(std::string_view path, bool for_reading, const Path& where, ProviderDiags& diags) const;
  std::string base() const { return root_.empty() ? "." : root_; }

 private:
  std::string root_;  // canonical
};
using PlacesPtr = std::shared_ptr<Places>;

// "0644" → bits; -1 when it is not an octal number of up to four digits.
int mode_bits(std::string_view text);
std::string mode_text(unsigned bits);
std::string not_made(const std::string& path, int error);  // the sentence that says so, with what to do
bool make_parents(const std::string& path, std::string& error);

// Declarations that several types share.
kit::Field path_field();
kit::Field mode_field(const char* standard);
kit::Field parents_field();

// The types, for fs_provider.cc.
std::unique_ptr<kit::Resource> make_file(PlacesPtr places);
std::unique_ptr<kit::Resource> make_directory(PlacesPtr places);
std::unique_ptr<kit::Resource> make_symlink(PlacesPtr places);
std::unique_ptr<kit::DataSource> make_file_data(PlacesPtr places);
std::unique_ptr<kit::DataSource> make_directory_data(PlacesPtr places);
std::unique_ptr<kit::Ephemeral> make_file_ephemeral(PlacesPtr places);

}  // namespace xplan::fs
