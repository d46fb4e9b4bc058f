// What a terminal shows of a run: the live lines at every size, and what is told afterwards.
#include <catch2/catch.hpp>

#include <algorithm>

#include "core/base/terminal.h"
#include "core/review/work_log.h"
#include "render/aftermath.h"
#include "render/live/live_lines.h"

using namespace xplan;
using render::LiveStatus;

namespace {

LiveStatus status(size_t running, size_t failed, const std::string& name = "mock_thing.x") {
  LiveStatus s;
  s.running_in_all = running;
  for (size_t i = 0; i < std::min<size_t>(running, 30); ++i)
    s.running.push_back({name + std::to_string(i), "creating", static_cast<int64_t>(i)});
  s.failed_in_all = failed;
  for (size_t i = 0; i < std::min<size_t>(failed, 10); ++i)
    s.failed.push_back({"bad" + std::to_string(i), "creating", 3});
  s.done = 1234, s.expected = 3000, s.seconds = 61, s.per_second = 40;
  return s;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += without_terminal_codes(line) + "\n";
  return out;
}

}  // namespace

TEST_CASE("live lines: what is shown") {
  CHECK(joined(render::live_lines(status(2, 0), 100, 23, false)) ==
        "  mock_thing.x0: creating, 0s\n"
        "  mock_thing.x1: creating, 1s\n"
        "[========>           ] 1,234 of 3,000 done, 1m1s, about 45s left, 40/s\n");
  CHECK(joined(render::live_lines(status(5, 9), 100, 8, false)) ==
        "  failed: bad7: creating, after 3s\n"
        "  failed: bad8: creating, after 3s\n"
        "  failed: and 7 before\n"
        "  mock_thing.x0: creating, 0s\n"
        "  mock_thing.x1: creating, 1s\n"
        "  mock_thing.x2: creating, 2s\n"
        "  and 2 more\n"
        "[========>           ] 1,234 of 3,000 done, 9 failed, 1m1s, about 44s left, 40/s\n");
  LiveStatus unknown = status(0, 0);
  unknown.expected = 0, unknown.per_second = 0.5;
  CHECK(joined(render::live_lines(unknown, 80, 23, false)) == "1,234 done, 1m1s, 30/min\n");
  unknown.stopping = true;
  CHECK(joined(render::live_lines(unknown, 30, 23, false)) == "1,234 done, stopping, 1m1s\n");
}

TEST_CASE("live lines: they fit every terminal") {
  const std::string hostile = "日本語\x1b[2J\n\t\u202e" + std::string(300, 'x');
  for (const std::string& name : {std::string("a"), std::string(200, 'm'), hostile})
    for (int width = 30; width < 130; width += 7)
      for (int height = 2; height < 30; ++height)
        for (const size_t failed : {0, 1, 12}) {
          const auto lines = render::live_lines(status(25, failed, name), width, height, true);
          REQUIRE(lines.size() <= static_cast<size_t>(height));
          REQUIRE(!lines.empty());
          for (const std::string& line : lines) {
            const std::string plain = without_terminal_codes(line);
            INFO(width << "x" << height << ": " << plain);
            REQUIRE(render::display_width(plain) < width);
            REQUIRE(for_terminal(plain) == plain);
            REQUIRE(plain.find('\n') == std::string::npos);
          }
        }
}

TEST_CASE("live lines: lines are cut at their beginning, names in the middle") {
  struct Row {
    std::string text;
    int columns;
    std::string shown;
  };
  for (const Row& row : {Row{"abc", 3, "abc"}, Row{"abcdef", 4, "…def"}, Row{"日本語", 5, "…本語"},
                         Row{"日本語", 4, "…語"}, Row{"a\nb", 10, "a b"}, Row{"", 3, ""}})
    CHECK(render::end_of_text(row.text, row.columns) == row.shown);
  for (const Row& row :
       {Row{"abc", 3, "abc"}, Row{"abcdefghijkl", 11, "abcd…ghijkl"}, Row{"日本語日本語", 9, "日…日本語"},
        Row{"a\nb", 10, "a b"}, Row{"", 3, ""}, Row{"abcdef", 1, "…"}})
    CHECK(render::middle_left_out(row.text, row.columns) == row.shown);
}

TEST_CASE("aftermath: failures by cause, with what to do") {
  review::WorkLog work;
  State after;
  Diagnostics diags;
  auto operation = [&](const std::string& address, Action action, double seconds, const char* error) {
    const AbsInstance a = *parse_abs_instance(address);
    work.add({a, "", action, seconds}, error != nullptr);
    if (error) diags.error(error, "Because of this.").address = address;
    return a;
  };
  for (int i = 0; i < 10; ++i)
    operation("mock_a.x[" + std::to_string(i) + "]", Action::Create, i,
              i % 3 == 0 ? "Quota exceeded" : nullptr);
  operation("mock_a.y", Action::Delete, 90, nullptr);
  const AbsInstance tainted = operation("mock_a.z", Action::Create, 1, "Half done");
  auto object = std::make_shared<Object>();
  object->status = ObjectStatus::Tainted;
  after.ensure(tainted, {}).current = object;
  operation("mock_a.w", Action::Update, 1, "Quota exceeded");
  render::HumanOptions options;
  options.width = 78;
  const std::string text = render::aftermath_text({.work = work,
                                                   .failures = failures_by_cause(work, diags, after),
                                                   .changes = {2966, 4, 30},
                                                   .seconds = 95},
                                                  SourceTable(), options);
  CHECK(text == R"(
Longest operations:
     1m30s  mock_a.y: destroying
        8s  mock_a.x[8]: creating
        7s  mock_a.x[7]: creating

Failures by cause:
      5 ×  Quota exceeded
           Because of this.
           mock_a.w, mock_a.x[0], mock_a.x[3], mock_a.x[6] and 1 more
           4 of them: They were not created. Correct the cause, then apply
           again to create what is missing.
           1 of them: It may have been changed in part. Correct the cause;
           "xplan plan" shows what is left to do.
      1 ×  Half done
           Because of this.
           mock_a.z
           Its creation was not completed, so it is tainted and the next apply
           replaces it. To keep it as it is, run "xplan untaint mock_a.z".

Apply incomplete! 2,966 done, 4 failed, 30 not started, in 1m35s.
)");
}

TEST_CASE("aftermath: after a short run without failures there is nothing to say") {
  review::WorkLog work;
  for (int i = 0; i < 4; ++i) work.add({*parse_abs_instance("mock_a.x"), "", Action::Create, 1}, false);
  CHECK(render::aftermath_text({.work = work, .failures = {}}, SourceTable(), {}).empty());
}
