// The configuration of a review half: the same text on the same lines, without secrets.
//
// Who calls it: planfile, for each file that it stores beside a redacted plan.
// Contract: inside of string literals, secrets are replaced by eight "*", however long they are, on each of
// their lines, and comments by spaces, so the text means the same declarations; every position in it stays
// but for what follows a secret on its line. Masked as a whole are literals of arguments that a schema calls
// sensitive or write-only, arguments of sensitive and ephemeral variables of modules, their defaults,
// credentials in addresses of modules, the environment of provisioners, settings of backends that data
// sources read, values of such outputs, arguments of the function sensitive, and all literals of backend,
// cloud, encryption and connection blocks, digits of numbers among them; of other literals, the texts of the
// plan's secrets and what stands for a user in an address. Keys of secret maps and objects are masked, too,
// but for the names that a type declares, and of several constant elements one is left. What a literal only
// becomes part of a secret of by calculation is not recognized, and true and false stay.
// Cost: as SecretTexts.  Thread-safety: one thread.
#pragma once
#include <string>
#include <unordered_map>

#include "core/config/config.h"
#include "core/review/secret_texts.h"
#include "core/review/source_literals.h"

namespace xplan::review {

// Of a module, as what is installed has it; the same as in the masked configuration.
std::string masked_source(std::string source);

class SourceMask {
 public:
  // `secrets` of the plan, which must outlive it.
  SourceMask(const config::Config& config, const SecretTexts& secrets);
  std::string masked(const syntax::File& file) const;

 private:
  void take_declarations(const config::Module& module);
  void take_body(const syntax::Content& content, const schema::Block& block);
  void take(const syntax::Attribute& a, const Secrecy& secrecy);
  void mask_native(const syntax::File& file, bool whole, std::string& text) const;
  void mask_json(const syntax::File& file, const JsonNode& node, const Secrecy& around, std::string& text,
                 std::string_view within = {}) const;
  void mask_json_secret(const syntax::File& file, const JsonNode& node, const Secrecy& secrecy,
                        std::string& text) const;
  void mask_json_string(const syntax::File& file, const JsonNode& node, const Secrecy& secrecy,
                        std::string& text, char with) const;
  void mask_literals(const Literals& found, std::string& text, char name) const;
  void mask_part(std::string& text, size_t begin, size_t end, bool whole) const;

  const SecretTexts& secrets_;
  std::unordered_map<const void*, Secrecy> sensitive_;  // of Expr and JsonNode
};

}  // namespace xplan::review
