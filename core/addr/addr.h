// Addresses of modules, resources and their instances.
//
// Who calls it: everything above addr.
// Invariant: module paths are interned (process-wide, append-only), so every address is a few integers:
// copying, comparing and hashing cost no more than that. Relative, configuration (no keys) and absolute
// (keys) forms are different types, so they cannot be mixed up. Order: less() is the order of outputs:
// modules by depth (the root first), then step by step (names by bytes, keys: none, then integers by value,
// then strings by bytes); data before managed, type, name, key. The state file alone has another order of
// modules (by their text). Cost: text() allocates; everything else is O(1) or O(depth of the module path).
// Thread-safety: any function from any thread.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/symbol.h"
#include "core/value/value.h"

namespace xplan {

struct InstanceKey {
  // Unknown: some key that a later plan will know; only in addresses of what a plan defers.
  enum class Kind : uint8_t { None, Int, String, Unknown } kind = Kind::None;
  Symbol string;
  int64_t number = 0;
  static InstanceKey of(int64_t n) { return {Kind::Int, {}, n}; }
  static InstanceKey of(Symbol s) { return {Kind::String, s, 0}; }
  static InstanceKey unknown() { return {Kind::Unknown, {}, 0}; }
  bool none() const { return kind == Kind::None; }
  bool is_unknown() const { return kind == Kind::Unknown; }
  Value value() const;                            // number, string or unknown; null for none
  std::string text() const;                       // "", [0], ["k"] quoted as in addresses, [*]
  static std::string quoted(std::string_view s);  // "k" with quotes and escapes, as in addresses
  friend bool operator==(const InstanceKey&, const InstanceKey&) = default;
};
bool less(const InstanceKey& a, const InstanceKey& b);

enum class Mode : uint8_t { Data, Managed, Ephemeral };

inline constexpr uint32_t kMaxModuleDepth = 100;

// A module path without keys, as in configuration. Root is Module().
class Module {
 public:
  constexpr Module() = default;
  Module child(Symbol call) const;
  bool is_root() const { return id_ == 0; }
  uint32_t depth() const;             // 0 for root
  Module parent() const;              // precondition: not root
  Symbol call() const;                // last step; precondition: not root
  bool contains(Module other) const;  // other is this module or below it
  std::vector<Symbol> steps() const;
  std::string text() const;  // "module.a.module.b", "" for root
  uint32_t id() const { return id_; }
  static constexpr Module from_id(uint32_t id) {
    Module m;
    m.id_ = id;
    return m;
  }
  friend bool operator==(Module, Module) = default;

 private:
  uint32_t id_ = 0;
};

// A module path with an instance key at each step.
class ModuleInstance {
 public:
  constexpr ModuleInstance() = default;
  ModuleInstance child(Symbol call, InstanceKey key) const;
  bool is_root() const { return id_ == 0; }
  uint32_t depth() const;
  ModuleInstance parent() const;
  ModuleInstance ancestor(uint32_t depth) const;  // the enclosing one of that depth; precondition: not deeper
  Symbol call() const;
  const InstanceKey& key() const;
  Module module() const;  // the configuration form; O(1)
  bool contains(ModuleInstance other) const;
  bool partial() const;                       // some step has an unknown key; O(1)
  std::vector<ModuleInstance> chain() const;  // from the first step below root to this one
  std::string text() const;                   // module.a["k"].module.b[0]
  uint32_t id() const { return id_; }
  static constexpr ModuleInstance from_id(uint32_t id) {
    ModuleInstance m;
    m.id_ = id;
    return m;
  }
  friend bool operator==(ModuleInstance, ModuleInstance) = default;

 private:
  uint32_t id_ = 0;
};
bool less(Module a, Module b);
bool less(ModuleInstance a, ModuleInstance b);

struct Resource {
  Mode mode = Mode::Managed;
  Symbol type, name;
  std::string text() const;  // aws_x.y, data.aws_x.y, ephemeral.t.n
  friend bool operator==(const Resource&, const Resource&) = default;
};
struct ConfigResource {
  Module module;
  Resource resource;
  std::string text() const;
  friend bool operator==(const ConfigResource&, const ConfigResource&) = default;
};
struct AbsResource {
  ModuleInstance module;
  Resource resource;
  ConfigResource config() const { return {module.module(), resource}; }
  std::string text() const;
  friend bool operator==(const AbsResource&, const AbsResource&) = default;
};
struct AbsInstance {
  ModuleInstance module;
  Resource resource;
  InstanceKey key;
  AbsResource abs_resource() const { return {module, resource}; }
  ConfigResource config() const { return {module.module(), resource}; }
  bool partial() const { return key.is_unknown() || module.partial(); }  // stands for any number of instances
  std::string text() const;
  friend bool operator==(const AbsInstance&, const AbsInstance&) = default;
};
bool less(const Resource& a, const Resource& b);
bool less(const ConfigResource& a, const ConfigResource& b);
bool less(const AbsResource& a, const AbsResource& b);
bool less(const AbsInstance& a, const AbsInstance& b);
struct AddrLess {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return less(a, b);
  }
};

// A provider: host/namespace/type.
struct ProviderAddr {
  Symbol host, ns, type;        // all empty: no provider
  std::string text() const;     // registry.terraform.io/hashicorp/aws; terraform.io/builtin/terraform
  std::string display() const;  // without the default host: hashicorp/aws
  bool is_builtin() const;      // terraform.io/builtin/…
  bool empty() const { return type.empty(); }
  friend bool operator==(const ProviderAddr&, const ProviderAddr&) = default;
};
// "ns/type", "host/ns/type", "type" → address (the default host and namespace filled in; "terraform" alone is
// the builtin provider).
std::optional<ProviderAddr> parse_provider_addr(std::string_view text);
ProviderAddr default_provider(
    Symbol type);  // for a resource type prefix: hashicorp/TYPE, "terraform" → builtin

// A provider configuration: in a module (keys are not allowed in paths of provider configurations). Where its
// block has for_each, one of its instances; without a key, the block.
struct ProviderConfigAddr {
  Module module;
  ProviderAddr provider;
  Symbol alias;
  InstanceKey key = {};
  ProviderConfigAddr block() const { return {module, provider, alias}; }
  // provider["terraform.io/builtin/terraform"].alias, module.x.provider["…"], provider["…"].alias["key"]
  std::string text() const;
  friend bool operator==(const ProviderConfigAddr&, const ProviderConfigAddr&) = default;
};
std::optional<ProviderConfigAddr> parse_provider_config_addr(std::string_view text);

// Addresses given by users (command line, import ids, JSON literal places) and by state files. Empty on a
// malformed text; `error` then says why (a sentence). Spaces and comments may stand between the parts, as in
// the language.
std::optional<AbsInstance> parse_abs_instance(std::string_view text, std::string* error = nullptr);
// The same, where keys may be unknown: [*].
std::optional<AbsInstance> parse_partial_instance(std::string_view text, std::string* error = nullptr);
std::optional<AbsResource> parse_abs_resource(std::string_view text, std::string* error = nullptr);
std::optional<ConfigResource> parse_config_resource(std::string_view text, std::string* error = nullptr);
std::optional<ModuleInstance> parse_module_instance(std::string_view text, std::string* error = nullptr);
// Whether this can be the type or the name of a resource in a state: older ones also begin with a digit.
bool is_name(std::string_view text);

// What -target, -exclude, moved and state commands name: a module or resource, with or without keys. A module
// or resource whose last step has no key stands for all its instances; module steps before the last one mean
// exactly what they say (module.a.x.y is not module.a[0].x.y).
struct Target {
  ModuleInstance module;
  std::optional<Resource> resource;  // empty: the module and everything below it
  InstanceKey key;
  bool has_key = false;  // resource instance given (resource with key), otherwise all its instances
  std::string text() const;
  bool covers(ModuleInstance m) const;      // the module m lies within the target (module targets only)
  bool covers(const AbsInstance& a) const;  // a is the target or inside it. O(depth)
  // Whether anything of it may be covered: keys are left out of the comparison, because configuration has
  // none.
  bool covers(const ConfigResource& r) const;
  bool covers(Module m) const;  // as covers(ModuleInstance)
  friend bool operator==(const Target&, const Target&) = default;
};
std::optional<Target> parse_target(std::string_view text, std::string* error = nullptr);

}  // namespace xplan

template <>
struct std::hash<xplan::InstanceKey> {
  size_t operator()(const xplan::InstanceKey& k) const noexcept {
    return (static_cast<size_t>(k.number) * 31 + k.string.id()) * 0x9E3779B97F4A7C15ull +
           static_cast<size_t>(k.kind);
  }
};
template <>
struct std::hash<xplan::Module> {
  size_t operator()(xplan::Module m) const noexcept { return m.id() * 0x9E3779B97F4A7C15ull >> 16; }
};
template <>
struct std::hash<xplan::ModuleInstance> {
  size_t operator()(xplan::ModuleInstance m) const noexcept { return m.id() * 0x9E3779B97F4A7C15ull >> 16; }
};
template <>
struct std::hash<xplan::Resource> {
  size_t operator()(const xplan::Resource& r) const noexcept {
    return ((static_cast<size_t>(r.type.id()) << 32 | r.name.id()) * 0x9E3779B97F4A7C15ull) ^
           static_cast<size_t>(r.mode);
  }
};
template <>
struct std::hash<xplan::ConfigResource> {
  size_t operator()(const xplan::ConfigResource& r) const noexcept {
    return std::hash<xplan::Resource>()(r.resource) + r.module.id() * 0xD1B54A32D192ED03ull;
  }
};
template <>
struct std::hash<xplan::AbsResource> {
  size_t operator()(const xplan::AbsResource& r) const noexcept {
    return std::hash<xplan::Resource>()(r.resource) + r.module.id() * 0xD1B54A32D192ED03ull;
  }
};
template <>
struct std::hash<xplan::AbsInstance> {
  size_t operator()(const xplan::AbsInstance& r) const noexcept {
    return std::hash<xplan::AbsResource>()(r.abs_resource()) ^ std::hash<xplan::InstanceKey>()(r.key) * 3;
  }
};
template <>
struct std::hash<xplan::ProviderAddr> {
  size_t operator()(const xplan::ProviderAddr& p) const noexcept {
    size_t h = (p.host.id() * 0x9E3779B97F4A7C15ull + p.ns.id()) * 0x9E3779B97F4A7C15ull + p.type.id();
    return h ^ h >> 29;
  }
};
template <>
struct std::hash<xplan::ProviderConfigAddr> {
  size_t operator()(const xplan::ProviderConfigAddr& p) const noexcept {
    size_t h = std::hash<xplan::ProviderAddr>()(p.provider);
    for (uint32_t part : {p.alias.id(), p.module.id()}) h = h * 0x9E3779B97F4A7C15ull + part;
    h += std::hash<xplan::InstanceKey>()(p.key);
    return h ^ h >> 29;
  }
};
