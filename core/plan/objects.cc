// Between stored objects and values: decoding with the provider's schema upgrade, making objects from
// results, marks of sensitive attributes, and adding provider diagnostics with their address.
#include "core/plan/objects.h"

#include "core/plan/identity.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/base/log.h"
#include "core/eval/limits.h"
#include "core/schema/decode.h"
#include "core/schema/object_of.h"
#include "core/value/json.h"

namespace xplan {

ObjectId object_id(const Value& object) {
  if (object.kind() != Kind::Obj || object.has_mark(kSensitive)) return {};
  for (const char* key : {"id", "name"}) {
    const Value* v = object.find_attr(key);
    if (v && v->is_string() && !v->contains_marks()) return {key, std::string(v->as_string())};
    if (v && key == std::string_view("id")) break;  // an id that cannot be shown: no second choice
  }
  return {};
}

void add_provider_diags(const ProviderDiags& from, const AbsInstance& addr, const config::Resource* where,
                        Diagnostics& diags) {
  for (const ProviderDiag& p : from) {
    Diagnostic d;
    d.severity = p.severity;
    d.summary = p.summary;
    d.detail = p.detail;
    d.of_many = p.of_many;
    d.address = addr.text();
    d.attribute = p.path.empty() ? "" : path_text(p.path);
    if (where && where->block) d.subject = schema::locate_or_missing(where->block->body, p.path);
    if (where && !d.subject.valid()) d.subject = where->range;
    diags.add(std::move(d));
  }
}

void add_violations(std::string_view summary, std::string_view phase, const ProviderAddr& provider,
                    const AbsInstance& addr, const std::vector<std::pair<Path, std::string>>& violations,
                    Diagnostics& diags) {
  for (const auto& [path, message] : violations) {
    diags
        .error(summary, fmt::format("Provider \"{}\" violated the provider contract {} {}: {}{}. This is a "
                                    "bug in the provider; please report it to its developers.",
                                    provider.text(), phase, addr.text(), path_text(path),
                                    (path.empty() ? "" : ": ") + message))
        .address = addr.text();
  }
}

void log_tolerated(std::string_view what, const ProviderAddr& provider, const AbsInstance& addr,
                   const std::vector<std::pair<Path, std::string>>& violations) {
  std::string text = fmt::format(
      "Provider \"{}\" produced {} for {}. This is tolerated because it uses the legacy plugin SDK, but it "
      "may cause confusing errors later:",
      provider.text(), what, addr.text());
  for (const auto& [path, message] : violations)
    text += fmt::format("\n  - {}: {}", path_text(path), message);
  log_line(LogLevel::Warn, "core", text);
}

ObjectPtr convert_moved(const ObjectPtr& o, const AbsInstance& addr, const schema::Schema& schema,
                        Provider& provider, const Range& where, Diagnostics& diags) {
  MoveStateRequest q{o->moved_from->provider,
                     o->moved_from->type,
                     o->schema_version,
                     o->attributes_json,
                     o->private_data,
                     {},
                     0,
                     addr.resource.type};
  if (o->identity)
    q.source_identity_json = o->identity->json, q.source_identity_version = o->identity->version;
  UpgradeResponse r = provider.move(q);
  Diagnostics found;
  add_provider_diags(r.diags, addr, nullptr, found);
  const Value v = r.state.is_null() ? r.state : apply_marks(r.state, {}, schema.block);
  if (!found.has_errors() && (v.is_null() || !v.is_wholly_known()))
    found
        .error("Provider returned invalid result",
               fmt::format("The provider was asked to convert {} from resource type {} and returned {}.",
                           addr.text(), o->moved_from->type.sv(),
                           v.is_null() ? "nothing" : "an object with unknown values"))
        .address = addr.text();
  if (!found.has_errors())
    settle_identity(r.identity, Value(), false, "when it converted the object", addr, found);
  for (Diagnostic& d : found.mutable_all()) d.subject = where;
  const bool refused = found.has_errors();
  diags.append(std::move(found));
  if (refused) return nullptr;
  return make_object(v, schema, r.private_data, o->dependencies, *o, o->status,
                     make_identity(r.identity, addr.resource.type, provider));
}

namespace {

// Of values of expressions, which are looked at when they are there; this is asked before there is one.
bool has_too_many_elements(std::string_view json, const AbsInstance& addr, Diagnostics& diags) {
  if (json.size() < 2 * eval::kMaxElements) return false;
  size_t elements = 0;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    if (quoted && json[i] == '\\')
      ++i;
    else if (json[i] == '"')
      quoted = !quoted;
    else if (!quoted && json[i] == ',')
      ++elements;
  }
  if (elements < eval::kMaxElements) return false;
  diags
      .error("Invalid object in state",
             fmt::format(
                 "The recorded attributes of {} cannot be read: they have more than {} elements, which is "
                 "the limit.",
                 addr.text(), eval::kMaxElements))
      .address = addr.text();
  return true;
}

}  // namespace

std::optional<Value> recorded_value(const Object& o, const AbsInstance& addr, const schema::Schema& schema,
                                    Diagnostics& diags) {
  if (has_too_many_elements(o.attributes_json, addr, diags)) return std::nullopt;
  Result<Value> read = parse_json_as(o.attributes_json, schema.block.implied_type(), true, true);
  if (!read) {
    diags
        .error("Invalid object in state", fmt::format("The recorded attributes of {} cannot be read: {}.",
                                                      addr.text(), read.error().message))
        .address = addr.text();
    return std::nullopt;
  }
  std::vector<Value> attrs(read->elements().begin(), read->elements().end());
  return apply_marks(schema::object_of(schema.block.implied_type(), std::move(attrs)), o.sensitive_paths,
                     schema.block);
}

bool is_newer(const Object& o, const schema::Schema& schema) {
  return !o.value && o.schema_version > schema.version;
}

std::optional<Value> object_value(const Object& o, const AbsInstance& addr, const schema::Schema& schema,
                                  Provider& provider, Diagnostics& diags) {
  Value v;
  if (o.value) {
    v = *o.value;
    if (v.contains_marks()) return v;
  } else {
    if (is_newer(o, schema)) {
      diags
          .error(
              "Resource instance managed by newer provider version",
              fmt::format(
                  "The state of {} was written with schema version {} of its resource type, but this version "
                  "of the provider supports only versions up to {}. Use a newer version of the provider.",
                  addr.text(), o.schema_version, schema.version))
          .address = addr.text();
      return std::nullopt;
    }
    if (addr.resource.mode == Mode::Data)  // never upgraded: a data source that no longer fits is read again
      return recorded_value(o, addr, schema, diags);
    if (has_too_many_elements(o.attributes_json, addr, diags)) return std::nullopt;
    UpgradeResponse r =
        provider.upgrade(addr.resource.type, o.schema_version, o.attributes_json, o.attributes_flat);
    Diagnostics own;
    add_provider_diags(r.diags, addr, nullptr, own);
    bool failed = own.has_errors();
    diags.append(std::move(own));
    if (failed) return std::nullopt;
    v = std::move(r.state);
    if (!v.is_wholly_known()) {
      diags
          .error("Provider returned invalid result",
                 fmt::format("The provider was asked to upgrade {} from schema version {} to version {} and "
                             "returned an object with unknown values.",
                             addr.text(), o.schema_version, schema.version))
          .address = addr.text();
      return std::nullopt;
    }
  }
  if (!o.sensitive_paths.empty()) v = mark_at_paths(v, o.sensitive_paths);
  return schema::mark_sensitive(v, schema.block);
}

ObjectPtr make_object(const Value& v, const schema::Schema& schema, std::string private_data,
                      Dependencies deps, RecordedLifecycle lifecycle, ObjectStatus status,
                      ObjectIdentityPtr identity) {
  auto o = std::make_shared<Object>();
  o->status = status;
  o->schema_version = schema.version;
  if (v.contains_marks()) {
    for (PathMarks& m : marked_paths(v))
      if (m.marks & kSensitive) o->sensitive_paths.push_back({std::move(m.path), kSensitive});
  }
  o->value = schema::strip_write_only(v, schema.block);  // whatever a provider says, these are never stored
  o->private_data = std::move(private_data);
  o->dependencies = std::move(deps);
  static_cast<RecordedLifecycle&>(*o) = lifecycle;
  o->identity = std::move(identity);
  return o;
}

bool check_ephemeral(const Value& config, const config::Resource& r, const AbsInstance& addr,
                     Diagnostics& diags) {
  bool ok = true;
  if (r.addr.mode == Mode::Ephemeral || !(config.deep_marks() & kEphemeral)) return ok;
  for (const PathMarks& m : marked_paths(config)) {
    if (!(m.marks & kEphemeral) || schema::is_write_only(r.schema->block, m.path)) continue;
    Range where = r.block ? schema::locate(r.block->body, m.path) : Range();
    diags
        .error("Invalid use of ephemeral value",
               fmt::format("The value of {}{} is ephemeral. Resource attributes are stored in the plan and "
                           "the state, so they cannot have ephemeral values unless they are write-only.",
                           addr.text(), path_text(m.path)),
               where.valid() ? where : r.range)
        .address = addr.text();
    ok = false;
  }
  return ok;
}

Value apply_marks(const Value& v, const std::vector<PathMarks>& from_config, const schema::Block& schema) {
  Value out = from_config.empty() ? v : mark_at_paths(v, from_config);
  return schema::mark_sensitive(out, schema);
}

Value opened_value(const Value& result, const std::vector<PathMarks>& from_config) {
  return mark_at_paths(result, from_config).with_marks(kEphemeral);
}

bool same_marks(const Value& a, const Value& b) {
  if (!a.contains_marks() && !b.contains_marks()) return true;
  auto list = [](const Value& v) {
    auto m = marked_paths(v);
    std::sort(m.begin(), m.end(),
              [](const PathMarks& x, const PathMarks& y) { return path_less(x.path, y.path); });
    return m;
  };
  auto x = list(a), y = list(b);
  return x.size() == y.size() &&
         std::equal(x.begin(), x.end(), y.begin(), [](const PathMarks& p, const PathMarks& q) {
           return p.marks == q.marks && p.path == q.path;
         });
}

}  // namespace xplan
