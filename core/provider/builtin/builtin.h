// The parts of the built-in provider terraform.io/builtin/terraform, one file each.
//
// Who calls it: builtin.cc puts them together.  Thread-safety: all functions are pure except for reading
// states, which any thread may. Cost: nothing but conversion; terraform_remote_state reads one state a call.
#pragma once
#include <atomic>
#include <memory>

#include "core/backend/backend.h"
#include "core/hosts/once_map.h"
#include "core/provider/provider.h"

namespace xplan::builtin {

// terraform_data: a value that is kept, and replaced when its triggers change.
schema::Schema data_schema();
PlanResponse plan_data(const PlanRequest& r);
ApplyResponse apply_data(const ApplyRequest& r);
ImportResponse import_data(const std::string& id);
UpgradeResponse upgrade_data(std::string_view raw_json);
UpgradeResponse move_to_data(const ProviderAddr& source_provider, Symbol source_type,
                             std::string_view source_json);

// data terraform_remote_state: the outputs of another state.
schema::Schema remote_state_schema();
ProviderDiags validate_remote_state(const Value& config);
// Reads them for one run: a backend is opened once for equal settings, and what is under way ends when the
// run is told to stop.
class RemoteStates {
 public:
  RemoteStates();
  ReadDataResponse read(const Value& config, std::shared_ptr<crypt::Codec> codec);
  void stop() { stop_ = true; }

 private:
  using Opened = Result<std::unique_ptr<backend::Backend>>;
  std::atomic<bool> stop_{false};  // outlives what is opened
  const std::shared_ptr<backend::Clients> clients_;
  hosts::OnceMap<Opened> opened_;  // by the settings
};

}  // namespace xplan::builtin
