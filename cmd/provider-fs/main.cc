// terraform-provider-fs: the provider fs as a plugin program. See core/provider/fs/fs_provider.h.
#include "core/provider/fs/fs_provider.h"
#include "core/provider/kit/server/server.h"

int main(int argc, char** argv) {
  auto provider = xplan::make_fs_provider();
  xplan::kit::ServeOptions options;
  options.name = "terraform-provider-fs";
  options.protocols = {6};  // a data source has nested attributes
  return xplan::kit::serve(*provider, argc, argv, options);
}
