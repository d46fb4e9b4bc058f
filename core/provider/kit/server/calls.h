// Calls<P>: the provider calls of one protocol, messages in and out, by way of xplan::Provider.
//
// Who calls it: the gRPC services of serve, which only dispatch. Contract: what cannot be read is
// INVALID_ARGUMENT with the reason; a value that is not of its declared type is sent as it is, so that the
// client finds the provider's mistake. Cost: conversion. Thread-safety: as the provider's.
#pragma once
#include <grpcpp/support/status.h>
#include <functional>
#include <string>

#include "core/provider/kit/server/server.h"
#include "core/provider/provider.h"
#include "core/provider/wire/convert.h"
#include "core/provider/wire/schema.h"
#include "core/value/json.h"

namespace xplan::kit {

template <class P>
class Calls {
 public:
  Calls(xplan::Provider& p, const ServeOptions& o) : p_(p), options_(o) {}

  template <class A>
  grpc::Status metadata(A& a) {
    capabilities(*a.mutable_server_capabilities());
    const schema::ProviderSchema& s = *p_.schema();
    for (const auto& [name, x] : s.managed) a.add_resources()->set_type_name(std::string(name.sv()));
    for (const auto& [name, x] : s.data) a.add_data_sources()->set_type_name(std::string(name.sv()));
    for (const auto& [name, x] : s.functions) a.add_functions()->set_name(std::string(name.sv()));
    for (const auto& [name, x] : s.ephemeral)
      a.add_ephemeral_resources()->set_type_name(std::string(name.sv()));
    return grpc::Status::OK;
  }
  grpc::Status get_schema(typename P::SchemaResponse& a) {
    Result<void> done = wire::put_schema<P>(
        *p_.schema(), {p_.plans_destroy(), options_.fixed_schema, true, p_.generates_config()}, &a);
    if (!done) {
      a.Clear();
      wire::put_diags(a.mutable_diagnostics(),
                      {{Severity::Error, "Schema cannot be expressed", done.error().message + ".", {}}});
    }
    return grpc::Status::OK;
  }
  grpc::Status identity_schemas(typename P::IdentityResponse& a) {
    wire::put_identities<P>(*p_.schema(), &a);
    return grpc::Status::OK;
  }
  template <class A>
  grpc::Status functions(A& a) {
    for (const auto& [name, f] : p_.schema()->functions)
      wire::put_function<P>(f, &(*a.mutable_functions())[std::string(name.sv())]);
    return grpc::Status::OK;
  }

  template <class Q, class A>
  grpc::Status validate_provider(const Q& q, A& a) {
    In in;
    Value config = in.get(q.config(), p_.schema()->provider.block.implied_type(), "configuration");
    if (!in) return in.status();
    wire::put_diags(a.mutable_diagnostics(), p_.validate_provider(config));
    if constexpr (P::kVersion == 5) *a.mutable_prepared_config() = q.config();
    return grpc::Status::OK;
  }
  template <Mode mode, class Q, class A>
  grpc::Status validate(const Q& q, A& a) {
    In in;
    Type t = type(mode, q.type_name(), in);
    Value config = in.get(q.config(), t, "configuration");
    if (!in) return in.status();
    wire::put_diags(a.mutable_diagnostics(), p_.validate_resource(mode, Symbol(q.type_name()), config));
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status configure(const Q& q, A& a) {
    In in;
    ConfigureRequest r;
    r.config = in.get(q.config(), p_.schema()->provider.block.implied_type(), "configuration");
    r.deferral_allowed = q.client_capabilities().deferral_allowed();
    if (!in) return in.status();
    wire::put_diags(a.mutable_diagnostics(), p_.configure(r));
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status upgrade(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Managed, q.type_name(), in);
    if (!in) return in.status();
    std::vector<std::pair<std::string, std::string>> flat(q.raw_state().flatmap().begin(),
                                                          q.raw_state().flatmap().end());
    UpgradeResponse r =
        p_.upgrade(Symbol(q.type_name()), static_cast<uint64_t>(q.version()), q.raw_state().json(), flat);
    put("UpgradeResourceState", a.mutable_upgraded_state(), r.state, t);
    wire::put_diags(a.mutable_diagnostics(), r.diags);
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status upgrade_identity(const Q& q, A& a) {
    UpgradeIdentityResponse out = p_.upgrade_identity(
        Symbol(q.type_name()), static_cast<uint64_t>(q.version()), q.raw_identity().json());
    if (!out.identity.is_null())
      wire::put_value(a.mutable_upgraded_identity()->mutable_identity_data(), out.identity,
                      identity_type(q.type_name()));
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status read(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Managed, q.type_name(), in);
    ReadRequest r;
    r.type = Symbol(q.type_name());
    r.current = in.get(q.current_state(), t, "current state");
    r.private_data = q.private_();
    r.provider_meta = meta(q, in);
    r.identity = get_identity(q.has_current_identity(), q.current_identity(), q.type_name(), in);
    if (!in) return in.status();
    ReadResponse out = p_.read(r);
    put("ReadResource", a.mutable_new_state(), out.new_state, t);
    a.set_private_(out.private_data);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    wire::put_deferred(&a, out.deferred);
    if (!out.new_identity.is_null())
      wire::put_value(a.mutable_new_identity()->mutable_identity_data(), out.new_identity,
                      identity_type(q.type_name()));
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status plan(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Managed, q.type_name(), in);
    PlanRequest r;
    r.type = Symbol(q.type_name());
    r.prior = in.get(q.prior_state(), t, "prior state");
    r.proposed = in.get(q.proposed_new_state(), t, "proposed state");
    r.config = in.get(q.config(), t, "configuration");
    r.prior_private = q.prior_private();
    r.planned_private = q.planned_private();
    r.provider_meta = meta(q, in);
    r.prior_identity = get_identity(q.has_prior_identity(), q.prior_identity(), q.type_name(), in);
    if (!in) return in.status();
    PlanResponse out = p_.plan(r);
    put("PlanResourceChange", a.mutable_planned_state(), out.planned, t);
    for (const Path& path : out.requires_replace) wire::put_path(a.add_requires_replace(), path);
    a.set_planned_private(out.planned_private);
    a.set_legacy_type_system(out.legacy_type_system);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    wire::put_deferred(&a, out.deferred);
    if (!out.planned_identity.is_null())
      wire::put_value(a.mutable_planned_identity()->mutable_identity_data(), out.planned_identity,
                      identity_type(q.type_name()));
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status apply(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Managed, q.type_name(), in);
    ApplyRequest r;
    r.type = Symbol(q.type_name());
    r.prior = in.get(q.prior_state(), t, "prior state");
    r.planned = in.get(q.planned_state(), t, "planned state");
    r.config = in.get(q.config(), t, "configuration");
    r.planned_private = q.planned_private();
    r.provider_meta = meta(q, in);
    r.planned_identity = get_identity(q.has_planned_identity(), q.planned_identity(), q.type_name(), in);
    if (!in) return in.status();
    ApplyResponse out = p_.apply(r);
    put("ApplyResourceChange", a.mutable_new_state(), out.new_state, t);
    a.set_private_(out.private_data);
    a.set_legacy_type_system(out.legacy_type_system);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    if (!out.new_identity.is_null())
      wire::put_value(a.mutable_new_identity()->mutable_identity_data(), out.new_identity,
                      identity_type(q.type_name()));
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status import(const Q& q, A& a) {
    In in;
    ImportRequest r{Symbol(q.type_name()), q.id(),
                    get_identity(q.has_identity(), q.identity(), q.type_name(), in)};
    if (!in) return in.status();
    ImportResponse out = p_.import(r);
    for (const ImportedObject& o : out.objects) {
      auto* m = a.add_imported_resources();
      m->set_type_name(std::string(o.type.sv()));
      const schema::Schema* s = p_.schema()->find(Mode::Managed, o.type);
      put("ImportResourceState", m->mutable_state(), o.state, s ? s->block.implied_type() : o.state.type());
      m->set_private_(o.private_data);
      if (!o.identity.is_null())
        wire::put_value(m->mutable_identity()->mutable_identity_data(), o.identity,
                        identity_type(std::string(o.type.sv())));
    }
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    wire::put_deferred(&a, out.deferred);
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status generate_config(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Managed, q.type_name(), in);
    Value object = in.get(q.state(), t, "state");
    if (!in) return in.status();
    GenerateConfigResponse out = p_.generate_config(Symbol(q.type_name()), object);
    put("GenerateResourceConfig", a.mutable_config(), out.config, t);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status move(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Managed, q.target_type_name(), in);
    std::optional<ProviderAddr> source = parse_provider_addr(q.source_provider_address());
    if (!source) in.error = "the address of the source provider is not valid";
    if (!in) return in.status();
    UpgradeResponse out =
        p_.move({*source, Symbol(q.source_type_name()), static_cast<uint64_t>(q.source_schema_version()),
                 q.source_state().json(), q.source_private(), q.source_identity().json(),
                 static_cast<uint64_t>(q.source_identity_schema_version()), Symbol(q.target_type_name())});
    put("MoveResourceState", a.mutable_target_state(), out.state, t);
    if (!out.identity.is_null())
      wire::put_value(a.mutable_target_identity()->mutable_identity_data(), out.identity,
                      identity_type(q.target_type_name()));
    a.set_target_private(out.private_data);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status read_data(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Data, q.type_name(), in);
    ReadDataRequest r;
    r.type = Symbol(q.type_name());
    r.config = in.get(q.config(), t, "configuration");
    r.provider_meta = meta(q, in);
    if (!in) return in.status();
    ReadDataResponse out = p_.read_data(r);
    put("ReadDataSource", a.mutable_state(), out.state, t);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    wire::put_deferred(&a, out.deferred);
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status open(const Q& q, A& a) {
    In in;
    Type t = type(Mode::Ephemeral, q.type_name(), in);
    Value config = in.get(q.config(), t, "configuration");
    if (!in) return in.status();
    OpenEphemeralResponse out = p_.open_ephemeral(Symbol(q.type_name()), config);
    put("OpenEphemeralResource", a.mutable_result(), out.result, t);
    wire::put_deferred(&a, out.deferred);
    return renewal(out, a);
  }
  template <class Q, class A>
  grpc::Status renew(const Q& q, A& a) {
    return renewal(p_.renew_ephemeral(Symbol(q.type_name()), q.private_()), a);
  }
  template <class Q, class A>
  grpc::Status close(const Q& q, A& a) {
    wire::put_diags(a.mutable_diagnostics(), p_.close_ephemeral(Symbol(q.type_name()), q.private_()));
    return grpc::Status::OK;
  }
  template <class Q, class A>
  grpc::Status call_function(const Q& q, A& a) {
    const schema::FunctionSignature* f = nullptr;
    for (const auto& [name, signature] : p_.schema()->functions)
      if (name.sv() == q.name()) f = &signature;
    if (!f) {
      a.mutable_error()->set_text("This provider has no function \"" + q.name() + "\".");
      return grpc::Status::OK;
    }
    In in;
    std::vector<Value> arguments;
    for (int i = 0; i < q.arguments_size(); ++i) {
      size_t at = static_cast<size_t>(i);
      Type t = at < f->params.size() ? f->params[at].type : f->variadic ? f->variadic->type : Type::dynamic();
      arguments.push_back(in.get(q.arguments(i), t, "argument"));
    }
    if (!in) return in.status();
    FunctionResponse out = p_.call_function(Symbol(q.name()), arguments);
    if (out.error.empty()) {
      put("CallFunction", a.mutable_result(), out.result, f->returns);
    } else {
      a.mutable_error()->set_text(out.error);
      if (out.argument >= 0) a.mutable_error()->set_function_argument(out.argument);
    }
    return grpc::Status::OK;
  }
  template <class A>
  grpc::Status stop(A&) {
    p_.stop();
    return grpc::Status::OK;
  }

 private:
  // Reads values and remembers the first problem.
  struct In {
    std::string error;
    explicit operator bool() const { return error.empty(); }
    grpc::Status status() const { return {grpc::StatusCode::INVALID_ARGUMENT, error}; }
    template <class M>
    Value get(const M& m, Type t, const char* what) {
      Result<Value> v = wire::get_value(m, t);
      if (v) return *v;
      if (error.empty()) error = std::string("the ") + what + " cannot be read: " + v.error().message;
      return Value::null(t);
    }
  };

  template <class M>
  void capabilities(M& m) {
    m.set_plan_destroy(p_.plans_destroy());
    m.set_get_provider_schema_optional(options_.fixed_schema);
    m.set_move_resource_state(true);
    m.set_generate_resource_config(p_.generates_config());
  }
  Type type(Mode mode, const std::string& name, In& in) {
    const schema::Schema* s = p_.schema()->find(mode, Symbol(name));
    if (s) return s->block.implied_type();
    if (in.error.empty()) in.error = "this provider has no type \"" + name + "\"";
    return Type::dynamic();
  }
  Type identity_type(const std::string& name) {
    for (const auto& [type, s] : p_.schema()->identities)
      if (type.sv() == name) return s.block.implied_type();
    return Type::dynamic();
  }
  template <class M>
  Value get_identity(bool present, const M& m, const std::string& name, In& in) {
    Type t = identity_type(name);
    return present && !t.is_dynamic() ? in.get(m.identity_data(), t, "identity") : Value();
  }
  template <class Q>
  Value meta(const Q& q, In& in) {
    Type t = p_.schema()->provider_meta.block.implied_type();
    return in.get(q.provider_meta(), t, "provider_meta");
  }
  static bool fits(Type t, Type declared) {
    if (t == declared || declared.is_dynamic()) return true;
    if (t.kind() != declared.kind() || t.is_primitive()) return false;
    if (t.is_collection()) return fits(t.element(), declared.element());
    auto a = t.elements(), b = declared.elements();
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (t.is_object() && t.attr_names()[i] != declared.attr_names()[i]) return false;
      if (!fits(a[i], b[i])) return false;
    }
    return true;
  }
  void put(std::string_view call, typename P::DynamicValue* out, const Value& v, Type declared) {
    if (options_.corrupt && options_.corrupt(call)) {
      out->set_msgpack(std::string("\xc1\xc1", 2));  // a byte that begins no value
      return;
    }
    if (v.is_null() && v.type().is_dynamic())
      wire::put_value(out, Value::null(declared), declared);
    else
      wire::put_value(out, v, fits(v.type(), declared) ? declared : v.type());
  }
  template <class A>
  grpc::Status renewal(const OpenEphemeralResponse& out, A& a) {
    if (!out.private_data.empty()) a.set_private_(out.private_data);
    if (out.renew_at_unix) a.mutable_renew_at()->set_seconds(out.renew_at_unix);
    wire::put_diags(a.mutable_diagnostics(), out.diags);
    return grpc::Status::OK;
  }

  xplan::Provider& p_;
  const ServeOptions& options_;
};

}  // namespace xplan::kit
