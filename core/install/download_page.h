// What a page says about where a module is: <meta name="terraform-get" content="…">.
//
// Who calls it: module_fetch.cc, for addresses that are not those of archives.
// Contract: the page is hostile. The first such element of its head counts, in either kind of quotes and of
// letters: what is in comments, or in the body, may be somebody else's text. No more than the first 4 MiB are
// looked at. Cost: linear. Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::install {

std::string source_on_page(std::string_view html);  // empty: it says nothing

}  // namespace xplan::install
