// Fits a plan into a Markdown document of a given size: rows first, in half of the room, then diffs for the
// riskiest of them, then the rows and diffs that there is still room for.
#include "render/markdown/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/group_text.h"
#include "render/human_plan.h"
#include "render/markdown/markup.h"
#include "render/markdown/sections.h"

namespace xplan::render {
namespace {

using markdown::Section;

constexpr std::string_view kFold = "<details><summary>", kFolded = "</summary>\n\n",
                           kUnfold = "\n</details>\n\n";
constexpr size_t kSmallestBody = 160;  // a diff that is cut shorter says nothing

class Document {
 public:
  Document(const review::Review& r, const MarkdownOptions& o) : review_(r), limit_(o.max_bytes), o_(o) {
    human_.color = true;  // its codes tell which signs are a diff's own
    human_.width = human_.note_width = 0;
    human_.product = o.product;
  }

  std::string write() {
    std::string head = this->head();
    const size_t tail = note(~0u, ~0u).size();
    if (head.size() + tail > limit_) return short_form(head);
    for (Section& s : markdown::sections_of(review_, o_.sources, human_))
      shown_.push_back({std::move(s), 0, 0, {}, {}});
    room_ = limit_ - head.size() - tail;
    const size_t kept = room_ / 2;
    room_ -= kept;
    take_rows();
    room_ += kept;
    take_bodies();
    take_rows();
    take_bodies();
    return head + body() + note(left_out(), bodies_left_out_);
  }

 private:
  struct Shown {
    Section section;
    size_t begun = 0;  // bytes of its heading and closing line
    size_t tried = 0;  // rows whose bodies were taken or left out
    std::vector<std::string> lines, bodies;
  };

  std::string head() const {
    std::string out;
    const std::string counts = plan_summary(review_.plan, human_);
    if (review_.plan.errored)
      out = "## Planning failed\n\nThis plan is not complete and cannot be applied.\n";
    else if (review_.summary.groups.empty() && review_.summary.outputs == 0)
      out = "## No changes\n";
    else
      out = "## " + counts.substr(0, counts.size() - 1) + "\n";
    const std::string totals = totals_text(review_.summary, o_.product);
    if (totals != "nothing changes.") out += "\n" + totals + "\n";
    return out + "\n";
  }
  // There is room for the headline at most.
  std::string short_form(const std::string& head) const {
    const size_t end = head.find('\n') + 1;
    return end <= limit_ ? head.substr(0, end) : "";
  }

  static std::string heading(const Section& s) {
    size_t n = 0;
    for (size_t i = 0; i < s.rows; ++i) n += s.changes(i);
    return fmt::format("### {} ({})\n\n", s.title, n);
  }
  static std::string more(size_t changes) {
    return changes ? fmt::format("- … and {} more\n\n", changes) : "";
  }
  static std::string row(const std::string& line) { return "- " + line + "\n"; }

  bool take(size_t bytes) {
    if (bytes > room_) return false;
    room_ -= bytes;
    return true;
  }

  // A row counts as a line of a list with an empty line behind it.
  void take_rows() {
    for (Shown& s : shown_) {
      while (s.lines.size() < s.section.rows) {
        std::string line = s.section.line(s.lines.size());
        size_t bytes = row(line).size() + 1;
        const size_t begun = s.begun ? 0 : heading(s.section).size() + more(~0u).size();
        if (!take(bytes + begun)) return;
        s.begun += begun;
        s.lines.push_back(std::move(line));
        s.bodies.emplace_back();
      }
    }
  }

  void take_bodies() {
    size_t left = 0;
    for (const Shown& s : shown_) left += s.lines.size() - s.tried;
    for (Shown& s : shown_)
      while (s.tried < s.lines.size()) take_body(s, s.tried++, left--);
  }
  // No diff takes more than a quarter of what there is while others wait.
  void take_body(Shown& s, size_t i, size_t waiting) {
    const size_t around = kFold.size() + kFolded.size() + kUnfold.size();
    const size_t fences = 2 * 16 + 64;  // of usual length, and the line that says what is missing
    if (room_ < around + fences + kSmallestBody) {
      ++bodies_left_out_;
      return;
    }
    const size_t most =
        std::max<size_t>(room_ / std::min<size_t>(waiting, 4), std::min<size_t>(room_, 2048)) - around -
        fences;
    const std::string whole = s.section.body(i, most);
    if (whole.empty()) return;
    const std::string_view lines = markdown::first_lines(whole, most);
    const bool cut = lines.size() < whole.size();
    std::string body = markdown::fenced("diff", lines);
    if (cut) body += "\n… the rest of this diff is left out.\n";
    if (!take(around + body.size())) {  // fences longer than usual
      ++bodies_left_out_;
      return;
    }
    bodies_left_out_ += cut;
    s.bodies[i] = std::move(body);
  }

  std::string body() const {
    std::string out;
    for (const Shown& s : shown_) {
      if (s.lines.empty()) continue;
      out += heading(s.section);
      bool listed = false;
      for (size_t i = 0; i < s.lines.size(); ++i) {
        if (s.bodies[i].empty()) {
          out += row(s.lines[i]), listed = true;
          continue;
        }
        if (listed) out += '\n';
        listed = false;
        out += std::string(kFold) + s.lines[i] + std::string(kFolded) + s.bodies[i] + std::string(kUnfold);
      }
      size_t left = 0;
      for (size_t i = s.lines.size(); i < s.section.rows; ++i) left += s.section.changes(i);
      if (left)
        out += more(left);
      else if (listed)
        out += '\n';
    }
    return out;
  }

  size_t left_out() const {
    size_t n = 0;
    for (const Shown& s : shown_)
      for (size_t i = s.lines.size(); i < s.section.rows; ++i) n += s.section.changes(i);
    return n;
  }
  std::string note(size_t rows, size_t bodies) const {
    if (!rows && !bodies) return "";
    std::string what;
    if (rows)
      what = fmt::format("{} not listed", rows == 1 ? "1 item is" : grouped_digits(rows) + " items are");
    if (bodies)
      what += fmt::format("{}{} left out or cut", rows ? ", and " : "",
                          bodies == 1 ? "1 diff is" : grouped_digits(bodies) + " diffs are");
    return fmt::format("Shortened to {} bytes: {}. For the full plan, run {}\n", grouped_digits(limit_), what,
                       markdown::code(o_.more));
  }

  const review::Review& review_;
  const size_t limit_;
  const MarkdownOptions& o_;
  HumanOptions human_;
  std::vector<Shown> shown_;
  size_t room_ = 0, bodies_left_out_ = 0;
};

}  // namespace

std::string render_markdown(const review::Review& review, const MarkdownOptions& options) {
  return Document(review, options).write();
}

}  // namespace xplan::render
