// version: the version of the program and of selected providers. Other tools read the first line and the JSON
// form.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/config/version.h"
#include "core/syntax/body.h"

namespace xplan::cmd {
namespace {

#if defined(__aarch64__)
constexpr std::string_view kPlatform = "linux_arm64";
#else
constexpr std::string_view kPlatform = "linux_amd64";
#endif

// Providers and versions of the dependency lock file, in its order.
std::vector<std::pair<std::string, std::string>> locked_providers(Session& s) {
  std::vector<std::pair<std::string, std::string>> out;
  auto text = real_fs().read(".terraform.lock.hcl");
  if (!text) return out;
  Diagnostics ignored;
  auto file = syntax::parse_native(s.sources, ".terraform.lock.hcl", std::move(*text), ignored);
  syntax::Content content =
      syntax::decode_partial(file->body, {{}, {{"provider", {"source"}}}}, nullptr, ignored);
  for (const syntax::Block& b : content.blocks) {
    syntax::Content inside = syntax::decode_partial(b.body, {{{"version"}}, {}}, nullptr, ignored);
    const syntax::Attribute* a = inside.find("version");
    Value v = a ? eval::evaluate_constant(*a->expr, ignored) : Value();
    if (!b.labels.empty())
      out.emplace_back(b.labels[0].sv(), v.is_string() ? std::string(v.as_string()) : "");
  }
  return out;
}

}  // namespace

int run_version(Session& s, const Args& args) {
  std::vector<std::string> ignored;
  Flags flags("version", "Shows the version of the program and of the selected providers.");
  flags.flag("json", s.json, "Print JSON.").arguments(ignored, 0, 1000, "none");
  s.add_json_into(flags, Session::Into::Document);
  if (std::optional<int> code = s.parse(flags, args, {}, false)) return *code;
  auto selected = locked_providers(s);
  bool compatible = s.product != "xplan";
  auto write = [&](JsonWriter& w) {
    w.begin_object();
    if (!compatible) w.member("format_version", "1.0");  // which the reference has from 1.17 on
    w.member("terraform_version", kLanguageVersion);
    w.member("platform", kPlatform);
    w.key("provider_selections");
    w.begin_object();
    for (const auto& [name, version] : selected) w.member(name, version);
    w.end_object();
    if (s.product != "OpenTofu") w.member("terraform_outdated", false);  // which asks nobody
    if (!compatible) w.member("xplan_version", kProgramVersion);
    w.end_object();
  };
  if (s.wants_document()) s.put_document(write, 2);
  if (s.json) return s.finish();
  std::string text = compatible ? fmt::format("{} v{}\non {}\n", s.product, kLanguageVersion, kPlatform)
                                : fmt::format("xplan v{}\n(language level {}) on {}\n", kProgramVersion,
                                              kLanguageVersion, kPlatform);
  for (const auto& [name, version] : selected) text += fmt::format("+ provider {} v{}\n", name, version);
  s.io.out(text);
  return s.finish();
}

}  // namespace xplan::cmd
