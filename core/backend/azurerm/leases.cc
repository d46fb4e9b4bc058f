// Leases of blobs: taken for as long as nobody gives them back.
#include "core/backend/azurerm/client.h"
#include "core/cloud/azure_answer.h"

namespace xplan::backend::azurerm {

// An attempt whose answer was lost does no harm: whoever asks for the lease that it has gets it.
Result<LeaseTry> AzurermClient::acquire(const std::string& key, const std::string& lease, net::Ending stop) {
  const char* doing = "lock";
  net::Request r;
  r.headers = {
      {"x-ms-lease-action", "acquire"}, {"x-ms-lease-duration", "-1"}, {"x-ms-proposed-lease-id", lease}};
  const Result<net::Answer> a = change(key, "?comp=lease", "", std::move(r), doing, stop);
  if (!a) return a.error();
  if (a->status < 300) return LeaseTry::Taken;
  const std::string code = cloud::azure_failure_of(*a).code;
  if (a->status == 404 && code != "ContainerNotFound") return LeaseTry::Absent;
  if (a->status == 409 && code == "LeaseAlreadyPresent") return LeaseTry::Held;
  return refused(doing, key, *a);
}

Result<bool> AzurermClient::holds(const std::string& key, const std::string& lease, net::Ending stop) {
  const char* doing = "check the lock of";
  net::Request r;
  r.headers = {{"x-ms-lease-id", lease}};
  add_encryption(r, false);
  const Result<net::Answer> a = send("HEAD", key, "", std::move(r), doing, stop);
  if (!a) return a.error();
  if (a->status == 404 || a->status == 409 || a->status == 412) return false;
  if (a->status != 200) return refused(doing, key, *a);
  const auto status = a->headers.find("x-ms-lease-status");
  return status == a->headers.end() || status->second == "locked";
}

// Fine if nobody has a lease by now, as it is where the answer to an attempt was lost.
Result<void> AzurermClient::release(const std::string& key, const std::string& lease, net::Ending stop) {
  const char* doing = "release the lock of";
  net::Request r;
  r.headers = {{"x-ms-lease-action", "release"}};
  const Result<net::Answer> a = change(key, "?comp=lease", lease, std::move(r), doing, stop);
  if (!a) return a.error();
  if (a->status < 300) return {};
  if (a->status == 409)
    if (const auto there = look(key, stop); there && !(*there && (*there)->leased)) return {};
  return refused(doing, key, *a);
}

Result<void> AzurermClient::end_lease(const std::string& key) {
  const char* doing = "release the lock of";
  net::Request r;
  r.headers = {{"x-ms-lease-action", "break"}, {"x-ms-lease-break-period", "0"}};
  const Result<net::Answer> a = change(key, "?comp=lease", "", std::move(r), doing);
  if (!a) return a.error();
  return a->status < 300 ? Result<void>() : refused(doing, key, *a);
}

}  // namespace xplan::backend::azurerm
