// The streaming JSON scanner for state files and journals: member by member, values as slices of the text,
// strict checks of everything skipped.
#include "core/state/json_scan.h"

#include "core/base/json_reader.h"

namespace xplan {
namespace {

constexpr size_t kMaxDepth = kJsonStoredDepth;

}  // namespace

const char* json_kind_name(JsonScan::Kind k) {
  switch (k) {
    case JsonScan::Kind::Object:
      return "an object";
    case JsonScan::Kind::Array:
      return "an array";
    case JsonScan::Kind::String:
      return "a string";
    case JsonScan::Kind::Number:
      return "a number";
    case JsonScan::Kind::True:
    case JsonScan::Kind::False:
      return "true or false";
    case JsonScan::Kind::Null:
      return "null";
    case JsonScan::Kind::End:
      break;
  }
  return "nothing";
}

JsonScan::Kind JsonScan::peek() {
  if (failed()) return Kind::End;
  in_.space();
  return in_.kind();
}

bool JsonScan::expect(Kind kind) {
  const Kind k = peek();
  if (failed() || k == kind) return !failed();
  const bool guessed = k == Kind::True || k == Kind::False || k == Kind::Null;  // from the first letter
  return in_.fail(std::string(json_kind_name(kind)) + " is expected" +
                  (guessed ? "" : std::string(", not ") + json_kind_name(k)));
}

bool JsonScan::begin(Kind kind) {
  if (!expect(kind)) return false;
  if (open_.size() >= kMaxDepth) return in_.fail("the nesting is too deep");
  open_.push_back({kind == Kind::Object ? Container::Object : Container::Array, in_.at()});
  in_.skip(1);
  return true;
}
bool JsonScan::begin_object() {
  return begin(Kind::Object);
}
bool JsonScan::begin_strict_object() {
  if (!begin(Kind::Object)) return false;
  open_.back().names = names_.size();
  names_ += '\n';
  return true;
}
bool JsonScan::begin_array() {
  return begin(Kind::Array);
}

bool JsonScan::more(Container kind) {
  if (failed()) return false;
  const bool array = kind == Container::Array;
  const char close = array ? ']' : '}';
  Open& o = open_.back();
  in_.space();
  if (in_.peek() == close) {
    in_.skip(1);
    if (o.names != std::string::npos) names_.resize(o.names);
    open_.pop_back();
    return false;
  }
  if (!o.first && !in_.done() &&
      !in_.comma(close,
                 array ? "a comma is expected between elements" : "a comma is expected between members"))
    return false;
  o.first = false;
  return !in_.done() || in_.fail_at(o.begin, array ? "this array has no closing bracket"
                                                   : "this object has no closing brace");
}
bool JsonScan::item() {
  return more(Container::Array);
}

bool JsonScan::member(std::string_view& key) {
  JsonCursor::String name;
  if (!more(Container::Object) || !in_.key(name)) return false;
  key = text_of(name);
  Open& object = open_.back();
  if (object.names != std::string::npos && !is_new(object, key))
    return in_.fail("the member \"" + std::string(key) + "\" occurs more than once");
  return true;
}

// Nearly every object has few members, whose names are a line each in one text.
bool JsonScan::is_new(Open& object, std::string_view key) {
  constexpr size_t kFew = 1024;  // bytes
  if (object.many) return object.many->emplace(key).second;
  const size_t end = names_.size() - 1;
  names_.append(key) += '\n';
  const std::string_view names = std::string_view(names_).substr(object.names);
  if (names_.find(std::string_view(names_).substr(end), object.names) < end) return false;
  if (names.size() < kFew) return true;
  object.many = std::make_unique<std::unordered_set<std::string>>();
  for (size_t at = 1; at < names.size(); at = names.find('\n', at) + 1)
    object.many->emplace(names.substr(at, names.find('\n', at) - at));
  return true;
}

std::string_view JsonScan::text_of(const JsonCursor::String& s) {
  if (s.plain) return s.raw;
  decoded_.clear();
  decode_json_string(decoded_, s.raw);
  return decoded_;
}

std::string_view JsonScan::raw() {
  peek();
  const size_t begin = in_.at(), outside = open_.size();
  JsonCursor::String s;
  do {  // a value begins here
    switch (peek()) {
      case Kind::Object:
        begin_object();
        break;
      case Kind::Array:
        begin_array();
        break;
      case Kind::String:
        in_.string(s);
        break;
      case Kind::Number:
        in_.number();
        break;
      case Kind::True:
        in_.word("true");
        break;
      case Kind::False:
        in_.word("false");
        break;
      case Kind::Null:
        in_.word("null");
        break;
      case Kind::End:
        break;
    }
    // To the next value inside of what is open, or out of what ends.
    while (!failed() && open_.size() > outside) {
      const Container kind = open_.back().kind;
      if (more(kind) && (kind == Container::Array || in_.key(s))) break;
    }
  } while (!failed() && open_.size() > outside);
  return failed() ? std::string_view() : in_.since(begin);
}

std::string_view JsonScan::string() {
  JsonCursor::String s;
  return expect(Kind::String) && in_.string(s) ? text_of(s) : std::string_view();
}

bool JsonScan::take(std::string_view text) {
  if (failed()) return false;
  in_.space();
  if (!in_.follows(text)) return false;
  in_.skip(text.size());
  return true;
}

bool JsonScan::boolean() {
  const Kind k = peek();
  if (k == Kind::True) return in_.word("true");
  if (k == Kind::False) return in_.word("false"), false;
  if (!failed()) in_.fail(std::string("true or false is expected, not ") + json_kind_name(k));
  return false;
}

bool JsonScan::take_null() {
  return peek() == Kind::Null && in_.word("null");
}

bool JsonScan::at_end() {
  return in_.end();
}

}  // namespace xplan
