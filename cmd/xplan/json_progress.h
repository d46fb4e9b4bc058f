// Progress with -json: every event of a run as a message of the stream.
//
// Who calls it: operation.cc hands it to planner and apply.  Thread-safety: as Hooks demands; each message is
// one write of one whole line. Cost: one message per event.
#pragma once
#include "cmd/xplan/progress.h"
#include "cmd/xplan/ticker.h"
#include "core/plan/hooks.h"
#include "render/json_stream.h"

namespace xplan::cmd {

class JsonProgress : public RunHooks {
 public:
  explicit JsonProgress(const render::JsonStream& stream);
  std::vector<UnderWay> under_way() override { return cmd::under_way(ticker_, ephemeral_); }
  void refresh_start(const AbsInstance& a, std::string_view deposed, const ObjectId& id) override;
  void refresh_done(const AbsInstance& a, const ObjectId& id) override;
  void read_start(const AbsInstance& a) override;
  void read_done(const AbsInstance& a, const ObjectId& id, double seconds) override;
  void read_ended(const AbsInstance& a) override { ticker_.stop(a, ""); }
  void ephemeral_start(const AbsInstance& a, std::string_view operation) override;
  void ephemeral_done(const AbsInstance& a, std::string_view operation) override;
  void ephemeral_failed(const AbsInstance& a, std::string_view operation) override;
  void apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                   const ObjectId& id) override;
  void apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                  double seconds) override;
  void apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) override;
  void record_start(const AbsInstance& a, std::string_view deposed, std::string_view place) override {
    ticker_.waits(a, deposed, place);
  }
  void record_done(const AbsInstance& a, std::string_view deposed) override { ticker_.waits(a, deposed, ""); }
  void provision_start(const AbsInstance& a, std::string_view type) override;
  void provision_output(const AbsInstance& a, std::string_view type, std::string_view line) override;
  void provision_done(const AbsInstance& a, std::string_view type, bool ok) override;

 private:
  void tell_ephemeral(const AbsInstance& a, std::string_view type, const std::string& text);
  const render::JsonStream& out_;
  Ticker ticker_;
  Ticker ephemeral_;  // of its own: an ephemeral resource is opened and closed under one address
};

}  // namespace xplan::cmd
