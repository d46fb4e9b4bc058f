// tests/servers/s3.py for unit tests: a process of its own, which ends with the test.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/spawn.h"
#include "core/net/client.h"

namespace xplan::test {

class S3TestServer {
 public:
  explicit S3TestServer(std::vector<std::string> options = {}) {
    Pipe out;
    if (!in_.open() || !out.open()) std::abort();
    SpawnRequest r;
    r.arguments = {"python3", TESTDATA "/../tests/servers/s3.py"};
    r.arguments.insert(r.arguments.end(), options.begin(), options.end());
    r.environment = environment_with({});
    r.in = in_.read, r.out = out.write;
    const Result<pid_t> child = spawn(r);
    if (!child) std::abort();
    child_ = *child;
    out.close_write(), in_.close_read();
    for (char c; ::read(out.read, &c, 1) == 1 && c != '\n';) url += c;
  }
  ~S3TestServer() {
    in_.close_write();
    reap(child_, Rest::Killed);
  }
  S3TestServer(const S3TestServer&) = delete;
  S3TestServer& operator=(const S3TestServer&) = delete;

  // As the server's own text describes; all quotes may be single ones.
  nlohmann::json control(std::string order) { return ask("POST", std::move(order)); }
  nlohmann::json log() { return ask("GET", "")["log"]; }
  // "PUT /tfb/x 200" of each request to this service, since the log was forgotten.
  std::vector<std::string> asked(const std::string& service = "s3") {
    std::vector<std::string> out;
    for (const auto& e : log())
      if (e["service"] == service) {
        const std::string action = e["action"].get<std::string>();
        out.push_back(
            (action.empty() ? e["method"].get<std::string>() + " " + e["path"].get<std::string>() : action) +
            " " + std::to_string(e["status"].get<int>()));
      }
    return out;
  }
  std::string url;

 private:
  nlohmann::json ask(const char* method, std::string order) {
    if (order.find('"') == order.npos)
      for (char& c : order)
        if (c == '\'') c = '"';
    net::Request r;
    r.method = method, r.url = url + "/_control";
    if (!order.empty()) r.body = order;
    const Result<net::Answer> a = client_.send(r);
    if (!a) std::abort();
    return nlohmann::json::parse(a->body);
  }
  Pipe in_;
  pid_t child_ = -1;
  net::Client client_;
};

// Sets variables for as long as it lives, and clears all that begin with AWS_ and those of proxies.
class Environment {
 public:
  explicit Environment(std::initializer_list<std::pair<const char*, std::string>> set) {
    for (char** e = environ; *e; ++e) {
      const std::string name = std::string(*e).substr(0, std::string(*e).find('='));
      if (name.starts_with("AWS_") || name.ends_with("_PROXY") || name.ends_with("_proxy"))
        clear_.push_back(name);
    }
    for (const std::string& name : clear_) ::unsetenv(name.c_str());
    for (const auto& [name, value] : set) {
      const char* old = std::getenv(name);
      old_.emplace_back(name, old ? old : "");
      ::setenv(name, value.c_str(), 1);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : old_)
      value.empty() ? ::unsetenv(name) : ::setenv(name, value.c_str(), 1);
  }

 private:
  std::vector<std::string> clear_;
  std::vector<std::pair<const char*, std::string>> old_;
};

}  // namespace xplan::test
