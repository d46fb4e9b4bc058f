// The main function of the unit test binary, compiled once because it is slow to build.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
