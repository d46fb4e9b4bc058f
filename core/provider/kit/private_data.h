// PrivateData: what a resource remembers beside its state, unseen by users: strings under keys.
//
// Who calls it: resources, through requests and responses; kit::Provider packs and unpacks it.
// Form: a JSON object of strings, and nothing at all when there is none. Values must be UTF-8. What cannot be
// read (another program's bytes, after a move) counts as none and is told by decode().
// Cost: linear. Thread-safety: plain data.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::kit {

class PrivateData {
 public:
  const std::string* find(std::string_view key) const;
  void set(std::string_view key, std::string value);
  void remove(std::string_view key);
  bool empty() const { return entries_.empty(); }
  std::string encode() const;
  static Result<PrivateData> decode(std::string_view bytes);
  friend bool operator==(const PrivateData&, const PrivateData&) = default;

 private:
  std::map<std::string, std::string, std::less<>> entries_;
};

}  // namespace xplan::kit
