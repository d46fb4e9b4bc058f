// OssClient: objects of a bucket, and requests about rows of a TableStore table, as the backend "oss" uses
// them.
//
// Who calls it: place.cc, rows.cc and server.cc.
// Contract: an error is a phrase that names the object or the row. The service does not compare before it
// writes an object. What is read has the sum that the service says it has. What `stop` is given to ends when
// it is set; the rest (whatever ends a run: the last write, the release of locks) does not.  Cost: one
// request each; the first about an object may look up where objects are.  Thread-safety: any thread.
#pragma once
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/oss/settings.h"

namespace xplan::backend::oss {

struct OssObject {
  std::string bytes, md5;  // md5: in hexadecimal digits, of the bytes
};

class OssClient {
 public:
  OssClient(OssSettings settings, Stop stop)
      : settings_(std::move(settings)), stop_(stop), client_(settings_.alibaba, stop) {}
  const OssSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& name) const { return "oss://" + settings_.bucket + "/" + name; }

  Result<std::optional<OssObject>> get(const std::string& name, net::Ending stop = nullptr,
                                       std::atomic<int64_t>* left = nullptr);
  // Whether a look shows that this is the sum of its bytes; false: it shows nothing, or something else.
  Result<bool> has_md5(const std::string& name, const std::string& md5);
  Result<void> put(const std::string& name, std::string_view bytes, net::Ending stop = nullptr);
  Result<void> remove(const std::string& name);
  Result<std::vector<std::string>> list(const std::string& prefix, net::Ending stop = nullptr);  // in order

  struct TableAnswer {
    std::string refused;  // the code, where the service refuses
    std::string text;     // the answer, or the whole problem
  };
  Result<TableAnswer> table(const char* action, const std::string& body, const std::string& row,
                            net::Ending stop = nullptr);

 private:
  std::string base(net::Ending stop);
  Result<net::Answer> send(cloud::OssCall c, uint64_t limit, net::Ending stop,
                           std::atomic<int64_t>* left = nullptr);
  Error failed(const std::string& what, const std::string& name, const Result<net::Answer>& a,
               net::Ending stop = nullptr) const;

  const OssSettings settings_;
  const Stop stop_;
  cloud::AlibabaClient client_;
  std::mutex mutex_;
  std::string host_;  // of objects, once it was looked up
};

}  // namespace xplan::backend::oss
