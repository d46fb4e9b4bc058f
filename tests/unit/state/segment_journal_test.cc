// Journals in segments: several are written at once, none counts before those before it, none that counted
// can be missing, and none of another state is taken for one.
#include <algorithm>
#include <condition_variable>
#include <set>
#include <thread>

#include "core/state/journal_home.h"
#include "core/state/sealed_journal.h"
#include "tests/unit/state/memory_place.h"
#include "tests/unit/state/store_support.h"
#include "tests/unit/state/test_codec.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

const JournalBase kBase{"lineage-a", 4};

uint64_t number_of(const std::string& name) {
  return std::stoull(name.substr(name.find('-') + 1), nullptr, 16);
}

// Segments whose numbers are in `held` take until they no longer are; those in `failing` fail.
class BusyPlace : public MemoryPlace {
 public:
  BusyPlace(MemoryServer& s, size_t at_once, std::string key = "state")
      : MemoryPlace(s), at_once_(at_once), key_(std::move(key)) {}
  std::string key() const override { return key_; }
  size_t concurrent_segments() const override { return at_once_; }
  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    {
      std::unique_lock lock(mutex_);
      begun_.insert(number_of(name));
      most_ = std::max(most_, ++running_);
      changed_.notify_all();
      changed_.wait(lock, [&] { return !held_.contains(number_of(name)); });
    }
    const bool fails = failing.contains(number_of(name));
    Result<void> done = fails ? Error{"the server is gone"} : MemoryPlace::put_segment(name, bytes, how);
    std::lock_guard lock(mutex_);
    --running_;
    return done;
  }
  void hold(std::set<uint64_t> numbers) {
    std::lock_guard lock(mutex_);
    held_ = std::move(numbers);
    changed_.notify_all();
  }
  void wait_for(uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_.contains(number); });
  }
  size_t most() const { return most_; }
  std::set<uint64_t> failing;

 private:
  const size_t at_once_;
  const std::string key_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<uint64_t> held_, begun_;
  size_t running_ = 0, most_ = 0;
};

JournalRecord made(const std::string& name) {
  return record(Kind_::Result, name, object(name));
}

struct Appending {
  std::atomic<int> ended = 0;  // 1: fine, -1: an error
  std::thread thread;
  Appending(JournalWriter& to, const std::string& name)
      : thread([this, &to, name] { ended = to.append(made(name)).ok() ? 1 : -1; }) {}
  int result() { return thread.join(), ended.load(); }
};

// Of a place that outlives what uses it.
std::shared_ptr<Place> lent(Place& place) {
  return {std::shared_ptr<Place>(), &place};
}

std::shared_ptr<JournalWriter> begun(Place& place, const CodecPtr& codec = crypt::Codec::plain()) {
  auto writer = journal_in_segments(lent(place), codec)->create(kBase, no_types, true);
  REQUIRE(writer);
  return *writer;
}

// "t.a t.b", with ", damaged"; or the error.
std::string told(Place& place, const CodecPtr& codec = crypt::Codec::plain()) {
  const auto left = journal_in_segments(lent(place), codec)->find(true);
  REQUIRE(left);
  if (!*left) return "none";
  const auto text = open_journal((*left)->text, *codec);
  if (!text) return text.error().message;
  const auto j = read_journal(*text, place.key());
  if (!j) return j.error().message;
  std::string out;
  for (const JournalRecord& r : j->records) out += (out.empty() ? "" : " ") + r.addr.text();
  return out + (j->damaged ? ", damaged" : "");
}

// Once it is asked for, the segment with t.a fails, when that is wanted.
class FailingPlace : public MemoryPlace {
 public:
  using MemoryPlace::MemoryPlace;
  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    if (bytes.find("\"a\"") == bytes.npos) return MemoryPlace::put_segment(name, bytes, how);
    for (asked = true; !fail;) ::usleep(1000);
    return Error{"the server is gone"};
  }
  std::atomic<bool> asked = false, fail = false;
};

constexpr const char* kOther = "ffffffffffff00000000-000001";

// Another run begins its journal at the same time as each.
class ContendedPlace : public MemoryPlace {
 public:
  explicit ContendedPlace(MemoryServer& s) : MemoryPlace(s), server_(s) {}
  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    Result<void> done = MemoryPlace::put_segment(name, bytes, how);
    std::lock_guard lock(server_.mutex);
    server_.segments.emplace(kOther, bytes);
    return done;
  }

 private:
  MemoryServer& server_;
};

// That t.a and t.b are made, in one segment.
void announce(JournalWriter& writer) {
  REQUIRE(writer.enqueue(record(Kind_::Intent, "t.a", nullptr, "create")));
  REQUIRE(writer.append(record(Kind_::Intent, "t.b", nullptr, "create")));
}

void drop(MemoryServer& server, uint64_t number) {
  std::erase_if(server.segments, [&](const auto& s) { return number_of(s.first) == number; });
}

}  // namespace

TEST_CASE("segments are written at once, and count in their order") {
  for (const bool encrypted : {false, true}) {
    const CodecPtr c = encrypted ? CodecPtr(codec("a")) : crypt::Codec::plain();
    MemoryServer server;
    BusyPlace place(server, 2);
    const auto writer = begun(place, c);
    announce(*writer);
    place.hold({3});
    Appending a(*writer, "t.a");
    place.wait_for(3);
    Appending b(*writer, "t.b");
    while (std::lock_guard(server.mutex), server.segments.size() < 3) ::usleep(1000);
    ::usleep(50000);
    CHECK(b.ended == 0);  // though it is on the server
    {
      MemoryServer left;  // as the run leaves it when it is killed now
      {
        std::lock_guard lock(server.mutex);
        left.segments = server.segments;
      }
      BusyPlace next(left, 1);
      CHECK(told(next, c) == "t.a t.b t.b");  // nobody was told that t.a is there
    }
    place.hold({});
    CHECK(a.result() == 1);
    CHECK(b.result() == 1);
    CHECK(place.most() == 2);
    REQUIRE(writer->append(made("t.c")));
    CHECK(told(place, c) == "t.a t.b t.a t.b t.c");
  }
}

TEST_CASE("an intent behind a segment that never arrived has not begun anything") {
  for (const bool encrypted : {false, true}) {
    const CodecPtr c = encrypted ? CodecPtr(codec("a")) : crypt::Codec::plain();
    MemoryServer server;
    BusyPlace place(server, 2);
    const auto writer = begun(place, c);
    std::atomic<int> counted = 0;
    place.hold({2});
    const auto result = writer->enqueue(made("t.a"));
    REQUIRE(result);
    std::thread first([&] { counted += writer->await(*result, true).ok(); });
    place.wait_for(2);
    const auto intent = writer->enqueue(record(Kind_::Intent, "t.b", nullptr, "create"));
    REQUIRE(intent);
    std::thread second([&] { counted += writer->await(*intent, true).ok(); });
    while (std::lock_guard(server.mutex), server.segments.size() < 2) ::usleep(1000);
    MemoryServer left;  // as the run leaves it when it is killed now
    {
      std::lock_guard lock(server.mutex);
      left.segments = server.segments;
    }
    BusyPlace next(left, 1);
    CHECK(told(next, c) == "");
    CHECK(counted == 0);
    place.hold({});
    first.join(), second.join();
    CHECK(counted == 2);
    CHECK(told(place, c) == "t.a t.b");
  }
}

// What shows that the run is at work is not waited for, and what is missing of it has no records.
TEST_CASE("an intent behind a beat that never arrived has begun") {
  for (const bool encrypted : {false, true}) {
    const CodecPtr c = encrypted ? CodecPtr(codec("a")) : crypt::Codec::plain();
    MemoryServer server;
    server.lost_beats = INT_MAX;
    BusyPlace place(server, 2);
    const Beats beats{std::chrono::milliseconds(1), std::chrono::hours(1)};
    const auto writer =
        *journal_in_segments(lent(place), c, Unseen::Error, beats)->create(kBase, no_types, false);
    for (int n = 0; n < 20'000 && server.lost_beats == INT_MAX; ++n) ::usleep(1000);
    REQUIRE(server.lost_beats < INT_MAX);
    REQUIRE(writer->append(record(Kind_::Intent, "t.b", nullptr, "create")));
    MemoryServer left;  // as the run leaves it when it is killed now
    {
      std::lock_guard lock(server.mutex);
      left.segments = server.segments;
    }
    CHECK(number_of(left.segments.rbegin()->first) > left.segments.size());
    BusyPlace next(left, 1);
    CHECK(told(next, c) == "t.b");
  }
}

namespace {

struct Written {
  char run;
  uint64_t number, after;
  const char* locks;
  std::vector<JournalRecord> records;
  uint64_t serial = 4;
  bool commits = false;  // all until then, to the next serial
};

void put(MemoryServer& server, const Written& w) {
  JournalPart part{
      .key = "state", .run = std::string("00000000000") + w.run, .number = w.number, .after = w.after};
  part.locks = w.locks;
  std::string text = encode_begin({"lineage-a", w.serial}, part);
  for (const JournalRecord& r : w.records) text += encode_record(r, no_types);
  if (w.commits) text += encode_commit({"lineage-a", w.serial + 1, 7});
  server.segments[part.run + "-00000" + std::to_string(w.number)] = text;
}

}  // namespace

TEST_CASE("what counts behind a segment that never arrived") {
  const auto intent = [](const char* addr) { return record(Kind_::Intent, addr, nullptr, "create"); };
  JournalRecord depose = record(Kind_::Depose, "t.a", nullptr);
  depose.deposed = "00000001";
  JournalRecord restore = depose;
  restore.kind = Kind_::Restore;
  const struct {
    const char* what;
    std::vector<Written> segments;
    const char* told;
  } kAll[] = {
      {"a replacement", {{'1', 1, 0, "lock", {}}, {'1', 3, 1, "lock", {depose, intent("t.a")}}}, ""},
      {"that a former version wrote",
       {{'1', 1, 0, "", {}}, {'1', 3, 1, "", {depose, intent("t.a")}}},
       "t.a t.a"},
      {"a result without an intent, beside one that has one",
       {{'1', 1, 0, "lock", {intent("t.b")}}, {'1', 3, 1, "lock", {made("t.a"), made("t.b")}}},
       "t.b t.b"},
      {"a replacement that has come to its end",
       {{'1', 1, 0, "lock", {}}, {'1', 3, 1, "lock", {depose, intent("t.a"), made("t.a")}}},
       "t.a t.a t.a"},
      {"what takes back what came before",
       {{'1', 1, 0, "lock", {depose}}, {'1', 3, 1, "lock", {restore}}},
       "t.a t.a"},
      {"and takes back what did not count",
       {{'1', 1, 0, "lock", {}}, {'1', 3, 1, "lock", {depose, restore}}},
       ""},
      {"in a journal that was written to the state",
       {{'1', 1, 0, "lock", {made("t.c")}}, {'1', 3, 1, "lock", {intent("t.a")}, 4, true}},
       "t.c"},
      {"late segments of a run that was taken over",
       {{'1', 3, 2, "none", {}}, {'2', 1, 0, "none", {made("t.b")}, 5}},
       "t.b"},
      {"with records",
       {{'1', 3, 2, "none", {made("t.a")}}, {'2', 1, 0, "none", {made("t.b")}, 5}},
       "it has records of two runs that began with different states"},
  };
  for (const auto& c : kAll) {
    INFO(c.what);
    MemoryServer server;
    for (const Written& w : c.segments) put(server, w);
    BusyPlace place(server, 1);
    CHECK(told(place) == c.told);
    if (!c.segments.back().commits) continue;
    std::string all;
    for (const auto& [name, text] : server.segments) all += text;
    const auto j = read_journal(std::make_shared<const std::string>(all));
    REQUIRE(j);
    CHECK(j->commits.back().records == j->records.size());
  }
}

TEST_CASE("a record that nobody is in a hurry for shares the write of the next one") {
  MemoryServer server;
  BusyPlace place(server, 1);
  const auto writer = begun(place);
  bool shared = false;
  for (int n = 0; n < 10 && !shared; ++n) {  // on a busy machine, the next one may come too late
    const std::string name = "t.n" + std::to_string(n);
    place.hold({server.segments.size() + 1});
    Appending slow(*writer, name);  // those that follow are taken to last as long
    ::usleep(100'000);
    place.hold({});
    REQUIRE(slow.result() == 1);
    const size_t before = server.segments.size();
    const auto result = writer->enqueue(made(name));
    REQUIRE(result);
    std::atomic<bool> there = false;
    std::thread patient([&] { there = writer->await(*result, false).ok(); });
    ::usleep(1000);
    CHECK(writer->append(record(Kind_::Intent, "t.next", nullptr, "create")));
    patient.join();
    CHECK(there);
    shared = server.segments.size() == before + 1;
  }
  CHECK(shared);
  const size_t before = server.segments.size();
  const auto last = writer->enqueue(made("t.next"));
  REQUIRE(last);
  CHECK(writer->await(*last, false));  // also if none comes
  CHECK(server.segments.size() == before + 1);
}

TEST_CASE("a segment that counted and is missing is noticed") {
  for (const bool encrypted : {false, true})
    for (uint64_t gone = 1; gone <= 5; ++gone) {
      const CodecPtr c = encrypted ? CodecPtr(codec("a")) : crypt::Codec::plain();
      MemoryServer server;
      BusyPlace place(server, 4);
      const auto writer = begun(place, c);
      for (const char* name : {"t.a", "t.b", "t.c", "t.d"}) REQUIRE(writer->append(made(name)));
      REQUIRE(server.segments.size() == 5);
      drop(server, gone);
      const char* left[] = {"t.a t.b t.c t.d, damaged", "t.b t.c t.d, damaged", "t.a t.c t.d, damaged",
                            "t.a t.b t.d, damaged", "t.a t.b t.c"};
      INFO("encrypted " << encrypted << ", without " << gone);
      CHECK(told(place, c) == left[gone - 1]);
    }
}

TEST_CASE("what was changed in a segment is noticed, in the last one too") {
  for (const bool encrypted : {false, true})
    for (uint64_t changed = 2; changed <= 4; ++changed) {
      const CodecPtr c = encrypted ? CodecPtr(codec("a")) : crypt::Codec::plain();
      MemoryServer server;
      BusyPlace place(server, 1);
      const auto writer = begun(place, c);
      for (const char* name : {"t.a", "t.b", "t.c"}) REQUIRE(writer->append(made(name)));
      for (auto& [name, bytes] : server.segments)
        if (number_of(name) == changed) bytes[bytes.size() - 20] ^= 1;
      const char* left[] = {"t.b t.c, damaged", "t.a t.c, damaged", "t.a t.b, damaged"};
      INFO("encrypted " << encrypted << ", changed " << changed);
      CHECK(told(place, c) == left[changed - 2]);
    }
}

TEST_CASE("a segment that fails takes those with it that were written at the same time") {
  MemoryServer server;
  BusyPlace place(server, 4);
  const auto writer = begun(place);
  announce(*writer);
  place.failing = {3};
  place.hold({3});
  Appending a(*writer, "t.a");
  place.wait_for(3);
  Appending b(*writer, "t.b");
  place.wait_for(4);
  place.hold({});
  CHECK(a.result() == -1);
  CHECK(b.result() == -1);
  CHECK(writer->failed());
  CHECK_FALSE(writer->append(record(Kind_::Intent, "t.c", nullptr, "create")));
  writer->close();
  CHECK(told(place) == "t.a t.b t.b");
}

TEST_CASE("whoever was told that a record is durable finds it, and all before it, on the server") {
  MemoryServer server;
  BusyPlace place(server, 4);
  const auto writer = begun(place);
  place.hold({1});  // until another one is under way
  std::atomic<int> lost = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int n = 0; n < 20; ++n) {
        const std::string name = "t.n" + std::to_string(t) + "_" + std::to_string(n);
        if (!writer->append(made(name))) ++lost;
        std::lock_guard lock(server.mutex);
        uint64_t next = 1;
        bool there = false;
        for (const auto& [segment, bytes] : server.segments) {
          if (number_of(segment) != next++) break;
          there |= bytes.find("\"" + name.substr(2) + "\"") != std::string::npos;
        }
        lost += !there;
      }
    });
  place.wait_for(2);
  place.hold({});
  for (std::thread& t : threads) t.join();
  CHECK(lost == 0);
  CHECK(place.most() > 1);
  const std::string all = told(place);
  CHECK(std::count(all.begin(), all.end(), ' ') == 16 * 20 - 1);
  CHECK(all.find("damaged") == std::string::npos);
}

TEST_CASE("a segment of another state's journal is not taken for one of this") {
  for (const bool encrypted : {false, true}) {
    const CodecPtr c = encrypted ? CodecPtr(codec("a")) : crypt::Codec::plain();
    MemoryServer here, there;
    BusyPlace place(here, 4, "a/state"), other(there, 4, "b/state");
    REQUIRE(begun(place, c)->append(made("t.a")));
    REQUIRE(begun(other, c)->append(made("t.b")));
    CHECK(told(other, c) == "t.b");
    here.segments.insert(there.segments.begin(), there.segments.end());
    CHECK(told(place, c).find("were written for the state \"b/state\", not for this one") !=
          std::string::npos);
    // Who only has the other one, moved as a whole, is told the same.
    here.segments = there.segments;
    CHECK(told(place, c).find("\"b/state\"") != std::string::npos);
  }
}

TEST_CASE("segments that do not say what they belong to are read as before") {
  MemoryServer server;
  BusyPlace place(server, 4);
  for (const char* name : {"t.a", "t.b"})
    server.segments["0190c0ffee00-00000" + std::to_string(server.segments.size() + 1)] =
        encode_begin(kBase) + encode_record(made(name), no_types);
  CHECK(told(place) == "t.a t.b");
}

TEST_CASE("a run whose records have failed goes on to show that it is at work, and sends what is left") {
  MemoryServer server;
  FailingPlace place(server);
  const auto home = journal_in_segments(lent(place), crypt::Codec::plain(), Unseen::Error,
                                        Beats{std::chrono::milliseconds(1), std::chrono::hours(1)});
  const auto writer = home->create(kBase, no_types, false);
  REQUIRE(writer);
  Appending a(**writer, "t.a");
  while (!place.asked) ::usleep(1000);
  Appending b(**writer, "t.b");
  ::usleep(50'000);  // it is written, and waits
  place.fail = true;
  CHECK(a.result() == -1);
  CHECK(b.result() == -1);
  const auto count = [&] {
    std::lock_guard lock(server.mutex);
    return server.segments.size();
  };
  for (const size_t before = count(); count() < before + 3;) {
    static int n = 0;
    REQUIRE(++n < 20'000);
    ::usleep(1000);
  }
  (*writer)->close();
  std::string all;
  for (const auto& [name, bytes] : server.segments) all += bytes;
  CHECK(all.find("\"b\"") != all.npos);
}

TEST_CASE("without a lock, of two runs that begin at the same time, whoever sees the other one gives way") {
  for (const bool locked : {false, true}) {
    MemoryServer server;
    ContendedPlace place(server);
    const auto home = journal_in_segments(lent(place), crypt::Codec::plain(), Unseen::Error, Beats());
    REQUIRE(home->find(locked));
    const auto writer = home->create(kBase, no_types, locked);
    CHECK(writer.ok() == locked);
    if (locked) continue;
    CHECK(writer.error().message.find("another run has begun to write the journal") == 0);
    REQUIRE(server.segments.size() == 1);
    CHECK(server.segments.begin()->first == kOther);
  }
}

TEST_CASE("without a lock, a run that ends leaves the segments of another one that began meanwhile") {
  MemoryServer server;
  BusyPlace place(server, 1);
  const auto home = journal_in_segments(lent(place), crypt::Codec::plain(), Unseen::Error, Beats());
  server.segments["0190c0ffee00-000001"] = encode_begin(kBase) + encode_record(made("t.a"), no_types);
  REQUIRE(home->find(false));
  const auto writer = home->create(kBase, no_types, false);
  REQUIRE(writer);
  server.segments[kOther] = encode_begin(kBase) + encode_record(made("t.b"), no_types);
  (*writer)->close();
  REQUIRE(home->remove());
  REQUIRE(server.segments.size() == 1);
  CHECK(server.segments.begin()->first == kOther);
}

TEST_CASE("segments are what is named as one, and nothing else is read or removed") {
  MemoryServer server;
  BusyPlace place(server, 4);
  server.segments["0190c0ffee00-000001"] = encode_begin(kBase) + encode_record(made("t.a"), no_types);
  for (const char* name : {"x", "notes-1", "0190c0ffee00-", "-000001", "0190c0ffee00-00000g", "b-1-2"})
    server.segments[name] = "not a journal";
  CHECK(told(place) == "t.a");
  const auto journals = journal_in_segments(std::make_shared<MemoryPlace>(server), crypt::Codec::plain(),
                                            Unseen::Error, Beats());
  REQUIRE(journals->find(true));
  REQUIRE(journals->remove());
  CHECK(server.segments.size() == 6);
}
