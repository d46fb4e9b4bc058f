// Server: what a backend on a server implements; and the Backend made of one.
//
// Who implements it: core/backend/NAME, one directory for each kind. Who calls it: kinds' open(), which hand
// it to remote_backend(), and nobody else. Contract: it knows where states are and how they are locked, as
// bytes (core/state/place.h); what is in them, journals, encryption and messages about states are written
// once above it. Nothing is sent before the first call that needs an answer. A place may outlive the server,
// so they share what they both use. Thread-safety: any thread; places as core/state/place.h says.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/state/place.h"

namespace xplan::backend {

class Server {
 public:
  virtual ~Server() = default;
  virtual std::unique_ptr<Place> place(const std::string& workspace) const = 0;
  // Equal: it is the same state. Never shown, for where the names of places leave something out.
  virtual std::string identity(const std::string& workspace) const { return place(workspace)->name(); }
  // All that there are, in any order; "default" need not be among them. An error where the kind has no
  // workspaces.
  virtual Result<std::vector<std::string>> workspaces() const = 0;
  virtual bool has_workspaces() const { return true; }
  virtual bool has_default() const { return true; }  // see Backend, and the next
  virtual std::string only_workspace() const { return has_workspaces() ? "" : "default"; }
  virtual Result<Runs> runs(const std::string& /*workspace*/) const { return Runs{}; }
  virtual bool creates_one_at_a_time() const { return false; }  // see Backend
  virtual Result<void> prepare() const { return {}; }           // what must exist before the first run
  // Where a workspace exists without having a state; fine if it is there.
  virtual Result<void> create(const std::string& /*workspace*/) const { return {}; }
  // With its state; not "default".
  virtual Result<void> remove(const std::string& workspace) const = 0;
  virtual Result<void> remove_unused(const std::string& workspace) const { return remove(workspace); }
  virtual bool lock_outlives_state() const { return false; }  // remove() does not touch it
  virtual Result<Backend::Rest> remove_locked(const std::string& workspace,
                                              bool unused) const;  // see Backend
  // Whether a workspace begins with an empty state, as the reference tools make it, locked, when it is
  // selected.
  enum class Empty : uint8_t { Never, OfOthers, Always };  // OfOthers: but not of "default"
  virtual Empty begins_empty() const { return Empty::OfOthers; }
};

// Of a workspace that there cannot be: whatever is asked of it is this error.
std::unique_ptr<Place> no_place(std::string name, Error why);

// How often states are written while changes are made, unless their journal is on the server: every 20
// seconds, or as TF_STATE_PERSIST_INTERVAL says in seconds, but never more often. `set`: its value, or null.
std::chrono::milliseconds persist_interval(const char* set);
// Whether journals are kept on servers: unless XPLAN_REMOTE_JOURNAL says "off". `set`: its value, or null.
bool keeps_remote_journals(const char* set);

std::unique_ptr<Backend> remote_backend(std::unique_ptr<Server> server, const Opening& opening);

}  // namespace xplan::backend
