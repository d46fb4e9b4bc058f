// ResourceOf<S>, DataSourceOf<S>, EphemeralOf<S>: resources whose objects are structs (see fields.h), and
// typed functions. kit::Provider::add takes them like the untyped ones of resource.h, which they stand on.
//
// Who calls it: authors of providers derive from them. Contract: a struct begins as the object is planned
// (create, update), recorded (read, remove), configured (data, ephemeral) or empty (import), and is the new
// state when the call ends without an error. A call that fails keeps the state of before, unless it has
// called keep(): then what the struct holds is recorded all the same, with nulls for what is unknown. Calls
// come from several threads. Cost: reading and writing the struct. Thread-safety: as resource.h says.
#pragma once
#include "core/provider/kit/fields.h"
#include "core/provider/kit/provider.h"
#include "core/provider/kit/upgrades.h"

namespace xplan::kit {

// What a schema has beside its fields.
struct About {
  std::string description;
  bool markdown = false;
  std::string deprecation_message;
  std::vector<Validator> rules = {};
  std::string example = {};
};
template <Model S>
Schema schema_of(const About& about, uint64_t version = 0) {
  Schema s{fields_of<S>().fields(), version, about.description, about.deprecation_message};
  s.markdown = about.markdown, s.rules = about.rules, s.example = about.example;
  return s;
}

// A call that is under way: its end and its log (Context), its messages and its private data.
class Call : public Context {
 public:
  Call(const Context& c, ProviderDiags& diags, PrivateData& data)
      : Context(c), private_data(data), diags_(diags) {}
  void error(std::string summary, std::string detail = "", Path path = {}) {
    add_error(diags_, std::move(summary), std::move(detail), std::move(path));
  }
  void warn(std::string summary, std::string detail = "", Path path = {}) {
    add_warning(diags_, std::move(summary), std::move(detail), std::move(path));
  }
  void keep() { kept_ = true; }  // the object exists from here on, whatever happens
  void gone() { gone_ = true; }  // of read: there is no such object any more
  bool kept() const { return kept_; }
  template <Model S>
  S config_as() {
    ProviderDiags found;
    std::optional<S> out = from_value<S>(config, found);
    if (!out) throw Failure(found[0].summary, found[0].detail, found[0].path);
    return std::move(*out);
  }
  bool is_gone() const { return gone_; }

  PrivateData& private_data;
  // The configuration, which alone has write-only values; null where a call has none.
  Value config, provider_meta;
  Deferral deferred = Deferral::None;  // of read and import
  int64_t renew_at_unix = 0;           // of open and renew; 0: need not be renewed

 private:
  ProviderDiags& diags_;
  bool kept_ = false, gone_ = false;
};

// A function: p.add_function("shout", {"Upper case.", {"text"}}, [](std::string text) { … }).
struct FunctionAbout {
  std::string summary;
  std::vector<std::string> parameters;
  std::string description = {};
};

template <Model S>
class ResourceOf {
 public:
  using Object = S;
  virtual ~ResourceOf() = default;
  virtual About about() const { return {}; }
  virtual Identity identity() const { return {}; }
  // How states of older versions become this one: as many steps as the version of the schema.
  virtual Upgrades<S> upgrades() const { return {}; }
  virtual void create(S& object, Call& call) = 0;
  virtual void read(S& object, Call& call) = 0;
  virtual void update(S& object, const S& prior, Call& call) = 0;
  virtual void remove(const S& object, Call& call) = 0;
  // Sets what read needs to find the object.
  virtual void import(const std::string&, S&, Call&) {
    throw Failure("Import is not supported", "Objects of this type cannot be imported.");
  }
  virtual void validate(const Value&, ProviderDiags&) {}
  virtual void modify_plan(const ModifyPlanRequest&, ModifyPlanResponse&) {}
};
template <Model S>
class DataSourceOf {
 public:
  using Object = S;
  virtual ~DataSourceOf() = default;
  virtual About about() const { return {}; }
  virtual void read(S& object, Call& call) = 0;
};
template <Model S>
class EphemeralOf {
 public:
  using Object = S;
  virtual ~EphemeralOf() = default;
  virtual About about() const { return {}; }
  virtual void open(S& object, Call& call) = 0;
  virtual void renew(Call&) {}
  virtual void close(Call&) {}
};

}  // namespace xplan::kit

#include "core/provider/kit/typed_inl.h"
