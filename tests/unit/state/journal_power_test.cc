// What a journal promises of a loss of power: whoever has been told that a record is in it finds it on the
// disk.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {
std::atomic<off_t> on_disk{0};  // of the file synced last: what a loss of power would leave
}  // namespace

// In the place of the C library's, for this program alone.
extern "C" int fdatasync(int fd) {
  struct stat st {};
  const bool known = ::fstat(fd, &st) == 0;
  const int result = static_cast<int>(::syscall(SYS_fdatasync, fd));
  if (known && result == 0)
    for (off_t before = on_disk; before < st.st_size && !on_disk.compare_exchange_weak(before, st.st_size);) {
    }
  return result;
}

namespace {

std::string left_by_power_failure() {
  const off_t end = on_disk;
  return text_of("terraform.tfstate.journal").substr(0, static_cast<size_t>(end));
}

}  // namespace

TEST_CASE("every kind of record is on the disk when append returns") {
  WorkFolder folder;
  make_state({"t.a", "t.b"});
  on_disk = 0;
  Run run;
  auto j = run.store->start_journal(no_types);
  REQUIRE(j.ok());
  JournalRecord move;
  move.kind = Kind_::Move, move.moves = {{at("t.b"), at("t.c")}};
  for (const JournalRecord& r : {move, record(Kind_::Depose, "t.a", nullptr, "", "0000000a"),
                                 record(Kind_::Intent, "t.a", nullptr, "create"),
                                 record(Kind_::Result, "t.a", object("new"), "create"),
                                 record(Kind_::Remove, "t.a", nullptr, "delete", "0000000a"),
                                 record(Kind_::Restore, "t.a", nullptr, "", "0000000b")}) {
    REQUIRE((*j)->append(r).ok());
    INFO("kind " << static_cast<int>(r.kind));
    CHECK(left_by_power_failure() == text_of("terraform.tfstate.journal"));
  }
}

TEST_CASE("a result that an apply was told is recorded is on the disk, whatever other threads record") {
  WorkFolder folder;
  make_state({"t.a"});
  on_disk = 0;
  std::atomic<int> missing{0};
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          const std::string id = "made-" + std::to_string(t) + "-" + std::to_string(i) + ".";
          if (!(*j)->append(record(Kind_::Result, "t.n[" + std::to_string(t * 20 + i) + "]", object(id)))
                   .ok() ||
              left_by_power_failure().find(id) == std::string::npos)
            ++missing;
        }
      });
    for (auto& t : threads) t.join();
  }
  CHECK(missing == 0);
}
