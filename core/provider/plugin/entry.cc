// One installed plugin as the factory sees it: loads its schema (cache or running plugin), opens sessions,
// shares a configured one among equal configurations, renews an outdated schema, ends everything.
#include "core/provider/plugin/entry.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/threads.h"
#include "core/provider/plugin/calls.h"

namespace xplan::plugin {

Entry::Entry(PluginProgram program, std::optional<Endpoint> attach, const PluginOptions& options)
    : program_(std::move(program)),
      attach_(std::move(attach)),
      options_(options),
      cache_(!options.schema_cache || attach_ ? std::string()
             : options.cache_dir.empty()      ? SchemaCache::default_dir()
                                              : options.cache_dir),
      schema_(std::make_shared<schema::ProviderSchema>()) {}

bool Entry::prepare(const std::function<void()>& before_start) {
  if (!ready()) {
    std::lock_guard lock(prepare_mutex_);
    if (!ready()) {
      load_schema(before_start);
      ready_.store(true, std::memory_order_release);
    }
  }
  return !has_errors(problems_);
}

void Entry::load_schema(const std::function<void()>& before_start) {
  CachedSchema cached;
  if (cache_.load(program_.path, cached)) {
    if (take_schema(cached)) {
      cached_ = std::hash<std::string>()(cached.bytes);
      return;
    }
    problems_.clear();
  }
  before_start();
  std::shared_ptr<Session> s = open(Use::Schema, problems_);
  if (!s) return;
  const Calls& calls = Calls::of(s->protocol());
  cached.protocol = s->protocol();
  cached.bytes = calls.fetch_schema(*s, problems_);
  if (cached.bytes.empty()) {
    if (!has_errors(problems_))
      problems_.push_back({Severity::Error,
                           "Invalid provider schema",
                           fmt::format("The schema of provider {} is too large.", program_.addr.display()),
                           {}});
    return;
  }
  if (take_schema(cached)) cache_.save(program_.path, cached);
}

bool Entry::take_schema(const CachedSchema& s) {
  auto fresh = std::make_shared<schema::ProviderSchema>();
  wire::Capabilities capabilities;
  const bool good =
      Calls::of(s.protocol).parse_schema(s.bytes, *fresh, capabilities, problems_) && !has_errors(problems_);
  if (good) schema_ = std::move(fresh), capabilities_ = capabilities;
  return good;
}

bool Entry::may_renew(config::Renew which) {
  std::lock_guard lock(prepare_mutex_);
  if (!ready() || !cached_) return false;
  if (which == config::Renew::Unsettled) return !capabilities_.schema_optional;
  std::lock_guard sessions(mutex_);
  return which == config::Renew::All || outdated_ || !sessions_.empty();
}

bool Entry::renew() {
  std::lock_guard lock(prepare_mutex_);
  std::shared_ptr<Session> s;
  {
    std::lock_guard sessions(mutex_);
    if (outdated_) not_startable_.reset(), outdated_ = false;
    s = alive();
  }
  ProviderDiags ignored;  // what is wrong comes again with the first call that matters
  if (!s) s = open(Use::Schema, ignored);
  if (!s) return false;
  const Calls& calls = Calls::of(s->protocol());
  const std::string bytes = calls.fetch_schema(*s, ignored);
  if (bytes.empty() || has_errors(ignored)) return false;
  const bool same = std::hash<std::string>()(bytes) == *cached_;
  cached_.reset();
  if (same) return false;
  cache_.forbid(program_.path);
  problems_.clear();
  take_schema({s->protocol(), bytes});
  return true;
}

ProviderDiags Entry::take_warnings() {
  return warned_.exchange(true) ? ProviderDiags() : problems_;
}

std::shared_ptr<Session> Entry::open(Use use, ProviderDiags& diags) {
  {
    std::lock_guard lock(mutex_);
    if (not_startable_) return diags.push_back(*not_startable_), nullptr;
  }
  std::shared_ptr<Session> s;
  if (attach_) {
    s = Session::attach(program_.addr, *attach_, options_);
  } else if (auto opened = Session::open(program_, options_)) {
    s = std::move(*opened);
  } else {
    ProviderDiag d{Severity::Error,
                   "Failed to start a provider",
                   fmt::format("The plugin of provider {} cannot be used. {}", program_.addr.display(),
                               opened.error().message),
                   {}};
    std::lock_guard lock(mutex_);
    not_startable_ = d;
    diags.push_back(std::move(d));
    return nullptr;
  }
  if (use != Use::Schema && !capabilities_.schema_optional && !ask_schema(*s, diags)) return nullptr;
  std::lock_guard lock(mutex_);
  s->holders = use == Use::Configured;  // before anybody else sees it
  sessions_.push_back(s);
  return s;
}

bool Entry::ask_schema(Session& s, ProviderDiags& diags) {
  ProviderDiags own;
  std::string bytes = Calls::of(s.protocol()).fetch_schema(s, own);
  const bool outdated = !has_errors(own) && cached_ && std::hash<std::string>()(bytes) != *cached_;
  if (outdated) {
    cache_.forbid(program_.path);
    own.push_back({Severity::Error,
                   "Outdated provider schema",
                   fmt::format("The plugin of provider {} now has a different schema than when this command "
                               "started, so values of the earlier schema cannot be passed to it.",
                               program_.addr.display()),
                   {}});
  }
  if (!has_errors(own)) return true;
  {
    std::lock_guard lock(mutex_);
    not_startable_ = own.back();
    outdated_ = outdated;
  }
  for (ProviderDiag& d : own) diags.push_back(std::move(d));
  s.end(options_.shutdown_millis);
  return false;
}

std::shared_ptr<Session> Entry::any(ProviderDiags& diags) {
  std::lock_guard one_start(any_mutex_);
  {
    std::lock_guard lock(mutex_);
    if (std::shared_ptr<Session> s = alive()) return s;
    // A call that ends every plugin it is given must not start them for ever: the last one says why it ended.
    if (!sessions_.empty() && std::exchange(replaced_, true)) return sessions_.back();
  }
  return open(Use::Any, diags);
}

std::shared_ptr<Session> Entry::alive() const {
  for (const std::shared_ptr<Session>& s : sessions_)
    if (!s->dead()) return s;
  return nullptr;
}

std::shared_ptr<Session> Entry::claim(const Value& config, bool deferral_allowed, bool& configured,
                                      ProviderDiags& diags) {
  configured = false;
  {
    std::lock_guard lock(mutex_);
    std::shared_ptr<Session> found;
    for (const std::shared_ptr<Session>& s : sessions_) {
      if (s->stopped || s->dead()) continue;
      if (s->configured && s->deferral_allowed == deferral_allowed && s->config.raw_equal(config)) {
        found = s;
        break;
      }
      if (!found && !s->configured && s->holders == 0) found = s;
    }
    if (found) {
      configured = found->configured;
      ++found->holders;
      return found;
    }
  }
  return open(Use::Configured, diags);
}

void Entry::give_back(const std::shared_ptr<Session>& s) {
  std::lock_guard lock(mutex_);
  --s->holders;
}

void Entry::set_configured(Session& s, const Value& config, bool deferral_allowed, bool failed) {
  std::lock_guard lock(mutex_);
  s.configured = true;
  s.config = config;
  s.deferral_allowed = deferral_allowed;
  if (failed) s.stopped = true;
}

void Entry::end_all(int grace_millis) {
  std::vector<std::shared_ptr<Session>> all;
  {
    std::lock_guard lock(mutex_);
    all = sessions_;
  }
  run_concurrently(all.size(), [&](size_t i) { all[i]->end(grace_millis); });
}

}  // namespace xplan::plugin
