// The lock of a workspace on HCP Terraform, and the workspace itself, once it is found.
//
// Who calls it: place.cc.
// Contract: that of Place. The server has one lock for each workspace, and no ID of it: whose it is, its
// reason tells, which names the run. A workspace that does not exist is created when its lock is taken. Cost:
// a request each, and one to find the workspace. Thread-safety: FoundWorkspace, and still_held(), from any
// thread, while nothing else changes the lock.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "core/backend/hcp/api.h"
#include "core/backend/hcp/workspaces.h"
#include "core/state/place.h"

namespace xplan::backend::hcp {

class FoundWorkspace {
 public:
  FoundWorkspace(std::shared_ptr<Api> api, std::string name) : api_(std::move(api)), name_(std::move(name)) {}
  Result<std::optional<std::string>> id(Stop stop);  // nothing: it does not exist
  Result<void> make();

 private:
  const std::shared_ptr<Api> api_;
  const std::string name_;
  std::mutex mutex_;
  std::string id_;  // once it is known
};

class HcpLock {
 public:
  HcpLock(std::shared_ptr<Api> api, std::string workspace, std::shared_ptr<FoundWorkspace> found)
      : api_(std::move(api)), name_(std::move(workspace)), found_(std::move(found)) {}
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);

 private:
  std::string what(std::string_view doing) const;
  std::string lock_id() const { return api_->settings().organization + "/" + name_; }
  Result<Reply> act(const char* action, const std::string* body, net::Ending stop, bool once = false);
  Place::Locking held_elsewhere(const Workspace& w, Stop stop) const;

  const std::shared_ptr<Api> api_;
  const std::string name_;
  const std::shared_ptr<FoundWorkspace> found_;
  std::string ours_;  // the reason of the lock that this has
};

}  // namespace xplan::backend::hcp
