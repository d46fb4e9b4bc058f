// The addresses of Google Cloud Storage, or of an emulator, and of objects in it.
#include "core/cloud/google_storage.h"

#include "core/cloud/signing.h"

namespace xplan::cloud {

GoogleStorage google_storage(const std::function<std::string(const char* name)>& variable,
                             const std::string& universe) {
  std::string host = variable("STORAGE_EMULATOR_HOST");
  if (host.empty())
    return {"https://storage." + (universe.empty() ? "googleapis.com" : universe) + "/storage/v1/"};
  if (host.find("://") == host.npos) host = "http://" + host;
  while (host.ends_with('/')) host.pop_back();
  return {host + "/storage/v1/", true};
}

std::string google_object_url(const std::string& base, const std::string& bucket, const std::string& name) {
  const std::string list = base + "b/" + uri_escape(bucket) + "/o";
  return name.empty() ? list : list + "/" + uri_escape(name);
}

}  // namespace xplan::cloud
