// What a plan does besides its changes' known values: provisioners, configurations of providers, arguments
// that only the apply evaluates, and whatever of the configuration these read.
//
// Who calls it: review/effects.cc.
// Meaning: provisioners run, and providers are configured, with values that only the apply evaluates, as
// unknown arguments are. So their source text stands for them, together with that of every named value they
// read, the values of root variables, the defaults and types of others, and the attributes that they read of
// objects which the plan leaves as they are. Values of variables that are sensitive or ephemeral are left out
// where only providers read them: credentials differ from machine to machine. Cost: linear in the blocks
// looked at and the references followed, each once.  Thread-safety: one thread.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/removed.h"
#include "core/review/encoding.h"

namespace xplan::review {

class CodeReader {
 public:
  CodeReader(const Plan& plan, const config::Config& config, const SourceTable& sources);

  // Encoded; empty: none run at this change.
  const std::string& provisioners(const ResourceChange& c);
  std::string provider(const ProviderConfigAddr& a);  // the text of its block; empty: it has none
  // Notes the arguments whose values the plan does not know.
  void unknown_arguments(const ResourceChange& c);
  void unknown_output(const OutputChange& o);
  // What was asked for until now reads, by name.
  std::map<std::string, Encoder> reads();

 private:
  struct Item {
    const config::Node* node;
    const syntax::Traversal* traversal;
    bool of_provider = false;
    const syntax::Expr* for_each = nullptr;  // what each.value comes from
    std::string owner = {};                  // whose for_each it is
  };
  std::string_view text_of(Range r) const;
  void follow(const Item& i);
  // An expression of that module, under its full name; `like` says whose it is. take(): for the first time.
  void read(const config::Node* n, std::string name, const syntax::Expr* e, const Item& like);
  void take(const config::Node* n, std::string name, const syntax::Expr* e, const Item& like);
  void read_variable(const config::Variable& v, bool of_provider);
  // What the declaration makes of an argument, or gives for want of one.
  void read_declaration(const config::Variable& v, const std::string& name, bool given, bool of_provider);
  void read_object(const config::Node* n, const config::Reference& ref, const syntax::Traversal& t);
  Value unchanged_value(const AbsInstance& a, const ResourceChange* c, const config::Resource& r) const;
  void put(const config::Provisioner& p, const config::Resource* r, Encoder& out) const;
  bool first(const config::Node* n, const void* declared, bool of_provider) {
    return seen_[of_provider].insert({n, declared}).second;
  }

  const Plan& plan_;
  const config::Config& config_;
  const SourceTable& sources_;
  const RemovedBlocks removed_;
  std::deque<Item> todo_;
  using Seen = std::pair<const void*, const void*>;
  struct Hash {
    size_t operator()(const Seen& s) const {
      return std::hash<const void*>()(s.first) * 31 + std::hash<const void*>()(s.second);
    }
  };
  std::unordered_set<Seen, Hash> seen_[2];
  std::map<std::string, Encoder> reads_;
  std::unordered_map<ConfigResource, std::string> provisioners_[3];  // of creations, destructions, both
  // Of resources, what the plan leaves as it is.
  std::unordered_map<ConfigResource, std::vector<std::pair<AbsInstance, const ResourceChange*>>> unchanged_;
};

}  // namespace xplan::review
