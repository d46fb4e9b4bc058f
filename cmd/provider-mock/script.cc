// Scripts of the mock: reading them from JSON, deciding which of them apply to a call, and what each does
// (delay, crash, diagnostics, changed values). stop() ends delays early through cut_delays_short().
#include "cmd/provider-mock/script.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "cmd/provider-mock/schema_file.h"
#include "core/value/json.h"

namespace xplan::mock {
namespace {

std::mutex stop_lock;
std::condition_variable stop_heard;
bool stopped = false;

int64_t integer(const JsonNode* n, int64_t otherwise) {
  if (!n || !n->is_number()) return otherwise;
  Result<Number> v = Number::parse(n->text);
  std::optional<int64_t> i = v ? v->exact_int64() : std::nullopt;
  return i.value_or(otherwise);
}

void read_diags(const JsonNode& n, Severity severity, ProviderDiags& out) {
  if (n.is_array()) {
    for (const JsonNode* item : n.items) read_diags(*item, severity, out);
    return;
  }
  ProviderDiag d;
  d.severity = severity;
  if (n.is_string()) {
    d.summary = n.str();
  } else {
    if (const JsonNode* v = n.find("summary")) d.summary = v->str();
    if (const JsonNode* v = n.find("detail")) d.detail = v->str();
    if (const JsonNode* v = n.find("path")) d.path = dotted_path(v->str());
  }
  out.push_back(std::move(d));
}

Script read_script(const JsonNode& n, const std::string& where, std::vector<std::string>& errors) {
  static const std::vector<std::string_view> kKnown = {
      "on",       "when",       "skip",      "times",
      "delay_ms", "deaf",       "error",     "errors",
      "warning",  "warnings",   "crash",     "partial",
      "null",     "wrong_type", "malformed", "legacy_type_system",
      "deferred", "override",   "unknown",   "requires_replace",
      "private",  "identity",   "renew_in_s"};
  for (const JsonMember& m : n.members)
    if (std::find(kKnown.begin(), kKnown.end(), m.key) == kKnown.end())
      errors.push_back(where + " has a member \"" + std::string(m.key) + "\", which is not supported.");
  Script s;
  if (const JsonNode* v = n.find("on")) s.on = v->str();
  if (const JsonNode* v = n.find("when"))
    for (const JsonMember& m : v->members) s.when.emplace_back(dotted_path(m.key), m.value);
  s.skip = integer(n.find("skip"), 0);
  s.times = integer(n.find("times"), -1);
  s.delay_ms = integer(n.find("delay_ms"), 0);
  s.deaf = flag(n, "deaf");
  s.renew_in_s = integer(n.find("renew_in_s"), -1);
  for (const char* key : {"error", "errors"})
    if (const JsonNode* v = n.find(key)) read_diags(*v, Severity::Error, s.diags);
  for (const char* key : {"warning", "warnings"})
    if (const JsonNode* v = n.find(key)) read_diags(*v, Severity::Warning, s.diags);
  if (const JsonNode* v = n.find("crash")) s.crash = v->str();
  s.partial = flag(n, "partial"), s.null = flag(n, "null"), s.wrong_type = flag(n, "wrong_type");
  s.malformed = flag(n, "malformed"), s.legacy_type_system = flag(n, "legacy_type_system");
  if (const JsonNode* v = n.find("deferred")) {
    if (v->str() == "resource_config_unknown")
      s.deferred = Deferral::ResourceConfigUnknown;
    else if (v->str() == "provider_config_unknown")
      s.deferred = Deferral::ProviderConfigUnknown;
    else if (v->str() == "absent_prereq")
      s.deferred = Deferral::AbsentPrereq;
    else
      errors.push_back(where + ".deferred is not a valid reason.");
  }
  if (const JsonNode* v = n.find("override"))
    for (const JsonMember& m : v->members) s.overrides.push_back({dotted_path(m.key), false, m.value});
  if (const JsonNode* v = n.find("unknown"))
    for (const JsonNode* item : v->items) s.overrides.push_back({dotted_path(item->str()), true, nullptr});
  if (const JsonNode* v = n.find("requires_replace"))
    for (const JsonNode* item : v->items) s.requires_replace.push_back(dotted_path(item->str()));
  s.identity = n.find("identity");
  if (const JsonNode* v = n.find("private")) s.private_data = v->str(), s.has_private = true;
  return s;
}

// How many calls of this script there were before.
int64_t count(const Script& s) {
  const char* dir = getenv("XPLAN_MOCK_DIR");
  if (!dir || !*dir) return s.calls->fetch_add(1);
  std::string path = std::string(dir) + "/.calls-" + s.place;  // one byte a call
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return s.calls->fetch_add(1);
  struct stat info = {};
  flock(fd, LOCK_EX);
  if (fstat(fd, &info) != 0 || ::write(fd, ".", 1) != 1) perror("mock: counting calls");
  ::close(fd);
  return info.st_size;
}

bool equal_to(const Value& v, const JsonNode& wanted) {
  if (wanted.is_null()) return v.is_null();
  if (v.is_null() || v.is_unknown()) return false;
  Result<Value> w = json_value_as(wanted, v.type());
  return w && w->raw_equal(v);
}

}  // namespace

Scripts read_scripts(const JsonNode& node, const std::string& where, std::vector<std::string>& errors) {
  Scripts out;
  if (node.is_array())
    for (const JsonNode* item : node.items) out.push_back(read_script(*item, where, errors));
  else
    out.push_back(read_script(node, where, errors));
  for (size_t i = 0; i < out.size(); ++i) out[i].place = where + "." + std::to_string(i);
  return out;
}

Path dotted_path(std::string_view text) {
  Path path;
  for (size_t from = 0; from <= text.size();) {
    size_t to = std::min(text.find('.', from), text.size());
    std::string_view part = text.substr(from, to - from);
    from = to + 1;
    if (part.empty()) continue;
    if (part.find_first_not_of("0123456789") == std::string_view::npos && part.size() < 10)
      path.push_back(
          PathStep::of_index(Value::number(static_cast<int64_t>(atoll(std::string(part).c_str())))));
    else if (part[0] == '"' && part.size() > 1)
      path.push_back(PathStep::of_index(Value::string(part.substr(1, part.size() - 2))));
    else
      path.push_back(PathStep::of_attr(part));
  }
  return path;
}

std::vector<const Script*> matching(const Scripts& scripts, std::string_view on, const Value& subject) {
  std::vector<const Script*> out;
  for (const Script& s : scripts) {
    if (!s.on.empty() && s.on != on) continue;
    bool holds = true;
    for (const auto& [path, wanted] : s.when) {
      std::optional<Value> v = path_get(subject, path);
      holds = holds && v && equal_to(*v, *wanted);
    }
    if (!holds) continue;
    int64_t n = s.skip > 0 || s.times >= 0 ? count(s) : 0;
    if (n >= s.skip && (s.times < 0 || n < s.skip + s.times)) out.push_back(&s);
  }
  return out;
}

void delay(const std::vector<const Script*>& scripts) {
  std::unique_lock guard(stop_lock);
  for (const Script* s : scripts) {
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(s->delay_ms);
    if (s->delay_ms > 0) stop_heard.wait_until(guard, end, [&] { return stopped && !s->deaf; });
  }
}

void cut_delays_short() {
  std::lock_guard guard(stop_lock);
  stopped = true;
  stop_heard.notify_all();
}

void crash(const std::vector<const Script*>& scripts, std::string_view when) {
  for (const Script* s : scripts)
    if (s->crash == when) {
      fputs("mock: this crash was requested\n", stderr);
      _exit(97);
    }
}

void add_diags(const std::vector<const Script*>& scripts, ProviderDiags& out) {
  for (const Script* s : scripts) out.insert(out.end(), s->diags.begin(), s->diags.end());
}

bool has_error(const std::vector<const Script*>& scripts) {
  for (const Script* s : scripts)
    if (has_errors(s->diags)) return true;
  return false;
}

Value changed(const std::vector<const Script*>& scripts, const Value& v, Type type) {
  Value out = v;
  for (const Script* s : scripts) {
    for (const Override& o : s->overrides)
      out = path_update(out, o.path, [&](const Value& old) {
        if (o.unknown) return Value::unknown(old.type());
        if (o.value->is_null()) return Value::null(old.type());
        Result<Value> wanted = json_value_as(*o.value, old.type());
        if (wanted) return *wanted;
        Result<Value> natural = json_value(*o.value);  // another type: that may be the point
        return natural ? *natural : old;
      });
    if (s->null) out = Value::null(type);
    if (s->wrong_type) out = Value::string("this is not the requested object");
  }
  return out;
}

}  // namespace xplan::mock
