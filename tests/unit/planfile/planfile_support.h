// What the tests of plan files share: a plan with something of everything, its schema, and comparisons.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "core/provider/provider.h"
#include "planfile/planfile.h"
#include "tests/support/folder.h"

namespace xplan::planfile_test {

std::string temp_path(const std::string& name);
void spit(const std::string& path, std::string_view text);

// The type mock_thing, and the built-in ones.
schema::SchemaPtr lookup(const ProviderAddr& p, Mode mode, Symbol type);
// An object of mock_thing; an empty id is unknown.
Value rich(std::string_view id, Value any, Value n);
ResourceChange change(std::string_view addr, Action action, Value before, Value after);
Plan rich_plan();
planfile::ConfigSnapshot snapshot();

void check_plan(const Plan& a, const Plan& b);
std::string written(const std::string& name);  // the path of rich_plan()
// An error is one sentence that names the file and says what to do.
void check_error(const Result<planfile::Opened>& r, const std::string& path);

}  // namespace xplan::planfile_test
