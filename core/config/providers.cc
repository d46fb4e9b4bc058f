// From local names to providers: required_providers and implied names; for each resource of each module path
// the configuration block that it uses, found upwards through what calls pass. Reports providers that calls
// pass without need, or do not pass, or that are of another kind.
#include "core/config/providers.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/config/decode.h"
#include "core/config/provider_instances.h"

namespace xplan::config {

Symbol implied_local_name(Symbol type) {
  const std::string_view s = type.sv();
  return Symbol(ascii_lower(s.substr(0, s.find('_'))));
}

const RequiredProvider* required_provider(const Module& m, Symbol local_name) {
  for (const RequiredProvider& r : m.required_providers) {
    if (r.local_name == local_name) return &r;
  }
  return nullptr;
}

ProviderAddr provider_of(const Module& m, Symbol local_name) {
  const RequiredProvider* r = required_provider(m, local_name);
  return r ? r->provider : default_provider(local_name);
}

namespace {

std::string ref_text(const ProviderRef& r) {
  std::string out(r.local_name.sv());
  if (!r.alias.empty()) out += "." + std::string(r.alias.sv());
  return out;
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

// An empty block in a called module used to say "I am given one". Where none is given, it is a configuration
// of its own all the same, without arguments.
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

class Resolver {
 public:
  Resolver(Config& c, SourceTable& s, Diagnostics& structure, Diagnostics& d)
      : config_(c), sources_(s), structure_(structure), diags_(d), instances_(c, d) {}

  void run() {
    for (const std::unique_ptr<Module>& m : config_.modules) {
      for (ProviderConfig& p : m->providers) p.provider = provider_of(*m, p.local_name);
      for (Resource& r : m->resources) {
        r.provider =
            provider_of(*m, r.provider_ref ? r.provider_ref->local_name : implied_local_name(r.addr.type));
      }
    }
    for (Node* n : config_.nodes) {
      if (n->parent) {
        check_passing(*n);
        check_blocks(*n);
      }
      instances_.find(*n);
      choose(*n);
    }
  }

 private:
  struct Found {
    ProviderConfigAddr addr;
    Node::Choice choice;  // by a call
  };

  void choose(Node& n) {
    const std::vector<Resource>& resources = n.module->resources;
    n.resource_providers.reserve(resources.size());
    std::unordered_map<std::string, Found> seen;
    for (size_t i = 0; i < resources.size(); ++i) {
      const Resource& r = resources[i];
      const Symbol alias = r.provider_ref ? r.provider_ref->alias : Symbol();
      auto [it, fresh] = seen.try_emplace(r.provider.text() + " " + std::string(alias.sv()));
      if (fresh) it->second = find(n, r, alias);
      n.resource_providers.push_back(it->second.addr);
      if (fresh) use(it->second.addr);
      Node::Choice choice = it->second.choice;
      if (r.provider_ref) {
        const bool passed = n.parent && passed_to(n, r.provider, alias);
        const ProviderConfig* own = passed ? nullptr : configured(*n.module, r.provider, alias);
        if (passed || own) instances_.check(*r.provider_ref, own);
        if (!passed && r.provider_ref->has_key()) choice.ref = &*r.provider_ref;
      }
      if (!choice.ref) continue;
      n.provider_choices.resize(resources.size());
      n.provider_choices[i] = choice;
    }
  }

  void use(const ProviderConfigAddr& p) {
    const Node* home = config_.find(p.module);
    if (!home) return;
    for (ProviderConfig& c : home->module->providers)
      c.used |= c.provider == p.provider && c.alias == p.alias;
  }

  // Only the first node of a module reports what is wrong with the module itself.
  bool first(const Node& n) { return reported_.insert({n.module, true}).second; }

  Found find(const Node& start, const Resource& r, Symbol alias) {
    const Node* n = &start;
    Node::Choice choice;
    const ProviderAddr& p = r.provider;
    for (;; n = n->parent) {
      if (const ModuleCall::Passed* passed = n->parent ? passed_to(*n, p, alias) : nullptr) {
        alias = passed->parent.alias;
        if (passed->parent.has_key()) choice = {&passed->parent, n};
        continue;
      }
      if (!n->parent || configured(*n->module, p, alias) || !alias.empty()) break;
    }
    // A declared alias that was not passed is reported at the call.
    if (!alias.empty() && !configured(*n->module, p, alias) &&
        !(n->parent && expects_alias(*n->module, p, alias)))
      missing(start, *n, r, alias);
    return {{n->path, p, alias}, choice};
  }

  void missing(const Node& start, const Node& where, const Resource& r, Symbol alias) {
    if (&start != &where) return;  // the wrong reference is in the providers argument, reported there
    const Range range = r.provider_ref ? r.provider_ref->range : r.range;
    if (!missing_.insert({range.begin, true}).second) return;
    const std::vector<std::string> texts = aliases(*where.module);
    std::vector<std::string_view> names(texts.begin(), texts.end());
    const std::string wanted = ref_text(*r.provider_ref);
    diags_.error(
        "Missing provider configuration",
        r.addr.text() + " uses the provider configuration " + wanted +
            ", which this module does not declare. Declare a provider " +
            in_quotes(r.provider_ref->local_name.sv()) + " block with alias = " + in_quotes(alias.sv()) +
            (start.parent ? ", or list it in configuration_aliases and let the caller pass it." : ".") +
            suggestion(wanted, names),
        range);
  }

  static const ModuleCall::Passed* passed_to(const Node& n, const ProviderAddr& p, Symbol alias) {
    for (const ModuleCall::Passed& x : n.call->providers) {
      if (x.child.alias == alias && provider_of(*n.module, x.child.local_name) == p) return &x;
    }
    return nullptr;
  }

  static std::vector<std::string> aliases(const Module& m) {
    std::vector<std::string> out;
    for (const ProviderConfig& c : m.providers) {
      if (!c.alias.empty()) out.push_back(std::string(c.local_name.sv()) + "." + std::string(c.alias.sv()));
    }
    return out;
  }

  // Names that stand in a providers argument and nowhere else in the module that they are names of. Of the
  // providers that a name means without further notice, this has always been allowed.
  void check_declared(const Module& m, const ProviderRef& x, const std::string& where) {
    const ProviderAddr p = provider_of(m, x.local_name);
    if (x.alias.empty() ? required_provider(m, x.local_name) || configured(m, p, x.alias)
                        : expects_alias(m, p, x.alias) || configured(m, p, x.alias))
      return;
    const bool required = required_provider(m, x.local_name);
    const std::string missing =
        where + " has no entry for " + ref_text(x) + " in its required_providers block";
    const std::string advice =
        x.alias.empty() ? " Add an entry for it." : " Add it to the list configuration_aliases there.";
    if (required && (p.is_builtin() || p != default_provider(p.type)))
      structure_.error("Undeclared provider", missing + "." + advice, x.range);
    else
      structure_.warn("Undeclared provider",
                      missing + ", so it is assumed to be " + p.display() + "." + advice, x.range);
  }

  // Whether the calling module has the configuration that it passes: one of its own, or one that it is given
  // by name. What it merely inherits is not enough.
  static bool has(const Node& n, const ProviderAddr& p, const ProviderRef& x) {
    const Module& m = *n.module;
    return configured(m, p, x.alias) || expects_alias(m, p, x.alias) ||
           (x.alias.empty() && required_provider(m, x.local_name)) || (n.parent && passed_to(n, p, x.alias));
  }

  void check_passing(const Node& n) {
    // Calls of one module from several nodes say the same thing every time.
    if (!checked_calls_.insert({n.call, true}).second) return;
    const Module &child = *n.module, &parent = *n.parent->module;
    const std::string child_text = in_quotes(n.call->name.sv());
    for (const ModuleCall::Passed& x : n.call->providers) {
      const ProviderAddr to = provider_of(child, x.child.local_name),
                         from = provider_of(parent, x.parent.local_name);
      check_declared(child, x.child, "The module " + child_text);
      if (x.parent.alias.empty()) check_declared(parent, x.parent, "The calling module");
      const bool passed_on = n.parent->parent && passed_to(*n.parent, from, x.parent.alias);
      const ProviderConfig* own = passed_on ? nullptr : configured(parent, from, x.parent.alias);
      if (passed_on || own) instances_.check(x.parent, own);
      if (to != from) {
        structure_.error("Provider mismatch",
                         ref_text(x.parent) + " is a configuration of " + from.display() + ", but " +
                             ref_text(x.child) + " in module " + child_text + " is one of " + to.display() +
                             ". Only a configuration of the same provider can be passed.",
                         x.parent.range);
        continue;
      }
      if (const ProviderConfig* own = configured(child, to, x.child.alias); own && !is_placeholder(*own)) {
        structure_.error("Conflicting provider configurations",
                         "The module " + child_text + " configures " + ref_text(x.child) + " itself, at " +
                             place(sources_, own->range) + ", so none can be passed for it.",
                         x.child.range);
      }
      if (has(*n.parent, from, x.parent)) continue;
      const std::vector<std::string> texts = aliases(parent);
      std::vector<std::string_view> names(texts.begin(), texts.end());
      diags_.error("Missing provider configuration",
                   "The provider configuration " + ref_text(x.parent) +
                       " is passed to a module, but the calling module has none: it neither declares one nor "
                       "receives one from its caller." +
                       suggestion(ref_text(x.parent), names) +
                       (x.parent.alias.empty() ? " Name the provider in required_providers, or remove the "
                                                 "entry: default configurations are inherited."
                                               : ""),
                   x.parent.range);
    }
    for (const RequiredProvider& r : child.required_providers) {
      for (Symbol alias : r.configuration_aliases) {
        const ProviderConfig* own = configured(child, r.provider, alias);
        if (passed_to(n, r.provider, alias) || (own && !is_placeholder(*own))) continue;
        const std::string text = ref_text({r.local_name, alias, {}});
        structure_.error("Missing provider configuration",
                         "The module " + child_text + " requires a configuration of " + r.provider.display() +
                             " under the name " + text + ". Add it to the call: providers = { " + text +
                             " = … }.",
                         n.call->range);
      }
    }
  }

  // Provider configurations outlive the objects that they serve, so nothing that may have no instances, or
  // comes later, can contain one.
  void check_repetition(const Node& n) {
    const auto own = std::find_if(n.module->providers.begin(), n.module->providers.end(),
                                  [](const ProviderConfig& c) { return !is_placeholder(c); });
    if (own == n.module->providers.end()) return;
    for (const Node* up = &n; up->parent; up = up->parent) {
      const ModuleCall& c = *up->call;
      const auto [word, where] = c.count                ? std::pair("count", c.count->range)
                                 : c.for_each           ? std::pair("for_each", c.for_each->range)
                                 : c.enabled            ? std::pair("enabled", c.enabled->range)
                                 : c.depends_on.empty() ? std::pair("", Range())
                                                        : std::pair("depends_on", c.depends_on[0]->range);
      if (!*word || !repeated_reported_.emplace(&c, true).second) continue;
      structure_.error(
          "Provider configuration in a module with " + std::string(word),
          "The module call " + in_quotes(c.name.sv()) + " uses " + in_quotes(word) +
              ", so the modules it calls cannot have provider configurations of their own, as at " +
              place(sources_, own->range) +
              ". Configure the provider outside of that call, and pass it with the argument \"providers\".",
          where);
    }
  }

  void check_blocks(const Node& n) {
    check_repetition(n);
    if (!first(n)) return;
    for (const ProviderConfig& c : n.module->providers) {
      if (!is_placeholder(c)) continue;
      structure_.warn(
          "Empty provider block in a called module",
          "Unless a configuration is passed for it, this block is one of the module's own, without "
          "arguments: the caller's is not used. Remove the block, and declare " +
              in_quotes(c.local_name.sv()) + " in required_providers" +
              (c.alias.empty() ? std::string(".") : " with configuration_aliases."),
          c.range);
    }
  }

  Config& config_;
  SourceTable& sources_;
  Diagnostics &structure_, &diags_;
  ProviderInstances instances_;
  std::unordered_map<const Module*, bool> reported_;
  std::unordered_map<const ModuleCall*, bool> checked_calls_, repeated_reported_;
  std::unordered_map<uint32_t, bool> missing_;
};

}  // namespace

void check_root_configurations(const Config& config, Diagnostics& diags) {
  const Module& m = *config.root->module;
  for (const RequiredProvider& r : m.required_providers) {
    for (Symbol alias : r.configuration_aliases) {
      if (configured(m, r.provider, alias)) continue;
      diags.error("Undefined provider configuration",
                  "The module expects its caller to pass the provider configuration " +
                      ref_text({r.local_name, alias, {}}) +
                      ", but as the root module it has no caller. Declare a provider " +
                      in_quotes(r.local_name.sv()) + " block for it.",
                  r.range);
    }
  }
}

void resolve_providers(Config& config, SourceTable& sources, Diagnostics& structure, Diagnostics& diags) {
  Resolver(config, sources, structure, diags).run();
}

}  // namespace xplan::config
