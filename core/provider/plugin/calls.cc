// Every provider protocol call, written once as a template for protocols 5 and 6: fill the request, call,
// check the response against the schema. The protocols' differences: methods.h.
#include "core/provider/plugin/calls.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <algorithm>

#include "core/provider/plugin/methods.h"
#include "core/provider/plugin/subject.h"
#include "core/provider/wire/convert.h"
#include "core/provider/wire/schema.h"

namespace xplan::plugin {
namespace {

template <class P, class Methods>
class ProtocolCalls : public Calls {
 public:
  std::string fetch_schema(Session& s, ProviderDiags& diags) const override {
    typename P::SchemaResponse schema;
    typename P::IdentityResponse identities;
    CallStatus status = s.call_until_stop(Methods::kSchema, typename P::GetProviderSchema::Request(), schema);
    if (!status.ok()) {
      diags.push_back(s.problem(Methods::kSchema, "", status));
      return {};
    }
    status = s.call_until_stop(Methods::kIdentities, typename P::GetResourceIdentitySchemas::Request(),
                               identities);
    if (!status.ok()) {
      identities.Clear();
      if (status.kind != CallStatus::Unimplemented) {
        diags.push_back(s.problem(Methods::kIdentities, "", status));
        return {};
      }
    }
    // First the length of the schemas in eight bytes, then they, then the identities.
    std::string out(8, '\0');
    if (!append(out, schema)) return {};
    uint64_t length = out.size() - 8;
    for (int i = 0; i < 8; ++i) out[i] = static_cast<char>(length >> (8 * i));
    return append(out, identities) ? out : std::string();
  }

  bool parse_schema(std::string_view bytes, schema::ProviderSchema& out, wire::Capabilities& capabilities,
                    ProviderDiags& diags) const override {
    uint64_t length = 0;
    if (bytes.size() < 8) return false;
    for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
    bytes.remove_prefix(8);
    typename P::SchemaResponse schema;
    typename P::IdentityResponse identities;
    if (length > bytes.size() || bytes.size() > INT32_MAX ||
        !schema.ParseFromArray(bytes.data(), static_cast<int>(length)) ||
        !identities.ParseFromArray(bytes.data() + length, static_cast<int>(bytes.size() - length)))
      return false;
    wire::get_schema<P>(schema, out, capabilities, diags);
    wire::get_identities<P>(identities, out, diags);
    return true;
  }

  ProviderDiags validate_provider(const CallContext& c, const Value& config) const override {
    ProviderDiags diags;
    Subject s{c, Methods::kValidateProvider, {}, &c.schema->provider, nullptr, diags};
    typename P::ValidateProvider::Request in;
    typename P::ValidateProvider::Response out;
    wire::put_value(in.mutable_config(), config, s.schema->block.implied_type());
    if (s.send(in, out)) wire::get_diags(out.diagnostics(), diags);
    return diags;
  }

  ProviderDiags validate_resource(const CallContext& c, Mode mode, Symbol type,
                                  const Value& config) const override {
    ProviderDiags diags;
    const char* method = mode == Mode::Managed ? Methods::kValidateResource
                         : mode == Mode::Data  ? Methods::kValidateData
                                               : Methods::kValidateEphemeral;
    Subject s = subject(c, method, mode, type, diags);
    if (!s.schema) return diags;
    auto run = [&](auto in, auto out) {
      in.set_type_name(std::string(type.sv()));
      wire::put_value(in.mutable_config(), config, s.schema->block.implied_type());
      if constexpr (requires { in.mutable_client_capabilities(); }) allow(c, in);
      if (s.send(in, out)) wire::get_diags(out.diagnostics(), diags);
    };
    if (mode == Mode::Managed)
      run(typename P::ValidateResource::Request(), typename P::ValidateResource::Response());
    else if (mode == Mode::Data)
      run(typename P::ValidateData::Request(), typename P::ValidateData::Response());
    else
      run(typename P::ValidateEphemeralResourceConfig::Request(),
          typename P::ValidateEphemeralResourceConfig::Response());
    return diags;
  }

  ProviderDiags configure(const CallContext& c, const Value& config,
                          const std::string& core_version) const override {
    ProviderDiags diags;
    Subject s{c, Methods::kConfigure, {}, &c.schema->provider, nullptr, diags};
    typename P::Configure::Request in;
    typename P::Configure::Response out;
    in.set_terraform_version(core_version);
    wire::put_value(in.mutable_config(), config, s.schema->block.implied_type());
    allow(c, in);
    if (s.send(in, out)) wire::get_diags(out.diagnostics(), diags);
    return diags;
  }

  UpgradeResponse upgrade(const CallContext& c, Symbol type, uint64_t version, std::string_view raw_json,
                          const std::vector<std::pair<std::string, std::string>>& flat) const override {
    UpgradeResponse r;
    Subject s = subject(c, Methods::kUpgrade, Mode::Managed, type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    r.state = Value::null(t);
    typename P::UpgradeResourceState::Request in;
    typename P::UpgradeResourceState::Response out;
    in.set_type_name(std::string(type.sv()));
    in.set_version(static_cast<int64_t>(version));
    auto* raw = in.mutable_raw_state();
    if (!raw_json.empty()) raw->set_json(std::string(raw_json));
    for (const auto& [k, v] : flat) (*raw->mutable_flatmap())[k] = v;
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.state = s.object(out.upgraded_state(), Value::null(t));
    s.null_is_invalid(r.state, "the upgraded object");
    return r;
  }

  ReadResponse read(const CallContext& c, const ReadRequest& q) const override {
    ReadResponse r;
    r.new_state = q.current;
    r.private_data = q.private_data;
    r.new_identity = q.identity;
    Subject s = subject(c, Methods::kRead, Mode::Managed, q.type, r.diags);
    if (!s.schema) return r;
    typename P::ReadResource::Request in;
    typename P::ReadResource::Response out;
    in.set_type_name(std::string(q.type.sv()));
    wire::put_value(in.mutable_current_state(), q.current, s.schema->block.implied_type());
    in.set_private_(q.private_data);
    put_meta(c, q.provider_meta, in);
    allow(c, in);
    if (s.identity && !q.identity.is_null())
      wire::put_value(in.mutable_current_identity()->mutable_identity_data(), q.identity,
                      s.identity->block.implied_type());
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.deferred = s.deferral(wire::get_deferred(out));
    if (wire::has_value(out.new_state()) || !s.failed()) r.new_state = s.object(out.new_state(), q.current);
    r.private_data = out.private_();
    r.new_identity = s.identity_value(out.has_new_identity(), out.new_identity());
    return r;
  }

  PlanResponse plan(const CallContext& c, const PlanRequest& q) const override {
    PlanResponse r;
    Subject s = subject(c, Methods::kPlan, Mode::Managed, q.type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    r.planned = Value::null(t);
    typename P::PlanResourceChange::Request in;
    typename P::PlanResourceChange::Response out;
    in.set_type_name(std::string(q.type.sv()));
    wire::put_value(in.mutable_prior_state(), q.prior, t);
    wire::put_value(in.mutable_proposed_new_state(), q.proposed, t);
    wire::put_value(in.mutable_config(), q.config, t);
    in.set_prior_private(q.prior_private);
    in.set_planned_private(q.planned_private);
    put_meta(c, q.provider_meta, in);
    allow(c, in);
    if (s.identity && !q.prior_identity.is_null())
      wire::put_value(in.mutable_prior_identity()->mutable_identity_data(), q.prior_identity,
                      s.identity->block.implied_type());
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    // Only providers that admit to the old type system may leave blocks out; others are found out by the
    // engine.
    r.planned = out.legacy_type_system() ? s.object(out.planned_state(), Value::null(t))
                                         : s.value(out.planned_state(), t, Value::null(t));
    for (const auto& path : out.requires_replace()) r.requires_replace.push_back(wire::get_path(path));
    r.planned_private = out.planned_private();
    r.legacy_type_system = out.legacy_type_system();
    r.deferred = s.deferral(wire::get_deferred(out));
    r.planned_identity = s.identity_value(out.has_planned_identity(), out.planned_identity());
    return r;
  }

  ApplyResponse apply(const CallContext& c, const ApplyRequest& q) const override {
    ApplyResponse r;
    Subject s = subject(c, Methods::kApply, Mode::Managed, q.type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    typename P::ApplyResourceChange::Request in;
    typename P::ApplyResourceChange::Response out;
    in.set_type_name(std::string(q.type.sv()));
    wire::put_value(in.mutable_prior_state(), q.prior, t);
    wire::put_value(in.mutable_planned_state(), q.planned, t);
    wire::put_value(in.mutable_config(), q.config, t);
    in.set_planned_private(q.planned_private);
    put_meta(c, q.provider_meta, in);
    if (s.identity && !q.planned_identity.is_null())
      wire::put_value(in.mutable_planned_identity()->mutable_identity_data(), q.planned_identity,
                      s.identity->block.implied_type());
    const std::string_view action = q.prior.is_null() ? "create" : q.planned.is_null() ? "delete" : "update";
    const bool gone = c.session.dead();  // then the call cannot have reached it
    if (CallStatus sent = c.session.call_change(Methods::kApply, in, out); !sent.ok()) {
      r.diags.push_back(c.session.problem(Methods::kApply, s.text(), sent));
      if (!gone && sent.kind != CallStatus::Unimplemented && sent.kind != CallStatus::NotMade)
        s.outcome_unknown(action);
      return r;
    }
    // A null of dynamic type says that nothing came back.
    if (wire::has_value(out.new_state()))
      r.new_state = q.prior.is_null() ? s.created(out.new_state()) : s.object(out.new_state(), Value());
    if (s.failed() && r.new_state.is_null()) s.outcome_unknown(action);
    wire::get_diags(out.diagnostics(), r.diags);
    r.private_data = out.private_();
    r.legacy_type_system = out.legacy_type_system();
    r.new_identity = s.identity_value(out.has_new_identity(), out.new_identity());
    return r;
  }

  UpgradeIdentityResponse upgrade_identity(const CallContext& c, Symbol type, uint64_t version,
                                           std::string_view json) const override {
    UpgradeIdentityResponse r;
    Subject s = subject(c, Methods::kUpgradeIdentity, Mode::Managed, type, r.diags);
    if (!s.identity) return r;
    typename P::UpgradeResourceIdentity::Request in;
    typename P::UpgradeResourceIdentity::Response out;
    in.set_type_name(std::string(type.sv()));
    in.set_version(static_cast<int64_t>(version));
    in.mutable_raw_identity()->set_json(std::string(json));
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.identity = s.identity_value(out.has_upgraded_identity(), out.upgraded_identity());
    s.null_is_invalid(r.identity, "the upgraded identity");
    return r;
  }

  ImportResponse import(const CallContext& c, const ImportRequest& q) const override {
    ImportResponse r;
    Subject s = subject(c, Methods::kImport, Mode::Managed, q.type, r.diags);
    if (!s.schema) return r;
    typename P::ImportResourceState::Request in;
    typename P::ImportResourceState::Response out;
    in.set_type_name(std::string(q.type.sv()));
    if (s.identity && !q.identity.is_null())
      wire::put_value(in.mutable_identity()->mutable_identity_data(), q.identity,
                      s.identity->block.implied_type());
    else
      in.set_id(q.id);
    allow(c, in);
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.deferred = s.deferral(wire::get_deferred(out));
    for (const auto& o : out.imported_resources()) {
      Subject of =
          subject(c, Methods::kImport, Mode::Managed, Symbol(wire::clean_text(o.type_name())), r.diags);
      if (!of.schema) continue;
      ImportedObject object;
      object.type = of.type;
      object.state = of.object(o.state(), Value::null(of.schema->block.implied_type()));
      object.private_data = o.private_();
      object.identity = of.identity_value(o.has_identity(), o.identity());
      of.null_is_invalid(object.state, "the imported object");
      r.objects.push_back(std::move(object));
    }
    return r;
  }

  GenerateConfigResponse generate_config(const CallContext& c, Symbol type,
                                         const Value& object) const override {
    GenerateConfigResponse r;
    Subject s = subject(c, Methods::kGenerate, Mode::Managed, type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    r.config = Value::null(t);
    typename P::GenerateResourceConfig::Request in;
    typename P::GenerateResourceConfig::Response out;
    in.set_type_name(std::string(type.sv()));
    wire::put_value(in.mutable_state(), object, t);
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.config = s.object(out.config(), Value::null(t));
    s.null_is_invalid(r.config, "the configuration");
    return r;
  }

  UpgradeResponse move(const CallContext& c, const MoveStateRequest& q) const override {
    UpgradeResponse r;
    Subject s = subject(c, Methods::kMove, Mode::Managed, q.target_type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    r.state = Value::null(t);
    typename P::MoveResourceState::Request in;
    typename P::MoveResourceState::Response out;
    in.set_source_provider_address(q.source_provider.text());
    in.set_source_type_name(std::string(q.source_type.sv()));
    in.set_source_schema_version(static_cast<int64_t>(q.source_version));
    in.mutable_source_state()->set_json(std::string(q.source_json));
    in.set_source_private(q.source_private);
    if (!q.source_identity_json.empty()) {
      in.mutable_source_identity()->set_json(std::string(q.source_identity_json));
      in.set_source_identity_schema_version(static_cast<int64_t>(q.source_identity_version));
    }
    in.set_target_type_name(std::string(q.target_type.sv()));
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.state = s.object(out.target_state(), Value::null(t));
    r.private_data = out.target_private();
    r.identity = s.identity_value(out.has_target_identity(), out.target_identity());
    s.null_is_invalid(r.state, "the moved object");
    return r;
  }

  ReadDataResponse read_data(const CallContext& c, const ReadDataRequest& q) const override {
    ReadDataResponse r;
    Subject s = subject(c, Methods::kReadData, Mode::Data, q.type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    r.state = Value::null(t);
    typename P::ReadDataSource::Request in;
    typename P::ReadDataSource::Response out;
    in.set_type_name(std::string(q.type.sv()));
    wire::put_value(in.mutable_config(), q.config, t);
    put_meta(c, q.provider_meta, in);
    allow(c, in);
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.deferred = s.deferral(wire::get_deferred(out));
    r.state = s.object(out.state(), Value::null(t));
    return r;
  }

  OpenEphemeralResponse open_ephemeral(const CallContext& c, Symbol type,
                                       const Value& config) const override {
    OpenEphemeralResponse r;
    Subject s = subject(c, Methods::kOpen, Mode::Ephemeral, type, r.diags);
    if (!s.schema) return r;
    Type t = s.schema->block.implied_type();
    r.result = Value::null(t);
    typename P::OpenEphemeralResource::Request in;
    typename P::OpenEphemeralResource::Response out;
    in.set_type_name(std::string(type.sv()));
    wire::put_value(in.mutable_config(), config, t);
    allow(c, in);
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.deferred = s.deferral(wire::get_deferred(out));
    r.result = s.object(out.result(), Value::null(t));
    if (r.deferred == Deferral::None) s.null_is_invalid(r.result, "the result");
    r.private_data = out.private_();
    if (out.has_renew_at()) r.renew_at_unix = out.renew_at().seconds();
    return r;
  }

  OpenEphemeralResponse renew_ephemeral(const CallContext& c, Symbol type,
                                        const std::string& private_data) const override {
    OpenEphemeralResponse r;
    Subject s = subject(c, Methods::kRenew, Mode::Ephemeral, type, r.diags);
    if (!s.schema) return r;
    typename P::RenewEphemeralResource::Request in;
    typename P::RenewEphemeralResource::Response out;
    in.set_type_name(std::string(type.sv()));
    in.set_private_(private_data);
    if (!s.send(in, out)) return r;
    wire::get_diags(out.diagnostics(), r.diags);
    r.private_data = out.private_();
    if (out.has_renew_at()) r.renew_at_unix = out.renew_at().seconds();
    return r;
  }

  ProviderDiags close_ephemeral(const CallContext& c, Symbol type,
                                const std::string& private_data) const override {
    ProviderDiags diags;
    Subject s = subject(c, Methods::kClose, Mode::Ephemeral, type, diags);
    if (!s.schema) return diags;
    typename P::CloseEphemeralResource::Request in;
    typename P::CloseEphemeralResource::Response out;
    in.set_type_name(std::string(type.sv()));
    in.set_private_(private_data);
    if (s.send(in, out)) wire::get_diags(out.diagnostics(), diags);
    return diags;
  }

  FunctionResponse call_function(const CallContext& c, Symbol name,
                                 const std::vector<Value>& arguments) const override {
    FunctionResponse r;
    const schema::FunctionSignature* f = nullptr;
    for (const auto& [known, signature] : c.schema->functions)
      if (known == name) f = &signature;
    if (!f) {
      r.error = fmt::format("provider {} has no function \"{}\"", c.addr.display(), name.sv());
      return r;
    }
    typename P::CallFunction::Request in;
    typename P::CallFunction::Response out;
    in.set_name(std::string(name.sv()));
    for (size_t i = 0; i < arguments.size(); ++i) {
      const schema::FunctionParameter* p = i < f->params.size() ? &f->params[i] : f->variadic.get();
      if (!p) {
        r.error =
            fmt::format("{} arguments were passed, but it takes {}", arguments.size(), f->params.size());
        return r;
      }
      wire::put_value(in.add_arguments(), arguments[i], p->type);
    }
    CallStatus status = c.session.call(Methods::kFunction, in, out);
    if (!status.ok()) {
      r.error = c.session.problem(Methods::kFunction, fmt::format("function {}", name.sv()), status).detail;
      return r;
    }
    r.result = Value::null(f->returns);
    if (out.has_error()) {
      r.error = wire::clean_text(out.error().text());
      if (r.error.empty()) r.error = "the provider did not give a reason";
      if (out.error().has_function_argument()) {
        int64_t at = out.error().function_argument();
        if (at >= 0 && at < static_cast<int64_t>(arguments.size())) r.argument = at;
      }
      return r;
    }
    ProviderDiags diags;
    Subject s{c, Methods::kFunction, {}, nullptr, nullptr, diags};
    r.result = s.value(out.result(), f->returns, r.result);
    if (!wire::has_value(out.result())) s.invalid("there is no result");
    if (!diags.empty()) r.error = diags.front().detail;
    return r;
  }

  void stop(Session& s) const override {
    typename P::Stop::Response out;
    s.call_stop(Methods::kStop, typename P::Stop::Request(), out);
  }

 private:
  static bool append(std::string& out, const google::protobuf::MessageLite& m) {
    google::protobuf::io::StringOutputStream stream(&out);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    return m.SerializeToCodedStream(&coded);
  }
  static Subject subject(const CallContext& c, const char* method, Mode mode, Symbol type,
                         ProviderDiags& diags) {
    Subject s{c, method, type, c.schema->find(mode, type), nullptr, diags};
    if (!s.schema) s.invalid(fmt::format("its schema has no type \"{}\"", type.sv()));
    if (mode == Mode::Managed) s.identity = c.schema->find_identity(type);
    return s;
  }
  template <class In>
  static void allow(const CallContext& c, In& in) {
    in.mutable_client_capabilities()->set_deferral_allowed(c.deferral_allowed);
    in.mutable_client_capabilities()->set_write_only_attributes_allowed(true);
    in.mutable_client_capabilities()->set_store_planned_private(true);
  }
  template <class In>
  static void put_meta(const CallContext& c, const Value& meta, In& in) {
    if (!meta.is_null())
      wire::put_value(in.mutable_provider_meta(), meta, c.schema->provider_meta.block.implied_type());
  }
};

}  // namespace

const Calls& Calls::of(int protocol) {
  static const ProtocolCalls<wire::P5, Methods5> five;
  static const ProtocolCalls<wire::P6, Methods6> six;
  if (protocol == 5) return five;
  return six;
}

}  // namespace xplan::plugin
