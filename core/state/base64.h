// Base64 with padding (RFC 4648), for the private data of state files.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

std::string base64_text(std::string_view bytes);
bool base64_bytes(std::string_view text,
                  std::string& out);  // false when it is not base64; line breaks are skipped

}  // namespace xplan
