// The arguments of a kind of backend, as a table: its schema, and their values with what the environment says
// instead of them.
//
// Who calls it: the kinds (core/backend/NAME).  Contract: an argument that is set in the settings counts,
// then the first of its environment variables that is set and not empty, then its default; an empty string
// counts as not set. What the environment says is never recorded.  Cost: linear in the names.  Thread-safety:
// pure, but for reading the environment.
#pragma once
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/schema/schema.h"

namespace xplan::backend {

struct Argument {
  std::string_view name;
  Type (*type)() = Type::string;
  std::string_view environment = {};  // names, separated by spaces
  std::string_view otherwise = {};
  bool sensitive = false;
  std::string_view question = {};  // what it is; init asks for it where it is not set
};

// Freezes a block of these attributes, all of them optional. `blocks`: nested blocks of which there may be
// one; `objects`: attributes that are objects of such arguments.
struct NestedArguments {
  std::string_view name;
  std::span<const Argument> arguments;
  schema::Nesting nesting = schema::Nesting::Single;  // of a block: as other tools record it
};
schema::Block schema_of(std::span<const Argument> arguments,
                        std::initializer_list<NestedArguments> blocks = {},
                        std::initializer_list<NestedArguments> objects = {});

class Arguments {
 public:
  // Both outlive it. Settings that are null say nothing.
  Arguments(std::span<const Argument> table, const Value& settings) : table_(table), settings_(settings) {}
  std::string text(std::string_view name) const;  // "" where nothing says anything
  // Says which of these are not set, as an error; "": all are.
  std::string missing(std::initializer_list<std::string_view> names) const;
  // Says which of these are empty texts in the settings, as an error; "": none is. For what would be turned
  // off unnoticed where a variable of a pipeline is not set. `block`: that they are in.
  std::string empty(std::initializer_list<std::string_view> names, std::string_view block = {}) const;
  bool is_set(std::string_view name) const { return !text(name).empty(); }
  // Of a bool: an error where the environment says neither.
  Result<bool> flag(std::string_view name) const;
  // Of a number: an error where it is not a whole number.
  Result<int64_t> number(std::string_view name) const;
  std::vector<std::string> list(
      std::string_view name) const;                 // of a list or set of strings, from the settings
  const Value& value(std::string_view name) const;  // as in the settings

 private:
  const Argument& row(std::string_view name) const;
  std::span<const Argument> table_;
  const Value& settings_;
};

}  // namespace xplan::backend
