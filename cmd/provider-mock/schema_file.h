// The mock's schema file: declarations and behaviour from JSON.
//
// Who calls it: main.cc. The form is described in testdata/providers/README.md: the one of `providers schema
// -json`, with a "behaviour" beside each attribute, block and type. Contract: every problem of the file is a
// sentence in `errors`; what was read is usable only when there are none. The document is kept, because
// scripts refer to it.  Cost: once, at start.  Thread-safety: immutable afterwards.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cmd/provider-mock/script.h"
#include "core/provider/kit/resource.h"

namespace xplan::mock {

// What the mock computes for a field, by its place in the schema (names only).
struct Computation {
  const JsonNode* value = nullptr;  // instead of one made up
  std::string copy_of;              // the value of another attribute of the same object
  bool at_plan = false;             // known when planned
  bool block_computed = false;      // blocks that the configuration leaves out come from the provider
  int64_t count = 1;                // so many of them at creation
};
using SchemaPath = std::vector<Symbol>;
struct TypeBehaviour {
  std::map<std::string, Scripts> calls;  // by the call's name: "plan", "apply", …
  std::map<std::vector<std::string>, Computation> fields;
  std::string id = "id";
};
struct MockType {
  kit::Schema schema;
  kit::Identity identity;  // of managed types
  TypeBehaviour behaviour;
};
struct MockFunction {
  schema::FunctionSignature signature;
  const JsonNode* result = nullptr;  // none: the first argument
  std::string error;
  int64_t argument = -1;
};
struct SchemaFile {
  std::unique_ptr<JsonDocument> document;
  kit::Schema provider, provider_meta;
  TypeBehaviour behaviour;  // of the provider's own calls
  std::map<std::string, MockType> managed, data, ephemeral;
  std::map<std::string, MockFunction> functions;
  bool plan_destroy = true, generate_config = false;
};

SchemaFile read_schema_file(std::string text, std::vector<std::string>& errors);

// Whether the member is there and true.
bool flag(const JsonNode& n, std::string_view key);

}  // namespace xplan::mock
