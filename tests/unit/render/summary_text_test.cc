// Summaries of the recorded plans of testdata/render: NAME.summary is what is printed, for those that have
// one. XPLAN_ACCEPT=1 rewrites them, and then fails so that nobody passes by accepting.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/document.h"
#include "render/summary.h"
#include "tests/support/folder.h"
#include "tests/unit/render/plan_from_json.h"

using namespace xplan;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> recorded() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(TESTDATA "/render"))
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("summary text: as it was accepted") {
  size_t count = 0;
  for (fs::path path : recorded()) {
    auto plan = plan_from_json(test::file_text(path));
    path.replace_extension(".summary");
    if (!fs::exists(path)) continue;
    ++count;
    std::string out;
    const review::Summary summary = review::summarize(*plan, {});
    render::render_summary(summary, {}, out);
    render::put_replacements(summary, {}, out);
    INFO(path.filename().string());
    if (std::getenv("XPLAN_ACCEPT") && test::file_text(path) != out) {
      std::ofstream(path, std::ios::binary) << out;
      FAIL_CHECK("accepted, review the diff");
    }
    CHECK(out == test::file_text(path));
  }
  CHECK(count >= 12);
}

TEST_CASE("summary text: each change that acts is in one group, and in one number") {
  for (const fs::path& path : recorded()) {
    INFO(path.filename().string());
    auto plan = plan_from_json(test::file_text(path));
    const review::Summary s = review::summarize(*plan, {});
    std::multiset<const ResourceChange*> grouped, acting;
    for (const review::ChangeGroup& g : s.groups) grouped.insert(g.changes.begin(), g.changes.end());
    for (const ResourceChange& c : plan->changes)
      if (review::acts(c)) acting.insert(&c);
    CHECK(grouped == acting);
    const Plan::Counts counts = plan->counts();
    CHECK(static_cast<int>(s.counts.create + s.counts.replace) == counts.add);
    CHECK(static_cast<int>(s.counts.update) == counts.change);
    CHECK(static_cast<int>(s.counts.destroy + s.counts.replace) == counts.destroy);
    size_t of_types = 0, of_modules = 0;
    for (const review::CountsOf& t : s.by_type) of_types += t.counts.total();
    for (const review::CountsOf& m : s.by_module) of_modules += m.counts.total();
    CHECK(of_types == s.counts.total());
    CHECK(of_modules == s.counts.total());
    CHECK(std::is_sorted(s.groups.begin(), s.groups.end(),
                         [](const auto& a, const auto& b) { return a.risk < b.risk; }));
  }
}
