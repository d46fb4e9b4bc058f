// The key provider "azure_vault": random keys that a key of Azure's Key Vault encrypts and decrypts.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/json_writer.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/azure_arguments.h"
#include "core/cloud/signing.h"
#include "core/crypt/key_provider.h"
#include "core/net/url.h"

namespace xplan::crypt {
namespace {

constexpr std::string_view kAlgorithms[] = {"RSA-OAEP-256", "A128GCM", "A192GCM", "A256GCM"};

bool is_name(std::string_view s, size_t most) {
  return !s.empty() && s.size() <= most &&
         std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isalnum(c) || c == '-'; });
}

struct VaultSettings {
  std::string url, resource, key_name, algorithm, metadata_host;
  size_t key_length = 0;
  cloud::AzureCloud cloud;
  cloud::AzureIdentity identity;
};

// Names of the metadata, and what the service calls the same.
constexpr std::pair<const char*, const char*> kParts[] = {{"ciphertext", "value"},
                                                          {"iv", "iv"},
                                                          {"authentication_tag", "tag"},
                                                          {"additional_authenticated_data", "aad"}};

class AzureVault : public KeyProvider {
 public:
  AzureVault(const KeySetup& setup, VaultSettings settings)
      : KeyProvider(setup.name),
        s_(std::move(settings)),
        stop_(setup.environment.stop),
        client_({}, 2),
        tokens_(s_.identity, client_, stop_) {}

  Result<Secret> fresh(Metadata& out) override {
    Secret key(random_bytes(s_.key_length));
    if (key.empty()) return Error{"the system failed to provide random numbers"};
    const Result<Json> answer =
        ask("", "encrypt", {{"alg", s_.algorithm}, {"value", cloud::base64url_encode(key.bytes())}});
    if (!answer) return answer.error();
    const std::string id = string_in(*answer, "kid"), version = id.substr(id.rfind('/') + 1);
    if (cloud::base64url_decode(string_in(*answer, "value")).empty() || !is_name(version, 127))
      return Error{
          "the response from the key vault has no encrypted key, or does not name the version of its key"};
    JsonWriter w;
    w.begin_object();
    for (const auto& [ours, theirs] : kParts) {
      const std::string bytes = cloud::base64url_decode(string_in(*answer, theirs));
      w.key(ours);
      bytes.empty() ? w.null() : w.string(base64_encode(bytes));
    }
    w.member("key_version", version);
    w.member("algo", s_.algorithm);
    w.end_object();
    out[name()] = w.take();
    return key;
  }

  Result<Secret> recover(const Metadata& stored) override {
    const Result<std::string> text = own_metadata(stored);
    if (!text) return text.error();
    const Result<Json> meta = parse_document(*text);
    if (!meta) return bad_metadata("is not a JSON object");
    const std::string version = string_in(*meta, "key_version"), said = string_in(*meta, "algo"),
                      algorithm = said.empty() ? s_.algorithm : said;
    if (!version.empty() && !is_name(version, 127))
      return bad_metadata("has a \"key_version\" that is not valid");
    if (std::find(std::begin(kAlgorithms), std::end(kAlgorithms), algorithm) == std::end(kAlgorithms))
      return bad_metadata("has an \"algo\" that is not known");
    Json body = {{"alg", algorithm}};
    for (const auto& [ours, theirs] : kParts) {
      std::string bytes;
      if (!base64_decode(string_in(*meta, ours), bytes) || (bytes.empty() && ours == kParts[0].first))
        return bad_metadata(fmt::format("has no \"{}\" in base64", ours));
      if (!bytes.empty()) body[theirs] = cloud::base64url_encode(bytes);
    }
    const Result<Json> answer = ask(version, "decrypt", body);
    if (!answer) return answer.error();
    std::string key = cloud::base64url_decode(string_in(*answer, "value"));
    if (key.empty()) return Error{"the response from the key vault has no decrypted key"};
    return Secret(std::move(key));
  }

 private:
  // Without a version, it is the newest one.
  Result<Json> ask(const std::string& version, std::string_view action, const Json& body) {
    if (!s_.metadata_host.empty() && !asked_) {
      Result<cloud::AzureCloud> there = cloud::azure_cloud_at(client_, s_.metadata_host, stop_);
      if (!there) return there.error();
      s_.cloud = std::move(*there), asked_ = true;
    }
    net::Request r;
    r.method = "POST";
    r.url = fmt::format("{}/keys/{}/{}/{}?api-version=7.4", s_.url, s_.key_name, version, action);
    r.failure = "failed to reach the key vault at";
    r.headers = {{"Content-Type", "application/json"}};
    r.body = document_text(body);
    r.limits.body = 1 << 20;
    r.stop = stop_;
    std::string last;
    Result<net::Answer> answer = client_.send(r, [&](net::Request& now, bool fresh) -> Result<bool> {
      const Result<std::string> token = tokens_.token(s_.cloud, s_.resource, fresh ? last : "");
      if (!token) return token.error();
      now.token = last = *token;
      return true;
    });
    wipe(*r.body);
    if (!answer) return answer.error();
    if (answer->status != 200)
      return Error{fmt::format("the key vault {} refused to {} with the key \"{}\": {}", s_.url, action,
                               s_.key_name, cloud::describe_azure_failure(*answer))};
    Result<Json> document = parse_document(answer->body);
    wipe(answer->body);
    if (!document) return Error{"the response from the key vault " + document.error().message};
    return document;
  }

  VaultSettings s_;
  const Stop stop_;
  cloud::AzureClient client_;
  cloud::AzureTokens tokens_;
  bool asked_ = false;  // the metadata host
};

// Tokens are for the domain of all vaults: https://vault.azure.net for https://NAME.vault.azure.net.
bool take_address(const Arguments& a, VaultSettings& s) {
  s.url = a.text("vault_uri");
  while (s.url.ends_with('/')) s.url.pop_back();
  const std::string host = net::host_and_port(s.url);
  const size_t dot = host.find('.');
  if (!net::uses_https(s.url) || s.url.size() != 8 + host.size() || dot == host.npos ||
      !is_name(host.substr(0, dot), 24))
    return a.wrong("vault_uri", "must be the address of a vault, such as https://name.vault.azure.net."),
           false;
  s.resource = "https://" + host.substr(dot + 1);
  s.key_name = a.text("vault_key_name");
  if (!is_name(s.key_name, 127))
    return a.wrong("vault_key_name", "must have 1 to 127 letters, digits and hyphens."), false;
  return true;
}

bool take_lengths(const Arguments& a, VaultSettings& s) {
  const int64_t length = a.number("key_length", 0), size = a.number("symmetric_key_size", 0);
  if (length < 1 || length > 1024)
    return a.wrong("key_length", "must be from 1 to 1024. Write 16, 24 or 32 for aes_gcm."), false;
  s.key_length = static_cast<size_t>(length);
  const Value* symmetric = a.value("symmetric");
  if (!symmetric || !symmetric->is_bool() || !symmetric->as_bool()) return s.algorithm = kAlgorithms[0], true;
  if (size != 128 && size != 192 && size != 256)
    return a.wrong("symmetric_key_size", "must be 128, 192 or 256 for a symmetric key."), false;
  s.algorithm = fmt::format("A{}GCM", size);
  return true;
}

constexpr std::pair<std::string_view, const char*> kVariables[] = {
    {"client_id", "ARM_CLIENT_ID"},
    {"client_id_file_path", "ARM_CLIENT_ID_FILE_PATH"},
    {"client_secret", "ARM_CLIENT_SECRET"},
    {"client_secret_file_path", "ARM_CLIENT_SECRET_FILE_PATH"},
    {"client_certificate", "ARM_CLIENT_CERTIFICATE"},
    {"client_certificate_password", "ARM_CLIENT_CERTIFICATE_PASSWORD"},
    {"client_certificate_path", "ARM_CLIENT_CERTIFICATE_PATH"},
    {"oidc_token", "ARM_OIDC_TOKEN"},
    {"oidc_token_file_path", "ARM_OIDC_TOKEN_FILE_PATH"},
    {"oidc_request_url", "ARM_OIDC_REQUEST_URL"},
    {"oidc_request_url", "ACTIONS_ID_TOKEN_REQUEST_URL"},
    {"oidc_request_token", "ARM_OIDC_REQUEST_TOKEN"},
    {"oidc_request_token", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"},
    {"metadata_host", "ARM_METADATA_HOST"},
    {"environment", "ARM_ENVIRONMENT"},
    {"tenant_id", "ARM_TENANT_ID"}};

std::shared_ptr<KeyProvider> make_azure_vault(const Arguments& a, const KeySetup& setup) {
  VaultSettings s;
  if (!take_address(a, s) || !take_lengths(a, s)) return nullptr;
  cloud::AzureArguments from;
  from.variable = [&](const char* name) { return variable(setup.environment, name); };
  from.text = [&](std::string_view name) {
    std::string out = a.text(name);
    for (const auto& [argument, variable] : kVariables)
      if (out.empty() && argument == name) out = from.variable(variable);
    return out;
  };
  from.flag = [&](std::string_view name) -> Result<bool> {
    const Value* v = a.value(name);
    return v && v->is_bool() ? v->as_bool() : name == "use_cli";
  };
  s.metadata_host = from.text("metadata_host");
  const std::string name = from.text("environment");
  const auto known = cloud::azure_cloud_named(name.empty() ? "public" : name);
  if (!known && s.metadata_host.empty())
    return a.wrong("environment", "must be \"public\", \"usgovernment\" or \"china\".");
  if (known) s.cloud = *known;
  Result<cloud::AzureIdentity> identity = cloud::read_azure_identity(from);
  if (!identity) return a.wrong(identity.error().sentence());
  s.identity = std::move(*identity);
  return std::make_shared<AzureVault>(setup, std::move(s));
}

constexpr ArgumentRow kAzureVaultArguments[] = {
    {"vault_uri", ArgumentType::String, true},
    {"vault_key_name", ArgumentType::String, true},
    {"key_length", ArgumentType::Number, true},
    {"symmetric", ArgumentType::Bool},
    {"symmetric_key_size", ArgumentType::Number},
    {"use_cli", ArgumentType::Bool},
    {"client_id"},
    {"client_id_file_path"},
    {"client_secret", ArgumentType::String, false, true},
    {"client_secret_file_path"},
    {"client_certificate", ArgumentType::String, false, true},
    {"client_certificate_password", ArgumentType::String, false, true},
    {"client_certificate_path"},
    {"use_oidc", ArgumentType::Bool},
    {"oidc_token", ArgumentType::String, false, true},
    {"oidc_token_file_path"},
    {"oidc_request_url"},
    {"oidc_request_token", ArgumentType::String, false, true},
    {"use_msi", ArgumentType::Bool},
    {"msi_endpoint"},
    {"use_aks_workload_identity", ArgumentType::Bool},
    {"metadata_host"},
    {"environment"},
    {"subscription_id"},
    {"tenant_id"}};

}  // namespace

constinit const KeyProviderKind kAzureVault{"azure_vault", kAzureVaultArguments, make_azure_vault};

}  // namespace xplan::crypt
