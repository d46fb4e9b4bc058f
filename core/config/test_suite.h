// The test files of a configuration, decoded: what there is to run, with what, and what is to hold.
//
// Who makes it: test_files.cc.  Who reads it: core/test, which runs it; cmd and install, for its modules.
// Invariant: expressions point into the files that TestFile::module owns; their references are not bound,
// since what they mean depends on the run. Cost: plain data.  Thread-safety: immutable once made.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

enum class OverrideKind : uint8_t { Resource, Data, Module };
// The result is known when planning, or only after applying.
enum class MadeUp : uint8_t { Apply, Plan };

struct TestOverride {
  OverrideKind kind = OverrideKind::Resource;
  EndPoint target;
  const Expr* result = nullptr;  // a constant object; null: nothing is given
  MadeUp known = MadeUp::Apply;
  Range range;
};
struct MockedType {
  Mode mode = Mode::Managed;
  Symbol type;
  const Expr* defaults = nullptr;  // constant
  MadeUp known = MadeUp::Apply;
};
struct MockedProvider {
  Symbol local_name, alias;
  MadeUp known = MadeUp::Apply;  // of types that are not listed
  std::vector<MockedType> types;
  std::vector<TestOverride> overrides;
};

struct TestRunBlock {
  Symbol name;
  Range range;            // header
  bool plan = false;      // else apply
  bool parallel = false;  // beside others that are, unless it needs something of theirs
  bool refresh_only = false, refresh = true;
  std::vector<EndPoint> targets, replace;
  std::vector<syntax::Attribute> variables;
  std::optional<TestModule> module;  // that it runs instead of the root module
  Range module_range;
  std::string source;                                        // of that module, as written
  std::optional<std::vector<ModuleCall::Passed>> providers;  // by the argument
  std::vector<CheckRule> asserts;
  std::vector<const syntax::Traversal*> expect_failures;
  std::string state_key;
  std::vector<TestOverride> overrides;
};

struct TestFile {
  std::string path;
  bool in_test_dir = false;                                     // else beside the configuration
  std::unique_ptr<Module> module = std::make_unique<Module>();  // its files and provider configurations
  std::vector<syntax::Attribute> variables;
  std::vector<MockedProvider> mocks;
  std::vector<TestOverride> overrides;
  std::vector<TestRunBlock> runs;
};

struct TestSuite {
  std::vector<TestFile> files;      // in the order in which they run
  std::vector<TestModule> modules;  // that runs take; each directory once
};

}  // namespace xplan::config
