// Which arguments there are, and which variables of the environment stand for them. Other tools hash blocks,
// so the tables have exactly their arguments,
// and OpenTofu's additions.
#include "core/backend/s3/arguments.h"

#include "core/backend/s3/settings.h"

namespace xplan::backend::s3 {
namespace {

Type strings() {
  return Type::set(Type::string());
}
Type tags() {
  return Type::map(Type::string());
}

constexpr Argument kArguments[] = {
    {"access_key"},
    {"acl"},
    {"allowed_account_ids", strings},
    {"bucket", Type::string, {}, {}, false, "The S3 bucket in which the state is kept"},
    {"custom_ca_bundle", Type::string, "AWS_CA_BUNDLE"},
    {"dynamodb_endpoint"},
    {"dynamodb_table"},
    {"ec2_metadata_service_endpoint", Type::string, "AWS_EC2_METADATA_SERVICE_ENDPOINT"},
    {"ec2_metadata_service_endpoint_mode", Type::string, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"},
    {"encrypt", Type::boolean},
    {"endpoint"},
    {"forbidden_account_ids", strings},
    {"force_path_style", Type::boolean},
    {"http_proxy", Type::string, "HTTP_PROXY http_proxy"},
    {"https_proxy", Type::string, "HTTPS_PROXY https_proxy"},
    {"iam_endpoint"},
    {"insecure", Type::boolean},
    {"key",
     Type::string,
     {},
     {},
     false,
     "The path of the state in the bucket, such as network/terraform.tfstate"},
    {"kms_key_id"},
    {"max_retries", Type::number, "AWS_MAX_ATTEMPTS", "5"},
    {"no_proxy", Type::string, "NO_PROXY no_proxy"},
    {"profile"},
    {"region", Type::string, "AWS_REGION AWS_DEFAULT_REGION"},
    {"retry_mode", Type::string, "AWS_RETRY_MODE"},
    {"secret_key", Type::string, {}, {}, true},
    {"shared_config_files", strings},
    {"shared_credentials_file"},
    {"shared_credentials_files", strings},
    {"skip_credentials_validation", Type::boolean},
    {"skip_metadata_api_check", Type::boolean, "AWS_EC2_METADATA_DISABLED"},
    {"skip_region_validation", Type::boolean},
    {"skip_requesting_account_id", Type::boolean},
    {"skip_s3_checksum", Type::boolean},
    {"sse_customer_key", Type::string, "AWS_SSE_CUSTOMER_KEY", {}, true},
    {"sts_endpoint"},
    {"sts_region"},
    {"token", Type::string, {}, {}, true},
    {"use_dualstack_endpoint", Type::boolean, "AWS_USE_DUALSTACK_ENDPOINT"},
    {"use_fips_endpoint", Type::boolean, "AWS_USE_FIPS_ENDPOINT"},
    {"use_lockfile", Type::boolean},
    {"use_path_style", Type::boolean},
    {"workspace_key_prefix", Type::string, {}, "env:"},
    {"state_tags", tags},
    {"lock_tags", tags},
    {"role_arn"},
    {"session_name"},
    {"external_id"},
    {"assume_role_duration_seconds", Type::number},
    {"assume_role_policy"},
    {"assume_role_policy_arns", strings},
    {"assume_role_tags", tags},
    {"assume_role_transitive_tag_keys", strings},
};
constexpr Argument kEndpoints[] = {
    {"dynamodb", Type::string, "AWS_ENDPOINT_URL_DYNAMODB AWS_DYNAMODB_ENDPOINT"},
    {"iam", Type::string, "AWS_ENDPOINT_URL_IAM AWS_IAM_ENDPOINT"},
    {"s3", Type::string, "AWS_ENDPOINT_URL_S3 AWS_S3_ENDPOINT"},
    {"sso", Type::string, "AWS_ENDPOINT_URL_SSO"},
    {"sts", Type::string, "AWS_ENDPOINT_URL_STS AWS_STS_ENDPOINT"},
};

constexpr Argument kRole[] = {
    {"duration"},     {"external_id"}, {"policy"},          {"policy_arns", strings},         {"role_arn"},
    {"session_name"}, {"tags", tags},  {"source_identity"}, {"transitive_tag_keys", strings},
};

constexpr Argument kWebIdentity[] = {
    {"duration"},
    {"policy"},
    {"policy_arns", strings},
    {"role_arn", Type::string, "AWS_ROLE_ARN"},
    {"session_name", Type::string, "AWS_ROLE_SESSION_NAME"},
    {"web_identity_token", Type::string, {}, {}, true},
    {"web_identity_token_file", Type::string, "AWS_WEB_IDENTITY_TOKEN_FILE"},
};

}  // namespace

std::span<const Argument> main_arguments() {
  return kArguments;
}
std::span<const Argument> endpoint_arguments() {
  return kEndpoints;
}
std::span<const Argument> role_arguments() {
  return kRole;
}
std::span<const Argument> web_identity_arguments() {
  return kWebIdentity;
}

const schema::Block& s3_schema() {
  static const schema::Block block = schema_of(
      kArguments, {},
      {{"assume_role", kRole}, {"assume_role_with_web_identity", kWebIdentity}, {"endpoints", kEndpoints}});
  return block;
}

}  // namespace xplan::backend::s3
