// Folds the records of a journal into the state they were written for.
#include <unordered_map>
#include <utility>

#include "core/state/instance_json.h"
#include "core/state/journal.h"

namespace xplan {

namespace {

using RecordKind = JournalRecord::Kind;

using Records = std::unordered_map<ObjectPlace, size_t, ObjectPlace::Hash>;  // positions of records

void put(State& s, const JournalRecord& r) {
  InstanceState& i = s.ensure(r.addr, r.provider);
  (r.deposed.empty() ? i.current : i.deposed[r.deposed]) = r.object;
}

void take_away(State& s, const JournalRecord& r) {
  InstanceState* i = s.find(r.addr);
  if (!i) return;
  if (r.deposed.empty())
    i->current = nullptr;
  else
    i->deposed.erase(r.deposed);
  s.erase_if_empty(r.addr);
}

void depose(State& s, const JournalRecord& r) {
  InstanceState* i = s.find(r.addr);
  if (i && i->current) i->deposed[r.deposed] = std::exchange(i->current, nullptr);
}

void restore(State& s, const JournalRecord& r) {
  InstanceState* i = s.find(r.addr);
  if (!i || i->current) return;
  auto it = i->deposed.find(r.deposed);
  if (it != i->deposed.end()) i->current = std::move(it->second), i->deposed.erase(it);
}

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

void fold_record(State& s, const JournalRecord& r) {
  switch (r.kind) {
    case RecordKind::Intent:
    case RecordKind::Moving:  // they are in this state until it is written without them
      break;
    case RecordKind::Result:
      r.object ? put(s, r) : take_away(s, r);
      break;
    case RecordKind::Remove:
      take_away(s, r);
      break;
    case RecordKind::Depose:
      depose(s, r);
      break;
    case RecordKind::Restore:
      restore(s, r);
      break;
    case RecordKind::Move:
      move_all(s, r.moves);
      break;
  }
}

// `open`: intents without a result; `last`: what came of each object.
void note_record(const JournalRecord& r, size_t n, Records& open, Records& last) {
  if (r.kind == RecordKind::Intent) open[{r.addr, r.deposed}] = n;
  const std::optional<ObjectPlace> answered = place_answered(r);
  if (!answered) return;
  open.erase(*answered);
  if (r.kind != RecordKind::Restore) last[*answered] = n;
}

ObjectPtr object_at(const State& s, const ObjectPlace& p) {
  const InstanceState* i = s.find(p.addr);
  if (!i || p.deposed.empty()) return i ? i->current : nullptr;
  auto it = i->deposed.find(p.deposed);
  return it == i->deposed.end() ? nullptr : it->second;
}

// Of an operation that failed, the journal has the object as it was.
bool is_unchanged(const ObjectPtr& a, const ObjectPtr& b) {
  if (!a || !b) return !a && !b;
  auto attributes = [](const Object& o) {
    std::string text;
    append_json_layout(text, o.attributes_json, 0, true);
    return text;
  };
  return a->status == b->status && a->private_data == b->private_data &&
         (a->value && b->value ? a->value->raw_equal(*b->value) : attributes(*a) == attributes(*b));
}

}  // namespace

std::optional<ObjectPlace> place_answered(const JournalRecord& r) {
  switch (r.kind) {
    case RecordKind::Result:
    case RecordKind::Remove:
      return ObjectPlace{r.addr, r.deposed};
    case RecordKind::Restore:  // nothing came into being where the deposed object is current again
      return ObjectPlace{r.addr, {}};
    case RecordKind::Intent:
    case RecordKind::Depose:
    case RecordKind::Move:
    case RecordKind::Moving:
      break;
  }
  return std::nullopt;
}

FoldReport fold_journal(State& s, const std::vector<JournalRecord>& records) {
  Records open, last;
  std::unordered_map<ObjectPlace, ObjectPtr, ObjectPlace::Hash> before;
  for (size_t n = 0; n < records.size(); ++n) {
    const ObjectPlace place{records[n].addr, records[n].deposed};
    note_record(records[n], n, open, last);
    if (last.contains(place)) before.try_emplace(place, object_at(s, place));
    fold_record(s, records[n]);
  }
  auto is_of = [](const Records& found, const JournalRecord& r, size_t n) {
    auto it = found.find({r.addr, r.deposed});
    return it != found.end() && it->second == n;
  };
  FoldReport report;
  for (const auto& [place, object] : before) report.completed += !is_unchanged(object, object_at(s, place));
  for (size_t n = 0; n < records.size(); ++n) {
    const JournalRecord& r = records[n];
    if (r.object && r.object->status == ObjectStatus::Tainted && is_of(last, r, n))
      report.tainted.push_back(r.addr);
    if (r.kind == RecordKind::Intent && is_of(open, r, n)) report.in_flight.push_back(r);
  }
  return report;
}

}  // namespace xplan
