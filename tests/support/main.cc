// The main function of the unit test binary, compiled once because it is slow to build. A name that no test
// has is a failure: ctest asks for each test by its name, and what runs nothing must not pass.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

int main(int argc, char** argv) {
  Catch::Session session;
  auto& warnings = session.configData().warnings;
  warnings = static_cast<Catch::WarnAbout::What>(warnings | Catch::WarnAbout::NoTests);
  return session.run(argc, argv);
}
