// The backend "local": files in the working directory. "path" is the state of the workspace "default"; those
// of the others are in WORKSPACE_DIR/NAME/terraform.tfstate.
#include <dirent.h>
#include <ftw.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/backend/backend.h"
#include "core/backend/workspace.h"
#include "core/base/fs.h"
#include "core/state/lock.h"

namespace xplan::backend {
namespace {

const Symbol kPath("path"), kWorkspaceDir("workspace_dir");

class Local : public Backend {
 public:
  Local(std::string path, std::string workspace_dir, std::shared_ptr<crypt::Codec> codec)
      : path_(std::move(path)), workspace_dir_(std::move(workspace_dir)), codec_(std::move(codec)) {}

  std::unique_ptr<StateStore> open(const std::string& workspace, const StatePaths& instead) const override {
    StatePaths paths = instead;
    paths.elsewhere |= !paths.state.empty() || !paths.state_out.empty();
    if (paths.state.empty()) paths.state = file(workspace);
    return open_local_store(paths, codec_);
  }
  Result<std::optional<State>> read(const std::string& workspace) const override;
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> create(const std::string& workspace) const override { return make_folders(dir(workspace)); }
  bool created_without_state(const std::string& workspace) const override {
    return workspace == kDefaultWorkspace || real_fs().is_dir(dir(workspace));
  }
  Result<void> remove(const std::string& workspace) const override;
  Result<void> retire(const std::string& workspace) const override;
  std::unique_ptr<Backend> with(std::shared_ptr<crypt::Codec> codec) const override {
    return std::make_unique<Local>(path_, workspace_dir_, std::move(codec));
  }
  bool keeps_backups() const override { return true; }
  std::string place(const std::string& workspace) const override { return file(workspace); }
  std::string identity(const std::string& workspace) const override {
    return "local:" + clean_path(file(workspace));
  }

 private:
  std::string file(const std::string& workspace) const {
    return workspace == kDefaultWorkspace ? path_ : join_path(dir(workspace), "terraform.tfstate");
  }
  std::string dir(const std::string& workspace) const { return join_path(workspace_dir_, workspace); }
  std::string path_, workspace_dir_;
  std::shared_ptr<crypt::Codec> codec_;
};

Result<std::optional<State>> Local::read(const std::string& workspace) const {
  const std::string path = file(workspace);
  if (!real_fs().exists(path)) return std::optional<State>();
  Result<std::string> text = real_fs().read(path);
  if (!text) return text.error();
  Result<State> state = read_encrypted_state(std::move(*text), *codec_);
  if (!state) return Error{"the state file \"" + path + "\" cannot be read: " + state.error().message};
  return std::optional(std::move(*state));
}

Result<std::vector<std::string>> Local::workspaces() const {
  std::vector<std::string> out;
  if (DIR* d = ::opendir(workspace_dir_.c_str())) {
    while (struct dirent* e = ::readdir(d)) {
      std::string name = e->d_name;
      if (name != kDefaultWorkspace && valid_workspace_name(name) && real_fs().is_dir(dir(name)))
        out.push_back(name);
    }
    ::closedir(d);
  } else if (errno != ENOENT) {
    return system_problem("read the directory", workspace_dir_, errno);
  }
  std::sort(out.begin(), out.end());
  out.insert(out.begin(), std::string(kDefaultWorkspace));
  return out;
}

Result<void> Local::remove(const std::string& workspace) const {
  auto one = [](const char* path, const struct stat*, int, struct FTW*) { return std::remove(path); };
  if (::nftw(dir(workspace).c_str(), one, 16, FTW_DEPTH | FTW_PHYS) != 0)
    return system_problem("remove the directory", dir(workspace), errno);
  return {};
}

// A copy that is not encrypted as states are to be would be the only one left.
Result<void> Local::retire(const std::string& workspace) const {
  const std::string state = file(workspace), journal = state + ".journal", backup = state + ".backup";
  // What a journal beside it still tells of, whoever read the state has been told.
  if (std::rename(journal.c_str(), (journal + ".backup").c_str()) != 0 && errno != ENOENT)
    return system_problem("move away", journal, errno);
  if (codec_->encrypts()) {
    Result<std::string> text = real_fs().read(state);
    Result<crypt::Decrypted> plain = text ? codec_->decrypt(std::move(*text)) : text.error();
    if (!plain) return plain.error();
    if (plain->migrate) {
      const Result<std::string> encrypted = codec_->encrypt(plain->bytes);
      if (!encrypted) return encrypted.error();
      if (Result<void> ok = write_atomic(state, *encrypted); !ok) return ok;
    }
  }
  if (std::rename(state.c_str(), backup.c_str()) != 0) return system_problem("move away", state, errno);
  return {};
}

const schema::Block& local_schema() {
  static const schema::Block block = [] {
    schema::Block b;
    for (Symbol name : {kPath, kWorkspaceDir}) {
      schema::Attribute a;
      a.name = name, a.type = Type::string(), a.optional = true;
      b.attributes.push_back(std::move(a));
    }
    b.freeze();
    return b;
  }();
  return block;
}

Result<std::unique_ptr<Backend>> open_local(const Value& settings, const Opening& opening) {
  for (Symbol name : {kPath, kWorkspaceDir})
    if (const Value& v = *settings.find_attr(name.sv()); !v.is_null() && v.as_string().empty())
      return Error{"the argument \"" + std::string(name.sv()) + "\" must not be empty"};
  auto set = [&](Symbol name, std::string otherwise) {
    const Value& v = *settings.find_attr(name.sv());
    return v.is_null() ? otherwise : std::string(v.as_string());
  };
  return std::unique_ptr<Backend>(std::make_unique<Local>(
      set(kPath, "terraform.tfstate"), set(kWorkspaceDir, "terraform.tfstate.d"), opening.codec));
}

}  // namespace

constinit const Kind kLocal{"local", local_schema, open_local};

}  // namespace xplan::backend
