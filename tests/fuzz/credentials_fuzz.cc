// Files of credentials that the tools of clouds keep. Nothing that they lead to is asked: the run is told to
// stop, and its proxy is nowhere.
#include <atomic>

#include "core/cloud/aws_sources.h"
#include "core/cloud/google_sources.h"
#include "core/net/url.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

const std::atomic<bool> kStopped{true};

net::ClientOptions nowhere() {
  net::ClientOptions out;
  out.proxies = net::Proxies{"http://127.0.0.1:1", "http://127.0.0.1:1", ""};
  return out;
}

void run_profiles(std::string_view bytes) {
  cloud::AwsSettings s;
  s.region = "us-east-1", s.profile = "p", s.metadata = false;
  s.config_files = {file_of(bytes)}, s.credentials_files = s.config_files;
  const auto found = cloud::configured_endpoints(s, [](const char*) { return std::string(); });
  if (!found) {
    must(found.error().message.find_first_of("\n\x1b") == std::string::npos, "an error is one line");
  } else {
    for (const char* service : {"s3", "sts", "sso_oidc"})
      if (const std::string url = found->of(service); !url.empty())
        must((net::uses_http(url) || net::uses_https(url)) && url.find_first_of("\n\x1b@") == url.npos,
             "an endpoint is a URL");
  }
  const auto all = cloud::read_profiles(s);
  must(all.ok(), "profiles are read leniently");
  for (const auto& [name, profile] : all->profiles)
    if (profile.count("credential_process")) return;  // what it names would be run
  cloud::AwsClient client(nowhere(), 0);
  const auto keys = cloud::find_keys({s, client, &kStopped});
  if (keys) must(!keys->access_key.empty() && !keys->secret_key.empty(), "keys are complete");
}

std::vector<std::string> profile_seeds() {
  return {
      "[p]\naws_access_key_id = A\naws_secret_access_key = s # c\naws_session_token=t\n",
      "[profile p]\nservices = l\nendpoint_url = https://all\nuse_fips_endpoint = true\n[services l]\ns3 =\n "
      " "
      "endpoint_url = http://s3:1\nsso_oidc = \n\tendpoint_url=https://o\n",
      "[profile p]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = q\nduration_seconds = 3600\n[profile "
      "q]\naws_access_key_id = A\naws_secret_access_key = s\n",
      "[profile p]\nsso_session = c\nsso_account_id = 1\nsso_role_name = r\n[sso-session c]\nsso_region = "
      "us-east-1\nsso_start_url = https://c\n",
      "[profile \"p\"]\nrole_arn = r\ncredential_source = Environment\nmfa_serial = m\n"};
}

void run_google(std::string_view bytes) {
  if (!bytes.starts_with('{')) return;  // the name of a file
  cloud::GoogleSettings s;
  s.credentials = std::string(bytes);
  s.scopes = {"scope"};
  s.variable = [](const char*) { return std::string(); };
  net::Client client(nowhere());
  const auto access = cloud::find_google_access({s, client, &kStopped});
  if (!access) must(access.error().message.find('\x1b') == std::string::npos, "an error has no escapes");
}

std::vector<std::string> google_seeds() {
  return {
      R"({"type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r","quota_project_id":"p"})",
      R"({"type":"service_account","client_email":"a@b","private_key":"-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n","private_key_id":"k","token_uri":"https://oauth2.googleapis.com/token","project_id":"p"})",
      R"({"type":"external_account","audience":"//iam","subject_token_type":"urn:ietf:params:oauth:token-type:jwt","token_url":"https://sts.googleapis.com/v1/token","credential_source":{"url":"https://t","headers":{"a":"b"},"format":{"type":"json","subject_token_field_name":"f"}}})",
      R"({"type":"impersonated_service_account","service_account_impersonation_url":"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a:generateAccessToken","delegates":["d"],"source_credentials":{"type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r"}})"};
}

}  // namespace

const Target aws_profiles = {run_profiles, profile_seeds};
const Target google_credentials = {run_google, google_seeds};

}  // namespace xplan::fuzz
