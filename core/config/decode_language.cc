// Decodes language blocks, which say for which versions of which program a module is written.
#include "core/config/decode.h"
#include "core/config/dialect.h"

namespace xplan::config {
namespace {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;

void decode_edition(Decode& d, const Attribute& a) {
  constexpr std::string_view kEdition = "tofu2024";
  const Symbol word = syntax::as_keyword(*a.expr);
  if (word.sv() == kEdition) return;
  d.diags.error(
      "Unsupported language edition",
      "The only language edition is tofu2024, without quotes. Remove the argument, or use a program "
      "that supports this edition.",
      a.expr->range);
}

// Of what a block says about other programs, they know what it means.
const Attribute* of_opentofu(Decode& d, const Block& b) {
  static const BodySchema kSchema{{{"opentofu"}}, {}};
  syntax::Rest of_others;
  return keep(d.module, syntax::decode_partial(b.body, kSchema, &of_others, d.diags)).find("opentofu");
}

void decode_compatible_with(Decode& d, const Attribute& a) {
  constexpr std::string_view kBeforeTheBlock = "1.11.0";
  const std::optional<VersionConstraints> allowed = version_of_language(d, a);
  if (!allowed) return;
  if (!allowed->matches(*parse_version(kTofuLanguageVersion)))
    d.diags.error("Unsupported version",
                  "This module is compatible with OpenTofu " + allowed->text() +
                      ", but this program implements the additions of version " +
                      std::string(kTofuLanguageVersion) +
                      ". Change the constraint, or use a program version that it allows.",
                  a.expr->range);
  else if (allowed->matches(*parse_version(kBeforeTheBlock)))
    d.diags.warn("Ineffective version constraint",
                 "Versions of OpenTofu before 1.12.0 do not know language blocks, so that they cannot be "
                 "allowed here. Write \">= 1.12.0\" as well; or, for earlier versions, put a terraform block "
                 "with required_version into a file with the ending .tofu instead.",
                 a.expr->range);
}

}  // namespace

void decode_language(Decode& d, const Block& block) {
  static const BodySchema kSchema{{{"edition"}, {"experiments"}}, {{"compatible_with", {}}}};
  if (!allows_addition("A block of type \"language\"", block.def_range, d.diags)) return;
  const Content& c = keep(d.module, syntax::decode(block.body, kSchema, d.diags));
  if (const Attribute* a = c.find("edition")) decode_edition(d, *a);
  std::vector<const Expr*> experiments;
  if (const Attribute* a = c.find("experiments");
      a && !(syntax::as_list(*a->expr, experiments) && experiments.empty()))
    d.diags.error("Experiments are not available",
                  "This module enables experimental features of the language, which are not available in "
                  "releases. Remove the argument.",
                  a->name_range);
  std::optional<Range> first;
  for (const Block& b : c.blocks) {
    const Attribute* a = of_opentofu(d, b);
    if (!a) continue;
    if (first)
      d.diags.error("Duplicate block",
                    "Only one compatible_with block can say something about OpenTofu; the first is at " +
                        place(d.sources, *first) + ".",
                    b.def_range);
    else
      first = b.def_range, decode_compatible_with(d, *a);
  }
}

}  // namespace xplan::config
