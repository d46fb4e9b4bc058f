// A server of tests/servers for unit tests: a process of its own, which ends with the test.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/spawn.h"
#include "core/net/client.h"

namespace xplan::test {

class ServerProgram {
 public:
  explicit ServerProgram(const char* script, std::vector<std::string> options = {}) {
    Pipe out;
    if (!in_.open() || !out.open()) std::abort();
    SpawnRequest r;
    r.arguments = {"python3", std::string(TESTDATA "/../tests/servers/") + script};
    r.arguments.insert(r.arguments.end(), options.begin(), options.end());
    r.environment = environment_with({});
    r.in = in_.read, r.out = out.write;
    const Result<pid_t> child = spawn(r);
    if (!child) std::abort();
    child_ = *child;
    out.close_write(), in_.close_read();
    std::string line;
    for (char c; ::read(out.read, &c, 1) == 1 && c != '\n';) line += c;
    url = line.substr(0, line.find(' '));
    if (url.size() < line.size()) more = line.substr(url.size() + 1);
  }
  ~ServerProgram() {
    in_.close_write();
    reap(child_, Rest::Killed);
  }
  ServerProgram(const ServerProgram&) = delete;
  ServerProgram& operator=(const ServerProgram&) = delete;

  // As the server's own text describes; all quotes may be single ones.
  nlohmann::json control(std::string order) { return ask("POST", std::move(order)); }
  nlohmann::json told() { return ask("GET", ""); }
  nlohmann::json log() { return told()["log"]; }
  // "PUT /v1/txn 200" of each request, since the log was forgotten.
  std::vector<std::string> requests() {
    std::vector<std::string> out;
    for (const auto& e : log())
      out.push_back(e["method"].get<std::string>() + " " + e["path"].get<std::string>() + " " +
                    std::to_string(e["status"].get<int>()));
    return out;
  }
  // "PUT /tfb/x 200" of each request to this service, since the log was forgotten.
  std::vector<std::string> asked(const std::string& service) {
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
  std::string url, more;  // more: what else it says of itself

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

}  // namespace xplan::test
