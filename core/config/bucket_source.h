// Places of modules in object stores: what the URLs of S3 and of Google Cloud Storage say.
//
// Who calls it: module_source.cc, to check and normalize sources; installation.
// Contract: a bucket and a path are never empty, and nothing has control characters. Which service the keys
// of the user go to is decided here: only a host of Amazon's or Google's own counts as theirs.  Cost: linear.
// Thread-safety: pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::config {

struct BucketPlace {
  std::string server;  // scheme and host of a server that speaks like the service; "": the service itself
  std::string region;  // S3; "": the URL does not say
  std::string bucket, path;
  std::string generation;  // GCS; "": the newest
};
// https://s3.REGION.amazonaws.com/BUCKET/PATH and the older forms of it,
// https://BUCKET.s3.REGION.amazonaws.com/ PATH; https://SERVER/BUCKET/PATH.
Result<BucketPlace> s3_place(std::string_view url);
// https://www.googleapis.com/storage/v1/BUCKET/PATH, with #GENERATION.
Result<BucketPlace> gcs_place(std::string_view url);

// The URL for which a source without a scheme stands, if it names the host of one of these services.
std::optional<Result<std::string>> s3_shorthand(std::string_view source);
std::optional<Result<std::string>> gcs_shorthand(std::string_view source);

// Of a path of a URL: "%2F" is "/", "+" is itself.
std::string unescape_path(std::string_view text);

}  // namespace xplan::config
