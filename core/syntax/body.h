// Body: the content of a block or file in either syntax, decoded against a schema.
//
// Who calls it: config (every block type, tfvars files), schema (provider blocks), eval and the console
// (single expressions), install (the dependency lock file).
// Why a schema is needed: in the JSON syntax only the schema tells an attribute from a block. The JSON rules:
// objects per label; arrays at any level to repeat; "//" members are skipped in any object decoded as a body;
// a null member is an argument whose value is null (a variable's "default": null is not the same as none)
// and, where a block is meant, no block; a string is a template when read as an expression; an argument given
// twice is an error. Expressions of JSON members are built when they are first decoded and then kept by the
// File, so decoding the same body again is cheap; problems inside of strings go to File::late. Cost: linear
// in the body.  Thread-safety: const functions may run concurrently.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diag/diagnostic.h"
#include "core/syntax/ast.h"

namespace xplan::syntax {

class File;
struct Block;

struct Attribute {
  Symbol name;
  Range name_range;
  Range range;  // name and value
  const Expr* expr = nullptr;
  const JsonNode* json = nullptr;  // JSON syntax: the raw value, for literal-only places
};

// One body. Native: attributes and blocks as written. JSON: one object node, or several (an array of
// objects).
struct Body {
  const File* file = nullptr;
  Range range;  // braces included
  // Native:
  std::span<const Attribute> attributes;
  std::span<const Block* const> blocks;
  // JSON:
  std::vector<const JsonNode*> objects;
  bool is_json() const { return !objects.empty(); }
  // Where a missing argument is reported: the opening brace (native), the whole object (JSON).
  Range missing_range() const { return is_json() ? range : Range{range.begin, range.begin + 1}; }
};

struct Block {
  Symbol type;
  std::vector<Symbol> labels;
  Range type_range;
  std::vector<Range> label_ranges;
  Range def_range;  // header: type and labels (JSON: the innermost key)
  Body body;
};

struct AttributeSchema {
  std::string_view name;
  bool required = false;
  bool literal =
      false;  // JSON: strings are taken as they are (description, type, default …), never as templates
};
struct BlockSchema {
  std::string_view type;
  std::vector<std::string_view> labels;  // label names, for messages ("type", "name")
};
// A type of block that the body could have, but not here; `why` is a sentence about that.
struct RefusedBlock {
  std::string_view type, why;
};
struct BodySchema {
  std::vector<AttributeSchema> attributes;
  std::vector<BlockSchema> blocks;
  std::span<const RefusedBlock> refused = {};
};

struct Content {
  std::vector<Attribute> attributes;  // in source order, names unique
  std::vector<Block> blocks;  // in source order; JSON: in the order of the schema-resolved keys in the source
  Range missing_range;        // where to report something missing
  std::vector<Symbol> meant;  // what unexpected names, which are reported, were probably meant for
  bool is_meant(std::string_view name) const;
  const Attribute* find(std::string_view name) const;
};

// Decodes all of the body: whatever the schema does not name is an error with a suggestion.
Content decode(const Body& body, const BodySchema& schema, Diagnostics& diags);
// Decodes the named part; what else there is stays for `rest` (a view: the same body with the named part
// hidden).
struct Rest {
  const Body* body = nullptr;
  std::vector<Symbol> taken_attributes, taken_blocks;
};
Content decode_partial(const Body& body, const BodySchema& schema, Rest* rest, Diagnostics& diags);
Content decode(const Rest& rest, const BodySchema& schema, Diagnostics& diags);
Content decode_partial(const Rest& rest, const BodySchema& schema, Rest* further, Diagnostics& diags);
// All as attributes (locals, tfvars, required_providers, module arguments); blocks are errors.
// `literal`: JSON strings are not templates (tfvars).
std::vector<Attribute> just_attributes(const Body& body, Diagnostics& diags, bool literal = false);
std::vector<Attribute> just_attributes(const Rest& rest, Diagnostics& diags, bool literal = false);

// One parsed file: owns the tree.
class File {
 public:
  explicit File(std::string name);
  ~File();
  std::string name;   // as users see it
  uint32_t base = 0;  // offset in the SourceTable
  bool json = false;
  Body body;
  // Arena for nodes; nodes are never freed before the File.
  Expr* new_expr();
  Block* new_block();
  Traversal* new_traversal();
  // Moves a list into the arena. For Attribute, const Block*, const Expr*, TraversalStep.
  template <class T>
  std::span<const T> keep(std::vector<T> v);
  std::unique_ptr<JsonDocument> document;  // JSON files
  // JSON files: what is wrong inside of strings that are templates. It is found when an expression is made;
  // whether it matters is known only when the expression is used, so take_late() gives it to who uses them.
  Diagnostics late;
  std::string_view text;  // in the SourceTable

  struct Arena;
  std::unique_ptr<Arena> arena;
};

// Parses a file; a file with errors still has a body with what could be understood. `text` is registered in
// `sources` under `name`.
std::unique_ptr<File> parse_native(SourceTable& sources, std::string name, std::string text,
                                   Diagnostics& diags);
std::unique_ptr<File> parse_json(SourceTable& sources, std::string name, std::string text,
                                 Diagnostics& diags);
// What was found inside of JSON strings since it was last asked.
void take_late(const File& file, Diagnostics& diags);
// By file name: *.json is JSON.
std::unique_ptr<File> parse_file(SourceTable& sources, std::string name, std::string text,
                                 Diagnostics& diags);

// A single expression or template from a string (console, -var, templatefile, templatestring). The File
// returned owns the expression `*out`. Trailing text is an error.
std::unique_ptr<File> parse_expression(SourceTable& sources, std::string name, std::string text,
                                       const Expr*& out, Diagnostics& diags);
std::unique_ptr<File> parse_template(SourceTable& sources, std::string name, std::string text,
                                     const Expr*& out, Diagnostics& diags);
// A static traversal: an address on the command line or in a JSON literal place. Null on errors.
std::unique_ptr<File> parse_traversal(SourceTable& sources, std::string name, std::string text,
                                      const Traversal*& out, Diagnostics& diags);
// For places that hold an address (depends_on, ignore_changes, provider …): the traversal of an expression,
// or null with a diagnostic. In JSON the address is the content of a plain string. A native quoted string is
// read the same way, with a warning.
const Traversal* as_traversal(const File& file, const Expr& e, Diagnostics& diags);
// For JSON places whose string holds an expression rather than a template (a variable's "type"): the
// expression in the string, with ranges inside the file. Any other expression is returned as it is. Never
// null.
const Expr* as_expression(const File& file, const Expr& e, Diagnostics& diags);
// The keyword an expression consists of (all, create, string …): a bare name, in JSON a plain string; empty
// when it is something else.
Symbol as_keyword(const Expr& e);
// A JSON attribute taken literally, without templates ("default", "description" …): the value, natural types.
Value literal_json_value(const JsonNode& node);
// Elements of a list expression written as [...]: for depends_on, ignore_changes … Empty and false when it is
// no list.
bool as_list(const Expr& e, std::vector<const Expr*>& out);

bool valid_identifier(std::string_view s);
// Escapes and unescapes a string the way the language quotes it in addresses and output: "a\"b", ${ → $${.
std::string quote(std::string_view s);

}  // namespace xplan::syntax
