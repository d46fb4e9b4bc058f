// What needs no server: words of commands there, paths of scripts, the order of an agent's keys. The rest is
// tested with a real one (tests/golden/ssh.py).
#include <catch2/catch.hpp>

#include "core/remote/agent.h"
#include "core/remote/script.h"
#include "core/remote/session.h"
#include "core/remote/upload.h"

using namespace xplan::remote;

namespace {

std::string field(const std::string& s) {
  return std::string(3, '\0') + static_cast<char>(s.size()) + s;
}
std::string keys(const std::vector<std::pair<std::string, std::string>>& list) {
  std::string out = "\x0c" + std::string(3, '\0') + static_cast<char>(list.size());
  for (const auto& [blob, comment] : list) out += field(blob) + field(comment);
  return out;
}

}  // namespace

TEST_CASE("remote: paths are single words of a command") {
  CHECK(remote_word("/a b", false) == "'/a b'");
  CHECK(remote_word("it's $x", false) == "'it'\\''s $x'");
  CHECK(remote_word("-r", false) == "'./-r'");
  CHECK(remote_word("C:/a b", true) == "\"C:/a b\"");
  CHECK(without_home("~/a") == "a");
  CHECK(without_home("~") == ".");
  CHECK(without_home("~//a") == "a");
  CHECK(without_home("/a/~/b") == "/a/~/b");
}

TEST_CASE("remote: paths of scripts are their own") {
  const std::string one = script_path("/tmp/%RAND%-%RAND%"), other = script_path("/tmp/%RAND%-%RAND%");
  CHECK(one != other);
  CHECK(one.find('%') == one.npos);
  CHECK(script_path("/tmp/x") == "/tmp/x");
}

TEST_CASE("remote: what servers say is one short line") {
  CHECK(one_line("a\r\nb\x1b[31m") == "a  b [31m");
  CHECK(one_line(std::string(5000, 'x')).size() < 410);
}

TEST_CASE("remote: the preferred key of an agent comes first") {
  const std::string all = keys({{"k1", "one"}, {"k2", "two"}, {"k3", "three"}});
  CHECK(in_order(all, "two", "") == keys({{"k2", "two"}, {"k1", "one"}, {"k3", "three"}}));
  CHECK(in_order(all, "", "k3") == keys({{"k3", "three"}, {"k1", "one"}, {"k2", "two"}}));
  CHECK(in_order(all, "none", "none") == all);
  for (size_t n = 0; n < all.size(); ++n) CHECK(in_order(all.substr(0, n), "two", "") == all.substr(0, n));
  CHECK(in_order("\x0c\xff\xff\xff\xff", "two", "") == "\x0c\xff\xff\xff\xff");
}
