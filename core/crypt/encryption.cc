// Makes the codecs that the encryption blocks of a module and TF_ENCRYPTION call for.
#include "core/crypt/encryption.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/config/static_scope.h"
#include "core/crypt/maker.h"

namespace xplan::crypt {
namespace {

constexpr std::string_view kSource = "TF_ENCRYPTION";

// The text of TF_ENCRYPTION is shown to nobody: what is found there says where in words.
void hide_source(const SourceTable& sources, Diagnostics& found) {
  for (Diagnostic& d : found.mutable_all()) {
    ResolvedRange at;
    if (!sources.resolve(d.subject, at) || at.file != kSource) continue;
    d.detail = fmt::format("In the environment variable {}, line {}, column {}: {}", kSource, at.start.line,
                           at.start.column, d.detail);
    d.subject = d.context = {};
  }
}

// The blocks of the configuration, then those of the environment, which last as long as the file that is
// returned.
std::unique_ptr<syntax::File> read_blocks(const config::Module* root,
                                          const std::optional<std::string>& tf_encryption,
                                          SourceTable& sources, Block& block, Diagnostics& found) {
  if (root) block.add(*root, found);
  if (!tf_encryption || trimmed(*tf_encryption).empty()) return nullptr;
  const bool json = trimmed(*tf_encryption).front() == '{';
  auto file = (json ? syntax::parse_json : syntax::parse_native)(sources, std::string(kSource),
                                                                 *tf_encryption, found);
  if (!found.has_errors()) block.add(file->body, found);
  return file;
}

}  // namespace

Encryption::Encryption()
    : state_(Codec::plain()), plan_(Codec::plain_plan()), remote_default_(Codec::plain_remote()) {}

const std::shared_ptr<Codec>& Encryption::remote_state(std::string_view name) const {
  const auto it = remote_.find(name);
  return it == remote_.end() ? remote_default_ : it->second;
}

std::optional<Encryption> Encryption::make(const config::Module* root, const Variables& variables,
                                           const Environment& environment, SourceTable& sources,
                                           Diagnostics& diags) {
  Diagnostics found;
  Block block;
  const auto file = read_blocks(root, environment.tf_encryption, sources, block, found);
  Encryption out;
  if (!block.empty() && !found.has_errors()) {
    config::StaticUse use;
    use.marks = kSensitive;  // no message shows a value
    use.validating = environment.validating;
    use.cwd = environment.cwd, use.workspace = environment.workspace;
    use.stop = environment.stop;
    const config::StaticScope scope(
        root, [&](Diagnostics&) { return &variables; }, std::move(use));
    Maker maker(block, scope, environment, sources, found);
    maker.declare();
    out.state_ = maker.codec(block.state, Payload::State, "state");
    out.plan_ = maker.codec(block.plan, Payload::Plan, "plan");
    if (block.remote_default)
      out.remote_default_ = maker.codec(block.remote_default, Payload::State, "default");
    for (const auto& [name, target] : block.remote)
      out.remote_[name] = maker.codec(target, Payload::State, name);
    out.of_workspace_ = scope.used_workspace();
  }
  hide_source(sources, found);
  const bool ok = !found.has_errors();
  diags.append(std::move(found));
  return ok ? std::optional(std::move(out)) : std::nullopt;
}

std::shared_ptr<Codec> codec_of(const Encryption* e, const AbsInstance& data) {
  return e ? e->remote_state(remote_state_name(data)) : Codec::plain_remote();
}

std::string remote_state_name(const AbsInstance& data) {
  std::string out = data.text();
  constexpr std::string_view kType = "data.terraform_remote_state.", kModule = "module.";
  if (const size_t at = out.find(kType); at != std::string::npos) out.erase(at, kType.size());
  if (out.starts_with(kModule)) out.erase(0, kModule.size());
  return out;
}

}  // namespace xplan::crypt
