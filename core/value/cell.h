// Cell: the shared payload of values that do not fit into 16 bytes.
//
// Who calls it: value.cc, number.cc and value_inl.h only.
// Invariant: a cell is written once, before anyone else can see it; afterwards only its count changes. A cell
// with the immortal bit is never counted and never freed.
// Cost: one allocation a cell; elements, keys and text lie behind the header.
// Thread-safety: counts are atomic.
// Why no virtual functions: the kind is in the value that holds the cell, so the cell needs none.
#pragma once
#include <atomic>
#include <cstdint>

namespace xplan {

struct Cell {
  static constexpr uint32_t kImmortal = 1u << 31;
  mutable std::atomic<uint32_t> refs{1};
  uint32_t count = 0;  // elements, or bytes of text

  void retain() const { refs.fetch_add(1, std::memory_order_relaxed); }
  // True for the one caller that has to free it.
  bool release() const {
    // The last owner needs no atomic write: nobody else can see the cell any more.
    if (refs.load(std::memory_order_acquire) == 1) return true;
    return refs.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  bool immortal() const { return refs.load(std::memory_order_relaxed) & kImmortal; }
};
static_assert(sizeof(Cell) == 8);

}  // namespace xplan
