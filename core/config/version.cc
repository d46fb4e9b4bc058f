// Parsing, ordering and printing of versions and version constraints, and the matching rules of ~> and of
// pre-releases.
#include "core/config/version.h"

namespace xplan {
namespace {

constexpr size_t kMaxVersionLength = 256;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\n')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\n')) s.remove_suffix(1);
  return s;
}

bool all_digits(std::string_view s) {
  for (char c : s) {
    if (!is_digit(c)) return false;
  }
  return !s.empty();
}

// Dot-separated words, as in a pre-release; none of them empty.
bool valid_words(std::string_view s) {
  size_t length = 0;
  for (char c : s) {
    if (c == '.') {
      if (length == 0) return false;
      length = 0;
    } else if (is_word(c)) {
      ++length;
    } else {
      return false;
    }
  }
  return length > 0;
}

// Compares decimal strings of any length by value.
std::strong_ordering compare_digits(std::string_view a, std::string_view b) {
  while (a.size() > 1 && a[0] == '0') a.remove_prefix(1);
  while (b.size() > 1 && b[0] == '0') b.remove_prefix(1);
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::strong_ordering compare_prerelease(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty())
    return a.empty() == b.empty() ? std::strong_ordering::equal
           : a.empty()            ? std::strong_ordering::greater
                                  : std::strong_ordering::less;
  for (;;) {
    size_t ea = std::min(a.find('.'), a.size()), eb = std::min(b.find('.'), b.size());
    std::string_view pa = a.substr(0, ea), pb = b.substr(0, eb);
    bool na = all_digits(pa), nb = all_digits(pb);
    std::strong_ordering c = na && nb   ? compare_digits(pa, pb)
                             : na != nb ? (na ? std::strong_ordering::less : std::strong_ordering::greater)
                                        : pa.compare(pb) <=> 0;
    if (c != 0) return c;
    bool more_a = ea < a.size(), more_b = eb < b.size();
    if (!more_a || !more_b) return more_a <=> more_b;
    a.remove_prefix(ea + 1);
    b.remove_prefix(eb + 1);
  }
}

std::strong_ordering compare_numbers(const Version& a, const Version& b) {
  for (size_t i = 0; i < std::max(a.numbers.size(), b.numbers.size()); ++i) {
    if (a.number(i) != b.number(i)) return a.number(i) <=> b.number(i);
  }
  return std::strong_ordering::equal;
}

std::string_view op_text(VersionOp op) {
  switch (op) {
    case VersionOp::Equal:
      return "";
    case VersionOp::NotEqual:
      return "!= ";
    case VersionOp::Greater:
      return "> ";
    case VersionOp::GreaterEqual:
      return ">= ";
    case VersionOp::Less:
      return "< ";
    case VersionOp::LessEqual:
      return "<= ";
    case VersionOp::Pessimistic:
      return "~> ";
  }
  return "";
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  text = trim(text);
  if (text.size() > kMaxVersionLength) return std::nullopt;
  if (!text.empty() && text[0] == 'v') text.remove_prefix(1);
  Version v;
  size_t i = 0;
  for (;;) {
    size_t begin = i;
    uint64_t n = 0;
    while (i < text.size() && is_digit(text[i])) {
      if (n > (UINT64_MAX - 9) / 10) return std::nullopt;
      n = n * 10 + static_cast<uint64_t>(text[i++] - '0');
    }
    if (i == begin) return std::nullopt;
    v.numbers.push_back(n);
    if (i >= text.size() || text[i] != '.') break;
    ++i;
  }
  if (i < text.size() && text[i] == '-') {
    size_t end = std::min(text.find('+', i), text.size());
    v.prerelease = text.substr(i + 1, end - i - 1);
    if (!valid_words(v.prerelease)) return std::nullopt;
    i = end;
  }
  if (i < text.size() && text[i] == '+') {
    v.metadata = text.substr(i + 1);
    if (!valid_words(v.metadata)) return std::nullopt;
    i = text.size();
  }
  if (i != text.size()) return std::nullopt;
  return v;
}

std::strong_ordering compare(const Version& a, const Version& b) {
  std::strong_ordering c = compare_numbers(a, b);
  return c != 0 ? c : compare_prerelease(a.prerelease, b.prerelease);
}

std::string Version::core_text() const {
  std::string out;
  for (size_t i = 0; i < std::max<size_t>(numbers.size(), 3); ++i) {
    if (i) out += '.';
    out += std::to_string(number(i));
  }
  return out;
}

std::string Version::text() const {
  std::string out = core_text();
  if (!prerelease.empty()) out += "-" + prerelease;
  if (!metadata.empty()) out += "+" + metadata;
  return out;
}

bool VersionConstraint::matches(const Version& v) const {
  const std::strong_ordering c = compare(v, version);
  // A pre-release is never accepted by a range, only by a constraint that names one of the same numbers.
  const bool same_train =
      v.prerelease.empty() || (!version.prerelease.empty() && compare_numbers(v, version) == 0);
  switch (op) {
    case VersionOp::Equal:
      return c == 0;
    case VersionOp::NotEqual:
      return c != 0;
    case VersionOp::Greater:
      return same_train && c > 0;
    case VersionOp::GreaterEqual:
      return same_train && c >= 0;
    case VersionOp::Less:
      return same_train && c < 0;
    case VersionOp::LessEqual:
      return same_train && c <= 0;
    case VersionOp::Pessimistic: {
      if (!same_train || c < 0) return false;
      // All segments but the last given one stay as they are; of a single one, only the lower bound counts.
      for (size_t i = 0; i + 1 < version.numbers.size(); ++i) {
        if (v.number(i) != version.numbers[i]) return false;
      }
      return true;
    }
  }
  return false;
}

std::string VersionConstraint::text() const {
  std::string out(op_text(op));
  if (op != VersionOp::Pessimistic) return out + version.text();
  // The number of segments is the meaning here, so none are added.
  for (size_t i = 0; i < version.numbers.size(); ++i)
    out += (i ? "." : "") + std::to_string(version.numbers[i]);
  if (!version.prerelease.empty()) out += "-" + version.prerelease;
  return out;
}

bool VersionConstraints::matches(const Version& v) const {
  for (const VersionConstraint& c : all) {
    if (!c.matches(v)) return false;
  }
  return true;
}

std::string VersionConstraints::text() const {
  std::string out;
  for (const VersionConstraint& c : all) out += (out.empty() ? "" : ", ") + c.text();
  return out;
}

Result<VersionConstraints> parse_version_constraints(std::string_view text) {
  VersionConstraints out;
  if (trim(text).empty()) return out;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = trim(text.substr(begin, end - begin));
    begin = end + 1;
    VersionConstraint c;
    std::string_view rest = part;
    static constexpr std::pair<std::string_view, VersionOp> kOps[] = {
        {"~>", VersionOp::Pessimistic}, {">=", VersionOp::GreaterEqual}, {"<=", VersionOp::LessEqual},
        {"!=", VersionOp::NotEqual},    {">", VersionOp::Greater},       {"<", VersionOp::Less},
        {"=", VersionOp::Equal}};
    for (auto& [word, op] : kOps) {
      if (rest.starts_with(word)) {
        c.op = op;
        rest.remove_prefix(word.size());
        break;
      }
    }
    rest = trim(rest);
    std::optional<Version> v = parse_version(rest);
    if (!v) {
      return Error{part.empty() ? "there is nothing between two commas"
                                : "\"" + std::string(rest) +
                                      "\" is not a version number. Write \">= 1.5, < 2.0\", for "
                                      "example"};
    }
    c.version = std::move(*v);
    out.all.push_back(std::move(c));
  }
  return out;
}

}  // namespace xplan
