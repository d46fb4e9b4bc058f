// Writes a journal: encodes records as checksummed lines and appends them to its medium, which is made
// durable for all that wait at once. See journal.h for what is promised when.
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/state/check_results.h"
#include "core/state/instance_json.h"
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/value/json.h"

namespace xplan {
namespace {

// What is kept free behind the end for each result of what is under way: as much as ordinary ones take.
constexpr int64_t kRoomForResult = 13 * 1024;

void append_hex8(std::string& out, uint32_t n) {
  for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[n >> shift & 15];
}

void write_address(JsonWriter& w, const AbsInstance& a) {
  // In parts, because the text of an address is not always read back as the same (a type named like a
  // keyword).
  w.begin_array();
  w.string(a.module.text());
  w.string(a.resource.mode == Mode::Data        ? "data"
           : a.resource.mode == Mode::Ephemeral ? "ephemeral"
                                                : "managed");
  w.string(a.resource.type.sv());
  w.string(a.resource.name.sv());
  if (a.key.kind == InstanceKey::Kind::Int) w.integer(a.key.number);
  if (a.key.kind == InstanceKey::Kind::String) w.string(a.key.string.sv());
  w.end_array();
}

std::string encode(const JournalRecord& r, const TypeSource& types) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", journal_kind_name(r.kind));
  if (!r.addr.resource.type.empty()) {
    w.key("address");
    write_address(w, r.addr);
  }
  if (r.kind == JournalRecord::Kind::Move) {
    w.key("moves");
    w.begin_array();
    for (const auto& [from, to] : r.moves) {
      w.begin_array();
      write_address(w, from);
      write_address(w, to);
      w.end_array();
    }
    w.end_array();
  }
  if (!r.deposed.empty()) w.member("deposed", r.deposed);
  if (!r.action.empty()) w.member("action", r.action);
  if (!r.provider.provider.empty()) w.member("provider", r.provider.text());
  if (r.object) {
    w.key("instance");
    std::optional<Type> declared;
    if (r.object->value)
      declared = types.type_of(r.provider.provider, r.addr.resource.mode, r.addr.resource.type);
    InstanceWriter(0, true).write(w, {}, {}, *r.object, declared);
  }
  if (r.kind == JournalRecord::Kind::Outputs) {
    w.key("outputs");
    w.begin_object();
    for (const auto& [name, o] : r.outputs) {
      Value plain = o.value.contains_marks() ? o.value.unmark_deep() : o.value;
      w.key(name.sv());
      w.begin_object();
      w.key("value");
      write_json_as(w, plain, plain.type());
      w.key("type");
      w.raw(plain.type().json());
      w.member("sensitive", o.sensitive);
      w.end_object();
    }
    w.end_object();
  }
  if (r.kind == JournalRecord::Kind::Checks) {
    w.key("checks");
    write_check_results(w, r.checks);
  }
  w.end_object();
  return w.take();
}

}  // namespace

std::string encode_begin(const JournalBase& base) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", "begin");
  w.member("journal", 1);
  w.member("lineage", base.lineage);
  w.member("serial", std::to_string(base.serial));
  w.end_object();
  return journal_line(w.text());
}

std::string encode_record(const JournalRecord& r, const TypeSource& types) {
  return journal_line(encode(r, types));
}

std::string encode_commit(const JournalCommit& c) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", "commit");
  w.member("lineage", c.lineage);
  w.member("serial", std::to_string(c.serial));
  w.member("digest", std::to_string(c.digest));
  if (c.records) w.member("records", std::to_string(*c.records));
  w.end_object();
  return journal_line(w.text());
}

uint32_t checksum(std::string_view s) {
  return uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(s.data()), s.size()));
}

// Eight bytes at a time, because states may be large. Only this program compares these numbers, on one
// machine.
uint64_t text_digest(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325ull ^ text.size();
  auto mix = [&](uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
  };
  while (text.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, text.data(), 8);
    mix(word);
    text.remove_prefix(8);
  }
  for (char c : text) mix(static_cast<unsigned char>(c));
  return h;
}

std::string journal_line(std::string_view json) {
  std::string out;
  out.reserve(json.size() + 20);
  append_hex8(out, static_cast<uint32_t>(json.size()));
  out += ' ';
  append_hex8(out, checksum(json));
  out += ' ';
  out += json;
  out += '\n';
  return out;
}

Result<std::shared_ptr<JournalWriter>> JournalWriter::begin(std::unique_ptr<JournalMedium> medium,
                                                            std::string name, const JournalBase& base,
                                                            const TypeSource& types) {
  std::shared_ptr<JournalWriter> out(new JournalWriter(std::move(medium), std::move(name), types));
  if (auto r = out->append_line(encode_begin(base)); !r.ok()) return r.error();
  return out;
}

JournalWriter::~JournalWriter() {
  close();
}

void JournalWriter::close() {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [&] { return !writing_; });
  closed_ = true;
  medium_ = nullptr;
}

Result<void> JournalWriter::append(const JournalRecord& r) {
  return append_line(encode_record(r, types_), &r);
}
Result<void> JournalWriter::commit(const JournalCommit& c) {
  return append_line(encode_commit(c));
}

void JournalWriter::collect() {
  std::lock_guard lock(mutex_);
  collecting_ = true;
}

uint64_t JournalWriter::take(std::vector<JournalRecord>& out) {
  std::lock_guard lock(mutex_);
  out = std::exchange(collected_, {});
  return records_;
}

bool JournalWriter::failed() const {
  std::lock_guard lock(mutex_);
  return failure_ != 0;
}

// However it ends, and whether or not that can be recorded: what was kept free for it is given back. After a
// tainted object there may be another record, of its provisioners.
void JournalWriter::note_answer(const JournalRecord& r) {
  const std::optional<ObjectPlace> place = place_answered(r);
  const auto it = place ? open_.find(*place) : open_.end();
  if (it == open_.end()) return;
  it->second.answered = true;
  const bool unfinished = r.object && r.object->status == ObjectStatus::Tainted;
  const int left = unfinished ? it->second.to_come - 1 : 0;
  to_come_ += left - std::exchange(it->second.to_come, left);
  if (left <= 0) open_.erase(it);
}

std::vector<JournalRecord> JournalWriter::unanswered() const {
  std::lock_guard lock(mutex_);
  std::vector<JournalRecord> out;
  for (const auto& [place, under_way] : open_)
    if (!under_way.answered) out.push_back(under_way.intent);
  return out;
}

Result<void> JournalWriter::append_line(std::string_view line, const JournalRecord* record) {
  using Kind = JournalRecord::Kind;
  const bool begins = record && (record->kind == Kind::Intent || record->kind == Kind::Depose);
  std::unique_lock lock(mutex_);
  if (record) note_answer(*record);
  if (closed_) return Error{"the journal \"" + name_ + "\" is closed; no more changes can be recorded"};
  if (failure_) return medium_->problem(failure_);
  // Into the medium at once, so that it outlives this process; made durable together with whatever else was
  // written meanwhile. A lack of room does not set failure_: what is under way can still be recorded; only
  // nothing more may begin.
  if (begins && !refused_)
    refused_ =
        medium_->make_room(static_cast<int64_t>(line.size()) + (to_come_ + record->results) * kRoomForResult);
  if (begins && refused_) return medium_->problem(refused_);
  const ObjectPlace place = record ? ObjectPlace{record->addr, record->deposed} : ObjectPlace();
  const bool intent = record && record->kind == Kind::Intent;
  if (intent) {
    UnderWay begun{*record, record->results};  // first, so that the end of memory leaves no half of it
    UnderWay& it = open_[place];
    to_come_ += record->results - it.to_come;
    it = std::move(begun);
  }
  if ((failure_ = medium_->write(line))) {
    if (intent) open_.erase(place);  // it does not begin
    written_.notify_all();
    return medium_->problem(failure_);
  }
  if (record) ++records_;
  if (record && collecting_) collected_.push_back(*record);
  if (make_durable(lock, ++queued_)) return {};
  if (intent) open_.erase(place);
  return medium_->problem(failure_);
}

// One of the waiting threads syncs for all that has been written until then.
bool JournalWriter::make_durable(std::unique_lock<std::mutex>& lock, uint64_t mine) {
  ++waiting_;
  arrived_.notify_one();
  while (durable_ < mine && !failure_) {
    if (writing_) {
      written_.wait(lock);
      continue;
    }
    writing_ = true;
    // Where several threads record, the others are about to: one sync serves them all if it waits for as many
    // as came together lately, at most twice as long as a sync takes. Who is missed makes it expect one less.
    arrived_.wait_for(lock, std::min(2 * last_sync_, std::chrono::microseconds(2000)),
                      [&] { return waiting_ >= expected_; });
    const uint64_t upto = queued_;
    const uint64_t together = std::exchange(waiting_, 0);
    expected_ = std::max<uint64_t>(together, expected_ - 1);
    lock.unlock();
    const auto start = std::chrono::steady_clock::now();
    const int code = medium_->sync();
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
    lock.lock();
    last_sync_ = took;
    writing_ = false;
    if (code == 0)
      durable_ = upto;
    else
      failure_ = code;
    written_.notify_all();
  }
  return durable_ >= mine;
}

}  // namespace xplan
