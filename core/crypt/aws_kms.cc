// The key provider "aws_kms": data keys that AWS's key management service makes, and decrypts again.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/cloud/aws_account.h"
#include "core/cloud/aws_answer.h"
#include "core/crypt/aws_settings.h"
#include "core/crypt/key_provider.h"

namespace xplan::crypt {
namespace {

using Context = std::map<std::string, std::string>;

class AwsKms : public KeyProvider {
 public:
  AwsKms(const KeySetup& setup, AwsAccess access, std::string key_id, std::string key_spec, Context context)
      : KeyProvider(setup.name),
        access_(std::move(access)),
        key_id_(std::move(key_id)),
        key_spec_(std::move(key_spec)),
        context_(std::move(context)),
        stop_(setup.environment.stop),
        client_(access_.client, access_.retries),
        credentials_(access_.aws, client_, stop_) {}

  Result<Secret> fresh(Metadata& out) override {
    Json body = {{"KeyId", key_id_}, {"KeySpec", key_spec_}};
    if (!context_.empty()) body["EncryptionContext"] = context_;
    std::string blob;
    Result<Secret> key = ask("GenerateDataKey", body, &blob);
    if (!key) return key;
    Json meta = {{"ciphertext_blob", blob}};
    if (!context_.empty()) meta["encryption_context"] = context_;
    out[name()] = document_text(meta);
    return key;
  }

  Result<Secret> recover(const Metadata& stored) override {
    const Result<std::string> text = own_metadata(stored);
    if (!text) return text.error();
    const Result<Json> meta = parse_document(*text);
    const std::string blob = meta ? string_in(*meta, "ciphertext_blob") : std::string();
    if (std::string bytes; !base64_decode(blob, bytes) || bytes.empty())
      return bad_metadata("has no \"ciphertext_blob\" in base64");
    Json body = {{"KeyId", key_id_}, {"CiphertextBlob", blob}};
    if (const Json* context = object_in(*meta, "encryption_context"); context && !context->empty()) {
      for (const auto& [key, value] : context->items())
        if (!value.is_string())
          return bad_metadata("has an \"encryption_context\" that is not a map of string");
      body["EncryptionContext"] = *context;
    }
    return ask("Decrypt", body, nullptr);
  }

 private:
  // The key in the answer, and in `blob` its encrypted form.
  Result<Secret> ask(const char* action, const Json& body, std::string* blob) {
    auto keys = [this](const std::string& refused) { return credentials_.keys(refused); };
    if (Result<void> ok = cloud::check_account(client_, credentials_, access_.region,
                                               access_.allowed_accounts, access_.forbidden_accounts, stop_);
        !ok)
      return ok.error();
    net::Request r;
    r.method = "POST";
    r.url = cloud::aws_endpoint(access_.aws, "kms", access_.region, access_.kms_endpoint) + "/";
    r.headers = {{"Content-Type", "application/x-amz-json-1.1"},
                 {"X-Amz-Target", fmt::format("TrentService.{}", action)}};
    r.body = document_text(body);
    r.limits.body = 1 << 20;
    r.compressed = false;
    r.stop = stop_;
    Result<net::Answer> answer = client_.send(r, {access_.region, "kms"}, keys);
    const std::string what = fmt::format("AWS KMS refused {} with the key \"{}\": ", action, key_id_);
    if (!answer) return answer.error();
    if (answer->status != 200) return Error{what + cloud::describe_failure(*answer)};
    const Result<Json> document = parse_document(answer->body);
    wipe(answer->body);
    std::string key, ignored;
    if (blob && document) *blob = string_in(*document, "CiphertextBlob");
    if (!document || !base64_decode(string_in(*document, "Plaintext"), key) || key.empty() ||
        (blob && (!base64_decode(*blob, ignored) || ignored.empty())))
      return Error{fmt::format("the response from AWS KMS to {} has no key in base64", action)};
    return Secret(std::move(key));
  }

  const AwsAccess access_;
  const std::string key_id_, key_spec_;
  const Context context_;
  const Stop stop_;
  cloud::AwsClient client_;
  cloud::AwsCredentials credentials_;
};

std::shared_ptr<KeyProvider> make_aws_kms(const Arguments& a, const KeySetup& setup) {
  if (a.text("kms_key_id").empty()) return a.wrong("kms_key_id", "must not be empty.");
  const std::string spec = a.text("key_spec");
  if (spec != "AES_256" && spec != "AES_128") return a.wrong("key_spec", "must be AES_256 or AES_128.");
  Context context;
  if (const Value* v = a.value("encryption_context"))
    for (size_t i = 0; i < v->length(); ++i)
      if (!v->elements()[i].is_null()) context[std::string(v->map_key(i))] = v->elements()[i].as_string();
  std::optional<AwsAccess> access = read_aws_access(a, setup.environment);
  if (!access) return nullptr;
  return std::make_shared<AwsKms>(setup, std::move(*access), a.text("kms_key_id"), spec, std::move(context));
}

constexpr ArgumentType kBool = ArgumentType::Bool, kStrings = ArgumentType::Strings,
                       kObject = ArgumentType::Object, kString = ArgumentType::String;
constexpr ArgumentRow kAwsKmsArguments[] = {{"kms_key_id", kString, true},
                                            {"key_spec", kString, true},
                                            {"encryption_context", ArgumentType::StringMap},
                                            {"access_key", kString, false, true},
                                            {"secret_key", kString, false, true},
                                            {"token", kString, false, true},
                                            {"profile"},
                                            {"region"},
                                            {"sts_region"},
                                            {"max_retries", ArgumentType::Number},
                                            {"retry_mode"},
                                            {"http_proxy"},
                                            {"https_proxy"},
                                            {"no_proxy"},
                                            {"insecure", kBool},
                                            {"custom_ca_bundle"},
                                            {"use_dualstack_endpoint", kBool},
                                            {"use_fips_endpoint", kBool},
                                            {"skip_credentials_validation", kBool},
                                            {"skip_requesting_account_id", kBool},
                                            {"skip_metadata_api_check", kBool},
                                            {"ec2_metadata_service_endpoint"},
                                            {"ec2_metadata_service_endpoint_mode"},
                                            {"shared_credentials_files", kStrings},
                                            {"shared_config_files", kStrings},
                                            {"assume_role", kObject, false, true},
                                            {"assume_role_with_web_identity", kObject, false, true},
                                            {"allowed_account_ids", kStrings},
                                            {"forbidden_account_ids", kStrings}};

}  // namespace

constinit const KeyProviderKind kAwsKms{"aws_kms", kAwsKmsArguments, make_aws_kms, "endpoints",
                                        kAwsEndpoints};

}  // namespace xplan::crypt
