// The methods: aes_gcm, external (programs), and unencrypted.
#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/base/json_reader.h"
#include "core/crypt/aes_gcm.h"
#include "core/crypt/method.h"
#include "core/crypt/program.h"

namespace xplan::crypt {
namespace {

class AesGcm : public Method {
 public:
  explicit AesGcm(std::string aad) : aad_(std::move(aad)) {}
  Result<std::string> seal(const Secret* key, std::string_view plain) const override {
    if (!is_aes_key_size(key->size())) return wrong_size(*key);
    return aes_gcm_seal(*key, plain, aad_);
  }
  Result<std::string> open(const Secret* key, std::string_view sealed) const override {
    if (!is_aes_key_size(key->size())) return wrong_size(*key);
    return aes_gcm_open(*key, sealed, aad_);
  }

 private:
  static Error wrong_size(const Secret& key) {
    return Error{fmt::format("the key has {} bytes, but aes_gcm takes 16, 24 or 32", key.size())};
  }
  const std::string aad_;
};

std::shared_ptr<Method> make_aes_gcm(const Arguments& a, const Environment&) {
  std::string aad;
  if (const Value* v = a.value("aad")) {
    for (const Value& e : v->elements()) {
      const int64_t n = e.is_null() ? -1 : e.as_number().exact_int64().value_or(-1);
      if (n < 0 || n > 255) return a.wrong("aad", "must be a list of whole numbers from 0 to 255.");
      aad += static_cast<char>(n);
    }
  }
  return std::make_shared<AesGcm>(std::move(aad));
}

class ExternalMethod : public Method {
 public:
  ExternalMethod(std::vector<std::string> encrypt, std::vector<std::string> decrypt, const Environment& e)
      : encrypt_(program(std::move(encrypt), e)), decrypt_(program(std::move(decrypt), e)) {
    encrypt_.stop = nullptr;  // a run that is told to stop still writes what it did
  }
  Result<std::string> seal(const Secret* key, std::string_view plain) const override {
    return ask(encrypt_, key, plain);
  }
  Result<std::string> open(const Secret* key, std::string_view sealed) const override {
    return ask(decrypt_, key, sealed);
  }

 private:
  static Program program(std::vector<std::string> command, const Environment& e) {
    return {std::move(command), "OpenTofu-External-Encryption-Method", e.program_limit, e.stop,
            uint64_t{4} << 30};
  }
  static Result<std::string> ask(const Program& p, const Secret* key, std::string_view payload) {
    std::string in = "{";
    if (key) in += "\"key\":\"" + base64_encode(key->bytes()) + "\",";
    in.append("\"payload\":\"").append(base64_encode(payload)) += "\"}";
    const Result<Secret> answer = run_program(p, Secret(std::move(in)));
    if (!answer) return answer.error();
    JsonError error;
    std::string out;
    const auto document = JsonDocument::parse(answer->bytes(), error);
    const JsonNode* n = document ? document->root().find("payload") : nullptr;
    if (!n || document->root().members.size() != 1 || !n->is_string() || !base64_decode(n->str(), out))
      return Error{
          fmt::format("the response from the program \"{}\" is not a JSON object with \"payload\" in "
                      "base64, and nothing else",
                      p.command[0])};
    return out;
  }
  Program encrypt_, decrypt_;
};

std::shared_ptr<Method> make_external(const Arguments& a, const Environment& environment) {
  std::vector<std::string> commands[2];
  for (int i = 0; i < 2; ++i) {
    const char* name = i == 0 ? "encrypt_command" : "decrypt_command";
    commands[i] = a.list(name);
    if (a.is_set(name) && (commands[i].empty() || commands[i][0].empty()))
      return a.wrong(name, "must be a list of strings: the program and its arguments.");
  }
  return std::make_shared<ExternalMethod>(std::move(commands[0]), std::move(commands[1]), environment);
}

std::shared_ptr<Method> make_unencrypted(const Arguments&, const Environment&) {
  return nullptr;
}

constexpr ArgumentRow kAesGcmArguments[] = {{"keys", ArgumentType::Keys, true},
                                            {"aad", ArgumentType::Numbers}};
constexpr ArgumentRow kExternalArguments[] = {{"keys", ArgumentType::Keys},
                                              {"encrypt_command", ArgumentType::Strings, true},
                                              {"decrypt_command", ArgumentType::Strings, true}};

}  // namespace

constinit const MethodKind kAesGcm{"aes_gcm", kAesGcmArguments, make_aes_gcm};
constinit const MethodKind kExternalMethod{"external", kExternalArguments, make_external};
constinit const MethodKind kUnencrypted{"unencrypted", {}, make_unencrypted};

}  // namespace xplan::crypt
