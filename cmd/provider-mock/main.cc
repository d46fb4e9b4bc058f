// terraform-provider-mock: a provider whose types, objects and mistakes come from files, for tests and
// benchmarks. Environment: XPLAN_MOCK_SCHEMA the schema file (required), XPLAN_MOCK_DIR the directory of
// objects (kept nowhere when not set), XPLAN_MOCK_LOG a file that gets one line per call, XPLAN_MOCK_PROTOCOL
// 5 or 6 (both are offered when not set). testdata/providers/README.md describes the schema file.
#include <cstdlib>

#include "cmd/provider-mock/mock_provider.h"
#include "core/base/fs.h"
#include "core/provider/kit/server/server.h"

namespace {

std::string env(const char* name) {
  const char* v = getenv(name);
  return v ? v : "";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace xplan;
  std::string text = "{}";
  if (std::string path = env("XPLAN_MOCK_SCHEMA"); !path.empty()) {
    Result<std::string> read = real_fs().read(path);
    if (!read) {
      fprintf(stderr, "mock: %s.\n", read.error().message.c_str());
      return 1;
    }
    text = std::move(*read);
  }
  std::vector<std::string> errors;
  mock::SchemaFile file = mock::read_schema_file(std::move(text), errors);
  for (const std::string& e : errors) fprintf(stderr, "mock: %s\n", e.c_str());
  if (!errors.empty()) return 1;
  mock::MockProvider provider(std::move(file), env("XPLAN_MOCK_DIR"));
  kit::ServeOptions options;
  options.name = "terraform-provider-mock";
  options.fixed_schema = !env("XPLAN_MOCK_FIXED_SCHEMA").empty();
  if (std::string p = env("XPLAN_MOCK_PROTOCOL"); !p.empty()) options.protocols = {atoi(p.c_str())};
  options.corrupt = [](std::string_view) { return mock::MockProvider::malformed_now(); };
  return kit::serve(provider, argc, argv, options);
}
