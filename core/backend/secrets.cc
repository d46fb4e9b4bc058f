// Finds secrets in settings by the schema of their kind, and passwords in addresses.
#include "core/backend/secrets.h"

#include <fmt/format.h>

#include <vector>

#include "core/backend/backend.h"
#include "core/base/fs.h"
#include "core/net/redact.h"
#include "core/value/path.h"

namespace xplan::backend {
namespace {

constexpr std::string_view kConnection = ".conn_str";  // may have a password, or leave it to a file

bool has_password(const std::string& address) {
  return net::without_credentials(address) != address;
}

bool is_secret(const std::string& name, const std::string& text, bool sensitive) {
  if (name == kConnection) return has_password(text) || text.find("password") != text.npos;
  if (!sensitive) return has_password(text);
  return !text.empty() && (text.find('\n') != text.npos || !real_fs().exists(text));
}

}  // namespace

std::string secrets_text(const Settings& s) {
  const Kind* kind = find_kind(s.kind);
  if (!kind) return {};
  std::vector<std::string> names;
  walk_value(schema::mark_sensitive(s.values, kind->schema()), [&](const Path& path, const Value& marked) {
    const Value v = marked.without_own_marks();
    const std::string name = path_text(path);
    if (!v.is_null() && v.is_string() &&
        is_secret(name, std::string(v.as_string()), marked.has_mark(kSensitive)))
      names.push_back(fmt::format("\"{}\"", name.substr(1)));
    return true;
  });
  if (names.empty()) return {};
  std::string list = names[0];
  for (size_t i = 1; i < names.size(); ++i) list += (i + 1 < names.size() ? ", " : " and ") + names[i];
  const bool one = names.size() == 1;
  return fmt::format("the argument{} {} of the backend \"{}\" {}", one ? "" : "s", list, s.kind,
                     one ? "is a secret" : "are secrets");
}

}  // namespace xplan::backend
