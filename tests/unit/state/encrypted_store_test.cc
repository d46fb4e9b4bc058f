// Stores of encrypted states: nothing plain is ever kept anywhere, whenever a run ends, and nothing is lost.
#include "core/state/remote_store.h"
#include "tests/unit/state/memory_place.h"
#include "tests/unit/state/store_support.h"
#include "tests/unit/state/test_codec.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

const std::string kSecret = "told-to-nobody";

struct LocalRun {
  std::unique_ptr<StateStore> store;
  State state;
  Diagnostics diags;
  std::string error;
  explicit LocalRun(std::string_view keys, StatePaths paths = {})
      : store(open_local_store(paths, codec(keys))) {
    if (auto ok = store->lock("OperationTypeApply", 0); !ok) error = ok.error().message;
    auto s = store->read(diags);
    s ? (void)(state = std::move(*s)) : (void)(error = s.error().message);
  }
  void set(const std::string& addr, const std::string& id) {
    state.ensure(at(addr), provider()).current = object(id);
  }
  ~LocalRun() { (void)store->unlock(); }
};

// Names of the files that have the secret in them.
std::string leaks() {
  std::string out;
  for (const auto& e : std::filesystem::recursive_directory_iterator("."))
    if (e.is_regular_file() && text_of(e.path()).find(kSecret) != std::string::npos)
      out += e.path().string() + " ";
  return out;
}
std::string leaks(const MemoryServer& s) {
  std::string out;
  if (s.state && s.state->find(kSecret) != std::string::npos) out += "state ";
  for (const auto& [name, bytes] : s.segments)
    if (bytes.find(kSecret) != std::string::npos) out += name + " ";
  return out;
}

}  // namespace

TEST_CASE("encrypted store: states, backups and rescues are in envelopes") {
  WorkFolder folder;
  for (int serial = 1; serial <= 3; ++serial) {
    LocalRun run("a");
    REQUIRE(run.error == "");
    run.set("t.a", kSecret + std::to_string(serial));
    REQUIRE(run.store->write(run.state, no_types));
  }
  CHECK(leaks() == "");
  for (const char* name : {"terraform.tfstate", "terraform.tfstate.backup"})
    CHECK(text_of(name).starts_with("{\"serial\":"));
  LocalRun run("a", {.backup = "no/such/directory/x"});
  CHECK(id_of(run.state, "t.a").find(kSecret + "3") != std::string::npos);
  CHECK(run.state.serial == 3);
  run.set("t.b", kSecret);
  std::filesystem::create_directory("no");
  put("no/such", "a file");
  const auto refused = run.store->write(run.state, no_types);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("errored.tfstate") != std::string::npos);
  CHECK(leaks() == "");
  auto rescued = read_encrypted_state(text_of("errored.tfstate"), *codec("a"));
  REQUIRE(rescued);
  CHECK(id_of(*rescued, "t.b").find(kSecret) != std::string::npos);
}

TEST_CASE("encrypted store: what was encrypted otherwise is written anew, even if nothing differs") {
  WorkFolder folder;
  const struct {
    const char *keys, *then;
    bool written;
  } rows[] = {
      {"-", "a-", true}, {"a", "ba", true}, {"ba", "b", false}, {"b", "-b", true}, {"-", "-b", false}};
  make_state({"t.told-to-nobody"});
  for (const auto& row : rows) {
    INFO(row.keys << " " << row.then);
    const uint64_t before = LocalRun(row.keys).state.serial;
    LocalRun run(row.then);
    REQUIRE(run.error == "");
    REQUIRE(run.store->write(run.state, no_types));
    CHECK(run.state.serial == before + row.written);
    LocalRun again(row.then);
    REQUIRE(again.store->write(again.state, no_types));
    CHECK(again.state.serial == before + row.written);
    CHECK((leaks() == "") == (row.then[0] != '-'));  // the backup is encrypted, too
  }
}

TEST_CASE("encrypted store: a state that cannot be read is one error, and stays") {
  WorkFolder folder;
  {
    LocalRun run("a");
    run.set("t.a", kSecret);
    REQUIRE(run.store->write(run.state, no_types));
  }
  const std::string good = text_of("terraform.tfstate");
  auto replaced = [&](const std::string& from, const std::string& to) {
    std::string s = good;
    return s.replace(s.find(from), from.size(), to);
  };
  std::string tampered = good;
  char& c = tampered[tampered.find("encrypted_data") + 60];
  c = c == 'A' ? 'B' : 'A';
  const std::string start = "the state \"terraform.tfstate\" cannot be read: ";
  const struct {
    const char *what, *keys;
    std::string text, told;
  } rows[] = {
      {"another key", "b", good,
       "it cannot be decrypted with method.test.b (main.tf:7:5): either the key is wrong, or the data was "
       "changed after it was encrypted"},
      {"tampered", "a", tampered, "it cannot be decrypted with method.test.a (main.tf:7:5): either the key"},
      {"another serial around it", "a", replaced("\"serial\":1", "\"serial\":9"),
       "the serial and lineage around it are not those of the state that is encrypted in it"},
      {"cut off", "a", good.substr(0, good.size() / 2), "it is encrypted, but incomplete or damaged: "},
      {"plain", "a", "{\"version\":4,\"serial\":1,\"lineage\":\"l\"}", "it is not encrypted (encountered "},
      {"something else", "a", "[]", "it is neither a state nor an encrypted state"},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    put("terraform.tfstate", row.text);
    LocalRun run(row.keys);
    CHECK(run.error.substr(0, (start + row.told).size()) == start + row.told);
    CHECK(run.error.find(kSecret) == std::string::npos);
    CHECK((run.error.find("use that key, or add") != std::string::npos) ==
          (row.text.find("encrypted_data") != std::string::npos));
    CHECK(text_of("terraform.tfstate") == row.text);
  }
  put("terraform.tfstate", good);
  CHECK(Run().error.find("no encryption is configured for it") != std::string::npos);
}

TEST_CASE("encrypted store: a journal that was left over is folded in, and only with its key") {
  WorkFolder folder;
  {
    LocalRun run("a");
    auto journal = run.store->start_journal(no_types);
    REQUIRE(journal);
    REQUIRE((*journal)->append(record(Kind_::Intent, "t.a", nullptr, "create")));
    REQUIRE((*journal)->append(record(Kind_::Result, "t.a", object(kSecret))));
    REQUIRE((*journal)->append(record(Kind_::Intent, "t.b", nullptr, "create")));
  }
  CHECK(leaks() == "");
  CHECK(text_of("terraform.tfstate.journal").starts_with("{\"meta\":"));
  CHECK(LocalRun("b").error.find("either the key is wrong") != std::string::npos);
  {
    LocalRun next("ba");
    REQUIRE(next.error == "");
    CHECK(id_of(next.state, "t.a") == "{\"id\":\"" + kSecret + "\"}");
    CHECK(next.diags.all().size() == 2);
  }
  CHECK(leaks() == "");
  LocalRun another("b");  // what is not known of t.b is still told, with the new key
  REQUIRE(another.error == "");
  CHECK(another.diags.all().size() == 2);
}

// With the journal beside the state, and with one of this machine and snapshots.
TEST_CASE("encrypted store: on a server, a run that ends at any call leaks and loses nothing") {
  WorkFolder folder;
  const bool remote = GENERATE(true, false);
  int lasted = 0;
  for (int calls = 1; calls < 40; ++calls) {
    MemoryServer server;
    int done = 0;
    auto open = [&](int left) {
      return open_remote_store(std::make_unique<MemoryPlace>(server, left),
                               {.local_journal = "local.journal",
                                .remote_journal = remote,
                                .snapshots = std::chrono::milliseconds(0),
                                .codec = codec("a")});
    };
    {
      auto store = open(calls);
      Diagnostics diags;
      auto state = store->lock("OperationTypeApply", 0).ok() ? store->read(diags) : Error{};
      auto journal = state ? store->start_journal(no_types) : Error{};
      for (; journal && done < 3; ++done) {
        const std::string name = "t.n" + std::to_string(done);
        if (!(*journal)->append(record(Kind_::Intent, name, nullptr, "create")) ||
            !(*journal)->append(record(Kind_::Result, name, object(kSecret + name))))
          break;
        state->ensure(at(name), provider()).current = object(kSecret + name);
        CHECK(leaks(server) + leaks() == "");
      }
      lasted += done == 3 && store->write(*state, no_types).ok();
    }
    CHECK(leaks(server) + leaks() == "");
    server.lock.reset();
    auto next = open(INT_MAX);
    Diagnostics diags;
    REQUIRE(next->lock("OperationTypeApply", 0));
    auto state = next->read(diags);
    REQUIRE(state);
    for (int i = 0; i < done; ++i)
      CHECK(id_of(*state, "t.n" + std::to_string(i)).find(kSecret) != std::string::npos);
    CHECK(leaks(server) + leaks() == "");
    std::filesystem::remove("local.journal"), std::filesystem::remove("errored.tfstate");
  }
  CHECK(lasted > 0);
}
