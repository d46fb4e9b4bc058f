// Results of tests as a JUnit report: a suite for each test file, a test case for each run block.
//
// Who calls it: cmd (test -junit-xml).  Contract: names, counts and messages are those that the reference
// tools write; well-formed XML 1.0 whatever names and messages contain. No sensitive values, since messages
// have none. Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <vector>

#include "core/test/test.h"

namespace xplan::render {

std::string junit_of_tests(const std::vector<test::FileResult>& files, const SourceTable& sources);

}  // namespace xplan::render
