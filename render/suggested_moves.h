// Suggested moves as text for people and as JSON.
//
// Who calls it: cmd (refactor suggest).
// Contract: names of attributes only, no values. Text is bounded where there are thousands; JSON has all.
// Cost: linear.  Thread-safety: pure.
#pragma once
#include "core/base/json_writer.h"
#include "core/review/suggested_moves.h"
#include "render/text.h"

namespace xplan::render {

std::string suggested_moves_text(const review::SuggestedMoves& moves, const HumanOptions& options);
struct MovesDocument {
  const review::SuggestedMoves& moves;
  const std::vector<review::MovedBlock>& blocks;
  std::string file;  // where they were written; empty: nowhere
};
void write_suggested_moves_json(const MovesDocument& d, JsonWriter& w);

}  // namespace xplan::render
