// Buckets of S3: their URLs, lists of their objects page by page, and the deletion of many.
//
// Who calls it: the backend s3, the installation of modules.
// Contract: answers are hostile; a list has names that begin with the prefix, and nothing else. Cost: linear
// in the page.  Thread-safety: pure.
#pragma once
#include <string>
#include <vector>

#include "core/cloud/listing.h"
#include "core/net/client.h"

namespace xplan::cloud {

// `endpoint`: of the service. The bucket stands before the host where it can, unless `path_style`.
std::string bucket_url(const std::string& endpoint, const std::string& bucket, bool path_style);

// `token`: of the page, from the one before it; empty for the first.
net::Request list_request(const std::string& bucket_url, const std::string& prefix, const std::string& token);
// Adds the page's names; the token of the next page, empty after the last. The error goes on from "the
// response".
Result<std::string> read_list_page(const net::Answer& a, const std::string& prefix, Listing& out);

// Deletes up to kDeletedAtOnce objects.
inline constexpr size_t kDeletedAtOnce = 1000;
net::Request delete_request(const std::string& bucket_url, const std::vector<std::string>& keys);
// Those of the keys that the answer does not say are gone: all of them, where the server does not know such
// requests.
std::vector<std::string> not_deleted(const net::Answer& a, const std::vector<std::string>& keys);

}  // namespace xplan::cloud
