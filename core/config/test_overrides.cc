// Decodes and validates mock_provider and override_* blocks of test files, and files of mocks (*.tfmock.hcl,
// *.tfmock.json).
#include "core/config/test_overrides.h"
#include "core/config/module_files.h"
#include "core/eval/eval.h"

#include <algorithm>

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;

namespace {

struct Kind {
  std::string_view type;    // of the block
  std::string_view result;  // the argument that says what is made up
  OverrideKind target;
  std::string_view what;
};
constexpr Kind kKinds[] = {{"override_resource", "values", OverrideKind::Resource, "managed resources"},
                           {"override_data", "values", OverrideKind::Data, "data sources"},
                           {"override_module", "outputs", OverrideKind::Module, "modules"}};

bool fits(const EndPoint& e, OverrideKind t) {
  if (!e.resource) return t == OverrideKind::Module;
  return t == (e.resource->mode == Mode::Data ? OverrideKind::Data : OverrideKind::Resource);
}

bool exists(const Config& c, const EndPoint& e) {
  const Node* n = c.root.get();
  for (auto& [name, key] : e.module_steps) {
    const int call = n->module->find_call(name);
    n = call < 0 ? nullptr : n->children[static_cast<size_t>(call)].get();
    if (!n) return false;
  }
  return !e.resource || n->module->find_resource(*e.resource) >= 0;
}

// A constant object; whatever it is made of.
void constant_object(Decode& d, const Attribute* a, std::string_view block) {
  if (!a) return;
  const size_t before = d.diags.error_count();
  const Value v = eval::evaluate_constant(*a->expr, d.diags);
  if (d.diags.error_count() > before) return;
  if (!v.is_null() && (v.type().is_object() || v.type().is_map())) return;
  d.diags.error("Incorrect value type",
                "The argument " + in_quotes(a->name.sv()) + " of a block of type " + in_quotes(block) +
                    " must be an object.",
                a->expr->range);
}

// The argument override_during: plan or apply; `otherwise` where there is none.
MadeUp override_during(Decode& d, const Content& c, MadeUp otherwise) {
  const Attribute* a = c.find("override_during");
  if (!a) return otherwise;
  const Symbol word = syntax::as_keyword(*a->expr);
  if (word.sv() == "plan") return MadeUp::Plan;
  if (word.sv() != "apply")
    d.diags.error("Invalid keyword",
                  "The argument \"override_during\" must be plan or apply, without quotes.", a->expr->range);
  return MadeUp::Apply;
}

std::optional<TestOverride> decode_override(Decode& d, const Block& b, const Kind& kind, MadeUp known,
                                            const Config* under_test,
                                            std::unordered_map<std::string, Range>& seen) {
  const BodySchema schema{{{"target"}, {kind.result}, {"override_during"}}, {}};
  const Content c = syntax::decode(b.body, schema, d.diags);
  const Attribute* result = c.find(kind.result);
  constant_object(d, result, kind.type);
  TestOverride out{
      kind.target, {}, result ? result->expr : nullptr, override_during(d, c, known), b.def_range};
  const Attribute* target = c.find("target");
  if (!target) {
    missing_argument(d, "target", "this " + in_quotes(kind.type) + " block", b.def_range);
    return std::nullopt;
  }
  const syntax::Traversal* t = address(d, *target->expr, /*quotes_allowed=*/false);
  const std::optional<EndPoint> point = t ? parse_endpoint(*t, d.diags) : std::nullopt;
  if (!point) return std::nullopt;
  if (!fits(*point, kind.target)) {
    d.diags.error("Invalid override target",
                  "Blocks of type " + in_quotes(kind.type) + " override " + std::string(kind.what) + "; " +
                      point->text() + " is not one of them.",
                  target->expr->range);
    return std::nullopt;
  }
  auto [it, fresh] = seen.emplace(std::string(kind.type) + " " + point->text(), b.def_range);
  if (!fresh) {
    d.diags.error(
        "Duplicate override",
        "An override for " + point->text() + " is already declared at " + place(d.sources, it->second) + ".",
        b.def_range);
  } else if (under_test && !exists(*under_test, *point)) {
    d.diags.warn("Invalid override target",
                 "The configuration under test has no " + point->text() + ", so nothing is overridden.",
                 target->expr->range);
  }
  out.target = *point;
  return out;
}

using Seen = std::unordered_map<std::string, Range>;  // blocks, by what they are for

// The content of a mocked provider, and of a file of mocks. `seen`: before, in files of the same directory.
void decode_mocks(Decode& d, const Content& c, const Config* under_test, Seen& seen, MockedProvider& out) {
  static const BodySchema kMock{{{"defaults"}, {"override_during"}}, {}};
  for (const Block& b : c.blocks) {
    if (!b.type.sv().starts_with("mock_")) continue;
    const Content inner = syntax::decode(b.body, kMock, d.diags);
    const Attribute* defaults = inner.find("defaults");
    if (defaults) eval::evaluate_constant(*defaults->expr, d.diags);
    out.types.push_back({b.type.sv() == "mock_data" ? Mode::Data : Mode::Managed, b.labels[0],
                         defaults ? defaults->expr : nullptr, override_during(d, inner, out.known)});
    const std::string name = std::string(b.type.sv()) + " " + std::string(b.labels[0].sv());
    auto [it, fresh] = seen.emplace(name, b.def_range);
    if (fresh) continue;
    d.diags.error("Duplicate mock",
                  "A mock for " + in_quotes(b.labels[0].sv()) + " is already declared at " +
                      place(d.sources, it->second) + ".",
                  b.def_range);
  }
  for (TestOverride& o : decode_overrides(d, c, out.known, under_test)) out.overrides.push_back(std::move(o));
}

void read_mock_files(Decode& d, const Fs& fs, const std::string& dir, const Block& block,
                     MockedProvider& out) {
  static const BodySchema kFile =
      with_overrides({{}, {{"mock_resource", {"type"}}, {"mock_data", {"type"}}}});
  Result<std::vector<std::string>> names = fs.list(dir);
  if (!names) {
    d.diags.error("Unreadable mock directory",
                  "The mock directory " + in_quotes(dir) + " cannot be read: " + names.error().message + ".",
                  block.def_range);
    return;
  }
  std::vector<std::string> counting = files_that_count(*names);
  std::sort(counting.begin(), counting.end());
  Seen seen;
  for (const std::string& name : counting) {
    const bool fine = name.ends_with(".tfmock.hcl") || name.ends_with(".tfmock.json") ||
                      name.ends_with(".tofumock.hcl") || name.ends_with(".tofumock.json");
    if (!fine) continue;
    const std::string path = join_path(dir, name);
    Result<std::string> text = fs.read(path);
    if (!text) {
      d.diags.error("Unreadable mock file", text.error().sentence(), block.def_range);
      continue;
    }
    d.module.files.push_back(syntax::parse_file(d.sources, path, std::move(*text), d.diags));
    decode_mocks(d, keep(d.module, syntax::decode(d.module.files.back()->body, kFile, d.diags)), nullptr,
                 seen, out);
  }
}

}  // namespace

BodySchema with_overrides(BodySchema s) {
  for (const Kind& k : kKinds) s.blocks.push_back({k.type, {}});
  return s;
}

std::vector<TestOverride> decode_overrides(Decode& d, const Content& c, MadeUp known,
                                           const Config* under_test) {
  std::vector<TestOverride> out;
  std::unordered_map<std::string, Range> seen;
  for (const Block& b : c.blocks)
    for (const Kind& k : kKinds)
      if (b.type.sv() == k.type)
        if (auto o = decode_override(d, b, k, known, under_test, seen)) out.push_back(std::move(*o));
  return out;
}

MockedProvider decode_mock_provider(Decode& d, const Fs& fs, const std::string& root_dir, const Block& block,
                                    const Config& under_test) {
  static const BodySchema kSchema = with_overrides(
      {{{"alias"}, {"source"}, {"override_during"}}, {{"mock_resource", {"type"}}, {"mock_data", {"type"}}}});
  const Content& c = keep(d.module, syntax::decode(block.body, kSchema, d.diags));
  ProviderConfig p;
  p.local_name = block.labels[0];
  p.range = block.def_range;
  check_provider_name(d, p.local_name, block.label_ranges[0]);
  if (auto alias = constant_string(d, c.find("alias"))) {
    p.alias = Symbol(*alias);
    check_name(d, p.alias, c.find("alias")->expr->range, "a provider configuration");
  }
  MockedProvider out{p.local_name, p.alias, override_during(d, c, MadeUp::Apply), {}, {}};
  p.mocked = true;
  add_provider(d, std::move(p));
  Seen seen;
  decode_mocks(d, c, &under_test, seen, out);
  if (auto source = constant_string(d, c.find("source")))
    read_mock_files(d, fs, join_path(root_dir, *source), block, out);
  return out;
}

}  // namespace xplan::config
