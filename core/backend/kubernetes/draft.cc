// Writes, reads and removes drafts. The first secret of each says how many there are and what they contain;
// it is written last, and removed last.
#include "core/backend/kubernetes/draft.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/backend/concurrent.h"
#include "core/backend/kubernetes/names.h"
#include "core/base/base64.h"
#include "core/base/digest.h"

namespace xplan::backend::kubernetes {
namespace {

constexpr const char *kLabel = "xplan-draft", *kParts = "xplan/parts", *kDigest = "xplan/sha256";
constexpr size_t kMostParts = 4096;  // of a draft that somebody else may have made up
constexpr size_t kNamed = 8;         // digits of the digest in the name

std::string note_in(const Json& secret, const char* name) {
  const Json* meta = object_in(secret, "metadata");
  const Json* notes = meta ? object_in(*meta, "annotations") : nullptr;
  return notes ? string_in(*notes, name) : "";
}

size_t parts_in(const Json& first) {
  const std::string text = note_in(first, kParts);
  size_t n = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), n);
  return std::min(n, kMostParts);
}

}  // namespace

KubeDraft::KubeDraft(std::shared_ptr<KubeClient> client, const std::string& secret, Labels labels)
    : client_(std::move(client)), secret_("draft-" + secret), labels_(std::move(labels)) {
  labels_.erase("tfstate");
  labels_[kLabel] = "true";
}

Result<void> KubeDraft::keep(std::string_view packed) {
  const size_t largest = client_->settings().part, parts = (packed.size() + largest - 1) / largest;
  const std::string sum = sha256_hex(packed), name = secret_ + "-" + sum.substr(0, kNamed);
  auto put = [&](size_t n) -> Result<void> {
    const Result<bool> done = client_->put_secret(part_name(name, n), [&](Json& secret) {
      Json& meta = inner(secret, "metadata");
      meta["labels"] = labels_;
      if (n == 0) {
        inner(meta, "annotations")[kParts] = std::to_string(parts);
        inner(meta, "annotations")[kDigest] = sum;
      }
      inner(secret, "data")["tfstate"] = base64_encode(packed.substr(n * largest, largest));
    });
    return done ? Result<void>() : done.error();
  };
  const Result<void> others = for_each_concurrently(1, parts, put);
  return others ? put(0) : others;
}

Result<KubeDraft::Drafts> KubeDraft::all(Stop stop) {
  std::string selector = std::string(kLabel) + "=true";
  for (const char* name : {"tfstateSecretSuffix", "tfstateWorkspace"})
    selector += fmt::format(",{}={}", name, labels_[name]);
  const Result<std::vector<Json>> secrets = client_->list(selector, true, stop);
  if (!secrets) return secrets.error();
  Drafts out;
  for (const Json& secret : *secrets) {
    const std::string part = name_of(secret), draft = part.substr(0, secret_.size() + 1 + kNamed);
    if (const auto n = part_number(part, draft); n && part.starts_with(secret_ + "-")) out[draft].insert(*n);
  }
  return out;
}

Result<std::optional<std::string>> KubeDraft::find(const std::string& first, Stop stop) {
  const auto drafts = all(stop);
  if (!drafts) return drafts.error();
  for (const auto& [name, parts] : *drafts) {
    Result<std::optional<std::string>> packed = whole(name, first, stop);
    if (!packed || *packed) return packed;
  }
  return std::optional<std::string>();
}

// Nothing: it is not, or it is of another state.
Result<std::optional<std::string>> KubeDraft::whole(const std::string& name, const std::string& first,
                                                    Stop stop) {
  const Result<std::optional<Json>> begin = client_->get(ObjectKind::Secret, name, stop);
  if (!begin) return begin.error();
  std::string packed;
  if (!*begin || first.empty() || state_in(**begin) != first || !base64_decode(first, packed))
    return std::optional<std::string>();
  std::vector<Result<std::string>> others(std::max<size_t>(parts_in(**begin), 1) - 1, std::string());
  std::atomic<bool> missing = false;
  const auto read = [&](size_t i) -> Result<std::string> {
    const auto part = client_->get(ObjectKind::Secret, part_name(name, i + 1), stop);
    if (!part) return part.error();
    std::string bytes;
    if (*part && base64_decode(state_in(**part), bytes) && !bytes.empty()) return bytes;
    missing = true;
    return Error{"a part is missing"};  // nobody is told: it ends the others
  };
  const std::optional<Error> problem = each_concurrently(others, read);
  if (missing) return std::optional<std::string>();
  if (problem) return *problem;
  for (const Result<std::string>& part : others) packed += *part;
  return sha256_hex(packed) == note_in(**begin, kDigest) ? std::optional(std::move(packed)) : std::nullopt;
}

Result<void> KubeDraft::remove(const Drafts& drafts) {
  std::vector<std::string> first, others;
  for (const auto& [name, parts] : drafts)
    for (const size_t n : parts) (n == 0 ? first : others).push_back(part_name(name, n));
  auto remove = [&](const std::string& name) { return client_->remove(ObjectKind::Secret, name); };
  const Result<void> gone = remove_each(others, remove);
  return gone ? remove_each(first, remove) : gone;
}

}  // namespace xplan::backend::kubernetes
