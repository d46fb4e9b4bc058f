// What a page's script works on, as JSON: rows and the graph, each text in the colours of styled.h.
//
// Who calls it: page.cc.  Who reads it: page.js, list.js, graph.js of this folder, of the same version.
// Contract: the JSON has no "<", so it cannot end the element it stands in. Cost: linear.
#pragma once
#include "render/html/page.h"

namespace xplan::render::html {

// {"kinds": [[name, mark, class, outcome]], "modules": [], "types": [], "graph": {"nodes": [[address, kind,
// count, risk]], "edges": [[from, to, why, attributes]], "dependencies"}, "changes": [row], "drift",
// "deferred"}; a row is [address, kind, module, type, risk, note, node of the graph, text].
void write_data(const PageInput& in, const HumanOptions& options, const Sink& sink);

}  // namespace xplan::render::html
