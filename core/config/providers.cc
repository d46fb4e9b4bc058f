#include "core/config/providers.h"

#include <algorithm>

#include "core/config/decode.h"

namespace xplan::config {

Symbol implied_local_name(Symbol type) {
  const std::string_view s = type.sv();
  return Symbol(s.substr(0, s.find('_')));
}

ProviderAddr provider_of(const Module& m, Symbol local_name) {
  for (const RequiredProvider& r : m.required_providers) {
    if (r.local_name == local_name) return r.provider;
  }
  return default_provider(local_name);
}

namespace {

std::string ref_text(const ProviderRef& r) {
  std::string out(r.local_name.sv());
  if (!r.alias.empty()) out += "." + std::string(r.alias.sv());
  return out;
}

const RequiredProvider* required(const Module& m, Symbol local_name) {
  for (const RequiredProvider& r : m.required_providers) {
    if (r.local_name == local_name) return &r;
  }
  return nullptr;
}

// A configuration block, or an alias that callers pass.
const ProviderConfig* configured(const Module& m, const ProviderAddr& p, Symbol alias) {
  for (const ProviderConfig& c : m.providers) {
    if (c.provider == p && c.alias == alias) return &c;
  }
  return nullptr;
}
bool expects_alias(const Module& m, const ProviderAddr& p, Symbol alias) {
  for (const RequiredProvider& r : m.required_providers) {
    if (r.provider != p) continue;
    if (std::find(r.configuration_aliases.begin(), r.configuration_aliases.end(), alias) !=
        r.configuration_aliases.end()) {
      return true;
    }
  }
  return false;
}

// An empty block in a called module only says "I am given one": a form of the past.
bool is_placeholder(const ProviderConfig& c) {
  if (!c.version_constraint.empty()) return false;
  const syntax::Body& b = c.block->body;
  if (!b.is_json()) {
    return b.blocks.empty() && std::all_of(b.attributes.begin(), b.attributes.end(),
                                           [](const syntax::Attribute& a) { return a.name.sv() == "alias"; });
  }
  for (const JsonNode* o : b.objects) {
    for (const JsonMember& m : o->members) {
      if (m.key != "alias" && m.key != "//") return false;
    }
  }
  return true;
}

bool has_settings(const Module& m) {
  return std::any_of(m.providers.begin(), m.providers.end(),
                     [](const ProviderConfig& c) { return !is_placeholder(c); });
}

class Resolver {
 public:
  Resolver(Config& c, SourceTable& s, Diagnostics& d) : config_(c), sources_(s), diags_(d) {}

  void run() {
    for (Node* n : config_.nodes) {
      if (n->parent) {
        check_passing(*n);
        check_blocks(*n);
      }
      n->resource_providers.reserve(n->module->resources.size());
      std::unordered_map<std::string, ProviderConfigAddr> seen;
      for (const Resource& r : n->module->resources) {
        const Symbol alias = r.provider_ref ? r.provider_ref->alias : Symbol();
        auto [it, fresh] = seen.try_emplace(r.provider.text() + " " + std::string(alias.sv()));
        if (fresh) it->second = find(*n, r, alias);
        n->resource_providers.push_back(it->second);
      }
    }
  }

 private:
  // Only the first node of a module reports what is wrong with the module itself.
  bool first(const Node& n) { return reported_.insert({n.module, true}).second; }

  ProviderConfigAddr find(const Node& start, const Resource& r, Symbol alias) {
    const Node* n = &start;
    const ProviderAddr& p = r.provider;
    for (;;) {
      const ModuleCall::Passed* passed = n->parent ? passed_to(*n, p, alias) : nullptr;
      if (passed) {
        alias = passed->parent.alias;
        n = n->parent;
        continue;
      }
      if (configured(*n->module, p, alias)) {
        // An empty block without anything passed stands for the configuration above.
        if (!(n->parent && alias.empty() && is_placeholder(*configured(*n->module, p, alias))))
          return {n->path, p, alias};
      } else if (!alias.empty()) {
        // A declared alias that was not passed is reported at the call.
        if (!(n->parent && expects_alias(*n->module, p, alias))) missing(start, *n, r, alias);
        return {n->path, p, alias};
      }
      if (!n->parent) return {n->path, p, alias};
      n = n->parent;
    }
  }

  void missing(const Node& start, const Node& where, const Resource& r, Symbol alias) {
    if (&start != &where) return;  // the wrong reference is in the providers argument, reported there
    const Range range = r.provider_ref ? r.provider_ref->range : r.range;
    if (!missing_.insert({range.begin, true}).second) return;
    std::vector<std::string> texts;
    for (const ProviderConfig& c : where.module->providers) {
      if (!c.alias.empty()) texts.push_back(std::string(c.local_name.sv()) + "." + std::string(c.alias.sv()));
    }
    std::vector<std::string_view> names(texts.begin(), texts.end());
    const std::string wanted = ref_text(*r.provider_ref);
    diags_.error(
        "Missing provider configuration",
        r.addr.text() + " uses the provider configuration " + wanted +
            ", which this module does not declare." + suggestion(wanted, names) + " Declare a provider " +
            quoted(r.provider_ref->local_name.sv()) + " block with alias = " + quoted(alias.sv()) +
            (start.parent ? ", or list it in configuration_aliases and let the caller pass it." : "."),
        range);
  }

  static const ModuleCall::Passed* passed_to(const Node& n, const ProviderAddr& p, Symbol alias) {
    for (const ModuleCall::Passed& x : n.call->providers) {
      if (x.child.alias == alias && provider_of(*n.module, x.child.local_name) == p) return &x;
    }
    return nullptr;
  }

  void check_passing(const Node& n) {
    // Calls of one module from several nodes say the same thing every time.
    if (!checked_calls_.insert({n.call, true}).second) return;
    const Module &child = *n.module, &parent = *n.parent->module;
    const std::string child_text = quoted(n.call->name.sv());
    for (const ModuleCall::Passed& x : n.call->providers) {
      const ProviderAddr to = provider_of(child, x.child.local_name),
                         from = provider_of(parent, x.parent.local_name);
      if (!required(child, x.child.local_name) && !configured(child, to, x.child.alias)) {
        diags_.warn("Undeclared provider",
                    "The module " + child_text + " has no entry for the provider " +
                        quoted(x.child.local_name.sv()) +
                        " in its required_providers, so it is taken to be " + to.display() +
                        ". Add an entry for it to the module.",
                    x.child.range);
      } else if (!x.child.alias.empty() && !expects_alias(child, to, x.child.alias) &&
                 !configured(child, to, x.child.alias)) {
        diags_.error("Undeclared provider configuration",
                     "The module " + child_text + " does not expect a provider configuration " +
                         ref_text(x.child) + ". It would have to list it in configuration_aliases.",
                     x.child.range);
      }
      if (to != from) {
        diags_.error("Provider mismatch",
                     ref_text(x.parent) + " is a configuration of " + from.display() + ", but " +
                         ref_text(x.child) + " in module " + child_text + " is one of " + to.display() +
                         ". Only a configuration of the same provider can be passed.",
                     x.parent.range);
        continue;
      }
      if (const ProviderConfig* own = configured(child, to, x.child.alias); own && !is_placeholder(*own)) {
        diags_.error("Conflicting provider configurations",
                     "The module " + child_text + " configures " + ref_text(x.child) + " itself, at " +
                         place(sources_, own->range) + ", so none can be passed for it.",
                     x.child.range);
      }
      if (!x.parent.alias.empty() && !configured(parent, from, x.parent.alias) &&
          !expects_alias(parent, from, x.parent.alias)) {
        std::vector<std::string> texts;
        for (const ProviderConfig& c : parent.providers) {
          if (!c.alias.empty())
            texts.push_back(std::string(c.local_name.sv()) + "." + std::string(c.alias.sv()));
        }
        std::vector<std::string_view> names(texts.begin(), texts.end());
        diags_.error("Missing provider configuration",
                     "The provider configuration " + ref_text(x.parent) + " is not declared in this module." +
                         suggestion(ref_text(x.parent), names),
                     x.parent.range);
      }
    }
    for (const RequiredProvider& r : child.required_providers) {
      for (Symbol alias : r.configuration_aliases) {
        if (passed_to(n, r.provider, alias)) continue;
        const std::string text = std::string(r.local_name.sv()) + "." + std::string(alias.sv());
        diags_.error("Missing provider configuration",
                     "The module " + child_text + " requires a configuration of " + r.provider.display() +
                         " under the name " + text + ". Add it to the call: providers = { " + text +
                         " = … }.",
                     n.call->range);
      }
    }
  }

  void check_blocks(const Node& n) {
    if (n.module->providers.empty()) return;
    std::string repeated;
    for (const Node* up = &n; up->parent && repeated.empty(); up = up->parent) {
      if (up->call->count)
        repeated = "count";
      else if (up->call->for_each)
        repeated = "for_each";
      else if (!up->call->depends_on.empty())
        repeated = "depends_on";
      if (!repeated.empty() && has_settings(*n.module) && repeated_reported_.emplace(n.module, true).second) {
        for (const ProviderConfig& c : n.module->providers) {
          if (is_placeholder(c)) continue;
          diags_.error(
              "Provider configuration in a module with " + repeated,
              "The module call " + quoted(up->call->name.sv()) + " at " + place(sources_, up->call->range) +
                  " uses " + quoted(repeated) +
                  ", so the modules below it cannot have provider configurations of their own. Configure the "
                  "provider above that call, and pass it with the argument \"providers\".",
              c.range);
        }
      }
    }
    if (!first(n)) return;
    for (const ProviderConfig& c : n.module->providers) {
      if (!is_placeholder(c)) continue;
      diags_.warn("Empty provider block in a called module",
                  "This block only says that the module is given a configuration of " +
                      quoted(c.local_name.sv()) +
                      " by its caller. Remove it, and say so in required_providers" +
                      (c.alias.empty() ? std::string(".") : " with configuration_aliases."),
                  c.range);
    }
  }

  Config& config_;
  SourceTable& sources_;
  Diagnostics& diags_;
  std::unordered_map<const Module*, bool> reported_, repeated_reported_;
  std::unordered_map<const ModuleCall*, bool> checked_calls_;
  std::unordered_map<uint32_t, bool> missing_;
};

}  // namespace

void resolve_providers(Config& config, SourceTable& sources, Diagnostics& diags) {
  Resolver(config, sources, diags).run();
}

}  // namespace xplan::config
