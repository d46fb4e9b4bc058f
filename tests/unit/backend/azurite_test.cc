// The backend "azurerm" on a server that others have written.
#include <catch2/catch.hpp>

#include "core/backend/azurerm/place.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/servers.h"

using namespace xplan;
using namespace xplan::backend::azurerm;

namespace {

const std::string kA = "aaaaaaaa-1111-4222-8333-444455556666", kB = "bbbbbbbb-1111-4222-8333-444455556666";

AzurermSettings settings_for(const std::string& proxy) {
  AzurermSettings s;
  s.account = "tfacct", s.container = "tfc", s.key = "k", s.access_key = "secretkey", s.snapshot = true;
  s.cloud = *cloud::azure_cloud_named("public");
  s.client.proxies = net::Proxies{proxy, proxy, ""};
  s.client.authorities = test::file_text(test::server("azurite", "XPLAN_TEST_AZURITE_CERTIFICATE"));
  return s;
}

// As a person makes one; it may be there.
void make_container(const AzurermSettings& s) {
  net::Request r;
  r.method = "PUT", r.url = "https://tfacct.blob.core.windows.net/tfc?restype=container", r.body = "";
  r.headers = {{"x-ms-version", "2023-11-03"}};
  cloud::AzureClient client(s.client, 1);
  const auto made = client.send(r, [&](net::Request& now, bool fresh) -> Result<bool> {
    cloud::sign(now, cloud::AzureAccountKey{"tfacct", "secretkey"}, client.now());
    return !fresh;
  });
  REQUIRE(made);
  REQUIRE((made->status == 201 || made->status == 409));
}

LockInfo lock_of(const std::string& id) {
  return {id, "OperationTypeApply", "", "me@host", "1.0", "2026-01-01T00:00:00Z", ""};
}

}  // namespace

TEST_CASE("azurite: a life of a state", "[server]") {
  const std::string proxy = test::server("azurite", "XPLAN_TEST_AZURITE");
  if (proxy.empty()) return;
  AzurermSettings s = settings_for(proxy);
  make_container(s);
  s.key = "a b/st+ate~é";
  const auto client = std::make_shared<AzurermClient>(s, nullptr);
  REQUIRE(remove_place(client, s.key));
  const auto p = make_place(client, s.key), other = make_place(client, s.key);
  LockInfo a = lock_of(kA), b = lock_of(kB);
  const auto taken = p->try_lock(a);
  REQUIRE((taken && !taken->held));
  const auto held = other->try_lock(b);
  REQUIRE((held && held->held && held->holder));
  CHECK(held->holder->id == kA);
  CHECK(!other->put("x", std::nullopt));
  const auto empty = p->get();
  REQUIRE((empty && *empty && (*empty)->bytes.empty()));
  auto put = p->put("one", (*empty)->version);
  REQUIRE((put && !put->conflict));
  CHECK(p->put("x", (*empty)->version)->conflict);
  CHECK(*p->still_held() == true);
  put = p->put("two", put->version);
  REQUIRE((put && !put->conflict));
  for (const char* name : {"2", "1"}) REQUIRE(p->put_segment(name, std::string("<") + name));
  CHECK(*p->segments() == std::vector<std::string>{"1", "2"});
  CHECK(*p->get_segments({"2", "1"}) == std::vector<std::string>{"<2", "<1"});
  CHECK(!other->break_lock(kB));
  REQUIRE(other->break_lock(kA));
  CHECK(*p->still_held() == false);
  CHECK(p->put("three", put->version).error().message.find("its lock was lost") != std::string::npos);
  REQUIRE(!other->try_lock(b)->held);
  CHECK(*p->still_held() == false);
  REQUIRE(other->unlock());
  CHECK((*p->get())->bytes == "two");
  CHECK(!*p->holder());
  REQUIRE(remove_place(client, s.key));
  CHECK(!*p->get());
  CHECK(p->segments()->empty());
}
