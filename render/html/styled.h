// Text with a terminal's colours, for a page: as HTML, and as what the page's script makes elements of.
//
// Who calls it: this folder.
// Contract: only colours that render/text.h made count; whatever else could act on a terminal or reorder text
// is shown escaped, as base/terminal.h does, so neither form contains a control character of the text's own
// but line feed and tab. Cost: linear.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

#include "render/text.h"

namespace xplan::render::html {

// Plain text between tags or in an attribute's quotes.
void put_text(std::string& out, std::string_view text);
// Colours as <span class="r">; see page.css.
void put_styled(std::string& out, std::string_view text);
// Colours as U+0001 and a letter, the same as the class; U+0001 and "0" ends them. For JSON, not yet escaped.
std::string marked(std::string_view text);
// The class for what a terminal shows in this style: "r" for red; empty for Plain.
std::string_view class_of(Style style);

}  // namespace xplan::render::html
