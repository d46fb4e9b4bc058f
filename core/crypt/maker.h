// Maker: makes key providers, methods and codecs from what encryption blocks declare.
//
// Who calls it: encryption.cc.  Contract: everything that is declared is made, used or not, so that every
// mistake is found; each is reported once, and what depends on it is left out. Nothing is fetched.
// Cost: linear in the blocks.  Thread-safety: one thread.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/crypt/block.h"
#include "core/crypt/target.h"

namespace xplan::crypt {

class Maker {
 public:
  Maker(const Block& block, const eval::Scope& scope, const Environment& environment,
        const SourceTable& sources, Diagnostics& diags)
      : block_(block), scope_(scope), environment_(environment), sources_(sources), diags_(diags) {}

  // All that is declared, used or not, so that every mistake is found.
  void declare() {
    for (const Declared& d : block_.key_providers) key_provider(d);
    for (const Declared& d : block_.methods) method(d);
  }
  std::shared_ptr<Codec> codec(const TargetBlock* t, Payload payload, std::string_view name);

 private:
  struct Provider {
    std::shared_ptr<KeyProvider> made;
    std::string where;                  // its name and place
    std::vector<std::string> metadata;  // names of its own, and of those it is made of
    bool under_way = true;
  };
  struct Made {
    std::shared_ptr<Method> method;
    std::shared_ptr<KeyProvider> keys;
    std::string key_source;
    bool encrypts = false, ok = false;
  };
  syntax::Content content(const Declared& d, ArgumentTable table, bool with_alias,
                          std::string_view block = {});
  void read_block(const syntax::Content& c, const KeyProviderKind& kind, Arguments& out);
  const Provider* key_provider(const Declared& d);
  void method(const Declared& d);
  const Provider* keys_of(const syntax::Content& c, std::string_view argument);
  const Declared* referenced(const std::vector<Declared>& list, std::string_view root,
                             const syntax::File& file, const syntax::Expr& e);
  bool add_steps(const TargetBlock& t, bool enforced, std::string_view name, std::vector<Step>& out);
  bool enforced(const TargetBlock& t);
  std::string place_of(Range r) const;

  const Block& block_;
  const eval::Scope& scope_;
  const Environment& environment_;
  const SourceTable& sources_;
  Diagnostics& diags_;
  std::map<const Declared*, Provider> providers_;
  std::map<const Declared*, Made> methods_;
};

}  // namespace xplan::crypt
