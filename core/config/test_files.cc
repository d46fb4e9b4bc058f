// Validates test files (*.tftest.hcl, *.tftest.json): run blocks, variables, providers and assertions. Tests
// are checked here, not run.
#include "core/config/test_files.h"

#include <algorithm>

#include "core/config/installed_modules.h"
#include "core/config/module_files.h"
#include "core/config/module_source.h"
#include "core/config/test_overrides.h"
#include "core/config/test_providers.h"
#include "core/schema/decode.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::Traversal;

namespace {

struct FoundFile {
  std::string path, key;
};

// In the root directory and then in that of tests, by name.
std::vector<FoundFile> find_files(const Fs& fs, const std::string& root_dir, const std::string& test_dir) {
  std::vector<FoundFile> out;
  for (const std::string& folder : {std::string(), test_dir}) {
    const std::string dir = folder.empty() ? root_dir : join_path(root_dir, folder);
    Result<std::vector<std::string>> names = fs.list(dir);
    if (!names) continue;
    std::sort(names->begin(), names->end());
    for (const std::string& name : *names) {
      const size_t end = name.find(".tftest.");
      if (!name.ends_with(".tftest.hcl") && !name.ends_with(".tftest.json")) continue;
      std::string key = "test." + (folder.empty() ? "" : folder + "/") + name.substr(0, end);
      std::replace(key.begin(), key.end(), '/', '.');
      out.push_back({join_path(dir, name), std::move(key)});
    }
  }
  return out;
}

class TestFile {
 public:
  TestFile(Decode& d, const Fs& fs, const Config& config, const std::string& root_dir, std::string key,
           InstalledModules& installed, TestSuite& suite)
      : d_(d),
        fs_(fs),
        config_(config),
        root_dir_(root_dir),
        key_(std::move(key)),
        installed_(installed),
        suite_(suite) {}

  void decode(const Content& c) {
    single_block(d_, c, "variables", "this test file");
    for (const Block& b : c.blocks) {
      const std::string_view type = b.type.sv();
      if (type == "variables")
        syntax::just_attributes(b.body, d_.diags);
      else if (type == "provider")
        provider(b);
      else if (type == "mock_provider")
        decode_mock_provider(d_, fs_, root_dir_, b, config_);
      else if (type == "run")
        run(b);
    }
    check_override_blocks(d_, c, &config_);
    settle_test_providers(d_.module, *config_.root->module, test_runs_, d_.diags);
  }

 private:
  void provider(const Block& b) {
    static const BodySchema kVersion{{{"version"}}, {}};
    Diagnostics ignored;
    const Content c = syntax::decode_partial(b.body, kVersion, nullptr, ignored);
    if (const Attribute* a = c.find("version")) {
      d_.diags.error(
          "Version constraint in a test file",
          "Provider version constraints belong in required_providers of the configuration, not in its tests.",
          a->range);
      return;
    }
    decode_provider(d_, Layers{{&b}});
  }

  void run(const Block& b) {
    static const BodySchema kSchema =
        with_overrides({{{"command"}, {"expect_failures"}, {"providers"}, {"state_key"}},
                        {{"plan_options", {}}, {"variables", {}}, {"module", {}}, {"assert", {}}}});
    static constexpr std::string_view kWhere = "this \"run\" block";
    const Content& c = keep(d_.module, syntax::decode(b.body, kSchema, d_.diags));
    check_name(d_, b.labels[0], b.label_ranges[0], "a run block");
    if (auto [it, fresh] = runs_.emplace(b.labels[0], b.def_range); !fresh) {
      d_.diags.error("Duplicate declaration",
                     "A run block " + in_quotes(b.labels[0].sv()) + " is already declared at " +
                         place(d_.sources, it->second) + ". The names must be unique in a file.",
                     b.def_range);
    }
    one_of(c.find("command"), {"apply", "plan"});
    constant_string(d_, c.find("state_key"));
    if (const Attribute* a = c.find("expect_failures")) expect_failures(*a);
    if (const Block* v = single_block(d_, c, "variables", kWhere)) syntax::just_attributes(v->body, d_.diags);
    if (const Block* o = single_block(d_, c, "plan_options", kWhere)) plan_options(*o);
    const Block* alternate = single_block(d_, c, "module", kWhere);
    TestRun run{alternate ? module(*alternate, b.labels[0]) : config_.root->module, std::nullopt};
    if (const Attribute* a = c.find("providers")) run.given = providers(*a);
    if (run.module) test_runs_.push_back(std::move(run));
    for (const CheckRule& r : check_rules(d_, c, "assert")) {
      std::vector<const Traversal*> used;
      syntax::collect_traversals(*r.condition, used);
      if (used.empty())
        d_.diags.error("Invalid condition",
                       "The condition refers to no object, so its result is always the same. It must refer "
                       "to at least one object of the configuration.",
                       r.condition->range);
    }
    check_override_blocks(d_, c, alternate ? nullptr : &config_);
  }

  // A keyword, which is never in quotes here.
  Symbol one_of(const Attribute* a, std::initializer_list<std::string_view> words) {
    if (!a) return {};
    const Symbol word = syntax::as_keyword(*a->expr);
    if (std::find(words.begin(), words.end(), word.sv()) != words.end()) return word;
    std::string list;
    for (std::string_view w : words) list += (list.empty() ? "" : " and ") + std::string(w);
    d_.diags.error("Invalid keyword",
                   "The argument " + in_quotes(a->name.sv()) + " must be one of the keywords " + list +
                       ", without quotes.",
                   a->expr->range);
    return {};
  }

  void plan_options(const Block& b) {
    static const BodySchema kSchema{{{"mode"}, {"refresh"}, {"replace"}, {"target"}}, {}};
    const Content c = syntax::decode(b.body, kSchema, d_.diags);
    for (std::string_view name : {"replace", "target"})
      if (const Attribute* a = c.find(name)) addresses(d_, *a);
    const Attribute* refresh = c.find("refresh");
    const bool refreshing = constant_bool(d_, refresh).value_or(true);
    if (one_of(c.find("mode"), {"normal", "refresh-only"}).sv() == "refresh-only" && !refreshing)
      d_.diags.error("Conflicting options",
                     "mode = refresh-only and refresh = false cannot be used together.", refresh->range);
  }

  void expect_failures(const Attribute& a) {
    for (const Traversal* t : addresses(d_, a)) {
      static constexpr std::string_view kOther[] = {"local", "module", "path", "terraform",
                                                    "count", "each",   "self", "run"};
      const std::string_view root = t->root.sv();
      if (std::find(std::begin(kOther), std::end(kOther), root) != std::end(kOther)) {
        d_.module.late.error("Invalid element of expect_failures",
                             "Only objects with conditions can be expected to fail: input variables, output "
                             "values, check blocks and resources.",
                             t->range);
      } else if (t->steps.empty() || !t->steps[0].is_attr) {
        d_.module.late.error(
            "Invalid reference",
            in_quotes(root) +
                " alone does not refer to an object; it must be followed by a period and a name.",
            t->range);
      }
    }
  }

  // What the module gets, by its names, from the configurations of this file.
  std::vector<ModuleCall::Passed> providers(const Attribute& a) {
    std::vector<ModuleCall::Passed> given;
    if (a.expr->kind != syntax::ExprKind::Object) {
      d_.diags.error(
          "Invalid expression",
          "The argument \"providers\" must be a map in braces, from the provider configurations of the "
          "module under test to those of this file.",
          a.expr->range);
      return given;
    }
    for (size_t i = 0; i + 1 < a.expr->items.size(); i += 2) {
      const std::optional<ProviderRef> child = provider_ref(d_, *a.expr->items[i], "providers");
      const std::optional<ProviderRef> own = provider_ref(d_, *a.expr->items[i + 1], "providers");
      if (!child || !own) continue;
      if (std::any_of(given.begin(), given.end(), [&](const ModuleCall::Passed& p) {
            return p.child.local_name == child->local_name && p.child.alias == child->alias;
          })) {
        d_.diags.error("Duplicate provider configuration",
                       "Each provider configuration of the module can be passed only once, but this one is "
                       "passed twice.",
                       a.expr->items[i]->range);
        continue;
      }
      given.push_back({*child, *own});
    }
    return given;
  }

  // What is declared in a local directory; what is wrong with it is reported when it is loaded to be judged.
  const Module* declared_in(const std::string& dir) {
    Diagnostics reported_later;
    std::vector<LayeredBody> layered;
    modules_.push_back(read_module(fs_, d_.sources, dir, layered, reported_later));
    return modules_.back().get();
  }

  // Null: its declarations are not at hand.
  const Module* module(const Block& b, Symbol run) {
    static const BodySchema kSchema{{{"source"}, {"version"}}, {}};
    const Content c = syntax::decode(b.body, kSchema, d_.diags);
    const Attribute* a = c.find("source");
    if (!a) {
      if (!c.is_meant("source")) missing_argument(d_, "source", "this \"module\" block", b.def_range);
      return nullptr;
    }
    const std::optional<std::string> text = constant_string(d_, a);
    const std::optional<std::string> version = constant_string(d_, c.find("version"));
    if (!text) return nullptr;
    const Result<ModuleSource> source = parse_module_source(*text);
    const bool local = source && source->kind == ModuleSource::Kind::Local;
    if (!source || (!local && source->kind != ModuleSource::Kind::Registry)) {
      d_.diags.error("Invalid module source",
                     "A run block can use only modules from local directories and registries; " +
                         in_quotes(*text) + " is neither.",
                     a->expr->range);
    } else if (local && c.find("version")) {
      d_.diags.error("Invalid module source",
                     "The argument \"version\" is only for modules from a registry; remove it.",
                     a->expr->range);
    } else if (local) {
      const std::string dir = join_path(root_dir_, *text);
      if (fs_.is_dir(dir)) return taken(run, dir);
      d_.diags.error("Module directory not found", "There is no directory " + in_quotes(dir) + ".",
                     b.def_range);
    } else {
      ModuleCall call;
      call.name = run, call.source = *text, call.version = version.value_or("");
      call.range = b.def_range, call.source_range = a->expr->range;
      const auto dir = installed_.directory_for(
          call, key_of(run), [&](std::string_view summary, std::string detail, Range where) {
            d_.diags.error(summary, std::move(detail), where);
          });
      if (dir) return taken(run, *dir);
    }
    return nullptr;
  }

  std::string key_of(Symbol run) const { return key_ + "." + std::string(run.sv()); }
  const Module* taken(Symbol run, const std::string& dir) {
    const bool known = std::any_of(suite_.modules.begin(), suite_.modules.end(),
                                   [&](const TestModule& m) { return m.dir == dir; });
    if (!known) suite_.modules.push_back({key_of(run), dir});
    return declared_in(dir);
  }

  Decode& d_;
  const Fs& fs_;
  const Config& config_;
  const std::string& root_dir_;
  const std::string key_;  // of the file; modules of its runs are installed below it
  InstalledModules& installed_;
  TestSuite& suite_;
  std::unordered_map<Symbol, Range> runs_;
  std::vector<TestRun> test_runs_;
  std::vector<std::unique_ptr<Module>> modules_;  // of these runs
};

}  // namespace

TestSuite read_test_files(const Fs& fs, SourceTable& sources, const Config& config,
                          const std::string& root_dir, const std::string& test_dir,
                          const std::string& data_dir, Diagnostics& diags) {
  static const BodySchema kSchema = with_overrides(
      {{}, {{"variables", {}}, {"provider", {"name"}}, {"mock_provider", {"name"}}, {"run", {"name"}}}});
  TestSuite suite;
  InstalledModules installed(fs, data_dir, diags);
  for (const FoundFile& found : find_files(fs, root_dir, test_dir)) {
    suite.files.push_back(std::make_unique<Module>());
    Module& m = *suite.files.back();
    Result<std::string> text = fs.read(found.path);
    if (!text) {
      diags.error("Unreadable test file", "The test file cannot be read: " + text.error().message + ".");
      continue;
    }
    m.files.push_back(syntax::parse_file(sources, found.path, std::move(*text), diags));
    std::vector<LayeredBody> layered;
    Decode d{m, sources, diags, layered};
    TestFile(d, fs, config, root_dir, found.key, installed, suite)
        .decode(keep(m, syntax::decode(m.files[0]->body, kSchema, diags)));
  }
  return suite;
}

std::vector<TestModuleCall> test_module_calls(const Fs& fs, SourceTable& sources, const std::string& root_dir,
                                              const std::string& test_dir) {
  std::vector<TestModuleCall> calls;
  Diagnostics ignored;
  for (const FoundFile& found : find_files(fs, root_dir, test_dir)) {
    Result<std::string> text = fs.read(found.path);
    if (!text) continue;
    Module m;
    std::vector<LayeredBody> layered;
    Decode d{m, sources, ignored, layered};
    m.files.push_back(syntax::parse_file(sources, found.path, std::move(*text), ignored));
    static const BodySchema kRuns{{}, {{"run", {"name"}}}}, kModule{{}, {{"module", {}}}},
        kSource{{{"source"}, {"version"}}, {}};
    auto part = [&](const syntax::Body& body, const BodySchema& schema) {
      return syntax::decode_partial(body, schema, nullptr, ignored);
    };
    const Content runs = part(m.files[0]->body, kRuns);
    for (const Block& run : runs.blocks) {
      if (run.labels.empty()) continue;
      const Content modules = part(run.body, kModule);
      for (const Block& b : modules.blocks) {
        const Content c = part(b.body, kSource);
        const Attribute* source = c.find("source");
        TestModuleCall call{found.key, {}};
        call.call.name = run.labels[0];
        call.call.source = constant_string(d, source).value_or("");
        call.call.version = constant_string(d, c.find("version")).value_or("");
        call.call.range = b.def_range;
        if (source) call.call.source_range = source->expr->range;
        const Result<ModuleSource> from = parse_module_source(call.call.source);
        if (from && (from->kind == ModuleSource::Kind::Local || from->kind == ModuleSource::Kind::Registry))
          calls.push_back(std::move(call));
      }
    }
  }
  return calls;
}

}  // namespace xplan::config
