// NearestText: did_you_mean() for many questions about the same candidates.
//
// Who calls it: plan/unmatched.
// Contract: the answer is that of did_you_mean() with the candidates in order.  Cost: sorts them once. A
// question follows them as a tree of prefixes, and leaves a branch when no text in it can be near enough any
// more, for ever wider meanings of near: that is a small part of them unless they are almost all alike.
// Thread-safety: const functions from any thread.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace xplan {

class NearestText {
 public:
  explicit NearestText(std::vector<std::string> candidates);
  std::string_view find(std::string_view given) const;  // empty: none is near

 private:
  std::string_view within(std::string_view given, size_t limit) const;
  std::vector<std::string> texts_;  // sorted
};

}  // namespace xplan
