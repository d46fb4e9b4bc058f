// The configuration model: what the files of a module declare, decoded and validated, and the tree of
// modules.
//
// Who calls it: load() by cmd; plan, apply and render/json_config read the result.
// Invariant: a Module is one source directory, loaded and validated once however many calls lead to it; a
// Node is one module path. Names are unique per kind; each vector keeps source order (files by name, then
// position), and every reference in every expression of a Module is parsed once: Traversal::bound-1 indexes
// Module::references. Cost: linear in the files.  Thread-safety: immutable after load().
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/addr/addr.h"
#include "core/base/fs.h"
#include "core/diag/diagnostic.h"
#include "core/schema/schema.h"
#include "core/syntax/body.h"
#include "core/value/convert.h"

namespace xplan::config {

using syntax::Expr;

enum class RefKind : uint8_t {
  Variable,  // index into Module::variables
  Local,     // index into Module::locals
  Resource,  // index into Module::resources (any mode); data. and ephemeral. and resource. prefixes resolved
  ModuleCall,  // index into Module::calls
  CountIndex,
  EachKey,
  EachValue,
  Self,
  PathModule,
  PathRoot,
  PathCwd,
  Workspace,  // terraform.workspace
  Applying,   // terraform.applying
  Given,      // of a test; index: GivenName
  Invalid,    // already reported; evaluates to unknown
};
struct Reference {
  RefKind kind = RefKind::Invalid;
  uint32_t index = 0;
  // How many of the traversal's steps the subject takes; the others apply to the subject's value. For
  // resources: up to and including the name (the instance key, if any, is the next step).
  uint32_t consumed = 0;
  const syntax::Traversal* traversal = nullptr;
  // Resource: static instance key when the next step is a literal index. ModuleCall: likewise, and the output
  // name.
  InstanceKey key;
  bool has_key = false;
  Symbol output;  // ModuleCall: the output named, empty when the whole call is meant
};

struct CheckRule {  // precondition, postcondition, validation, assert
  const Expr* condition = nullptr;
  const Expr* error_message = nullptr;
  Range range;        // the block header
  std::string place;  // validation: likewise as text, for messages about a value that it refuses
};
struct Variable {
  Symbol name;
  Range range;  // declaration header
  std::string description;
  bool has_description = false;
  TypeConstraint type;  // dynamic when none
  bool has_type = false;
  Value default_value;  // converted to type, defaults applied
  bool has_default = false;
  bool sensitive = false, ephemeral = false, nullable = true;
  bool has_sensitive = false, has_ephemeral = false;
  std::string deprecated;  // what callers are told who set it; empty: it is not deprecated
  std::optional<bool>
      constant;  // whether it must be known before anything is planned, or must not count as such
  std::vector<CheckRule> validations;
  bool required() const { return !has_default; }
};
struct Local {
  Symbol name;
  Range range;
  const Expr* expr = nullptr;
};
struct Output {
  Symbol name;
  Range range;
  std::string description;
  bool has_description = false;
  const Expr* expr = nullptr;
  std::optional<TypeConstraint> type;  // what the value is converted to
  std::string deprecated;              // what callers are told who read it; empty: it is not deprecated
  bool sensitive = false, ephemeral = false;
  std::vector<const syntax::Traversal*> depends_on;
  std::vector<CheckRule> preconditions;
};
struct ProviderRef {  // provider = aws.west, aws.by_region[each.key]
  Symbol local_name, alias;
  Range range;
  const Expr* key = nullptr;  // which instance of a configuration with for_each; null: see fixed_key
  InstanceKey fixed_key = {};
  bool has_key() const { return key || !fixed_key.none(); }
};
struct Provisioner {
  Symbol type;  // local-exec, …
  bool on_destroy = false;
  bool continue_on_failure = false;
  syntax::Rest body;                             // type-specific arguments, see provisioner_schema()
  std::optional<syntax::Rest> connection;        // its own
  std::optional<syntax::Rest> whole_connection;  // with the arguments of the resource's that it does not set
  Range range;
};
// What says which instances a block has; at most one is set.
struct RepetitionArguments {
  const Expr *count = nullptr, *for_each = nullptr;
  const Expr* enabled = nullptr;  // one without a key, or none
  Range block = {};
};
enum class IgnoreKind : uint8_t { None, Some, All };
struct Resource {
  xplan::Resource addr;
  Range range;  // header
  const Expr* count = nullptr;
  const Expr* for_each = nullptr;
  const Expr* enabled = nullptr;  // of lifecycle
  RepetitionArguments repetition() const { return {count, for_each, enabled, range}; }
  std::vector<const syntax::Traversal*> depends_on;
  std::optional<ProviderRef> provider_ref;
  ProviderAddr provider;  // resolved through required_providers
  syntax::Rest body;      // arguments for the provider's schema
  const syntax::Block* block = nullptr;
  // lifecycle
  bool create_before_destroy = false, has_create_before_destroy = false;
  bool destroy = true;  // false: what ends is forgotten instead
  bool prevent_destroy = false;
  const Expr* prevent_destroy_expr = nullptr;  // where it is not constant
  Range prevent_destroy_range;
  IgnoreKind ignore = IgnoreKind::None;
  std::vector<std::pair<Path, Range>> ignore_changes;
  std::vector<const Expr*> replace_triggered_by;
  std::vector<CheckRule> preconditions, postconditions;
  std::vector<Provisioner> provisioners;
  std::optional<syntax::Rest> connection;  // for all provisioners, see connection_schema()
  Symbol check_scope;                      // data inside a check block: the check's name
  // Every traversal of the block (arguments, count, for_each, conditions; not replace_triggered_by, not
  // provisioners of destroy time), filled once schemas are known. depends_on is separate.
  std::vector<const syntax::Traversal*> references;
  uint32_t arguments_begin = 0, arguments_end = 0;  // which of `references` are the arguments'
  schema::SchemaPtr schema;  // null: the provider is unknown or lacks the type (reported)
  syntax::Content content;   // of the body by its schema
};
// Where the module of a call comes from.
struct ModuleFrom {
  std::string source, version;
};
struct ModuleCall {
  Symbol name;
  Range range;
  std::string source;  // as far as they are constant; see Node::from
  Range source_range;
  std::string version;
  const Expr *source_expr = nullptr, *version_expr = nullptr;  // what is not, see early.h
  bool unusable = false;  // its source or version is wrong, which is reported: nobody looks for the module
  const Expr* count = nullptr;
  const Expr* for_each = nullptr;
  const Expr* enabled = nullptr;  // of lifecycle
  RepetitionArguments repetition() const { return {count, for_each, enabled, range}; }
  std::vector<const syntax::Traversal*> depends_on;
  struct Passed {
    ProviderRef child, parent;
  };
  std::vector<Passed> providers;
  bool has_providers = false;
  std::vector<syntax::Attribute> arguments;  // input variables
};
struct ProviderConfig {
  Symbol local_name, alias;
  ProviderAddr provider;
  Range range;
  syntax::Rest body;
  std::string version_constraint;
  const syntax::Block* block = nullptr;
  const Expr* for_each = nullptr;  // see Node::provider_instances
  bool used = false;               // some resource uses it; what nobody uses is not looked into
  bool of_test = false;            // its references see what the test sees
  bool mocked = false;             // nothing is configured
  schema::SchemaPtr schema;        // of the provider's own configuration; null: unknown
  std::vector<const syntax::Traversal*> references;  // of the body, filled once schemas are known
};
struct RequiredProvider {
  Symbol local_name;
  ProviderAddr provider;
  std::string version_constraint;
  std::vector<Symbol> configuration_aliases;
  Range range;
};
// An address in moved/removed/import blocks, relative to the module it is written in. Keys may be present.
struct EndPoint {
  std::vector<std::pair<Symbol, InstanceKey>> module_steps;
  std::vector<bool> module_step_has_key;
  std::optional<xplan::Resource> resource;  // empty: a module
  InstanceKey key;
  bool has_key = false;
  Range range;
  std::string text() const;
  xplan::Module module(xplan::Module of = {}) const;  // without keys; as written in that module
};
struct Moved {
  EndPoint from, to;
  Range range;
};
struct Removed {
  EndPoint from;
  bool destroy = true;
  bool says_destroy = false;              // rather than nothing
  std::vector<Provisioner> provisioners;  // of destroy time
  std::optional<syntax::Rest> connection;
  Range range;
};
struct Import {
  const Expr* to = nullptr;      // static address, or with an index expression when for_each is set
  EndPoint to_static;            // module and resource; key when it is literal
  const Expr* to_key = nullptr;  // dynamic index of the resource
  std::vector<const Expr*>
      module_keys;           // parallel to to_static.module_steps: dynamic index, null when literal or none
  const Expr* id = nullptr;  // exactly one of id and identity
  const Expr* identity = nullptr;
  const Expr* for_each = nullptr;
  std::optional<ProviderRef> provider_ref;
  Range range;
};
struct Check {
  Symbol name;
  Range range;
  std::optional<uint32_t> data;  // index into Module::resources
  std::vector<CheckRule> asserts;
};
struct Backend {
  Symbol type;  // of a cloud block: "cloud"
  bool cloud = false;
  syntax::Rest body;
  Range range;
};
struct ProviderMeta {  // what a module tells a provider about itself
  Symbol local_name;
  syntax::Rest body;
  Range range;
};

struct Module {
  std::string dir;  // as in path.module: relative to the working directory, "." for it
  std::vector<std::unique_ptr<syntax::File>> files;
  bool syntax_errors = false;  // a file could not be parsed, so declarations may be missing
  std::vector<Variable> variables;
  std::vector<Local> locals;
  std::vector<Output> outputs;
  std::vector<Resource> resources;  // managed, data and ephemeral
  std::vector<ModuleCall> calls;
  std::vector<ProviderConfig> providers;
  std::vector<RequiredProvider> required_providers;
  std::vector<Moved> moved;
  std::vector<Removed> removed;
  std::vector<Import> imports;
  std::vector<Check> checks;
  std::optional<Backend> backend;
  std::optional<Range> encryption;  // header of the first block; see core/crypt
  std::vector<ProviderMeta> provider_metas;
  Diagnostics late;                // problems of what only a run uses; init goes on with them
  Range required_providers_range;  // header of the block, invalid when there is none
  std::vector<std::pair<std::string, Range>> required_versions;
  std::vector<Reference> references;  // see Traversal::bound
  // Storage that decoded blocks point into (Block, Rest bodies).
  std::vector<std::shared_ptr<void>> keep;

  const Reference& reference(const syntax::Traversal& t) const { return references[t.bound - 1]; }
  int find_variable(Symbol) const;  // index or -1; hashed
  int find_local(Symbol) const;
  int find_output(Symbol) const;
  int find_resource(const xplan::Resource&) const;
  int find_call(Symbol) const;
  struct Index {
    std::unordered_map<Symbol, uint32_t> variables, locals, outputs, calls, checks;
    std::unordered_map<xplan::Resource, uint32_t> resources;
    std::unordered_map<std::string, Range> imports;  // static targets
  } index;
};

struct TestModule {  // that a run takes instead of the root module
  std::string key;   // in modules.json
  std::string dir;
};
struct TestSuite;  // test_suite.h

// What a test gives a configuration from outside. Names in its assertions and provider blocks mean this.
enum class GivenName : uint8_t { Run, Var, Output };
struct Given {
  Value run, var, output;  // objects: outputs of earlier runs by run, variables, outputs of this run
  std::function<const Value*(const ModuleInstance&)> outputs_of;  // null: a module instance like any other
  const Value& of(GivenName n) const {
    return n == GivenName::Run ? run : n == GivenName::Var ? var : output;
  }
};

struct Node {  // one module path
  Module* module = nullptr;
  Node* parent = nullptr;
  const ModuleCall* call = nullptr;  // in parent->module; null for root
  xplan::Module path;
  ModuleFrom from;                              // what the call says here
  std::vector<std::unique_ptr<Node>> children;  // parallel to module->calls
  // Which provider configuration each resource of the module uses, parallel to module->resources; and for
  // explicit providers by local name and alias.
  std::vector<ProviderConfigAddr> resource_providers;
  // Which instance of that: parallel, or empty where no configuration in use has for_each.
  struct Choice {
    const ProviderRef* ref = nullptr;  // has the key; null: there is but one
    const Node* at = nullptr;          // module whose call says it; null: the resource itself
  };
  std::vector<Choice> provider_choices;
  const ProviderRef* chosen_by(size_t resource) const {
    return resource < provider_choices.size() ? provider_choices[resource].ref : nullptr;
  }
  // Parallel to module->providers; of those with for_each, their instances by key.
  std::vector<std::vector<std::pair<InstanceKey, Value>>> provider_instances;
};

using VariableValues = std::map<Symbol, Value, SymbolTextLess>;  // of a root module, see finalize_inputs()

// What is known before anything is planned, for those parts of a configuration that must be.
struct EarlyInputs {
  // Values of the root module's variables; null: their defaults.
  std::function<VariableValues(const Module& root, Diagnostics& diags)> variables = {};
  std::string cwd = {}, workspace = "default";
};
class Early;  // early.h

struct Config {
  std::unique_ptr<Node> root;
  std::vector<std::unique_ptr<Module>> modules;  // each directory once; modules[0] is the root module
  std::vector<Node*> nodes;                      // all, parents first, in a fixed order
  std::unordered_map<uint32_t, Node*> by_path;   // xplan::Module::id() →
  std::shared_ptr<TestSuite> tests;              // empty when not asked for
  const Given* given = nullptr;                  // of the test that runs; null: there is none
  std::shared_ptr<Early> early;  // of the root module, for its backend; changes by being asked
  const Node* find(xplan::Module path) const;
  const Resource* find(const ConfigResource& r) const;
};

// The arguments of a provisioner block (local-exec, remote-exec, file), null for other types; and of
// connection.
const schema::Block* provisioner_schema(Symbol type);
bool needs_connection(Symbol provisioner);
const schema::Block& connection_schema();

// Whose schemas may be others than in the last run: a program can make them of its environment or directory.
enum class Renew : uint8_t {
  Unsettled,  // of providers that do not allow that they are kept: before anything is done with them
  Running,    // of providers whose program runs: when something went wrong
  All         // when a configuration does not fit
};

// Where schemas come from while loading (implemented over providers, a layer above).
class SchemaSource {
 public:
  virtual ~SchemaSource() = default;
  // Null when the provider is not available; the reason has then been reported (once per provider).
  virtual schema::ProviderSchemaPtr schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) = 0;
  // Asks providers whose schema was kept from an earlier run for the present one. True when one of them is
  // another; what was made with the old ones is void then.
  virtual bool renew(Renew) { return false; }
};

struct LoadOptions {
  std::string root_dir = ".";
  std::string data_dir = ".terraform";  // modules.json of installed modules
  std::string installed_as;             // key of the root module there: that of a test's module
  EarlyInputs early;                    // for sources of modules and the backend
  bool structure_only = false;          // no schemas: init, providers, get
  bool alone = false;                   // the root module, without those that it calls
  std::optional<std::string> test_dir;  // look at files of tests, too: those of the root directory and these
  // The root module is only looked at for its tests: what it expects of a caller (configuration_aliases) is
  // there.
  bool for_tests = false;
  // Provider configurations that a test puts in place of those of the root module, or beside them.
  std::vector<ProviderConfig> test_providers;
  // Called when all files are read and before the first schema is asked for: whether providers are there.
  std::function<void(const Config&, Diagnostics&)> before_schemas;
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, loading ends soon, with an error
  bool stopping() const { return stop && stop->load(std::memory_order_relaxed); }
};

// Loads and validates everything that can be said without values: syntax, structure, names, references, types
// of constants, cycles, provider passing, moved/removed/import rules. Always returns what could be
// understood.
std::unique_ptr<Config> load(Fs& fs, SourceTable& sources, const LoadOptions& options, SchemaSource* schemas,
                             Diagnostics& diags);

}  // namespace xplan::config
