// Validates mock_provider and override_* blocks of test files, and files of mocks (*.tfmock.hcl,
// *.tfmock.json).
#include "core/config/test_overrides.h"
#include "core/eval/eval.h"

#include <algorithm>

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;

namespace {

enum class Target : uint8_t { Resource, Data, Module };
struct Kind {
  std::string_view type;    // of the block
  std::string_view result;  // the argument that says what is made up
  Target target;
  std::string_view what;
};
constexpr Kind kKinds[] = {{"override_resource", "values", Target::Resource, "managed resources"},
                           {"override_data", "values", Target::Data, "data sources"},
                           {"override_module", "outputs", Target::Module, "modules"}};

bool fits(const EndPoint& e, Target t) {
  if (!e.resource) return t == Target::Module;
  return t == (e.resource->mode == Mode::Data ? Target::Data : Target::Resource);
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

void check_override(Decode& d, const Block& b, const Kind& kind, const Config* under_test,
                    std::unordered_map<std::string, Range>& seen) {
  const BodySchema schema{{{"target"}, {kind.result}, {"override_during"}}, {}};
  const Content c = syntax::decode(b.body, schema, d.diags);
  constant_object(d, c.find(kind.result), kind.type);
  check_override_during(d, c);
  const Attribute* target = c.find("target");
  if (!target) return missing_argument(d, "target", "this " + in_quotes(kind.type) + " block", b.def_range);
  const syntax::Traversal* t = address(d, *target->expr, /*quotes_allowed=*/false);
  const std::optional<EndPoint> point = t ? parse_endpoint(*t, d.diags) : std::nullopt;
  if (!point) return;
  if (!fits(*point, kind.target)) {
    d.diags.error("Invalid override target",
                  "Blocks of type " + in_quotes(kind.type) + " override " + std::string(kind.what) + "; " +
                      point->text() + " is not one of them.",
                  target->expr->range);
    return;
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
}

// The content of a mocked provider, and of a file of mocks.
void check_mocks(Decode& d, const Content& c, const Config* under_test) {
  static const BodySchema kMock{{{"defaults"}, {"override_during"}}, {}};
  std::unordered_map<std::string, Range> seen;
  for (const Block& b : c.blocks) {
    if (!b.type.sv().starts_with("mock_")) continue;
    const Content inner = syntax::decode(b.body, kMock, d.diags);
    if (const Attribute* a = inner.find("defaults")) eval::evaluate_constant(*a->expr, d.diags);
    check_override_during(d, inner);
    const std::string name = std::string(b.type.sv()) + " " + std::string(b.labels[0].sv());
    auto [it, fresh] = seen.emplace(name, b.def_range);
    if (fresh) continue;
    d.diags.error("Duplicate mock",
                  "A mock for " + in_quotes(b.labels[0].sv()) + " is already declared at " +
                      place(d.sources, it->second) + ".",
                  b.def_range);
  }
  check_override_blocks(d, c, under_test);
}

void read_mock_files(Decode& d, const Fs& fs, const std::string& dir, const Block& block) {
  static const BodySchema kFile =
      with_overrides({{}, {{"mock_resource", {"type"}}, {"mock_data", {"type"}}}});
  Result<std::vector<std::string>> names = fs.list(dir);
  if (!names) {
    d.diags.error("Unreadable mock directory",
                  "The mock directory " + in_quotes(dir) + " cannot be read: " + names.error().message + ".",
                  block.def_range);
    return;
  }
  std::sort(names->begin(), names->end());
  for (const std::string& name : *names) {
    if (!name.ends_with(".tfmock.hcl") && !name.ends_with(".tfmock.json")) continue;
    const std::string path = join_path(dir, name);
    Result<std::string> text = fs.read(path);
    if (!text) {
      d.diags.error("Unreadable mock file", text.error().sentence(), block.def_range);
      continue;
    }
    d.module.files.push_back(syntax::parse_file(d.sources, path, std::move(*text), d.diags));
    check_mocks(d, keep(d.module, syntax::decode(d.module.files.back()->body, kFile, d.diags)), nullptr);
  }
}

}  // namespace

BodySchema with_overrides(BodySchema s) {
  for (const Kind& k : kKinds) s.blocks.push_back({k.type, {}});
  return s;
}

void check_override_during(Decode& d, const Content& c) {
  const Attribute* a = c.find("override_during");
  if (!a) return;
  const Symbol word = syntax::as_keyword(*a->expr);
  if (word.sv() == "plan" || word.sv() == "apply") return;
  d.diags.error("Invalid keyword", "The argument \"override_during\" must be plan or apply, without quotes.",
                a->expr->range);
}

void check_override_blocks(Decode& d, const Content& c, const Config* under_test) {
  std::unordered_map<std::string, Range> seen;
  for (const Block& b : c.blocks) {
    for (const Kind& k : kKinds) {
      if (b.type.sv() == k.type) check_override(d, b, k, under_test, seen);
    }
  }
}

void decode_mock_provider(Decode& d, const Fs& fs, const std::string& root_dir, const Block& block,
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
  add_provider(d, std::move(p));
  check_override_during(d, c);
  check_mocks(d, c, &under_test);
  if (auto source = constant_string(d, c.find("source")))
    read_mock_files(d, fs, join_path(root_dir, *source), block);
}

}  // namespace xplan::config
