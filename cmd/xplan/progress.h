// Progress: what people see while a run works. On a terminal everything that starts and ends; in a pipe only what was done.
//
// Who calls it: operation.cc hands it to planner and apply.  Thread-safety: as Hooks demands.
#pragma once
#include <atomic>

#include "cmd/xplan/session.h"
#include "core/plan/hooks.h"

namespace xplan::cmd {

class Progress : public Hooks {
 public:
  explicit Progress(Session& s) : s_(s) {}
  void refresh_start(const AbsInstance& a, const ObjectId& id) override;
  void read_start(const AbsInstance& a) override;
  void apply_start(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id) override;
  void apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id, double seconds) override;
  void apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) override;
  void provision_start(const AbsInstance& a, std::string_view type) override;
  void provision_output(const AbsInstance& a, std::string_view type, std::string_view line) override;

 private:
  void line(std::string text);
  Session& s_;
};

}  // namespace xplan::cmd
