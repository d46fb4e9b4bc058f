// Many targets together: which of them cover an address.
//
// Who calls it: planning (-target, -exclude), commands on the state that take addresses.
// Invariant: the same answers as Target::covers of each. Cost: made in one pass; a question looks up the
// address and each module around it, however many targets there are. Thread-safety: immutable.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "core/addr/addr.h"

namespace xplan {

class TargetIndex {
 public:
  explicit TargetIndex(std::span<const Target> targets);
  bool covers(const AbsInstance& a) const;
  bool covers(const ConfigResource& r) const;
  bool covers(Module m) const;
  // The positions of those that cover it, in no special order.
  std::vector<uint32_t> covering(const AbsInstance& a) const;
  std::vector<uint32_t> covering(const ConfigResource& r) const;
  const std::vector<Target>& all() const { return all_; }

 private:
  template <class F>
  bool any(const AbsInstance& a, F found) const;  // until found() says true
  using Positions = std::vector<uint32_t>;
  const std::vector<Target> all_;
  std::unordered_map<AbsResource, Positions> resources_;
  std::unordered_map<AbsInstance, Positions> instances_;
  std::unordered_map<uint32_t, Positions> modules_;  // with a key at the last step, or the root
  std::unordered_map<uint64_t, Positions> calls_;    // without one: by parent and call
  std::unordered_map<ConfigResource, Positions> config_resources_;
  std::unordered_map<uint32_t, Positions> config_modules_;
};

}  // namespace xplan
