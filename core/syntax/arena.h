// File::Arena: where the nodes of a file live.
//
// Who calls it: the parsers and the JSON decoder (through File), the latter from several threads, under
// `lock`. Invariant: an address handed out stays valid until the File goes.  Cost: a node is a slot of a
// chunk that doubles in size, so that a one-line expression does not pay for a page. Thread-safety: the
// caller holds `lock` when the file may be in use by others already.
#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/syntax/body.h"

namespace xplan::syntax {

template <class T>
class Slots {
 public:
  T* next() {
    if (used_ == size_) {
      size_ = std::min<size_t>(size_ ? size_ * 2 : 8, 512);
      chunks_.push_back(std::make_unique<T[]>(size_));
      used_ = 0;
    }
    return &chunks_.back()[used_++];
  }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;
  size_t used_ = 0, size_ = 0;
};

struct File::Arena {
  Slots<Expr> exprs;
  Slots<Block> blocks;
  Slots<Traversal> traversals;
  std::deque<std::vector<Attribute>> attribute_lists;
  std::deque<std::vector<const Block*>> block_lists;
  std::deque<std::vector<const Expr*>> expr_lists;
  std::deque<std::vector<TraversalStep>> step_lists;

  // JSON: the expressions made so far, and nodes for member names (which are strings without a node of their
  // own).
  struct Made {
    const Expr *literal = nullptr, *full = nullptr;
  };
  std::mutex lock;
  std::unordered_map<const JsonNode*, Made> made;
  Slots<JsonNode> names;
};

// The lists that can be kept (file.cc).
template <>
std::span<const Attribute> File::keep(std::vector<Attribute> v);
template <>
std::span<const Block* const> File::keep(std::vector<const Block*> v);
template <>
std::span<const Expr* const> File::keep(std::vector<const Expr*> v);
template <>
std::span<const TraversalStep> File::keep(std::vector<TraversalStep> v);

}  // namespace xplan::syntax
