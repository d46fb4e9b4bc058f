// Servers of tests that are programs of their own: scripts/servers starts them, if they are installed.
#pragma once
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace xplan::test {

// What the environment says about the server, or the one that runs or is started here says; empty: it is not
// installed.
inline std::string server(const std::string& name, const std::string& variable) {
  if (const char* set = std::getenv(variable.c_str()); set && *set) return set;
  std::string out;
  if (std::FILE* p = ::popen((TESTDATA "/../scripts/servers start " + name).c_str(), "r")) {
    char buffer[4096];
    while (const size_t n = std::fread(buffer, 1, sizeof buffer, p)) out.append(buffer, n);
    ::pclose(p);
  }
  const size_t at = ("\n" + out).find("\n" + variable + "=");
  if (at == std::string::npos) {
    WARN("skipped: the server \"" << name << "\" is not installed");
    return {};
  }
  const size_t value = at + variable.size() + 1;
  return out.substr(value, out.find('\n', value) - value);
}

}  // namespace xplan::test
