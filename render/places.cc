// Resolves places for documents.
#include "render/places.h"

#include "core/base/fs.h"

namespace xplan::render {

FilePlace file_place(const SourceTable& sources, Range range, std::string_view directory) {
  ResolvedRange r;
  if (!range.valid() || !sources.resolve(range, r)) return {};
  return {join_path(directory, r.file), r.start.line, r.end.line};
}

}  // namespace xplan::render
