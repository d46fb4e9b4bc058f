// The names of the methods of both protocols on the wire.
//
// Used by: calls.cc.  Contract: the strings live as long as the process.  Thread-safety: constants.
// Cost: none.
#pragma once

namespace xplan::plugin {

struct Methods5 {
  static constexpr const char *kSchema = "/tfplugin5.Provider/GetSchema",
                              *kIdentities = "/tfplugin5.Provider/GetResourceIdentitySchemas",
                              *kValidateProvider = "/tfplugin5.Provider/PrepareProviderConfig",
                              *kValidateResource = "/tfplugin5.Provider/ValidateResourceTypeConfig",
                              *kValidateData = "/tfplugin5.Provider/ValidateDataSourceConfig",
                              *kValidateEphemeral = "/tfplugin5.Provider/ValidateEphemeralResourceConfig",
                              *kConfigure = "/tfplugin5.Provider/Configure",
                              *kUpgrade = "/tfplugin5.Provider/UpgradeResourceState",
                              *kUpgradeIdentity = "/tfplugin5.Provider/UpgradeResourceIdentity",
                              *kRead = "/tfplugin5.Provider/ReadResource",
                              *kPlan = "/tfplugin5.Provider/PlanResourceChange",
                              *kApply = "/tfplugin5.Provider/ApplyResourceChange",
                              *kImport = "/tfplugin5.Provider/ImportResourceState",
                              *kGenerate = "/tfplugin5.Provider/GenerateResourceConfig",
                              *kMove = "/tfplugin5.Provider/MoveResourceState",
                              *kReadData = "/tfplugin5.Provider/ReadDataSource",
                              *kOpen = "/tfplugin5.Provider/OpenEphemeralResource",
                              *kRenew = "/tfplugin5.Provider/RenewEphemeralResource",
                              *kClose = "/tfplugin5.Provider/CloseEphemeralResource",
                              *kFunction = "/tfplugin5.Provider/CallFunction",
                              *kStop = "/tfplugin5.Provider/Stop";
};
struct Methods6 {
  static constexpr const char *kSchema = "/tfplugin6.Provider/GetProviderSchema",
                              *kIdentities = "/tfplugin6.Provider/GetResourceIdentitySchemas",
                              *kValidateProvider = "/tfplugin6.Provider/ValidateProviderConfig",
                              *kValidateResource = "/tfplugin6.Provider/ValidateResourceConfig",
                              *kValidateData = "/tfplugin6.Provider/ValidateDataResourceConfig",
                              *kValidateEphemeral = "/tfplugin6.Provider/ValidateEphemeralResourceConfig",
                              *kConfigure = "/tfplugin6.Provider/ConfigureProvider",
                              *kUpgrade = "/tfplugin6.Provider/UpgradeResourceState",
                              *kUpgradeIdentity = "/tfplugin6.Provider/UpgradeResourceIdentity",
                              *kRead = "/tfplugin6.Provider/ReadResource",
                              *kPlan = "/tfplugin6.Provider/PlanResourceChange",
                              *kApply = "/tfplugin6.Provider/ApplyResourceChange",
                              *kImport = "/tfplugin6.Provider/ImportResourceState",
                              *kGenerate = "/tfplugin6.Provider/GenerateResourceConfig",
                              *kMove = "/tfplugin6.Provider/MoveResourceState",
                              *kReadData = "/tfplugin6.Provider/ReadDataSource",
                              *kOpen = "/tfplugin6.Provider/OpenEphemeralResource",
                              *kRenew = "/tfplugin6.Provider/RenewEphemeralResource",
                              *kClose = "/tfplugin6.Provider/CloseEphemeralResource",
                              *kFunction = "/tfplugin6.Provider/CallFunction",
                              *kStop = "/tfplugin6.Provider/StopProvider";
};

}  // namespace xplan::plugin
