// Reads the arguments about identities, and chooses the source of tokens.
#include "core/cloud/azure_arguments.h"

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/base/fs.h"
#include "core/base/text.h"

namespace xplan::cloud {
namespace {

using Source = AzureIdentity::Source;

class IdentityReader {
 public:
  explicit IdentityReader(const AzureArguments& a) : a_(a) {}

  Result<AzureIdentity> read() {
    out_.tenant = a_.text("tenant_id");
    out_.client = with_file("client_id");
    out_.secret = with_file("client_secret");
    certificate();
    if (flag("use_aks_workload_identity")) workload();
    const bool application = !out_.tenant.empty() && !out_.client.empty();
    if (application && !out_.certificate.empty())
      out_.source = Source::Certificate;
    else if (application && !out_.secret.empty())
      out_.source = Source::Secret;
    else if (!(application && foreign()))
      otherwise();
    if (!problem_.empty()) return Error{problem_};
    return std::move(out_);
  }

 private:
  bool flag(std::string_view name) {
    const Result<bool> on = a_.flag(name);
    if (!on) wrong(on.error().message);
    return on && *on;
  }
  void wrong(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  std::string file(const std::string& argument) {
    const std::string path = a_.text(argument);
    if (path.empty()) return {};
    Result<std::string> text = real_fs().read(path);
    if (!text)
      wrong(fmt::format("the file that the argument \"{}\" names cannot be read: {}", argument,
                        text.error().message));
    return text ? std::move(*text) : std::string();
  }
  // An argument whose value may also be in a file.
  std::string with_file(const std::string& name) {
    std::string value = a_.text(name);
    const std::string there(trimmed(file(name + "_file_path")));
    if (!value.empty() && !there.empty() && value != there)
      wrong(fmt::format(
          "the argument \"{0}\" and the file of \"{0}_file_path\" have different values; remove one of them",
          name));
    return value.empty() ? there : value;
  }
  void certificate() {
    out_.certificate_password = a_.text("client_certificate_password");
    const std::string given = a_.text("client_certificate");
    if (given.empty())
      out_.certificate = file("client_certificate_path");
    else if (!base64_decode(given, out_.certificate))
      wrong("the argument \"client_certificate\" must be the base64 form of a PKCS#12 file (PFX)");
  }
  // As the environment of a pod says.
  void workload() {
    const std::string tokens = a_.variable("AZURE_FEDERATED_TOKEN_FILE");
    if (tokens.empty())
      return wrong(
          "the argument \"use_aks_workload_identity\" requires the environment variables of a workload "
          "identity: AZURE_FEDERATED_TOKEN_FILE is not set");
    adopt(out_.tenant, "tenant_id", "AZURE_TENANT_ID");
    adopt(out_.client, "client_id", "AZURE_CLIENT_ID");
    out_.assertion_file = tokens;
  }
  void adopt(std::string& value, std::string_view name, const char* variable) {
    const std::string there = a_.variable(variable);
    if (!value.empty() && !there.empty() && value != there)
      wrong(fmt::format(
          "the argument \"{}\" and {} of the workload identity have different values; remove one of them",
          name, variable));
    if (value.empty()) value = there;
  }
  // False: no other provider vouches for the application.
  bool foreign() {
    if (!out_.assertion_file.empty()) return out_.source = Source::Assertion, true;
    if (!flag("use_oidc")) return false;
    out_.assertion = a_.text("oidc_token"), out_.assertion_file = a_.text("oidc_token_file_path");
    out_.request_url = a_.text("oidc_request_url"), out_.request_token = a_.text("oidc_request_token");
    out_.service_connection = a_.text("ado_pipeline_service_connection_id");
    const bool requests = !out_.request_url.empty() && !out_.request_token.empty();
    if (!requests && out_.assertion.empty() && out_.assertion_file.empty())
      out_.assertion_file = a_.variable("AZURE_FEDERATED_TOKEN_FILE");
    if (!out_.assertion.empty() || !out_.assertion_file.empty())
      out_.source = Source::Assertion;
    else if (requests)
      out_.source = out_.service_connection.empty() ? Source::RequestedToken : Source::AzureDevOps;
    else
      return false;
    return true;
  }
  void otherwise() {
    out_.machine_endpoint = a_.text("msi_endpoint");
    if (flag("use_msi"))
      out_.source = Source::Machine;
    else if (flag("use_cli"))
      out_.source = Source::Program;
    else
      wrong(
          "the arguments do not describe an identity. For an application, set tenant_id, client_id, and one "
          "of client_secret, "
          "client_certificate and use_oidc; otherwise, set use_msi or use_cli");
  }

  const AzureArguments& a_;
  AzureIdentity out_;
  std::string problem_;
};

}  // namespace

Result<AzureIdentity> read_azure_identity(const AzureArguments& a) {
  return IdentityReader(a).read();
}

}  // namespace xplan::cloud
