// GitHub workflows: turns workflow commands in our output off, prints annotations, appends the step summary,
// finds the root of the repository.
#include "cmd/xplan/workflow_commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "core/base/secret.h"
#include "core/base/system_text.h"
#include "core/base/write_all.h"
#include "render/markdown/markdown.h"

namespace xplan::cmd {
namespace {

constexpr size_t kMostSummary = 1024 * 1024;  // of all that a step appends

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace

std::string repository_directory(const std::string& cwd) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path here = fs::weakly_canonical(cwd, unknown);
  auto below = [&](const fs::path& root) {
    const fs::path rest = here.lexically_relative(fs::weakly_canonical(root, unknown));
    return rest.empty() || *rest.begin() == ".." || rest == "." ? std::string() : rest.string();
  };
  for (const char* name : {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"})
    if (const char* root = std::getenv(name); root && *root)
      if (std::string out = below(root); !out.empty()) return out;
  for (fs::path root = here; !root.empty(); root = root.parent_path()) {
    if (fs::exists(root / ".git", unknown)) return below(root);
    if (root == root.parent_path()) break;
  }
  return "";
}

WorkflowCommands::WorkflowCommands(Session& s, std::string directory)
    : s_(s), directory_(std::move(directory)), token_(hexadecimal(random_bytes(16))) {
  s_.io.out("::stop-commands::" + token_ + "\n");
  s_.heard = [this](const Diagnostics& diags) {
    command(render::github_annotations(diags, s_.sources, directory_));
  };
}

WorkflowCommands::~WorkflowCommands() {
  s_.heard = nullptr;
  s_.io.out("::" + token_ + "::\n");
}

void WorkflowCommands::command(const std::string& lines) {
  if (!lines.empty()) s_.io.out(fmt::format("::{0}::\n{1}::stop-commands::{0}\n", token_, lines));
}

void WorkflowCommands::annotate(const review::Review& review, render::Checks checks) {
  command(render::github_annotations(review, checks, s_.sources, directory_));
}

void WorkflowCommands::append_summary(const review::Review& review) {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (!path || !*path) return;
  auto failed = [&](int error) {
    s_.diags.error("Failed to write the step summary",
                   fmt::format("The file \"{}\" of GITHUB_STEP_SUMMARY cannot be written: {}.", path,
                               system_text(error)));
  };
  const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return failed(errno);
  struct stat there {};
  const size_t used = fstat(fd, &there) == 0 ? static_cast<size_t>(there.st_size) : 0;
  const std::string text =
      render::render_markdown(review, {.max_bytes = used < kMostSummary ? kMostSummary - used : 0,
                                       .product = s_.product,
                                       .sources = &s_.sources});
  if (const int error = write_all(fd, text)) failed(error);
  close(fd);
}

}  // namespace xplan::cmd
