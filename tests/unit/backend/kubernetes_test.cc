// States in Kubernetes: settings, kubeconfig files, credentials, the place and the lease, against the test
// server, with and without its faults.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "core/backend/gzip.h"
#include "core/backend/kubernetes/kubeconfig.h"
#include "core/backend/kubernetes/names.h"
#include "core/backend/settings.h"
#include "core/base/base64.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/kubernetes_cluster.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::kubernetes;
using test::Environment;
using test::Folder;
using namespace xplan::kubernetes_test;

namespace {

LockInfo info(const std::string& id) {
  return {id, "OperationTypeApply", "", "me@host", "1.0", "2026-01-01T00:00:00Z", ""};
}

std::string packed(const std::string& text) {
  return base64_encode(*gzip(text));
}

// That does not become small when it is packed.
Result<KubeSettings> read(const std::string& json, const std::string& account = "/nowhere") {
  return read_settings(parse_settings("kubernetes", json)->values, account);
}

constexpr const char* kPem = "-----BEGIN CERTIFICATE-----\nx\n";

// Two clusters, and users of every kind.
constexpr const char* kConfig = R"(
apiVersion: v1
kind: Config
current-context: main
contexts:
- {name: main, context: {cluster: a, user: token, namespace: ignored}}
- {name: odd, context: {cluster: a, user: missing}}
- {name: plain, context: {cluster: plain, user: token}}
clusters:
- name: a
  cluster:
    server: https://a.example:6443/
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCngK
    tls-server-name: other.example
    proxy-url: http://proxy.example:3128
- {name: plain, cluster: {server: "http://b.example"}}
- {name: careless, cluster: {server: "https://c.example", insecure-skip-tls-verify: true}}
- {name: files, cluster: {server: "https://d.example", certificate-authority: pem}}
- {name: bad, cluster: {server: "https://d.example", certificate-authority-data: "%%"}}
users:
- {name: token, user: {token: secret-token}}
- {name: file, user: {tokenFile: tok}}
- {name: basic, user: {username: me, password: secret-word}}
- {name: files, user: {client-certificate: pem, client-key: pem}}
- {name: half, user: {client-certificate: pem}}
- {name: nowhere, user: {client-key: nowhere}}
- name: program
  user:
    exec: {apiVersion: v, command: ./bin/x, args: [a, b], env: [{name: NAME, value: true}], provideClusterInfo: true}
- {name: old, user: {auth-provider: {name: gcp}}}
- {name: empty, user: }
)";

}  // namespace

TEST_CASE("kubernetes: what kubeconfig files say") {
  Folder dir;
  dir.write("config", kConfig);
  dir.write("pem", kPem);
  struct Row {
    Selection selection;
    std::string shown, problem;
  };
  const Row rows[] = {
      {{}, "https://a.example:6443/ secret-token", ""},
      {{"", "careless", ""}, "https://c.example secret-token careless", ""},
      {{"", "files", "basic"}, "https://d.example me/secret-word", ""},
      {{"", "files", "files"}, "https://d.example cert", ""},
      {{"", "", "file"}, "https://a.example:6443/ file", ""},
      {{"", "", "program"}, "https://a.example:6443/ program", ""},
      {{"", "", "empty"}, "https://a.example:6443/", ""},
      {{"nope", "", ""},
       "",
       "the context \"nope\" does not exist in the kubeconfig file, which contains \"main\""},
      {{"", "nope", ""}, "", "the cluster \"nope\" does not exist"},
      {{"odd", "", ""}, "", "the user \"missing\" does not exist"},
      {{"", "bad", ""}, "", "\"certificate-authority-data\" in the kubeconfig file"},
      {{"", "", "nowhere"}, "", "\"client-key\" in the kubeconfig file"},
      {{"", "", "old"}, "", "\"auth-provider\""},
  };
  for (const Row& row : rows) {
    INFO(row.selection.context << "," << row.selection.cluster << "," << row.selection.user);
    const Result<Access> a = read_kubeconfig({dir / "config"}, row.selection);
    if (!row.problem.empty()) {
      REQUIRE(!a);
      CHECK(mentions(a.error().message, row.problem));
      CHECK(!mentions(a.error().message, "secret"));
      continue;
    }
    INFO((a ? "" : a.error().message));
    REQUIRE(a);
    std::string shown = a->url;
    if (!a->token.empty()) shown += " " + a->token;
    if (!a->user.empty()) shown += " " + a->user + "/" + a->password;
    if (!a->tls.verify) shown += " careless";
    if (!a->tls.certificate.empty()) shown += " cert";
    if (!a->token_file.empty()) CHECK(a->token_file == dir / "tok");
    if (!a->token_file.empty()) shown += " file";
    if (a->plugin) {
      shown += " program";
      CHECK(a->plugin->command == dir / "bin/x");
      CHECK(a->plugin->arguments == std::vector<std::string>{"a", "b"});
      CHECK(a->plugin->environment.at("NAME") == "true");
      CHECK(a->plugin->cluster_info);
    }
    CHECK(shown == row.shown);
  }
  const Result<Access> main = read_kubeconfig({dir / "config"}, {});
  CHECK(main->tls.authorities == kPem);
  CHECK(main->tls.server_name == "other.example");
  CHECK(main->proxy == "http://proxy.example:3128");
  // Several files: what comes first counts, what does not exist does not.
  dir.write("first", "current-context: plain\nusers: [{name: token, user: {token: mine}}]\n");
  const Result<Access> both = read_kubeconfig({dir / "none", dir / "first", dir / "config"}, {});
  REQUIRE(both);
  CHECK(both->url == "http://b.example");
  CHECK(both->token == "mine");
  CHECK(!read_kubeconfig({dir / "none"}, {}));
  CHECK(!read_kubeconfig({dir / "none", dir / "nor"}, {}));
  for (const char* odd :
       {"", "[]", "a", "clusters: 3\ncurrent-context: x", "current-context: [x]", "contexts: [3, {}]\n",
        "current-context: \"\\u001b[31m\"", "a: &a [*a]", "a: [", "\x01"}) {
    INFO(odd);
    dir.write("odd", odd);
    const Result<Access> a = read_kubeconfig({dir / "odd"}, {});
    REQUIRE(!a);
    CHECK(!mentions(a.error().message, "\x1b"));
  }
}

TEST_CASE("kubernetes: what settings and the environment mean") {
  Folder dir;
  dir.write("config", kConfig);
  dir.write("pem", kPem);
  dir.write("pod/ca.crt", kPem);
  dir.write("pod/token", "t\n");
  const std::string config = dir / "config";
  struct Row {
    const char* json;
    std::vector<std::pair<const char*, std::string>> environment;
    const char *url, *token, *problem;
  };
  const Row rows[] = {
      {R"({"secret_suffix": "s"})",
       {{"KUBE_CONFIG_PATH", config}},
       "https://a.example:6443",
       "secret-token",
       ""},
      {R"({"secret_suffix": "s"})",
       {{"KUBE_CONFIG_PATHS", "/nowhere:" + config}},
       "https://a.example:6443",
       "secret-token",
       ""},
      {R"({"secret_suffix": "s", "token": "t"})",
       {{"KUBE_CONFIG_PATH", config}},
       "https://a.example:6443",
       "t",
       ""},
      {R"({"secret_suffix": "s"})",
       {{"KUBE_CONFIG_PATH", config}, {"KUBE_CTX", "plain"}},
       "http://b.example",
       "",
       ""},
      {R"({"secret_suffix": "s"})",
       {{"KUBE_CONFIG_PATH", config}, {"KUBE_CTX_CLUSTER", "careless"}},
       "https://c.example",
       "secret-token",
       ""},
      {R"({"secret_suffix": "s", "config_context_auth_info": "basic"})",
       {{"KUBE_CONFIG_PATH", config}, {"KUBE_HOST", "https://x/y/"}},
       "https://x/y",
       "",
       ""},
      {R"({"secret_suffix": "s", "host": "h:1", "insecure": true})", {}, "https://h:1", "", ""},
      {R"({"secret_suffix": "s", "host": "h:1", "load_config_file": false})",
       {{"KUBE_CONFIG_PATH", config}},
       "http://h:1",
       "",
       ""},
      {R"({"secret_suffix": "s", "load_config_file": false})",
       {{"KUBE_CONFIG_PATH", config}},
       "https://a.example:6443",
       "secret-token",
       ""},
      {R"({"secret_suffix": "s", "in_cluster_config": true})",
       {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}},
       "https://10.0.0.1:443",
       "",
       ""},
      {R"({"secret_suffix": "s", "in_cluster_config": true})",
       {{"KUBERNETES_SERVICE_HOST", "fd::1"}, {"KUBERNETES_SERVICE_PORT", "443"}},
       "https://[fd::1]:443",
       "",
       ""},
      {R"({"secret_suffix": "s", "in_cluster_config": true})", {}, nullptr, nullptr, "is not a pod"},
      {"{}", {}, nullptr, nullptr, "\"secret_suffix\" is required"},
      {R"({"secret_suffix": "a-1"})", {}, nullptr, nullptr, "must not end with a dash and a number"},
      {R"({"secret_suffix": "A"})", {}, nullptr, nullptr, "is not a valid name"},
      {R"({"secret_suffix": "s", "namespace": "../x"})", {}, nullptr, nullptr, "\"namespace\" is not valid"},
      {R"({"secret_suffix": "s"})", {}, nullptr, nullptr, "no cluster is configured"},
      {R"({"secret_suffix": "s", "config_path": "/nowhere"})",
       {},
       nullptr,
       nullptr,
       "the kubeconfig file cannot be read: "},
      {R"({"secret_suffix": "s", "username": "u", "token": "t", "host": "h"})",
       {},
       nullptr,
       nullptr,
       "\"token\" cannot be used together with"},
      {R"({"secret_suffix": "s", "host": "ftp://h"})",
       {},
       nullptr,
       nullptr,
       "begins with https:// or http://"},
      {R"({"secret_suffix": "s", "host": "h", "client_certificate": "x"})",
       {},
       nullptr,
       nullptr,
       "must be PEM text"},
      {R"({"secret_suffix": "s", "config_context_auth_info": "half"})",
       {{"KUBE_CONFIG_PATH", config}},
       nullptr,
       nullptr,
       "must be set together"},
      {R"({"secret_suffix": "s", "host": "h", "proxy_url": "ftp://p"})",
       {},
       nullptr,
       nullptr,
       "\"proxy_url\""},
      {R"({"secret_suffix": "s", "host": "h", "exec": {"command": "x"}})",
       {},
       nullptr,
       nullptr,
       "\"api_version\" is required in \"exec\""},
  };
  for (const Row& row : rows) {
    INFO(row.json);
    const Environment clean({});
    for (const auto& [name, value] : row.environment) ::setenv(name, value.c_str(), 1);
    const Result<KubeSettings> s = read(row.json, dir / "pod");
    for (const auto& [name, value] : row.environment) ::unsetenv(name);
    if (*row.problem) {
      REQUIRE_FALSE(s);
      INFO(s.error().message);
      CHECK(mentions(s.error().message, row.problem));
      continue;
    }
    INFO((s ? "" : s.error().message));
    REQUIRE(s);
    CHECK(s->access.url == row.url);
    CHECK(s->access.token == row.token);
    CHECK(s->name_space == "default");
  }
}

TEST_CASE("kubernetes: names of secrets") {
  CHECK(secret_name("w", "s") == "tfstate-w-s");
  CHECK(part_name("x", 0) == "x");
  CHECK(part_name("x", 2) == "x-part-2");
  CHECK(part_number("x", "x") == 0);
  CHECK(part_number("x-part-12", "x") == 12);
  for (const char* other : {"y", "x-part-", "x-part-0", "x-part-01", "x-part--1", "x-part-1-part-2",
                            "x-part-99999999999999999999"})
    CHECK(!part_number(other, "x"));
  for (const char* fine : {"a", "a-b", "a.b-c.0"}) CHECK(name_problem(fine).empty());
  for (const char* wrong : {"", "-a", "a-", "a..b", ".a", "a.", "a.-b", "A", "a_b", "a/b", "a\x1b"}) {
    CHECK(!name_problem(wrong).empty());
    CHECK(!mentions(name_problem(wrong), "\x1b"));
  }
  CHECK(mentions(name_problem(std::string(254, 'a')), "too long"));
}

TEST_CASE("kubernetes: a state is read, written over what was read, and nothing else") {
  Cluster cluster;
  KubeSettings s = settings_for(cluster);
  s.labels = {{"team", "a"}};
  const auto p = place_of(s);
  auto none = p->get();
  REQUIRE(none);
  CHECK(!*none);
  auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(!put->conflict);
  auto secret = cluster.told()["secrets"]["tfstate-default-s"];
  CHECK(secret["metadata"]["labels"] == nlohmann::json{{"tfstate", "true"},
                                                       {"tfstateSecretSuffix", "s"},
                                                       {"tfstateWorkspace", "default"},
                                                       {"app.kubernetes.io/managed-by", "terraform"},
                                                       {"team", "a"}});
  CHECK(secret["metadata"]["annotations"]["encoding"] == "gzip");
  auto read = p->get();
  REQUIRE((read && *read));
  CHECK((*read)->bytes == "one");
  CHECK((*read)->version == put->version);
  CHECK(p->put("two", std::nullopt)->conflict);
  CHECK(p->put("two", "other")->conflict);
  // What somebody else says about the secret does not concern the state.
  secret["metadata"]["annotations"]["note"] = "mine";
  cluster.control(nlohmann::json{{"secrets", {{"tfstate-default-s", secret}}}}.dump());
  auto second = p->put("two", put->version);
  REQUIRE(second);
  CHECK(!second->conflict);
  CHECK(cluster.told()["secrets"]["tfstate-default-s"]["metadata"]["annotations"]["note"] == "mine");
  CHECK(p->put("three", put->version)->conflict);
  cluster.control("{'secrets': {'tfstate-default-s': null}}");
  CHECK(p->put("three", second->version)->conflict);
  // Without a state in it, there is none.
  cluster.secret("tfstate-default-s", "");
  none = p->get();
  REQUIRE(none);
  CHECK(!*none);
  CHECK(!p->put("three", std::nullopt)->conflict);
}

TEST_CASE("kubernetes: a write whose answer was lost, or that another one is faster than") {
  Cluster cluster;
  const auto p = place_of(settings_for(cluster));
  cluster.control("{'faults': [{'on': {'method': 'POST'}, 'do': 'after'}]}");
  auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(!put->conflict);
  cluster.control("{'faults': [{'on': {'method': 'PUT'}, 'do': 'after'}]}");
  put = p->put("two", put->version);
  REQUIRE(put);
  CHECK(!put->conflict);
  auto theirs = cluster.told()["secrets"]["tfstate-default-s"];
  theirs["data"]["tfstate"] = packed("theirs");
  cluster.control(nlohmann::json{
      {"faults",
       {{{"on", {{"method", "PUT"}}}, {"do", "order"}, {"secrets", {{"tfstate-default-s", theirs}}}}}}}
                      .dump());
  CHECK(p->put("three", put->version)->conflict);
  CHECK((*p->get())->bytes == "theirs");
}

TEST_CASE("kubernetes: one run has the lock, and only it can release it") {
  Cluster cluster;
  const auto a = place_of(settings_for(cluster)), b = place_of(settings_for(cluster));
  CHECK(!*b->holder());
  LockInfo first = info("A"), second = info("B");
  for (int n = 0; n < 2; ++n) {  // a new lease, then one that is there
    REQUIRE(!a->try_lock(first)->held);
    CHECK(first.path == "default/tfstate-default-s");
    CHECK(*a->still_held() == true);
    const auto lease = cluster.told()["leases"]["lock-tfstate-default-s"];
    CHECK(lease["spec"]["holderIdentity"] == "A");
    CHECK(lease["metadata"]["annotations"]["app.terraform.io/lock-info"] == first.json());
    const auto refused = b->try_lock(second);
    REQUIRE((refused && refused->held && refused->holder));
    CHECK(refused->holder->id == "A");
    CHECK(refused->holder->who == "me@host");
    CHECK(mentions(refused->reason, "locked by the lease \"default/lock-tfstate-default-s\""));
    CHECK(mentions(b->break_lock("C").error().message,
                   "lock ID \"C\" does not match the existing lock ID \"A\""));
    CHECK((*b->holder())->id == "A");
    REQUIRE((n == 0 ? a->unlock() : b->break_lock("A")).ok());
    CHECK(cluster.told()["leases"]["lock-tfstate-default-s"]["spec"].empty());
  }
  CHECK(*a->still_held() == false);
  REQUIRE(!b->try_lock(second)->held);
  CHECK(!a->unlock());
  CHECK(*b->still_held() == true);
  REQUIRE(b->unlock());
  CHECK(!b->still_held()->has_value());
  CHECK(mentions(b->break_lock("B").error().message, "the lock is gone"));
}

TEST_CASE("kubernetes: a lease that another one is faster to get, and answers that are lost") {
  Cluster cluster;
  const auto a = place_of(settings_for(cluster));
  LockInfo mine = info("A");
  const std::string theirs =
      R"("do": "order", "leases": {"lock-tfstate-default-s": {"spec": {"holderIdentity": "X"}}}})";
  cluster.control(R"({"faults": [{"on": {"method": "POST"}, )" + theirs + "]}");
  auto tried = a->try_lock(mine);
  REQUIRE((tried && tried->held && tried->holder));
  CHECK(tried->holder->id == "X");
  cluster.control(R"({"leases": {"lock-tfstate-default-s": {}}})");
  cluster.control(R"({"faults": [{"on": {"method": "PUT"}, )" + theirs + "]}");
  tried = a->try_lock(mine);
  REQUIRE((tried && tried->held));
  cluster.control(R"({"leases": {"lock-tfstate-default-s": null}})");
  for (const char* method : {"POST", "PUT", "PUT"}) {
    cluster.control(std::string("{'faults': [{'on': {'method': '") + method + "'}, 'do': 'after'}]}");
    tried = a->try_lock(mine);
    REQUIRE(tried);
    CHECK(!tried->held);
    cluster.control("{'faults': [{'on': {'method': 'PUT'}, 'do': 'after'}]}");
    CHECK(a->unlock());
  }
}

TEST_CASE("kubernetes: who asks") {
  Cluster cluster;
  cluster.control("{'token': 'secret'}");
  KubeSettings s = settings_for(cluster);
  s.access.token = "other-secret";
  const auto refused = place_of(s)->get();
  REQUIRE(!refused);
  CHECK(mentions(refused.error().message, "401 Unauthorized (Unauthorized). Check the credentials"));
  CHECK(!mentions(refused.error().message, "other-secret"));
  s.access.token = "secret";
  CHECK(place_of(s)->get());
  s.name_space = "forbidden";
  CHECK(mentions(place_of(s)->get().error().message, "403 Forbidden (secrets is forbidden"));
  s = settings_for(cluster);
  s.access.user = "user", s.access.password = "pass";
  CHECK(place_of(s)->get());
  // Only to this machine without https.
  s = settings_for(cluster);
  s.access.token = "secret", s.access.url = "http://cluster.example";
  const auto plain = place_of(s)->get();
  REQUIRE(!plain);
  CHECK(mentions(plain.error().message, "only sent over https"));
  // A file whose token changes.
  Folder dir;
  dir.write("token", "wrong\n");
  s = settings_for(cluster);
  s.access.token_file = dir / "token";
  const auto p = place_of(s);
  CHECK(!p->get());
  dir.write("token", "secret\n");
  CHECK(p->get());
}

TEST_CASE("kubernetes: programs that give credentials") {
  Cluster cluster;
  cluster.control("{'token': 'secret'}");
  Folder dir;
  auto access = [&](const std::string& script, bool cluster_info = false) {
    dir.write("x", "#!/bin/sh\necho run >> '" + (dir / "runs") + "'\n" + script);
    ::chmod((dir / "x").c_str(), 0755);
    ::unlink((dir / "runs").c_str());
    KubeSettings s = settings_for(cluster);
    s.access.plugin = Plugin{"v1", dir / "x", {"a b", "c"}, {{"MINE", "secret"}}, cluster_info};
    return s;
  };
  auto prints = [](const std::string& status) {
    return "cat <<EOF\n{\"kind\": \"ExecCredential\", \"apiVersion\": \"v1\", \"status\": " + status +
           "}\nEOF\n";
  };
  auto runs = [&] { return test::file_text(dir / "runs").size() / 4; };
  const auto p = place_of(access("printf '%s' \"$KUBERNETES_EXEC_INFO\" > '" + (dir / "info") + "'\n" +
                                     "[ \"$1/$2\" = 'a b/c' ] || exit 1\n" + prints(R"({"token": "$MINE"})"),
                                 true));
  CHECK(p->get());
  CHECK(p->get());
  CHECK(runs() == 1);
  const auto told = nlohmann::json::parse(test::file_text(dir / "info"));
  CHECK(told["kind"] == "ExecCredential");
  CHECK(told["spec"]["cluster"]["server"] == cluster.url);
  // One that ends soon, and one that is refused.
  const auto ending =
      place_of(access(prints(R"({"token": "secret", "expirationTimestamp": "2020-01-01T00:00:00Z"})")));
  CHECK(ending->get());
  CHECK(ending->get());
  CHECK(runs() == 2);
  const auto refused = place_of(access(prints(R"({"token": "wrong"})")));
  CHECK(!refused->get());
  CHECK(runs() == 2);
  const std::pair<std::string, const char*> wrong[] = {
      {"exit 3", "failed"},
      {"echo x", "it is not a JSON object"},
      {"echo '{}'", "its kind must be ExecCredential"},
      {prints("{}"), "neither a token nor a certificate"},
      {prints("[]"), "it has no status"},
      {prints(R"({"token": 3})"), "neither a token"},
      {prints(R"({"clientCertificateData": "x"})"), "must be set together"},
      {prints(R"({"token": "t", "expirationTimestamp": "soon"})"), "is not a time"},
      {"head -c 1000000 /dev/zero", "printed too much"},
  };
  for (const auto& [script, problem] : wrong) {
    INFO(script);
    const auto got = place_of(access(script))->get();
    REQUIRE(!got);
    CHECK(mentions(got.error().message, problem));
  }
  KubeSettings slow = access("sleep 60");
  slow.access.plugin->limit_millis = 1000;
  const auto cut = place_of(slow)->put("x", std::nullopt);  // which nobody can stop
  REQUIRE(!cut);
  CHECK(mentions(cut.error().message, "did not end within 1 seconds"));
  KubeSettings none = settings_for(cluster);
  none.access.plugin = Plugin{"v1", "/nowhere/x", {}, {}, false};
  CHECK(mentions(place_of(none)->get().error().message, "cannot be started"));
}

TEST_CASE("kubernetes: answers that a cluster should not give") {
  Cluster cluster;
  struct Row {
    std::string rule, problem;
  };
  auto body = [](const std::string& method, const std::string& text) {
    return R"("on": {"method": ")" + method + R"("}, "do": "say", "body": )" + nlohmann::json(text).dump();
  };
  const Row rows[] = {
      {body("GET", "nonsense"), "not one of a Kubernetes API"},
      {body("GET", "{}"), "not one of a Kubernetes API"},
      {body("GET", R"({"items": 3})"), "not one of a Kubernetes API"},
      {body("GET", R"({"items": [3]})"), "not one of a Kubernetes API"},
      {body("GET", R"({"items": [{"metadata": {"name": "tfstate-default-s"}, "data": {"tfstate": "%%"}}]})") +
           R"(, "times": 9)",
       "does not contain base64"},
      {body("GET",
            R"({"items": [{"metadata": {"name": "tfstate-default-s"}, "data": {"tfstate": "AAAA"}}]})") +
           R"(, "times": 9)",
       "not valid gzip"},
      {body("GET",
            R"({"items": [{"metadata": {"name": "tfstate-default-s"}, "data": {"tfstate": "H4s="}}]})") +
           R"(, "times": 9)",
       "end too early"},
      {R"("on": {"method": "GET"}, "do": "say", "status": 404, "body": "<html>\u001b[31m")",
       "404 Not Found (<html>"},
      {R"("on": {"method": "GET"}, "do": "say", "status": 500, "times": 9)", "500 Internal Server Error"},
      {R"("on": {"method": "GET"}, "do": "say", "status": 503, "times": 3)", ""},
      {R"("on": {"method": "GET"}, "do": "say", "status": 429, "times": 2)", ""},
      {R"("on": {"method": "GET"}, "do": "say", "status": 302, "headers": {"Location": "/x"})",
       "answered 302"},
      {R"("on": {"method": "GET"}, "do": "truncate", "times": 9)", "failed to reach the cluster"},
      {R"("on": {"method": "GET", "ends": "-s"}, "do": "say", "body": "{}")", "not one of a Kubernetes API"},
      {R"("on": {"method": "GET", "ends": "-s"}, "do": "say", "status": 404, "body": "{}")", "404 Not Found"},
      {R"("on": {"method": "PUT"}, "do": "say", "status": 422, "body": "{\"message\": \"Too long\"}")",
       "(Too long)"},
      {R"("on": {"method": "PUT"}, "do": "say", "status": 409, "times": 9)", "conflict"},
  };
  for (const Row& row : rows) {
    INFO(row.rule);
    cluster.control("{'forget': true}");
    cluster.secret("tfstate-default-s", packed("old"));
    const auto p = place_of(settings_for(cluster));
    const std::string version = (*p->get())->version;
    cluster.control("{\"faults\": [{" + row.rule + "}]}");
    const auto got = p->get();
    std::string problem = got ? "" : got.error().message;
    if (got) {
      const auto put = p->put("new", version);
      problem = put ? put->conflict ? "conflict" : "" : put.error().message;
    }
    if (row.problem.empty()) CHECK(problem == "");
    CHECK(mentions(problem, row.problem));
    CHECK(!mentions(problem, "\x1b"));
  }
}

TEST_CASE("kubernetes: workspaces whose names no secret can have, and whoever is told to stop") {
  Cluster cluster;
  const auto odd = place_of(settings_for(cluster), "My_Workspace");
  LockInfo i = info("A");
  CHECK(mentions(odd->get().error().message, "the workspace \"My_Workspace\" cannot be used here"));
  CHECK(!odd->put("x", std::nullopt));
  CHECK(!odd->try_lock(i));
  CHECK(cluster.requests().empty());
  std::atomic<bool> stop = true;
  const auto p = place_of(settings_for(cluster), "default", &stop);
  CHECK(!p->get());
  CHECK(p->get(nullptr, true));
  CHECK(!p->try_lock(i));
  CHECK(p->put("x", std::nullopt));
}

TEST_CASE("kubernetes: secrets whose members are not what they should be are written all the same") {
  Cluster cluster;
  cluster.control(
      R"({"secrets": {"tfstate-default-s": {"metadata": {"labels": "x", "annotations": ["y"]}, "data": "z"}}})");
  const auto p = place_of(settings_for(cluster));
  const auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(!put->conflict);
  CHECK((*p->get())->bytes == "one");
}

TEST_CASE("kubernetes: only parts that were seen are removed") {
  Cluster cluster;
  cluster.secret("tfstate-default-s-part-18446744073709551615", "x");
  cluster.secret("tfstate-default-s-part-20", "x");
  const auto p = place_of(settings_for(cluster));
  REQUIRE(p->get());
  REQUIRE(p->put("one", std::nullopt));
  CHECK(cluster.told()["secrets"].size() == 1);
  size_t removals = 0;
  for (const std::string& r : cluster.requests()) removals += r.starts_with("DELETE");
  CHECK(removals == 3);  // and the draft
}

TEST_CASE("kubernetes: of a workspace that cannot be, nothing is removed") {
  Cluster cluster;
  const auto gone = remove_place(std::make_shared<KubeClient>(settings_for(cluster), nullptr), "a,b!=c");
  REQUIRE(!gone);
  CHECK(mentions(gone.error().message, "cannot be used here"));
  CHECK(cluster.requests().empty());
}

TEST_CASE("kubernetes: the lock of a workspace stays while its state is removed, and while somebody has it") {
  Cluster cluster;
  const auto client = std::make_shared<KubeClient>(settings_for(cluster), nullptr);
  const auto p = make_place(client, "default"), q = make_place(client, "default");
  LockInfo mine = info("A"), theirs = info("B");
  REQUIRE(!p->try_lock(mine)->held);
  REQUIRE(p->put("one", std::nullopt));
  REQUIRE(remove_state(client, "default"));
  CHECK(cluster.told()["secrets"].empty());
  CHECK(q->try_lock(theirs)->held);
  REQUIRE(p->unlock());
  REQUIRE(!q->try_lock(theirs)->held);
  REQUIRE(remove_lock(client, "default"));
  CHECK(*q->still_held() == true);
  REQUIRE(q->unlock());
  REQUIRE(remove_lock(client, "default"));
  CHECK(cluster.told()["leases"].empty());
}

TEST_CASE("kubernetes: a write waits for a server that is away") {
  Cluster cluster;
  const auto p = place_of(settings_for(cluster));
  const auto one = p->put("one", std::nullopt);
  REQUIRE(one);
  cluster.control("{'faults': [{'on': {'method': 'PUT'}, 'times': 9, 'do': 'reset'}]}");
  CHECK(p->put("two", one->version));
  CHECK((*p->get())->bytes == "two");
}
