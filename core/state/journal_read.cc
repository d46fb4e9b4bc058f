// Reads a journal: checks line digests, parses records, stops at a torn end.
#include <algorithm>
#include <charconv>
#include <utility>

#include "core/state/check_results.h"
#include "core/state/instance_json.h"
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan {
namespace {

using RecordKind = JournalRecord::Kind;
constexpr std::pair<RecordKind, const char*> kRecordKinds[] = {
    {RecordKind::Intent, "intent"},   {RecordKind::Result, "result"},   {RecordKind::Remove, "remove"},
    {RecordKind::Depose, "depose"},   {RecordKind::Restore, "restore"}, {RecordKind::Move, "move"},
    {RecordKind::Outputs, "outputs"}, {RecordKind::Checks, "checks"}};

// [MODULE, MODE, TYPE, NAME] and the instance key, if there is one.
AbsInstance read_address(JsonScan& scan) {
  AbsInstance a;
  int parts = 0;
  if (!scan.begin_array()) return a;
  for (; scan.item(); ++parts) {
    if (parts == 4) {
      a.key = read_instance_key(scan);
      continue;
    }
    std::string_view s = scan.string();
    if (parts == 0 && !s.empty()) {
      if (auto m = parse_module_instance(s))
        a.module = *m;
      else
        scan.fail("the address of a module cannot be read");
    }
    if (parts == 1)
      a.resource.mode = s == "data" ? Mode::Data : s == "ephemeral" ? Mode::Ephemeral : Mode::Managed;
    if (parts == 2) a.resource.type = Symbol(s);
    if (parts == 3) a.resource.name = Symbol(s);
  }
  if (parts < 4 || parts > 5 || a.resource.type.empty() || a.resource.name.empty())
    scan.fail("an address must have a module, a mode, a type and a name");
  return a;
}

void read_moves(JsonScan& scan, JournalRecord& r) {
  if (!scan.begin_array()) return;
  while (scan.item()) {
    if (!scan.begin_array()) return;
    AbsInstance pair[2];
    size_t read = 0;
    for (; scan.item(); ++read)
      if (read < 2)
        pair[read] = read_address(scan);
      else
        scan.raw();
    if (read != 2) return scan.fail("a move must have two addresses");
    r.moves.emplace_back(pair[0], pair[1]);
  }
}

uint64_t read_number(JsonScan& scan) {
  std::string_view s = scan.string();
  uint64_t n = 0;
  auto r = std::from_chars(s.data(), s.data() + s.size(), n);
  if (r.ec != std::errc()) scan.fail("a number is expected");
  return n;
}

void read_outputs(JsonScan& scan, JournalRecord& r) {
  if (!scan.begin_object()) return;
  std::string_view member;
  while (scan.member(member)) {
    Symbol name(member);
    std::string_view value, type;
    bool sensitive = false;
    if (!scan.begin_object()) return;
    while (scan.member(member)) {
      if (member == "value")
        value = scan.raw();
      else if (member == "type")
        type = scan.raw();
      else if (member == "sensitive")
        sensitive = scan.boolean();
      else
        scan.raw();
    }
    auto t = parse_type_json(type);
    auto v = t.ok() ? parse_json_as(value, *t) : Result<Value>(t.error());
    if (!v.ok()) return scan.fail("an output cannot be read");
    r.outputs[name] = {std::move(*v), sensitive};
  }
}

class JournalReader {
 public:
  explicit JournalReader(std::shared_ptr<const std::string> text) : text_(text), instances_(text) {}

  Result<JournalContent> read() {
    std::string_view all = *text_;
    bool bad_place = false;
    for (size_t at = 0; at < all.size();) {
      if (all[at] == '\n') {
        ++at;
        continue;
      }
      std::string_view json = line_at(at);
      if (json.data()) {
        if (!record(json)) return Error{problem_};
        if (bad_place) out_.damaged = true;
        at += 18 + json.size() + 1;
        continue;
      }
      bad_place = true;
      size_t next = all.find('\n', at);
      at = next == std::string_view::npos ? all.size() : next + 1;
    }
    if (!out_.empty) return std::move(out_);
    if (!out_.commits.empty() || !out_.records.empty())
      return Error{"its first record, which names the state it belongs to, is damaged"};
    // A first record that was not completed has no end of line; a crash of the machine may leave zeros.
    if (all.find('\n') != std::string_view::npos && all.find_first_not_of('\0') != std::string_view::npos)
      return Error{"it is not a journal of an apply"};
    return std::move(out_);
  }

 private:
  // The JSON of a whole, undamaged line; a null view otherwise.
  std::string_view line_at(size_t at) const {
    std::string_view rest = std::string_view(*text_).substr(at);
    uint32_t length = 0, sum = 0;
    if (rest.size() < 19 || rest[8] != ' ' || rest[17] != ' ' || !hex8(rest, length) ||
        !hex8(rest.substr(9), sum))
      return {};
    if (rest.size() < 18 + size_t{length} + 1 || rest[18 + size_t{length}] != '\n') return {};
    std::string_view json = rest.substr(18, length);
    return checksum(json) == sum ? json : std::string_view();
  }
  static bool hex8(std::string_view s, uint32_t& out) {
    auto r = std::from_chars(s.data(), s.data() + 8, out, 16);
    return r.ec == std::errc() && r.ptr == s.data() + 8;
  }

  // Whether it says all that a record of its kind must.
  static bool complete(const JournalRecord& r) {
    const bool about_object =
        r.kind != RecordKind::Move && r.kind != RecordKind::Outputs && r.kind != RecordKind::Checks;
    const bool about_deposed = r.kind == RecordKind::Depose || r.kind == RecordKind::Restore;
    if (about_object && r.addr.resource.type.empty()) return false;
    if (r.object && r.provider.provider.empty()) return false;
    return r.deposed.empty() ? !about_deposed : valid_deposed_key(r.deposed);
  }

  bool record(std::string_view json) {
    JsonScan scan(json);
    JournalRecord r;
    std::string kind, lineage;
    uint64_t serial = 0, digest = 0;
    std::optional<uint64_t> records;
    int form = 0;
    std::string_view member;
    if (!scan.begin_object()) return false;
    while (scan.member(member)) {
      if (member == "kind")
        kind = scan.string();
      else if (member == "journal")
        form = scan.raw() == "1" ? 1 : 2;
      else if (member == "lineage")
        lineage = scan.string();
      else if (member == "serial")
        serial = read_number(scan);
      else if (member == "digest")
        digest = read_number(scan);
      else if (member == "records")
        records = read_number(scan);
      else if (member == "address")
        r.addr = read_address(scan);
      else if (member == "moves")
        read_moves(scan, r);
      else if (member == "deposed")
        r.deposed = scan.string();
      else if (member == "action")
        r.action = scan.string();
      else if (member == "provider")
        r.provider = instances_.provider(scan);
      else if (member == "instance")
        r.object = instances_.read(scan).object;
      else if (member == "outputs")
        read_outputs(scan, r);
      else if (member == "checks") {
        if (!scan.take_null()) r.checks = read_check_results(scan);
      } else
        scan.raw();
    }
    if (scan.failed()) return false;
    if (kind == "begin") return form == 1 && begin({lineage, serial});
    if (kind == "commit") {
      const size_t before = out_.records.size();
      out_.commits.push_back({lineage, serial, digest, std::min<uint64_t>(records.value_or(before), before)});
      return true;
    }
    for (auto& [k, name] : kRecordKinds) {
      if (kind != name) continue;
      r.kind = k;
      if (!complete(r)) return false;
      out_.records.push_back(std::move(r));
      return true;
    }
    return false;
  }

  // Every segment of a journal begins with this. Another base may only be what all until here was committed
  // to: that is what then follows.
  bool begin(const JournalBase& base) {
    const auto is = [&](const auto& other) {
      return base.lineage == other.lineage && base.serial == other.serial;
    };
    if (!out_.empty && !is(out_.base)) {
      if (out_.commits.empty() || !is(out_.commits.back())) {
        problem_ = "it has records of two runs that began with different states";
        return false;
      }
      out_.records.clear();
      out_.commits.clear();
    }
    out_.empty = false;
    out_.base = base;
    return true;
  }

  std::shared_ptr<const std::string> text_;
  InstanceReader instances_;
  JournalContent out_;
  const char* problem_ = "it contains a record that this version cannot read";
};

}  // namespace

const char* journal_kind_name(RecordKind k) {
  for (auto& [kind, name] : kRecordKinds)
    if (kind == k) return name;
  return "";
}

Result<JournalContent> read_journal(std::shared_ptr<const std::string> text) {
  return JournalReader(std::move(text)).read();
}

}  // namespace xplan
