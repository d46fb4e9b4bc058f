// Encodings of strings: base64, URL, text encodings, gzip, JSON, CSV.
#include <algorithm>
#include <memory>

#include "core/base/base64.h"
#include "core/base/gunzip.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/eval/function.h"
#include "core/eval/functions/charset.h"
#include "core/eval/functions/csv.h"
#include "core/eval/functions/gzip.h"
#include "core/eval/limits.h"
#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan::eval {

namespace {

constexpr int kMaxJsonDepth = 1000;

Value fn_base64encode(std::span<const Value> a, const CallContext&, CallError&) {
  return Value::string(base64_encode(a[0].as_string()));
}

Value fn_base64decode(std::span<const Value> a, const CallContext&, CallError& error) {
  std::string out;
  if (!base64_decode(a[0].as_string(), out)) {
    error = {"the string is not valid base64", 0};
    return {};
  }
  if (!utf8_valid(out)) {
    error = {"the decoded bytes are not UTF-8 text, and a string can only contain text", 0};
    return {};
  }
  return Value::string(out);
}

Value fn_base64gzip(std::span<const Value> a, const CallContext&, CallError&) {
  return Value::string(base64_encode(gzip(a[0].as_string())));
}

Value fn_base64gunzip(std::span<const Value> a, const CallContext&, CallError& error) {
  std::string packed, out;
  if (!base64_decode(a[0].as_string(), packed)) {
    error = {"the string is not valid base64", 0};
    return {};
  }
  Gunzip gunzip;
  const Gunzip::Status status = gunzip.take(packed, [&](std::string_view piece) {
    out += piece;
    return out.size() <= kMaxStringBytes;
  });
  if (status == Gunzip::Status::Refused) {
    error = {"the resulting string would be longer than " + std::to_string(kMaxStringBytes >> 20) + " MiB",
             0};
  } else if (status != Gunzip::Status::End) {
    error = {"the decoded bytes are not whole data in the gzip format", 0};
  } else if (!utf8_valid(out)) {
    error = {"the decompressed bytes are not UTF-8 text, and a string can only contain text", 0};
  } else {
    return Value::string(out);
  }
  return {};
}

Value fn_urldecode(std::span<const Value> a, const CallContext&, CallError& error) {
  const std::string_view text = a[0].as_string();
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0) {
      error = {"each \"%\" must be followed by two hexadecimal digits; a percent sign itself is \"%25\"", 0};
      return {};
    }
    out += static_cast<char>(high << 4 | low);
    i += 2;
  }
  if (!utf8_valid(out)) {
    error = {"the decoded bytes are not UTF-8 text, and a string can only contain text", 0};
    return {};
  }
  return Value::string(out);
}

Value fn_urlencode(std::span<const Value> a, const CallContext&, CallError&) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (char c : a[0].as_string()) {
    uint8_t b = uint8_t(c);
    bool letter = (b | 32) >= 'a' && (b | 32) <= 'z';
    if (letter || (b >= '0' && b <= '9') || c == '-' || c == '_' || c == '.' || c == '~') {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kDigits[b >> 4];
      out += kDigits[b & 15];
    }
  }
  return Value::string(out);
}

const Charset* charset_argument(const Value& name, CallError& error) {
  const Charset* c = find_charset(name.as_string());
  if (!c) {
    error = {
        "the encoding must be a name or alias from the IANA registry of character sets, such as "
        "\"UTF-16LE\", \"ISO-8859-1\" or \"windows-1252\", and it must be supported here",
        1};
  }
  return c;
}

Value fn_textencodebase64(std::span<const Value> a, const CallContext&, CallError& error) {
  const Charset* c = charset_argument(a[1], error);
  if (!c) return {};
  std::string out;
  if (!to_charset(*c, a[0].as_string(), out)) {
    error = {"the string contains a character that " + std::string(charset_name(*c)) + " cannot represent",
             0};
    return {};
  }
  return Value::string(base64_encode(out));
}

Value fn_textdecodebase64(std::span<const Value> a, const CallContext&, CallError& error) {
  const Charset* c = charset_argument(a[1], error);
  if (!c) return {};
  std::string bytes, out;
  if (!base64_decode(a[0].as_string(), bytes)) {
    error = {"the string is not valid base64", 0};
    return {};
  }
  // A replacement character can only come from damaged text.
  if (!from_charset(*c, bytes, out) || out.find("\xEF\xBF\xBD") != std::string::npos) {
    error = {"the decoded bytes are not valid in " + std::string(charset_name(*c)), 0};
    return {};
  }
  return Value::string(out);
}

// JSON.

enum class Unfit { No, Infinity, Other };

Unfit json_unfit(const Value& v) {
  if (v.is_null()) return Unfit::No;
  switch (v.kind()) {
    case Kind::Num:
      return v.as_number().is_infinite() ? Unfit::Infinity : Unfit::No;
    case Kind::TypeVal:
      return Unfit::Other;
    case Kind::Seq:
    case Kind::Set:
    case Kind::Map:
    case Kind::Obj:
      for (const Value& e : v.elements()) {
        if (Unfit u = json_unfit(e); u != Unfit::No) return u;
      }
      return Unfit::No;
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Str:
      return Unfit::No;
  }
  return Unfit::No;
}

Value fn_jsonencode(std::span<const Value> a, const CallContext&, CallError& error) {
  const Value& v = a[0];
  if (!v.is_wholly_known()) {
    // What the text starts with may be known even when its end is not.
    if (!v.is_definitely_not_null()) return Value::unknown(Type::string(), {.not_null = true});
    Refinement r;
    r.not_null = true;
    switch (v.type().kind()) {
      case TypeKind::String:
        r.prefix = "\"";
        break;
      case TypeKind::Object:
      case TypeKind::Map:
        r.prefix = "{";
        break;
      case TypeKind::Tuple:
      case TypeKind::List:
      case TypeKind::Set:
        r.prefix = "[";
        break;
      case TypeKind::Dynamic:
      case TypeKind::Bool:
      case TypeKind::Number:
      case TypeKind::Capsule:
        break;
    }
    return Value::unknown(Type::string(), r);
  }
  switch (json_unfit(v)) {
    case Unfit::Infinity:
      error = {"an infinite number cannot be expressed in JSON", 0};
      return {};
    case Unfit::Other:
      error = {"a type cannot be expressed in JSON", 0};
      return {};
    case Unfit::No:
      break;
  }
  return Value::string(to_json(v));
}

// Whether an earlier member of the same name could be read as the type of the last one. Repeated members are
// tolerated when they agree in this sense.
bool reads_as(const JsonNode& node, Type t, int depth) {
  if (node.is_null()) return true;
  switch (t.kind()) {
    case TypeKind::String:
      return !node.is_array() && !node.is_object();
    case TypeKind::Number: {
      bool text = node.kind == JsonNode::Kind::Number || node.is_string();
      return text && Number::parse(node.text).ok();
    }
    case TypeKind::Bool:
      return node.is_bool() || node.str() == "true" || node.str() == "false";
    case TypeKind::Tuple: {
      if (!node.is_array() || node.items.size() != t.elements().size()) return false;
      if (depth > kMaxJsonDepth) return false;
      size_t i = 0;
      for (const JsonNode* item : node.items) {
        if (!reads_as(*item, t.elements()[i++], depth + 1)) return false;
      }
      return true;
    }
    case TypeKind::Object:
      if (!node.is_object() || depth > kMaxJsonDepth) return false;
      for (const JsonMember& m : node.members) {
        int at = t.find_attr(m.key);
        if (at < 0 || !reads_as(*m.value, t.elements()[size_t(at)], depth + 1)) return false;
      }
      return true;
    case TypeKind::Dynamic:
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
    case TypeKind::Capsule:
      break;
  }
  return false;
}

Value json_value(const JsonNode& node, int depth, CallError& error) {
  using K = JsonNode::Kind;
  if (depth > kMaxJsonDepth) {
    error = {"the JSON value is nested too deeply", 0};
    return {};
  }
  switch (node.kind) {
    case K::Null:
      return Value::null();
    case K::True:
      return Value::boolean(true);
    case K::False:
      return Value::boolean(false);
    case K::String:
      return Value::string(node.text);
    case K::Number: {
      Result<Number> n = Number::parse(node.text);
      if (!n.ok()) {
        error = {n.error().message, 0};
        return {};
      }
      return Value::number(*n);
    }
    case K::Array: {
      std::vector<Value> items;
      for (const JsonNode* item : node.items) {
        items.push_back(json_value(*item, depth + 1, error));
        if (!error.message.empty()) return {};
      }
      return Value::tuple(std::move(items));
    }
    case K::Object: {
      std::vector<std::pair<Symbol, Value>> attrs;
      attrs.reserve(node.members.size());
      std::vector<std::pair<uint32_t, size_t>> places;  // name, place
      for (const JsonMember& m : node.members) {
        Symbol name(nfc(m.key));
        places.emplace_back(name.id(), attrs.size());
        attrs.emplace_back(name, json_value(*m.value, depth + 1, error));
        if (!error.message.empty()) return {};
      }
      std::sort(places.begin(), places.end());
      std::vector<std::pair<Symbol, Value>> kept;
      kept.reserve(attrs.size());
      for (size_t i = places.size(); i-- > 0;) {
        auto& [name, value] = attrs[places[i].second];
        if (kept.empty() || kept.back().first != name) {
          kept.emplace_back(name, std::move(value));
        } else if (!reads_as(*node.members[places[i].second].value, kept.back().second.type(), depth)) {
          error = {"the member \"" + std::string(name.sv()) +
                       "\" occurs more than once in one JSON object, with values of different types",
                   0};
          return {};
        }
      }
      return Value::object(std::move(kept));
    }
  }
  return {};
}

Value fn_jsondecode(std::span<const Value> a, const CallContext&, CallError& error) {
  JsonError problem;
  std::string_view text = a[0].as_string();
  std::unique_ptr<JsonDocument> doc;
  if (text.starts_with("\xEF\xBB\xBF"))
    problem.message = "JSON does not allow a byte order mark";
  else
    doc = JsonDocument::parse(text, problem);
  // Closing brackets after the value have always been passed over.
  if (!doc && problem.offset < text.size() && (text[problem.offset] == ']' || text[problem.offset] == '}')) {
    JsonError ignored;
    doc = JsonDocument::parse(text.substr(0, problem.offset), ignored);
  }
  if (!doc) {
    error = {"this is not valid JSON, " + problem.text(text), 0};
    return {};
  }
  return json_value(doc->root(), 0, error);
}

// A known prefix of a string may already tell the type.
Type type_of_jsondecode(std::span<const Value> a, CallError& error) {
  if (!a[0].is_unknown()) return Type::dynamic();
  const std::string_view prefix = trimmed(a[0].refinement().prefix);
  if (prefix.empty()) return Type::dynamic();
  const char c = prefix[0];
  if (c == '"') return Type::string();
  if (c == 't' || c == 'f') return Type::boolean();
  if (c == '-' || c == '.' || (c >= '0' && c <= '9')) return Type::number();
  if (c != '{' && c != '[' && c != 'n') error = {"no JSON value can begin with this prefix", 0};
  return Type::dynamic();
}

Value fn_csvdecode(std::span<const Value> a, const CallContext&, CallError& error) {
  std::string problem;
  Value v = decode_csv(a[0].as_string(), problem);
  if (!problem.empty()) error = {problem, 0};
  return v;
}

}  // namespace

void register_encoding(FunctionTable& table) {
  const Type str = Type::string();
  auto text_function = [&](std::string_view name, std::string_view param, Impl impl,
                           std::string_view description, bool addition = false) {
    table.add({.name = name,
               .params = {{param, str}},
               .returns = str,
               .impl = impl,
               .addition = addition,
               .description = description});
  };
  text_function("base64encode", "str", fn_base64encode, "The UTF-8 bytes of a string in base64.");
  text_function("base64decode", "str", fn_base64decode, "The UTF-8 text of a base64 string.");
  text_function("base64gzip", "str", fn_base64gzip, "A string compressed with gzip, in base64.");
  text_function("urlencode", "str", fn_urlencode, "A string escaped for use in a URL query.");
  text_function("base64gunzip", "str", fn_base64gunzip,
                "The text of a string in base64 that gzip compressed.", true);
  text_function("urldecode", "str", fn_urldecode, "The string that was escaped for use in a URL query.",
                true);
  table.add({.name = "textencodebase64",
             .params = {{"string", str}, {"encoding", str}},
             .returns = str,
             .impl = fn_textencodebase64,
             .description = "A string in another text encoding, in base64."});
  table.add({.name = "textdecodebase64",
             .params = {{"source", str}, {"encoding", str}},
             .returns = str,
             .impl = fn_textdecodebase64,
             .description = "The string of base64 bytes in another text encoding."});
  table.add({.name = "jsonencode",
             .params = {{.name = "val",
                         .type = Type::dynamic(),
                         .allow_null = true,
                         .allow_unknown = true,
                         .allow_dynamic = true}},
             .returns = str,
             .impl = fn_jsonencode,
             .description = "A value as a JSON string."});
  table.add({.name = "jsondecode",
             .params = {{"str", str}},
             .returns = Type::dynamic(),
             .type_of = type_of_jsondecode,
             .impl = fn_jsondecode,
             .refine_not_null = false,
             .description = "The value described by a JSON string."});
  table.add({.name = "csvdecode",
             .params = {{"str", str}},
             .returns = Type::dynamic(),
             .impl = fn_csvdecode,
             .description = "The rows of a CSV string as a list of objects."});
}

}  // namespace xplan::eval
