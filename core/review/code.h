// What a plan does besides its changes' known values: provisioners, configurations of providers, arguments
// that only the apply evaluates, and whatever of the configuration these read.
//
// Who calls it: review/effects.cc.
// Meaning: what only the apply evaluates has no value yet that could be approved. So its source text stands
// for it, together with the source text of every named value that it reads, down to what does not come from
// the configuration: values of root variables, what it reads of objects that the plan keeps, and the files
// that functions have read. What is given from outside and is sensitive or ephemeral is left out where it
// differs from machine to machine (read_variable()); what the configuration says instead is not. Contract:
// there is no other way to code: everything that is encoded goes through code(), and all that it refers to
// through follow(). Cost: linear in the blocks looked at and the references followed, each once.
// Thread-safety: one thread.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
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
  // What those that run at the end of an object read of it; false: nothing.
  bool self(const ResourceChange& c, Encoder& out);
  // The text of a configuration; false: it has none.
  bool provider(const ProviderConfigAddr& a, Encoder& out);
  // Notes the arguments whose values the plan does not know or does not keep, and what its module tells the
  // provider about itself.
  void arguments(const ResourceChange& c);
  void unknown_output(const OutputChange& o);
  void ephemeral_resources();
  void encryption();

  // Follows what was asked for until now.
  void follow_all();
  // Configurations of providers that only what was followed uses, in the order of their addresses.
  const std::map<std::string, ProviderConfigAddr>& providers() const { return providers_; }
  bool calls_providers() const { return calls_providers_; }             // functions of theirs
  std::map<std::string, Encoder> reads() { return std::move(reads_); }  // by name
  const std::vector<eval::FileRead>& files() const;                     // that the code may read

 private:
  struct Item {
    const config::Node* node;
    const syntax::Traversal* traversal;
    bool of_provider = false;
    const syntax::Expr* for_each = nullptr;  // what each.value comes from
    std::string owner = {};                  // whose for_each it is
  };
  using Traversals = std::vector<const syntax::Traversal*>;
  enum class As : uint8_t { Nothing, Code, Secret };

  std::string_view code(Range r);
  void put_code(Range r, As as, Encoder& out);
  // Within a piece of source text, in its order.
  std::span<const syntax::Traversal* const> references(const config::Module& m, Range within);
  // Where to encode a thing that is read under a name; null: it has been.
  Encoder* once(std::string name, const void* thing);
  void follow(const Item& i);
  void follow_early(const Item& i);
  void follow_variable(const Item& i, uint32_t variable);
  // An expression of that module, under its full name; `like` says whose it is.
  void read(const config::Node* n, std::string name, const syntax::Expr* e, const Item& like,
            As as = As::Code);
  void read_block(std::string name, const syntax::Block& b, const Item& like, As as);
  void read_variable(const config::Variable& v, bool of_provider);
  // What the declaration makes of an argument, or gives for want of one.
  void read_declaration(const config::Variable& v, const std::string& name, bool given);
  void read_declaration(const config::Output& o, const std::string& name);
  void read_object(const Item& i, const config::Reference& ref);
  template <class F>  // F(Symbol name) -> As, of an argument or of the blocks of a type
  void read_arguments(const config::Node* n, const config::Resource& r, bool of_provider, F as);
  void read_ephemeral(const config::Node* n, uint32_t resource, bool of_provider);
  void read_early(const config::Node* n, const syntax::Body& body);
  void provider_meta(const config::Node* n, const ProviderAddr& provider);
  Value kept_value(const AbsInstance& a, const ResourceChange* c, const config::Resource& r) const;
  using Connection = std::optional<syntax::Rest>;
  void put(const config::Provisioner& p, const Connection& connection, Encoder& out);
  template <class F>  // F(node, provisioner, connection, resource or null)
  void each_provisioner(const ResourceChange& c, F f) const;

  const Plan& plan_;
  const config::Config& config_;
  const SourceTable& sources_;
  const RemovedBlocks removed_;
  std::deque<Item> todo_;
  std::set<std::pair<std::string, const void*>> encoded_;
  std::set<std::tuple<const void*, const void*, bool>> followed_;  // of which module, what, of a provider
  std::map<std::string, Encoder> reads_;
  std::map<std::string, ProviderConfigAddr> providers_;
  bool reads_files_ = false, calls_providers_ = false;
  std::unordered_map<const config::Module*, Traversals> references_;  // by place
  std::unordered_map<ConfigResource, std::string> provisioners_[3];   // of creations, destructions, both
  // Of resources, the objects that are there before the plan and stay.
  std::unordered_map<ConfigResource, std::vector<std::pair<AbsInstance, const ResourceChange*>>> kept_;
};

}  // namespace xplan::review
