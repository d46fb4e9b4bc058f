// The texts of strerror_r(), which are written as beginnings of sentences, as ends of sentences.
#include "core/base/system_text.h"

#include <cstring>

namespace xplan {

std::string system_text(int code) {
  char buffer[128];
  std::string text = strerror_r(code, buffer, sizeof buffer);
  const bool word = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';  // not "RPC …", "I/O …"
  if (word && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace xplan
