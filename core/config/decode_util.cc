// Helpers of all decode_*.cc files (declared in decode.h): merging overrides, constant arguments, keywords,
// addresses in arguments, provider references, check rules, reserved and single blocks.
#include <algorithm>

#include "core/base/text.h"
#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/eval/eval.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::Body;
using syntax::BodySchema;
using syntax::Content;
using syntax::ExprKind;
using syntax::File;
using syntax::Rest;
using syntax::Traversal;

std::string place(const SourceTable& sources, Range r) {
  ResolvedRange where;
  if (!sources.resolve(r, where)) return "an unknown location";
  return std::string(where.file) + ":" + std::to_string(where.start.line) + ":" +
         std::to_string(where.start.column);
}

std::string suggestion(std::string_view given, const std::vector<std::string_view>& candidates) {
  std::string_view near = did_you_mean(given, candidates);
  return near.empty() ? "" : " Did you mean " + in_quotes(near) + "?";
}

const Content& keep(Module& m, Content c) {
  auto p = std::make_shared<Content>(std::move(c));
  m.keep.push_back(p);
  return *p;
}

void check_overrides(Decode& d, const Layers& layers, const BodySchema& schema,
                     const std::function<void(const Block&)>& also) {
  for (size_t i = 1; i < layers.blocks.size(); ++i) {
    Diagnostics ignored;
    Rest rest;
    const Content c = syntax::decode_partial(layers.blocks[i]->body, schema, &rest, ignored);
    std::vector<const Expr*> items;
    const Attribute* a = c.find("depends_on");
    if (a && !(syntax::as_list(*a->expr, items) && items.empty()))
      d.diags.error("Unsupported override",
                    "The argument \"depends_on\" cannot be overridden, because dependencies are declared in "
                    "one place only.",
                    a->name_range);
    if (also)
      for (const Block& b : c.blocks) also(b);
  }
}

void merge_content(Content& base, Content&& over) {
  for (auto [name, other] : {std::pair("count", "for_each"), std::pair("for_each", "count")}) {
    if (!over.find(name) || over.find(other)) continue;
    std::erase_if(base.attributes, [other = other](const Attribute& a) { return a.name.sv() == other; });
  }
  base.meant.insert(base.meant.end(), over.meant.begin(), over.meant.end());
  for (Attribute& a : over.attributes) {
    if (a.name.sv() == "depends_on") continue;  // is empty, or was reported
    auto same = std::find_if(base.attributes.begin(), base.attributes.end(),
                             [&](const Attribute& b) { return b.name == a.name; });
    if (same != base.attributes.end()) {
      *same = a;
    } else {
      base.attributes.push_back(a);
    }
  }
  std::erase_if(base.blocks, [&](const Block& b) {
    return std::any_of(over.blocks.begin(), over.blocks.end(),
                       [&](const Block& o) { return o.type == b.type; });
  });
  std::move(over.blocks.begin(), over.blocks.end(), std::back_inserter(base.blocks));
}

Content decode_layers(Decode& d, const Layers& layers, const BodySchema& schema, std::vector<Rest>* rests) {
  Content out;
  for (size_t i = 0; i < layers.blocks.size(); ++i) {
    const Body& body = layers.blocks[i]->body;
    Content c;
    if (rests) {
      Rest rest;
      c = syntax::decode_partial(body, schema, &rest, d.diags);
      rests->push_back(std::move(rest));
    } else {
      c = syntax::decode(body, schema, d.diags);
    }
    if (i == 0) {
      out = std::move(c);
    } else {
      merge_content(out, std::move(c));
    }
  }
  return out;
}

namespace {

// What a nested block is replaced by: blocks of its type, be they generated or not.
Symbol replaced_type(const Block& b) {
  static const Symbol kDynamic("dynamic");
  return b.type == kDynamic && !b.labels.empty() ? b.labels[0] : b.type;
}

bool hidden(const std::vector<Symbol>& taken, Symbol name) {
  return std::find(taken.begin(), taken.end(), name) != taken.end();
}

}  // namespace

Rest merge_bodies(Module& m, const std::vector<Rest>& layers, const BodySchema* schema, Diagnostics& diags,
                  bool complete_base) {
  if (layers.size() == 1) return layers[0];
  std::vector<std::string_view> missing;  // in the first layer
  struct Storage {
    Body body;
    std::vector<Attribute> attributes;
    std::vector<const Block*> blocks;
  };
  auto storage = std::make_shared<Storage>();
  bool first = true;
  for (const Rest& layer : layers) {
    std::vector<Attribute> attributes;
    std::vector<const Block*> blocks;
    if (!layer.body->is_json()) {
      for (const Attribute& a : layer.body->attributes) {
        if (!hidden(layer.taken_attributes, a.name)) attributes.push_back(a);
      }
      for (const Block* b : layer.body->blocks) {
        if (!hidden(layer.taken_blocks, b->type)) blocks.push_back(b);
      }
    } else {
      if (!schema) return layers[0];
      BodySchema with_dynamic = *schema;
      with_dynamic.blocks.push_back({"dynamic", {"type"}});
      for (syntax::AttributeSchema& a : with_dynamic.attributes)
        a.required = false;  // of all layers together
      const Content& c = keep(m, syntax::decode(layer, with_dynamic, diags));
      attributes = c.attributes;
      for (const Block& b : c.blocks) blocks.push_back(&b);
    }
    if (first) {
      storage->body.file = layer.body->file;
      storage->body.range = layer.body->range;
      if (complete_base && schema)
        for (const syntax::AttributeSchema& a : schema->attributes)
          if (a.required && std::none_of(attributes.begin(), attributes.end(),
                                         [&](const Attribute& b) { return b.name.sv() == a.name; }))
            missing.push_back(a.name);
      first = false;
    }
    for (Attribute& a : attributes) {
      auto same = std::find_if(storage->attributes.begin(), storage->attributes.end(),
                               [&](const Attribute& b) { return b.name == a.name; });
      if (same != storage->attributes.end()) {
        *same = a;
      } else {
        storage->attributes.push_back(a);
      }
    }
    std::erase_if(storage->blocks, [&](const Block* b) {
      return std::any_of(blocks.begin(), blocks.end(),
                         [&](const Block* o) { return replaced_type(*o) == replaced_type(*b); });
    });
    storage->blocks.insert(storage->blocks.end(), blocks.begin(), blocks.end());
  }
  for (const Attribute& a : storage->attributes)  // what no layer has is reported when the body is decoded
    if (std::find(missing.begin(), missing.end(), a.name.sv()) != missing.end())
      diags.error("Missing required argument",
                  "The argument " + in_quotes(a.name.sv()) +
                      " is required here. An override file sets it, but it can only change what this block "
                      "is complete without.",
                  layers[0].body->missing_range());
  storage->body.attributes = storage->attributes;
  storage->body.blocks = storage->blocks;
  m.keep.push_back(storage);
  return Rest{&storage->body, {}, {}};
}

void missing_argument(Decode& d, std::string_view name, std::string_view what, Range where) {
  d.diags.error(
      "Missing required argument",
      "The argument " + in_quotes(name) + " is required in " + std::string(what) + ", but it is not set.",
      where);
}

void missing_argument(Decode& d, std::string_view name, std::string_view what, const Content& content) {
  if (!content.is_meant(name)) missing_argument(d, name, what, content.missing_range);
}

bool check_name(Decode& d, Symbol name, Range where, std::string_view what) {
  if (syntax::valid_identifier(name.sv())) return true;
  d.diags.error("Invalid name",
                "The name of " + std::string(what) + ", " + in_quotes(name.sv()) +
                    ", is not valid. A name must begin with a letter or an underscore and can contain only "
                    "letters, digits, underscores and dashes.",
                where);
  return false;
}

namespace {

std::optional<Value> constant(Decode& d, const Attribute* a, Type type, std::string_view type_name) {
  if (!a || !a->expr) return std::nullopt;
  const size_t before = d.diags.error_count();
  Value v = eval::evaluate_constant(*a->expr, d.diags);
  if (d.diags.error_count() > before) return std::nullopt;
  ConversionError error;
  std::optional<Value> converted;
  if (!v.is_null() && v.is_known()) converted = convert(v, type, &error);
  if (!converted || !converted->is_wholly_known() || converted->is_null()) {
    d.diags.error("Incorrect value type",
                  "The argument " + in_quotes(a->name.sv()) + " must be " + std::string(type_name) +
                      (v.is_null() ? ", not null." : "."),
                  a->expr->range);
    return std::nullopt;
  }
  return converted;
}

// The text of an expression that is one literal string.
bool literal_text(const Expr& e, std::string& out) {
  if (e.json && e.json->is_string()) {
    out = std::string(e.json->str());
    return true;
  }
  if (e.kind == ExprKind::Literal && e.value.is_string()) {
    out = std::string(e.value.as_string());
    return true;
  }
  if (e.kind == ExprKind::Template) {
    out.clear();
    for (const Expr* part : e.items) {
      if (part->kind != ExprKind::Literal || !part->value.is_string()) return false;
      out += part->value.as_string();
    }
    return true;
  }
  return false;
}

void warn_quotes(Decode& d, std::string_view what, Range where) {
  d.diags.warn("Quoted references are deprecated",
               "Here, a " + std::string(what) + " is written without quotes. Remove the quotes.", where);
}

}  // namespace

std::optional<bool> constant_bool(Decode& d, const Attribute* a) {
  std::optional<Value> v = constant(d, a, Type::boolean(), "true or false");
  return v ? std::optional<bool>(v->is_true()) : std::nullopt;
}

std::optional<std::string> constant_string(Decode& d, const Attribute* a) {
  std::optional<Value> v = constant(d, a, Type::string(), "a string");
  return v ? std::optional<std::string>(v->as_string()) : std::nullopt;
}

std::optional<std::string> literal_string(Decode& d, const Attribute* a) {
  if (a && a->json && a->json->is_string()) return std::string(a->json->str());
  return constant_string(d, a);
}

Symbol keyword(Decode& d, const Attribute& a) {
  Symbol s = syntax::as_keyword(*a.expr);
  if (!s.empty()) return s;
  std::string text;
  if (!literal_text(*a.expr, text)) return {};
  if (!a.json) warn_quotes(d, "keyword", a.expr->range);
  return Symbol(text);
}

const File& file_at(const Module& m, Range r) {
  // Files are registered one after the other, so the last one that begins before r holds it.
  auto it = std::upper_bound(m.files.begin(), m.files.end(), r.begin,
                             [](uint32_t at, const std::unique_ptr<File>& f) { return at < f->base; });
  return **(it == m.files.begin() ? it : it - 1);
}

const Traversal* address(Decode& d, const Expr& e, bool quotes_allowed) {
  // "${a.b}" in JSON is the expression itself.
  if (e.json && e.kind == ExprKind::TemplateWrap)
    return syntax::as_traversal(file_at(d.module, e.range), *e.a, d.diags);
  if (!quotes_allowed && !e.json && e.kind == ExprKind::Literal && e.value.is_string()) {
    d.diags.error("Invalid expression",
                  "An address is expected here, written without quotes. Remove the quotes.", e.range);
    return nullptr;
  }
  return syntax::as_traversal(file_at(d.module, e.range), e, d.diags);
}

std::vector<const Traversal*> addresses(Decode& d, const Attribute& a) {
  std::vector<const Traversal*> out;
  std::vector<const Expr*> items;
  if (a.json && a.json->is_null()) return out;
  if (!syntax::as_list(*a.expr, items)) {
    d.diags.error("Invalid expression",
                  "The argument " + in_quotes(a.name.sv()) + " must be a list of references in brackets.",
                  a.expr->range);
    return out;
  }
  for (const Expr* e : items) {
    Diagnostics before;
    std::swap(before, d.diags);
    const Traversal* t = address(d, *e);
    std::swap(before, d.diags);
    // A name alone is no address: that will be said, and nothing about its quotes.
    if (!t || !t->steps.empty()) d.diags.append(std::move(before));
    if (t) out.push_back(t);
  }
  return out;
}

const Expr* expression(Decode& d, const Expr& e) {
  if (!e.json) return &e;
  if (e.kind == ExprKind::TemplateWrap) return e.a;
  return syntax::as_expression(file_at(d.module, e.range), e, d.diags);
}

bool check_provider_name(Decode& d, Symbol name, Range where) {
  bool ok = !name.empty(), upper = false;
  const std::string_view s = name.sv();
  for (char c : s) {
    upper |= c >= 'A' && c <= 'Z';
    ok &=
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || (c >= 'A' && c <= 'Z') || (c & 0x80);
  }
  ok = ok && s.front() != '-' && s.back() != '-' && s.find("--") == std::string_view::npos;
  if (ok && !upper) return true;
  d.diags.error("Invalid provider name",
                "The local name of a provider can contain only lower-case letters, digits and dashes, and "
                "cannot begin or end with a dash; " +
                    in_quotes(s) + " is not valid.",
                where);
  return false;
}

namespace {

// Takes off the brackets of aws.by_region[each.key].
const Expr* provider_instance(const Expr& e, ProviderRef& ref) {
  if (e.kind != ExprKind::Index) return &e;
  ref.key = e.b;
  return e.a;
}

}  // namespace

std::optional<ProviderRef> provider_ref(Decode& d, const Expr& e, std::string_view argument) {
  const bool json = e.json != nullptr;
  ProviderRef ref;
  ref.range = e.range;
  std::string text;
  bool ok = false;
  const Expr* x = json && e.kind == ExprKind::TemplateWrap ? e.a : &e;
  if (literal_text(*x, text) && text.find('[') != std::string::npos && json) x = expression(d, e);
  x = provider_instance(*x, ref);
  // Where providers are named, the keyword null is a name like others: there is hashicorp/null.
  const Expr& root = x->kind == ExprKind::RelTraversal ? *x->a : *x;
  const bool null = root.kind == ExprKind::Literal && root.value.is_null();
  if ((null || x->kind == ExprKind::Traversal) && (!json || x != &e)) {
    ref.local_name = null ? Symbol("null") : x->traversal->root;
    auto steps = x->traversal ? x->traversal->steps : std::span<const syntax::TraversalStep>();
    if (steps.size() == 2 && !steps[1].is_attr && !ref.has_key()) {
      if (steps[1].index.is_string()) ref.fixed_key = InstanceKey::of(Symbol(steps[1].index.as_string()));
      if (ref.has_key()) steps = steps.first(1);
    }
    ok = steps.empty() ? !ref.has_key() : steps.size() == 1 && steps[0].is_attr;
    if (ok && !steps.empty()) ref.alias = steps[0].attr;
  } else if (literal_text(*x, text)) {
    size_t dot = text.find('.');
    ref.local_name = Symbol(std::string_view(text).substr(0, dot));
    ok = syntax::valid_identifier(ref.local_name.sv());
    if (ok && dot != std::string::npos) {
      ref.alias = Symbol(std::string_view(text).substr(dot + 1));
      ok = syntax::valid_identifier(ref.alias.sv());
    }
  }
  if (!ok) {
    d.diags.error("Invalid provider configuration reference",
                  "The argument " + in_quotes(argument) +
                      " must be the local name of a provider, or that name, a period and the alias of one of "
                      "its configurations: aws or aws.west.",
                  e.range);
    return std::nullopt;
  }
  if (!check_provider_name(d, ref.local_name, e.range)) return std::nullopt;
  if (ref.has_key() && !allows_addition("An instance key in a reference to a provider", e.range, d.diags))
    return std::nullopt;
  return ref;
}

std::optional<CheckRule> check_rule(Decode& d, const Block& block) {
  static const BodySchema kSchema{{{"condition"}, {"error_message"}}, {}};
  Content c = syntax::decode(block.body, kSchema, d.diags);
  CheckRule rule;
  rule.range = block.def_range;
  const std::string what = "this " + in_quotes(block.type.sv()) + " block";
  if (const Attribute* a = c.find("condition"))
    rule.condition = a->expr;
  else
    missing_argument(d, "condition", what, c);
  if (const Attribute* a = c.find("error_message"))
    rule.error_message = a->expr;
  else
    missing_argument(d, "error_message", what, c);
  if (!rule.condition || !rule.error_message) return std::nullopt;
  return rule;
}

std::vector<CheckRule> check_rules(Decode& d, const Content& c, std::string_view type) {
  std::vector<CheckRule> out;
  for (const Block& b : c.blocks) {
    if (b.type.sv() != type) continue;
    if (auto rule = check_rule(d, b)) out.push_back(*rule);
  }
  return out;
}

const Expr* decode_enabled(Decode& d, const Content& lifecycle, const RepetitionArguments& others) {
  const Attribute* a = lifecycle.find("enabled");
  if (!a || !allows_addition("The lifecycle argument \"enabled\"", a->name_range, d.diags)) return nullptr;
  if (!others.count && !others.for_each) return a->expr;
  d.diags.error("Invalid combination of arguments",
                std::string("\"enabled\" and \"") + (others.count ? "count" : "for_each") +
                    "\" cannot be used together, because each of them determines which instances exist.",
                a->name_range);
  return nullptr;
}

void reserved_blocks(Decode& d, const Content& c, std::initializer_list<std::string_view> names,
                     std::string_view where) {
  for (const Block& b : c.blocks) {
    if (std::find(names.begin(), names.end(), b.type.sv()) == names.end()) continue;
    d.diags.error("Reserved block type",
                  "A " + in_quotes(b.type.sv()) + " block has no meaning in " + std::string(where) +
                      ". The name is reserved for future use; remove the block.",
                  b.def_range);
  }
}

const Block* single_block(Decode& d, const Content& c, std::string_view type, std::string_view where) {
  const Block* first = nullptr;
  for (const Block& b : c.blocks) {
    if (b.type.sv() != type) continue;
    if (!first) {
      first = &b;
      continue;
    }
    d.diags.error("Duplicate block",
                  "Only one " + in_quotes(type) + " block is allowed in " + std::string(where) +
                      "; the first is at " + place(d.sources, first->def_range) +
                      ". Put everything in one of them.",
                  b.def_range);
  }
  return first;
}

}  // namespace xplan::config
