// The key provider "openbao": data keys of the transit engine of OpenBao, or of a server that speaks like it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/crypt/key_provider.h"
#include "core/net/client.h"
#include "core/net/url.h"

namespace xplan::crypt {
namespace {

struct BaoSettings {
  std::string url, engine, key_name, associated_data, authorities_file, name_space;
  Secret token;
  int64_t key_length = 32;
  bool verify = true;
};

// What a server says, on one line and not at any length.
std::string said(const net::Answer& a) {
  std::string out = net::status_text(a.status);
  const Result<Json> body = parse_document(a.body);
  const Json* errors = body ? list_in(*body, "errors") : nullptr;
  if (errors)
    for (const Json& e : *errors)
      if (e.is_string()) out += ": " + e.get<std::string>();
  if (out.size() > 500) out = out.substr(0, 500) + "…";
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return out;
}

class OpenBao : public KeyProvider {
 public:
  OpenBao(const KeySetup& setup, BaoSettings settings)
      : KeyProvider(setup.name), settings_(std::move(settings)), stop_(setup.environment.stop) {}

  Result<Secret> fresh(Metadata& out) override {
    JsonWriter w;
    w.begin_object();
    w.member("bits", settings_.key_length * 8);
    if (!settings_.associated_data.empty()) w.member("associated_data", settings_.associated_data);
    w.end_object();
    const Result<Json> data = ask("datakey/plaintext/", w.text());
    if (!data) return data.error();
    const std::string ciphertext = string_in(*data, "ciphertext");
    if (ciphertext.empty()) return Error{"the response from the OpenBao server has no \"ciphertext\""};
    JsonWriter meta;
    meta.begin_object();
    meta.member("ciphertext", base64_encode(ciphertext));
    if (!settings_.associated_data.empty()) meta.member("associated_data", settings_.associated_data);
    meta.end_object();
    out[name()] = meta.take();
    return plaintext(*data);
  }

  Result<Secret> recover(const Metadata& stored) override {
    const Result<std::string> text = own_metadata(stored);
    if (!text) return text.error();
    const Result<Json> meta = parse_document(*text);
    if (!meta) return bad_metadata("is not a JSON object");
    std::string ciphertext, associated = string_in(*meta, "associated_data");
    if (!base64_decode(string_in(*meta, "ciphertext"), ciphertext) || ciphertext.empty())
      return bad_metadata("has no \"ciphertext\" in base64");
    if (associated.empty()) associated = settings_.associated_data;
    JsonWriter w;
    w.begin_object();
    w.member("ciphertext", ciphertext);
    if (!associated.empty()) w.member("associated_data", associated);
    w.end_object();
    const Result<Json> data = ask("decrypt/", w.text());
    return data ? plaintext(*data) : data.error();
  }

 private:
  static Result<Secret> plaintext(const Json& data) {
    std::string key;
    if (!base64_decode(string_in(data, "plaintext"), key) || key.empty())
      return Error{"the response from the OpenBao server has no \"plaintext\" in base64"};
    return Secret(std::move(key));
  }

  // The member "data" of the answer.
  Result<Json> ask(std::string_view action, const std::string& body) {
    if (!client_) {
      net::ClientOptions o;
      o.verify = settings_.verify;
      if (!settings_.authorities_file.empty()) {
        Result<std::string> pem = real_fs().read(settings_.authorities_file);
        if (!pem) return pem.error();
        o.authorities = std::move(*pem);
      }
      client_ = std::make_unique<net::Client>(std::move(o));
    }
    net::Request r;
    r.method = "POST";
    r.url = settings_.url + "/v1/" + settings_.engine + "/" + std::string(action) +
            net::escape_path(settings_.key_name);
    r.headers = {{"Content-Type", "application/json"},
                 {"X-Vault-Request", "true"},
                 {"X-Vault-Token", std::string(settings_.token.bytes())}};
    if (!settings_.name_space.empty()) r.headers.emplace_back("X-Vault-Namespace", settings_.name_space);
    r.body = body;
    r.limits.body = 1 << 20;
    r.retry.times = 2;
    r.stop = stop_;
    Result<net::Answer> answer = client_->send(r);
    if (!answer) return answer.error();
    if (answer->status != 200)
      return Error{fmt::format("the OpenBao server {} refused the key \"{}\": {}", settings_.url,
                               settings_.key_name, said(*answer))};
    const Result<Json> document = parse_document(answer->body);
    wipe(answer->body);
    const Json* data = document ? object_in(*document, "data") : nullptr;
    if (!data) return Error{"the response is not one of an OpenBao server; check \"address\""};
    return *data;
  }

  const BaoSettings settings_;
  const Stop stop_;
  std::unique_ptr<net::Client> client_;
};

std::shared_ptr<KeyProvider> make_openbao(const Arguments& a, const KeySetup& setup) {
  auto from = [&](std::string_view argument, std::initializer_list<const char*> names) {
    std::string out = argument.empty() ? std::string() : a.text(argument);
    for (const char* n : names)
      if (out.empty()) out = variable(setup.environment, n);
    return out;
  };
  BaoSettings s;
  s.key_name = a.text("key_name");
  if (s.key_name.empty()) return a.wrong("key_name", "must not be empty.");
  s.key_length = a.number("key_length", 32);
  if (s.key_length != 16 && s.key_length != 32 && s.key_length != 64)
    return a.wrong("key_length", "must be 16, 32 or 64.");
  s.url = from("address", {"BAO_ADDR", "VAULT_ADDR"});
  if (s.url.empty()) s.url = "https://127.0.0.1:8200";
  while (s.url.ends_with('/')) s.url.pop_back();
  if (!net::uses_https(s.url) && !net::uses_http(s.url))
    return a.wrong("address", "must be a URL, for example https://bao.example.com:8200.");
  s.engine = a.is_set("transit_engine_path") ? a.text("transit_engine_path") : "transit";
  while (s.engine.starts_with('/')) s.engine.erase(0, 1);
  while (s.engine.ends_with('/')) s.engine.pop_back();
  s.token = Secret(from("token", {"BAO_TOKEN", "VAULT_TOKEN"}));
  if (s.token.empty())
    return a.wrong("token", "is not set, nor is the environment variable BAO_TOKEN. Set one of them.");
  s.associated_data = a.text("associated_data");
  s.name_space = from("", {"BAO_NAMESPACE", "VAULT_NAMESPACE"});
  s.authorities_file = from("", {"BAO_CACERT", "VAULT_CACERT"});
  const std::string skip = ascii_lower(from("", {"BAO_SKIP_VERIFY", "VAULT_SKIP_VERIFY"}));
  s.verify = skip != "1" && skip != "t" && skip != "true";
  return std::make_shared<OpenBao>(setup, std::move(s));
}

constexpr ArgumentRow kOpenBaoArguments[] = {{"key_name", ArgumentType::String, true},
                                             {"address"},
                                             {"token", ArgumentType::String, false, true},
                                             {"key_length", ArgumentType::Number},
                                             {"transit_engine_path"},
                                             {"associated_data"}};

}  // namespace

constinit const KeyProviderKind kOpenBao{"openbao", kOpenBaoArguments, make_openbao};

}  // namespace xplan::crypt
