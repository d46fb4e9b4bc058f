// The untyped resources behind typed.h, and functions.
//
// Who calls it: kit::Provider::add, through untyped(). Contract and cost: see typed.h. Thread-safety: the
// same.
#pragma once
#include <memory>
#include <tuple>

#include "core/provider/kit/typed.h"

namespace xplan::kit {

Value known_part(const Value& v);  // the value with nulls for what is unknown

// Runs f(object, call) on the object that `from` is, and gives what becomes of it to `out`.
template <Model S, class F>
void run_typed(const Value& from, const Value& config, const Value& meta, StateResponse& out, F&& f) {
  std::optional<S> object = from_value<S>(from, out.diags);
  if (!object) return;
  Call call(out.context, out.diags, out.private_data);
  call.config = config, call.provider_meta = meta;
  guarded(out.context, out.diags, [&] { f(*object, call); });
  out.deferred = call.deferred;
  const bool failed = has_errors(out.diags);
  if (call.is_gone() && !failed)
    out.state = Value::null(from.type());
  else if (!failed)
    out.state = to_value(*object);
  else if (call.kept())
    out.state = known_part(to_value(*object));
}

template <class R, class S = typename R::Object>
class UntypedResource final : public Resource {
 public:
  explicit UntypedResource(std::unique_ptr<R> r) : r_(std::move(r)), upgrades_(r_->upgrades()) {}
  Schema schema() const override { return schema_of<S>(r_->about(), upgrades_.version()); }
  Identity identity() const override { return r_->identity(); }
  void create(const ChangeRequest& q, StateResponse& out) override {
    run_typed<S>(q.planned, q.config, q.provider_meta, out, [&](S& o, Call& c) { r_->create(o, c); });
  }
  void read(const Value& current, const Value& meta, StateResponse& out) override {
    run_typed<S>(current, Value(), meta, out, [&](S& o, Call& c) { r_->read(o, c); });
  }
  void update(const ChangeRequest& q, StateResponse& out) override {
    std::optional<S> prior = from_value<S>(q.prior, out.diags);
    if (!prior) return;
    run_typed<S>(q.planned, q.config, q.provider_meta, out, [&](S& o, Call& c) { r_->update(o, *prior, c); });
  }
  void remove(const ChangeRequest& q, StateResponse& out) override {
    run_typed<S>(q.prior, Value(), q.provider_meta, out, [&](S& o, Call& c) { r_->remove(o, c); });
  }
  void import(const std::string& id, ImportResult& out) override {
    StateResponse s{out.state, out.private_data, {}, Deferral::None, out.context};
    S object{};
    Call call(s.context, s.diags, s.private_data);
    guarded(s.context, s.diags, [&] { r_->import(id, object, call); });
    if (!has_errors(s.diags)) out.state = to_value(object);
    out.private_data = std::move(s.private_data), out.diags = std::move(s.diags),
    out.deferred = call.deferred;
  }
  void validate(const Value& config, ProviderDiags& diags) override { r_->validate(config, diags); }
  void modify_plan(const ModifyPlanRequest& q, ModifyPlanResponse& out) override { r_->modify_plan(q, out); }
  Value upgrade(uint64_t version, std::string_view json, ProviderDiags& diags) override {
    if (!upgrades_.knows(version)) return Resource::upgrade(version, json, diags);
    return upgrades_.run(version, json, diags);
  }

 private:
  std::unique_ptr<R> r_;
  Upgrades<S> upgrades_;
};

template <class R, class S = typename R::Object>
class UntypedDataSource final : public DataSource {
 public:
  explicit UntypedDataSource(std::unique_ptr<R> r) : r_(std::move(r)) {}
  Schema schema() const override { return schema_of<S>(r_->about()); }
  void read(const Value& config, const Value& meta, StateResponse& out) override {
    run_typed<S>(config, config, meta, out, [&](S& o, Call& c) { r_->read(o, c); });
  }

 private:
  std::unique_ptr<R> r_;
};

template <class R, class S = typename R::Object>
class UntypedEphemeral final : public Ephemeral {
 public:
  explicit UntypedEphemeral(std::unique_ptr<R> r) : r_(std::move(r)) {}
  Schema schema() const override { return schema_of<S>(r_->about()); }
  void open(const Value& config, EphemeralResult& out) override {
    std::optional<S> object = from_value<S>(config, out.diags);
    if (!object) return;
    Call call(out.context, out.diags, out.private_data);
    call.config = config;
    r_->open(*object, call);
    out.result = to_value(*object);
    out.renew_at_unix = call.renew_at_unix, out.deferred = call.deferred;
  }
  void renew(EphemeralResult& out) override {
    Call call(out.context, out.diags, out.private_data);
    r_->renew(call);
    out.renew_at_unix = call.renew_at_unix;
  }
  void close(const PrivateData& data, ProviderDiags& diags) override {
    PrivateData copy = data;
    Call call(Context(), diags, copy);
    r_->close(call);
  }

 private:
  std::unique_ptr<R> r_;
};

template <class R, class... A>
void Provider::add(std::string_view type, A&&... arguments) {
  using S = typename R::Object;
  auto r = std::make_unique<R>(std::forward<A>(arguments)...);
  if constexpr (std::derived_from<R, ResourceOf<S>>)
    add(type, std::unique_ptr<Resource>(std::make_unique<UntypedResource<R>>(std::move(r))));
  else if constexpr (std::derived_from<R, DataSourceOf<S>>)
    add(type, std::unique_ptr<DataSource>(std::make_unique<UntypedDataSource<R>>(std::move(r))));
  else
    add(type, std::unique_ptr<Ephemeral>(std::make_unique<UntypedEphemeral<R>>(std::move(r))));
}

template <class C>
void Provider::set_config(const About& about, std::function<void(C& config, Call& call)> configure) {
  set_config(schema_of<C>(about), [configure](const ConfigureRequest& r) {
    ConfigureResult out;
    PrivateData none;
    std::optional<C> config = from_value<C>(r.config, out.diags);
    if (!config) return out;
    Call call(Context(), out.diags, none);
    call.config = r.config;
    configure(*config, call);
    out.deferred = call.deferred;
    return out;
  });
}

template <class R, class... A, size_t... I>
Function function_of(std::function<R(A...)> f, const FunctionAbout& about, std::index_sequence<I...>) {
  Function out;
  (out.signature.params.push_back(
       {I < about.parameters.size() ? about.parameters[I] : "arg" + std::to_string(I + 1),
        Codec<std::decay_t<A>>::type()}),
   ...);
  out.signature.returns = Codec<R>::type();
  out.signature.summary = about.summary, out.signature.description = about.description;
  out.run = [f]([[maybe_unused]] const std::vector<Value>& arguments) -> FunctionResponse {
    std::tuple<std::decay_t<A>...> values;
    ProviderDiags diags;
    Reader reader{diags};
    int64_t wrong = -1;
    ((wrong < 0 && !Codec<std::decay_t<A>>::read(arguments.at(I), std::get<I>(values), reader)
          ? void(wrong = static_cast<int64_t>(I))
          : void()),
     ...);
    if (wrong >= 0) return {Value(), diags[0].detail, wrong};
    return {Codec<R>::write(std::apply(f, std::move(values))), "", -1};
  };
  return out;
}
template <class F>
void Provider::add_function(std::string_view name, const FunctionAbout& about, F&& f) {
  auto make = [&]<class R, class... A>(std::function<R(A...)> g) {
    add(name, function_of(std::move(g), about, std::index_sequence_for<A...>()));
  };
  make(std::function(std::forward<F>(f)));
}

}  // namespace xplan::kit
