// Who holds a lock, as the reference tools write it into an object or item beside a state.
//
// Who calls it: locks that are objects or items of a server.
// Contract: the text is hostile. What comes out is as it stands there, since IDs are compared: whoever shows
// it makes it harmless (shown_foreign()). What is damaged or absent is empty.  Cost: linear.  Thread-safety:
// pure.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "core/base/command_line.h"
#include "core/base/shown_text.h"
#include "core/state/lock.h"
#include "core/state/place.h"

namespace xplan::backend {

inline LockInfo lock_info_in(const std::string& json) {
  return parse_lock_info(json).value_or(LockInfo{});
}

// Of a lock that this text stands in, or of one whose holder was gone before it could be read.
inline Place::Locking held_by(const std::string& text, std::string reason, const std::string& what) {
  Place::Locking out{true, std::nullopt, std::move(reason)};
  if (LockInfo info = lock_info_in(text); !info.id.empty()) out.holder = std::move(info);
  if (!out.holder && !text.empty()) {
    out.reason += ", but its holder is not known, because its content is not valid lock information";
    out.advice = fmt::format("If no other run is using the state, delete {}; force-unlock cannot", what);
  }
  return out;
}

// Of a lock that was taken, or may have been, and could not be released again.
inline Error may_remain(const Error& why, const std::string& id) {
  return Error{
      fmt::format("{}. The lock that this run has just acquired (ID {}) may not have been released. Release "
                  "it with:\n  {} force-unlock {}\n\nUntil then, no other run can change the state",
                  why.message, id, program_name(), shell_word(id))};
}

}  // namespace xplan::backend
