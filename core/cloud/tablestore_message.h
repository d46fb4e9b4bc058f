// Messages of TableStore, which are messages of Protocol Buffers.
//
// Who calls it: the backend oss.
// Contract: what comes from a server is hostile: what does not have the form is nothing. Cost: linear.
// Thread-safety: pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xplan::cloud::tablestore {

// One field after the other.
class Message {
 public:
  Message& add(int field, std::string_view bytes);
  Message& add(int field, uint64_t number);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct Field {
  int number = 0;
  uint64_t integer = 0;
  std::string_view bytes;  // of what is read
};
std::optional<std::vector<Field>> read_message(std::string_view bytes);
// Of the last field of this number: "", where there is none.
std::string_view bytes_of(const std::vector<Field>& fields, int number);

}  // namespace xplan::cloud::tablestore
