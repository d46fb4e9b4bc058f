// The provider factory for plugins (plugin.h): looks up the entry of an address, loads schemas of all
// required plugins at the same time, and attaches to providers named by TF_REATTACH_PROVIDERS.
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/base/threads.h"
#include "core/provider/plugin/entry.h"
#include "core/provider/plugin/instance.h"
#include "core/provider/plugin/plugin.h"
#include "core/provider/plugin/reattach.h"

namespace xplan {
namespace plugin {
namespace {

const char* reattach_text() {
  const char* v = std::getenv("TF_REATTACH_PROVIDERS");
  return v && *v ? v : nullptr;
}

void malformed(const std::string& why, Diagnostics& diags) {
  diags.error(
      "Invalid environment variable",
      fmt::format("The value of TF_REATTACH_PROVIDERS cannot be used: {}. Set it to what the provider "
                  "printed when it was started for debugging, or unset it.",
                  why));
}

void report(const ProviderDiags& found, Diagnostics& diags) {
  for (const ProviderDiag& d : found)
    d.severity == Severity::Error ? diags.error(d.summary, d.detail) : diags.warn(d.summary, d.detail);
}

class PluginFactory : public ProviderFactory {
 public:
  PluginFactory(std::vector<PluginProgram> programs, PluginOptions options)
      : options_(std::move(options)), builtin_(make_builtin_factory()) {
    if (const char* text = reattach_text()) {
      if (Result<Reattached> r = parse_reattach(text)) {
        for (auto& [addr, endpoint] : *r) add({addr, "", "", false}, std::move(endpoint));
      } else {
        malformed_ = r.error().message;
      }
    }
    for (PluginProgram& p : programs) add(std::move(p), std::nullopt);
  }

  ~PluginFactory() override {
    for (std::thread& t : ahead_)
      if (t.joinable()) t.join();
    std::vector<std::shared_ptr<Entry>> all;
    for (auto& [key, e] : entries_) all.push_back(e);
    run_concurrently(all.size(), [&](size_t i) { all[i]->end_all(options_.shutdown_millis); });
  }

  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.is_builtin()) return builtin_->start(p, diags);
    if (!malformed_.empty()) {
      malformed(malformed_, diags);
      return nullptr;
    }
    auto it = entries_.find(key(p));
    if (it == entries_.end()) {
      diags.error("Required plugins are not installed",
                  fmt::format("Provider {} is required, but no plugin for it is installed in this working "
                              "directory. To install the required providers, run:\n  xplan init",
                              p.text()));
      return nullptr;
    }
    std::shared_ptr<Entry> e = it->second;
    bool usable = e->prepare([&] { prepare_others(e); });
    if (!usable) {
      report(e->problems(), diags);
      return nullptr;
    }
    report(e->take_warnings(), diags);
    return make_instance(std::move(e));
  }

  bool renew_schemas(config::Renew which) override {
    std::vector<std::future<bool>> asked;  // programs may have to be started, so all at the same time
    for (auto& [k, e] : entries_)
      if (e->may_renew(which))
        asked.push_back(std::async(std::launch::async, [e = e] { return e->renew(); }));
    bool any = false;
    for (std::future<bool>& f : asked) any |= f.get();
    return any;
  }

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  static Key key(const ProviderAddr& a) { return {a.host.id(), a.ns.id(), a.type.id()}; }

  void add(PluginProgram p, std::optional<Endpoint> attach) {
    Key k = key(p.addr);
    entries_.try_emplace(k, std::make_shared<Entry>(std::move(p), std::move(attach), options_));
  }
  // The schemas of all programs that the configuration needs are asked for at the same time.
  void prepare_others(const std::shared_ptr<Entry>& except) {
    if (ahead_started_.exchange(true)) return;
    for (auto& [k, e] : entries_)
      if (e != except && e->program().required && !e->ready())
        ahead_.push_back(optional_thread([e = e] { e->prepare([] {}); }));
  }

  const PluginOptions options_;
  std::unique_ptr<ProviderFactory> builtin_;
  std::map<Key, std::shared_ptr<Entry>> entries_;  // filled by the constructor alone
  std::string malformed_;
  std::atomic<bool> ahead_started_{false};
  std::vector<std::thread> ahead_;
};

}  // namespace
}  // namespace plugin

std::unique_ptr<ProviderFactory> make_plugin_factory(std::vector<PluginProgram> programs,
                                                     PluginOptions options) {
  return std::make_unique<plugin::PluginFactory>(std::move(programs), std::move(options));
}

std::vector<ProviderAddr> reattached_providers(Diagnostics& diags) {
  std::vector<ProviderAddr> out;
  const char* text = plugin::reattach_text();
  Result<plugin::Reattached> r = plugin::parse_reattach(text ? text : "{}");
  if (!r) return plugin::malformed(r.error().message, diags), out;
  for (auto& [addr, endpoint] : *r) out.push_back(addr);
  return out;
}

}  // namespace xplan
