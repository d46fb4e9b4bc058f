// The effect digest: what a plan would do, as one number, so that what was approved can be told from what is
// about to be done.
//
// Who calls it: cmd (plan, show, apply -expect).  Specification: core/review/README.md.
// Contract: equal for plans with equal effects (effects.h), on whatever machine, in whatever order they were
// found; different otherwise. A sensitive value cannot be guessed with the help of it. Cost: linear; where
// there are sensitive values, a tenth of a second more. Thread-safety: pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/review/effects.h"

namespace xplan::review {

inline constexpr size_t kShortDigest = 12;  // hexadecimal digits that people look at
// That stand for a digest where plans are approved. Fewer could be met by another plan that somebody has
// searched for: 12 take 2^48 attempts.
inline constexpr size_t kLeastDigest = 32;

// 64 hexadecimal digits. The error: there is not enough memory for the digest of sensitive values.
Result<std::string> effect_digest(const EffectSources& from);

// Whether a text has the form of what stands for a digest: kLeastDigest to 64 hexadecimal digits.
bool is_digest(std::string_view text);
// Whether it stands for this digest: the beginning of it, in upper or lower case.
bool stands_for(std::string_view text, std::string_view digest);

}  // namespace xplan::review
