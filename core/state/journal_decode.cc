// Decodes the lines of a journal: what each of them says.
#include <algorithm>
#include <charconv>
#include <utility>

#include "core/state/instance_json.h"
#include "core/state/journal_line.h"

namespace xplan {
namespace {

using RecordKind = JournalRecord::Kind;
constexpr std::pair<RecordKind, const char*> kRecordKinds[] = {
    {RecordKind::Intent, "intent"}, {RecordKind::Result, "result"},   {RecordKind::Remove, "remove"},
    {RecordKind::Depose, "depose"}, {RecordKind::Restore, "restore"}, {RecordKind::Move, "move"},
    {RecordKind::Moving, "moving"}};

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
    if (parts == 1) {
      a.resource.mode = s == "data" ? Mode::Data : s == "ephemeral" ? Mode::Ephemeral : Mode::Managed;
      if (a.resource.mode == Mode::Managed && s != "managed") scan.fail("an address has an unknown mode");
    }
    if (parts == 2) a.resource.type = Symbol(s);
    if (parts == 3) a.resource.name = Symbol(s);
  }
  if (parts < 4 || parts > 5 || !is_name(a.resource.type.sv()) || !is_name(a.resource.name.sv()))
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

// Whether it says all that a record of its kind must.
bool complete(const JournalRecord& r) {
  const bool about_object = r.kind != RecordKind::Move && r.kind != RecordKind::Moving;
  const bool about_deposed = r.kind == RecordKind::Depose || r.kind == RecordKind::Restore;
  if (about_object && r.addr.resource.type.empty()) return false;
  if (r.object && r.provider.provider.empty()) return false;
  return r.deposed.empty() ? !about_deposed : valid_deposed_key(r.deposed);
}

struct LineMembers {
  JournalLine out;
  std::string kind, lineage;
  uint64_t serial = 0, digest = 0;
  bool known_form = false;
};

// What a line says of itself, of the state or of the segment. False: it is something else.
bool read_own_member(JsonScan& scan, std::string_view member, LineMembers& m) {
  if (member == "kind")
    m.kind = scan.string();
  else if (member == "journal")
    m.known_form = scan.raw() == "1";
  else if (member == "lineage")
    m.lineage = scan.string();
  else if (member == "next_lineage")
    m.out.base.next_lineage = scan.string();
  else if (member == "serial")
    m.serial = read_number(scan);
  else if (member == "digest")
    m.digest = read_number(scan);
  else if (member == "records")
    m.out.commit.records = read_number(scan);
  else if (member == "key")
    m.out.part.key = scan.string();
  else if (member == "run")
    m.out.part.run = scan.string();
  else if (member == "segment")
    m.out.part.number = read_number(scan);
  else if (member == "after")
    m.out.part.after = read_number(scan);
  else if (member == "beats" && scan.begin_array())
    while (scan.item()) m.out.part.beats.push_back(read_number(scan));
  else if (member == "locks")
    m.out.part.locks = scan.string();
  else if (member == "who")
    m.out.part.who = scan.string();
  else if (member == "process")
    m.out.part.process = scan.string();
  else if (member == "time")
    m.out.part.time = scan.string();
  else
    return false;
  return true;
}

bool read_record_member(JsonScan& scan, std::string_view member, InstanceReader& instances,
                        JournalRecord& r) {
  if (member == "address")
    r.addr = read_address(scan);
  else if (member == "moves")
    read_moves(scan, r);
  else if (member == "deposed")
    r.deposed = scan.string();
  else if (member == "action")
    r.action = scan.string();
  else if (member == "command")
    r.command = scan.string();
  else if (member == "provider")
    r.provider = instances.provider(scan);
  else if (member == "instance")
    r.object = instances.read(scan).object;
  else
    return false;
  return true;
}

}  // namespace

std::optional<JournalLine> read_journal_line(std::string_view json, InstanceReader& instances) {
  JsonScan scan(json);
  LineMembers m;
  std::string_view member;
  if (!scan.begin_object()) return std::nullopt;
  while (scan.member(member))
    if (!read_own_member(scan, member, m) && !read_record_member(scan, member, instances, m.out.record))
      scan.raw();
  if (scan.failed()) return std::nullopt;
  JournalLine& out = m.out;
  out.base.lineage = out.commit.lineage = m.lineage;
  out.base.serial = out.commit.serial = m.serial;
  out.base.digest = out.commit.digest = m.digest;
  if (m.kind == "begin")
    return out.kind = JournalLine::Kind::Begin, m.known_form ? std::optional(std::move(out)) : std::nullopt;
  if (m.kind == "commit") return out.kind = JournalLine::Kind::Commit, std::optional(std::move(out));
  for (auto& [k, name] : kRecordKinds) {
    if (m.kind != name) continue;
    out.record.kind = k;
    out.record.lineage = m.lineage;
    out.record.serial = m.serial;
    return complete(out.record) ? std::optional(std::move(out)) : std::nullopt;
  }
  return std::nullopt;
}

const char* journal_kind_name(RecordKind k) {
  for (auto& [kind, name] : kRecordKinds)
    if (kind == k) return name;
  return "";
}

}  // namespace xplan
