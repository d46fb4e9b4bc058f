// The encryption block as it is written: found in the files of a module and in TF_ENCRYPTION, and merged.
//
// Who calls it: encryption.cc.  Contract: later layers go over earlier ones: of what both have, arguments and
// nested blocks of the later one replace those of the earlier one, and "enforced" holds once anybody says so.
// Within one layer each thing is declared once. Everything points into the files, which outlive it.
// Cost: linear in the blocks.  Thread-safety: one thread.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/config.h"

namespace xplan::crypt {

struct Declared {  // key_provider and method blocks
  Symbol type, name;
  Range header, type_range;
  std::vector<const syntax::Body*> layers;
};

struct TargetBlock {  // state, plan, default, remote_state_data_source, fallback
  Range header;
  const syntax::File* file = nullptr;  // of the method
  const syntax::Attribute* method = nullptr;
  std::vector<const syntax::Attribute*> enforced;
  std::unique_ptr<TargetBlock> fallback;
};

class Block {
 public:
  bool empty() const { return !found_; }
  // The blocks of a module, of which each override file is a layer of its own. What is added next is another.
  void add(const config::Module& root, Diagnostics& diags);
  // The content of an encryption block by itself, as TF_ENCRYPTION has it.
  void add(const syntax::Body& body, Diagnostics& diags);

  std::vector<Declared> key_providers, methods;
  TargetBlock *state = nullptr, *plan = nullptr, *remote_default = nullptr;  // null: not there
  std::map<std::string, TargetBlock*> remote;

 private:
  void declare(std::vector<Declared>& list, const syntax::Block& b, Diagnostics& diags);
  std::unique_ptr<TargetBlock> read_target(const syntax::Block& b, bool with_enforced, Diagnostics& diags);
  void add_target(TargetBlock*& to, const syntax::Block& b, bool with_enforced, Diagnostics& diags);
  void add_remote(const syntax::Block& b, Diagnostics& diags);
  const syntax::Content& keep(syntax::Content c);

  void begin_layer() { ++layer_; }
  bool first_in_layer(const std::string& what, const syntax::Block& b, Diagnostics& diags);

  bool found_ = false;
  int layer_ = 0;
  std::map<std::string, int> declared_;  // what, and in which layer last
  std::vector<std::unique_ptr<syntax::Content>> contents_;
  std::vector<std::unique_ptr<TargetBlock>> targets_;
};

}  // namespace xplan::crypt
