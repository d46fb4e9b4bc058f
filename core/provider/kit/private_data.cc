// Private data of a resource: keys and strings, encoded as a JSON object.
#include "core/provider/kit/private_data.h"

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/json_writer.h"

namespace xplan::kit {

const std::string* PrivateData::find(std::string_view key) const {
  auto it = entries_.find(key);
  return it == entries_.end() ? nullptr : &it->second;
}
void PrivateData::set(std::string_view key, std::string value) {
  entries_.insert_or_assign(std::string(key), std::move(value));
}
void PrivateData::remove(std::string_view key) {
  if (auto it = entries_.find(key); it != entries_.end()) entries_.erase(it);
}

std::string PrivateData::encode() const {
  if (entries_.empty()) return "";
  JsonWriter w;
  w.begin_object();
  for (const auto& [key, value] : entries_) w.member(key, std::string_view(value));
  w.end_object();
  return w.take();
}

Result<PrivateData> PrivateData::decode(std::string_view bytes) {
  PrivateData out;
  if (bytes.empty()) return out;
  const auto doc = parse_document(bytes);
  if (!doc) return Error{"the private data " + doc.error().message};
  for (const auto& [key, value] : doc->items()) {
    if (!value.is_string()) return Error{"the private data contains a value that is not a string"};
    out.set(key, value.get<std::string>());
  }
  return out;
}

}  // namespace xplan::kit
