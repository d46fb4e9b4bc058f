// File and path functions: file, fileexists, fileset, filebase64, file digests, templatefile, abspath,
// dirname, basename, pathexpand.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/system_text.h"
#include "core/base/utf8.h"
#include "core/eval/file_reads.h"
#include "core/eval/function.h"
#include "core/eval/functions/glob.h"
#include "core/eval/functions/paths.h"
#include "core/eval/functions/templates.h"

namespace xplan::eval {

namespace {

bool read_argument(const Value& path, const CallContext& ctx, std::string& out, CallError& error) {
  std::string at, why;
  if (!resolve_path(ctx.base_dir, path.as_string(), at, why)) return error = {why, 0}, false;
  const bool read = read_whole(at, out, why);
  if (ctx.file_reads && !ctx.file_reads->knows(FileRead::Kind::Content, at))
    ctx.file_reads->note({FileRead::Kind::Content, at, {}, read ? digest_of_read(out) : std::string()});
  if (!read) error = {why, 0};
  return read;
}

Value fn_file(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  std::string text;
  if (!read_argument(a[0], ctx, text, error)) return {};
  if (!utf8_valid(text)) {
    error = {"the file \"" + std::string(a[0].as_string()) +
                 "\" is not UTF-8 text, so it cannot be a string; use filebase64 for the content in base64, "
                 "or filesha256 and similar functions for a digest",
             0};
    return {};
  }
  return Value::string(text);
}

Value fn_filebase64(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  std::string bytes;
  if (!read_argument(a[0], ctx, bytes, error)) return {};
  return Value::string(base64_encode(bytes));
}

template <Digest kKind, bool kBase64>
Value fn_file_digest(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  std::string at, why;
  if (!resolve_path(ctx.base_dir, a[0].as_string(), at, why)) return error = {why, 0}, Value();
  DigestStream stream(kKind), noted(Digest::Sha256);
  const bool note = ctx.file_reads && !ctx.file_reads->knows(FileRead::Kind::Content, at);
  auto take = [&](std::string_view piece) {
    stream.update(piece);
    if (note) noted.update(piece);
    return !ctx.stopped();
  };
  const bool read = read_pieces(at, take, why);
  if (note && !ctx.stopped())
    ctx.file_reads->note(
        {FileRead::Kind::Content, at, {}, read ? hex_encode(noted.finish()) : std::string()});
  if (!read) {
    error = {why, 0};
    return {};
  }
  if (ctx.stopped()) return give_up(error);
  std::string d = stream.finish();
  if (d.empty()) error = {"this machine's cryptographic library does not support the digest", -1};
  return Value::string(kBase64 ? base64_encode(d) : hex_encode(d));
}

Value fn_fileexists(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  std::string at, why;
  if (!resolve_path(ctx.base_dir, a[0].as_string(), at, why)) {
    error = {why, 0};
    return {};
  }
  struct stat info;
  const bool there = stat(at.c_str(), &info) == 0;
  const int problem = errno;
  if (ctx.file_reads)
    ctx.file_reads->note({FileRead::Kind::Exists,
                          at,
                          {},
                          there && S_ISREG(info.st_mode) ? digest_of_read({}) : std::string()});
  if (!there) {
    if (problem == ENOENT) return Value::boolean(false);
    error = {"it cannot be determined whether \"" + at + "\" exists: " + system_text(problem), 0};
    return {};
  }
  if (S_ISREG(info.st_mode)) return Value::boolean(true);
  error = {"\"" + at + "\" exists but is " + std::string(file_kind(info.st_mode)), 0};
  return {};
}

Value fn_fileset(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  if (a[0].as_string().find('\0') != std::string_view::npos ||
      a[1].as_string().find('\0') != std::string_view::npos) {
    error = {"the path contains a NUL character", -1};
    return {};
  }
  // The pattern is put behind the path before anything is looked up, so ".." and patterns in either work on
  // the whole.
  std::string root = clean_path(a[0].as_string());
  std::string pattern = clean_path(root + "/" + std::string(a[1].as_string()));
  std::vector<std::string> matches;
  switch (glob(ctx.base_dir, pattern, matches, [&] { return ctx.stopped(); })) {
    case GlobStatus::Ok:
      break;
    case GlobStatus::Stopped:
      return give_up(error);
    case GlobStatus::BadPattern:
      error = {"the pattern \"" + std::string(a[1].as_string()) +
                   "\" is malformed: a bracket, brace or escape is not complete",
               1};
      return {};
    case GlobStatus::TooComplex:
      error = {"the pattern \"" + std::string(a[1].as_string()) +
                   "\" has too many ways to match, or matches too many files",
               1};
      return {};
  }
  if (ctx.file_reads) ctx.file_reads->note({FileRead::Kind::Names, root, pattern, digest_of_names(matches)});
  std::vector<Value> names;
  for (const std::string& match : matches) {
    struct stat info;
    if (stat(join_path(ctx.base_dir, match).c_str(), &info) != 0) {
      error = {
          "the file \"" + match + "\" matches the pattern, but cannot be accessed: " + system_text(errno),
          -1};
      return {};
    }
    if (!S_ISREG(info.st_mode)) continue;
    std::string name;
    if (!relative_path(root, match, name)) {
      error = {
          "the file \"" + match + "\" matches the pattern, but its path from \"" + root + "\" is not known",
          1};
      return {};
    }
    names.push_back(Value::string(name));
  }
  return Value::set(Type::string(), std::move(names));
}

Value fn_basename(std::span<const Value> a, const CallContext&, CallError&) {
  std::string_view p = a[0].as_string();
  if (p.empty()) return Value::string(".");
  while (p.size() > 1 && p.ends_with('/')) p.remove_suffix(1);
  if (p == "/") return Value::string("/");
  return Value::string(p.substr(p.rfind('/') + 1));
}

Value fn_dirname(std::span<const Value> a, const CallContext&, CallError&) {
  std::string_view p = a[0].as_string();
  size_t slash = p.rfind('/');
  return Value::string(clean_path(p.substr(0, slash == std::string_view::npos ? 0 : slash + 1)));
}

Value fn_abspath(std::span<const Value> a, const CallContext& ctx, CallError&) {
  return Value::string(absolute_path(ctx.base_dir, a[0].as_string()));
}

Value fn_pathexpand(std::span<const Value> a, const CallContext&, CallError& error) {
  std::string out, why;
  if (!expand_home(a[0].as_string(), out, why)) error = {why, 0};
  return Value::string(out);
}

Value fn_templatefile(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  std::string text;
  if (!template_allowed(ctx, "templatefile", error) || !read_argument(a[0], ctx, text, error)) return {};
  if (!utf8_valid(text)) {
    error = {
        "the file \"" + std::string(a[0].as_string()) + "\" is not UTF-8 text, so it cannot be a template",
        0};
    return {};
  }
  return render_template(std::string(a[0].as_string()), text, a[1], ctx, error);
}

}  // namespace

void register_files(FunctionTable& table) {
  const Type str = Type::string();
  struct Row {
    std::string_view name;
    Impl impl;
    std::string_view description;
  };
  constexpr Row kOfPaths[] = {
      {"file", fn_file, "The content of a text file."},
      {"filebase64", fn_filebase64, "The content of a file, in base64."},
      {"filemd5", fn_file_digest<Digest::Md5, false>, "The MD5 digest of a file, in hexadecimal."},
      {"filesha1", fn_file_digest<Digest::Sha1, false>, "The SHA-1 digest of a file, in hexadecimal."},
      {"filesha256", fn_file_digest<Digest::Sha256, false>, "The SHA-256 digest of a file, in hexadecimal."},
      {"filesha512", fn_file_digest<Digest::Sha512, false>, "The SHA-512 digest of a file, in hexadecimal."},
      {"filebase64sha256", fn_file_digest<Digest::Sha256, true>, "The SHA-256 digest of a file, in base64."},
      {"filebase64sha512", fn_file_digest<Digest::Sha512, true>, "The SHA-512 digest of a file, in base64."},
      {"basename", fn_basename, "The last element of a path."},
      {"dirname", fn_dirname, "A path without its last element."},
      {"abspath", fn_abspath, "A path from the root of the file system."},
      {"pathexpand", fn_pathexpand, "A path with a leading ~ replaced with the home directory."}};
  for (const Row& r : kOfPaths) {
    table.add({.name = r.name,
               .params = {{"path", str}},
               .returns = str,
               .impl = r.impl,
               .description = r.description});
  }
  table.add({.name = "fileexists",
             .params = {{"path", str}},
             .returns = Type::boolean(),
             .impl = fn_fileexists,
             .description = "Whether a regular file exists at a path."});
  table.add({.name = "fileset",
             .params = {{"path", str}, {"pattern", str}},
             .returns = Type::set(str),
             .impl = fn_fileset,
             .description = "The files below a path whose names match a pattern."});
  table.add({.name = "templatefile",
             .params = {{"path", str}, {"vars", Type::dynamic()}},
             .returns = Type::dynamic(),
             .impl = fn_templatefile,
             .evaluates = true,
             .refine_not_null = false,
             .description = "A file rendered as a template."});
  register_templatestring(table);
}

}  // namespace xplan::eval
