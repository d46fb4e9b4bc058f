// Listing: the names that a server tells page by page, and when to stop asking.
//
// Who calls it: the clients of object stores: backends and the installation of modules.
// Contract: a page is asked for once. A server that sends one page for ever, page after page without a new
// name, or more names than fit into memory, is one whose list does not end.  Cost: the names and what the
// pages are asked for with. Thread-safety: one thread.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace xplan::cloud {

class Listing {
 public:
  void add(std::string name) {
    size_ += name.size() + sizeof(std::string);
    if (known_.insert(std::hash<std::string>()(name)).second) pages_without_ = 0;
    names_.push_back(std::move(name));
  }
  // Whether to ask for the page that the token stands for.
  bool goes_on(const std::string& token) {
    size_ += token.size() + sizeof(std::string);
    if (++pages_without_ > kPagesWithout) return false;
    return size_ <= kMost && !token.empty() && tokens_.insert(token).second;
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  static constexpr size_t kMost = size_t{256} << 20;
  static constexpr int kPagesWithout = 100;  // some are usual: of names that were just deleted
  std::vector<std::string> names_;
  std::set<std::string> tokens_;
  std::unordered_set<size_t> known_;  // digests of names
  size_t size_ = 0;
  int pages_without_ = 0;  // names that are new, up to here
};

}  // namespace xplan::cloud
