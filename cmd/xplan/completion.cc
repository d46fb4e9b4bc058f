// What a typed line may become, asked of the commands themselves; and the lines in the start files of shells
// that make them ask.
#include "cmd/xplan/completion.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/command_line.h"
#include "core/base/fs.h"

namespace xplan::cmd {
namespace {

// How a shell is told whom to ask. {0}: the name that is typed, {1}: the program.
struct Shell {
  std::string_view start_file;  // in the home directory
  bool own_file;                // made by this; otherwise lines are added to what the user has
  std::string_view lines;
};
constexpr Shell kShells[] = {
    {".bashrc", false, "complete -o default -o nospace -C '{1}' {0}\n"},
    {".zshrc", false,
     "(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -i }}\n"
     "_{0}() {{\n"
     "  local -a w\n"
     "  w=(${{(f)\"$(COMP_LINE=\"$words[1,CURRENT-1] $QIPREFIX$PREFIX\" '{1}')\"}})\n"
     "  (( $#w )) || {{ _default; return }}\n"
     "  compadd -S '' -- ${{(M)w:#*[=/]}}\n"
     "  compadd -- ${{w:#*[=/]}}\n"
     "}}\n"
     "compdef _{0} {0}\n"},
    {".config/fish/completions/{0}.fish", true,
     "function __{0}_words; env COMP_LINE=(commandline -cp) '{1}'; end\n"
     "complete -c {0} -n 'count (__{0}_words) >/dev/null' -f -a '(__{0}_words)'\n"},
};

std::string home_directory() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  const passwd* user = getpwuid(getuid());
  return user ? user->pw_dir : "";
}

// The lines are where this was done before.
enum class SetUp : uint8_t { Done, Already, NoSuchShell, Failed };

SetUp set_up(const Shell& shell, const std::string& home, const std::string& program, bool install,
             Diagnostics& diags) {
  const std::string file = join_path(home, fmt::format(fmt::runtime(shell.start_file), program_name()));
  const std::string lines = fmt::format(fmt::runtime(shell.lines), program_name(), program);
  const std::string needed =
      shell.own_file ? std::filesystem::path(file).parent_path().parent_path().string() : file;
  if (!real_fs().exists(needed)) return SetUp::NoSuchShell;
  auto failed = [&](const Error& e) {
    diags.error("Completion was not set up",
                fmt::format("The file \"{}\" cannot be changed: {}.", file, e.message));
    return SetUp::Failed;
  };
  std::string text;
  if (real_fs().exists(file)) {
    Result<std::string> read = real_fs().read(file);
    if (!read) return failed(read.error());
    text = std::move(*read);
  }
  const size_t at = text.find(lines);
  if ((at != text.npos) == install) return SetUp::Already;
  if (!install)
    text.erase(at, lines.size());
  else
    text += (text.empty() || text.ends_with('\n') ? "" : "\n") + lines;
  std::error_code ec;
  if (!install && shell.own_file && text.empty()) {
    std::filesystem::remove(file, ec);
    return ec ? failed(Error{ec.message()}) : SetUp::Done;
  }
  if (shell.own_file) std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ec);
  // Start files are often links into a directory with all settings: they are written where they lead.
  const std::string real = real_fs().exists(file) ? std::filesystem::canonical(file, ec).string() : file;
  struct stat before {};
  const int mode = ::stat(real.c_str(), &before) == 0 ? before.st_mode & 0777 : 0644;
  const Result<void> written = write_atomic(real, text, mode);
  return written ? SetUp::Done : failed(written.error());
}

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view text, char* unclosed) {
  std::vector<std::string> out;
  std::string word;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < text.size())
        word += text[++i];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c, open = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i], open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (open || !word.empty()) out.push_back(word);
      word.clear(), open = false;
    } else {
      word += c;
    }
  }
  if (unclosed) *unclosed = quote;
  if (quote && !unclosed) return std::nullopt;
  if (open || !word.empty()) out.push_back(word);
  return out;
}

std::optional<TypedLine> asked_to_complete(int argc, char** argv) {
  const char* given = std::getenv("COMP_LINE");
  if (!given) return std::nullopt;
  std::string_view line = given;
  TypedLine out;
  if (const char* point = std::getenv("COMP_POINT")) {
    out.at.for_bash = true;
    char* end = nullptr;
    const unsigned long n = std::strtoul(point, &end, 10);
    if (end != point && n < line.size()) line = line.substr(0, n);
  }
  out.words = *split_words(line, &out.at.quote);
  const bool between = !out.at.quote && (line.empty() || line.back() == ' ' || line.back() == '\t');
  if (!between && !out.words.empty()) out.at.last = std::move(out.words.back()), out.words.pop_back();
  if (!out.words.empty()) out.words.erase(out.words.begin());
  if (!out.words.empty()) out.at.before = out.words.back();
  // To bash, what follows a "=" or ":" is a word of its own, which is the only one that it replaces.
  if (const std::string_view own = argc == 4 ? argv[2] : ""; argc == 4) {
    char ignored = 0;
    const std::string before = out.at.quote ? std::string(1, out.at.quote) : "";
    const std::vector<std::string> word = *split_words(before + std::string(own), &ignored);
    const std::string text = word.empty() ? "" : word[0];
    if (out.at.last.ends_with(text)) out.at.known = out.at.last.size() - text.size();
  }
  return out;
}

namespace {

constexpr std::string_view kElsewhere = "-chdir=";

// Of the options in front of the command, which stand behind one dash or two.
std::optional<std::string> directory_in(std::string_view option) {
  if (option.starts_with("--")) option.remove_prefix(1);
  if (!option.starts_with(kElsewhere)) return std::nullopt;
  std::string dir(option.substr(kElsewhere.size()));
  return dir == "~" || dir.starts_with("~/") ? home_directory() + dir.substr(1) : dir;
}

// False: there is no such directory, so nothing can be told of it.
bool go_where_it_works(Session& s, const std::vector<std::string>& words) {
  std::error_code ec;
  for (const std::string& w : words) {
    if (!w.starts_with('-')) break;
    const std::optional<std::string> dir = directory_in(w);
    if (!dir) continue;
    s.completing->elsewhere = true;
    std::filesystem::current_path(*dir, ec);
  }
  return !ec;
}

}  // namespace

int complete(Session& s, const TypedLine& line, std::span<const SubCommand> commands) {
  s.completing = line.at;
  if (!go_where_it_works(s, line.words)) return 0;
  // Options are not carried out, but for what they say of the words behind them.
  std::vector<std::string> words;
  for (const std::string& w : line.words)
    if (!w.starts_with('-')) words.push_back(w);
  const bool help = !words.empty() && words[0] == "help";
  if (help) words.erase(words.begin());
  if (words.empty() && directory_in(line.at.last)) {
    const size_t equals = line.at.last.find('=') + 1;
    offer_files(s, line.at.last.substr(0, equals), line.at.last.substr(equals), Files::Directories);
  } else if (words.empty()) {
    for (const SubCommand& c : commands) offer(s, c.name);
    if (!help)
      for (const HelpRow& r : leading_options()) offer(s, option_name(r));
  }
  const auto row = std::find_if(commands.begin(), commands.end(), [&](const SubCommand& c) {
    return !words.empty() && c.name == words[0] && c.run;
  });
  if (row != commands.end()) {
    s.completing->arguments = words.size() - 1;
    row->run(s, {words.begin() + 1, words.end()});
  }
  s.io.flush();
  return 0;
}

int set_up_completion(Session& s, bool install) {
  std::error_code ec;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", ec).string();
  const std::string home = home_directory();
  bool done = false, already = false;
  for (const Shell& shell : kShells) {
    const SetUp result = set_up(shell, home, program, install, s.diags);
    done |= result == SetUp::Done, already |= result == SetUp::Already;
  }
  if (done && !s.diags.has_errors())
    s.prose(install ? "Completion is set up; it works in shells that are started from now on.\n"
                    : "Completion is removed.\n");
  else if (already && !done && !s.diags.has_errors())
    s.diags.error(install ? "Completion is already set up" : "Completion is not set up",
                  fmt::format("The startup files of the shells in \"{}\" {}.", home,
                              install ? "already contain the lines for completion"
                                      : "do not contain the lines for completion"));
  else if (!s.diags.has_errors())
    s.diags.error(
        "No shell found",
        fmt::format("There is no .bashrc, no .zshrc and no .config/fish in \"{}\". Create the file of your "
                    "shell and run the command again.",
                    home));
  return s.finish();
}

}  // namespace xplan::cmd
