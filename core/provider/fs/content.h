// Content of files: reading it whole, and the attributes that hold it.
//
// Who calls it: the file types of this folder. Contract: text() is what an attribute can hold of the bytes;
// exact says whether nothing was lost by that (valid UTF-8 in normal form). Cost: the file's size.
// Thread-safety: pure but for the file system.
#pragma once
#include <sys/stat.h>
#include <string>
#include <string_view>

#include "core/value/value.h"

namespace xplan::fs {

enum class Found : uint8_t { File, Missing, NotAFile, Failed };
struct Content {
  Found found = Found::Missing;
  std::string bytes, error;  // error: a sentence without its end
  unsigned mode = 0;
};
// `follow`: whether a link at the end of the path is followed.
Content read_file(const std::string& path, bool follow);

bool is_exact_text(std::string_view bytes);
Value text_value(std::string_view bytes);
Value base64_value(std::string_view bytes);

}  // namespace xplan::fs
