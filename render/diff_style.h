// DiffStyle: how the inside of a change is shown.
//
// Used by: HumanOptions has one; the differ, the printer and cmd look at it.
// Compat: the form that tools know, byte for byte. Smart: only what changed, for readers: the places at which
// the two differ are `Differ::reorders()` and the functions of smart/.  Thread-safety: a constant.
#pragma once
#include <cstdint>

namespace xplan::render {

enum class DiffStyle : uint8_t { Compat, Smart };

}  // namespace xplan::render
