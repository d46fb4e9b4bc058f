// Decoding of the blocks of a module: what the decode_*.cc files share. Internal to config.
//
// Who calls it: module_files.cc, which sorts the blocks of a directory into layers, one per declared thing.
// Contract: Layers::blocks[0] declares a thing; the others are from override files, in the order in which
// they apply. A decoder merges the layers first and interprets the result once, so that every rule is written
// once and holds for both. Decoded parts point into blocks that Module::keep owns. Cost: linear in the
// blocks.  Thread-safety: one thread per Decode.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/config/config.h"
#include "core/config/version.h"

namespace xplan::config {

struct Layers {
  std::vector<const syntax::Block*> blocks;
  const syntax::Block& base() const { return *blocks[0]; }
};

// A body made of several layers. Bodies for providers can be merged only when the provider's schema is known,
// if one of the layers is JSON: nothing else tells an argument from a block there.
struct LayeredBody {
  bool of_provider = false;  // index into Module::providers, otherwise Module::resources
  uint32_t index = 0;
  std::vector<syntax::Rest> layers;
  bool escaped = false;  // the last one is a block "_"
};

struct Decode {
  Module& module;
  SourceTable& sources;
  Diagnostics& diags;
  std::vector<LayeredBody>& layered;
};

// They are searched one by one. True: there are as many as a module may have; an error says so once.
inline constexpr size_t kMostProviders = 10'000;
bool too_many_providers(Decode& d, size_t number, std::string_view what, Range range);

// One function per kind of block. `duplicate` checks are the caller's, except where a name is inside the
// block.
void decode_terraform(Decode& d, const syntax::Block& block, bool from_override);
void decode_language(Decode& d, const syntax::Block& block);
// A version constraint without pre-releases; nothing after an error.
std::optional<VersionConstraints> version_of_language(Decode& d, const syntax::Attribute& a);
// Once all terraform blocks are decoded: an override file may have replaced the constraints.
void check_required_versions(Decode& d);
void decode_provider(Decode& d, const Layers& layers);
bool add_provider(Decode& d, ProviderConfig p);  // false after an error: there is one of that name and alias
void decode_variable(Decode& d, const Layers& layers);
void decode_output(Decode& d, const Layers& layers);
void decode_locals(Decode& d, const syntax::Block& block, bool from_override);
void decode_resource(Decode& d, const Layers& layers, Mode mode);
// Data inside a check block; its index, or nothing after a duplicate.
std::optional<uint32_t> decode_scoped_data(Decode& d, const syntax::Block& block, Symbol check);
void decode_module_call(Decode& d, const Layers& layers);
void decode_moved(Decode& d, const syntax::Block& block);
void decode_removed(Decode& d, const syntax::Block& block);
void decode_import(Decode& d, const syntax::Block& block);
void decode_check(Decode& d, const syntax::Block& block);

// decode_util.cc
// ------------------------------------------------------------------------------------------------

std::string place(const SourceTable& sources, Range r);  // "main.tf:3:1"
// "" or " Did you mean "x"?" with a space before it.
std::string suggestion(std::string_view given, const std::vector<std::string_view>& candidates);

// Moves a list of blocks to a place that stays.
const syntax::Content& keep(Module& m, syntax::Content c);
// Arguments of `over` replace those of the same name, and count and for_each each other; blocks of a type in
// `over` replace all of that type.
void merge_content(syntax::Content& base, syntax::Content&& over);
// Decodes all layers and merges them; what the schema does not name goes to `rests` (one per layer), or is an
// error when that is null.
syntax::Content decode_layers(Decode& d, const Layers& layers, const syntax::BodySchema& schema,
                              std::vector<syntax::Rest>* rests);
// What only the declaring file may say: reports depends_on of an override file, and whatever `also` reports
// of its blocks.
void check_overrides(Decode& d, const Layers& layers, const syntax::BodySchema& schema,
                     const std::function<void(const syntax::Block&)>& also = {});
// One body out of several; without a schema only native layers can be merged (the first layer alone
// otherwise). `complete_base`: what is required must be in the first layer.
syntax::Rest merge_bodies(Module& m, const std::vector<syntax::Rest>& layers,
                          const syntax::BodySchema* schema, Diagnostics& diags, bool complete_base = false);

void missing_argument(Decode& d, std::string_view name, std::string_view what, Range where);
// Nothing where a misspelt name was reported that is probably meant for it.
void missing_argument(Decode& d, std::string_view name, std::string_view what,
                      const syntax::Content& content);
bool check_name(Decode& d, Symbol name, Range where, std::string_view what);  // false after an error
// Constants. Empty after an error (reported) or when the argument is absent (null pointer).
std::optional<bool> constant_bool(Decode& d, const syntax::Attribute* a);
std::optional<std::string> constant_string(Decode& d, const syntax::Attribute* a);
// A text that is literal in JSON (description).
std::optional<std::string> literal_string(Decode& d, const syntax::Attribute* a);
// A keyword, bare or quoted (a warning in the native syntax).
Symbol keyword(Decode& d, const syntax::Attribute& a);
// The file of the module that a range lies in.
const syntax::File& file_at(const Module& m, Range r);
// A static address, bare, as a JSON string, or "${…}" in JSON. Null after an error.
const syntax::Traversal* address(Decode& d, const syntax::Expr& e, bool quotes_allowed = true);
// A list of addresses (depends_on).
std::vector<const syntax::Traversal*> addresses(Decode& d, const syntax::Attribute& a);
// An expression that a JSON file may give as plain text ("a.b[each.key]"). Never null.
const syntax::Expr* expression(Decode& d, const syntax::Expr& e);
// Local names of providers are lower-case letters, digits and dashes; false after an error.
bool check_provider_name(Decode& d, Symbol name, Range where);
// aws or aws.west.
std::optional<ProviderRef> provider_ref(Decode& d, const syntax::Expr& e, std::string_view argument);
std::optional<CheckRule> check_rule(Decode& d, const syntax::Block& block);
// "enabled" of a lifecycle block, unless there are other arguments that say which instances there are.
const syntax::Expr* decode_enabled(Decode& d, const syntax::Content& lifecycle,
                                   const RepetitionArguments& others);
std::vector<CheckRule> check_rules(Decode& d, const syntax::Content& c, std::string_view type);
// Names that cannot be used yet: reports those blocks or arguments.
void reserved_blocks(Decode& d, const syntax::Content& c, std::initializer_list<std::string_view> names,
                     std::string_view where);
// At most one block of the type: reports the others.
const syntax::Block* single_block(Decode& d, const syntax::Content& c, std::string_view type,
                                  std::string_view where);
Provisioner decode_provisioner(Decode& d, const syntax::Block& block);
// Gives each provisioner its connection, once they and the one they share are decoded.
void connect_provisioners(Decode& d, std::vector<Provisioner>& list,
                          const std::optional<syntax::Rest>& common);

// endpoint.cc
// ---------------------------------------------------------------------------------------------------

// An address of moved, removed and import blocks.
std::optional<EndPoint> parse_endpoint(const syntax::Traversal& t, Diagnostics& diags);

}  // namespace xplan::config
