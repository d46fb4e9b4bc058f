// The mock's objects: one JSON file each in a directory, or nowhere at all.
//
// Who calls it: resource.cc. Without a directory nothing is kept: ids are counted, and reading finds what the
// state says. Contract: a file is TYPE.ID.json and holds the attributes; another hand may change or remove it
// between calls. Writes are atomic. Cost: one file per call.  Thread-safety: any call from any thread.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/value/value.h"

namespace xplan::mock {

class Store {
 public:
  explicit Store(std::string dir) : dir_(std::move(dir)) {}
  bool kept() const { return !dir_.empty(); }
  // A new id, "TYPE-N" with N counted per type; reserved when objects are kept.
  std::string new_id(std::string_view type, std::string& error);
  bool write(std::string_view type, std::string_view id, const Value& object, Type declared,
             std::string& error);
  // Nothing and no error: there is no such object.
  std::optional<Value> read(std::string_view type, std::string_view id, Type declared, std::string& error);
  void remove(std::string_view type, std::string_view id);

 private:
  std::string file(std::string_view type, std::string_view id) const;
  std::string dir_;
  std::mutex mutex_;
  std::map<std::string, int64_t, std::less<>> counters_;
};

}  // namespace xplan::mock
