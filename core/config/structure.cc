// Checks of a module that need no schema and no other module: conditions, replace_triggered_by, destroy-time
// provisioners, removed vendor provisioners, settings that must be constant.
#include "core/config/structure.h"

#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::Traversal;

namespace {

using Traversals = std::vector<const Traversal*>;

Traversals traversals(const Expr* e) {
  Traversals out;
  if (e) syntax::collect_traversals(*e, out);
  return out;
}

std::string_view step_name(const Traversal& t, size_t i) {
  return i < t.steps.size() && t.steps[i].is_attr ? t.steps[i].attr.sv() : std::string_view();
}

bool is_repetition(const Traversal& t) {
  return (t.root.sv() == "count" && step_name(t, 0) == "index") ||
         (t.root.sv() == "each" && step_name(t, 0) == "key");
}

// Whether a reference to a resource goes as far as its name.
bool has_names(const Traversal& t) {
  const std::string_view root = t.root.sv();
  const bool prefixed = root == "data" || root == "ephemeral" || root == "resource";
  return is_repetition(t) || (!step_name(t, 0).empty() && (!prefixed || !step_name(t, 1).empty()));
}

class Checker {
 public:
  Checker(const Module& m, Diagnostics& diags) : m_(m), diags_(diags) {}

  void run() {
    for (const Variable& v : m_.variables) variable(v);
    for (const Output& o : m_.outputs) rules(o.preconditions);
    for (const Resource& r : m_.resources) {
      rules(r.preconditions, &r);
      rules(r.postconditions, &r, " Use self instead.");
      for (const Expr* e : r.replace_triggered_by) trigger(*e);
      provisioners(r.provisioners, r.connection);
    }
    for (const Removed& r : m_.removed) provisioners(r.provisioners, r.connection);
    for (const Check& c : m_.checks) rules(c.asserts);
    for (const Import& i : m_.imports) import(i);
  }

 private:
  void constant(const CheckRule& r) {
    if (!traversals(r.condition).empty()) return;
    diags_.error("Invalid condition",
                 "The condition does not refer to any object, so its result is always the same. It must "
                 "refer to at least one object of the configuration.",
                 r.condition->range);
  }

  void rules(const std::vector<CheckRule>& list, const Resource* owner = nullptr,
             std::string_view more = {}) {
    for (const CheckRule& r : list) {
      constant(r);
      if (!owner) continue;
      for (const Expr* e : {r.condition, r.error_message}) {
        for (const Traversal* t : traversals(e)) {
          if (!refers_to(*t, owner->addr)) continue;
          diags_.error("Self reference",
                       "The configuration of " + owner->addr.text() +
                           " cannot refer to the resource itself, because its values would be needed before "
                           "they exist." +
                           std::string(more),
                       t->range);
        }
      }
    }
  }

  void variable(const Variable& v) {
    for (const CheckRule& r : v.validations) {
      const Traversals used = traversals(r.condition);
      if (std::any_of(used.begin(), used.end(), [&](const Traversal* t) {
            return t->root.sv() == "var" && step_name(*t, 0) == v.name.sv();
          }))
        continue;
      diags_.error("Invalid condition",
                   "The condition must refer to var." + std::string(v.name.sv()) +
                       ", because its purpose is to test the value of that variable.",
                   r.condition->range);
    }
  }

  void trigger(const Expr& e) {
    int resources = 0;
    bool wrong = false;
    for (const Traversal* t : traversals(&e)) {
      const TriggerPart part = trigger_part(*t);
      resources += part == TriggerPart::Resource;
      if (part != TriggerPart::Other && has_names(*t)) continue;
      wrong = true;
      not_a_trigger(t->range, std::string(t->root.sv()) +
                                  (step_name(*t, 0).empty() ? "" : "." + std::string(step_name(*t, 0))) +
                                  " cannot trigger a replacement. ");
    }
    const bool quoted =
        e.kind == syntax::ExprKind::Template || (e.kind == syntax::ExprKind::Literal && e.value.is_string());
    if (resources == 0 && !wrong && quoted)
      diags_.error("Invalid replace_triggered_by",
                   "A string cannot trigger a replacement. Write the address without quotes.", e.range);
    else if (resources != 1 && !wrong)
      not_a_trigger(e.range, "");
  }
  void not_a_trigger(Range where, const std::string& what) {
    diags_.error(
        "Invalid replace_triggered_by",
        what +
            "Only managed resources, their instances and their attributes can trigger a replacement; in "
            "the brackets of an instance, count.index and each.key can be used. To trigger a "
            "replacement by another value, store it in a resource of type terraform_data.",
        where);
  }

  void provisioners(const std::vector<Provisioner>& list, const std::optional<syntax::Rest>& common) {
    bool any_destroy = false;
    for (const Provisioner& p : list) {
      any_destroy |= p.on_destroy;
      if (is_gone_provisioner(p.type)) {
        diags_.error(
            "Unknown provisioner type",
            "The provisioner " + in_quotes(p.type.sv()) +
                " no longer exists. Use local-exec, remote-exec or file, or prepare the machine image.",
            p.range);
      }
      if (!p.on_destroy) continue;
      Traversals others;
      if (const schema::Block* schema = provisioner_schema(p.type)) at_destroy(p.body, *schema, others);
      if (p.connection) at_destroy(*p.connection, connection_schema(), others);
      report_at_destroy(others);
    }
    // A connection that destroy-time provisioners share obeys their rule.
    if (!common || !any_destroy) return;
    Traversals others;
    at_destroy(*common, connection_schema(), others);
    report_at_destroy(others);
  }

  // Adds the references that may mean nothing any more when the provisioner runs.
  static void at_destroy(const syntax::Rest& body, const schema::Block& schema, Traversals& out) {
    Diagnostics reported_later;
    Traversals used;
    schema::collect_traversals(schema::take_apart(body, schema, reported_later), schema, used);
    for (const Traversal* t : used) {
      const std::string_view root = t->root.sv();
      if (!is_repetition(*t) && root != "self" && root != "path" && !names_product(root)) out.push_back(t);
    }
  }

  // One provisioner has one problem, whatever it refers to.
  void report_at_destroy(const Traversals& others) {
    if (others.empty()) return;
    std::vector<std::string> names;
    for (const Traversal* t : others) {
      std::string name(t->root.sv());
      if (!t->steps.empty() && t->steps[0].is_attr) name.append(".").append(t->steps[0].attr.sv());
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    constexpr size_t kShown = 5;
    std::string list = names[0];
    for (size_t i = 1; i < names.size() && i < kShown; ++i)
      list += (i + 1 == names.size() ? " and " : ", ") + names[i];
    if (names.size() > kShown) list += " and " + std::to_string(names.size() - kShown) + " more";
    diags_.error(
        "Invalid reference at destroy time",
        "This provisioner refers to " + list +
            ". A provisioner that runs when its resource is destroyed, and its connection, can use "
            "only self, count.index and each.key, because other objects may no longer exist by then. "
            "Store the values it needs in the resource itself, and refer to them with self.",
        others[0]->range);
  }

  void import(const Import& i) {
    if (!i.provider_ref) return;
    if (i.to_static.module_steps.empty()) {
      const int declared = m_.find_resource(*i.to_static.resource);
      if (declared < 0) return;
      const Resource& r = m_.resources[static_cast<size_t>(declared)];
      if (r.provider_ref && r.provider_ref->local_name == i.provider_ref->local_name &&
          r.provider_ref->alias == i.provider_ref->alias)
        return;
    }
    diags_.error("Unsupported argument",
                 "The argument \"provider\" is only for objects of this module whose configuration is to be "
                 "generated. The provider of " +
                     i.to_static.text() + " is set where the resource is declared.",
                 i.provider_ref->range);
  }

  const Module& m_;
  Diagnostics& diags_;
};

}  // namespace

bool refers_to(const Traversal& t, const xplan::Resource& r) {
  static constexpr std::string_view kPrefix[] = {"resource", "data", "ephemeral"};
  const std::string_view root = t.root.sv();
  const size_t mode = static_cast<size_t>(r.mode == Mode::Managed ? 0 : r.mode == Mode::Data ? 1 : 2);
  if (root == kPrefix[mode]) return step_name(t, 0) == r.type.sv() && step_name(t, 1) == r.name.sv();
  return mode == 0 && root == r.type.sv() && step_name(t, 0) == r.name.sv();
}

bool is_gone_provisioner(Symbol type) {
  static constexpr std::string_view kGone[] = {"chef", "habitat", "puppet", "salt-masterless"};
  return std::find(std::begin(kGone), std::end(kGone), type.sv()) != std::end(kGone);
}

TriggerPart trigger_part(const Traversal& t) {
  static constexpr std::string_view kOther[] = {"var", "local", "module", "path", "count", "each", "self"};
  if (is_repetition(t)) return TriggerPart::Repetition;
  return names_product(t.root.sv()) ||
                 std::find(std::begin(kOther), std::end(kOther), t.root.sv()) != std::end(kOther)
             ? TriggerPart::Other
             : TriggerPart::Resource;
}

void check_structure(const Module& m, Diagnostics& diags) {
  Checker(m, diags).run();
}

}  // namespace xplan::config
