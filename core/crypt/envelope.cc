// Reads and writes envelopes, and looks at the members of states without reading them.
#include "core/crypt/envelope.h"

#include <functional>

#include "core/base/base64.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"

namespace xplan::crypt {
namespace {

constexpr std::string_view kVersion = "v0";
constexpr std::string_view kDamaged = "it is encrypted, but incomplete or damaged: ";

// Takes one value, without looking into it more than its brackets need.
bool skip_value(JsonCursor& c) {
  size_t depth = 0;
  do {
    JsonCursor::String s;
    const char at = c.peek();
    if (c.done()) return false;
    if (at == '"') {
      if (!c.string(s)) return false;
    } else {
      if (at == '{' || at == '[') ++depth;
      if (at == '}' || at == ']') {
        if (depth == 0) return false;
        --depth;
      }
      c.skip(1);
    }
  } while (depth > 0 || (!c.done() && c.peek() != ',' && c.peek() != '}'));
  return true;
}

// The members of the outermost object, as far as the text can be read; `f` returns false to end it.
void members(std::string_view text, const std::function<bool(std::string_view, std::string_view)>& f) {
  JsonCursor c(text);
  c.space();
  if (c.peek() != '{') return;
  c.skip(1);
  c.space();
  for (JsonCursor::String key; !c.done() && c.peek() != '}'; c.space()) {
    if (!c.key(key)) return;
    const size_t from = c.at();
    const bool whole = skip_value(c);
    if (!f(key.raw, whole ? trimmed(c.since(from)) : std::string_view()) || !whole) return;
    if (c.peek() == ',') c.skip(1);
  }
}

Error damaged(std::string_view why) {
  return Error{std::string(kDamaged) + std::string(why)};
}

}  // namespace

std::string_view noun(Payload p) {
  return p == Payload::State ? "state" : "plan file";
}

StateIds ids_of_state(std::string_view plain) {
  StateIds out;
  int found = 0;
  members(plain, [&](std::string_view key, std::string_view value) {
    if (key == "serial" && !value.empty() && ++found) out.serial = value;
    if (key == "lineage" && value.size() >= 2 && value[0] == '"' && ++found)
      out.lineage.clear(), decode_json_string(out.lineage, value.substr(1, value.size() - 2));
    return found < 2;
  });
  if (out.serial.find_first_not_of("0123456789") != std::string::npos) out.serial = "0";
  return out;
}

std::string write_envelope(const Envelope& e) {
  std::string out = "{";
  auto member = [&](std::string_view name) {
    if (out.back() != '{') out += ',';
    out.append("\"").append(name).append("\":");
  };
  if (e.ids) {
    member("serial");
    out += e.ids->serial;
    member("lineage");
    append_json_string(out, e.ids->lineage);
  }
  member("meta");
  out += '{';
  for (const auto& [name, json] : e.metadata) {
    if (out.back() != '{') out += ',';
    append_json_string(out, name);
    out.append(":\"").append(base64_encode(json)) += '"';
  }
  out += '}';
  member("encrypted_data");
  out.append("\"").append(base64_encode(e.data)) += '"';
  member("encryption_version");
  out.append("\"").append(kVersion) += "\"}";
  return out;
}

Form form_of(Payload p, std::string_view text) {
  if (p == Payload::Plan && text.starts_with("PK")) return Form::Plain;
  Form out = Form::Other;
  members(text, [&](std::string_view key, std::string_view) {
    if (key == "encrypted_data" || key == "encryption_version" || key == "meta") out = Form::Encrypted;
    if ((key == "version" || key == "terraform_version") && p == Payload::State) out = Form::Plain;
    return out == Form::Other;
  });
  return out;
}

Result<Envelope> read_envelope(std::string_view text) {
  JsonError error;
  const auto document = JsonDocument::parse(text, error);
  if (!document) return damaged(error.text(text));
  const JsonNode& root = document->root();
  const JsonNode *version = root.find("encryption_version"), *data = root.find("encrypted_data"),
                 *meta = root.find("meta");
  if (!version || !version->is_string()) return damaged("there is no \"encryption_version\"");
  if (version->str() != kVersion)
    return Error{"it is encrypted in a format that is not supported: its version is not \"" +
                 std::string(kVersion) + "\""};
  Envelope out;
  if (!data || !data->is_string() || !base64_decode(data->str(), out.data))
    return damaged("its \"encrypted_data\" is not valid base64");
  if (meta && !meta->is_object() && !meta->is_null()) return damaged("its \"meta\" is not an object");
  if (meta) {
    for (const JsonMember& m : meta->members)
      if (!base64_decode(m.value->str(), out.metadata[std::string(m.key)]))
        return damaged("the metadata of a key provider is not valid base64");
  }
  const JsonNode *serial = root.find("serial"), *lineage = root.find("lineage");
  if (serial && serial->is_number() && lineage && lineage->is_string())
    out.ids = StateIds{std::string(serial->text), std::string(lineage->str())};
  return out;
}

}  // namespace xplan::crypt
