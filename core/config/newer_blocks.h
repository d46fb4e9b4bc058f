// Types of blocks that later versions of Terraform have.
//
// Who calls it: whoever decodes bodies that can have them there.
// Contract: the rows say what such a block is, since when, and that it is missing here; an entry in place of
// a mere "not expected", so that nobody looks for a misspelling. To add one: a row in newer_blocks.cc.
// Cost: made once.  Thread-safety: constants.
#pragma once
#include <span>

#include "core/syntax/body.h"

namespace xplan::config {

enum class BlockPlace : uint8_t { File, Terraform, Lifecycle, TerraformData };
std::span<const syntax::RefusedBlock> newer_blocks(BlockPlace place);

}  // namespace xplan::config
