// Decodes terraform and provider blocks: required versions and providers, backend, provider configurations.
#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/config/newer_blocks.h"
#include "core/config/version.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::ExprKind;
using syntax::Rest;

namespace {

// OpenTofu takes those of other files for Terraform's: its own are in files of its own, or in language
// blocks.
bool counts(const Module& m, const Attribute& required_version) {
  if (dialect() != Dialect::OpenTofu) return true;
  const std::string& file = file_at(m, required_version.range).name;
  return file.ends_with(".tofu") || file.ends_with(".tofu.json");
}

void decode_required_version(Decode& d, const Attribute& a) {
  if (!counts(d.module, a)) return;
  if (const auto constraints = version_of_language(d, a))
    d.module.required_versions.emplace_back(constraints->text(), a.expr->range);
}

// One entry of required_providers: an object, or just a version constraint.
class RequiredProviderDecoder {
 public:
  RequiredProviderDecoder(Decode& d, const Attribute& a) : d_(d), a_(a) {
    p_.local_name = a.name;
    p_.range = a.range;
    p_.provider = default_provider(a.name);
  }
  RequiredProvider decode();

 private:
  void argument(const Expr& key, const Expr& value);
  void source(const Expr& value);
  void version(const std::string& text, Range where);
  void configuration_aliases(const Expr& value);
  std::optional<std::string> constant_text(const Expr& e, std::string_view name);
  void invalid(std::string detail, Range where) {
    d_.diags.error("Invalid provider requirement", std::move(detail), where);
  }

  Decode& d_;
  const Attribute& a_;
  RequiredProvider p_;
};

std::string fmt_source(std::string_view name, std::string_view source) {
  return "A string alone is a version constraint, and " + in_quotes(source) + " looks like a source. Write " +
         std::string(name) + " = { source = " + in_quotes(source) + " }.";
}

RequiredProvider RequiredProviderDecoder::decode() {
  if (a_.expr->kind == ExprKind::Object) {
    for (size_t i = 0; i + 1 < a_.expr->items.size(); i += 2)
      argument(*a_.expr->items[i], *a_.expr->items[i + 1]);
  } else if (auto text = constant_string(d_, &a_)) {
    if (text->find('/') != text->npos)
      invalid(fmt_source(a_.name.sv(), *text), a_.expr->range);
    else
      version(*text, a_.expr->range);
  }
  return std::move(p_);
}

void RequiredProviderDecoder::argument(const Expr& key, const Expr& value) {
  const std::optional<std::string> name = constant_text(key, "required_providers");
  if (!name) return;
  if (*name == "source") return source(value);
  if (*name == "configuration_aliases") return configuration_aliases(value);
  if (*name == "version") {
    if (auto text = constant_text(value, *name)) version(*text, value.range);
    return;
  }
  invalid(
      "A provider requirement can have the arguments \"source\", \"version\" and "
      "\"configuration_aliases\"; " +
          in_quotes(*name) + " is not one of them." +
          suggestion(*name, {"source", "version", "configuration_aliases"}) +
          " Arguments of the provider belong in a provider block.",
      key.range);
}

std::optional<std::string> RequiredProviderDecoder::constant_text(const Expr& e, std::string_view name) {
  const size_t before = d_.diags.error_count();
  Value v = eval::evaluate_constant(e, d_.diags);
  if (d_.diags.error_count() > before) return std::nullopt;
  if (v.is_string()) return std::string(v.as_string());
  invalid("The argument " + in_quotes(name) + " must be a string.", e.range);
  return std::nullopt;
}

void RequiredProviderDecoder::source(const Expr& value) {
  const std::optional<std::string> text = constant_text(value, "source");
  if (!text) return;
  if (auto addr = parse_provider_addr(*text)) {
    p_.provider = *addr;
    return;
  }
  invalid(in_quotes(*text) +
              " is not a valid provider address. An address is a namespace and a type, as in "
              "hashicorp/aws, or a host name, a namespace and a type." +
              (text->find("xn--") == std::string::npos
                   ? ""
                   : " Host names are written in their own script, not encoded as xn--…."),
          value.range);
}

void RequiredProviderDecoder::version(const std::string& text, Range where) {
  Result<VersionConstraints> parsed = parse_version_constraints(text);
  if (parsed && !text.empty()) {
    p_.version_constraint = text;
    return;
  }
  d_.diags.error(
      "Invalid version constraint",
      "This is not a valid version constraint: " + (parsed ? "it is empty" : parsed.error().message) + ".",
      where);
}

void RequiredProviderDecoder::configuration_aliases(const Expr& value) {
  std::vector<const Expr*> items;
  if (!syntax::as_list(value, items))
    return invalid("The argument \"configuration_aliases\" must be a list such as [aws.west].", value.range);
  for (const Expr* e : items) {
    std::optional<ProviderRef> ref = provider_ref(d_, *e, "configuration_aliases");
    if (!ref) continue;
    if (ref->local_name == p_.local_name)
      p_.configuration_aliases.push_back(ref->alias);
    else
      invalid("Each element of \"configuration_aliases\" must be the provider's local name " +
                  in_quotes(p_.local_name.sv()) + ", followed by a period and an alias.",
              e->range);
  }
}

}  // namespace

bool too_many_providers(Decode& d, size_t number, std::string_view what, Range range) {
  if (number < kMostProviders) return false;
  const std::string summary = "Too many " + std::string(what);
  const std::vector<Diagnostic>& all = d.diags.all();
  if (std::none_of(all.begin(), all.end(), [&](const Diagnostic& x) { return x.summary == summary; }))
    d.diags.error(summary, "There can be at most " + std::to_string(kMostProviders) + " of them.", range);
  return true;
}

namespace {

// What an override file requires replaces what other files require under that name.
void add_required_provider(Decode& d, const Attribute& a, bool from_override) {
  if (too_many_providers(d, d.module.required_providers.size(), "required providers", a.name_range)) return;
  RequiredProvider p = RequiredProviderDecoder(d, a).decode();
  std::vector<RequiredProvider>& all = d.module.required_providers;
  auto same = std::find_if(all.begin(), all.end(),
                           [&](const RequiredProvider& r) { return r.local_name == p.local_name; });
  if (same != all.end()) {
    if (from_override) *same = std::move(p);
    return;
  }
  auto twin = std::find_if(all.begin(), all.end(),
                           [&](const RequiredProvider& r) { return r.provider == p.provider; });
  if (twin != all.end())
    d.diags.warn("Duplicate required provider",
                 p.provider.text() + " already has the local name " + in_quotes(twin->local_name.sv()) +
                     ". A module can use only one local name for a provider.",
                 a.expr->range);
  all.push_back(std::move(p));
}

// The last override file counts. What an override file says once more replaces what other files say.
void decode_provider_meta(Decode& d, const Block& b, bool from_override) {
  std::vector<ProviderMeta>& metas = d.module.provider_metas;
  check_provider_name(d, b.labels[0], b.label_ranges[0]);
  ProviderMeta meta{b.labels[0], Rest{&b.body, {}, {}}, b.def_range};
  Diagnostics reported_later;
  std::vector<const syntax::Traversal*> used;
  for (const Attribute& a : syntax::just_attributes(meta.body, reported_later))
    syntax::collect_traversals(*a.expr, used);
  for (const syntax::Traversal* t : used)
    d.diags.error("Variables are not allowed",
                  "The content of a provider_meta block is part of the module, so it must be constant.",
                  t->range);
  auto same = std::find_if(metas.begin(), metas.end(),
                           [&](const ProviderMeta& m) { return m.local_name == meta.local_name; });
  if (same == metas.end())
    metas.push_back(std::move(meta));
  else if (from_override)
    *same = std::move(meta);
  else
    d.diags.error("Duplicate provider_meta block",
                  "Only one provider_meta block is allowed for each provider in a module; the one for " +
                      in_quotes(meta.local_name.sv()) + " is at " + place(d.sources, same->range) + ".",
                  meta.range);
}

// Each override file may replace the block of the others, but has itself only one of a kind.
void decode_backend(Decode& d, const Block& b, bool from_override) {
  static const Symbol kCloud("cloud");
  std::optional<Backend>& backend = d.module.backend;
  const bool cloud = b.type == kCloud;
  if (backend && (!from_override || (backend->cloud == cloud && &file_at(d.module, backend->range) ==
                                                                    &file_at(d.module, b.def_range)))) {
    d.diags.error("Duplicate backend configuration",
                  (from_override ? "An override file" : "A module") +
                      std::string(" can have at most one backend or cloud block; the first is at ") +
                      place(d.sources, backend->range) + ".",
                  b.def_range);
    return;
  }
  backend = Backend{cloud ? kCloud : b.labels[0], cloud, Rest{&b.body, {}, {}}, b.def_range};
}

}  // namespace

std::optional<VersionConstraints> version_of_language(Decode& d, const Attribute& a) {
  std::optional<std::string> text = constant_string(d, &a);
  if (!text) return std::nullopt;
  Result<VersionConstraints> parsed = parse_version_constraints(*text);
  if (!parsed) {
    d.diags.error("Invalid version constraint",
                  "This is not a valid version constraint: " + parsed.error().message + ".", a.expr->range);
    return std::nullopt;
  }
  for (const VersionConstraint& c : parsed->all) {
    if (c.version.prerelease.empty()) continue;
    d.diags.error("Invalid version constraint",
                  "The constraint " + in_quotes(c.text()) +
                      " contains a pre-release version, which is not supported here. Use a release version.",
                  a.expr->range);
    return std::nullopt;
  }
  return std::move(*parsed);
}

void decode_terraform(Decode& d, const Block& block, bool from_override) {
  static const BodySchema kSchema{{{"required_version"}, {"experiments"}, {"language"}},
                                  {{"backend", {"type"}},
                                   {"cloud", {}},
                                   {"required_providers", {}},
                                   {"provider_meta", {"provider"}},
                                   {"encryption", {}}},  // see core/crypt
                                  newer_blocks(BlockPlace::Terraform)};
  Module& m = d.module;
  const Content& c = keep(m, syntax::decode(block.body, kSchema, d.diags));
  if (const Attribute* a = c.find("required_version")) {
    if (from_override) m.required_versions.clear();
    decode_required_version(d, *a);
  }
  if (const Attribute* a = c.find("language")) {
    if (keyword(d, *a).sv() != "TF2021") {
      d.diags.error("Unsupported language edition",
                    "The only language edition is TF2021. Remove the argument, or use a program that "
                    "supports this edition.",
                    a->expr->range);
    }
  }
  if (const Attribute* a = c.find("experiments")) {
    d.diags.error("Experiments are not available",
                  "This module enables experimental features of the language, which are not available in "
                  "releases. Remove the argument.",
                  a->name_range);
  }
  for (const Block& b : c.blocks) {
    const std::string_view type = b.type.sv();
    if (type == "backend" || type == "cloud") {
      decode_backend(d, b, from_override);
    } else if (type == "required_providers") {
      if (m.required_providers_range.valid() && !from_override) {
        d.diags.error("Duplicate required_providers",
                      "Only one required_providers block is allowed in a module; the first is at " +
                          place(d.sources, m.required_providers_range) + ". Move the entries there.",
                      b.def_range);
        continue;
      }
      if (!m.required_providers_range.valid()) m.required_providers_range = b.def_range;
      for (const Attribute& a : syntax::just_attributes(b.body, d.diags)) {
        if (check_provider_name(d, a.name, a.name_range)) add_required_provider(d, a, from_override);
      }
    } else if (type == "provider_meta") {
      decode_provider_meta(d, b, from_override);
    } else if (type == "encryption" && !m.encryption &&
               allows_addition("A block of type \"encryption\"", b.def_range, d.diags)) {
      m.encryption = b.def_range;
    }
  }
}

void check_required_versions(Decode& d) {
  for (auto& [text, range] : d.module.required_versions) {
    Result<VersionConstraints> parsed = parse_version_constraints(text);
    const std::string_view own = dialect() == Dialect::OpenTofu ? kTofuLanguageVersion : kLanguageVersion;
    if (!parsed || parsed->matches(*parse_version(own))) continue;
    d.diags.error("Unsupported version",
                  "This module requires version " + parsed->text() +
                      ", but this program implements version " + std::string(own) +
                      " of the language. Change the constraint, or use a program version that it allows.",
                  range);
  }
}

void decode_provider(Decode& d, const Layers& layers) {
  static const BodySchema kSchema{
      {{"alias"}, {"version"}, {"count"}, {"depends_on"}, {"for_each"}, {"source"}},
      {{"lifecycle", {}}, {"locals", {}}, {"_", {}}}};
  Module& m = d.module;
  const Block& block = layers.base();
  ProviderConfig p;
  p.local_name = block.labels[0];
  p.range = block.def_range;
  p.block = &block;
  check_provider_name(d, p.local_name, block.label_ranges[0]);
  std::vector<Rest> rests;
  const Content& c = keep(m, decode_layers(d, layers, kSchema, &rests));
  if (auto alias = constant_string(d, c.find("alias"))) {
    p.alias = Symbol(*alias);
    check_name(d, p.alias, c.find("alias")->expr->range, "a provider configuration");
  }
  if (const Attribute* a = c.find("version")) {
    d.diags.warn("Version constraints in provider blocks are deprecated",
                 "Write the version constraint of the provider in the required_providers block instead.",
                 a->range);
    if (auto text = constant_string(d, a)) {
      if (Result<VersionConstraints> parsed = parse_version_constraints(*text); !parsed) {
        d.diags.error("Invalid version constraint",
                      "This is not a valid version constraint: " + parsed.error().message + ".",
                      a->expr->range);
      } else {
        p.version_constraint = *text;
      }
    }
  }
  if (const Attribute* a = c.find("for_each");
      a && allows_addition("The argument \"for_each\" of a provider block", a->name_range, d.diags)) {
    p.for_each = a->expr;
    if (p.alias.empty())
      d.diags.error(
          "Missing alias",
          "A provider configuration with \"for_each\" must have an alias, because the default "
          "configuration of a provider is a single one. Add alias = \"…\", and refer to its instances "
          "with provider = " +
              std::string(p.local_name.sv()) + ".…[each.key].",
          a->name_range);
  }
  for (std::string_view name : {"count", "depends_on", "source"}) {
    if (const Attribute* a = c.find(name)) {
      d.diags.error(
          "Reserved argument name",
          "The argument " + in_quotes(name) + " cannot be used in a provider block: its name is reserved.",
          a->name_range);
    }
  }
  reserved_blocks(d, c, {"lifecycle", "locals"}, "this \"provider\" block");
  if (const Block* b = single_block(d, c, "_", "this \"provider\" block"))
    rests.push_back(Rest{&b->body, {}, {}});
  p.body = rests[0];
  const uint32_t index = static_cast<uint32_t>(m.providers.size());
  if (add_provider(d, std::move(p)) && rests.size() > 1) d.layered.push_back({true, index, std::move(rests)});
}

bool add_provider(Decode& d, ProviderConfig p) {
  if (too_many_providers(d, d.module.providers.size(), "provider configurations", p.range)) return false;
  for (const ProviderConfig& other : d.module.providers) {
    if (other.local_name != p.local_name || other.alias != p.alias) continue;
    d.diags.error("Duplicate provider configuration",
                  (p.alias.empty() ? "The default configuration of provider " + in_quotes(p.local_name.sv())
                                   : "A configuration of provider " + in_quotes(p.local_name.sv()) +
                                         " with the alias " + in_quotes(p.alias.sv())) +
                      " is already declared at " + place(d.sources, other.range) +
                      ". Give each additional configuration its own alias.",
                  p.range);
    return false;
  }
  d.module.providers.push_back(std::move(p));
  return true;
}

}  // namespace xplan::config
