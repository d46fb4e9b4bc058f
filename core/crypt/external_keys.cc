// The key provider "external": keys that a program of the user's gives.
#include <algorithm>

#include "core/base/base64.h"
#include "core/base/json_reader.h"
#include "core/crypt/key_provider.h"
#include "core/crypt/program.h"

namespace xplan::crypt {
namespace {

constexpr std::string_view kKeysMagic = "OpenTofu-External-Key-Provider";

// Whether an object has no members but these.
bool has_only(const JsonNode& n, std::initializer_list<std::string_view> names) {
  for (const JsonMember& m : n.members)
    if (std::find(names.begin(), names.end(), m.key) == names.end()) return false;
  return n.is_object();
}

class ExternalKeys : public KeyProvider {
 public:
  ExternalKeys(const KeySetup& setup, std::vector<std::string> command)
      : KeyProvider(setup.name),
        program_{std::move(command), kKeysMagic, setup.environment.program_limit, setup.environment.stop} {}

  Result<Secret> fresh(Metadata& out) override { return ask("null", "encryption_key", &out); }
  Result<Secret> recover(const Metadata& stored) override {
    const Result<std::string> meta = own_metadata(stored);
    return meta ? ask(*meta, "decryption_key", nullptr) : meta.error();
  }

 private:
  Error wrong(std::string_view what) const {
    return Error{"the response from the program \"" + program_.command[0] + "\" " + std::string(what)};
  }
  Result<Secret> ask(const std::string& input, std::string_view key_name, Metadata* out) const {
    const Result<Secret> answer = run_program(program_, Secret(input));
    if (!answer) return answer.error();
    JsonError error;
    const auto document = JsonDocument::parse(answer->bytes(), error);
    if (!document) return wrong("is not JSON");
    const JsonNode &root = document->root(), *keys = root.find("keys"), *meta = root.find("meta");
    if (!has_only(root, {"keys", "meta"}) || !keys ||
        !has_only(*keys, {"encryption_key", "decryption_key"}) ||
        (meta && !meta->is_null() && !has_only(*meta, {"external_data"})))
      return wrong(
          "does not have exactly the members of the protocol: \"keys\" with \"encryption_key\" and "
          "\"decryption_key\", and \"meta\" with \"external_data\"");
    const JsonNode *key = keys->find(key_name), *data = meta ? meta->find("external_data") : nullptr;
    std::string bytes;
    if (!key || !key->is_string() || !base64_decode(key->str(), bytes) || bytes.empty())
      return wrong("has no \"" + std::string(key_name) + "\" in base64");
    if (out)
      (*out)[name()] = "{\"external_data\":" +
                       (data ? std::string(answer->bytes().substr(data->begin, data->end - data->begin))
                             : std::string("null")) +
                       "}";
    return Secret(std::move(bytes));
  }

  const Program program_;
};

std::shared_ptr<KeyProvider> make_external_keys(const Arguments& a, const KeySetup& setup) {
  std::vector<std::string> command = a.list("command");
  if (command.empty() || command[0].empty())
    return a.wrong("command", "must be a list of strings: the program and its arguments.");
  return std::make_shared<ExternalKeys>(setup, std::move(command));
}

constexpr ArgumentRow kExternalKeysArguments[] = {{"command", ArgumentType::Strings, true}};

}  // namespace

constinit const KeyProviderKind kExternalKeys{"external", kExternalKeysArguments, make_external_keys};

}  // namespace xplan::crypt
