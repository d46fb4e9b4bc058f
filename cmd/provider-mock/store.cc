// The mock's objects on disk, one TYPE.ID.json each: new ids, reading, atomic writing and removal.
#include "cmd/provider-mock/store.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include "core/base/fs.h"
#include "core/value/json.h"

namespace xplan::mock {

std::string Store::file(std::string_view type, std::string_view id) const {
  std::string name = std::string(type) + ".";
  for (char c : id) name += c == '/' || c == '\0' ? '_' : c;
  return dir_ + "/" + name + ".json";
}

std::string Store::new_id(std::string_view type, std::string& error) {
  for (;;) {
    std::string id = std::string(type) + "-";
    {
      std::lock_guard lock(mutex_);
      id += std::to_string(++counters_[std::string(type)]);
    }
    if (!kept()) return id;
    int fd = ::open(file(type, id).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0) {
      ::close(fd);
      return id;
    }
    if (errno != EEXIST) {
      error = "The directory \"" + dir_ +
              "\" of objects cannot be written: " + std::generic_category().message(errno) + ".";
      return id;
    }
  }
}

bool Store::write(std::string_view type, std::string_view id, const Value& object, Type declared,
                  std::string& error) {
  if (!kept()) return true;
  Result<void> done = write_atomic(file(type, id), to_json_as(object, declared) + "\n");
  if (!done) error = done.error().message + ".";
  return done.ok();
}

std::optional<Value> Store::read(std::string_view type, std::string_view id, Type declared,
                                 std::string& error) {
  std::string path = file(type, id);
  if (!real_fs().exists(path)) return std::nullopt;
  Result<std::string> text = real_fs().read(path);
  if (!text) {
    error = text.error().message + ".";
    return std::nullopt;
  }
  Result<Value> v = parse_json_as(*text, declared, true, true);
  if (!v) {
    error = "\"" + path + "\" cannot be read: " + v.error().message + ".";
    return std::nullopt;
  }
  return *v;
}

void Store::remove(std::string_view type, std::string_view id) {
  if (kept()) ::unlink(file(type, id).c_str());
}

}  // namespace xplan::mock
