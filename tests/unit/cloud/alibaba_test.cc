// Signatures of Alibaba Cloud against requests that another program made; sums over objects; keys of machines
// and roles.
#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/cloud/alibaba_client.h"
#include "core/cloud/crc64.h"
#include "core/cloud/tablestore_message.h"
#include "core/cloud/tablestore_row.h"
#include "tests/support/environment.h"
#include "tests/support/server_program.h"

using namespace xplan;
using namespace xplan::cloud;
using namespace xplan::cloud::tablestore;

namespace {

const AlibabaKeys kKeys{"AKTEST", "secretsecret", "", 0};

std::string header(const net::Request& r, std::string_view name) {
  for (const auto& [n, value] : r.headers)
    if (n == name) return value;
  return {};
}

std::string bytes_of_hex(std::string_view hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(hex_digit(hex[i]) << 4 | hex_digit(hex[i + 1]));
  return out;
}

}  // namespace

TEST_CASE("alibaba: requests for objects") {
  OssCall list;
  list.base = "http://127.0.0.1:18777/bkt", list.bucket = "bkt";
  list.query = {{"encoding-type", "url"}, {"max-keys", "1000"}, {"prefix", "env:/"}};
  const net::Request a = signed_oss(list, {"AK", "SK", "", 0}, 1795468296);
  CHECK(a.url == "http://127.0.0.1:18777/bkt/?encoding-type=url&max-keys=1000&prefix=env%3A%2F");
  CHECK(header(a, "Date") == "Mon, 23 Nov 2026 21:11:36 GMT");
  CHECK(header(a, "Authorization") == "OSS AK:FGYts83kxYno+BUyT5bQrq5gcGE=");

  OssCall put;
  put.method = "PUT", put.base = "http://127.0.0.1:18777/tfb", put.bucket = "tfb";
  put.name = "p/q/my key+ü.tfstate", put.body = "{}";
  put.headers = {{"Content-Type", "application/json"},
                 {"x-oss-acl", "public-read"},
                 {"x-oss-server-side-encryption", "AES256"}};
  const net::Request b = signed_oss(put, kKeys, 1795469626);
  CHECK(b.url == "http://127.0.0.1:18777/tfb/p/q/my%20key%2B%C3%BC.tfstate");
  CHECK(header(b, "Authorization") == "OSS AKTEST:C+hDQUN1/tYIJgccNVsQH0vf14M=");
}

TEST_CASE("alibaba: requests to TableStore") {
  const TableStoreCall c{"http://127.0.0.1:18777", "127", "DescribeTable", "\n\5locks"};
  const net::Request r = signed_tablestore(c, kKeys, "2026-11-23T21:15:50.11239Z");
  CHECK(r.url == "http://127.0.0.1:18777/DescribeTable");
  CHECK(header(r, "x-ots-contentmd5") == "G5tvh3oy/JoRP2uOiJjeqw==");
  CHECK(header(r, "x-ots-signature") == "hRRiPcaR+IuAZJEGxkqMMc2MH60=");
}

TEST_CASE("alibaba: requests to the other services") {
  const RpcCall c{"https://sts.cn-beijing.aliyuncs.com",
                  "AssumeRole",
                  "2015-04-01",
                  {{"DurationSeconds", "1200"},
                   {"RegionId", "cn-beijing"},
                   {"RoleArn", "acs:ram::1:role/p"},
                   {"RoleSessionName", "psn"},
                   {"SignatureType", ""}}};
  const net::Request r = signed_rpc(c, kKeys, 1795469626, "3401c96c75792722831039cea0394d98");
  CHECK(r.url == "https://sts.cn-beijing.aliyuncs.com/?Action=AssumeRole");
  REQUIRE(r.body);
  CHECK(r.body->find("Signature=%2FXJDdhlFDxPuPrL4H8%2F30ep1pPs%3D&") != std::string::npos);
  CHECK(r.body->find("Action=") == std::string::npos);
}

TEST_CASE("alibaba: sums over objects") {
  CHECK(crc64("") == 0);
  CHECK(crc64("123456789") == 0x995DC9BBDF1939FAu);  // of the catalogue of CRCs: CRC-64/XZ
}

TEST_CASE("alibaba: rows of TableStore are read, and nothing that is not one") {
  const Columns columns = {{"Info", "{\"ID\":\"x\"}"}, {"Digest", ""}};
  const std::string row = row_of({{"LockID", "x"}}, columns);
  const auto read = read_row(row);
  REQUIRE(read);
  CHECK(*read == Columns{{"LockID", "x"}, {"Info", "{\"ID\":\"x\"}"}, {"Digest", ""}});
  CHECK(read_row("")->empty());
  for (size_t n = 1; n < row.size(); ++n) {
    INFO(n);
    CHECK(!read_row(std::string_view(row).substr(0, n)));
    std::string damaged = row;
    damaged[n] ^= 4;
    const auto other = read_row(damaged);
    CHECK((!other || *other != *read));
  }
  for (const char* hex :
       {"08", "0a05", "0aff", "0b", "80808080808080808080808001", "0affffffffffffffffff01"}) {
    INFO(hex);
    CHECK(!read_message(bytes_of_hex(hex)));
  }
  const std::string mixed = bytes_of_hex("0801110000000000000000150000000012036162631a00");
  const auto fields = read_message(mixed);
  REQUIRE(fields);
  CHECK(fields->size() == 5);
  CHECK(bytes_of(*fields, 2).size() == 3);
}

TEST_CASE("alibaba: the machine's keys, and those of roles, are renewed before they end", "[server]") {
  test::ServerProgram server("oss.py");
  test::Environment here({{"HTTPS_PROXY", server.url}, {"SSL_CERT_FILE", server.more}});
  const struct {
    const char *keys, *machine, *role, *problem;
  } table[] = {
      {"AKTEST", "", "acs:ram::1:role/p", ""},
      {"", "machine-role", "", ""},
      {"", "machine-role", "acs:ram::1:role/p", ""},
      {"", "other", "", "the metadata service returned no credentials for the role \"other\": 404 Not Found"},
      {"", "", "", "there are no credentials for Alibaba Cloud"},
      {"AKTEST", "", "-", "the role \"-\" cannot be assumed: the server answered 400"},
  };
  for (const auto& t : table) {
    INFO(t.keys << " " << t.machine << " " << t.role);
    server.control("{'forget': true, 'lifetime': 200}");
    AlibabaSettings s;
    if (*t.keys) s.keys = kKeys;
    s.machine_role = t.machine, s.metadata = server.url;
    s.region = "cn-beijing", s.sts = "https://sts.cn-beijing.aliyuncs.com";
    if (*t.role) s.role = AlibabaRole{t.role, "terraform", "", 3600};
    AlibabaClient client(s, nullptr);
    OssCall list;
    list.base = "https://tfb.oss-cn-beijing.aliyuncs.com", list.bucket = "tfb";
    const auto problem_of = [](const Result<net::Answer>& a) {
      return !a ? a.error().message : a->status == 200 ? "" : a->body;
    };
    const std::string problem = problem_of(client.send(list, {}, nullptr));
    INFO(problem);
    CHECK((*t.problem ? problem.starts_with(t.problem) : problem.empty()));
    if (*t.problem) continue;
    const std::string service = *t.role ? "sts" : "metadata";
    // Fewer than five minutes are left: others are fetched, but not for each request.
    CHECK(problem_of(client.send(list, {}, nullptr)).empty());
    CHECK(server.asked(service).size() == 1);
    server.control("{'forget': true, 'lifetime': 1}");
    AlibabaClient later(s, nullptr);
    CHECK(problem_of(later.send(list, {}, nullptr)).empty());
    ::sleep(2);
    server.control("{'lifetime': 3600}");
    CHECK(problem_of(later.send(list, {}, nullptr)).empty());
    CHECK(problem_of(later.send(list, {}, nullptr)).empty());
    CHECK(server.asked(service).size() == 2);
  }
}
