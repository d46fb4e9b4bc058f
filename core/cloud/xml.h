// XML answers of servers, as a tree of elements.
//
// Who calls it: the clients of cloud services.
// Contract: the text is hostile. What is not well-formed, is nested more than 32 levels deep, has more than
// 100,000 elements or declares a document type (and with it entities) is an error, whose message goes on from
// what the text is. Attributes, comments and namespaces are dropped. Look-ups never fail: what is absent is
// null or empty.  Cost: linear; the library is loaded by the first call.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace xplan::cloud {

struct Xml {
  std::string name, text;  // of the element itself, without that of its children
  std::vector<Xml> children;

  const Xml* child(std::string_view name) const;
  // Through children of these names, separated by slashes: "Error/Code".
  std::string at(std::string_view path) const;
};

Result<Xml> parse_xml(std::string_view text);

}  // namespace xplan::cloud
