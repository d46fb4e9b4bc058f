// The place of a state that is an object of a store that cannot compare: a write looks first.
//
// Who calls it: the kinds whose clients have these functions: get(name, stop, left), has_md5, put, remove,
// list, shown and stop; what they get has bytes and their md5, which is the version. Contract: that of Place,
// without a lock. Cost: as Place says, and a look before each write; what is there is read only if the look
// does not show that it is what was there. Thread-safety: as Place says.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "core/backend/object_place.h"
#include "core/base/base64.h"
#include "core/base/digest.h"

namespace xplan::backend {

template <class Client>
class BucketPlace : public ObjectPlace<Client> {
 public:
  using ObjectPlace<Client>::ObjectPlace;
  using Put = Place::Put;

  Result<std::optional<Content>> get(Arrival* /*arrival*/, bool always) override {
    return read_state(this->stop_unless(always));
  }
  Result<bool> is_still(const std::optional<std::string>& version) override {
    const Result<bool> same = version ? client_->has_md5(state_, *version) : Result<bool>(false);
    return same && *same ? same : Place::is_still(version);
  }
  // What is there already was written by an attempt whose answer was lost.
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override {
    const std::string md5 = hex_encode(digest(Digest::Md5, bytes));
    const Result<bool> same = version ? client_->has_md5(state_, *version) : Result<bool>(false);
    if (!same) return same.error();
    if (!*same) {
      const Result<std::optional<Content>> there = read_state(nullptr);
      if (!there) return there.error();
      const std::optional<std::string> found = *there ? std::optional((*there)->version) : std::nullopt;
      if (found != version) return found == md5 ? Put{false, md5} : Put{true, {}};
    }
    if (Result<void> done = client_->put(state_, bytes); !done) return done.error();
    return Put{false, md5};
  }

  std::string journal_name() const override { return client_->shown(this->journal_); }
  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    return client_->put(this->segment(name), bytes, how);
  }
  Result<void> remove_segment(const std::string& name) override {
    return client_->remove(this->segment(name));
  }

 protected:
  using ObjectPlace<Client>::client_;
  using ObjectPlace<Client>::state_;
  Result<std::string> read(const std::string& name, std::atomic<int64_t>* left) override {
    return this->bytes_of(client_->get(this->segment(name), client_->stop(), left), name);
  }

 private:
  Result<std::optional<Content>> read_state(Stop stop) {
    auto there = client_->get(state_, stop);
    if (!there) return there.error();
    if (!*there) return std::optional<Content>();
    return std::optional(Content{std::move((*there)->bytes), std::move((*there)->md5)});
  }
};

}  // namespace xplan::backend
