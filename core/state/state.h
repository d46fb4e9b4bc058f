// The state model: what objects exist and which resource instance each belongs to.
//
// Who calls it: plan and apply read and change it; state file v4 reading and writing; state commands; render.
// Invariant: an Object is immutable and shared: a copy of a State copies pointers, not objects. An object
// read from a file keeps its JSON text until a schema is at hand (decode in plan); an object made in this run
// has a value. Cost: reading is one pass over the file; look-up is O(log n). Thread-safety: a State is owned
// by one thread; Objects may be shared.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/addr/addr.h"
#include "core/base/result.h"
#include "core/diag/diagnostic.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {
class Arrival;
class JsonWriter;

enum class ObjectStatus : uint8_t { Ready, Tainted };

// Sorted, without duplicates; shared by all instances of a resource.
using Dependencies = std::shared_ptr<const std::vector<ConfigResource>>;

struct MovedFrom {
  ProviderAddr provider;
  Symbol type;
};
// What names an object outside of its attributes, as the provider of its type says.
struct ObjectIdentity {
  uint64_t version = 0;  // of the provider's schema for it
  std::string json;
};
using ObjectIdentityPtr = std::shared_ptr<const ObjectIdentity>;
// What of a resource's lifecycle block counts for its object when there is no configuration any more.
struct RecordedLifecycle {
  bool create_before_destroy = false;
  bool skip_destroy = false;  // lifecycle.destroy was false: it is to be forgotten, not destroyed
  friend bool operator==(const RecordedLifecycle&, const RecordedLifecycle&) = default;
};
struct Object : RecordedLifecycle {
  ObjectStatus status = ObjectStatus::Ready;
  uint64_t schema_version = 0;
  // Exactly one of these two: the attributes as JSON text (a slice of the state file's text, kept alive by
  // `buffer`) or as a value of the schema's type, marks included.
  std::string_view attributes_json;
  std::shared_ptr<const std::string> buffer;
  std::optional<Value> value;
  std::vector<std::pair<std::string, std::string>> attributes_flat;  // legacy flatmap form, as read
  std::vector<PathMarks> sensitive_paths;                            // as recorded in the file
  std::string private_data;                                          // raw bytes
  Dependencies dependencies;
  ObjectIdentityPtr identity;  // null: none
  // Set while a plan moves the object to another resource type, until its provider has converted it. Never
  // written.
  std::shared_ptr<const MovedFrom> moved_from;
};
using ObjectPtr = std::shared_ptr<const Object>;
bool same_dependencies(const Object& a, const Object& b);

struct InstanceState {
  ObjectPtr current;                         // null: only deposed objects
  std::map<std::string, ObjectPtr> deposed;  // by 8-hex-digit key
  InstanceKey provider_key = {};             // which instance of the resource's provider works on it
  bool empty() const { return !current && deposed.empty(); }
};
struct InstanceKeyLess {
  bool operator()(const InstanceKey& a, const InstanceKey& b) const { return less(a, b); }
};
struct ResourceState {
  ProviderConfigAddr provider;  // without a key
  ProviderConfigAddr provider_of(const InstanceState& i) const {
    return {provider.module, provider.provider, provider.alias, i.provider_key};
  }
  std::map<InstanceKey, InstanceState, InstanceKeyLess> instances;
};
struct OutputState {
  Value value;  // without marks
  bool sensitive = false;
  std::string deprecated = {};  // what is said of it to whoever reads it; empty: it is not deprecated
};
enum class CheckStatus : uint8_t { Unknown, Pass, Fail, Error };
enum class CheckKind : uint8_t { Resource, Output, Check, Variable };
struct CheckObject {
  std::string object_addr;  // absolute, with keys
  CheckStatus status = CheckStatus::Unknown;
  std::vector<std::string> failure_messages;
};
struct CheckResult {
  CheckKind kind = CheckKind::Resource;
  std::string config_addr;
  CheckStatus status = CheckStatus::Unknown;
  bool expanded = true;  // false: objects are not known (null in the file)
  std::vector<CheckObject> objects;
  // For plan JSON: the parts of the addresses.
  ConfigResource resource;  // kind Resource
  Module module;            // other kinds
  Symbol name;
};

struct State {
  std::string terraform_version;
  uint64_t serial = 0;
  std::string lineage;
  std::map<Symbol, OutputState, SymbolTextLess> outputs;  // of the root module
  std::map<AbsResource, ResourceState, AddrLess> resources;
  std::optional<std::vector<CheckResult>> check_results;

  bool empty() const { return outputs.empty() && resources.empty(); }
  const InstanceState* find(const AbsInstance& a) const;
  InstanceState* find(const AbsInstance& a);
  // Finds or creates. The provider is recorded when the resource is new, or replaced when `provider` is
  // given.
  InstanceState& ensure(const AbsInstance& a, const ProviderConfigAddr& provider);
  void erase_if_empty(const AbsInstance& a);  // drops an empty instance and an empty resource
  void remove(const AbsInstance& a);          // current and deposed objects
};

// Text of a v4 state file. With `types` null, objects that have a value are written by the value's own type;
// otherwise the declared type decides where dynamic values are wrapped.
class TypeSource {
 public:
  virtual ~TypeSource() = default;
  virtual std::optional<Type> type_of(const ProviderAddr& p, Mode mode, Symbol type) const = 0;
};
std::string write_state(const State& s, const TypeSource& types);
// Without the line's end; the writer's indent is 2, or 0 with `compact`.
void write_state(const State& s, const TypeSource& types, JsonWriter& w, bool compact = false);
// The same on one line, for programs: indentation makes values that are deep in each other many times as
// long.
std::string write_compact_state(const State& s, const TypeSource& types);
// True when the two would be written alike except for serial, lineage and writer version.
bool same_content(const State& a, const State& b, const TypeSource& types);
// Reads v4 (v1 to v3 are refused with a clear error unless they can be upgraded losslessly). Errors name the
// place.
Result<State> read_state(std::shared_ptr<const std::string> text);
// The same of a text that is still arriving, of the newest format alone; nothing: it is none, or will not be
// whole.
std::optional<State> read_arriving_state(Arrival& arrival);
// What can be said of a text that is not read as a state, beside why not. Known: the reason says what to do,
// since it is nothing but the format, or a merge. NoState: it is something else. Damaged: it may list
// objects.
enum class Unusable : uint8_t { Known, NoState, Damaged };
Unusable how_unusable(std::string_view text);
// Of a damaged state: why it must not be deleted.
inline constexpr std::string_view kKeepAdvice =
    "; do not delete it, because the objects it lists would no longer be tracked";

}  // namespace xplan
