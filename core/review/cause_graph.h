// CauseGraph: what one thing in a plan follows from, followed back to its first causes.
//
// Who calls it: causes.cc, one graph for each reason it gives.  Private to this folder.
// Contract: a node is a step; edges lead from causes to effects, and the first effect of a node is on a
// shortest way to the root. A value that is known to be the same as at the last apply is no cause, and where
// the effect is unknown, only unknown values are. Each thing is one node, however many ways lead to it.
// Cost: linear in the references followed, at most kMostOfOne changes for each.  Thread-safety: one thread.
#pragma once
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/plan/sources.h"
#include "core/review/cause_facts.h"
#include "core/review/causes.h"

namespace xplan::review {

// Expressions and references of one module instance, written in the block of a change or in a module call.
struct Reads {
  TracedPlace place;
  const ResourceChange* reader = nullptr;
  std::vector<const syntax::Expr*> values = {};
  std::vector<const syntax::Traversal*> references = {};
  InstanceKey key = {};  // of the instance of the block, or of the call
};

// What a reason begins with: an attribute of the change, or a step of its own that reads something.
struct CauseRoot {
  std::optional<Path> attribute = {};
  CauseStep step = {};
  std::vector<Reads> reads = {};
  bool only_unknown = false;           // of what is read
  std::vector<CauseRoot> behind = {};  // what is known to be a cause of it
  bool explained = false;              // by these alone
};

// A reason for a change, without what is behind it.
struct ChangeReason {
  Why why;
  CauseRoot root;
  bool aside = false;  // it says how the change is made, and not why
};

// Gives the reasons of other changes to a graph that is followed through them.
class ReasonSource {
 public:
  virtual ~ReasonSource() = default;
  virtual std::vector<ChangeReason> reasons(const ResourceChange& c) = 0;
  virtual std::vector<ChangeReason> reasons(const DeferredChange& c) = 0;
};

class CauseGraph {
 public:
  CauseGraph(CauseFacts& facts, ReasonSource& reasons, const ResourceChange* owner, CauseScope scope)
      : facts_(facts), reasons_(reasons), owner_(owner), scope_(scope) {}
  // Follows the root and fills what the reason leaves open: chains, names, changes, values.
  void follow(const CauseRoot& root, Why& out);

 private:
  enum class Kind : uint8_t { Part, Change, Named, Fixed };
  enum class Proof : uint8_t { None, Maybe, Sure };
  struct Node {
    Kind kind = Kind::Fixed;
    const ResourceChange* change = nullptr;
    Path path;
    const config::Node* module = nullptr;  // Named
    ModuleInstance addr;
    NamedKind named = NamedKind::Local;
    uint32_t index = 0;
    CauseStep step;
    std::vector<Reads> reads;  // Fixed
    bool only_unknown = false;
    bool explained = false;     // nothing is to be followed from here
    Proof proof = Proof::Sure;  // that it changed, if nothing is behind it
    std::vector<uint32_t> effects;
    size_t causes = 0;
  };

  uint32_t add(Node n, uint32_t effect, std::string key);
  void begin(const CauseRoot& root, uint32_t effect, const ResourceChange* c);
  void expand(uint32_t id);
  void expand_part(uint32_t id);
  void expand_change(uint32_t id);
  void expand_named(uint32_t id);
  void read(uint32_t effect, const Reads& from);
  void read(uint32_t effect, const Reads& from, const syntax::Expr& e, const Path& path, size_t at);
  void calls_of(uint32_t effect, const syntax::Expr& e);
  void reference(uint32_t effect, const Reads& from, const syntax::Traversal& t, const Path& rest);
  void root_variable(uint32_t effect, const config::Node& n, const config::Variable& v, Path path);
  void named(uint32_t effect, NamedKind kind, const config::Node* n, ModuleInstance addr, uint32_t index,
             const Reads& from, Path path);
  void outputs(uint32_t effect, const Reads& from, const syntax::Traversal& t, const config::Reference& ref,
               const Path& rest);
  void repetition(uint32_t effect, const Reads& from, const Path& path);
  void resource(uint32_t effect, const Reads& from, const syntax::Traversal& t, const config::Reference& ref,
                const Path& rest);
  bool read_data(uint32_t effect, const AbsInstance& a, const Path& path);
  uint32_t part(uint32_t effect, const ResourceChange& c, const Path& path);
  void change(uint32_t effect, const ResourceChange& c);
  bool own(const ResourceChange* c) const { return scope_.whole || c == owner_; }
  void fill_values(CauseStep& step, const NamedValue* v, const Path& path) const;

  void collect(Why& out) const;
  void add_chains(uint32_t leaf, Why& out) const;
  CauseChain shortest(uint32_t leaf) const;
  void note_names(Why& out) const;

  CauseFacts& facts_;
  ReasonSource& reasons_;
  const ResourceChange* const owner_;
  const CauseScope scope_;
  std::deque<Node> nodes_;
  std::unordered_map<std::string, uint32_t> known_;
};

// ".a[0]" behind a name.
std::string with_path(std::string name, const Path& path);
// The outcome of a change, as headers say it: "will be created".
std::string_view outcome_of(const ResourceChange& c);

}  // namespace xplan::review
