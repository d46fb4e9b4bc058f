// Writes one JSON line per provider call to the file that XPLAN_MOCK_LOG names. Open this for what such a
// line contains and how unknown values appear in it.
#include "cmd/provider-mock/call_log.h"

#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

#include "core/base/json_writer.h"
#include "core/value/json.h"

namespace xplan::mock {
namespace {

void write_value(JsonWriter& w, const Value& v) {
  if (v.is_unknown()) {
    w.begin_object();
    w.member("unknown", true);
    w.end_object();
  } else if (v.is_wholly_known()) {
    write_json(w, v);
  } else if (v.kind() == Kind::Obj || v.kind() == Kind::Map) {
    w.begin_object();
    for (size_t i = 0; i < v.length(); ++i) {
      w.key(v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv());
      write_value(w, v.elements()[i]);
    }
    w.end_object();
  } else {
    w.begin_array();
    for (const Value& e : v.elements()) write_value(w, e);
    w.end_array();
  }
}

}  // namespace

bool log_wants_values() {
  static const bool wanted = getenv("XPLAN_MOCK_LOG") && getenv("XPLAN_MOCK_LOG_VALUES");
  return wanted;
}

void log_call(std::string_view call, std::string_view type, std::string_view on, const NamedValues& values) {
  static const char* path = getenv("XPLAN_MOCK_LOG");
  if (!path) return;
  JsonWriter w;
  w.begin_object();
  w.member("call", call);
  if (getenv("XPLAN_MOCK_LOG_PROCESS")) w.member("process", static_cast<int64_t>(getpid()));
  if (!type.empty()) w.member("type", type);
  if (!on.empty()) w.member("on", on);
  if (log_wants_values())
    for (const auto& [name, v] : values) {
      w.key(name);
      write_value(w, v);
    }
  w.end_object();
  std::string line = w.take() + "\n";
  int fd = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return;
  if (::write(fd, line.data(), line.size()) < 0) perror("mock: log");
  ::close(fd);
}

}  // namespace xplan::mock
