// Requests for items, in DynamoDB's JSON.
#include "core/backend/s3/items.h"

#include <nlohmann/json.hpp>

#include "core/base/json_writer.h"

namespace xplan::backend::s3 {
namespace {

void string_member(JsonWriter& w, std::string_view name, std::string_view value) {
  w.key(name);
  w.begin_object();
  w.member("S", value);
  w.end_object();
}

// The key of an item, and the table.
void begin(JsonWriter& w, const S3Client& c, const char* key, const std::string& id) {
  w.begin_object();
  w.member("TableName", c.settings().table);
  w.key(key);
  w.begin_object();
  string_member(w, "LockID", id);
}

}  // namespace

Result<S3Client::TableAnswer> put_item(S3Client& c, const std::string& id, const char* name,
                                       const std::string& value, bool absent, net::Ending stop) {
  JsonWriter w;
  begin(w, c, "Item", id);
  string_member(w, name, value);
  w.end_object();
  if (absent) w.member("ConditionExpression", "attribute_not_exists(LockID)");
  w.end_object();
  return c.table("PutItem", w.text(), id, stop);
}

Result<std::optional<std::string>> get_item(S3Client& c, const std::string& id, const char* name,
                                            net::Ending stop) {
  JsonWriter w;
  begin(w, c, "Key", id);
  w.end_object();
  w.member("ProjectionExpression", std::string("LockID, ") + name);
  w.member("ConsistentRead", true);
  w.end_object();
  const Result<S3Client::TableAnswer> a = c.table("GetItem", w.text(), id, stop);
  if (!a) return a.error();
  if (!a->refused.empty()) return Error{a->text};
  const Result<Json> doc = parse_document(a->text);
  if (!doc)
    return Error{"the response from the DynamoDB table \"" + c.settings().table + "\" " +
                 doc.error().message};
  const Json* item = object_in(*doc, "Item");
  const Json* value = item ? object_in(*item, name) : nullptr;
  return value ? std::optional(string_in(*value, "S")) : std::nullopt;
}

Result<void> delete_item(S3Client& c, const std::string& id, const char* name, const std::string& value,
                         net::Ending stop) {
  JsonWriter w;
  begin(w, c, "Key", id);
  w.end_object();
  if (!value.empty()) {
    w.member("ConditionExpression", std::string(name) + " = :value");
    w.key("ExpressionAttributeValues");
    w.begin_object();
    string_member(w, ":value", value);
    w.end_object();
  }
  w.end_object();
  const Result<S3Client::TableAnswer> a = c.table("DeleteItem", w.text(), id, stop);
  if (!a) return a.error();
  if (a->refused.empty()) return {};
  if (a->refused != "ConditionalCheckFailedException") return Error{a->text};
  // An attempt whose answer was lost has deleted it; otherwise somebody else has it now.
  const Result<std::optional<std::string>> there = get_item(c, id, name, stop);
  if (!there) return there.error();
  return *there ? Result<void>(Error{a->text}) : Result<void>();
}

}  // namespace xplan::backend::s3
