// kit::Provider: a provider made of declared resources, data sources, ephemeral resources and functions. The
// same object runs inside the engine (it is an xplan::Provider) and as a plugin program (see server.h).
//
// Who calls it: authors derive from it or fill one; the engine or the server calls it. Invariant: everything
// is added before the first call of schema(); nothing afterwards. Cost: calls go straight to the resource.
// Thread-safety: as xplan::Provider; on_configure runs before anything but validation and functions.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/provider/kit/context.h"
#include "core/provider/kit/resource.h"

namespace xplan::kit {

struct About;
struct FunctionAbout;
class Call;

struct ConfigureResult {
  ProviderDiags diags;
  // With a reason (and where deferral is allowed) every resource and data source is deferred without being
  // asked: for a configuration that is not known yet.
  Deferral deferred = Deferral::None;
};

class Provider : public xplan::Provider {
 public:
  void set_config(Schema s, std::function<ConfigureResult(const ConfigureRequest&)> on_configure,
                  std::function<void(const Value& config, ProviderDiags&)> validate = {});
  void set_provider_meta(Schema s);
  void add(std::string_view type, std::unique_ptr<Resource> r);
  void add(std::string_view type, std::unique_ptr<DataSource> d);
  void add(std::string_view type, std::unique_ptr<Ephemeral> e);
  void add(std::string_view name, Function f);
  // Typed ones, see typed.h: p.add<Notes>("notes_note", arguments of its constructor…).
  template <class R, class... A>
  void add(std::string_view type, A&&... arguments);
  template <class C>
  void set_config(const About& about, std::function<void(C& config, Call& call)> configure);
  template <class F>
  void add_function(std::string_view name, const FunctionAbout& about, F&& f);
  // Running calls are told of a stop anyway, see context.h.
  void on_stop(std::function<void()> f) { on_stop_ = std::move(f); }
  // As declared, for the documentation; null: there is none of this name.
  const Schema& declared_config() const { return config_; }
  const Schema* declared(Mode mode, Symbol type) const;

  const schema::ProviderSchemaPtr& schema() const override;
  ProviderDiags validate_provider(const Value& config) override;
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override;
  ProviderDiags configure(const ConfigureRequest& r) override;
  UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                          const std::vector<std::pair<std::string, std::string>>& flat) override;
  ReadResponse read(const ReadRequest& r) override;
  PlanResponse plan(const PlanRequest& r) override;
  ApplyResponse apply(const ApplyRequest& r) override;
  UpgradeIdentityResponse upgrade_identity(Symbol type, uint64_t version, std::string_view json) override;
  ImportResponse import(const ImportRequest& r) override;
  UpgradeResponse move(const MoveStateRequest& r) override;
  ReadDataResponse read_data(const ReadDataRequest& r) override;
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) override;
  OpenEphemeralResponse renew_ephemeral(Symbol type, const std::string& private_data) override;
  ProviderDiags close_ephemeral(Symbol type, const std::string& private_data) override;
  FunctionResponse call_function(Symbol name, const std::vector<Value>& arguments) override;
  bool plans_destroy() const override { return true; }
  void stop() override;

 private:
  template <class T>
  struct Entry {
    std::unique_ptr<T> impl;
    Schema schema;
  };
  template <class T>
  using Table = std::map<Symbol, Entry<T>, SymbolTextLess>;
  template <class T>
  Entry<T>* find(Table<T>& table, Symbol type, std::string_view what, ProviderDiags& diags) {
    schema();  // whoever calls first
    auto it = table.find(type);
    if (it != table.end()) return &it->second;
    no_such_type(type, what, diags);
    return nullptr;
  }
  static void no_such_type(Symbol type, std::string_view what, ProviderDiags& diags);
  template <class T>
  void freeze(Table<T>& table, const std::vector<std::pair<Symbol, schema::Schema>>& schemas) const;
  void freeze_all() const;
  Value identity_of(Symbol type, const Value& object) const;  // null: its objects have none

  Schema config_, provider_meta_;
  std::function<ConfigureResult(const ConfigureRequest&)> on_configure_;
  std::function<void(const Value&, ProviderDiags&)> validate_;
  std::function<void()> on_stop_;
  mutable Table<Resource> resources_;
  mutable Table<DataSource> data_;
  mutable Table<Ephemeral> ephemerals_;
  std::map<Symbol, Function, SymbolTextLess> functions_;
  mutable std::once_flag frozen_;
  mutable schema::ProviderSchemaPtr schema_;  // once frozen
  // Of the configuration, which other threads than that of the calls may have received.
  std::atomic<bool> deferral_allowed_ = false;
  std::atomic<Deferral> deferred_ = Deferral::None;  // everything, see ConfigureResult
  RunningCalls running_;
};

}  // namespace xplan::kit
