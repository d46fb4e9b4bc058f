// Writes a journal: encodes records as checksummed lines, appends them with grouped fsync, reserves disk
// space, and appends the commit. See journal.h for what is promised when.
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "core/base/write_all.h"
#include "core/state/check_results.h"
#include "core/state/instance_json.h"
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/state/lock.h"
#include "core/value/json.h"

namespace xplan {
namespace {

// What is kept free behind the end for the results of what is under way: plenty, or on a disk that is nearly
// full as much as ordinary ones take.
constexpr int64_t kPlenty = 128 * 1024, kRoomForResult = 13 * 1024;

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

std::string encode(const JournalCommit& c) {
  JsonWriter w;
  w.begin_object();
  w.member("kind", "commit");
  w.member("lineage", c.lineage);
  w.member("serial", std::to_string(c.serial));
  w.member("digest", std::to_string(c.digest));
  w.end_object();
  return w.take();
}

}  // namespace

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

Result<std::shared_ptr<JournalFile>> JournalFile::create(const std::string& path, const JournalBase& base,
                                                         const TypeSource& types) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return system_problem("create the journal", path, errno);
  std::shared_ptr<JournalFile> out(new JournalFile(path, fd, types));
  // Whoever looks at the state in the meantime sees by the lock that the writer is alive.
  if (!lock_file(fd)) return system_problem("lock the journal", path, errno);
  JsonWriter w;
  w.begin_object();
  w.member("kind", "begin");
  w.member("journal", 1);
  w.member("lineage", base.lineage);
  w.member("serial", std::to_string(base.serial));
  w.end_object();
  if (auto r = out->append_line(journal_line(w.text())); !r.ok()) return r.error();
  if (auto r = sync_folder_of(path); !r.ok()) return r.error();
  return out;
}

JournalFile::~JournalFile() {
  close();
}

void JournalFile::close() {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [&] { return !writing_; });
  closed_ = true;
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<void> JournalFile::append(const JournalRecord& r) {
  return append_line(journal_line(encode(r, types_)), &r);
}
Result<void> JournalFile::commit(const JournalCommit& c) {
  return append_line(journal_line(encode(c)));
}

bool JournalFile::failed() const {
  std::lock_guard lock(mutex_);
  return failure_ != 0;
}

Error JournalFile::problem(int code) const {
  return system_problem("write the journal", path_, code);
}

// Blocks behind the end of the file, for a line of this length that begins something, and for the results of
// all that is then under way. What is not used is given back when the journal is removed.
bool JournalFile::make_room(int64_t length, int results) {
  const int64_t least = length + (to_come_ + results) * kRoomForResult;
  if (size_ + std::max(least, kPlenty) <= room_) return true;
  for (int64_t ahead = 2 * std::max(least, kPlenty);; ahead = std::max(ahead / 2, least)) {
    int failed;
    do {
      failed = ::fallocate(fd_, FALLOC_FL_KEEP_SIZE, size_, ahead);
    } while (failed != 0 && errno == EINTR);
    if (failed == 0) return room_ = std::max(room_, size_ + ahead), true;
    if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG)
      return room_ = INT64_MAX, true;  // a file system that cannot tell
    if (ahead == least) return size_ + least <= room_;
  }
}

// However it ends, and whether or not that can be recorded: what was kept free for it is given back. After a
// tainted object there may be another record, of its provisioners.
void JournalFile::note_answer(const JournalRecord& r) {
  const std::optional<ObjectPlace> place = place_answered(r);
  const auto it = place ? open_.find(*place) : open_.end();
  if (it == open_.end()) return;
  it->second.answered = true;
  const bool unfinished = r.object && r.object->status == ObjectStatus::Tainted;
  const int left = unfinished ? it->second.to_come - 1 : 0;
  to_come_ += left - std::exchange(it->second.to_come, left);
  if (left <= 0) open_.erase(it);
}

std::vector<JournalRecord> JournalFile::unanswered() const {
  std::lock_guard lock(mutex_);
  std::vector<JournalRecord> out;
  for (const auto& [place, under_way] : open_)
    if (!under_way.answered) out.push_back(under_way.intent);
  return out;
}

Result<void> JournalFile::append_line(std::string_view line, const JournalRecord* record) {
  using Kind = JournalRecord::Kind;
  const bool begins = record && (record->kind == Kind::Intent || record->kind == Kind::Depose);
  std::unique_lock lock(mutex_);
  if (record) note_answer(*record);
  if (closed_) return Error{"the journal \"" + path_ + "\" is closed; no more changes can be recorded"};
  if (failure_) return problem(failure_);
  // Into the file at once, so that it outlives this process; to the disk together with whatever else was
  // written meanwhile.
  const auto length = static_cast<int64_t>(line.size());
  // Without setting failure_: what is under way can still be recorded; only nothing more may begin.
  if (begins && !refused_ && !make_room(length, record->results)) refused_ = errno;
  if (begins && refused_) return problem(refused_);
  const ObjectPlace place = record ? ObjectPlace{record->addr, record->deposed} : ObjectPlace();
  const bool intent = record && record->kind == Kind::Intent;
  if (intent) {
    UnderWay begun{*record, record->results};  // first, so that the end of memory leaves no half of it
    UnderWay& it = open_[place];
    to_come_ += record->results - it.to_come;
    it = std::move(begun);
  }
  if ((failure_ = write_all(fd_, line))) {
    if (intent) open_.erase(place);  // it does not begin
    written_.notify_all();
    return problem(failure_);
  }
  size_ += length;
  const uint64_t mine = ++queued_;
  ++waiting_;
  arrived_.notify_one();
  while (durable_ < mine && !failure_) {
    if (writing_) {
      written_.wait(lock);
      continue;
    }
    // One of the waiting threads syncs for all that has been written until now.
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
    const int code = ::fdatasync(fd_) == 0 ? 0 : errno;
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
  if (durable_ >= mine) return {};
  if (intent) open_.erase(place);
  return problem(failure_);
}

Result<void> JournalFile::append_commit(const std::string& path, const JournalCommit& c) {
  int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return system_problem("open the journal", path, errno);
  const off_t end = ::lseek(fd, 0, SEEK_END);
  // The line break in front ends a line that was not completed.
  int code = write_all(fd, "\n" + journal_line(encode(c)));
  if (code == 0 && ::fsync(fd) != 0) code = errno;
  if (code != 0 && end >= 0) (void)!::ftruncate(fd, end);  // a part of a line would look like damage
  ::close(fd);
  if (code != 0) return system_problem("write the journal", path, code);
  return {};
}

}  // namespace xplan
