// Reads and writes one resource instance of a state file (attributes, sensitive paths, private data,
// dependencies), keeping unchanged text as it was. The journal uses the same form.
#include "core/state/instance_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "core/base/base64.h"
#include "core/value/json.h"

namespace xplan {
namespace {

// Bytes of strings that cannot simply be copied: the end, escapes, and what is escaped on output.
constexpr std::array<bool, 256> make_special() {
  std::array<bool, 256> t{};
  for (unsigned char c : {'"', '\\', '<', '>', '&', '\xE2'}) t[c] = true;
  return t;
}
constexpr std::array<bool, 256> kSpecial = make_special();

// Copies the string whose opening quote is at json[i]; moves i past it.
void append_string(std::string& out, std::string_view json, size_t& i) {
  size_t plain = i++;
  for (;;) {
    while (i < json.size() && !kSpecial[static_cast<unsigned char>(json[i])]) ++i;
    if (i >= json.size()) break;
    char c = json[i];
    if (c == '"') {
      ++i;
      break;
    }
    if (c == '\\') {
      i = std::min(i + 2, json.size());
      continue;
    }
    bool separator =
        c == '\xE2' && i + 2 < json.size() && json[i + 1] == '\x80' && (json[i + 2] & ~1) == '\xA8';
    if (c == '\xE2' && !separator) {
      ++i;
      continue;
    }
    out.append(json, plain, i - plain);
    if (separator) {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 3;
    } else {
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
      ++i;
    }
    plain = i;
  }
  out.append(json, plain, i - plain);
}

std::vector<PathMarks> read_paths(JsonScan& scan) {
  std::vector<PathMarks> out;
  if (scan.take_null() || !scan.begin_array()) return out;
  while (scan.item()) {
    PathMarks p{{}, kSensitive};
    if (!scan.begin_array()) break;
    while (scan.item()) {
      std::string type, value;
      std::string_view member;
      if (!scan.begin_object()) break;
      while (scan.member(member)) {
        if (member == "type")
          type = scan.string();
        else if (member == "value")
          value = scan.raw();
        else
          scan.raw();
      }
      if (scan.failed()) return out;
      if (type == "get_attr") {
        JsonScan name(value);
        p.path.push_back(PathStep::of_attr(name.string()));
        if (name.failed()) scan.fail("an attribute name is missing in a sensitive path");
      } else if (type == "index") {
        auto index = parse_json_as(value, Type::dynamic());
        if (index.ok() && !index->is_null())
          p.path.push_back(PathStep::of_index(*index));
        else
          scan.fail("an index of a sensitive path cannot be read");
      } else {
        scan.fail("a step of a sensitive path has the type \"" + type + "\", which is not known");
      }
    }
    out.push_back(std::move(p));
  }
  return out;
}

uint64_t read_unsigned(JsonScan& scan, const char* what) {
  if (scan.take_null()) return 0;
  bool number = scan.peek() == JsonScan::Kind::Number;
  std::string_view text = scan.raw();
  uint64_t n = 0;
  auto r = std::from_chars(text.data(), text.data() + text.size(), n);
  if (!scan.failed() && (!number || r.ec != std::errc() || r.ptr != text.data() + text.size()))
    scan.fail(std::string("the ") + what + " must be a non-negative whole number");
  return n;
}

}  // namespace

bool valid_deposed_key(std::string_view s) {
  return s.size() == 8 && s.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

InstanceKey read_instance_key(JsonScan& scan) {
  switch (scan.peek()) {
    case JsonScan::Kind::Null:
      scan.take_null();
      return {};
    case JsonScan::Kind::String:
      return InstanceKey::of(Symbol(scan.string()));
    case JsonScan::Kind::Number: {
      std::string_view text = scan.raw();
      int64_t n = 0;
      auto r = std::from_chars(text.data(), text.data() + text.size(), n);
      if (r.ec == std::errc() && r.ptr == text.data() + text.size()) return InstanceKey::of(n);
      // 1e3 and 2.0 are whole numbers too.
      auto number = Number::parse(text);
      auto whole = number ? number->exact_int64() : std::nullopt;
      if (!whole) scan.fail("the instance key " + std::string(text) + " is not a whole number");
      return whole ? InstanceKey::of(*whole) : InstanceKey();
    }
    case JsonScan::Kind::True:
    case JsonScan::Kind::False:
    case JsonScan::Kind::Array:
    case JsonScan::Kind::Object:
    case JsonScan::Kind::End:
      break;
  }
  scan.fail("an instance key must be a whole number or a string");
  return {};
}

namespace {

ObjectStatus read_status(JsonScan& scan) {
  const std::string_view s = scan.take_null() ? std::string_view() : scan.string();
  if (s == "tainted") return ObjectStatus::Tainted;
  if (!s.empty()) scan.fail("the status \"" + std::string(s) + "\" is not known; it can only be \"tainted\"");
  return ObjectStatus::Ready;
}

}  // namespace

InstanceRecord InstanceReader::read(JsonScan& scan) {
  InstanceRecord out;
  out.object = std::make_shared<Object>();
  Object& o = *out.object;
  ObjectIdentity identity;
  if (!scan.begin_strict_object()) return out;
  std::string_view member;
  while (scan.member(member)) {
    if (member == "index_key") {
      out.key = read_instance_key(scan);
    } else if (member == "status") {
      o.status = read_status(scan);
    } else if (member == "deposed") {
      out.deposed = scan.take_null() ? std::string_view() : scan.string();
      if (!out.deposed.empty() && !valid_deposed_key(out.deposed))
        scan.fail("a deposed key must have eight hexadecimal digits; \"" + out.deposed + "\" is not valid");
    } else if (member == "provider") {
      if (!scan.take_null()) out.provider = provider(scan);
    } else if (member == "schema_version") {
      o.schema_version = read_unsigned(scan, "schema version");
    } else if (member == "attributes") {
      if (scan.take_null()) continue;
      if (scan.peek() != JsonScan::Kind::Object) scan.fail("the attributes of an instance must be an object");
      o.attributes_json = scan.raw();
    } else if (member == "attributes_flat") {
      if (scan.take_null() || !scan.begin_object()) continue;
      std::string_view name;
      while (scan.member(name)) {
        std::string n(name);
        o.attributes_flat.emplace_back(std::move(n), scan.string());
      }
    } else if (member == "sensitive_attributes") {
      o.sensitive_paths = read_paths(scan);
    } else if (member == "identity_schema_version") {
      identity.version = read_unsigned(scan, "version of the identity's schema");
    } else if (member == "identity") {
      if (scan.take_null()) continue;
      if (scan.peek() != JsonScan::Kind::Object) scan.fail("the identity of an instance must be an object");
      identity.json = scan.raw();
    } else if (member == "private") {
      if (scan.take_null()) continue;
      std::string_view text = scan.string();
      if (!scan.failed() && !base64_decode(text, o.private_data))
        scan.fail("the private data of an instance is not base64");
    } else if (member == "dependencies") {
      o.dependencies = dependencies(scan);
    } else if (member == "create_before_destroy") {
      o.create_before_destroy = !scan.take_null() && scan.boolean();
    } else if (member == "skip_destroy") {
      o.skip_destroy = !scan.take_null() && scan.boolean();
    } else {
      scan.raw();  // not known here; what newer versions added is not kept
    }
  }
  if (!identity.json.empty()) o.identity = std::make_shared<const ObjectIdentity>(std::move(identity));
  if (!o.attributes_json.empty()) {
    o.buffer = buffer_;
    o.attributes_flat.clear();
  } else if (o.attributes_flat.empty()) {
    o.attributes_json = "{}";
  }
  std::sort(o.attributes_flat.begin(), o.attributes_flat.end());
  return out;
}

size_t InstanceReader::ByContent::operator()(const Dependencies& d) const {
  size_t h = d->size();
  for (const ConfigResource& r : *d) h = h * 0x9E3779B97F4A7C15ull + std::hash<ConfigResource>()(r);
  return h;
}

std::string invalid_address(std::string_view kind, std::string_view address, std::string why) {
  if (why.ends_with('.')) why.pop_back();
  if (why.size() > 1 && std::islower(static_cast<unsigned char>(why[1])))
    why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  return "\"" + std::string(address) + "\" is not a valid " + std::string(kind) + " address (" + why + ")";
}

uint32_t InstanceReader::address(JsonScan& scan) {
  std::string text(scan.string()), why;
  if (scan.failed()) return 0;
  auto [it, fresh] = by_text_.try_emplace(text, static_cast<uint32_t>(addresses_.size()));
  if (!fresh) return it->second;
  std::optional<ConfigResource> r = parse_config_resource(text, &why);
  if (r)
    addresses_.push_back({'"' + text + '"', *r});
  else
    scan.fail(invalid_address("resource", text, std::move(why)));
  return it->second;
}

Dependencies InstanceReader::dependencies(JsonScan& scan) {
  if (scan.take_null()) return nullptr;
  if (scan.peek() != JsonScan::Kind::Array)
    scan.fail("the dependencies of an instance must be a list of addresses");
  std::vector<ConfigResource>& list = scratch_;
  list.clear();
  uint32_t last = 0;
  bool ascending = true;
  scan.begin_array();
  while (scan.item()) {
    uint32_t guess = addresses_[last].next;
    if (guess == 0 || !scan.take(addresses_[guess].text)) {
      guess = address(scan);
      if (scan.failed()) return nullptr;
      addresses_[last].next = guess;
      addresses_[last].ascending = last == 0 || less(addresses_[last].resource, addresses_[guess].resource);
    }
    ascending &= addresses_[last].ascending;
    list.push_back(addresses_[last = guess].resource);
  }
  if (scan.failed() || list.empty()) return nullptr;
  if (!ascending) {
    std::sort(list.begin(), list.end(), AddrLess());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return *dependencies_.insert(std::make_shared<const std::vector<ConfigResource>>(list)).first;
}

ProviderConfigAddr InstanceReader::provider(JsonScan& scan) {
  std::string text(scan.string());
  if (scan.failed()) return {};
  auto [it, fresh] = providers_.try_emplace(text);
  if (!fresh) return it->second;
  if (auto p = parse_provider_config_addr(text)) {
    it->second = *p;
    return *p;
  }
  // The form of versions before 0.13 names only the type: its namespace is not known.
  std::string_view rest = text;
  ProviderConfigAddr old;
  while (rest.starts_with("module.")) {
    size_t dot = rest.find('.', 7);
    if (dot == std::string_view::npos) break;
    old.module = old.module.child(Symbol(rest.substr(7, dot - 7)));
    rest.remove_prefix(dot + 1);
  }
  if (rest.starts_with("provider.")) {
    rest.remove_prefix(9);
    size_t dot = rest.find('.');
    std::string_view type = rest.substr(0, dot);
    auto p = parse_provider_addr(type == "terraform" ? std::string(type)
                                                     : "registry.terraform.io/-/" + std::string(type));
    if (p && type.find('[') == std::string_view::npos) {
      old.provider = *p;
      if (dot != std::string_view::npos) old.alias = Symbol(rest.substr(dot + 1));
      it->second = old;
      return old;
    }
  }
  providers_.erase(it);
  scan.fail("\"" + text +
            "\" is not a valid provider configuration address, such as provider[\"hashicorp/aws\"]");
  return {};
}

void append_json_layout(std::string& out, std::string_view json, int depth, bool compact) {
  auto newline = [&] {
    if (compact) return;
    out += '\n';
    out.append(static_cast<size_t>(depth) * 2, ' ');
  };
  for (size_t i = 0; i < json.size();) {
    char c = json[i];
    switch (c) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        ++i;
        break;
      case '{':
      case '[': {
        ++i;
        out += c;
        while (i < json.size() && (json[i] == ' ' || json[i] == '\n' || json[i] == '\r' || json[i] == '\t'))
          ++i;
        if (i < json.size() && (json[i] == '}' || json[i] == ']')) {
          out += json[i++];
          break;
        }
        ++depth;
        newline();
        break;
      }
      case '}':
      case ']':
        --depth, newline(), out += c, ++i;
        break;
      case ',':
        out += c, newline(), ++i;
        break;
      case ':':
        out += c;
        if (!compact) out += ' ';
        ++i;
        break;
      case '"':
        append_string(out, json, i);
        break;
      default:
        out += c, ++i;
    }
  }
}

std::vector<Path> recorded_sensitive_paths(const Object& o) {
  std::vector<Path> out;
  if (o.value) {
    if (o.value->contains_marks())
      for (PathMarks& p : marked_paths(*o.value))
        if (p.marks & kSensitive) out.push_back(std::move(p.path));
    return out;
  }
  for (const PathMarks& p : o.sensitive_paths) out.push_back(p.path);
  return out;
}

void InstanceWriter::write_dependencies(JsonWriter& w, const Dependencies& d) {
  std::string& text = dependencies_[d.get()];
  if (text.empty()) {
    std::vector<std::string> names;
    for (const ConfigResource& r : *d) names.push_back(r.text());
    std::sort(names.begin(), names.end());  // by text in files, unlike everywhere else
    std::string compact = "[";
    for (const std::string& n : names) {
      if (compact.size() > 1) compact += ',';
      append_json_string(compact, n);
    }
    compact += ']';
    append_json_layout(text, compact, depth_ + 1, compact_);
  }
  w.raw(text);
}

namespace {

void write_path(JsonWriter& w, const Path& path) {
  w.begin_array();
  for (const PathStep& s : path) {
    w.begin_object();
    w.member("type", s.is_attr ? "get_attr" : "index");
    w.key("value");
    if (s.is_attr) {
      w.string(s.attr.sv());
    } else {
      w.begin_object();
      w.key("value");
      write_json(w, s.index);
      w.key("type");
      w.raw(s.index.type().json());
      w.end_object();
    }
    w.end_object();
  }
  w.end_array();
}

}  // namespace

void InstanceWriter::write(JsonWriter& w, const InstanceKey& key, std::string_view deposed, const Object& o,
                           const std::optional<Type>& declared, std::string_view provider) {
  w.begin_object();
  if (key.kind == InstanceKey::Kind::Int) w.member("index_key", key.number);
  if (key.kind == InstanceKey::Kind::String) w.member("index_key", key.string.sv());
  if (o.status == ObjectStatus::Tainted) w.member("status", "tainted");
  if (!deposed.empty()) w.member("deposed", deposed);
  if (!provider.empty()) w.member("provider", provider);
  w.key("schema_version");
  w.raw(std::to_string(o.schema_version));
  if (o.value) {
    w.key("attributes");
    Value plain = o.value->contains_marks() ? o.value->unmark_deep() : *o.value;
    // Types inside are written on one line; in state files they are spread out as everything else.
    buffer_.clear();
    append_json_layout(buffer_, to_json_as(plain, declared ? *declared : plain.type()), depth_ + 1, compact_);
    w.raw(buffer_);
  } else if (!o.attributes_flat.empty()) {
    w.key("attributes_flat");
    w.begin_object();
    for (const auto& [k, v] : o.attributes_flat) w.member(k, v);
    w.end_object();
  } else {
    w.key("attributes");
    buffer_.clear();
    append_json_layout(buffer_, o.attributes_json, depth_ + 1, compact_);
    w.raw(buffer_);
  }
  w.key("sensitive_attributes");
  w.begin_array();
  for (const Path& path : recorded_sensitive_paths(o)) write_path(w, path);
  w.end_array();
  if (o.identity) {
    w.key("identity_schema_version");
    w.raw(std::to_string(o.identity->version));
    w.key("identity");
    buffer_.clear();
    append_json_layout(buffer_, o.identity->json, depth_ + 1, compact_);
    w.raw(buffer_);
  }
  if (!o.private_data.empty()) w.member("private", base64_encode(o.private_data));
  if (o.dependencies && !o.dependencies->empty()) {
    w.key("dependencies");
    write_dependencies(w, o.dependencies);
  }
  if (o.create_before_destroy) w.member("create_before_destroy", true);
  if (o.skip_destroy) w.member("skip_destroy", true);
  w.end_object();
}

}  // namespace xplan
