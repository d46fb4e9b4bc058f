// Where Google Cloud Storage is, and the URLs of its objects.
//
// Who calls it: the backend gcs, the installation of modules.
// Contract: STORAGE_EMULATOR_HOST names a server in its place, which is asked without credentials. Cost:
// constant.  Thread-safety: pure, but for what `variable` does.
#pragma once
#include <functional>
#include <string>

namespace xplan::cloud {

struct GoogleStorage {
  std::string base;  // ".../storage/v1/"
  bool anonymous = false;
};
// `universe`: the domain of the services, where it is not the usual one.
GoogleStorage google_storage(const std::function<std::string(const char* name)>& variable,
                             const std::string& universe = {});
// Of the bucket's list where the name is empty.
std::string google_object_url(const std::string& base, const std::string& bucket, const std::string& name);

}  // namespace xplan::cloud
