// Versions and version constraints: "1.2.3-beta1+meta", ">= 1.0, < 2.0, != 1.3, ~> 1.2".
//
// Who calls it: config (required_version, required_providers, module versions), install (providers, modules,
// lock file), state and planfile (the version that wrote a file).
// Rules: one to any number of dot-separated numbers, an optional "v" before, missing segments count as zero.
// Pre-releases sort before their release, part by part (numeric parts by value and before words). A
// constraint accepts a pre-release only when it names that very version's numbers with a pre-release itself.
// "~> 1.2" allows the last given segment to grow, "~> 1.2.3" likewise (>= 1.2.3, < 1.3). Cost: linear in the
// text.  Thread-safety: plain data.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace xplan {

// The version of the language and of state files that this program stands for.
inline constexpr std::string_view kLanguageVersion = "1.11.4";
// The version of OpenTofu whose additions to the language it has.
inline constexpr std::string_view kTofuLanguageVersion = "1.12.0";

struct Version {
  std::vector<uint64_t> numbers;  // as many as were written, at least one
  std::string prerelease, metadata;
  uint64_t number(size_t i) const { return i < numbers.size() ? numbers[i] : 0; }
  std::string text() const;       // normal form: at least three numbers
  std::string core_text() const;  // without pre-release and metadata
};
std::optional<Version> parse_version(std::string_view text);
// By precedence; metadata is ignored.
std::strong_ordering compare(const Version& a, const Version& b);

enum class VersionOp : uint8_t { Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual, Pessimistic };
struct VersionConstraint {
  VersionOp op = VersionOp::Equal;
  Version version;
  bool matches(const Version& v) const;
  std::string text() const;
};
struct VersionConstraints {
  std::vector<VersionConstraint> all;  // all of them must match; none: anything goes
  bool matches(const Version& v) const;
  std::string text() const;  // ">= 1.0.0, < 2.0.0"
};
Result<VersionConstraints> parse_version_constraints(std::string_view text);

}  // namespace xplan
