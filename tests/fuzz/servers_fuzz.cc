// What servers of states answer, whatever was asked: each kind of backend reads, lists, locks, writes and
// releases with it.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/text.h"
#include "core/state/journal.h"
#include "core/state/store.h"
#include "tests/fuzz/target.h"
#include "tests/support/folder.h"
#include "tests/support/small_server.h"

namespace xplan::fuzz {
namespace {

using test::Asked;
using test::SmallServer;

constexpr std::string_view kBetween = "\n--\n";  // the first part names the kind, and the others are answers

// The length is that of the body, and what makes a request be tried again is tested where that is done:
// either would take its time here.
std::string as_answer(std::string_view text) {
  const size_t end = std::min(text.find("\n\n"), text.size());
  std::string head = "HTTP/1.1 ";
  bool first = true;
  for (std::string_view rest = text.substr(0, end); !rest.empty();) {
    const size_t line_end = std::min(rest.find('\n'), rest.size());
    std::string line(rest.substr(0, line_end));
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
    std::erase_if(line, [](unsigned char c) { return c < ' '; });
    const std::string name = ascii_lower(line.substr(0, line.find(':')));
    const int status = first ? std::atoi(line.c_str()) : 0;
    if (first && (status < 200 || status > 599 || status == 408 || status == 429 || status >= 500))
      line = "400 Bad Request";
    const bool counts = name == "content-length" || name == "transfer-encoding" ||
                        name == "content-encoding" || name == "connection";
    if (first || (!counts && line.find(':') != line.npos)) head += line + "\r\n";
    first = false;
  }
  if (first) head += "400 Bad Request\r\n";
  const std::string body(text.substr(std::min(end + 2, text.size())));
  return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

struct Answers {
  std::mutex mutex;
  std::vector<std::string> all;
  size_t next = 0;
  std::string take(const Asked&) {
    std::lock_guard lock(mutex);
    return all.empty() ? SmallServer::answer("404 Not Found") : all[next++ % all.size()];
  }
};

// With the server's URL for @; its name without the scheme for %.
struct Kind {
  const char *name, *settings;
};
constexpr Kind kKinds[] = {
    {"http", R"({"address":"@/s","lock_address":"@/s","unlock_address":"@/s","retry_max":0})"},
    {"s3",
     R"({"bucket":"bucket","key":"k","region":"us-east-1","access_key":"a","secret_key":"b","use_lockfile":true,"use_path_style":true,"max_retries":1,)"
     R"("skip_credentials_validation":true,"skip_requesting_account_id":true,"endpoints":{"s3":"@"}})"},
    {"gcs",
     R"({"bucket":"bucket","prefix":"p","access_token":"t","storage_custom_endpoint":"@/storage/v1/"})"},
    {"consul", R"({"address":"%","scheme":"http","path":"p"})"},
    {"kubernetes", R"({"secret_suffix":"s","host":"@","token":"t"})"},
    {"cos", R"({"bucket":"bucket-1","region":"r","secret_id":"a","secret_key":"b","endpoint":"@"})"},
    {"oss", R"({"bucket":"bucket","region":"r","access_key":"a","secret_key":"b","endpoint":"@"})"},
};

std::string settings_for(std::string_view kind, const std::string& url) {
  std::string out;
  for (const Kind& k : kKinds)
    if (k.name == kind)
      for (const char c : std::string_view(k.settings))
        out += c == '@' ? url : c == '%' ? url.substr(7) : std::string(1, c);
  return out;
}

void check(const std::string& said) {
  must(said.find_first_of("\x1b\r\x07") == said.npos, "a message cannot control a terminal");
  must(said.size() < 100'000, "a message has an end");
}
template <class T>
void check(const Result<T>& r) {
  if (!r) check(r.error().message);
}
void check(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) check(d.detail);
}

void use(const backend::Backend& b) {
  check(b.workspaces());
  check(b.read("default"));
  for (const bool locks : {false, true}) {
    const std::unique_ptr<StateStore> store = b.open("default", {});
    if (locks) check(store->lock("test", 0, nullptr));
    Diagnostics diags;
    Result<State> state = store->read(diags);
    check(diags);
    check(state);
    if (locks && state) {
      state->outputs[Symbol("x")] = {Value::string("y"), {}};
      check(store->write(*state, NoTypes()));
    }
    if (const auto holder = store->holder(); holder && *holder) check((*holder)->who + (*holder)->id);
    check(store->unlock());
    if (!locks) check(store->break_lock("1"));
  }
  check(b.create("w"));
  check(b.remove("w"));
}

void run_answers(std::string_view bytes) {
  static Answers answers;
  static std::unique_ptr<SmallServer> server;
  static size_t runs = 0;
  if (runs++ % 50 == 0)
    server = std::make_unique<SmallServer>(
        [](const Asked& a) { return answers.take(a); });  // it keeps what it was asked
  const size_t first = std::min(bytes.find(kBetween), bytes.size());
  const std::string kind(bytes.substr(0, first)), settings = settings_for(kind, server->url);
  if (settings.empty()) return;
  {
    std::lock_guard lock(answers.mutex);
    answers.all.clear(), answers.next = 0;
    for (size_t at = first; at < bytes.size();) {
      at += kBetween.size();
      const size_t end = std::min(bytes.find(kBetween, at), bytes.size());
      answers.all.push_back(as_answer(bytes.substr(std::min(at, bytes.size()), end - std::min(at, end))));
      at = end;
    }
  }
  const test::Folder folder(true);
  const auto read = backend::parse_settings(kind, settings);
  must(read.ok(), "the settings are valid");
  backend::Opening opening;
  opening.data_dir = folder.path;
  const auto b = backend::open(*read, opening);
  must(b.ok(), "the backend can be opened");
  use(**b);
}

std::vector<std::string> answers_seeds() {
  const std::string state =
      R"({"version":4,"terraform_version":"1.11.4","serial":3,"lineage":"l","outputs":{},"resources":[],"check_results":null})";
  const std::string info =
      R"({"ID":"1","Operation":"OperationTypeApply","Info":"","Who":"me@here","Version":"1.11.4","Created":"2026-01-02T03:04:05.6Z","Path":"p"})";
  const std::string b(kBetween), list =
                                     "<ListBucketResult><IsTruncated>false</"
                                     "IsTruncated><Contents><Key>k.journal/0123456789ab01234567-000001</Key>"
                                     "</Contents><Contents><Key>env:/w/k</Key></Contents></ListBucketResult>";
  const std::string journal = "00000041 5d0f1c52 {\"begin\":{\"lineage\":\"l\",\"serial\":3}}\n";
  const std::string secret =
      R"({"metadata":{"name":"tfstate-default-s","resourceVersion":"5","labels":{"tfstate":"true","tfstateWorkspace":"default"},"annotations":{"encoding":"gzip"}},"data":{"tfstate":"H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA=="}})";
  const std::string object =
      R"({"items":[{"name":"p/default.tfstate"},{"name":"p/w.tfstate"}],"generation":"17","md5Hash":"x","nextPageToken":""})";
  return {
      "http" + b + "200 OK\nContent-Type: application/json\n\n" + state + b + "423 Locked\n\n" + info + b +
          "200 OK\n\n",
      "http" + b + "200 OK\nContent-MD5: 1B2M2Y8AsgTpgAmy7PhCfg==\n\n" + state,
      "s3" + b + "200 OK\nETag: \"e\"\n\n" + list + b + "200 OK\nETag: \"e\"\n\n" + state + b +
          "200 OK\nETag: \"e\"\n\n" + list + b + "200 OK\n\n" + journal,
      "s3" + b + "404 Not Found\n\n<Error><Code>NoSuchKey</Code><Message>m</Message></Error>" + b +
          "412 Precondition Failed\n\n" + b + "200 OK\nETag: e\n\n" + info,
      "gcs" + b + "200 OK\n\n" + object + b +
          "200 OK\nx-goog-generation: 17\nx-goog-hash: crc32c=AAAAAA==,md5=x\n\n" + state + b +
          "412 Precondition Failed\n\n",
      "gcs" + b + R"(404 Not Found)" + b + "200 OK\n\n" + object + b + "200 OK\nx-goog-generation: 17\n\n" +
          info,
      "consul" + b + "200 OK\n\n" +
          R"([{"Key":"p","Value":"eyJjdXJyZW50LWhhc2giOiJkNDFkOGNkOThmMDBiMjA0ZTk4MDA5OThlY2Y4NDI3ZSIsImNodW5rcyI6WyJwLzAiXX0=","ModifyIndex":7,"Session":"1"}])" +
          b + "200 OK\n\n[\"p\",\"p-env:w\"]" + b + "200 OK\n\n{\"ID\":\"1\"}" + b + "200 OK\n\ntrue" + b +
          "200 OK\n\n" + R"({"Results":[{"KV":{"ModifyIndex":8}}]})",
      "kubernetes" + b + "200 OK\n\n{\"items\":[" + secret + "]}" + b + "200 OK\n\n" + secret + b +
          "200 OK\n\n" +
          R"({"metadata":{"name":"lock-tfstate-default-s","annotations":{"app.terraform.io/lock-info":"{\"ID\":\"1\"}"}},"spec":{"holderIdentity":"1"}})" +
          b + "409 Conflict\n\n{\"kind\":\"Status\",\"message\":\"m\"}",
      "cos" + b + "200 OK\nx-cos-meta-md5: 9e107d9d372bb6826bd81d3542a419d6\n\n" + state + b + "200 OK\n\n" +
          list + b + R"(200 OK)" + "\n\n" +
          R"({"Response":{"RequestId":"1","Error":{"Code":"ResourceInUse","Message":"m"}}})",
      "oss" + b + "200 OK\nETag: \"e\"\n\n" + state + b + "200 OK\n\n" + list + b +
          "404 Not Found\n\n<Error><Code>NoSuchKey</Code></Error>",
  };
}

}  // namespace

const Target server_answers = {run_answers, answers_seeds};

}  // namespace xplan::fuzz
