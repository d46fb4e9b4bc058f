// fmt: lays out files of the native syntax in the canonical way.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/format_files.h"
#include "core/base/atomic_file.h"
#include "core/base/fs.h"
#include "core/base/threads.h"
#include "core/syntax/body.h"
#include "core/syntax/format.h"
#include "render/unified.h"

namespace xplan::cmd {
namespace {

constexpr int kUnformatted = 3, kFailed = 2;
// Waiting for disks is most of the work where much is to be written.
constexpr unsigned kThreads = 16;

struct FormatFlags {
  bool list = true, write = true, diff = false, check = false, recursive = false;
  std::vector<std::string> targets;
};

struct Outcome {
  bool changed = false, broken = false;
  std::string diff, problem;  // why it could not be read or written
};

// The text in its canonical layout; nothing when there are syntax errors.
std::optional<std::string> formatted(const std::string& name, const std::string& text) {
  SourceTable sources;
  Diagnostics found;
  syntax::parse_native(sources, name, text, found);
  if (found.has_errors()) return std::nullopt;
  return syntax::format_native(text);
}

Outcome format_file(const std::string& path, const FormatFlags& f) {
  Outcome out;
  const Result<std::string> text = real_fs().read(path);
  if (!text) return out.problem = text.error().message, out;
  const std::optional<std::string> result = formatted(path, *text);
  out.broken = !result;
  out.changed = result && *result != *text;
  if (!out.changed) return out;
  if (f.diff) out.diff = render::unified_diff(path, *text, *result);
  if (!f.write) return out;
  std::error_code ec;
  const std::string target = std::filesystem::canonical(path, ec).string();  // a link stays one
  if (const Result<void> written = write_private(ec ? path : target, *result); !written)
    out.problem = written.error().message;
  return out;
}

// Tells what is wrong with a text that could not be formatted.
void tell_syntax_errors(Session& s, const std::string& name, std::string text) {
  Diagnostics found;
  syntax::parse_native(s.sources, name, std::move(text), found);
  for (const Diagnostic& d : found.all())
    if (d.severity == Severity::Error) s.diags.add(d);
}

// The exit code.
int format_files(Session& s, const FormatFlags& f) {
  const std::vector<std::string> files =
      files_to_format(f.targets.empty() ? std::vector<std::string>{"."} : f.targets, f.recursive, s.diags);
  std::vector<Outcome> outcomes(files.size());
  std::atomic<size_t> next{0};
  const unsigned threads = f.write ? kThreads : std::max(1u, std::thread::hardware_concurrency());
  run_concurrently(std::min<size_t>(files.size(), threads), [&](size_t) {
    for (size_t i; (i = next++) < files.size() && !s.stop;) outcomes[i] = format_file(files[i], f);
  });
  bool changed = false;
  std::string out;
  for (size_t i = 0; i < files.size(); ++i) {
    const Outcome& o = outcomes[i];
    changed = changed || o.changed;
    if (o.changed && f.list) out += files[i] + "\n";
    out += o.diff;
    if (!o.problem.empty()) s.diags.error("Cannot format a file", o.problem + ".");
    if (o.broken)
      if (const Result<std::string> text = real_fs().read(files[i])) tell_syntax_errors(s, files[i], *text);
  }
  s.io.out(out);
  if (s.stop)
    s.diags.error("Formatting interrupted", "The command was interrupted before all files were checked.");
  if (s.diags.has_errors()) return kFailed;
  return f.check && changed ? kUnformatted : 0;
}

int format_input(Session& s, const FormatFlags& f) {
  const Result<std::string> given = s.io.read_all();
  if (!given)
    return s.diags.error("Failed to read configuration", "Standard input: " + given.error().message + "."),
           s.finish();
  const std::string name = "<stdin>";
  const std::string& text = *given;
  const std::optional<std::string> result = formatted(name, text);
  if (!result) return tell_syntax_errors(s, name, text), kFailed;
  if (f.diff)
    s.io.out(render::unified_diff(name, text, *result));
  else if (!f.check)
    s.io.out(result->empty() || result->ends_with('\n') ? *result : *result + "\n");
  return f.check && *result != text ? kUnformatted : 0;
}

}  // namespace

int run_fmt(Session& s, const Args& args) {
  FormatFlags f;
  Flags flags("fmt [TARGET…]",
              "Formats configuration, variables, test and mock files (native syntax) in the canonical style: "
              "those in this directory, or the given files and directories. \"-\" formats standard input.");
  flags.flag("list", f.list, "Do not list the files that were not formatted.")
      .flag("write", f.write, "Do not write the formatted files (the default with -check).")
      .flag("diff", f.diff, "Show what changes as a unified diff.")
      .flag("check", f.check, "Only check: exit with code 3 if a file is not formatted.")
      .flag("recursive", f.recursive, "Format files in subdirectories, too.")
      .note(
          "Exit codes: 0 for success, 2 when a file cannot be read, written or parsed, 3 with -check when a "
          "file is not formatted.");
  flags.arguments(f.targets, 0, SIZE_MAX, "files, directories or \"-\"");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (f.check) f.write = false;
  const bool input = std::find(f.targets.begin(), f.targets.end(), "-") != f.targets.end();
  if (input && f.targets.size() > 1) {
    s.diags.error("Invalid command line arguments",
                  "\"-\" (standard input) cannot be used together with other files or directories.");
    return s.finish();
  }
  const int code = input ? format_input(s, f) : format_files(s, f);
  s.finish();
  return code;
}

}  // namespace xplan::cmd
