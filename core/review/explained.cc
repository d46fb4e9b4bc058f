// Finds what an explanation is asked of: the changes of an address, one attribute, an output, or everything.
#include "core/review/explained.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "core/base/command_line.h"
#include "core/diag/nearest.h"
#include "core/syntax/body.h"

namespace xplan::review {
namespace {

constexpr size_t kFollowed = 100;  // as many changes are followed to their first causes

// An address, and what follows it: ADDRESS.attribute["key"].
struct Subject {
  Target target;
  std::string output;  // instead of a target
  std::optional<Path> attribute;
};

// Where a part of an address may end: before "." and "[" outside of quotes, the last one first.
std::vector<size_t> ends_of(std::string_view text) {
  std::vector<size_t> out;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (text[i] == '.' || text[i] == '['))
      out.insert(out.begin(), i);
  }
  return out;
}

std::optional<Path> parse_attribute(std::string_view text) {
  SourceTable sources;
  Diagnostics ignored;
  const syntax::Traversal* t = nullptr;
  const auto file = syntax::parse_traversal(sources, "address", "object" + std::string(text), t, ignored);
  if (!t || ignored.has_errors()) return std::nullopt;
  Path out;
  for (const syntax::TraversalStep& s : t->steps)
    out.push_back(s.is_attr ? PathStep::of_attr(s.attr) : PathStep::of_index(s.index));
  if (out.empty() || !out[0].is_attr) return std::nullopt;
  return out;
}

std::optional<Subject> parse_subject(const std::string& text, Diagnostics& diags) {
  Subject out;
  if (text.starts_with("output.") && syntax::valid_identifier(std::string_view(text).substr(7)))
    return out.output = text.substr(7), out;
  std::string why;
  if (std::optional<Target> t = parse_target(text, &why)) return out.target = *t, out;
  for (size_t end : ends_of(text)) {
    const std::optional<Target> t = parse_target(std::string_view(text).substr(0, end));
    if (!t || !t->resource) continue;
    const std::optional<Path> path = parse_attribute(std::string_view(text).substr(end));
    if (!path) break;
    return out.target = *t, out.attribute = *path, out;
  }
  diags.error("Invalid address",
              fmt::format("\"{}\" is not a valid address. {} To explain an attribute, append its name to the "
                          "address of its resource: terraform_data.web.input, for example.",
                          text, why));
  return std::nullopt;
}

class Selection {
 public:
  Selection(const Plan& plan, const ExplainRequest& request, Diagnostics& diags)
      : plan_(plan), request_(request), diags_(diags) {
    out.only_unknown = request.unknown;
    if (request.unknown) out.none = "Nothing is known only after apply.";
    if (request.destroyed) out.none = "The plan destroys nothing.";
    if (request.replaced) out.none = "The plan replaces nothing.";
    if (request.destroyed && request.replaced) out.none = "The plan destroys and replaces nothing.";
    out.scope.all = request.all;
    out.scope.unknown = request.unknown;
  }

  bool select() {
    if (request_.address.empty()) return everything(), true;
    const std::optional<Subject> subject = parse_subject(request_.address, diags_);
    if (!subject) return false;
    return subject->output.empty() ? of_target(*subject) : of_output(subject->output);
  }

  Explained out;

 private:
  bool only_some() const { return request_.destroyed || request_.replaced; }
  bool wants(const ResourceChange& c) const {
    return !only_some() || (request_.destroyed && c.change.action == Action::Delete) ||
           (request_.replaced && is_replace(c.change.action));
  }

  void everything() {
    for (const ResourceChange& c : plan_.changes)
      if (CauseFinder::explains(c) && wants(c)) out.changes.push_back(&c);
    if (only_some()) return;
    if (!request_.unknown)
      for (const DeferredChange& d : plan_.deferred) out.deferred.push_back(&d);
    for (const OutputChange& c : plan_.outputs)
      if (c.change.action != Action::NoOp && !(request_.unknown && c.change.after.is_wholly_known()))
        out.outputs.push_back(&c);
  }

  bool of_output(const std::string& name) {
    std::vector<std::string> names;
    for (const OutputChange& c : plan_.outputs) {
      if (c.change.action != Action::NoOp) names.push_back("output." + std::string(c.name.sv()));
      if (c.name.sv() == name && c.change.action != Action::NoOp) out.outputs.push_back(&c);
    }
    out.scope.whole = true;
    return !out.outputs.empty() || nothing("output." + name, std::move(names));
  }

  bool of_target(const Subject& subject) {
    std::vector<std::string> addresses;
    const Target& target = subject.target;
    size_t unchanged = 0;
    const ResourceChange* last = nullptr;
    for (const ResourceChange& c : plan_.changes) {
      const bool explained = CauseFinder::explains(c);
      if (!target.covers(c.addr)) {
        if (explained && out.changes.empty()) addresses.push_back(c.addr.text());
        continue;
      }
      if (!explained && !subject.attribute) ++unchanged, last = &c;
      if ((explained && wants(c)) || (subject.attribute && c.addr.resource.mode != Mode::Ephemeral))
        out.changes.push_back(&c);
    }
    for (const DeferredChange& d : plan_.deferred) {
      addresses.push_back(d.change.addr.text());
      if (target.covers(d.change.addr) || covers_partly(target, d.change.addr)) out.deferred.push_back(&d);
    }
    out.attribute = subject.attribute;
    out.scope.whole = out.changes.size() + out.deferred.size() <= kFollowed;
    out.thorough = out.changes.size() == 1 && !request_.unknown;
    if (subject.attribute && !has_attribute(*subject.attribute)) return false;
    if (!out.changes.empty() || !out.deferred.empty()) return true;
    if (unchanged == 1 && last)
      return out.untouched.push_back(fmt::format(
                 "{} will not be changed: its object already matches the configuration.", last->addr.text())),
             true;
    if (unchanged > 1)
      return out.untouched.push_back(
                 fmt::format("None of the {} objects of {} will be changed.", unchanged, target.text())),
             true;
    return nothing(target.text(), std::move(addresses));
  }

  // [*] stands for any number of instances.
  static bool covers_partly(const Target& t, const AbsInstance& a) {
    return a.partial() && t.resource && t.covers(a.config());
  }

  bool has_attribute(const Path& path) {
    for (const ResourceChange* c : out.changes)
      if (c->schema && c->schema->block.find_attribute(path[0].attr.sv()))
        return true;
      else if (c->schema && c->schema->block.find_block(path[0].attr.sv()))
        return true;
    if (out.changes.empty()) return true;  // which is reported otherwise
    std::vector<std::string> names;
    if (out.changes[0]->schema) {
      for (const schema::Attribute& a : out.changes[0]->schema->block.attributes)
        names.emplace_back(a.name.sv());
      for (const schema::NestedBlock& b : out.changes[0]->schema->block.blocks)
        names.emplace_back(b.type_name.sv());
    }
    const std::string near(NearestText(std::move(names)).find(std::string(path[0].attr.sv())));
    diags_.error(
        "Unknown attribute",
        fmt::format("{} has no attribute \"{}\".{}", out.changes[0]->addr.resource.type.sv(),
                    path[0].attr.sv(), near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near)));
    return false;
  }

  bool nothing(const std::string& text, std::vector<std::string> addresses) {
    std::string limited;
    if (!plan_.limited_by().empty())
      limited = fmt::format(" The plan was made with {}, which may leave it out.", plan_.limited_by());
    const std::string near(NearestText(std::move(addresses)).find(text));
    diags_.error(
        "Nothing to explain",
        fmt::format("The plan does not change {}.{} Omit the address to list all changes.{}", text, limited,
                    near.empty() ? "" : fmt::format(" Did you mean {}?", shell_word(near))));
    return false;
  }

  const Plan& plan_;
  const ExplainRequest& request_;
  Diagnostics& diags_;
};

}  // namespace

std::vector<Decided> decided(CauseFinder& finder, const Explained& what) {
  std::vector<Decided> out;
  if (!what.only_unknown || what.attribute) return out;
  std::unordered_map<std::string, size_t> of;
  for (const ResourceChange* c : what.changes) {
    std::vector<std::string> names = finder.decided(*c);
    if (names.empty()) continue;
    const auto [at, fresh] =
        of.emplace(fmt::format("{} {}", c->addr.config().text(), fmt::join(names, " ")), out.size());
    if (fresh) out.push_back({{}, std::move(names)});
    out[at->second].changes.push_back(c);
  }
  return out;
}

std::optional<Explained> select_explained(const Plan& plan, const ExplainRequest& request,
                                          Diagnostics& diags) {
  Selection selection(plan, request, diags);
  if (!selection.select()) return std::nullopt;
  return std::move(selection.out);
}

}  // namespace xplan::review
