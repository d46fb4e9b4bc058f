// Provider schemas as data, and what they say about values: marks, what may be set, what to propose.
//
// Who calls it: provider (makes schemas), plan (proposed values), render (diffs), planfile (trimmed copies);
// decode.h reads configuration bodies by them. Invariant: attributes and blocks are sorted by name;
// implied_type() is an object type with all of them. Cost: implied_type is computed once per block (call
// freeze() after filling).  Thread-safety: immutable after freeze.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/addr/addr.h"
#include "core/diag/diagnostic.h"
#include "core/syntax/body.h"
#include "core/value/convert.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan::schema {

enum class Nesting : uint8_t { Single, List, Set, Map, Group };
// One object, not any number of them.
constexpr bool is_one(Nesting n) {
  return n == Nesting::Single || n == Nesting::Group;
}

struct Block;
struct Attribute;
struct Object {  // nested attribute type (protocol 6)
  std::vector<Attribute> attributes;
  Nesting nesting = Nesting::Single;
  Type implied_type() const;
};
struct Attribute {
  Symbol name;
  Type type;  // for nested attributes: the implied type of `nested`
  std::shared_ptr<Object> nested;
  std::shared_ptr<const TypeConstraint>
      constraint;  // of nested attributes: what may be left out; made by freeze()
  bool required = false, optional = false, computed = false, sensitive = false, write_only = false,
       deprecated = false;
  // Attributes beside it that it is calculated from: where one of them is sensitive, it is sensitive too.
  // Only built-in providers can say that; the protocol cannot.
  std::vector<Symbol> derived_from;
  std::string description, deprecation_message;
  bool markdown = false;
};
struct NestedBlock {
  Symbol type_name;
  Nesting nesting = Nesting::List;
  std::shared_ptr<Block> block;
  int64_t min_items = 0, max_items = 0;
};
struct Block {
  std::vector<Attribute> attributes;
  std::vector<NestedBlock> blocks;
  std::string description;
  bool markdown = false, deprecated = false;
  bool computed = false;  // providers may add such blocks, to engines that take them; this one does not
  std::string deprecation_message;

  void freeze();  // sorts, computes the type; recursive
  Type implied_type() const { return type_; }
  const Attribute* find_attribute(std::string_view name) const;
  const NestedBlock* find_block(std::string_view name) const;
  // An attribute that may also be written as blocks: a list or set of objects, in a schema that only older
  // providers make (anything with nested attributes or plain objects keeps the two apart). The block's
  // arguments are the object's, all optional.
  const NestedBlock* find_attribute_block(std::string_view name) const;
  const std::vector<NestedBlock>& attribute_blocks() const { return attribute_blocks_; }
  bool has_sensitive() const { return has_sensitive_; }  // anywhere inside
  bool has_write_only() const { return has_write_only_; }
  const syntax::BodySchema& body_schema() const { return body_schema_; }
  // The same and, where there are nested blocks, "dynamic" blocks.
  const syntax::BodySchema& dynamic_body_schema() const { return dynamic_body_schema_; }

 private:
  Type type_;
  bool has_sensitive_ = false, has_write_only_ = false, structural_ = false;
  std::vector<NestedBlock> attribute_blocks_;
  syntax::BodySchema body_schema_, dynamic_body_schema_;
};

struct Schema {
  uint64_t version = 0;
  Block block;
};
struct FunctionParameter {
  std::string name;
  Type type;
  bool allow_null = false, allow_unknown = false;
  std::string description;
  bool markdown = false;
};
struct FunctionSignature {
  std::vector<FunctionParameter> params;
  std::shared_ptr<FunctionParameter> variadic;  // null: none
  Type returns;
  std::string summary, description, deprecation_message;
  bool markdown = false;
};
struct ProviderSchema {
  Schema provider;  // the provider's own configuration
  Schema provider_meta;
  std::vector<std::pair<Symbol, Schema>> managed, data, ephemeral;  // sorted by name after freeze()
  std::vector<std::pair<Symbol, FunctionSignature>> functions;
  std::vector<std::pair<Symbol, Schema>> identities;  // of managed types: version and attributes
  void freeze();
  // Like the elements of a container: no longer than the schema itself, which is why what is kept is a
  // handle.
  const Schema* find(Mode mode, Symbol type) const;
  const Schema* find_identity(Symbol managed_type) const;  // null: its objects have none
};

// Handles keep what they point to alive, whatever becomes of the provider it came from: a provider may end,
// or be asked for its schema again, while a plan that was made with it is still to be shown. A SchemaPtr owns
// the whole ProviderSchema that it is part of.
using ProviderSchemaPtr = std::shared_ptr<const ProviderSchema>;
using SchemaPtr = std::shared_ptr<const Schema>;
SchemaPtr find(const ProviderSchemaPtr& provider, Mode mode, Symbol type);  // null: no such type
// The schema of a resource type, null when it is unknown.
using Lookup = std::function<SchemaPtr(const ProviderAddr&, Mode, Symbol type)>;

// Marks the schema's sensitive attributes (deep) on a value of the implied type.
Value mark_sensitive(const Value& v, const Block& schema);
Value mark_sensitive(const Value& v, const Schema* schema);  // null: as it is
std::vector<PathMarks> sensitive_paths(const Value& v, const Block& schema);
// Whether the path leads to a write-only attribute, or into one.
bool is_write_only(const Block& schema, const Path& path);
// The value with every write-only attribute null.
Value strip_write_only(const Value& v, const Block& schema);
// The value with every attribute null that a configuration cannot set.
Value strip_computed(const Value& v, const Block& schema);
// What a provider is asked to plan: configuration values, with the prior value wherever a computed attribute
// is not set in the configuration. `prior` null: creation (computed attributes stay null).
Value proposed_new(const Block& schema, const Value& prior, const Value& config);
// An object with computed attributes unknown where the configuration has null (deferred data reads).
Value planned_unknown(const Block& schema, const Value& config);

}  // namespace xplan::schema
