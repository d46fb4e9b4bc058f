// Finds the encryption blocks of a module, takes them apart and lays them over each other.
#include "core/crypt/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/config/module_files.h"

namespace xplan::crypt {
namespace {

using syntax::BodySchema;
using syntax::Content;

bool is_override(const syntax::File& f) {
  const size_t slash = f.name.rfind('/');
  return !config::classify({slash == std::string::npos ? f.name : f.name.substr(slash + 1)})
              .overrides.empty();
}

// The blocks of one type in a body, whatever else is there.
Content blocks_of(const syntax::Body& body, std::string_view type) {
  Diagnostics others_report;
  syntax::Rest rest;
  return syntax::decode_partial(body, BodySchema{{}, {{type, {}}}}, &rest, others_report);
}

}  // namespace

const Content& Block::keep(Content c) {
  return *contents_.emplace_back(std::make_unique<Content>(std::move(c)));
}

bool Block::first_in_layer(const std::string& what, const syntax::Block& b, Diagnostics& diags) {
  auto [at, fresh] = declared_.try_emplace(what, layer_);
  if (fresh || std::exchange(at->second, layer_) != layer_) return true;
  diags.error(
      "Duplicate block in the encryption block",
      fmt::format("{} is declared more than once. Remove one of the blocks, or give it another name.", what),
      b.def_range);
  return false;
}

void Block::add(const config::Module& root, Diagnostics& diags) {
  for (const bool overrides : {false, true}) {
    for (const std::unique_ptr<syntax::File>& f : root.files) {
      if (is_override(*f) != overrides) continue;
      if (overrides) begin_layer();
      for (const syntax::Block& terraform : keep(blocks_of(f->body, "terraform")).blocks)
        for (const syntax::Block& b : keep(blocks_of(terraform.body, "encryption")).blocks)
          if (first_in_layer("encryption", b, diags)) add(b.body, diags);
    }
  }
  begin_layer();
}

void Block::add(const syntax::Body& body, Diagnostics& diags) {
  static const BodySchema kSchema{{},
                                  {{"key_provider", {"type", "name"}},
                                   {"method", {"type", "name"}},
                                   {"state", {}},
                                   {"plan", {}},
                                   {"remote_state_data_sources", {}}}};
  found_ = true;
  for (const syntax::Block& b : keep(syntax::decode(body, kSchema, diags)).blocks) {
    const std::string_view type = b.type.sv();
    if (type == "key_provider")
      declare(key_providers, b, diags);
    else if (type == "method")
      declare(methods, b, diags);
    else if (type == "state")
      add_target(state, b, true, diags);
    else if (type == "plan")
      add_target(plan, b, true, diags);
    else
      add_remote(b, diags);
  }
}

void Block::declare(std::vector<Declared>& list, const syntax::Block& b, Diagnostics& diags) {
  const std::string name = fmt::format("{}.{}.{}", b.type.sv(), b.labels[0].sv(), b.labels[1].sv());
  for (size_t i = 0; i < 2; ++i) {
    if (syntax::valid_identifier(b.labels[i].sv())) continue;
    diags.error(
        "Invalid name",
        fmt::format("\"{}\" is not a valid name for a {} block. A name must begin with a letter or an "
                    "underscore and can contain only letters, digits, underscores and dashes.",
                    b.labels[i].sv(), b.type.sv()),
        b.label_ranges[i]);
    return;
  }
  if (!first_in_layer(name, b, diags)) return;
  auto same = std::find_if(list.begin(), list.end(),
                           [&](const Declared& d) { return d.type == b.labels[0] && d.name == b.labels[1]; });
  if (same == list.end()) same = list.insert(list.end(), {b.labels[0], b.labels[1], {}, {}, {}});
  same->header = b.def_range;
  same->type_range = b.label_ranges[0];
  same->layers.push_back(&b.body);
}

std::unique_ptr<TargetBlock> Block::read_target(const syntax::Block& b, bool with_enforced,
                                                Diagnostics& diags) {
  BodySchema schema{{{"method"}}, {{"fallback", {}}}};
  if (with_enforced) schema.attributes.push_back({"enforced"});
  const Content& c = keep(syntax::decode(b.body, schema, diags));
  auto out = std::make_unique<TargetBlock>();
  out->header = b.def_range;
  out->file = b.body.file;
  out->method = c.find("method");
  if (const syntax::Attribute* a = c.find("enforced")) out->enforced.push_back(a);
  for (const syntax::Block& f : c.blocks) {
    if (out->fallback)
      diags.error("Duplicate block in the encryption block",
                  "Only one fallback block is allowed here. To fall back further, put a fallback block into "
                  "the fallback block.",
                  f.def_range);
    else
      out->fallback = read_target(f, false, diags);
  }
  return out;
}

void Block::add_target(TargetBlock*& to, const syntax::Block& b, bool with_enforced, Diagnostics& diags) {
  const std::string what =
      b.labels.empty() ? std::string(b.type.sv()) : fmt::format("{} \"{}\"", b.type.sv(), b.labels[0].sv());
  if (!first_in_layer(what, b, diags)) return;
  std::unique_ptr<TargetBlock> t = read_target(b, with_enforced, diags);
  if (!to) {
    to = targets_.emplace_back(std::move(t)).get();
    return;
  }
  if (t->method) to->method = t->method, to->file = t->file, to->header = t->header;
  if (t->fallback) to->fallback = std::move(t->fallback);
  to->enforced.insert(to->enforced.end(), t->enforced.begin(), t->enforced.end());
}

void Block::add_remote(const syntax::Block& b, Diagnostics& diags) {
  static const BodySchema kSchema{{}, {{"default", {}}, {"remote_state_data_source", {"name"}}}};
  if (!first_in_layer("remote_state_data_sources", b, diags)) return;
  for (const syntax::Block& t : keep(syntax::decode(b.body, kSchema, diags)).blocks) {
    if (t.type.sv() == "default")
      add_target(remote_default, t, false, diags);
    else
      add_target(remote[std::string(t.labels[0].sv())], t, false, diags);
  }
}

}  // namespace xplan::crypt
