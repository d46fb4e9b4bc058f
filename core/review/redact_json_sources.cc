// Masks secrets in the JSON syntax, where whether a string is a template depends on where it stands.
#include "core/review/redact_sources.h"
#include "core/review/source_words.h"
#include "core/syntax/json_syntax.h"
#include "core/syntax/parser.h"

namespace xplan::review {

using syntax::ExprKind;

void SourceMask::mask_json_string(const syntax::File& file, const JsonNode& node, const Secrecy& secrecy,
                                  std::string& text, char with) const {
  const size_t begin = node.begin + 1, end = node.end - 1;
  if (!secrecy.literal &&
      (node.text.find("${") != node.text.npos || node.text.find("%{") != node.text.npos)) {
    const syntax::JsonText decoded(file, node);
    Diagnostics mistakes;
    const syntax::Expr* e =
        syntax::Parser(const_cast<syntax::File&>(file), decoded.text, mistakes).whole_template();
    if (!mistakes.has_errors() && e->kind != ExprKind::Literal) {
      Literals found;
      find_literals(*e, secrecy, file, found);
      return mask_literals(found, text, kHiddenNameInJson);
    }
  }
  if (secrecy.whole()) return fill(text, begin, end, with);
  mask_part(text, begin, end, node.text.find("sensitive(") != node.text.npos);
}

// Members of a secret: their names are secrets, too, where no schema has them.
void SourceMask::mask_json_secret(const syntax::File& file, const JsonNode& node, const Secrecy& secrecy,
                                  std::string& text) const {
  if (node.is_number()) return fill(text, node.begin, node.end, kHiddenNumber);
  if (node.is_string()) return mask_json_string(file, node, secrecy, text, kHidden);
  for (size_t i = 0; i < node.items.size(); ++i)
    mask_json_secret(file, *node.items[i], secrecy.element(i), text);
  for (const JsonMember& m : node.members) {
    mask_json_secret(file, *m.value, secrecy.member(m.key), text);
    if (secrecy.names(m.key)) continue;
    JsonNode key;
    key.kind = JsonNode::Kind::String, key.begin = m.key_begin, key.end = m.key_end, key.text = m.key;
    mask_json_string(file, key, secrecy, text, kHiddenKey);
  }
  const JsonNode* first = node.items.size() > 1     ? node.items[0]
                          : node.members.size() > 1 ? node.members[0].value
                                                    : nullptr;
  const std::string_view written = file.text.substr(node.begin, node.end - node.begin);
  const bool constant =
      secrecy.literal || (written.find("${") == written.npos && written.find("%{") == written.npos);
  if (first && !secrecy.names_parts() && constant) blank(text, first->end, node.end - 1);
}

void SourceMask::mask_json(const syntax::File& file, const JsonNode& node, const Secrecy& around,
                           std::string& text, std::string_view within) const {
  const Secrecy own = secrecy_of(sensitive_, &node, around);
  if (own.kind == Secrecy::All) return mask_json_secret(file, node, own, text);
  if (own.whole() && node.is_number()) return fill(text, node.begin, node.end, kHiddenNumber);
  if (node.is_string()) return mask_json_string(file, node, own, text, kHidden);
  for (const JsonNode* item : node.items) mask_json(file, *item, own, text, within);
  bool hides = false;
  for (const JsonMember& m : node.members) hides |= makes_secret(m.key) && m.value->is_true();
  for (const JsonMember& m : node.members) {
    const bool group = m.key == "provisioner" || m.key == "terraform_remote_state";
    const bool settings = (within == "provisioner" && m.key == "environment") ||
                          (within == "terraform_remote_state" && m.key == "config");
    if (m.key == "source" && m.value->is_string())
      mask_address(text, m.value->begin + 1, m.value->end - 1, kHidden);
    const Secrecy of = m.key == "//" || (hides && is_secret_then(m.key)) ? Secrecy{Secrecy::All}
                       : settings || names_secrets(m.key)                ? Secrecy{Secrecy::Values}
                                                                         : own;
    mask_json(file, *m.value, of, text, group ? std::string_view(m.key) : within);
  }
}

}  // namespace xplan::review
