// The journal of a state that is an object: segments that are objects, too, JOURNAL/NAME.
//
// Who calls it: the kinds whose states are objects of a store (azurerm, gcs, s3; cos and oss by
// bucket_place.h). Their clients have these functions: list, shown and stop. Contract: that of Place, without
// the state itself, and without a lock. Cost: as Place says. Thread-safety: as Place says.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/backend/concurrent.h"
#include "core/base/stop.h"
#include "core/state/place.h"

namespace xplan::backend {

template <class Client>
class ObjectPlace : public Place {
 public:
  ObjectPlace(std::shared_ptr<Client> client, std::string state, std::string journal)
      : client_(std::move(client)), state_(std::move(state)), journal_(std::move(journal)) {}

  std::string name() const override { return client_->shown(state_); }
  std::string key() const override { return state_; }

  bool keeps_segments() const override { return true; }
  size_t concurrent_segments() const override { return kConcurrentPuts; }
  bool reads_concurrently() const override { return true; }
  Result<std::vector<std::string>> segments(bool always) override {
    const std::string prefix = segment("");
    Result<std::vector<std::string>> names = client_->list(prefix, stop_unless(always));
    if (!names) return names.error();
    return names_below(prefix, *names);
  }
  Result<std::string> get_segment(const std::string& name) override { return read(name, nullptr); }
  Result<std::vector<std::string>> get_segments(const std::vector<std::string>& names) override {
    return read_segments(names,
                         [&](const std::string& n, std::atomic<int64_t>* left) { return read(n, left); });
  }
  Result<void> remove_segments(const std::vector<std::string>& names) override {
    return remove_each(names, [&](const std::string& name) { return this->remove_segment(name); });
  }

 protected:
  // A segment, which takes what comes from the bytes that are left; null: there is no limit to share.
  virtual Result<std::string> read(const std::string& name, std::atomic<int64_t>* left) = 0;
  template <class Object>
  Result<std::string> bytes_of(Result<std::optional<Object>> there, const std::string& name) const {
    if (!there) return there.error();
    if (!*there) return Error{fmt::format("\"{}\" does not exist", client_->shown(segment(name)))};
    return std::move((*there)->bytes);
  }
  std::string segment(const std::string& name) const { return journal_ + "/" + name; }
  Stop stop_unless(bool always) const { return always ? nullptr : client_->stop(); }

  const std::shared_ptr<Client> client_;
  const std::string state_, journal_;
};

}  // namespace xplan::backend
