// Reads what failed from answers: XML of storage, JSON of the others, a header where there is no body.
#include "core/cloud/azure_answer.h"

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/xml.h"

namespace xplan::cloud {
namespace {

constexpr size_t kMost = 64 << 10;
constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of the byte order, before XML

// {"error": {"code", "message"}} of the management API, {"error", "error_description"} of OAuth.
AzureFailure failure_in(const Json& doc) {
  const Json* e = object_in(doc, "error");
  AzureFailure out = e ? AzureFailure{string_in(*e, "code"), string_in(*e, "message")}
                       : AzureFailure{string_in(doc, "error"), string_in(doc, "error_description")};
  if (out.message.empty()) out.message = string_in(doc, "message");
  return out;
}

// Up to what only repeats the request, or names it and its time.
std::string what_matters(std::string message) {
  for (const char* line : {"\nRequestId:", "\r\nRequestId:", " Trace ID:", "\r\nTrace ID:",
                           " Server used following string to sign"})
    message.resize(std::min(message.find(line), message.size()));
  return std::string(trimmed(message));
}

std::string_view azure_advice(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> kAdvice[] = {
      {"AuthenticationFailed", "check the access key or the SAS token, and the clock of this machine"},
      {"AuthorizationPermissionMismatch",
       "the identity or the SAS token lacks a permission; the role \"Storage Blob Data Contributor\" has "
       "those "
       "that are needed"},
      {"AuthorizationFailure",
       "check the permissions of the identity or the SAS token, and which networks the account accepts"},
      {"KeyBasedAuthenticationNotPermitted", "the account does not accept keys; set use_azuread_auth"},
      {"InvalidAuthenticationInfo", "check which credentials are used"}};
  for (const auto& [name, text] : kAdvice)
    if (name == code) return text;
  return {};
}

}  // namespace

AzureFailure azure_failure_of(const net::Answer& a) {
  AzureFailure out;
  std::string_view body = trimmed(std::string_view(a.body).substr(0, kMost));
  if (body.starts_with(kMark)) body.remove_prefix(kMark.size());
  if (body.starts_with('<')) {
    if (const auto xml = parse_xml(body); xml && xml->name == "Error")
      out = {xml->at("Code"), xml->at("Message")};
  } else if (body.starts_with('{')) {
    if (const auto doc = parse_document(body)) out = failure_in(*doc);
  }
  const auto header = a.headers.find("x-ms-error-code");
  if (out.code.empty() && header != a.headers.end()) out.code = header->second;
  out.message = what_matters(std::move(out.message));
  return out;
}

std::string describe_azure_failure(const net::Answer& a) {
  const AzureFailure f = azure_failure_of(a);
  std::string why = shown_text(f.code);
  if (!f.message.empty() && f.message != f.code) why += (why.empty() ? "" : ": ") + shown_text(f.message);
  std::string out = net::status_text(a.status);
  while (why.ends_with('.') || why.ends_with(' ')) why.pop_back();  // the sentence may go on
  if (!why.empty()) out += " (" + why + ")";
  if (const std::string_view help = azure_advice(f.code); !help.empty()) out += "; " + std::string(help);
  return out;
}

}  // namespace xplan::cloud
