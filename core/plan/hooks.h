// Hooks: what a user interface may want to hear while a walk runs.
//
// Who implements it: cmd (human and JSON progress), tests.  Who calls it: planner and apply.
// Thread-safety: calls come from several threads concurrently; an implementation locks for itself. Values
// carry marks; an implementation prints none of them except ids given as text, which are never sensitive.
// Cost: a virtual call per event; calls are made while the walk waits, so an implementation must return soon.
#pragma once
#include <string>
#include <string_view>

#include "core/addr/addr.h"
#include "core/plan/plan.h"

namespace xplan {

// id_key/id_value: the attribute that identifies an object to people ("id"), empty when unknown or sensitive.
struct ObjectId {
  std::string key, value;
};
ObjectId object_id(const Value& object);

class Hooks {
 public:
  virtual ~Hooks() = default;
  virtual void refresh_start(const AbsInstance&, std::string_view /*deposed*/, const ObjectId&) {}
  virtual void refresh_done(const AbsInstance&, const ObjectId&) {}
  // Import blocks: before the provider is asked for the object, and when it is taken into the state.
  virtual void import_prepare(const AbsInstance&, const ObjectId& /*what is asked for*/) {}
  virtual void imported(const AbsInstance&, const ObjectId&) {}
  virtual void read_start(const AbsInstance&) {}  // data sources
  virtual void read_done(const AbsInstance&, const ObjectId&, double /*seconds*/) {}
  // The provider reported an error or deferred the read; an invalid object is an apply_failed.
  virtual void read_ended(const AbsInstance&) {}
  virtual void ephemeral_start(const AbsInstance&, std::string_view /*open, renew, close*/) {}
  virtual void ephemeral_done(const AbsInstance&, std::string_view /*operation*/) {}
  virtual void ephemeral_failed(const AbsInstance&, std::string_view /*operation*/) {}
  virtual void apply_start(const AbsInstance&, std::string_view /*deposed*/, Action, const ObjectId&) {}
  virtual void apply_done(const AbsInstance&, std::string_view /*deposed*/, Action, const ObjectId&,
                          double /*seconds*/) {}
  virtual void apply_failed(const AbsInstance&, std::string_view /*deposed*/, Action, double /*seconds*/) {}
  // Between the start and the end of an apply: a server that keeps the journal is asked to record it.
  virtual void record_start(const AbsInstance&, std::string_view /*deposed*/, std::string_view /*place*/) {}
  virtual void record_done(const AbsInstance&, std::string_view /*deposed*/) {}
  virtual void provision_start(const AbsInstance&, std::string_view /*type*/) {}
  virtual void provision_output(const AbsInstance&, std::string_view /*type*/, std::string_view /*line*/) {}
  virtual void provision_done(const AbsInstance&, std::string_view /*type*/, bool /*ok*/) {}
};
inline Hooks& no_hooks() {  // where nobody wants to hear anything
  static Hooks none;
  return none;
}

}  // namespace xplan
