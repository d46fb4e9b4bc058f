// Finds who answers for a provider configuration, an object or a module in a run.
#include "core/test/stand_ins.h"

#include <algorithm>

#include "core/config/decode.h"
#include "core/eval/eval.h"

namespace xplan::test {
namespace {

using config::EndPoint;
using config::OverrideKind;

Value constant(const syntax::Expr* e) {
  Diagnostics known;  // reported when the file was read
  return e ? eval::evaluate_constant(*e, known) : Value();
}

// How many keys it names, if the instance has all of these: the more, the more exactly it is meant.
std::optional<int> fit(const EndPoint& e, const ModuleInstance& m) {
  int keys = 0;
  ModuleInstance at = m;
  for (size_t i = e.module_steps.size(); i-- > 0; at = at.parent()) {
    if (!e.module_step_has_key[i]) continue;
    if (!(at.key() == e.module_steps[i].second)) return std::nullopt;
    ++keys;
  }
  return keys;
}

template <class List, class Fit>
auto best(List& list, Fit fits) {
  decltype(list.data()) found = nullptr;
  int most = -1;
  for (auto& o : list)
    if (const std::optional<int> n = fits(o); n && *n > most) found = &o, most = *n;
  return found;
}

// All outputs that the module declares; null where the override gives none.
Value complete(const Value& given, const config::Module& m) {
  std::vector<std::pair<Symbol, Value>> attrs;
  for (const config::Output& o : m.outputs) {
    const Value* v = given.is_null()         ? nullptr
                     : given.type().is_map() ? given.find_key(o.name.sv())
                                             : given.find_attr(o.name.sv());
    attrs.emplace_back(o.name, v ? *v : Value());
  }
  return Value::object(std::move(attrs));
}

}  // namespace

StandIns::StandIns(ProviderFactory& real, const SourceTable& sources, const Loaded& loaded,
                   const config::TestRunBlock& run)
    : real_(real), sources_(sources) {
  add(run.overrides, *loaded.config);
  add(loaded.file.overrides, *loaded.config);
  add_mocks(loaded, run);
}

Answers StandIns::answers(const syntax::Expr* given, config::MadeUp known) const {
  return {constant(given), known, given ? config::place(sources_, given->range) : ""};
}

void StandIns::add(const std::vector<config::TestOverride>& overrides, const config::Config& config) {
  for (const config::TestOverride& o : overrides) {
    Answers a = answers(o.result, o.known);
    if (o.kind != OverrideKind::Module) {
      objects_[{o.target.module(), *o.target.resource}].push_back({&o, std::move(a)});
    } else if (const config::Node* n = config.find(o.target.module())) {
      a.values = complete(a.values, *n->module);
      modules_[n->path].push_back({&o, std::move(a)});
    }
  }
}

// By the names that the module has for them.
void StandIns::add_mocks(const Loaded& loaded, const config::TestRunBlock& run) {
  auto named = [&](const config::ProviderConfig& p, Symbol local_name, Symbol alias) {
    if (!run.providers) return p.local_name == local_name && p.alias == alias;
    return std::any_of(run.providers->begin(), run.providers->end(),
                       [&](const config::ModuleCall::Passed& x) {
                         return x.child.local_name == p.local_name && x.child.alias == p.alias &&
                                x.parent.local_name == local_name && x.parent.alias == alias;
                       });
  };
  for (const config::MockedProvider& m : loaded.file.mocks) {
    bool used = false;
    for (const config::ProviderConfig& p : loaded.config->root->module->providers) {
      if (!p.of_test || !named(p, m.local_name, m.alias)) continue;
      used = true;
      Mock& mock = mocks_[{Module(), p.provider, p.alias}];
      mock.others.known = m.known;
      for (const config::MockedType& t : m.types)
        mock.types.emplace(Resource{t.mode, t.type, {}}, answers(t.defaults, t.known));
    }
    if (used) add(m.overrides, *loaded.config);
  }
}

std::shared_ptr<Provider> StandIns::start_for(const ProviderConfigAddr& c, Diagnostics& diags) {
  std::shared_ptr<Provider> real = real_.start_for(c, diags);
  const auto it = mocks_.find(c.block());
  if (!real || it == mocks_.end()) return real;
  const Mock& mock = it->second;
  return std::make_shared<MockProvider>(std::move(real), [&mock](Mode mode, Symbol type) -> const Answers& {
    const auto found = mock.types.find(Resource{mode, type, {}});
    return found == mock.types.end() ? mock.others : found->second;
  });
}

Provider* StandIns::answering(const AbsInstance& a, Provider* started) {
  const auto it = objects_.find(a.config());
  if (!started || it == objects_.end()) return started;
  const Override* o = best(it->second, [&](const Override& x) -> std::optional<int> {
    const EndPoint& e = x.block->target;
    if (e.has_key && !(e.key == a.key)) return std::nullopt;
    const std::optional<int> n = fit(e, a.module);
    return n ? std::optional(*n + e.has_key) : n;
  });
  if (!o) return started;
  const std::lock_guard guard(lock_);
  std::unique_ptr<Provider>& stand_in = standing_in_[{o, started}];
  if (!stand_in)
    stand_in = std::make_unique<MockProvider>(
        std::shared_ptr<Provider>(started, [](Provider*) {}),  // which outlives the walk that asks
        [o](Mode, Symbol) -> const Answers& { return o->answers; }, MockProvider::Of::Object);
  return stand_in.get();
}

const Value* StandIns::outputs_of(const ModuleInstance& m) const {
  const auto it = modules_.find(m.module());
  if (it == modules_.end()) return nullptr;
  const Override* o = best(it->second, [&](const Override& x) { return fit(x.block->target, m); });
  return o ? &o->answers.values : nullptr;
}

}  // namespace xplan::test
