// CosClient: objects of a bucket and tags, as the backend "cos" uses them.
//
// Who calls it: place.cc, locks.cc and server.cc.
// Contract: an error is a phrase that names the object. The service does not compare before it writes:
// whoever writes looks first, under the lock of the state. What is read has the sum that was written with
// it. What `stop` is given to ends when it is set; the rest (whatever ends a run: the last write, the release
// of locks) does not.  Cost: one request each, and one more to look. Thread-safety: any thread.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/cos/settings.h"

namespace xplan::backend::cos {

struct CosObject {
  std::string bytes, md5;  // md5: in hexadecimal digits, of the bytes
};

// Unsure: it was there, but an earlier attempt may have made or removed it.
enum class TagChange : uint8_t { Done, Not, Unsure };

class CosClient {
 public:
  CosClient(CosSettings settings, Stop stop)
      : settings_(std::move(settings)), stop_(stop), client_(settings_.tencent, stop) {}
  const CosSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& name) const { return "cos://" + settings_.bucket + "/" + name; }

  Result<std::optional<CosObject>> get(const std::string& name, net::Ending stop = nullptr,
                                       std::atomic<int64_t>* left = nullptr);
  // The sum that was written with it, as a look shows; nothing: it shows none.
  Result<std::optional<std::string>> told_md5(const std::string& name);
  Result<bool> has_md5(const std::string& name, const std::string& md5);
  Result<void> put(const std::string& name, std::string_view bytes, net::Ending stop = nullptr);
  // `unsure`: then it is sent once, and on an error this says whether it may have been carried out all the
  // same.
  Result<void> remove(const std::string& name, bool* unsure = nullptr, net::Ending stop = nullptr);
  Result<std::vector<std::string>> list(const std::string& prefix, net::Ending stop = nullptr);  // in order

  // The tag that keeps others from looking at the same lock: one key, a value for each lock. Not: it was
  // there already, or not there.
  Result<TagChange> add_tag(const std::string& value, net::Ending stop);
  Result<TagChange> remove_tag(const std::string& value, net::Ending stop = nullptr);
  static std::string shown_tag(const std::string& value);

 private:
  cloud::CosCall call(const char* method, const std::string& name) const;
  Result<net::Answer> send(const cloud::CosCall& c, uint64_t limit, net::Ending stop,
                           std::atomic<int64_t>* left = nullptr);
  Result<TagChange> tag(const char* action, const std::string& value, std::string_view harmless,
                        net::Ending stop);
  Error failed(const std::string& what, const std::string& name, const Result<net::Answer>& a,
               net::Ending stop = nullptr) const;

  const CosSettings settings_;
  const Stop stop_;
  cloud::TencentClient client_;
};

}  // namespace xplan::backend::cos
