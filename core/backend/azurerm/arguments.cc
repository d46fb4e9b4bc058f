// Which arguments there are, and which variables of the environment stand for them. Other tools hash blocks,
// so the table has exactly their arguments, and
// OpenTofu's additions.
#include "core/backend/azurerm/arguments.h"

#include "core/backend/azurerm/settings.h"

namespace xplan::backend::azurerm {
namespace {

constexpr Argument kArguments[] = {
    {"access_key", Type::string, "ARM_ACCESS_KEY", {}, true},
    {"ado_pipeline_service_connection_id", Type::string,
     "ARM_ADO_PIPELINE_SERVICE_CONNECTION_ID ARM_OIDC_AZURE_SERVICE_CONNECTION_ID "
     "AZURESUBSCRIPTION_SERVICE_CONNECTION_ID"},
    {"client_certificate", Type::string, "ARM_CLIENT_CERTIFICATE", {}, true},
    {"client_certificate_password", Type::string, "ARM_CLIENT_CERTIFICATE_PASSWORD", {}, true},
    {"client_certificate_path", Type::string, "ARM_CLIENT_CERTIFICATE_PATH"},
    {"client_id", Type::string, "ARM_CLIENT_ID"},
    {"client_id_file_path", Type::string, "ARM_CLIENT_ID_FILE_PATH"},
    {"client_secret", Type::string, "ARM_CLIENT_SECRET", {}, true},
    {"client_secret_file_path", Type::string, "ARM_CLIENT_SECRET_FILE_PATH"},
    {"container_name",
     Type::string,
     {},
     {},
     false,
     "The container of the storage account in which the state is kept"},
    {"endpoint"},  // of an API that is no longer used
    {"environment", Type::string, "ARM_ENVIRONMENT", "public"},
    {"key", Type::string, {}, {}, false, "The name of the blob of the state, such as network.tfstate"},
    {"lookup_blob_endpoint", Type::boolean, "ARM_USE_DNS_ZONE_ENDPOINT"},
    {"metadata_host", Type::string, "ARM_METADATA_HOST ARM_METADATA_HOSTNAME"},
    {"msi_endpoint", Type::string, "ARM_MSI_ENDPOINT"},
    {"oidc_request_token",
     Type::string,
     "ARM_OIDC_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN SYSTEM_ACCESSTOKEN",
     {},
     true},
    {"oidc_request_url", Type::string,
     "ARM_OIDC_REQUEST_URL ACTIONS_ID_TOKEN_REQUEST_URL SYSTEM_OIDCREQUESTURI"},
    {"oidc_token", Type::string, "ARM_OIDC_TOKEN", {}, true},
    {"oidc_token_file_path", Type::string, "ARM_OIDC_TOKEN_FILE_PATH"},
    {"resource_group_name"},
    {"sas_token", Type::string, "ARM_SAS_TOKEN", {}, true},
    {"snapshot", Type::boolean, "ARM_SNAPSHOT"},
    {"storage_account_name", Type::string, {}, {}, false, "The storage account with the container"},
    {"subscription_id", Type::string, "ARM_SUBSCRIPTION_ID"},
    {"tenant_id", Type::string, "ARM_TENANT_ID"},
    {"use_aks_workload_identity", Type::boolean, "ARM_USE_AKS_WORKLOAD_IDENTITY"},
    {"use_azuread_auth", Type::boolean, "ARM_USE_AZUREAD"},
    {"use_cli", Type::boolean, "ARM_USE_CLI", "true"},
    {"use_msi", Type::boolean, "ARM_USE_MSI"},
    {"use_oidc", Type::boolean, "ARM_USE_OIDC"},
    {"timeout_seconds", Type::number, "ARM_TIMEOUT_SECONDS"},
    {"customer_provided_key", Type::string, "ARM_CUSTOMER_PROVIDED_KEY", {}, true},
    {"encryption_scope", Type::string, "ARM_ENCRYPTION_SCOPE ARM_ENCYRPTION_SCOPE"},  // once misspelt
    {"ado_service_connection_id"},
};

}  // namespace

std::span<const Argument> arguments() {
  return kArguments;
}

const schema::Block& azurerm_schema() {
  static const schema::Block block = schema_of(kArguments);
  return block;
}

}  // namespace xplan::backend::azurerm
