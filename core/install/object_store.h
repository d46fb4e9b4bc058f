// ObjectStore: the bucket that a module comes from, for reading.
//
// Who calls it: object_fetch.cc; a row for each kind of store.
// Contract: what the server says is hostile: names are as it gives them. Credentials are those that the
// reference tools find on this machine, or those of the source, and go to the service and nowhere else;
// redirects are not followed. An error is a phrase, without keys. Cost: one request for each object, and for
// each 1,000 names. Thread-safety: any thread may download().
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/config/bucket_source.h"
#include "core/config/module_source.h"

namespace xplan::install {

class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  virtual Result<std::vector<std::string>> list(const std::string& prefix) = 0;
  // `left`: bytes that all downloads together may still have.
  virtual Result<void> download(const std::string& name, const std::string& to_file,
                                std::atomic<int64_t>& left) = 0;
};

// What the place itself says, or the environment.
Result<std::unique_ptr<ObjectStore>> s3_store(const config::ModuleSource& s, const config::BucketPlace& place,
                                              Stop stop);
Result<std::unique_ptr<ObjectStore>> gcs_store(const config::BucketPlace& place, Stop stop);

std::string environment_variable(const char* name);  // "" where it is not set
std::string beginning_of(const std::string& file);   // 64 KiB of it: what a server says instead of an object

}  // namespace xplan::install
