// Names the changes of unknown outcome by their kinds; the advice for each: how to find out whether it has
// happened.
#include "core/state/unknown_outcome.h"

#include <algorithm>

namespace xplan {
namespace {

std::string object_text(const JournalRecord& r) {
  return r.addr.text() + (r.deposed.empty() ? "" : " (deposed object " + r.deposed + ")");
}

// The kinds of changes in the order in which they are told; what is none of them is told as an update.
struct Outcome {
  std::string_view action, one, heading;
};
constexpr Outcome kOutcomes[] = {{"create", "creation", "Creations"},
                                 {"update", "update", "Updates"},
                                 {"delete", "destruction", "Destructions"}};

const Outcome& outcome_of(const JournalRecord& r) {
  for (const Outcome& k : kOutcomes)
    if (r.action == k.action) return k;
  return kOutcomes[1];
}

}  // namespace

void put_objects(std::string& text, const std::vector<std::string>& objects, size_t most) {
  for (size_t i = 0; i < objects.size() && i < most; ++i) text += "\n  - " + objects[i];
  if (objects.size() > most) text += "\n  … and " + std::to_string(objects.size() - most) + " more";
}

std::string_view unknown_outcome_advice(std::string_view action, bool many) {
  if (action == "create")
    return many ? "Objects may exist that are not in the state. Look for them on the provider's side, and "
                  "import or delete them there before the next apply; otherwise, they will be created again."
                : "An object may exist that is not in the state. Look for it on the provider's side, and "
                  "import it or delete it there before the next apply; otherwise, a second one will be "
                  "created.";
  if (action == "delete")
    return many
               ? "The state still has these objects. The next plan will check with the provider whether they "
                 "exist."
               : "The state still has the object. The next plan will check with the provider whether it "
                 "exists.";
  return many ? "The state has these objects as they were before. The next plan will read their current "
                "values."
              : "The state has the object as it was before. The next plan will read its current values.";
}

std::string unknown_outcome_text(const std::vector<JournalRecord>& intents, std::string_view why) {
  std::string text;
  if (intents.size() == 1) {
    const Outcome& kind = outcome_of(intents[0]);
    return text.append("The ")
        .append(kind.one)
        .append(" of ")
        .append(object_text(intents[0]))
        .append(" may have begun, and its outcome is unknown, ")
        .append(why)
        .append(" ")
        .append(unknown_outcome_advice(kind.action));
  }
  // Those that waited for a place among the calls of -parallelism had all that it takes to begin on the disk.
  text.append(
          "These changes were under way or about to begin, so some may not have begun. Their outcome is "
          "unknown, ")
      .append(why);
  for (const Outcome& kind : kOutcomes) {
    std::vector<std::string> objects;
    for (const JournalRecord& r : intents)
      if (&outcome_of(r) == &kind) objects.push_back(object_text(r));
    if (objects.empty()) continue;
    std::sort(objects.begin(), objects.end());
    text.append("\n\n").append(kind.heading).append(":");
    put_objects(text, objects);
    text.append("\n").append(unknown_outcome_advice(kind.action, objects.size() > 1));
  }
  return text;
}

void drop_known_outcomes(std::vector<JournalRecord>& intents, const State& state) {
  std::erase_if(intents, [&](const JournalRecord& r) {
    const InstanceState* instance = state.find(r.addr);
    return r.action == "create" && instance && instance->current;
  });
}

}  // namespace xplan
