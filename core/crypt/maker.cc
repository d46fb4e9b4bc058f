// Makes key providers and methods of their tables, resolves the references between them, and puts the chains
// of targets together.
#include "core/crypt/maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace xplan::crypt {
namespace {

template <class Kinds>
auto find_kind(const Kinds& kinds, const Declared& d, std::string_view what, Diagnostics& diags) {
  std::vector<std::string_view> names;
  for (const auto* k : kinds) {
    if (k->type == d.type.sv()) return k;
    names.push_back(k->type);
  }
  std::string list;
  for (std::string_view n : names) list += fmt::format("\n  - {}", n);
  const std::string_view near = did_you_mean(d.type.sv(), names);
  diags.error(fmt::format("Unsupported {}", what),
              fmt::format("There is no {} of type \"{}\".{} The types are:{}\n", what, d.type.sv(),
                          near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near), list),
              d.type_range);
  return decltype(*std::begin(kinds))(nullptr);
}

}  // namespace

// What the layers say, the later ones over the earlier ones.
syntax::Content Maker::content(const Declared& d, ArgumentTable table, bool with_alias) {
  syntax::BodySchema schema;
  for (const ArgumentRow& row : table) schema.attributes.push_back({row.name});
  if (with_alias) schema.attributes.push_back({"encrypted_metadata_alias"});
  syntax::Content out;
  for (const syntax::Body* body : d.layers) {
    for (syntax::Attribute& a : syntax::decode(*body, schema, diags_).attributes) {
      std::erase_if(out.attributes, [&](const syntax::Attribute& b) { return b.name == a.name; });
      out.attributes.push_back(a);
    }
    take_late(*body->file, diags_);
  }
  return out;
}

const Declared* Maker::referenced(const std::vector<Declared>& list, std::string_view root,
                                  const syntax::File& file, const syntax::Expr& e) {
  const syntax::Expr& inner = e.json && e.kind == syntax::ExprKind::TemplateWrap ? *e.a : e;
  const size_t errors = diags_.error_count();
  const syntax::Traversal* t = syntax::as_traversal(file, inner, diags_);
  if (!t && diags_.error_count() != errors) return nullptr;
  const bool names =
      t && t->root.sv() == root && t->steps.size() == 2 && t->steps[0].is_attr && t->steps[1].is_attr;
  if (!names) {
    diags_.error("Invalid reference in the encryption block",
                 fmt::format("A reference to a {0} block is expected here, for example {0}.{1}.", root,
                             root == "method" ? "aes_gcm.main" : "pbkdf2.main"),
                 e.range);
    return nullptr;
  }
  std::vector<std::string> all;
  for (const Declared& d : list) {
    if (d.type == t->steps[0].attr && d.name == t->steps[1].attr) return &d;
    all.push_back(fmt::format("{}.{}.{}", root, d.type.sv(), d.name.sv()));
  }
  const std::string given = fmt::format("{}.{}.{}", root, t->steps[0].attr.sv(), t->steps[1].attr.sv());
  const std::string_view near = did_you_mean(given, std::vector<std::string_view>(all.begin(), all.end()));
  diags_.error("Invalid reference in the encryption block",
               fmt::format("{} is not declared in the encryption block.{}", given,
                           near.empty() ? "" : fmt::format(" Did you mean {}?", near)),
               t->range);
  return nullptr;
}

// Null where the argument is not set, or is wrong.
const Maker::Provider* Maker::keys_of(const syntax::Content& c, std::string_view argument) {
  const syntax::Attribute* a = c.find(argument);
  if (!a) return nullptr;
  const syntax::File* file = nullptr;
  for (const auto* list : {&block_.key_providers, &block_.methods})
    for (const Declared& d : *list)
      for (const syntax::Body* b : d.layers)
        if (b->range.begin <= a->range.begin && a->range.end <= b->range.end) file = b->file;
  const Declared* d = file ? referenced(block_.key_providers, "key_provider", *file, *a->expr) : nullptr;
  if (!d) return nullptr;
  if (const auto at = providers_.find(d); at != providers_.end() && at->second.under_way) {
    diags_.error("Key provider cycle",
                 fmt::format("key_provider.{}.{} depends on its own key. Remove one of the references.",
                             d->type.sv(), d->name.sv()),
                 a->expr->range);
    return nullptr;
  }
  return key_provider(*d);
}

const Maker::Provider* Maker::key_provider(const Declared& d) {
  auto [at, fresh] = providers_.try_emplace(&d);
  if (!fresh) return &at->second;
  Provider& out = at->second;
  const size_t errors = diags_.error_count();
  const KeyProviderKind* kind = find_kind(kKeyProviders, d, "key provider", diags_);
  if (kind && !kind->make) {
    diags_.error(
        "Unsupported key provider",
        fmt::format("Key providers of type \"{}\" are not supported yet. Use pbkdf2, openbao, gcp_kms or "
                    "external: a program can ask any service for keys.",
                    kind->type),
        d.type_range);
  } else if (kind) {
    const std::string name = fmt::format("key_provider.{}.{}", d.type.sv(), d.name.sv());
    const syntax::Content c = content(d, kind->arguments, true);
    Arguments a(name, d.header, diags_);
    static constexpr ArgumentRow kAlias[] = {{"encrypted_metadata_alias"}};
    a.read(c, kAlias, scope_);
    a.read(c, kind->arguments, scope_);
    const Provider* chain = keys_of(c, "chain");
    if (chain) out.metadata = chain->metadata;
    out.metadata.push_back(a.is_set("encrypted_metadata_alias") ? a.text("encrypted_metadata_alias") : name);
    if (diags_.error_count() == errors)
      out.made = kind->make(a, {out.metadata.back(), chain ? chain->made : nullptr, environment_});
    if (diags_.error_count() != errors) out.made = nullptr;
  }
  out.under_way = false;
  return &out;
}

void Maker::method(const Declared& d) {
  const MethodKind* kind = find_kind(kMethods, d, "encryption method", diags_);
  if (!kind) return;
  Made& out = methods_[&d];
  const size_t errors = diags_.error_count();
  const syntax::Content c = content(d, kind->arguments, false);
  Arguments a(fmt::format("method.{}.{}", d.type.sv(), d.name.sv()), d.header, diags_);
  a.read(c, kind->arguments, scope_);
  const Provider* keys = keys_of(c, "keys");
  if (c.find("keys") && (!keys || !keys->made)) return;  // reported
  if (keys) {
    const std::set<std::string> names(keys->metadata.begin(), keys->metadata.end());
    if (names.size() != keys->metadata.size())
      a.wrong("keys",
              "leads to two key providers with the same \"encrypted_metadata_alias\". Their metadata "
              "could not be told apart; give one of them another alias.");
    out.keys = keys->made;
  }
  if (diags_.error_count() == errors) out.method = kind->make(a, environment_);
  out.encrypts = out.method != nullptr;
  out.ok = diags_.error_count() == errors;
}

bool Maker::enforced(const TargetBlock& t) {
  bool out = false;
  for (const syntax::Attribute* a : t.enforced) {
    const Value v = eval::evaluate_as(*a->expr, Type::boolean(), scope_, diags_).unmark_deep();
    out |= v.is_true();
  }
  return out;
}

bool Maker::add_steps(const TargetBlock& t, bool enforced, std::string_view name, std::vector<Step>& out) {
  bool ok = true;
  for (const TargetBlock* at = &t; at; at = at->fallback.get()) {
    const Declared* d = nullptr;
    if (at->method)
      d = referenced(block_.methods, "method", *at->file, *at->method->expr);
    else
      diags_.error("Missing required argument",
                   "The argument \"method\" is required here, but it is not set. It names the method to use, "
                   "for example method.aes_gcm.main.",
                   at->header);
    const auto made = d ? methods_.find(d) : methods_.end();
    if (made == methods_.end() || !made->second.ok) {
      ok = false;
      continue;
    }
    const Made& m = made->second;
    if (!m.encrypts && enforced) {
      diags_.error(
          "Unencrypted method where encryption is enforced",
          fmt::format("Encryption of \"{}\" is enforced, so the method unencrypted cannot be used, not "
                      "even as a fallback. Use another method, or remove \"enforced\".",
                      name),
          at->method->expr->range);
      ok = false;
    } else if (!m.encrypts) {
      diags_.warn(
          "Unencrypted method configured",
          at == &t ? fmt::format("The method of \"{}\" is unencrypted, so it is written as plain text.", name)
                   : fmt::format("\"{}\" falls back to the method unencrypted, so plain text is "
                                 "accepted when it is read. Remove the fallback after migration.",
                                 name),
          at->method->expr->range);
    }
    out.push_back({fmt::format("method.{}.{}", d->type.sv(), d->name.sv()), m.method, m.keys});
  }
  return ok;
}

std::shared_ptr<Codec> Maker::codec(const TargetBlock* t, Payload payload, std::string_view name) {
  if (!t) return Codec::plain();
  std::vector<Step> steps;
  return add_steps(*t, enforced(*t), name, steps) ? codec_of(payload, std::move(steps)) : Codec::plain();
}

}  // namespace xplan::crypt
