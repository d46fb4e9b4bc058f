// What the log writes at each level, and its JSON form.
#include "core/base/log.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

using namespace xplan;

namespace {

struct Logged {
  std::string problems, text;
};
// What the lines of every level leave in the file with these variables set.
Logged logged(std::map<std::string, std::string> environment) {
  char path[] = "/tmp/log-XXXXXX";
  close(mkstemp(path));
  environment["TF_LOG_PATH"] = path;
  Logged out;
  out.problems = log_start([&](const char* name) -> const char* {
    auto it = environment.find(name);
    return it == environment.end() ? nullptr : it->second.c_str();
  });
  log_line(LogLevel::Trace, "core", "t");
  log_line(LogLevel::Warn, "core", "w\nx");
  log_line(LogLevel::Debug, "provider.thing", "d");
  log_line(LogLevel::Debug, "cloud", "GET x");
  log_start([](const char*) -> const char* { return nullptr; });
  std::stringstream all;
  all << std::ifstream(path).rdbuf();
  std::remove(path);
  // Times away: what stands before the level's bracket.
  std::string line;
  while (std::getline(all, line)) out.text += line.substr(line[0] == '{' ? 0 : line.find('[')) + "\n";
  return out;
}

}  // namespace

TEST_CASE("log: a directory that does not exist is not made") {
  char path[] = "/tmp/log-XXXXXX";
  REQUIRE(mkdtemp(path));
  const std::string dir = std::string(path) + "/none", file = dir + "/log";
  const std::string problems = log_start([&](const char* name) -> const char* {
    if (std::string_view(name) == "TF_LOG_PATH") return file.c_str();
    return std::string_view(name) == "TF_LOG" ? "ERROR" : nullptr;
  });
  CHECK(problems ==
        "[WARN] The log file \"" + file + "\" (TF_LOG_PATH) cannot be opened; the log goes to stderr.\n");
  CHECK(access(dir.c_str(), F_OK) != 0);
  log_start([](const char*) -> const char* { return nullptr; });
  rmdir(path);
}

TEST_CASE("log: levels") {
  struct Row {
    std::string_view situation;
    std::map<std::string, std::string> environment;
    std::string text;
  };
  const Row rows[] = {
      {"off", {}, ""},
      {"everything",
       {{"TF_LOG", "trace"}},
       "[TRACE] t\n[WARN]  w\n[WARN]  x\n[DEBUG] provider.thing: d\n[DEBUG] cloud: GET x\n"},
      {"warnings", {{"TF_LOG", "WARN"}}, "[WARN]  w\n[WARN]  x\n"},
      {"providers only", {{"TF_LOG_PROVIDER", "DEBUG"}}, "[DEBUG] provider.thing: d\n"},
      {"not the core",
       {{"TF_LOG", "TRACE"}, {"TF_LOG_CORE", "OFF"}},
       "[DEBUG] provider.thing: d\n[DEBUG] cloud: GET x\n"},
      {"requests to servers only", {{"TF_LOG_CLOUD", "DEBUG"}}, "[DEBUG] cloud: GET x\n"},
      {"not requests to servers",
       {{"TF_LOG", "DEBUG"}, {"XPLAN_LOG_CLOUD", "INFO"}, {"TF_LOG_CORE", "OFF"}},
       "[DEBUG] provider.thing: d\n"},
      {"our own name goes first", {{"TF_LOG", "TRACE"}, {"XPLAN_LOG", "ERROR"}}, ""},
  };
  for (const Row& r : rows) {
    INFO(r.situation);
    Logged l = logged(r.environment);
    CHECK(l.text == r.text);
    CHECK(l.problems.empty());
  }
}

TEST_CASE("log: JSON lines, and a level that is none") {
  Logged json = logged({{"TF_LOG", "JSON"}});
  CHECK(json.text.find(
            "{\"@level\":\"debug\",\"@message\":\"d\",\"@module\":\"provider.thing\",\"@timestamp\":\"2") !=
        std::string::npos);
  Logged wrong = logged({{"TF_LOG", "loud"}});
  CHECK(wrong.problems.find("[WARN]") == 0);
  CHECK(wrong.text.find("[TRACE] t") == 0);
}
