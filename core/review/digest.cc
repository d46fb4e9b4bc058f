// Digests the effects of a plan.
#include "core/review/digest.h"

#include <algorithm>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/stretch.h"

namespace xplan::review {
namespace {

constexpr std::string_view kFormat = "xplan-effects-2\n";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

class Sum {
 public:
  void add(const Effect& e) {
    std::string one = digest(Digest::Sha256, e.bytes());
    if (std::string secret = e.secret(); !secret.empty()) secrets_.push_back(one + secret);
    effects_.push_back(std::move(one));
  }
  // All sensitive values count as one, with a salt that only readers of the state know: see the README.
  Result<std::string> take(std::string_view lineage) {
    std::sort(effects_.begin(), effects_.end());
    std::sort(secrets_.begin(), secrets_.end());
    DigestStream all;
    all.update(kFormat);
    all.update(std::to_string(effects_.size()) + "\n");
    for (const std::string& e : effects_) all.update(e);
    if (!secrets_.empty()) {
      std::string joined;
      for (const std::string& s : secrets_) joined += s;
      const std::string key = stretch(joined, std::string(kFormat) + std::string(lineage));
      if (key.empty()) return Error{"there is not enough memory for the digest of its sensitive values"};
      all.update(key);
    }
    return hex_encode(all.finish());
  }

 private:
  std::vector<std::string> effects_, secrets_;
};

}  // namespace

Result<std::string> effect_digest(const EffectSources& from) {
  Effects effects(from);
  Sum sum;
  for (const ResourceChange& c : changes_of(from.plan))
    if (has_effect(from.plan, c)) sum.add(effects.of(c));
  for (const OutputChange& o : from.plan.outputs)
    if (o.change.action != Action::NoOp) sum.add(effects.of(o));
  for (const Effect& e : effects.others()) sum.add(e);
  return sum.take(from.plan.prev_run_state.lineage);
}

bool is_digest(std::string_view text) {
  return text.size() >= kLeastDigest && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f'); });
}

bool stands_for(std::string_view text, std::string_view digest) {
  return is_digest(text) && text.size() <= digest.size() &&
         std::equal(text.begin(), text.end(), digest.begin(), [](char a, char b) { return lower(a) == b; });
}

}  // namespace xplan::review
