// Saved plans, as files of any bytes and with what the seal protects: what is opened is shown in all forms.
#include <sys/mman.h>
#include <unistd.h>

#include "core/provider/provider.h"
#include "core/provider/schemas.h"
#include "planfile/container.h"
#include "planfile/planfile.h"
#include "render/human_plan.h"
#include "render/json_plan.h"
#include "tests/fuzz/target.h"
#include "tests/support/folder.h"

namespace xplan::fuzz {
namespace {

// A file in memory of these bytes.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : fd_(::memfd_create("plan", 0)) {
    must(::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
         "room for a file in memory");
  }
  ~Bytes() { ::close(fd_); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  const int fd_;
};

ProviderSchemas& schemas() {
  static const std::unique_ptr<ProviderFactory> factory = make_builtin_factory();
  static ProviderSchemas all(*factory);
  return all;
}
schema::SchemaPtr find(const ProviderAddr& p, Mode mode, Symbol type) {
  return schemas().find(p, mode, type);
}

void run(std::string_view bytes) {
  const Bytes file(bytes);
  Result<planfile::Opened> opened = planfile::read(file.path(), find);
  if (!opened) return must(!opened.error().message.empty(), "an error says what is wrong");
  std::string text;
  render::render_plan(opened->plan, {}, text);
  SourceTable sources;
  Diagnostics diags;
  config::LoadOptions o;
  o.root_dir = opened->root_dir, o.data_dir = opened->data_dir;
  const auto source = opened->schemas.source(schemas());
  const auto config = config::load(opened->fs, sources, o, source.get(), diags);
  if (diags.has_errors() && !opened->plan.errored) return;
  JsonWriter w([](std::string_view) {}, 0);
  render::write_plan_json(opened->plan, *config, opened->schemas.lookup(find), w, diags);
}

std::vector<std::string> seeds() {
  return files("planfile", ".plan");
}

std::string packed(const std::vector<std::pair<std::string, std::string>>& entries) {
  static const test::Folder folder(true);
  planfile::ZipWriter zip(folder / "packed", 0);
  bool ours = false;
  for (const auto& [name, text] : entries) {
    zip.add_text(name, text);
    ours |= name.starts_with(planfile::kOwnPrefix);
  }
  must(zip.close(ours).ok(), "a plan file can be written");
  return test::file_text(folder / "packed");
}

std::optional<std::string> change_entry(std::string_view bytes, uint32_t random, const Change& change) {
  const Bytes file(bytes);
  planfile::ZipReader in;
  if (!in.open(file.path())) return {};
  std::vector<std::pair<std::string, std::string>> entries;
  for (const std::string& name : in.names()) {
    Result<std::string> text = in.read(name);
    if (!text) return {};
    entries.emplace_back(name, std::move(*text));
  }
  if (entries.empty()) return {};
  // Every other time what matters most, the plan.
  std::string& text = entries[random % 2 ? 0 : random / 2 % entries.size()].second;
  text = change(std::move(text));
  return packed(entries);
}

// The same plans as this program saves them.
std::vector<std::string> sealed_seeds() {
  const test::Folder folder(true);
  std::vector<std::string> out;
  for (const std::string& bytes : seeds()) {
    const Bytes file(bytes);
    Result<planfile::Opened> opened = planfile::read(file.path(), find);
    must(opened.ok(), "a plan of testdata can be read");
    SourceTable sources;
    Diagnostics diags;
    config::LoadOptions o;
    o.root_dir = opened->root_dir, o.data_dir = opened->data_dir;
    const auto config = config::load(opened->fs, sources, o, &schemas(), diags);
    planfile::ConfigSnapshot snapshot = planfile::snapshot_of(*config);
    snapshot.schemas = planfile::SavedSchemas::collect(opened->plan, *config, schemas());
    must(planfile::write(folder / "sealed", opened->plan, snapshot, find).ok(),
         "a plan that was read can be written");
    out.push_back(test::file_text(folder / "sealed"));
    out.push_back(bytes);
  }
  return out;
}

}  // namespace

const Target plan_file = {run, seeds};
const Target sealed_plan_file = {run, sealed_seeds, change_entry};

}  // namespace xplan::fuzz
