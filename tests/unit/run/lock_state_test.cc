// What is said of a state's lock that could not be taken.
#include <catch2/catch.hpp>

#include "core/run/open_state.h"
#include "core/state/remote_store.h"
#include "tests/support/folder.h"
#include "tests/unit/state/memory_place.h"

using namespace xplan;

TEST_CASE("lock of a state: an interrupted wait says that nothing was changed only where that is known") {
  const test::Folder folder;
  MemoryFs files;
  SourceTable sources;
  const auto factory = make_builtin_factory();
  ProviderSchemas schemas{*factory};
  run::FrontEnd front;
  const std::atomic<bool> stop = true;
  const run::Context context{
      .files = files, .sources = sources, .providers = *factory, .schemas = schemas, .stop = &stop};
  for (const bool tells : {true, false}) {
    INFO(tells);
    store_test::MemoryServer server;
    server.lost_locks = 1;
    const auto store = open_remote_store(std::make_unique<store_test::MemoryPlace>(server),
                                         {.local_journal = folder / "local.journal", .stop = &stop});
    Diagnostics diags;
    run::LockRequest request;
    request.tells_of_stop = tells;
    CHECK_FALSE(run::lock_state(context, *store, request, "init", front, diags));
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].summary == "Locking the state was interrupted");
    CHECK_THAT(diags.all()[0].detail, Catch::EndsWith("The answer is lost."));
    CHECK((diags.all()[0].detail.find("Nothing was changed") != std::string::npos) == tells);
  }
}
