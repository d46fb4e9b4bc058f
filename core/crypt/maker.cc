// Makes key providers and methods of their tables, resolves the references between them, and puts the chains
// of targets together.
#include "core/crypt/maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
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

template <class Kinds>
bool is_kind(const Kinds& kinds, std::string_view type) {
  return std::any_of(std::begin(kinds), std::end(kinds), [&](const auto* k) { return k->type == type; });
}

// Says which key provider did not provide a key to encrypt with, and where it is declared. Where something
// is decrypted, the codec says it with the method. Targets share it, and each is used by threads of its own:
// it is asked for one key at a time. A provider that it is chained to is asked meanwhile; since chains have
// no cycles, nobody waits for himself.
class NamedKeys : public KeyProvider {
 public:
  NamedKeys(std::string metadata, std::string where, std::shared_ptr<KeyProvider> keys)
      : KeyProvider(std::move(metadata)), where_(std::move(where)), keys_(std::move(keys)) {}
  Result<Secret> fresh(Metadata& out) override {
    std::lock_guard lock(mutex_);
    return named(keys_->fresh(out));
  }
  Result<Secret> recover(const Metadata& stored) override {
    std::lock_guard lock(mutex_);
    return keys_->recover(stored);
  }

 private:
  Result<Secret> named(Result<Secret> key) const {
    return key ? std::move(key) : Error{where_ + " did not provide a key: " + key.error().message};
  }
  const std::string where_;
  const std::shared_ptr<KeyProvider> keys_;
  std::mutex mutex_;
};

}  // namespace

// What the layers say, the later ones over the earlier ones.
syntax::Content Maker::content(const Declared& d, ArgumentTable table, bool with_alias,
                               std::string_view block) {
  syntax::BodySchema schema;
  for (const ArgumentRow& row : table) schema.attributes.push_back({row.name});
  if (with_alias) schema.attributes.push_back({"encrypted_metadata_alias"});
  if (!block.empty()) schema.blocks.push_back({block, {}});
  syntax::Content out;
  for (const syntax::Body* body : d.layers) {
    syntax::Content layer = syntax::decode(*body, schema, diags_);
    if (layer.blocks.size() > 1)
      diags_.error("Duplicate block",
                   fmt::format("There can be only one block \"{}\" in a key provider.", block),
                   layer.blocks[1].def_range);
    if (!layer.blocks.empty()) out.blocks = std::move(layer.blocks);
    for (syntax::Attribute& a : layer.attributes) {
      std::erase_if(out.attributes, [&](const syntax::Attribute& b) { return b.name == a.name; });
      out.attributes.push_back(a);
    }
    take_late(*body->file, diags_);
  }
  return out;
}

void Maker::read_block(const syntax::Content& c, const KeyProviderKind& kind, Arguments& out) {
  if (c.blocks.empty()) return;
  syntax::BodySchema schema;
  for (const ArgumentRow& row : kind.of_block) schema.attributes.push_back({row.name});
  const syntax::Body& body = c.blocks[0].body;
  out.read(syntax::decode(body, schema, diags_), kind.of_block, scope_, kind.block);
  take_late(*body.file, diags_);
}

const Declared* Maker::referenced(const std::vector<Declared>& list, std::string_view root,
                                  const syntax::File& file, const syntax::Expr& e) {
  const syntax::Expr& inner = e.json && e.kind == syntax::ExprKind::TemplateWrap ? *e.a : e;
  Diagnostics found;  // nothing is said of the form of what cannot be a reference anyway
  const syntax::Traversal* t = syntax::as_traversal(file, inner, found);
  if (!t && found.has_errors()) {
    diags_.append(std::move(found));
    return nullptr;
  }
  const bool names =
      t && t->root.sv() == root && t->steps.size() == 2 && t->steps[0].is_attr && t->steps[1].is_attr;
  if (!names) {
    diags_.error("Invalid reference in the encryption block",
                 fmt::format("A reference to a {0} block is expected here, for example {0}.{1}.", root,
                             root == "method" ? "aes_gcm.main" : "pbkdf2.main"),
                 e.range);
    return nullptr;
  }
  diags_.append(std::move(found));
  std::vector<std::string> all;
  for (const Declared& d : list) {
    if (d.type == t->steps[0].attr && d.name == t->steps[1].attr) return &d;
    all.push_back(fmt::format("{}.{}.{}", root, d.type.sv(), d.name.sv()));
  }
  const std::string given = fmt::format("{}.{}.{}", root, t->steps[0].attr.sv(), t->steps[1].attr.sv());
  const std::string_view near = did_you_mean(given, std::vector<std::string_view>(all.begin(), all.end()));
  const auto meant = std::find(all.begin(), all.end(), near);
  if (meant != all.end()) {
    const std::string_view type = list[static_cast<size_t>(meant - all.begin())].type.sv();
    if (!(root == "method" ? is_kind(kMethods, type) : is_kind(kKeyProviders, type)))
      return nullptr;  // its type is what is wrong, which is reported
  }
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
  if (kind) {
    const std::string name = fmt::format("key_provider.{}.{}", d.type.sv(), d.name.sv());
    const syntax::Content c = content(d, kind->arguments, true, kind->block);
    Arguments a(name, d.header, diags_, environment_.validating);
    static constexpr ArgumentRow kAlias[] = {{"encrypted_metadata_alias"}};
    a.read(c, kAlias, scope_);
    a.read(c, kind->arguments, scope_);
    read_block(c, *kind, a);
    const Provider* chain = keys_of(c, "chain");
    if (chain) out.metadata = chain->metadata;
    out.metadata.push_back(a.is_set("encrypted_metadata_alias") ? a.text("encrypted_metadata_alias") : name);
    if (diags_.error_count() == errors)
      out.made = kind->make(a, {out.metadata.back(), chain ? chain->made : nullptr, environment_});
    if (diags_.error_count() != errors || !a.complete()) out.made = nullptr;
    out.where = fmt::format("{} ({})", name, place_of(d.header));
    if (out.made) out.made = std::make_shared<NamedKeys>(out.metadata.back(), out.where, std::move(out.made));
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
  Arguments a(fmt::format("method.{}.{}", d.type.sv(), d.name.sv()), d.header, diags_,
              environment_.validating);
  a.read(c, kind->arguments, scope_);
  const Provider* keys = keys_of(c, "keys");
  if (c.find("keys") && (!keys || !keys->made)) return;  // reported
  if (keys) {
    const std::set<std::string> names(keys->metadata.begin(), keys->metadata.end());
    if (names.size() != keys->metadata.size())
      a.wrong("keys",
              "uses two key providers with the same \"encrypted_metadata_alias\", so their metadata "
              "could not be told apart. Give one of them another alias.");
    out.keys = keys->made;
    out.key_source = keys->where;
  }
  if (!a.complete()) return;
  if (diags_.error_count() == errors) out.method = kind->make(a, environment_);
  out.encrypts = out.method != nullptr;
  out.ok = diags_.error_count() == errors;
}

bool Maker::enforced(const TargetBlock& t) {
  bool out = false;
  for (const syntax::Attribute* a : t.enforced) {
    const Value v = eval::evaluate_as(*a->expr, Type::boolean(), scope_, diags_).unmark_deep();
    out |= v.is_known() && v.is_true();
  }
  return out;
}

std::string Maker::place_of(Range r) const {
  ResolvedRange at;
  return sources_.resolve(r, at) ? fmt::format("{}:{}:{}", at.file, at.start.line, at.start.column)
                                 : std::string("the encryption block");
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
          at == &t ? fmt::format("The method of \"{}\" is unencrypted, so it is stored as plain text.", name)
                   : fmt::format("\"{}\" falls back to the method unencrypted, so plain text is "
                                 "accepted when it is read. Remove the fallback after migration.",
                                 name),
          at->method->expr->range);
    }
    out.push_back({fmt::format("method.{}.{}", d->type.sv(), d->name.sv()), place_of(at->method->expr->range),
                   m.method, m.keys, m.key_source});
  }
  return ok;
}

std::shared_ptr<Codec> Maker::codec(const TargetBlock* t, Payload payload, std::string_view name) {
  if (!t) return codec_without(payload);
  std::vector<Step> steps;
  return add_steps(*t, enforced(*t), name, steps) ? codec_of(payload, std::move(steps)) : Codec::plain();
}

}  // namespace xplan::crypt
