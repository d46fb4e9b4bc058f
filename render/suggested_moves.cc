// Prints pairs of objects with what makes them pairs.
#include "render/suggested_moves.h"

#include <fmt/format.h>

namespace xplan::render {
namespace {

using review::Resemblance;
using review::SuggestedMoves;

constexpr size_t kMostPairs = 100, kMostAmbiguous = 20, kMostOthers = 20, kMostNames = 8;

int percent(double score) {
  return static_cast<int>(score * 100 + 0.5);
}

std::string list_of(const std::vector<Symbol>& names) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i)
    out += (i ? ", " : "") + std::string(names[i].sv());
  if (names.size() > kMostNames) out += fmt::format(" and {} more", names.size() - kMostNames);
  return out;
}

// Of addresses, what is the same.
std::string same_parts(const Resemblance& r) {
  std::string out;
  auto add = [&](bool same, std::string_view what) {
    if (same) out += (out.empty() ? "" : ", ") + std::string(what);
  };
  add(r.same_name, "name");
  add(r.same_module && !r.from->addr.module.is_root(), "module");
  add(r.same_module_keys, "keys of modules");
  add(r.same_key && !r.from->addr.key.none(), "instance key");
  return out;
}

class Text {
 public:
  explicit Text(const HumanOptions& o) : o_(o) {}
  std::string write(const SuggestedMoves& m) {
    put_wrapped(out_,
                fmt::format("Compared {} object{} that would be destroyed with {} that would be created.\n",
                            grouped_digits(m.all_destroyed), m.all_destroyed == 1 ? "" : "s",
                            grouped_digits(m.all_created)),
                o_.width);
    suggested(m);
    ambiguous(m);
    return std::move(out_);
  }

 private:
  void title(std::string_view text) {
    out_ += '\n';
    put(out_, text, Style::Bold, o_.color);
    out_ += '\n';
  }
  void line(std::string_view lead, const std::string& text) {
    put_hanging(out_, lead, text, std::string(lead.size(), ' '), o_.width);
    out_ += '\n';
  }
  void why(const Resemblance& r) {
    std::string same = list_of(r.equal);
    if (const std::string parts = same_parts(r); !parts.empty()) same += (same.empty() ? "" : "; ") + parts;
    if (!same.empty()) line("      same: ", same);
    if (!r.different.empty()) line("      different: ", list_of(r.different));
    if (r.equal.empty() && r.different.empty()) line("      ", "no attributes to compare");
  }

  void suggested(const SuggestedMoves& m) {
    if (m.suggested.empty() && !m.ambiguous.empty()) return;
    if (m.suggested.empty()) return title("No object looks like one that was moved.");
    title(fmt::format("Likely moved ({})", grouped_digits(m.suggested.size())));
    for (size_t i = 0; i < m.suggested.size() && i < kMostPairs; ++i) {
      const Resemblance& r = m.suggested[i];
      line("  ", fmt::format("{} -> {} ({}%)", r.from->addr.text(), r.to->addr.text(), percent(r.score)));
      why(r);
    }
    more(m.suggested.size(), kMostPairs);
  }

  void ambiguous(const SuggestedMoves& m) {
    if (m.ambiguous.empty()) return;
    title("Ambiguous, so not suggested");
    size_t objects = 0;
    const ResourceChange* last = nullptr;
    for (const Resemblance& r : m.ambiguous) {
      if (r.to != last && ++objects > kMostAmbiguous) continue;
      if (r.to != last) line("  ", r.to->addr.text() + " could be:");
      last = r.to;
      if (objects <= kMostAmbiguous)
        line("    ", fmt::format("{} ({}%)", r.from->addr.text(), percent(r.score)));
    }
    more(objects, kMostAmbiguous);
  }
  void more(size_t all, size_t shown) {
    if (all > shown) out_ += fmt::format("  … and {} more\n", grouped_digits(all - shown));
  }

  const HumanOptions& o_;
  std::string out_;
};

void write_names(JsonWriter& w, std::string_view member, const std::vector<Symbol>& names) {
  w.key(member);
  w.begin_array();
  for (Symbol n : names) w.string(n.sv());
  w.end_array();
}

void write_pairs(JsonWriter& w, std::string_view member, const std::vector<Resemblance>& pairs) {
  w.key(member);
  w.begin_array();
  for (const Resemblance& r : pairs) {
    w.begin_object();
    w.member("from", r.from->addr.text());
    w.member("to", r.to->addr.text());
    w.member("type", r.from->addr.resource.type.sv());
    w.member("provider", r.from->provider.provider.text());
    w.member("percent", percent(r.score));
    write_names(w, "equal", r.equal);
    write_names(w, "different", r.different);
    w.member("same_name", r.same_name);
    w.member("same_module", r.same_module);
    w.member("same_module_keys", r.same_module_keys);
    w.member("same_key", r.same_key);
    w.end_object();
  }
  w.end_array();
}

void write_addresses(JsonWriter& w, std::string_view member, const std::vector<const ResourceChange*>& all) {
  w.key(member);
  w.begin_array();
  for (const ResourceChange* c : all) w.string(c->addr.text());
  w.end_array();
}

}  // namespace

std::string suggested_moves_text(const SuggestedMoves& moves, const HumanOptions& options) {
  return Text(options).write(moves);
}

void write_suggested_moves_json(const MovesDocument& d, JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "1.0");
  write_pairs(w, "suggested", d.moves.suggested);
  write_pairs(w, "ambiguous", d.moves.ambiguous);
  write_addresses(w, "destroyed", d.moves.destroyed);
  write_addresses(w, "created", d.moves.created);
  w.key("moved");
  w.begin_array();
  for (const review::MovedBlock& b : d.blocks) {
    w.begin_object();
    w.member("from", b.from);
    w.member("to", b.to);
    w.member("objects", static_cast<int64_t>(b.objects));
    w.end_object();
  }
  w.end_array();
  if (!d.file.empty()) w.member("file", d.file);
  w.end_object();
}

}  // namespace xplan::render
