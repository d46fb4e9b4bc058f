// World: module instances and their value slots, objects of modules and resources as expressions see them,
// function tables per module; and ModuleScope, which resolves references against it.
#include "core/plan/world.h"
#include "core/plan/given.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "core/base/check.h"
#include "core/config/functions.h"
#include "core/plan/provider_functions.h"
#include "core/plan/stopper.h"

namespace xplan {

using config::RefKind;

std::optional<size_t> Expanded::index_of(const InstanceKey& k) const {
  auto at = std::lower_bound(instances.begin(), instances.end(), k,
                             [](const Repetition& r, const InstanceKey& key) { return less(r.key, key); });
  if (at == instances.end() || !(at->key == k)) return std::nullopt;
  return static_cast<size_t>(at - instances.begin());
}

void ResourceSlot::fill(std::vector<Value> values) {
  XPLAN_CHECK(!filled_);
  XPLAN_CHECK(seen().kind == Expansion::Unknown || values.size() == seen().instances.size());
  values_ = std::move(values);
  filled_ = true;
}

void ResourceSlot::fill(Expanded instances, std::vector<Value> values) {
  actual_ = std::move(instances);
  fill(std::move(values));
}

const Value& ResourceSlot::whole() const {
  std::call_once(once_, [this] {
    switch (kind()) {
      case Expansion::Unknown:
        whole_ = Value::unknown();
        break;
      case Expansion::Single:
        if (values_.empty()) {  // declared so: disabled; else only the state has none
          whole_ = actual_ ? Value::unknown() : Value::null(Type::dynamic());
          break;
        }
        whole_ = values_[0];
        break;
      case Expansion::Count:
        whole_ = Value::tuple(values_);
        break;
      case Expansion::ForEach: {
        std::vector<std::pair<Symbol, Value>> attrs;
        attrs.reserve(values_.size());
        for (size_t i = 0; i < values_.size(); ++i)
          attrs.emplace_back(seen().instances[i].key.string, values_[i]);
        whole_ = Value::object(std::move(attrs));
      }
    }
  });
  return whole_;
}

const Value* ResourceSlot::find(const InstanceKey& k) const {
  if (!filled_) return nullptr;
  std::optional<size_t> at = seen().index_of(k);
  return at ? &values_[*at] : nullptr;
}

StateInstances state_instances(Expansion kind, const ResourceState* state) {
  constexpr InstanceKey::Kind kKinds[] = {InstanceKey::Kind::None, InstanceKey::Kind::Int,
                                          InstanceKey::Kind::String};
  const InstanceKey::Kind wanted = kKinds[static_cast<size_t>(kind)];
  StateInstances out{{kind, {}}, {}};
  auto add = [&](const InstanceKey& key, const InstanceState* instance) {
    out.instances.instances.push_back({key, Value()});
    out.states.push_back(instance);
  };
  if (!state) return out;
  for (const auto& [key, instance] : state->instances) {
    if (!instance.current || key.kind != wanted) continue;
    if (kind == Expansion::Count && key.number >= kMaxInstances) continue;
    while (kind == Expansion::Count && static_cast<int64_t>(out.states.size()) < key.number)
      add(InstanceKey::of(static_cast<int64_t>(out.states.size())), nullptr);
    add(key, &instance);
  }
  return out;
}

Expanded present_instances(const Expanded& declared, const std::function<bool(const InstanceKey&)>& present) {
  if (declared.kind == Expansion::Single) return declared;
  Expanded out{declared.kind, {}};
  size_t end = 0;  // of counted ones
  for (size_t i = 0; i < declared.instances.size(); ++i) {
    if (!present(declared.instances[i].key)) continue;
    end = i + 1;
    if (declared.kind == Expansion::ForEach) out.instances.push_back(declared.instances[i]);
  }
  if (declared.kind == Expansion::Count)
    out.instances.assign(declared.instances.begin(),
                         declared.instances.begin() + static_cast<ptrdiff_t>(end));
  return out;
}

const Repetition& Filling::instance(uint32_t resource, uint32_t i) const {
  return actual ? actual->instances[i] : module->resources[resource].declared.instances[i];
}

void Filling::finish(uint32_t resource) {
  ResourceSlot& slot = module->resources[resource];
  actual ? slot.fill(std::move(*actual), std::move(values)) : slot.fill(std::move(values));
}

World::World(const config::Config& c, Operation o) : config(c), op(o) {
  for (const config::Node* n : c.nodes) instances[n];
  root_ = make(c.root.get(), nullptr, ModuleInstance(), {});
  instances.at(c.root.get()).push_back(root_);
}

World::~World() = default;

ModuleInst* World::make(const config::Node* n, ModuleInst* parent, ModuleInstance addr, Repetition r) {
  std::lock_guard guard(lock_);
  ModuleInst& m = storage_.emplace_back();
  m.node = n, m.parent = parent, m.addr = addr, m.repetition = std::move(r);
  const config::Module& mod = *n->module;
  m.variables.resize(mod.variables.size(), Value::unknown());
  m.locals.resize(mod.locals.size(), Value::unknown());
  m.outputs.resize(mod.outputs.size(), Value::unknown());
  m.resources.resize(mod.resources.size());
  m.calls.resize(mod.calls.size());
  by_addr_.emplace(addr.id(), &m);
  return &m;
}

bool World::expand_call(ModuleInst& parent, uint32_t call, Expanded expanded) {
  const config::Node* child = parent.node->children[call].get();
  CallSlot& slot = parent.calls[call];
  auto& all = instances.at(child);
  if (op == Operation::Validate && expanded.kind != Expansion::Single) {
    // One instance stands for all: its inside is checked however many there will be.
    expanded = {Expansion::Unknown, {}};
    all.push_back(make(child, &parent, parent.addr.child(child->call->name, {}), {{}, Value::unknown()}));
  } else if (expanded.kind == Expansion::Unknown && op == Operation::Plan && deferral_allowed) {
    InstanceKey any = InstanceKey::unknown();
    all.push_back(make(child, &parent, parent.addr.child(child->call->name, any), {any, Value::unknown()}));
  }
  constexpr size_t kLook = 1024;  // whether to stop, after so many instances
  for (const Repetition& r : expanded.instances) {
    if (slot.instances.size() % kLook == kLook - 1 && stopping()) return false;
    const ModuleInstance addr = parent.addr.child(child->call->name, r.key);
    slot.instances.push_back(given_outputs(addr) ? nullptr : make(child, &parent, addr, r));
    if (slot.instances.back()) all.push_back(slot.instances.back());
  }
  slot.disabled = expanded.kind == Expansion::Single && expanded.instances.empty();
  slot.expanded = std::move(expanded);
  return true;
}

void World::report_stopped(const config::Node& n, Diagnostics& diags) const {
  diags.error("Evaluation was interrupted",
              "The run was stopped before all instances of this module were evaluated.",
              n.call ? n.call->range : Range());
}

bool World::room_for(size_t instances) {
  const auto most = static_cast<size_t>(kMaxInstances);
  if (instances <= most && instances_made_.fetch_add(instances) + instances <= most) return true;
  overfull_ = true;
  return false;
}

ModuleInst* World::find(ModuleInstance addr) const {
  if (addr.is_root()) return root_;
  std::lock_guard guard(lock_);  // others may be making some
  auto it = by_addr_.find(addr.id());
  return it == by_addr_.end() ? nullptr : it->second;
}

void World::add_check_problem(const std::string& check, const Diagnostics& problems) {
  std::lock_guard guard(lock_);
  for (const Diagnostic& d : problems.all()) check_problems_[check].push_back(d.summary + ": " + d.detail);
}

std::vector<std::string> World::check_problems(const std::string& check) const {
  std::lock_guard guard(lock_);
  auto it = check_problems_.find(check);
  return it == check_problems_.end() ? std::vector<std::string>() : it->second;
}

void World::register_functions(const std::function<void(eval::FunctionTable&)>& settings,
                               ProviderFactory& factory, Diagnostics& diags, AskProviders ask) {
  auto set_up = [&](eval::FunctionTable& t) {
    config::register_functions(t);
    t.stop = stop;
    settings(t);
  };
  set_up(functions);
  std::map<std::string, std::shared_ptr<Provider>> started;
  for (const auto& m : config.modules) {
    std::unique_ptr<eval::FunctionTable> own;
    auto table = [&]() -> eval::FunctionTable& {
      if (!own) {
        own = std::make_unique<eval::FunctionTable>();
        set_up(*own);
      }
      return *own;
    };
    for (const auto& rp : m->required_providers) {
      auto [it, fresh] = started.try_emplace(rp.provider.text());
      if (fresh) it->second = factory.start(rp.provider, diags);
      if (rp.provider.is_builtin() && rp.provider.type.sv() == "terraform")
        eval::register_builtin_provider_functions(table(), rp.local_name.sv());
      else if (it->second && !it->second->schema()->functions.empty())
        register_provider_functions(table(), rp.local_name.sv(), it->first, it->second, ask);
    }
    if (own) module_functions.emplace(m.get(), std::move(own));
  }
}

const eval::FunctionTable& World::functions_of(const config::Module* m) const {
  auto it = module_functions.find(m);
  return it == module_functions.end() ? functions : *it->second;
}

namespace {

Value outputs_object(const ModuleInst& m) {
  std::vector<std::pair<Symbol, Value>> attrs;
  const auto& outputs = m.node->module->outputs;
  for (size_t i = 0; i < outputs.size(); ++i) attrs.emplace_back(outputs[i].name, m.outputs[i]);
  return Value::object(std::move(attrs));
}

}  // namespace

const Value* World::given_outputs(const ModuleInstance& addr) const {
  const bool any = config.given && config.given->outputs_of && op != Operation::Validate;
  return any ? config.given->outputs_of(addr) : nullptr;
}

const Value& World::call_value(const ModuleInst& parent, uint32_t call) const {
  const CallSlot& slot = parent.calls[call];
  const Symbol name = parent.node->module->calls[call].name;
  auto outputs = [&](size_t i) {
    if (const ModuleInst* m = slot.instances[i]) return outputs_object(*m);
    return *given_outputs(parent.addr.child(name, slot.expanded.instances[i].key));
  };
  std::call_once(slot.once, [&] {
    switch (slot.expanded.kind) {
      case Expansion::Unknown:
        slot.whole = Value::unknown();
        break;
      case Expansion::Single:
        slot.whole = slot.disabled            ? Value::null(Type::dynamic())
                     : slot.instances.empty() ? Value::unknown()
                                              : outputs(0);
        break;
      case Expansion::Count: {
        std::vector<Value> items;
        for (size_t i = 0; i < slot.instances.size(); ++i) items.push_back(outputs(i));
        slot.whole = Value::tuple(std::move(items));
        break;
      }
      case Expansion::ForEach: {
        std::vector<std::pair<Symbol, Value>> attrs;
        for (size_t i = 0; i < slot.instances.size(); ++i)
          attrs.emplace_back(slot.expanded.instances[i].key.string, outputs(i));
        slot.whole = Value::object(std::move(attrs));
      }
    }
  });
  return slot.whole;
}

Value ModuleScope::of_resource(const config::Reference& ref, uint32_t& consumed) const {
  const ResourceSlot& slot = module_.resources[ref.index];
  if (slot.kind() == Expansion::Unknown) {
    consumed += ref.has_key;
    const bool opened = module_.node->module->resources[ref.index].addr.mode == Mode::Ephemeral;
    return opened ? Value::unknown().with_marks(kEphemeral) : Value::unknown();
  }
  if (ref.has_key && slot.kind() != Expansion::Single)
    if (const Value* v = slot.find(ref.key)) return ++consumed, *v;
  return slot.whole();
}

// One output of one instance without making the object of all of them: only that output need be ready.
Value ModuleScope::of_call(const config::Reference& ref, uint32_t& consumed) const {
  const CallSlot& slot = module_.calls[ref.index];
  if (!ref.output.empty() && slot.expanded.kind != Expansion::Unknown) {
    const config::Node* child = module_.node->children[ref.index].get();
    int out = child->module->find_output(ref.output);
    InstanceKey key = ref.has_key ? ref.key : InstanceKey();
    const ModuleInst* inst = world_.find(module_.addr.child(child->call->name, key));
    if (out >= 0 && inst) {
      consumed += ref.has_key ? 2 : 1;
      return inst->outputs[static_cast<size_t>(out)];
    }
  }
  return world_.call_value(module_, ref.index);
}

// count.index, each.key or each.value. Those of an import block have a number as a key, too.
Value ModuleScope::of_repetition(RefKind what) const {
  const InstanceKey key = repetition_ ? repetition_->key : InstanceKey();
  const bool is_number = key.kind == InstanceKey::Kind::Int,
             is_string = key.kind == InstanceKey::Kind::String;
  if (what == RefKind::EachValue) return is_number || is_string ? repetition_->each_value : Value::unknown();
  if (is_number) return Value::number(key.number);
  if (what == RefKind::CountIndex) return Value::unknown(Type::number());
  return is_string ? Value::string_nfc(key.string.sv()) : Value::unknown(Type::string());
}

Value ModuleScope::subject(const config::Reference& ref, const syntax::Traversal& t, uint32_t& consumed,
                           Diagnostics& diags) const {
  switch (ref.kind) {
    case RefKind::Variable:
      return module_.variables[ref.index];
    case RefKind::Local:
      return module_.locals[ref.index];
    case RefKind::Resource:
      return of_resource(ref, consumed);
    case RefKind::ModuleCall:
      return of_call(ref, consumed);
    case RefKind::CountIndex:
    case RefKind::EachKey:
    case RefKind::EachValue:
      return of_repetition(ref.kind);
    case RefKind::Self:
      if (self_) return *self_;
      diags.error("Invalid \"self\" reference", "There is no object here that \"self\" could refer to.",
                  t.range);
      return Value::unknown();
    case RefKind::PathModule:
      return Value::string(module_.node->module->dir);
    case RefKind::PathRoot:
      return Value::string(world_.root_dir);
    case RefKind::PathCwd:
      return Value::string(world_.cwd);
    case RefKind::Workspace:
      return Value::string(world_.workspace);
    case RefKind::Applying:
      if (world_.op == Operation::Validate) return Value::unknown(Type::boolean()).with_marks(kEphemeral);
      return Value::boolean(world_.applying).with_marks(kEphemeral);
    case RefKind::Given:
    case RefKind::Invalid:
      return Value::unknown();
  }
  return Value::unknown();
}

Value ModuleScope::resolve(const syntax::Traversal& t, Diagnostics& diags) const {
  if (t.bound == 0) {  // an expression that did not come from this module's files
    diags.error("Invalid reference", fmt::format("\"{}\" cannot be used here.", t.root.sv()), t.range);
    return Value::unknown();
  }
  const config::Reference& ref = module_.node->module->reference(t);
  if (ref.kind == RefKind::Given)
    return resolve_given(world_.config.given, static_cast<config::GivenName>(ref.index), t, diags);
  uint32_t consumed = ref.consumed;
  Value v = subject(ref, t, consumed, diags);
  if (consumed == t.steps.size()) return v;
  if (consumed > t.steps.size())  // a beginning of what was bound, too short to name anything
    return diags.error("Invalid reference",
                       fmt::format("\"{}\" alone does not refer to a value.", t.root.sv()), t.range),
           Value::unknown();
  std::span<const syntax::TraversalStep> rest = t.steps.subspan(consumed);
  if (!rest[0].is_attr && consumed == ref.consumed && has_instances(ref)) {
    const size_t errors = diags.error_count();
    syntax::Traversal whole = t;
    whole.steps = t.steps.first(consumed);
    v = eval::apply_instance_key(v, instances_of(whole), rest[0].index, rest[0].range, diags);
    if (diags.error_count() != errors) return Value::unknown();
    rest = rest.subspan(1);
  }
  return eval::apply_steps(std::move(v), rest, diags);
}

// By key, and it is known which.
bool ModuleScope::has_instances(const config::Reference& ref) const {
  auto keyed = [](Expansion e) { return e == Expansion::Count || e == Expansion::ForEach; };
  if (ref.kind == RefKind::Resource) return keyed(module_.resources[ref.index].kind());
  return ref.kind == RefKind::ModuleCall && keyed(module_.calls[ref.index].expanded.kind);
}

std::string ModuleScope::instances_of(const syntax::Traversal& t) const {
  if (t.bound == 0) return {};
  const config::Reference& ref = module_.node->module->reference(t);
  if (ref.consumed != t.steps.size() || !has_instances(ref)) return {};
  std::string out(t.root.sv());
  for (const syntax::TraversalStep& s : t.steps) out += "." + std::string(s.attr.sv());
  return out;
}

}  // namespace xplan
