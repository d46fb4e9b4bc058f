// Reads state files of version 4 in one pass, objects kept as JSON text; older versions go to upgrade.cc.
// Declared in state.h.
#include <algorithm>
#include <charconv>

#include "core/base/conflict.h"
#include "core/base/text.h"
#include "core/state/check_results.h"
#include "core/state/instance_json.h"
#include "core/state/store.h"
#include "core/state/upgrade.h"
#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan {

bool valid_version(std::string_view s) {
  size_t end = s.find_first_of("-+");
  std::string_view numbers = s.substr(0, end);
  bool digit = false;
  for (char c : numbers) {
    if (c == '.' ? !digit : c < '0' || c > '9') return false;
    digit = c != '.';
  }
  return digit;
}

namespace {

// Why a text is no state: the markers of a merge before whatever follows from them.
std::string with_conflicts(std::string_view text, const std::string& why) {
  const std::vector<size_t> markers = conflict_markers(text);
  if (markers.empty()) return why;
  const auto lines = std::count(text.begin(), text.begin() + static_cast<int64_t>(markers[0]), '\n');
  return "it has unresolved merge conflicts, the first one on line " + std::to_string(lines + 1) +
         ". Two versions of a state cannot be merged as text: restore the newer one from version "
         "control";
}

class StateReader {
 public:
  explicit StateReader(std::shared_ptr<const std::string> text)
      : text_(text), scan_(*text), instances_(text) {}

  explicit StateReader(Arrival& arrival) : text_(arrival.text()), scan_(arrival), instances_(text_) {}

  // Nothing: it is no state, or not all of it arrived.
  std::optional<State> read_arriving() {
    read_document();
    if (!scan_.failed()) scan_.at_end();
    return scan_.failed() ? std::nullopt : std::optional(std::move(state_));
  }
  Result<State> read() {
    read_document();
    if (!scan_.failed()) scan_.at_end();
    if (!scan_.failed()) return std::move(state_);
    return Error{with_conflicts(*text_, scan_.error())};
  }

 private:
  void read_document() {
    if (!scan_.begin_strict_object()) return;
    std::string_view member;
    while (scan_.member(member)) {
      if (member == "terraform_version") {
        state_.terraform_version = text();
        if (!state_.terraform_version.empty() && !valid_version(state_.terraform_version))
          scan_.fail("\"" + state_.terraform_version + "\" is not a valid version number");
      } else if (member == "serial") {
        if (!scan_.take_null()) read_serial();
      } else if (member == "lineage") {
        state_.lineage = text();
      } else if (member == "outputs") {
        if (!scan_.take_null()) read_outputs();
      } else if (member == "resources") {
        if (!scan_.take_null() && scan_.begin_array())
          while (scan_.item()) read_resource();
      } else if (member == "check_results") {
        if (scan_.take_null()) continue;
        auto checks = read_check_results(scan_);
        if (!checks.empty()) state_.check_results = std::move(checks);
      } else {
        scan_.raw();
      }
    }
  }

  std::string_view text() { return scan_.take_null() ? std::string_view() : scan_.string(); }

  void read_serial() {
    bool number = scan_.peek() == JsonScan::Kind::Number;
    std::string_view raw = scan_.raw();
    auto r = std::from_chars(raw.data(), raw.data() + raw.size(), state_.serial);
    if (!scan_.failed() && (!number || r.ec != std::errc() || r.ptr != raw.data() + raw.size()))
      scan_.fail("the serial must be a non-negative whole number");
  }

  void read_outputs() {
    if (!scan_.begin_object()) return;
    std::string_view member;
    while (scan_.member(member)) {
      std::string name(member);
      std::string_view value, type;
      bool sensitive = false;
      std::string deprecated;
      if (!scan_.begin_strict_object()) return;
      while (scan_.member(member)) {
        if (member == "value")
          value = scan_.raw();
        else if (member == "type")
          type = scan_.raw();
        else if (member == "sensitive")
          sensitive = !scan_.take_null() && scan_.boolean();
        else if (member == "deprecated")
          deprecated = scan_.take_null() ? std::string() : std::string(scan_.string());
        else
          scan_.raw();
      }
      if (scan_.failed()) return;
      if (state_.outputs.contains(Symbol(name)))
        return scan_.fail("the output \"" + name + "\" occurs more than once");
      if (value.empty() || type.empty())
        return scan_.fail("the output \"" + name + "\" must have both a value and a type");
      auto t = parse_type_json(type);
      if (!t.ok())
        return scan_.fail("the type of the output \"" + name + "\" cannot be read: " + t.error().message);
      auto v = parse_json_as(value, *t);
      if (!v.ok())
        return scan_.fail("the value of the output \"" + name +
                          "\" does not match its type: " + v.error().message);
      state_.outputs[Symbol(name)] = {std::move(*v), sensitive, std::move(deprecated)};
    }
  }

  void read_resource() {
    std::string mode, type, name, module, provider_problem;
    ProviderConfigAddr provider;
    bool has_provider = false;
    std::vector<InstanceRecord> records;
    if (!scan_.begin_strict_object()) return;
    std::string_view member;
    while (scan_.member(member)) {
      if (member == "mode")
        mode = text();
      else if (member == "type")
        type = text();
      else if (member == "name")
        name = text();
      else if (member == "module")
        module = text();
      else if (member == "provider") {
        if (!scan_.take_null()) provider = instances_.provider(scan_), has_provider = true;
      } else if (member == "instances") {
        if (!scan_.take_null() && scan_.begin_array())
          while (scan_.item()) records.push_back(instances_.read(scan_));
      } else {
        scan_.raw();
      }
    }
    if (scan_.failed()) return;
    AbsResource addr;
    if (mode == "data")
      addr.resource.mode = Mode::Data;
    else if (mode != "managed")
      return scan_.fail("the mode of a resource must be \"managed\" or \"data\", not \"" + mode + "\"");
    if (type.empty() || name.empty()) return scan_.fail("a resource must have a type and a name");
    for (const std::string* named : {&type, &name})
      if (!is_name(*named))
        return scan_.fail("a resource has the type " + in_quotes(type) + " and the name " + in_quotes(name) +
                          ", which are not valid names");
    addr.resource.type = Symbol(type), addr.resource.name = Symbol(name);
    if (!module.empty()) {
      auto known = modules_.find(module);
      if (known == modules_.end()) {
        std::string why;
        auto m = parse_module_instance(module, &why);
        if (!m) return scan_.fail(invalid_address("module", module, std::move(why)));
        known = modules_.emplace(module, *m).first;
      }
      addr.module = known->second;
    }
    // Without it nobody could ever change or destroy the objects; to leave them out would be to forget them.
    for (const InstanceRecord& record : records) {
      if (record.provider.provider.empty()) continue;
      if (has_provider && !(record.provider.block() == provider))
        return scan_.fail("the resource " + addr.text() + " has instances of different providers");
      provider = record.provider.block(), has_provider = true;
    }
    if (!has_provider) return scan_.fail("the resource " + addr.text() + " has no provider");
    ResourceState& r = state_.resources.emplace_hint(state_.resources.end(), addr, ResourceState())->second;
    r.provider = provider;
    for (InstanceRecord& record : records) add(addr, r, record);
  }

  void add(const AbsResource& addr, ResourceState& r, InstanceRecord& record) {
    InstanceState& i = r.instances.emplace_hint(r.instances.end(), record.key, InstanceState())->second;
    if (!record.provider.provider.empty()) i.provider_key = record.provider.key;
    bool fresh = true;
    if (record.deposed.empty()) {
      fresh = !i.current;
      i.current = std::move(record.object);
    } else {
      fresh = i.deposed.emplace(record.deposed, std::move(record.object)).second;
    }
    if (fresh) return;
    std::string text = AbsInstance{addr.module, addr.resource, record.key}.text();
    if (!record.deposed.empty()) text += " (deposed object " + record.deposed + ")";
    scan_.fail("the instance " + text + " occurs more than once");
  }

  std::shared_ptr<const std::string> text_;
  JsonScan scan_;
  InstanceReader instances_;
  State state_;
  std::unordered_map<std::string, ModuleInstance> modules_;
};

constexpr int kNewestFormat = 4;

// Nothing of a text that begins with a word which JSON does not know, such as a configuration.
std::string where_not_json(std::string_view text, const JsonScan& scan) {
  const std::string_view begin = trimmed(text);
  const std::string_view word = begin.substr(0, begin.find_first_of(" \t\r\n={\""));
  const bool of_json = word == "null" || word == "true" || word == "false";
  const std::string first = ascii_lower(word.substr(0, 1));
  return first >= "a" && first <= "z" && !of_json ? std::string() : ": " + scan.error();
}

// The member "version"; empty: there is none, or no document.
std::string_view version_member(JsonScan& scan, JsonScan::Kind& kind) {
  std::string_view member;
  if (!scan.begin_object()) return {};
  while (scan.member(member)) {
    const JsonScan::Kind next = scan.peek();
    const std::string_view value = scan.raw();
    // It is the first member of every file that programs write; what follows is checked when it is read.
    if (member == "version") return kind = next, value;
  }
  return {};
}

constexpr int kNoState = -2;

// The format's number, which decides how the rest is read. Negative: a problem, which `error` then tells.
int format_version(std::string_view text, std::string& error) {
  JsonScan scan(text);
  JsonScan::Kind kind = JsonScan::Kind::End;
  const std::string_view version = version_member(scan, kind);
  if (scan.failed()) {
    const bool page = trimmed(text).starts_with('<');
    error = with_conflicts(text, page ? "it begins like a web page or an XML document, so it is not a state"
                                      : "it is not a state in JSON format" + where_not_json(text, scan));
    return page ? kNoState : -1;
  }
  if (version.empty() || kind == JsonScan::Kind::Null) {
    error = "it has no member \"version\", so it is not a state file";
    return kNoState;
  }
  int n = 0;
  auto r = std::from_chars(version.data(), version.data() + version.size(), n);
  if (kind != JsonScan::Kind::Number || r.ec != std::errc() || r.ptr != version.data() + version.size() ||
      n < 1) {
    error = "its format version must be a positive whole number, not " + std::string(version.substr(0, 40));
    return -1;
  }
  return n;
}

}  // namespace

Unusable how_unusable(std::string_view text) {
  std::string ignored;
  const int version = format_version(text, ignored);
  if (version > kNewestFormat || !conflict_markers(text).empty()) return Unusable::Known;
  return version == kNoState ? Unusable::NoState : Unusable::Damaged;
}

Result<State> read_encrypted_state(std::string bytes, crypt::Codec& codec) {
  Result<crypt::Decrypted> text = codec.decrypt(std::move(bytes));
  if (!text) return text.error();
  return read_state(std::make_shared<const std::string>(std::move(text->bytes)));
}

std::optional<State> read_arriving_state(Arrival& arrival) {
  JsonScan scan(arrival);
  JsonScan::Kind kind = JsonScan::Kind::End;
  if (version_member(scan, kind) != std::to_string(kNewestFormat)) return std::nullopt;
  return StateReader(arrival).read_arriving();
}

Result<State> read_state(std::shared_ptr<const std::string> text) {
  std::string error;
  int version = format_version(*text, error);
  if (version < 0) return Error{error};
  if (version > kNewestFormat)
    return Error{"it has format version " + std::to_string(version) +
                 ", which is newer than version 4, the newest one supported here. Use the version of the "
                 "program that wrote it, or a later one"};
  if (version < 4) return upgrade_state(version, std::move(text));
  return StateReader(std::move(text)).read();
}

}  // namespace xplan
