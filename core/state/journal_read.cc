// Reads a journal: checks line digests, parses records, stops at a torn end; folds records into a state; and
// reports what a run that was killed left open.
#include <charconv>
#include <unordered_map>

#include "core/state/check_results.h"
#include "core/state/instance_json.h"
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/state/unknown_outcome.h"
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
        if (!record(json))
          return Error{
              "it contains a record that this version cannot read; use the program version that wrote it"};
        if (bad_place) out_.damaged = true;
        at += 18 + json.size() + 1;
        continue;
      }
      bad_place = true;
      size_t next = all.find('\n', at);
      at = next == std::string_view::npos ? all.size() : next + 1;
    }
    if (!out_.empty) return std::move(out_);
    if (out_.committed || !out_.records.empty())
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
    if (kind == "begin") {
      if (form != 1) return false;
      out_.empty = false;
      out_.base = {lineage, serial};
      return true;
    }
    if (kind == "commit") {
      out_.committed = JournalCommit{lineage, serial, digest};
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

  std::shared_ptr<const std::string> text_;
  InstanceReader instances_;
  JournalContent out_;
};

void move_all(State& s, const std::vector<std::pair<AbsInstance, AbsInstance>>& moves) {
  std::vector<std::pair<InstanceState, ProviderConfigAddr>> taken(moves.size());
  for (size_t n = 0; n < moves.size(); ++n) {
    InstanceState* from = s.find(moves[n].first);
    if (!from) continue;
    taken[n] = {std::move(*from), s.resources.at(moves[n].first.abs_resource()).provider};
    s.remove(moves[n].first);
  }
  for (size_t n = 0; n < moves.size(); ++n)
    if (!taken[n].first.empty()) s.ensure(moves[n].second, taken[n].second) = std::move(taken[n].first);
}

std::string action_phrase(const JournalRecord& r) {
  std::string what = r.action == "create"   ? "creation"
                     : r.action == "update" ? "update"
                     : r.action == "delete" ? "destruction"
                                            : r.action;
  std::string object = r.addr.text();
  if (!r.deposed.empty()) object += " (deposed object " + r.deposed + ")";
  return "The " + (what.empty() ? std::string("change") : what) + " of " + object +
         " was started, but its outcome is unknown, because the program was stopped before the provider "
         "responded.";
}

}  // namespace

const char* journal_kind_name(RecordKind k) {
  for (auto& [kind, name] : kRecordKinds)
    if (kind == k) return name;
  return "";
}

Result<JournalContent> read_journal(std::shared_ptr<const std::string> text) {
  return JournalReader(std::move(text)).read();
}

FoldReport fold_journal(State& s, const std::vector<JournalRecord>& records) {
  FoldReport report;
  struct Place {
    AbsInstance addr;
    std::string deposed;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& p) const {
      return std::hash<AbsInstance>()(p.addr) ^ std::hash<std::string>()(p.deposed) * 31;
    }
  };
  std::unordered_map<Place, size_t, PlaceHash> open;  // intents without a result
  std::unordered_map<Place, size_t, PlaceHash> last;  // what came of each object
  for (size_t n = 0; n < records.size(); ++n) {
    const JournalRecord& r = records[n];
    if (r.kind == RecordKind::Intent) {
      open[{r.addr, r.deposed}] = n;
      continue;
    }
    if (r.kind == RecordKind::Result || r.kind == RecordKind::Remove) last[{r.addr, r.deposed}] = n;
    switch (r.kind) {
      case RecordKind::Intent:
        break;
      case RecordKind::Result:
        open.erase({r.addr, r.deposed});
        if (r.object) {
          InstanceState& i = s.ensure(r.addr, r.provider);
          (r.deposed.empty() ? i.current : i.deposed[r.deposed]) = r.object;
          break;
        }
        [[fallthrough]];
      case RecordKind::Remove:
        open.erase({r.addr, r.deposed});
        if (InstanceState* i = s.find(r.addr)) {
          if (r.deposed.empty())
            i->current = nullptr;
          else
            i->deposed.erase(r.deposed);
          s.erase_if_empty(r.addr);
        }
        break;
      case RecordKind::Depose:
        if (InstanceState* i = s.find(r.addr); i && i->current)
          i->deposed[r.deposed] = std::move(i->current), i->current = nullptr;
        break;
      case RecordKind::Restore:
        open.erase({r.addr, {}});  // nothing came into being
        if (InstanceState* i = s.find(r.addr)) {
          auto it = i->deposed.find(r.deposed);
          if (it != i->deposed.end() && !i->current) i->current = std::move(it->second), i->deposed.erase(it);
        }
        break;
      case RecordKind::Move:
        move_all(s, r.moves);
        break;
      case RecordKind::Outputs:
        s.outputs = r.outputs;
        break;
      case RecordKind::Checks:
        s.check_results = r.checks;
        break;
    }
  }
  report.completed = last.size();
  for (size_t n = 0; n < records.size(); ++n) {
    const JournalRecord& r = records[n];
    if (auto it = last.find({r.addr, r.deposed});
        it != last.end() && it->second == n && r.object && r.object->status == ObjectStatus::Tainted)
      report.tainted.push_back(r.addr);
    if (r.kind != RecordKind::Intent) continue;
    auto it = open.find({r.addr, r.deposed});
    if (it != open.end() && it->second == n) report.in_flight.push_back(r);
  }
  return report;
}

void report_fold(const FoldReport& report, bool damaged, Diagnostics& diags) {
  std::string detail = "An earlier run was stopped before it could write the state. ";
  detail += "Its changes to " +
            (report.completed == 1 ? "one object" : std::to_string(report.completed) + " objects") +
            " were added to the state from its journal.";
  if (report.completed == 0) detail = "An earlier run was stopped before it finished its changes.";
  if (damaged)
    detail +=
        " A part of the journal is damaged and could not be read, so the state may lack a change. Compare "
        "the next plan with the real objects.";
  constexpr size_t kShown = 50;
  for (size_t i = 0; i < report.tainted.size() && i < kShown; ++i)
    detail += (i ? "\n  - "
                 : "\n\nThe creation of these objects was not completed, so they are tainted, and the next "
                   "plan will replace them:\n  - ") +
              report.tainted[i].text();
  if (report.tainted.size() > kShown)
    detail += "\n  … and " + std::to_string(report.tainted.size() - kShown) + " more";
  diags.warn("Interrupted run", std::move(detail));
  for (const JournalRecord& r : report.in_flight) {
    std::string text = action_phrase(r) + " ";
    text += unknown_outcome_advice(r.action);
    diags.warn("Outcome of a change is unknown", std::move(text)).address = r.addr.text();
  }
}

}  // namespace xplan
