// Reads TF_REATTACH_PROVIDERS: a JSON object of provider addresses, each with the socket and the protocol of
// a plugin that somebody else has started, usually in a debugger.
#include "core/provider/plugin/reattach.h"

#include <fmt/format.h>

#include "core/base/json_reader.h"

namespace xplan::plugin {

Result<Reattached> parse_reattach(std::string_view json) {
  JsonError error;
  auto doc = JsonDocument::parse(json, error);
  if (!doc) return Error{"it is not JSON: " + error.text(json)};
  if (!doc->root().is_object()) return Error{"it is not a JSON object"};
  Reattached out;
  for (const JsonMember& m : doc->root().members) {
    auto addr = parse_provider_addr(m.key);
    if (!addr) return Error{fmt::format("\"{}\" is not a valid provider address", m.key)};
    const JsonNode* protocol = m.value->find("Protocol");
    const JsonNode* version = m.value->find("ProtocolVersion");
    const JsonNode* at = m.value->find("Addr");
    const JsonNode* network = at ? at->find("Network") : nullptr;
    const JsonNode* address = at ? at->find("String") : nullptr;
    if (!network || !network->is_string() || !address || !address->is_string())
      return Error{fmt::format("for {}, Addr with Network and String is missing", m.key)};
    if (protocol && protocol->str() != "grpc") return Error{fmt::format("{} does not use gRPC", m.key)};
    Endpoint e;
    // Without a version it is 5: that is all there was when the variable was invented.
    if (!version || version->text == "5" || version->text == "0") e.protocol = 5;
    if (version && version->text == "6") e.protocol = 6;
    if (!e.protocol) return Error{fmt::format("for {}, ProtocolVersion is neither 5 nor 6", m.key)};
    Result<std::string> target = grpc_target(network->text, address->text);
    if (!target) return Error{fmt::format("for {}, {}", m.key, target.error().message)};
    e.target = std::move(*target);
    out.emplace_back(*addr, std::move(e));
  }
  return out;
}

}  // namespace xplan::plugin
