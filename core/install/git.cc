// Clones module repositories with git: the environment and settings that make it run nothing from the
// repository, refs and depth, an SSH key argument, submodules over the network only.
#include "core/install/git.h"

#include <unistd.h>

#include "core/base/base64.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/install/run_program.h"

namespace xplan::install {
namespace {

// The key as its argument may have it: in either alphabet, with or without padding, "+" turned into a space.
bool decode_key(std::string text, std::string& out) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  for (char& c : text) c = c == '-' || c == ' ' ? '+' : c == '_' ? '/' : c;
  while (text.size() % 4 != 0) text += '=';
  return base64_decode(text, out);
}

// For the shell that git gives the command to.
std::string shell_word(const std::string& s) {
  std::string out = "'";
  for (char c : s) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A hook or an editor may have started us: its repository is not the one that is meant.
ProgramEnvironment base_environment() {
  ProgramEnvironment out{{"GIT_TERMINAL_PROMPT", "0"}};
  for (const char* name :
       {"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_SHALLOW_FILE",
        "GIT_GRAFT_FILE", "GIT_PREFIX", "GIT_TEMPLATE_DIR"})
    out[name] = std::nullopt;
  return out;
}

class Git {
 public:
  Git(const config::ModuleSource& s, const std::atomic<bool>* stop) : source_(s), stop_(stop) {}

  Result<void> clone(const std::string& work) {
    const std::string ref = source_.argument("ref"), depth = source_.argument("depth"),
                      key = source_.argument("sshkey");
    if (ref.starts_with('-')) return Error{in_quotes(ref) + " is not a valid version name"};
    if (depth.find_first_not_of("0123456789") != std::string::npos || depth.size() > 9)
      return Error{in_quotes(depth) + " is not a valid depth"};
    const std::string key_file = work + ".key";
    if (!key.empty()) {
      std::string private_key;
      if (!decode_key(key, private_key)) return Error{"the sshkey of the source is not base64"};
      if (Result<void> ok = write_atomic(key_file, private_key, 0600); !ok) return ok;
      environment_["GIT_SSH_COMMAND"] = "ssh -i " + shell_word(key_file) + " -o StrictHostKeyChecking=no";
    }
    Result<void> ok = fetch(work, ref, depth);
    if (!key.empty()) ::unlink(key_file.c_str());
    return ok;
  }

 private:
  Result<void> fetch(const std::string& work, const std::string& ref, const std::string& depth) {
    environment_["GIT_ALLOW_PROTOCOL"] = "https:http:ssh:git:file";
    std::vector<std::string> clone{"clone", "--quiet"};
    if (!depth.empty() && depth != "0") {
      clone.insert(clone.end(), {"--depth", depth});
      if (!ref.empty()) clone.insert(clone.end(), {"--branch", ref});
    }
    clone.insert(clone.end(), {"--", source_.url, work});
    if (Result<void> ok = git(clone); !ok) return ok;
    if (!ref.empty()) {
      if (Result<void> ok = git({"-C", work, "checkout", "--quiet", ref, "--"}); !ok) return ok;
    }
    if (!real_fs().exists(work + "/.gitmodules")) return {};
    // From here on the repository says where to go: not to files of this machine.
    environment_["GIT_ALLOW_PROTOCOL"] = "https:http:ssh:git";
    return git({"-C", work, "submodule", "--quiet", "update", "--init", "--recursive"});
  }

  Result<void> git(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_to_success(all, environment_, stop_);
  }

  const config::ModuleSource& source_;
  const std::atomic<bool>* stop_;
  ProgramEnvironment environment_ = base_environment();
};

}  // namespace

Result<void> clone_repository(const config::ModuleSource& source, const std::string& to,
                              const std::atomic<bool>* stop) {
  return Git(source, stop).clone(to);
}

}  // namespace xplan::install
