// Searches source text for calls of file functions, and notes what they would read.
#include "core/plan/static_reads.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include "core/base/fs.h"
#include "core/eval/functions/paths.h"

namespace xplan {
namespace {

using What = eval::FileRead::Kind;

struct FileFunction {
  std::string_view name;
  std::optional<What> reads;  // nothing: text that is not written there
};
constexpr FileFunction kFunctions[] = {{"file", What::Content},
                                       {"filebase64", What::Content},
                                       {"filebase64sha256", What::Content},
                                       {"filebase64sha512", What::Content},
                                       {"fileexists", What::Exists},
                                       {"filemd5", What::Content},
                                       {"fileset", What::Names},
                                       {"filesha1", What::Content},
                                       {"filesha256", What::Content},
                                       {"filesha512", What::Content},
                                       {"templatefile", What::Content},
                                       {"templatestring", std::nullopt}};

bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
bool continues_word(char c) {
  return begins_word(c) || (c >= '0' && c <= '9');
}

// Calls f(function, text behind its name) for each word that is one, until it returns false.
template <class F>
void each_mention(std::string_view text, F f) {
  for (size_t i = 0; i < text.size();) {
    if (!begins_word(text[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && continues_word(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (word.size() < 4 || (word[0] != 'f' && word[0] != 't')) continue;
    for (const FileFunction& known : kFunctions)
      if (word == known.name && !f(known, text.substr(i))) return;
  }
}

// Reads the beginning of a list of arguments, as far as they are literals.
class Literals {
 public:
  Literals(std::string_view text, const std::string& module_dir, const std::string& root_dir)
      : text_(text), module_dir_(module_dir), root_dir_(root_dir) {}

  bool take(char c) {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t' || text_[0] == '\n' || text_[0] == '\r'))
      text_.remove_prefix(1);
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // A string, in JSON with a backslash before its quotes, or path.module or path.root alone.
  bool string(std::string& out) {
    take('\\');
    if (!take('"')) return path(out);
    while (!text_.empty() && text_[0] != '"' && text_[0] != '\n') {
      if (text_[0] == '\\') {
        text_.remove_prefix(1);
        return !text_.empty() && text_[0] == '"' && (text_.remove_prefix(1), true);
      }
      if (text_.starts_with("${") || text_.starts_with("%{")) {
        text_.remove_prefix(2);
        if (!path(out) || !take('}')) return false;
        continue;
      }
      out += text_[0];
      text_.remove_prefix(1);
    }
    return !text_.empty() && text_[0] == '"' && (text_.remove_prefix(1), true);
  }

 private:
  bool path(std::string& out) {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    for (const auto& [name, dir] :
         {std::pair("path.module", &module_dir_), std::pair("path.root", &root_dir_)})
      if (text_.starts_with(name)) {
        out += *dir;
        text_.remove_prefix(std::string_view(name).size());
        return true;
      }
    return false;
  }

  std::string_view text_;
  const std::string &module_dir_, &root_dir_;
};

void note(const FileFunction& f, Literals arguments, eval::FileReads& reads) {
  std::string first, second, why;
  if (!f.reads || !arguments.take('(') || !arguments.string(first)) return;
  eval::FileRead read{*f.reads, {}, {}, {}};
  if (read.kind == What::Names) {
    if (!arguments.take(',') || !arguments.string(second)) return;
    read.path = clean_path(first);
    read.pattern = clean_path(read.path + "/" + second);
  } else if (!eval::resolve_path(".", first, read.path, why)) {
    return;
  }
  if (reads.knows(read.kind, read.path, read.pattern)) return;
  read.digest = eval::digest_now(read, ".");
  reads.note(std::move(read));
}

}  // namespace

bool mentions_files(std::string_view source) {
  bool found = source.find("\\u") != std::string_view::npos;  // JSON can write any letter so
  if (!found) each_mention(source, [&](const FileFunction&, std::string_view) { return !(found = true); });
  return found;
}

void note_written_reads(const config::Config& c, eval::FileReads& reads) {
  std::unordered_set<const config::Module*> seen;
  for (const config::Node* n : c.nodes) {
    const config::Module& m = *n->module;
    if (!seen.insert(&m).second) continue;
    for (const std::unique_ptr<syntax::File>& file : m.files)
      each_mention(file->text, [&](const FileFunction& f, std::string_view rest) {
        note(f, Literals(rest, m.dir, c.root->module->dir), reads);
        return true;
      });
  }
}

}  // namespace xplan
