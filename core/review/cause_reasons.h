// Reasons: what the plan itself says of why a change is made: attributes that differ, options, blocks, the
// state of its object, drift.
//
// Who calls it: causes.cc, and the graph for the changes that it is followed through. Private to this folder.
// Contract: each reason has a root, from which a graph follows what is behind it; or its chain is complete.
// Cost: linear in the attributes of the change.  Thread-safety: one thread.
#pragma once
#include <unordered_set>
#include <vector>

#include "core/review/cause_blocks.h"
#include "core/review/cause_graph.h"

namespace xplan::review {

class Reasons : public ReasonSource {
 public:
  Reasons(CauseFacts& facts, CauseBlocks& blocks) : facts_(facts), blocks_(blocks) {}
  std::vector<ChangeReason> reasons(const ResourceChange& c) override;
  std::vector<ChangeReason> reasons(const DeferredChange& c) override;
  ChangeReason reason(const OutputChange& c) const;
  ChangeReason attribute(const ResourceChange& c, const Path& path, bool replaces) const;
  bool is_set(const config::Resource& r, const Path& path) const;

 private:
  void moved(const ResourceChange& c, std::vector<ChangeReason>& out);
  void imported(const ResourceChange& c, std::vector<ChangeReason>& out);
  void created(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out);
  void updated(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out);
  void replaced(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out);
  void order(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out);
  void read_later(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out);
  ChangeReason deleted(const ResourceChange& c, const config::Resource* r);
  ChangeReason gone_from_modules(const ResourceChange& c);
  void find_modules();
  ChangeReason forgotten(const ResourceChange& c);
  CauseRoot repetition(const ResourceChange& c, const config::Resource& r, std::string note) const;
  CauseRoot repetition_of_call(const config::Node& n, ModuleInstance instance, std::string note) const;
  std::optional<CauseRoot> new_repetition(const ResourceChange& c, const config::Resource& r);
  TracedPlace place_of(const ResourceChange& c, const config::Resource& r) const;
  CauseStep step(StepKind kind, std::string subject, std::string note, Range place,
                 const ResourceChange* c) const;

  CauseFacts& facts_;
  CauseBlocks& blocks_;
  bool modules_known_ = false;
  std::unordered_set<ModuleInstance> modules_in_state_, modules_in_plan_;
};

}  // namespace xplan::review
