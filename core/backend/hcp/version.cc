// Announces a state version: serial, lineage, checksum and outputs.
#include "core/backend/hcp/version.h"

#include <cstdlib>
#include <memory>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/log.h"

namespace xplan::backend::hcp {
namespace {

// The root outputs as the server shows them.
std::string outputs_of(std::string_view state, const JsonNode& root) {
  JsonWriter w;
  w.begin_object();
  const JsonNode* all = root.find("outputs");
  for (const JsonMember& m : all && all->is_object() ? all->members : std::span<const JsonMember>()) {
    const JsonNode *value = m.value->find("value"), *type = m.value->find("type"),
                   *sensitive = m.value->find("sensitive");
    w.key(m.key);
    w.begin_object();
    w.member("sensitive", sensitive && sensitive->is_true());
    if (value) w.key("value"), w.raw(state.substr(value->begin, value->end - value->begin));
    if (type) w.key("type"), w.raw(state.substr(type->begin, type->end - type->begin));
    w.end_object();
  }
  w.end_object();
  return w.take();
}

}  // namespace

Result<std::string> announcement(std::string_view state, bool force, Sent sent,
                                 const std::optional<std::string>& json) {
  JsonError error;
  const auto doc = JsonDocument::parse(state, error, kJsonStoredDepth);
  const JsonNode* serial = doc && doc->root().is_object() ? doc->root().find("serial") : nullptr;
  const JsonNode* lineage = serial ? doc->root().find("lineage") : nullptr;
  if (!serial || !serial->is_number() || !lineage) return Error{"the state has no serial or no lineage"};
  JsonWriter w;
  w.begin_object();
  w.key("data");
  w.begin_object();
  w.member("type", "state-versions");
  w.key("attributes");
  w.begin_object();
  w.member("force", force);
  if (sent == Sent::Inside && json) w.member("json-state", base64_encode(*json));
  w.member("json-state-outputs", base64_encode(outputs_of(state, doc->root())));
  w.member("lineage", lineage->str());
  w.member("md5", hex_encode(digest(Digest::Md5, state)));
  w.key("serial");
  w.raw(serial->text);
  if (sent == Sent::Inside) w.member("state", base64_encode(state));
  w.end_object();
  if (const char* run = std::getenv("TFE_RUN_ID"); run && *run) {
    w.key("relationships");
    w.begin_object();
    w.key("run");
    w.begin_object();
    w.key("data");
    w.begin_object();
    w.member("type", "runs");
    w.member("id", run);
    w.end_object();
    w.end_object();
    w.end_object();
  }
  w.end_object();
  w.end_object();
  return w.take();
}

void put_json(Api& api, const Json& version, const std::string& json) {
  const std::string at = attribute(version, "hosted-json-state-upload-url");
  if (at.empty()) return;
  const Result<Reply> kept = api.put_content(at, json);
  if (kept && kept->good()) return;
  log_line(LogLevel::Warn, "core",
           "the server has the state, but not its JSON form: " +
               (kept ? api.refused("upload the JSON form of the state", *kept) : kept.error()).message);
}

}  // namespace xplan::backend::hcp
