// Text in XML 1.0, whatever it contains: what cannot stand there is shown as an escape.
//
// Who calls it: the reports of this folder.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::render {

std::string xml_text(std::string_view text);   // in attributes and between elements
std::string xml_cdata(std::string_view text);  // as a CDATA section, as it is

}  // namespace xplan::render
