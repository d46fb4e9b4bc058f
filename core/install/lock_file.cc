// Reads and writes .terraform.lock.hcl. Open this for which content is accepted, and for the exact text that
// is written.
#include "core/install/lock_file.h"

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/eval/eval.h"
#include "core/syntax/body.h"

namespace xplan::install {
namespace {

void invalid(Diagnostics& diags, std::string why, Range where) {
  diags.error("Invalid dependency lock file",
              std::move(why) + " The file is maintained by " + own_command("init") +
                  ". Restore it from version control, or delete it and run " + own_command("init") +
                  " to select all versions again.",
              where);
}

std::optional<LockEntry> read_entry(const syntax::Block& b, Diagnostics& diags) {
  LockEntry e;
  const std::string label(b.labels[0].sv());
  std::optional<ProviderAddr> addr = parse_provider_addr(label);
  if (!addr || addr->text() != label) {
    invalid(diags, in_quotes(label) + " is not the full address of a provider (host/namespace/type).",
            b.def_range);
    return std::nullopt;
  }
  if (addr->is_builtin() || addr->ns.sv() == "-") {
    invalid(diags, in_quotes(label) + " is a provider that has no versions to select.", b.def_range);
    return std::nullopt;
  }
  e.provider = *addr;
  syntax::Content c = syntax::decode(b.body, {{{"version", true}, {"constraints"}, {"hashes"}}, {}}, diags);
  auto text_of = [&](std::string_view name, std::string& out) {
    const syntax::Attribute* a = c.find(name);
    if (!a) return true;
    Value v = eval::evaluate_constant(*a->expr, diags);
    if (v.is_string()) return out = v.as_string(), true;
    invalid(diags, "The argument " + in_quotes(name) + " must be a string.", a->range);
    return false;
  };
  std::string version;
  if (!c.find("version") || !text_of("version", version) || !text_of("constraints", e.constraints))
    return std::nullopt;
  std::optional<Version> v = parse_version(version);
  if (!v) {
    invalid(diags, in_quotes(version) + " is not a valid version number.", c.find("version")->range);
    return std::nullopt;
  }
  if (v->text() != version) {
    invalid(diags, in_quotes(version) + " is not the full form of the version, " + in_quotes(v->text()) + ".",
            c.find("version")->range);
    return std::nullopt;
  }
  e.version = std::move(*v);
  if (!parse_version_constraints(e.constraints)) {
    invalid(diags, in_quotes(e.constraints) + " is not a valid list of version constraints.",
            c.find("constraints")->range);
    return std::nullopt;
  }
  const syntax::Attribute* hashes = c.find("hashes");
  if (!hashes) return e;
  std::vector<const syntax::Expr*> list;
  if (!syntax::as_list(*hashes->expr, list) || list.empty()) {
    invalid(diags, "The argument \"hashes\" must be a list of at least one string, or be omitted.",
            hashes->range);
    return std::nullopt;
  }
  for (const syntax::Expr* x : list) {
    Value h = eval::evaluate_constant(*x, diags);
    if (!h.is_string() || h.as_string().find(':') == std::string_view::npos) {
      invalid(diags, "A hash must be written as its scheme, a colon and the hash itself.", hashes->range);
      return std::nullopt;
    }
    e.hashes.emplace(h.as_string());
  }
  return e;
}

}  // namespace

const LockEntry* LockFile::find(const ProviderAddr& p) const {
  auto it = entries.find(p.text());
  return it == entries.end() ? nullptr : &it->second;
}

bool same_selections(LockFile a, LockFile b) {
  for (LockFile* f : {&a, &b})
    for (auto& [name, e] : f->entries) e.constraints.clear();
  return a == b;
}

std::string LockFile::text(std::string_view program) const {
  std::string out = "# This file is maintained automatically by \"" + std::string(program) +
                    " init\".\n# Manual edits may be lost in future updates.\n";
  for (const auto& [name, e] : entries) {
    const bool aligned = !e.constraints.empty();
    out += "\nprovider " + syntax::quote(name) + " {\n";
    out += (aligned ? "  version     = " : "  version = ") + syntax::quote(e.version.text()) + "\n";
    if (aligned) out += "  constraints = " + syntax::quote(e.constraints) + "\n";
    if (!e.hashes.empty()) {
      out += "  hashes = [\n";
      for (const std::string& h : e.hashes) out += "    " + syntax::quote(h) + ",\n";
      out += "  ]\n";
    }
    out += "}\n";
  }
  return out;
}

std::optional<LockFile> read_lock_file(SourceTable& sources, const std::string& path, Diagnostics& diags) {
  if (!real_fs().exists(path)) return LockFile();
  Result<std::string> text = real_fs().read(path);
  if (text) return parse_lock_file(sources, path, std::move(*text), diags);
  diags.error("Unreadable dependency lock file", text.error().sentence());
  return std::nullopt;
}

std::optional<LockFile> parse_lock_file(SourceTable& sources, const std::string& name, std::string text,
                                        Diagnostics& diags) {
  LockFile out;
  Diagnostics own;
  auto file = syntax::parse_native(sources, name, std::move(text), own);
  // "module" is set aside for what may be locked one day.
  syntax::Content content =
      syntax::decode(file->body, {{}, {{"provider", {"source"}}, {"module", {"name"}}}}, own);
  for (const syntax::Block& b : content.blocks) {
    if (b.labels.empty() || b.type.sv() != "provider") continue;
    std::optional<LockEntry> e = read_entry(b, own);
    if (!e) continue;
    std::string name = e->provider.text();
    if (!out.entries.emplace(std::move(name), std::move(*e)).second)
      invalid(own, "The provider " + in_quotes(b.labels[0].sv()) + " has more than one entry.", b.def_range);
  }
  const bool failed = own.has_errors();
  diags.append(std::move(own));
  if (failed) return std::nullopt;
  return out;
}

bool write_lock_file(const LockFile& lock, const std::string& path, Diagnostics& diags) {
  // The first line is part of the format: it says the same whichever tool writes the file.
  Result<void> ok = write_atomic(path, lock.text("terraform"));
  if (!ok) {
    diags.error(
        "Cannot write the dependency lock file",
        ok.error().sentence() +
            " The file records which provider versions are selected. Make the directory writable, or use "
            "-lockfile=readonly if the file is complete.");
  }
  return ok.ok();
}

}  // namespace xplan::install
