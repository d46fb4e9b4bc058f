// One provider address of the factory: its schema, and the sessions with its plugin.
//
// Who calls it: the factory (schemas, the end) and the Providers made by it (sessions). Contract: prepare()
// makes the schema available once, from the cache or from a started plugin, whose session then serves the
// first calls. A plugin is configured only once; its session then serves every
// Provider that is configured with an equal value (a plan and the apply after it, two aliases that say the
// same). A plugin that must be asked for its schema is asked (renew() does so before it is used, otherwise
// each start); when the answer is not what was cached, its schema depends on more than its bytes, and is
// never cached again. Calls that need no configuration share any session; when all have ended, one more is
// started. A plugin that cannot be started is tried once. Cost: sessions are few; finding one is a scan.
// Thread-safety: any thread.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/provider/plugin/plugin.h"
#include "core/provider/plugin/schema_cache.h"
#include "core/provider/plugin/session.h"
#include "core/provider/wire/capabilities.h"

namespace xplan::plugin {

class Entry {
 public:
  Entry(PluginProgram program, std::optional<Endpoint> attach, const PluginOptions& options);
  bool ready() const { return ready_.load(std::memory_order_acquire); }
  // before_start is called when a plugin has to be started for it. False: errors() says why.
  bool prepare(const std::function<void()>& before_start);
  // Whether the schema came from the cache, and belongs to those that are to be asked for.
  bool may_renew(config::Renew which);
  // Asks for it; true when it is another one, which schema() gives from then on. The old one lives for as
  // long as somebody holds it.
  bool renew();
  const ProviderDiags& problems() const { return problems_; }  // of prepare()
  ProviderDiags take_warnings();                               // the first time only

  const PluginProgram& program() const { return program_; }
  const PluginOptions& options() const { return options_; }
  const schema::ProviderSchemaPtr& schema() const { return schema_; }
  const wire::Capabilities& capabilities() const { return capabilities_; }

  // For a call without configuration; null: `diags` says why.
  std::shared_ptr<Session> any(ProviderDiags& diags);
  // For this configuration; `configured` is set when the session has been configured with it before.
  std::shared_ptr<Session> claim(const Value& config, bool deferral_allowed, bool& configured,
                                 ProviderDiags& diags);
  void set_configured(Session& s, const Value& config, bool deferral_allowed, bool failed);
  void give_back(const std::shared_ptr<Session>& s);
  void end_all(int grace_millis);

 private:
  void load_schema(const std::function<void()>& before_start);
  bool take_schema(const CachedSchema& s);  // false: it is not a schema, and the one in use stays
  enum class Use { Schema, Any, Configured };
  std::shared_ptr<Session> open(Use use, ProviderDiags& diags);
  bool ask_schema(Session& s, ProviderDiags& diags);
  std::shared_ptr<Session> alive() const;  // any; with mutex_ held

  const PluginProgram program_;
  const std::optional<Endpoint> attach_;
  const PluginOptions options_;
  SchemaCache cache_;

  std::mutex prepare_mutex_, any_mutex_;  // held for as long as a start takes
  std::atomic<bool> ready_{false}, warned_{false};
  schema::ProviderSchemaPtr schema_;
  wire::Capabilities capabilities_;
  ProviderDiags problems_;
  std::optional<size_t> cached_;  // a hash of the cached schema, when that is in use

  std::mutex mutex_;  // guards what follows, and the sessions' owner's fields
  std::vector<std::shared_ptr<Session>> sessions_;
  std::optional<ProviderDiag> not_startable_;
  bool outdated_ = false;  // which is why
  bool replaced_ = false;  // one was started in place of those that have ended, for any()
};

}  // namespace xplan::plugin
