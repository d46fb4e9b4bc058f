// The Provider that the engine calls: each method picks the session (its own after configure(), a shared one
// before) and forwards to calls.cc.
#include "core/provider/plugin/instance.h"

#include <mutex>

#include "core/provider/plugin/calls.h"

namespace xplan::plugin {
namespace {

class Instance : public Provider {
  std::shared_ptr<Session> own() {
    std::lock_guard lock(mutex_);
    return own_;
  }
  CallContext context(Session& s) {
    std::lock_guard lock(mutex_);
    return {s, entry_->program().addr, entry_->schema(), deferral_allowed_};
  }
  static ProviderDiags& diags_of(ProviderDiags& r) { return r; }
  template <class R>
  static ProviderDiags& diags_of(R& r) {
    return r.diags;
  }

  // Makes the call on the own session or a shared one; without any, the answer is the reason.
  template <class F>
  auto with(F call) {
    ProviderDiags problems;
    std::shared_ptr<Session> s = own();
    if (!s) s = entry_->any(problems);
    using R = decltype(call(Calls::of(6), context(*s)));
    if (s) return call(Calls::of(s->protocol()), context(*s));
    R r{};
    if constexpr (std::is_same_v<R, FunctionResponse>)
      r.error = problems.empty() ? "" : problems.front().detail;
    else
      diags_of(r) = std::move(problems);
    return r;
  }

 public:
  explicit Instance(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
  ~Instance() override {
    if (own_) entry_->give_back(own_);
  }

  const schema::ProviderSchemaPtr& schema() const override { return entry_->schema(); }
  bool plans_destroy() const override { return entry_->capabilities().plan_destroy; }

  ProviderDiags validate_provider(const Value& config) override {
    return with([&](const Calls& p, const CallContext& c) { return p.validate_provider(c, config); });
  }
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override {
    return with(
        [&](const Calls& p, const CallContext& c) { return p.validate_resource(c, mode, type, config); });
  }
  ProviderDiags configure(const ConfigureRequest& r) override {
    ProviderDiags diags;
    bool configured = false;
    std::shared_ptr<Session> s = own();
    if (!s) s = entry_->claim(r.config, r.deferral_allowed, configured, diags);
    if (!s) return diags;
    {
      std::lock_guard lock(mutex_);
      own_ = s;
      deferral_allowed_ = r.deferral_allowed;
    }
    if (configured) return diags;
    CallContext c = context(*s);
    ProviderDiags answer = Calls::of(s->protocol()).configure(c, r.config, entry_->options().core_version);
    entry_->set_configured(*s, r.config, r.deferral_allowed, has_errors(answer));
    for (ProviderDiag& d : answer) diags.push_back(std::move(d));
    return diags;
  }
  UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                          const std::vector<std::pair<std::string, std::string>>& flat) override {
    return with(
        [&](const Calls& p, const CallContext& c) { return p.upgrade(c, type, version, raw_json, flat); });
  }
  ReadResponse read(const ReadRequest& r) override {
    ReadResponse out = with([&](const Calls& p, const CallContext& c) { return p.read(c, r); });
    if (out.new_state.type().is_dynamic() && has_errors(out.diags)) out.new_state = r.current;
    return out;
  }
  PlanResponse plan(const PlanRequest& r) override {
    return with([&](const Calls& p, const CallContext& c) { return p.plan(c, r); });
  }
  ApplyResponse apply(const ApplyRequest& r) override {
    return with([&](const Calls& p, const CallContext& c) { return p.apply(c, r); });
  }
  UpgradeIdentityResponse upgrade_identity(Symbol type, uint64_t version, std::string_view json) override {
    return with(
        [&](const Calls& p, const CallContext& c) { return p.upgrade_identity(c, type, version, json); });
  }
  ImportResponse import(const ImportRequest& r) override {
    return with([&](const Calls& p, const CallContext& c) { return p.import(c, r); });
  }
  bool generates_config() const override { return entry_->capabilities().generate_config; }
  GenerateConfigResponse generate_config(Symbol type, const Value& object) override {
    return with([&](const Calls& p, const CallContext& c) { return p.generate_config(c, type, object); });
  }
  UpgradeResponse move(const MoveStateRequest& r) override {
    return with([&](const Calls& p, const CallContext& c) { return p.move(c, r); });
  }
  ReadDataResponse read_data(const ReadDataRequest& r) override {
    return with([&](const Calls& p, const CallContext& c) { return p.read_data(c, r); });
  }
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) override {
    return with([&](const Calls& p, const CallContext& c) { return p.open_ephemeral(c, type, config); });
  }
  OpenEphemeralResponse renew_ephemeral(Symbol type, const std::string& data) override {
    return with([&](const Calls& p, const CallContext& c) { return p.renew_ephemeral(c, type, data); });
  }
  ProviderDiags close_ephemeral(Symbol type, const std::string& data) override {
    return with([&](const Calls& p, const CallContext& c) { return p.close_ephemeral(c, type, data); });
  }
  FunctionResponse call_function(Symbol name, const std::vector<Value>& arguments) override {
    return with([&](const Calls& p, const CallContext& c) { return p.call_function(c, name, arguments); });
  }
  void stop() override {
    std::shared_ptr<Session> s = own();
    if (!s) return;
    s->stopped = true;
    Calls::of(s->protocol()).stop(*s);
  }

 private:
  const std::shared_ptr<Entry> entry_;
  std::mutex mutex_;
  std::shared_ptr<Session> own_;
  bool deferral_allowed_ = false;
};

}  // namespace

std::shared_ptr<Provider> make_instance(std::shared_ptr<Entry> entry) {
  return std::make_shared<Instance>(std::move(entry));
}

}  // namespace xplan::plugin
