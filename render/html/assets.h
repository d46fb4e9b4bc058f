// The files of this folder that become part of every page. CMake makes their definitions.
//
// Used by: page.cc.
#pragma once
#include <string_view>

namespace xplan::render::html {

extern const std::string_view kPage;    // page.html
extern const std::string_view kStyle;   // page.css
extern const std::string_view kScript;  // dom.js, list.js, layout.js, camera.js, graph.js, page.js

}  // namespace xplan::render::html
