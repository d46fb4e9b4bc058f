// Declares the fs provider: its configuration (root) and its resource, data source and ephemeral types.
// Their behaviour is in file.cc, directory.cc and data.cc.
#include "core/provider/fs/fs_provider.h"

#include "core/provider/fs/place.h"

namespace xplan {

std::shared_ptr<kit::Provider> make_fs_provider() {
  auto places = std::make_shared<fs::Places>();
  auto p = std::make_shared<kit::Provider>();
  p->set_config({{kit::string("root").optional().describe(
                     "The directory that paths are relative to; no path can lead outside of it.")},
                 0,
                 "Files and directories.",
                 ""},
                [places](const ConfigureRequest& r) {
                  kit::ConfigureResult out;
                  const Value& root = *r.config.find_attr("root");
                  if (root.is_unknown() && r.deferral_allowed) {
                    out.deferred = Deferral::ProviderConfigUnknown;
                  } else if (root.is_unknown()) {
                    kit::add_error(out.diags, "Unknown root",
                                   "The value of root depends on values that are known only after apply. "
                                   "Apply what it depends on first, or use a known value.",
                                   kit::at("root"));
                  } else {
                    places->set_root(root.is_null() ? std::string_view() : root.as_string(), out.diags);
                  }
                  return out;
                });
  p->add("fs_file", fs::make_file(places));
  p->add("fs_directory", fs::make_directory(places));
  p->add("fs_symlink", fs::make_symlink(places));
  p->add("fs_file", fs::make_file_data(places));
  p->add("fs_directory", fs::make_directory_data(places));
  p->add("fs_file", fs::make_file_ephemeral(places));
  return p;
}

}  // namespace xplan
