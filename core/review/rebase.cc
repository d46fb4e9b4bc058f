// Compares what a plan started from with the present state, and puts the plan on top of that.
#include "core/review/rebase.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/base/text.h"
#include "core/review/attributes.h"
#include "core/review/read_set.h"
#include "core/review/summary.h"
#include "core/value/json.h"

namespace xplan::review {
namespace {

const InstanceState kAbsent;

bool same_attributes(const Object& a, const Object& b) {
  if (a.value && b.value) return a.value->unmark_deep().raw_equal(b.value->unmark_deep());
  auto text = [](const Object& o) {
    return o.value ? to_json_as(*o.value, o.value->type()) : std::string(o.attributes_json);
  };
  if (!a.value && !b.value && a.attributes_json == b.attributes_json)
    return a.attributes_flat == b.attributes_flat;
  const Result<Value> x = parse_json(text(a)), y = parse_json(text(b));
  return x && y && x->raw_equal(*y) && a.attributes_flat == b.attributes_flat;
}

bool same_object(const ObjectPtr& a, const ObjectPtr& b) {
  if (a == b) return true;
  if (!a || !b) return false;
  auto identity = [](const Object& o) { return o.identity ? o.identity->json : std::string(); };
  return a->status == b->status && a->schema_version == b->schema_version &&
         a->private_data == b->private_data && static_cast<const RecordedLifecycle&>(*a) == *b &&
         identity(*a) == identity(*b) && same_dependencies(*a, *b) && same_attributes(*a, *b);
}

// What has happened to an object with the same attributes.
std::string beside_attributes(const Object& then, const Object& now) {
  if (then.status != now.status)
    return now.status == ObjectStatus::Tainted ? " is now tainted" : " is no longer tainted";
  if (!same_dependencies(then, now)) return " now has different dependencies in the state";
  if (then.create_before_destroy != now.create_before_destroy)
    return " now has a different create_before_destroy in the state";
  return " has changed since then";
}

bool same_instance(const InstanceState& a, const InstanceState& b) {
  return same_object(a.current, b.current) &&
         std::equal(a.deposed.begin(), a.deposed.end(), b.deposed.begin(), b.deposed.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && same_object(x.second, y.second);
                    });
}

const InstanceState& instance_in(const State& s, const AbsInstance& a) {
  const InstanceState* found = s.find(a);
  return found ? *found : kAbsent;
}

// Every instance that one of the states has, once.
template <class F>
void each_instance(std::initializer_list<const State*> states, F f) {
  std::unordered_set<AbsInstance> seen;
  for (const State* s : states)
    for (const auto& [addr, r] : s->resources)
      for (const auto& [key, instance] : r.instances)
        if (const AbsInstance a{addr.module, addr.resource, key}; seen.insert(a).second) f(a);
}

class Rebasing {
 public:
  Rebasing(const Plan& plan, const config::Config& config, const State& present)
      : plan_(plan), config_(config), present_(present), read_(plan, config) {
    for (const ResourceChange& c : plan.changes) {
      if (!acts(c)) continue;
      acting_.insert(c.addr), acting_.insert(c.prev_addr);
      resources_.insert(c.addr.abs_resource());
      const Action a = c.change.action;
      if (a == Action::Delete || a == Action::Forget || is_replace(a)) ending_.insert(c.addr.config());
    }
  }

  std::vector<std::string> obstacles() {
    each_instance({&plan_.prev_run_state, &present_}, [&](const AbsInstance& a) { look_at(a); });
    for (const AbsResource& r : resources_) look_at(r);
    look_at_imports();
    for (const OutputChange& o : plan_.outputs)
      if (o.change.action != Action::NoOp) look_at(o);
    for (const eval::FileRead& f : plan_.file_reads) look_at(f);
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

  // The present state, with what planning found out of all that has stayed as it was.
  State moved_on() const {
    State out = present_;
    each_instance({&plan_.prev_run_state, &plan_.prior_state}, [&](const AbsInstance& a) {
      const InstanceState& then = instance_in(plan_.prev_run_state, a);
      if (!same_instance(then, instance_in(present_, a))) return;
      const InstanceState* refreshed = plan_.prior_state.find(a);
      if (!refreshed || refreshed->empty()) {
        out.remove(a);
        out.erase_if_empty(a);
        return;
      }
      out.ensure(a, plan_.prior_state.resources.at(a.abs_resource()).provider) = *refreshed;
    });
    return out;
  }

 private:
  // What it was when the plan was made: as stored, or as refreshed.
  bool is_as_planned(const AbsInstance& a) const {
    const InstanceState& now = instance_in(present_, a);
    return same_instance(now, instance_in(plan_.prev_run_state, a)) ||
           same_instance(now, instance_in(plan_.prior_state, a));
  }

  // Applying evaluates functions once more.
  void look_at(const eval::FileRead& f) {
    if (eval::digest_now(f, ".") == f.digest) return;
    const std::string path = in_quotes(f.path);
    if (f.kind == eval::FileRead::Kind::Names)
      found_.push_back("the files that match " + in_quotes(f.pattern) + " are not the same as before");
    else
      found_.push_back("the file " + path +
                       (f.digest.empty() ? " was created since then" : " has changed since then"));
  }

  void look_at(const AbsInstance& a) {
    if (is_as_planned(a)) return;
    const InstanceState& now = instance_in(present_, a);
    if (acting_.contains(a)) {
      found_.push_back(a.text() + what_happened(a) + ", and the plan changes it");
      return;
    }
    if (now.current && now.current->dependencies)
      for (const ConfigResource& d : *now.current->dependencies)
        if (ending_.contains(d))
          found_.push_back(
              fmt::format("{}{}, and depends on {}, which the plan destroys, replaces or forgets", a.text(),
                          what_happened(a), d.text()));
    if (const std::vector<Reading>* readings = read_.find(a)) compare(a, *readings);
  }

  // " was created since then", " no longer exists", " now has a different input.size"
  std::string what_happened(const AbsInstance& a) const {
    const ObjectPtr &then = instance_in(plan_.prior_state, a).current,
                    &now = instance_in(present_, a).current;
    if (!then && !now) return " has changed since then";
    if (!then) return " was created since then";
    if (!now) return " no longer exists";
    const std::optional<Value> x = value_of(a, *then), y = value_of(a, *now);
    const auto changed = x && y ? different_attributes(*x, *y) : std::vector<ChangedAttribute>();
    if (changed.empty()) return beside_attributes(*then, *now);
    if (changed[0].path.empty()) return " has changed since then";
    return fmt::format(" now has a different {}{}", path_text(changed[0].path).substr(1),
                       changed.size() > 1 ? fmt::format(" (and {} more change{})", changed.size() - 1,
                                                        changed.size() == 2 ? "" : "s")
                                          : "");
  }

  void compare(const AbsInstance& a, const std::vector<Reading>& readings) {
    const ObjectPtr &then = instance_in(plan_.prior_state, a).current,
                    &now = instance_in(present_, a).current;
    const std::optional<Value> x = then ? value_of(a, *then) : Value(), y = now ? value_of(a, *now) : Value();
    std::unordered_set<std::string> told;
    for (const Reading& r : readings) {
      if (r.has_key && !(r.key == a.key)) continue;
      if (!then || !now || !x || !y) {
        if (told.insert("").second) found_.push_back(a.text() + what_happened(a) + ", and the plan read it");
        continue;
      }
      const Value before = path_get(*x, r.path).value_or(Value()),
                  after = path_get(*y, r.path).value_or(Value());
      for (const ChangedAttribute& c : different_attributes(before, after)) {
        const std::string name = a.text() + path_text(r.path) + (c.path.empty() ? "" : path_text(c.path));
        if (told.insert(name).second) found_.push_back(name + values_text(c));
      }
    }
  }

  static std::string values_text(const ChangedAttribute& c) {
    auto text = [](const Value& v) { return v.is_null() ? "null" : to_json(v); };
    if (c.before.contains_marks() || c.after.contains_marks())
      return " now has a different (sensitive) value, and the plan read the old one";
    const std::string before = text(c.before), after = text(c.after);
    return before.size() + after.size() > 100
               ? " now has a different value, and the plan read the old one"
               : fmt::format(" was {} when the plan read it, and is now {}", before, after);
  }

  std::optional<Value> value_of(const AbsInstance& a, const Object& o) const {
    const config::Resource* r = config_.find(a.config());
    const ResourceChange* c = plan_.find(a);
    const schema::Schema* s = r && r->schema ? r->schema.get() : c ? c->schema.get() : nullptr;
    std::optional<Value> v = o.value;
    if (!v) {
      if (!s || o.schema_version != static_cast<uint64_t>(s->version)) return std::nullopt;
      Result<Value> parsed = parse_json_as(o.attributes_json, s->block.implied_type(), true, true);
      if (!parsed) return std::nullopt;
      std::vector<PathMarks> marks = o.sensitive_paths;
      v = mark_at_paths(*parsed, marks);
    }
    return schema::mark_sensitive(*v, s);
  }

  void look_at(const AbsResource& r) {
    const auto then = plan_.prev_run_state.resources.find(r), now = present_.resources.find(r);
    if (then == plan_.prev_run_state.resources.end() || now == present_.resources.end()) return;
    bool same = then->second.provider == now->second.provider;
    for (const auto& [key, instance] : then->second.instances)
      if (const auto i = now->second.instances.find(key); same && i != now->second.instances.end())
        same = i->second.provider_key == instance.provider_key;
    if (!same)
      found_.push_back(r.text() +
                       " now has a different provider configuration, and the plan changes this resource");
  }

  // What is imported must not have got another address. No schema is needed to tell: the object may be one
  // that the configuration does not have.
  void look_at_imports() {
    std::unordered_map<std::string, const ResourceChange*> imports;
    std::unordered_set<Symbol> types;
    for (const ResourceChange& c : plan_.changes) {
      if (!c.change.importing) continue;
      const std::string id = id_of(&c.change.before);
      imports.emplace(import_key(c.addr.resource.type, id.empty() ? c.change.import_id : id), &c);
      types.insert(c.addr.resource.type);
    }
    for (const auto& [addr, r] : present_.resources) {
      if (addr.resource.mode != Mode::Managed || !types.contains(addr.resource.type)) continue;
      for (const auto& [key, instance] : r.instances) {
        const std::string id = id_of(instance.current);
        const auto i = imports.find(import_key(addr.resource.type, id));
        const AbsInstance a{addr.module, addr.resource, key};
        if (id.empty() || i == imports.end() || a == i->second->addr) continue;
        if (id_of(instance_in(plan_.prev_run_state, a).current) == id) continue;
        found_.push_back(fmt::format("{} is now the object that the plan imports as {}", a.text(),
                                     i->second->addr.text()));
      }
    }
  }

  static std::string import_key(Symbol type, const std::string& id) {
    return std::string(type.sv()) + "\n" + id;
  }

  // As JSON has it without quotes; "": it has none.
  static std::string id_of(const Value* v) {
    const Value* id = v && v->kind() == Kind::Obj ? v->find_attr("id") : nullptr;
    if (!id) return {};
    const Value plain = id->unmark_deep();
    if (plain.is_string()) return std::string(plain.as_string());
    return plain.is_null() || !plain.is_wholly_known() ? std::string() : to_json(plain);
  }
  static std::string id_of(const ObjectPtr& o) {
    if (!o) return {};
    const Result<Value> v = o->value ? Result<Value>(*o->value) : parse_json(o->attributes_json);
    return v ? id_of(&*v) : std::string();
  }

  void look_at(const OutputChange& o) {
    const auto then = plan_.prev_run_state.outputs.find(o.name), now = present_.outputs.find(o.name);
    const bool had = then != plan_.prev_run_state.outputs.end(), has = now != present_.outputs.end();
    if (had == has && (!had || (then->second.value.raw_equal(now->second.value) &&
                                then->second.sensitive == now->second.sensitive)))
      return;
    found_.push_back(fmt::format("output.{} has changed since then, and the plan changes it", o.name.sv()));
  }

  const Plan& plan_;
  const config::Config& config_;
  const State& present_;
  const ReadSet read_;
  std::unordered_set<AbsInstance> acting_;
  std::unordered_set<AbsResource> resources_;  // of these
  std::unordered_set<ConfigResource> ending_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> rebase(Plan& plan, const config::Config& config, const State& present) {
  if (plan.prev_run_state.lineage != present.lineage && !plan.prev_run_state.lineage.empty())
    return {"this is a different state, with another lineage"};
  Rebasing r(plan, config, present);
  std::vector<std::string> found = r.obstacles();
  if (!found.empty()) return found;
  plan.prior_state = r.moved_on();
  plan.prev_run_state = present;
  return {};
}

}  // namespace xplan::review
