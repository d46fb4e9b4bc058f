// Writes and reads the note of the last apply, and compares a plan with it.
#include "core/run/last_apply.h"

#include <filesystem>
#include <unordered_map>

#include "core/base/atomic_file.h"
#include "core/base/log.h"
#include "core/review/attributes.h"
#include "core/value/json.h"

namespace xplan::run {
namespace {

constexpr size_t kLargestSet = 256;  // Value::written_size() of an attribute that is kept
constexpr std::string_view kFormat = "1.0";
constexpr std::string_view kKinds[] = {"variable", "local", "output"};

std::string path_of(const Context& c) {
  return join_path(join_path(c.data_dir, "last_apply"), c.workspace + ".json");
}

// --- writing -----------------------------------------------------------------------------------------------

void write_path(const Path& path, JsonWriter& w) {
  w.begin_array();
  for (const PathStep& s : path) {
    if (s.is_attr) {
      w.string(s.attr.sv());
    } else {
      w.begin_array();
      write_json_as(w, s.index, Type::dynamic());
      w.end_array();
    }
  }
  w.end_array();
}

void write_value(std::string_view name, const Value& v, JsonWriter& w) {
  w.key(name);
  write_json_as(w, v, Type::dynamic());
}

bool can_keep(const Value& v) {
  return v.is_wholly_known() && !v.contains_marks() && v.written_size() <= kLargestSet;
}

void write_named(const Plan& plan, JsonWriter& w) {
  w.key("values");
  w.begin_array();
  for (const NamedValue& v : plan.named) {
    if (!v.value.is_wholly_known() || v.value.contains_marks()) continue;
    w.begin_object();
    w.member("kind", kKinds[static_cast<size_t>(v.kind)]);
    w.member("module", std::string_view(v.module.text()));
    w.member("name", v.name.sv());
    write_value("value", v.value, w);
    w.end_object();
  }
  w.end_array();
}

void write_set(const Plan& plan, const State& written, JsonWriter& w) {
  size_t kept = 0;
  for (const ResourceChange& c : plan.changes) {
    if (c.change.action != Action::Update || kept >= kMostSet) continue;
    const InstanceState* now = written.find(c.addr);
    if (!now || !now->current || !now->current->value) continue;
    for (const review::ChangedAttribute& a : review::changed_attributes(c)) {
      const std::optional<Value> returned = path_get(*now->current->value, a.path);
      if (!can_keep(a.after) || a.before.contains_marks() || !returned || !can_keep(*returned)) continue;
      w.begin_object();
      w.member("address", std::string_view(c.addr.text()));
      w.key("path");
      write_path(a.path, w);
      write_value("planned", a.after, w);
      write_value("returned", *returned, w);
      w.end_object();
      if (++kept >= kMostSet) break;
    }
  }
}

// --- reading -----------------------------------------------------------------------------------------------

std::optional<Value> read_value(const JsonNode& from, std::string_view name) {
  const JsonNode* n = from.find(name);
  if (!n) return std::nullopt;
  Result<Value> v = json_value_as(*n, Type::dynamic());
  return v ? std::optional(std::move(*v)) : std::nullopt;
}

std::optional<Path> read_path(const JsonNode* from) {
  if (!from || !from->is_array()) return std::nullopt;
  Path out;
  for (const JsonNode* s : from->items) {
    if (s->is_string()) {
      out.push_back(PathStep::of_attr(s->str()));
      continue;
    }
    if (!s->is_array() || s->items.size() != 1) return std::nullopt;
    Result<Value> index = json_value_as(*s->items[0], Type::dynamic());
    if (!index) return std::nullopt;
    out.push_back(PathStep::of_index(std::move(*index)));
  }
  return out;
}

std::string_view text_in(const JsonNode& from, std::string_view name) {
  const JsonNode* n = from.find(name);
  return n ? n->str() : std::string_view();
}

std::string name_key(std::string_view kind, std::string_view module, std::string_view name) {
  return std::string(kind) + '\n' + std::string(module) + '\n' + std::string(name);
}

void compare_named(const JsonNode& root, Plan& plan) {
  const JsonNode* values = root.find("values");
  if (!values) return;
  std::unordered_map<std::string, const JsonNode*> before;
  for (const JsonNode* v : values->items)
    before.emplace(name_key(text_in(*v, "kind"), text_in(*v, "module"), text_in(*v, "name")), v);
  for (NamedValue& v : plan.named) {
    const auto it = before.find(name_key(kKinds[static_cast<size_t>(v.kind)], v.module.text(), v.name.sv()));
    if (it != before.end()) v.before = read_value(*it->second, "value");
  }
}

std::string set_key(std::string_view address, const Path& path) {
  return std::string(address) + '\n' + path_text(path);
}

void compare_set(const JsonNode& root, Plan& plan) {
  const JsonNode* set = root.find("set");
  if (!set || set->items.empty()) return;
  std::unordered_map<std::string, const JsonNode*> by_key;
  for (const JsonNode* n : set->items)
    if (const std::optional<Path> path = read_path(n->find("path")))
      by_key[set_key(text_in(*n, "address"), *path)] = n;
  for (const ResourceChange& c : plan.changes) {
    if (c.change.action != Action::Update && !is_replace(c.change.action)) continue;
    const std::string address = c.addr.text();
    for (const review::ChangedAttribute& a : review::changed_attributes(c)) {
      const auto it = by_key.find(set_key(address, a.path));
      if (it == by_key.end()) continue;
      const std::optional<Value> planned = read_value(*it->second, "planned");
      std::optional<Value> returned = read_value(*it->second, "returned");
      if (planned && returned && a.after.raw_equal(*planned))
        plan.repeated.push_back({c.addr, a.path, std::move(*returned)});
    }
  }
}

}  // namespace

std::string note_of_apply(const Plan& plan, const State& written, bool complete) {
  JsonWriter w(0);
  w.begin_object();
  w.member("format_version", kFormat);
  w.member("lineage", std::string_view(written.lineage));
  w.member("serial", static_cast<int64_t>(written.serial));
  write_named(plan, w);
  w.key("set");
  w.begin_array();
  if (complete) write_set(plan, written, w);
  w.end_array();
  w.end_object();
  return w.take();
}

bool compare_with_note(std::string_view note, const State& state, Plan& plan) {
  JsonError error;
  const auto doc = JsonDocument::parse(note, error, kJsonStoredDepth);
  if (!doc || !doc->root().is_object() || text_in(doc->root(), "format_version") != kFormat) return false;
  const JsonNode* serial = doc->root().find("serial");
  if (state.lineage.empty() || text_in(doc->root(), "lineage") != state.lineage || !serial ||
      serial->text != std::to_string(state.serial))
    return true;
  compare_named(doc->root(), plan);
  compare_set(doc->root(), plan);
  return true;
}

void keep_last_apply(const Context& c, const Plan& plan, const State& written, bool complete) {
  if (&c.files != &real_fs()) return;
  const std::string path = path_of(c);
  std::error_code failed;  // then writing fails
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  if (const Result<void> ok = write_private(path, note_of_apply(plan, written, complete)); !ok)
    log_line(LogLevel::Warn, "core", "the note of this apply was not written: " + ok.error().message);
}

void forget_last_apply(const Context& c) {
  if (&c.files != &real_fs()) return;
  std::error_code failed;
  std::filesystem::remove(path_of(c), failed);
  if (failed)
    log_line(LogLevel::Warn, "core", "the note of the last apply was not removed: " + failed.message());
}

void compare_with_last_apply(const Context& c, const State& state, Plan& plan) {
  const std::string path = path_of(c);
  if (&c.files != &real_fs() || !c.files.exists(path)) return;
  const Result<std::string> text = c.files.read(path);
  if (!text || !compare_with_note(*text, state, plan))
    log_line(LogLevel::Warn, "core", "the note of the last apply cannot be read");
}

}  // namespace xplan::run
