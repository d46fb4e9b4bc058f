// Collects the text of provisioners, provider configurations and arguments that the apply evaluates.
#include "core/review/code.h"

#include <algorithm>

#include "core/config/providers.h"
#include "core/plan/static_reads.h"
#include "core/review/summary.h"

namespace xplan::review {
namespace {

const std::string kNone;

bool has_write_only(const schema::Attribute& a) {
  return a.write_only || (a.nested && std::any_of(a.nested->attributes.begin(), a.nested->attributes.end(),
                                                  [](const auto& x) { return has_write_only(x); }));
}

// Of an argument or a type of blocks.
bool has_write_only(const schema::Block& s, std::string_view name) {
  if (const schema::Attribute* a = s.find_attribute(name); a && has_write_only(*a)) return true;
  const schema::NestedBlock* b = s.find_block(name);
  if (!b) b = s.find_attribute_block(name);
  return b && b->block->has_write_only();
}

// Of every type, whatever its schema: where names are written out, they stand for themselves.
template <class F>
void each_block(const syntax::Body& body, std::string_view type, F f) {
  Diagnostics ignored;
  syntax::Rest rest;
  for (const syntax::Block& b :
       syntax::decode_partial(body, syntax::BodySchema{{}, {{type, {}}}}, &rest, ignored).blocks)
    f(b);
}

}  // namespace

const std::vector<eval::FileRead>& CodeReader::files() const {
  static const std::vector<eval::FileRead> none;
  return reads_files_ ? plan_.file_reads : none;
}

std::string_view CodeReader::code(Range r) {
  ResolvedRange at;
  if (!sources_.resolve(r, at)) return {};
  reads_files_ = reads_files_ || mentions_files(at.text);
  calls_providers_ = calls_providers_ || at.text.find("provider::") != std::string_view::npos ||
                     at.text.find("\\u") != std::string_view::npos;
  return at.text;
}

void CodeReader::put_code(Range r, As as, Encoder& out) {
  as == As::Secret ? out.hidden(code(r)) : out.text(code(r));
}

void CodeReader::put(const config::Provisioner& p, const Connection& connection, Encoder& out) {
  out.begin_list();
  out.text(p.type.sv()).text(p.on_destroy ? "destroy" : "create");
  out.text(p.continue_on_failure ? "continue" : "fail");
  out.text(p.body.body ? code(p.body.body->range) : "");
  out.text(connection && connection->body ? code(connection->body->range) : "");
  out.end();
}

template <class F>
void CodeReader::each_provisioner(const ResourceChange& c, F f) const {
  const Action a = c.change.action;
  const bool makes = a == Action::Create || is_replace(a), ends = destroys(a);
  if ((!makes && !ends) || c.addr.resource.mode != Mode::Managed) return;
  const ConfigResource name = c.addr.config();
  auto each = [&](const config::Node* n, const std::vector<config::Provisioner>& list,
                  const Connection& connection, const config::Resource* r) {
    for (const config::Provisioner& p : list)
      if (p.on_destroy ? ends : makes) f(n, p, connection, r);
  };
  if (const config::Resource* r = config_.find(name))
    each(config_.find(name.module), r->provisioners, r->connection, r);
  else if (const RemovedBlocks::Place* place = removed_.find(name))
    each(place->node, place->block->provisioners, place->block->connection, nullptr);
}

const std::string& CodeReader::provisioners(const ResourceChange& c) {
  const Action a = c.change.action;
  const bool makes = a == Action::Create || is_replace(a), ends = destroys(a);
  if (!makes && !ends) return kNone;
  const ConfigResource name = c.addr.config();
  auto [it, added] = provisioners_[makes && ends ? 2 : ends].try_emplace(name);
  if (!added) return it->second;
  Encoder out;
  out.begin_list();
  bool any = false;
  each_provisioner(c, [&](const config::Node* n, const config::Provisioner& p, const Connection& connection,
                          const config::Resource* r) {
    any = true;
    put(p, connection, out);
    for (const syntax::Body* body : {p.body.body, connection ? connection->body : nullptr})
      if (body)
        for (const syntax::Traversal* t : references(*n->module, body->range))
          todo_.push_back({n, t, false, r ? r->for_each : nullptr, name.text()});
  });
  out.end();
  if (any) it->second = std::move(out.bytes);
  return it->second;
}

bool CodeReader::self(const ResourceChange& c, Encoder& out) {
  std::map<std::string, Value> read;
  each_provisioner(c, [&](const config::Node* n, const config::Provisioner& p, const Connection& connection,
                          const config::Resource*) {
    if (!p.on_destroy) return;
    for (const syntax::Body* body : {p.body.body, connection ? connection->body : nullptr}) {
      if (!body) continue;
      for (const syntax::Traversal* t : references(*n->module, body->range)) {
        const config::Reference& ref = n->module->reference(*t);
        if (ref.kind != config::RefKind::Self) continue;
        Path path;
        for (size_t step = ref.consumed; step < t->steps.size(); ++step)
          path.push_back(t->steps[step].is_attr ? PathStep::of_attr(t->steps[step].attr)
                                                : PathStep::of_index(t->steps[step].index));
        const Value whole = schema::mark_sensitive(c.change.before, c.schema.get());
        std::optional<Value> v = path_get(whole, path);
        if (!v) path.clear(), v = whole;
        read.emplace(path_text(path), std::move(*v));
      }
    }
  });
  if (read.empty()) return false;
  out.begin_map();
  for (const auto& [path, v] : read) out.text(path).value(v);
  out.end();
  return true;
}

bool CodeReader::provider(const ProviderConfigAddr& a, Encoder& out) {
  const config::Node* n = config_.find(a.module);
  if (!n) return false;
  for (const config::ProviderConfig& p : n->module->providers) {
    if (!(p.provider == a.provider) || p.alias != a.alias || !p.block) continue;
    const syntax::Body* merged = p.body.body;
    if (!merged || merged == &p.block->body) {
      put_code(p.block->body.range, As::Code, out);
    } else {  // what override files have put in its place
      out.begin_list();
      put_code(p.block->body.range, As::Code, out);
      for (const syntax::Attribute& x : merged->attributes) put_code(x.range, As::Code, out);
      for (const syntax::Block* b : merged->blocks) {
        out.text(b->type.sv());
        for (const Symbol label : b->labels) out.text(label.sv());
        put_code(b->body.range, As::Code, out);
      }
      out.end();
    }
    for (const syntax::Traversal* t : p.references)
      todo_.push_back({n, t, true, p.for_each, a.block().text()});
    return true;
  }
  return false;
}

template <class F>
void CodeReader::read_arguments(const config::Node* n, const config::Resource& r, bool of_provider, F as) {
  const std::string owner = ConfigResource{n->path, r.addr}.text();
  const Item inside{n, nullptr, of_provider, r.for_each, owner};
  for (const syntax::Attribute& a : r.content.attributes)
    if (const As how = as(a.name); how != As::Nothing)
      read(n, owner + "." + std::string(a.name.sv()), a.expr, inside, how);
  for (const syntax::Block& b : r.content.blocks) {
    const Symbol type = b.type.sv() == "dynamic" && !b.labels.empty() ? b.labels[0] : b.type;
    if (const As how = as(type); how != As::Nothing)
      read_block(owner + "." + std::string(type.sv()), b, inside, how);
  }
}

void CodeReader::arguments(const ResourceChange& c) {
  const Value& after = c.change.after;
  const Action action = c.change.action;
  if (action == Action::NoOp || !facts(action).has_after || !c.schema) return;
  const config::Node* n = config_.find(c.addr.config().module);
  if (n && !n->module->provider_metas.empty()) provider_meta(n, c.provider.provider);
  const schema::Block& block = c.schema->block;
  const config::Resource* r =
      after.is_wholly_known() && !block.has_write_only() ? nullptr : config_.find(c.addr.config());
  if (!r) return;
  read_arguments(n, *r, false, [&](Symbol name) {
    if (has_write_only(block, name.sv())) return As::Secret;
    const Value* v = after.kind() == Kind::Obj ? after.find_attr(name.sv()) : &after;
    return v && !v->is_wholly_known() ? As::Code : As::Nothing;
  });
}

void CodeReader::provider_meta(const config::Node* n, const ProviderAddr& provider) {
  for (const config::ProviderMeta& meta : n->module->provider_metas) {
    if (!meta.body.body || !(config::provider_of(*n->module, meta.local_name) == provider)) continue;
    const std::string in = n->path.is_root() ? "" : n->path.text() + ".";
    if (Encoder* out = once(in + "provider_meta." + std::string(meta.local_name.sv()), &meta))
      put_code(meta.body.body->range, As::Code, *out);
    read_early(n, *meta.body.body);
  }
}

void CodeReader::unknown_output(const OutputChange& o) {
  const config::Node* n = config_.root.get();
  const int i = o.change.after.is_wholly_known() ? -1 : n->module->find_output(o.name);
  if (i < 0) return;
  const std::string name = "output." + std::string(o.name.sv());
  read(n, name, n->module->outputs[i].expr, Item{n, nullptr});
  read_declaration(n->module->outputs[i], name);
}

// Each of them is opened when a plan is applied, whoever reads it.
void CodeReader::ephemeral_resources() {
  for (const config::Node* n : config_.nodes)
    for (uint32_t i = 0; i < n->module->resources.size(); ++i)
      if (n->module->resources[i].addr.mode == Mode::Ephemeral) read_ephemeral(n, i, false);
}

void CodeReader::encryption() {
  const config::Module& m = *config_.root->module;
  if (!m.encryption) return;
  for (const std::unique_ptr<syntax::File>& file : m.files)
    each_block(file->body, "terraform", [&](const syntax::Block& terraform) {
      each_block(terraform.body, "encryption", [&](const syntax::Block& b) {
        if (Encoder* out = once("encryption", file.get())) put_code(b.body.range, As::Secret, *out);
        read_early(config_.root.get(), b.body);
      });
    });
}

// Of a body without a schema: what it refers to, in the native syntax.
void CodeReader::read_early(const config::Node* n, const syntax::Body& body) {
  Traversals found;
  for (const syntax::Attribute& a : body.attributes)
    if (a.expr) syntax::collect_traversals(*a.expr, found);
  for (const syntax::Traversal* t : found) todo_.push_back({n, t, true});
  for (const syntax::Block* b : body.blocks) read_early(n, b->body);
}

}  // namespace xplan::review
