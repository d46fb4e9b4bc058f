// TeeProgress: what people see of a run, and the same for programs in a file (-json-into).
//
// Who calls it: operation.cc hands it to planner and apply.  Cost: that of both.  Thread-safety: as Hooks
// demands, which both sides meet by themselves.
#pragma once
#include <memory>
#include <utility>

#include "cmd/xplan/json_progress.h"

namespace xplan::cmd {

class TeeProgress : public RunHooks {
 public:
  TeeProgress(std::unique_ptr<RunHooks> shown, const render::JsonStream& file)
      : shown_(std::move(shown)), file_(file) {}
  std::vector<UnderWay> under_way() override { return shown_->under_way(); }
  bool interject(const std::string& text, bool last) override { return shown_->interject(text, last); }
  void refresh_start(const AbsInstance& a, std::string_view deposed, const ObjectId& id) override {
    both(&Hooks::refresh_start, a, deposed, id);
  }
  void refresh_done(const AbsInstance& a, const ObjectId& id) override { both(&Hooks::refresh_done, a, id); }
  void import_prepare(const AbsInstance& a, const ObjectId& id) override {
    both(&Hooks::import_prepare, a, id);
  }
  void imported(const AbsInstance& a, const ObjectId& id) override { both(&Hooks::imported, a, id); }
  void read_start(const AbsInstance& a) override { both(&Hooks::read_start, a); }
  void read_done(const AbsInstance& a, const ObjectId& id, double seconds) override {
    both(&Hooks::read_done, a, id, seconds);
  }
  void read_ended(const AbsInstance& a) override { both(&Hooks::read_ended, a); }
  void ephemeral_start(const AbsInstance& a, std::string_view operation) override {
    both(&Hooks::ephemeral_start, a, operation);
  }
  void ephemeral_done(const AbsInstance& a, std::string_view operation) override {
    both(&Hooks::ephemeral_done, a, operation);
  }
  void ephemeral_failed(const AbsInstance& a, std::string_view operation) override {
    both(&Hooks::ephemeral_failed, a, operation);
  }
  void apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                   const ObjectId& id) override {
    both(&Hooks::apply_start, a, deposed, action, id);
  }
  void apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                  double seconds) override {
    both(&Hooks::apply_done, a, deposed, action, id, seconds);
  }
  void apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) override {
    both(&Hooks::apply_failed, a, deposed, action, seconds);
  }
  void record_start(const AbsInstance& a, std::string_view deposed, std::string_view place) override {
    both(&Hooks::record_start, a, deposed, place);
  }
  void record_done(const AbsInstance& a, std::string_view deposed) override {
    both(&Hooks::record_done, a, deposed);
  }
  void provision_start(const AbsInstance& a, std::string_view type) override {
    both(&Hooks::provision_start, a, type);
  }
  void provision_output(const AbsInstance& a, std::string_view type, std::string_view line) override {
    both(&Hooks::provision_output, a, type, line);
  }
  void provision_done(const AbsInstance& a, std::string_view type, bool ok) override {
    both(&Hooks::provision_done, a, type, ok);
  }

 private:
  template <class... P, class... A>
  void both(void (Hooks::*event)(P...), const A&... a) {
    (static_cast<Hooks&>(*shown_).*event)(a...);
    (static_cast<Hooks&>(file_).*event)(a...);
  }

  const std::unique_ptr<RunHooks> shown_;
  JsonProgress file_;
};

}  // namespace xplan::cmd
