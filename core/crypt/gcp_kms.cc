// The key provider "gcp_kms": random keys that Google's key management service encrypts and decrypts.
#include <fmt/format.h>

#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/cloud/google_client.h"
#include "core/crypt/key_provider.h"

namespace xplan::crypt {
namespace {

class GcpKms : public KeyProvider {
 public:
  GcpKms(const KeySetup& setup, cloud::GoogleSettings google, std::string key_name, size_t key_length,
         std::string aad, std::string endpoint)
      : KeyProvider(setup.name),
        key_name_(std::move(key_name)),
        key_length_(key_length),
        aad_(std::move(aad)),
        endpoint_(std::move(endpoint)),
        stop_(setup.environment.stop),
        client_(std::move(google), stop_) {}

  Result<Secret> fresh(Metadata& out) override {
    Secret key(random_bytes(key_length_));
    if (key.empty()) return Error{"the system failed to provide random numbers"};
    const Result<std::string> ciphertext =
        ask("encrypt", "plaintext", base64_encode(key.bytes()), "ciphertext");
    if (!ciphertext) return ciphertext.error();
    out[name()] = "{\"ciphertext\":\"" + base64_encode(*ciphertext) + "\"}";
    return key;
  }

  Result<Secret> recover(const Metadata& stored) override {
    const Result<std::string> text = own_metadata(stored);
    if (!text) return text.error();
    const Result<Json> meta = parse_document(*text);
    const std::string ciphertext = meta ? string_in(*meta, "ciphertext") : std::string();
    std::string bytes;
    if (!base64_decode(ciphertext, bytes) || bytes.empty())
      return bad_metadata("has no \"ciphertext\" in base64");
    Result<std::string> key = ask("decrypt", "ciphertext", ciphertext, "plaintext");
    return key ? Result<Secret>(Secret(std::move(*key))) : key.error();
  }

 private:
  // The answer's bytes.
  Result<std::string> ask(std::string_view action, const char* sent, std::string base64,
                          const char* received) {
    net::Request r;
    r.method = "POST";
    r.url = fmt::format("{}v1/{}:{}", endpoint_, key_name_, action);
    r.headers = {{"Content-Type", "application/json"}};
    Json body = {{sent, std::move(base64)}};
    if (!aad_.empty()) body["additionalAuthenticatedData"] = aad_;
    r.body = document_text(body);
    r.limits.body = 1 << 20;
    r.stop = stop_;
    Result<net::Answer> answer = client_.send(r);
    wipe(*r.body);
    if (!answer) return answer.error();
    if (answer->status != 200)
      return Error{fmt::format("the key management service refused to {} with the key \"{}\": {}", action,
                               key_name_, cloud::google_failure(*answer))};
    const Result<Json> document = parse_document(answer->body);
    wipe(answer->body);
    std::string out;
    if (!document || !base64_decode(string_in(*document, received), out) || out.empty())
      return Error{
          fmt::format("the response from the key management service has no \"{}\" in base64", received)};
    return out;
  }

  const std::string key_name_;
  const size_t key_length_;
  const std::string aad_, endpoint_;
  const Stop stop_;
  cloud::GoogleClient client_;
};

std::shared_ptr<KeyProvider> make_gcp_kms(const Arguments& a, const KeySetup& setup) {
  auto from = [&](std::string_view argument, std::initializer_list<const char*> names) {
    std::string out = a.text(argument);
    for (const char* n : names)
      if (out.empty()) out = variable(setup.environment, n);
    return out;
  };
  const std::string key = a.text("kms_encryption_key");
  for (char c : key)
    if (std::string_view("/-_.:").find(c) == std::string_view::npos &&
        !std::isalnum(static_cast<unsigned char>(c)))
      return a.wrong("kms_encryption_key",
                     "must be the name of a key: projects/P/locations/L/keyRings/R/cryptoKeys/K.");
  if (key.empty()) return a.wrong("kms_encryption_key", "must not be empty.");
  const int64_t length = a.number("key_length", 0);
  if (length < 1 || length > 1024)
    return a.wrong("key_length", "must be from 1 to 1024. Write 16, 24 or 32 for aes_gcm.");
  const std::string aad = a.text("additional_authenticated_data");
  if (std::string bytes; !base64_decode(aad, bytes))
    return a.wrong("additional_authenticated_data", "must be base64.");
  cloud::GoogleSettings google;
  google.access_token = Secret(from("access_token", {"GOOGLE_OAUTH_ACCESS_TOKEN"}));
  google.credentials = from("credentials", {"GOOGLE_CREDENTIALS"});
  google.impersonate = from("impersonate_service_account", {"GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT",
                                                            "GOOGLE_IMPERSONATE_SERVICE_ACCOUNT"});
  google.delegates = a.list("impersonate_service_account_delegates");
  google.scopes = {"https://www.googleapis.com/auth/cloudkms"};
  google.variable = [variables = setup.environment.variable](const char* name) {
    Environment e;
    e.variable = variables;
    return variable(e, name);
  };
  std::string endpoint = google.variable("CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS");
  if (endpoint.empty()) endpoint = "https://cloudkms.googleapis.com/";
  return std::make_shared<GcpKms>(setup, std::move(google), key, static_cast<size_t>(length), aad,
                                  std::move(endpoint));
}

constexpr ArgumentRow kGcpKmsArguments[] = {{"kms_encryption_key", ArgumentType::String, true},
                                            {"key_length", ArgumentType::Number, true},
                                            {"credentials", ArgumentType::String, false, true},
                                            {"access_token", ArgumentType::String, false, true},
                                            {"impersonate_service_account"},
                                            {"impersonate_service_account_delegates", ArgumentType::Strings},
                                            {"additional_authenticated_data"}};

}  // namespace

constinit const KeyProviderKind kGcpKms{"gcp_kms", kGcpKmsArguments, make_gcp_kms};

}  // namespace xplan::crypt
