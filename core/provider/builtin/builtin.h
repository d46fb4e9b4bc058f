// The parts of the built-in provider terraform.io/builtin/terraform, one file each.
//
// Who calls it: builtin.cc puts them together.  Thread-safety: all functions are pure except for reading
// state files. Cost: nothing but conversion; terraform_remote_state reads one state file a call.
#pragma once
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
ReadDataResponse read_remote_state(const Value& config, std::shared_ptr<crypt::Codec> codec);

}  // namespace xplan::builtin
