// The messages of both provider protocols under one set of names, so that code for both is written once.
//
// Who calls it: the conversions beside it, the plugin client and the provider kit's server, in .cc files
// only: the generated headers are large. P5 and P6 name the messages of a call by its purpose
// (ValidateResource); what has the same name in both protocols keeps it.  Cost: compile time.  Thread-safety:
// types only.
#pragma once
#include "core/provider/proto/tfplugin5.pb.h"
#include "core/provider/proto/tfplugin6.pb.h"

namespace xplan::wire {

#define XPLAN_COMMON_MESSAGES(ns)                                              \
  using DynamicValue = ns::DynamicValue;                                       \
  using AttributePath = ns::AttributePath;                                     \
  using Diagnostic = ns::Diagnostic;                                           \
  using Schema = ns::Schema;                                                   \
  using Block = ns::Schema_Block;                                              \
  using Attribute = ns::Schema_Attribute;                                      \
  using NestedBlock = ns::Schema_NestedBlock;                                  \
  using IdentitySchema = ns::ResourceIdentitySchema;                           \
  using IdentityData = ns::ResourceIdentityData;                               \
  using Function = ns::Function;                                               \
  using FunctionParameter = ns::Function_Parameter;                            \
  using ClientCapabilities = ns::ClientCapabilities;                           \
  using Deferred = ns::Deferred;                                               \
  using GetMetadata = ns::GetMetadata;                                         \
  using GetProviderSchema = ns::GetProviderSchema;                             \
  using SchemaResponse = ns::GetProviderSchema_Response;                       \
  using GetResourceIdentitySchemas = ns::GetResourceIdentitySchemas;           \
  using IdentityResponse = ns::GetResourceIdentitySchemas_Response;            \
  using UpgradeResourceState = ns::UpgradeResourceState;                       \
  using UpgradeResourceIdentity = ns::UpgradeResourceIdentity;                 \
  using ReadResource = ns::ReadResource;                                       \
  using PlanResourceChange = ns::PlanResourceChange;                           \
  using ApplyResourceChange = ns::ApplyResourceChange;                         \
  using ImportResourceState = ns::ImportResourceState;                         \
  using GenerateResourceConfig = ns::GenerateResourceConfig;                   \
  using MoveResourceState = ns::MoveResourceState;                             \
  using ReadDataSource = ns::ReadDataSource;                                   \
  using ValidateEphemeralResourceConfig = ns::ValidateEphemeralResourceConfig; \
  using OpenEphemeralResource = ns::OpenEphemeralResource;                     \
  using RenewEphemeralResource = ns::RenewEphemeralResource;                   \
  using CloseEphemeralResource = ns::CloseEphemeralResource;                   \
  using GetFunctions = ns::GetFunctions;                                       \
  using CallFunction = ns::CallFunction;

struct P5 {
  static constexpr int kVersion = 5;
  XPLAN_COMMON_MESSAGES(tfplugin5)
  using ValidateProvider = tfplugin5::PrepareProviderConfig;
  using ValidateResource = tfplugin5::ValidateResourceTypeConfig;
  using ValidateData = tfplugin5::ValidateDataSourceConfig;
  using Configure = tfplugin5::Configure;
  using Stop = tfplugin5::Stop;
};
struct P6 {
  static constexpr int kVersion = 6;
  XPLAN_COMMON_MESSAGES(tfplugin6)
  using ValidateProvider = tfplugin6::ValidateProviderConfig;
  using ValidateResource = tfplugin6::ValidateResourceConfig;
  using ValidateData = tfplugin6::ValidateDataResourceConfig;
  using Configure = tfplugin6::ConfigureProvider;
  using Stop = tfplugin6::StopProvider;
};
#undef XPLAN_COMMON_MESSAGES

}  // namespace xplan::wire
