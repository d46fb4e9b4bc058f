// Decodes and validates test files (*.tftest.hcl, *.tftest.json): run blocks, variables, providers and
// assertions. Tests are not run here.
#include "core/config/test_files.h"

#include <algorithm>
#include <unordered_set>

#include "core/config/installed_modules.h"
#include "core/config/module_files.h"
#include "core/config/module_source.h"
#include "core/config/test_overrides.h"
#include "core/config/test_providers.h"
#include "core/config/test_runs.h"
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
  bool in_test_dir;
};

// In the root directory and then in that of tests, by name.
std::vector<FoundFile> find_files(const Fs& fs, const std::string& root_dir, const std::string& test_dir) {
  std::vector<FoundFile> out;
  for (const std::string& folder : {std::string(), test_dir}) {
    const std::string dir = folder.empty() ? root_dir : join_path(root_dir, folder);
    if (!folder.empty() && clean_path(dir) == clean_path(root_dir)) continue;
    Result<std::vector<std::string>> names = fs.list(dir);
    if (!names) continue;
    std::vector<std::string> counting = files_that_count(*names);
    std::sort(counting.begin(), counting.end());
    for (const std::string& name : counting) {
      const size_t end = std::min(name.find(".tftest."), name.find(".tofutest."));
      if (end == name.npos || !(name.ends_with("test.hcl") || name.ends_with("test.json"))) continue;
      std::string key = "test." + (folder.empty() ? "" : folder + "/") + name.substr(0, end);
      std::replace(key.begin(), key.end(), '/', '.');
      out.push_back({join_path(dir, name), std::move(key), !folder.empty()});
    }
  }
  return out;
}

class FileDecoder {
 public:
  FileDecoder(Decode& d, const TestPlace& place, const Config& config, std::string key, TestFile& out)
      : d_(d),
        place_(place),
        config_(config),
        key_(std::move(key)),
        installed_(place.fs, place.data_dir, d.diags),
        out_(out) {}

  void decode(const Content& c) {
    single_block(d_, c, "variables", "this test file");
    if (const Block* b = single_block(d_, c, "test", "this test file")) for_all_runs(*b);
    for (const Block& b : c.blocks) {
      const std::string_view type = b.type.sv();
      if (type == "variable")
        variable(b);
      else if (type == "variables")
        out_.variables = syntax::just_attributes(b.body, d_.diags);
      else if (type == "provider")
        provider(b);
      else if (type == "mock_provider")
        out_.mocks.push_back(decode_mock_provider(d_, place_.fs, place_.root_dir, b, config_));
      else if (type == "run")
        run(b);
    }
    out_.overrides = decode_overrides(d_, c, MadeUp::Apply, &config_);
    settle_test_providers(d_.module, *config_.root->module, test_runs_, d_.diags);
  }

 private:
  void for_all_runs(const Block& b) {
    static const BodySchema kSchema{{{"parallel"}}, {}};
    const Content c = syntax::decode(b.body, kSchema, d_.diags);
    parallel_ = constant_bool(d_, c.find("parallel")).value_or(false);
  }

  // What the tests of the file can be given, besides the variables of the configuration.
  void variable(const Block& b) {
    const int same = d_.module.find_variable(b.labels[0]);
    if (same >= 0) {
      d_.diags.error("Duplicate declaration",
                     "An input variable " + in_quotes(b.labels[0].sv()) + " is already declared at " +
                         place(d_.sources, d_.module.variables[static_cast<size_t>(same)].range) +
                         ". The names must be unique in a file.",
                     b.def_range);
      return;
    }
    decode_variable(d_, Layers{{&b}});
    for (const CheckRule& rule : d_.module.variables.back().validations)
      d_.diags.error("Validation in a test file",
                     "The value of a variable that a test file declares is not validated. Put the rule into "
                     "the configuration, or make it an assertion of a run block.",
                     rule.range);
  }

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
    const Content& c = keep(d_.module, syntax::decode(b.body, test_run_schema(), d_.diags));
    check_name(d_, b.labels[0], b.label_ranges[0], "a run block");
    if (auto [it, fresh] = runs_.emplace(b.labels[0], b.def_range); !fresh) {
      d_.diags.error("Duplicate declaration",
                     "A run block " + in_quotes(b.labels[0].sv()) + " is already declared at " +
                         place(d_.sources, it->second) + ". The names must be unique in a file.",
                     b.def_range);
    }
    TestRunBlock& out = out_.runs.emplace_back();
    out.name = b.labels[0], out.range = b.def_range;
    decode_test_run(d_, c, parallel_, out);
    const Block* alternate = single_block(d_, c, "module", "this \"run\" block");
    TestRun run{alternate ? module(*alternate, out) : config_.root->module, out.providers};
    if (run.module) test_runs_.push_back(std::move(run));
    out.overrides = decode_overrides(d_, c, MadeUp::Apply, alternate ? nullptr : &config_);
  }

  // What is declared in a local directory; what is wrong with it is reported when it is loaded to be judged.
  const Module* declared_in(const std::string& dir) {
    Diagnostics reported_later;
    std::vector<LayeredBody> layered;
    modules_.push_back(read_module(place_.fs, d_.sources, dir, layered, reported_later));
    return modules_.back().get();
  }

  // Null: its declarations are not at hand.
  const Module* module(const Block& b, TestRunBlock& run) {
    static const BodySchema kSchema{{{"source"}, {"version"}}, {}};
    run.module_range = b.def_range;
    const Content c = syntax::decode(b.body, kSchema, d_.diags);
    const Attribute* a = c.find("source");
    if (!a) {
      if (!c.is_meant("source")) missing_argument(d_, "source", "this \"module\" block", b.def_range);
      return nullptr;
    }
    const std::optional<std::string> text = constant_string(d_, a);
    const std::optional<std::string> version = constant_string(d_, c.find("version"));
    if (!text) return nullptr;
    run.source = *text;
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
      const std::string dir = join_path(place_.root_dir, *text);
      if (place_.fs.is_dir(dir)) return taken(run, dir);
      d_.diags.error("Module directory not found", "There is no directory " + in_quotes(dir) + ".",
                     b.def_range);
    } else {
      ModuleCall call;
      call.name = run.name, call.source = *text, call.version = version.value_or("");
      call.range = b.def_range, call.source_range = a->expr->range;
      const auto dir =
          installed_.directory_for(call, {call.source, call.version}, key_of(run.name),
                                   [&](std::string_view summary, std::string detail, Range where) {
                                     d_.diags.error(summary, std::move(detail), where);
                                   });
      if (dir) return taken(run, *dir);
    }
    return nullptr;
  }

  std::string key_of(Symbol run) const { return key_ + "." + std::string(run.sv()); }
  const Module* taken(TestRunBlock& run, const std::string& dir) {
    run.module = TestModule{key_of(run.name), dir};
    return declared_in(dir);
  }

  Decode& d_;
  const TestPlace& place_;
  const Config& config_;
  const std::string key_;  // of the file; modules of its runs are installed below it
  InstalledModules installed_;
  TestFile& out_;
  bool parallel_ = false;  // where a run does not say
  std::unordered_map<Symbol, Range> runs_;
  std::vector<TestRun> test_runs_;
  std::vector<std::unique_ptr<Module>> modules_;  // of these runs
};

}  // namespace

namespace {

TestFile decode_file(const TestPlace& place, SourceTable& sources, const Config& config,
                     const FoundFile& found, Diagnostics& diags) {
  static const BodySchema kSchema = with_overrides({{},
                                                    {{"test", {}},
                                                     {"variables", {}},
                                                     {"variable", {"name"}},
                                                     {"provider", {"name"}},
                                                     {"mock_provider", {"name"}},
                                                     {"run", {"name"}}}});
  TestFile out;
  out.path = found.path, out.in_test_dir = found.in_test_dir;
  Result<std::string> text = place.fs.read(found.path);
  if (!text) {
    diags.error("Unreadable test file", "The test file cannot be read: " + text.error().message + ".");
    return out;
  }
  Module& m = *out.module;
  m.files.push_back(syntax::parse_file(sources, found.path, std::move(*text), diags));
  std::vector<LayeredBody> layered;
  Decode d{m, sources, diags, layered};
  FileDecoder(d, place, config, found.key, out)
      .decode(keep(m, syntax::decode(m.files[0]->body, kSchema, diags)));
  return out;
}

}  // namespace

std::unique_ptr<TestSuite> read_test_files(const TestPlace& place, SourceTable& sources, const Config& config,
                                           Diagnostics& diags) {
  auto suite = std::make_unique<TestSuite>();
  std::unordered_set<std::string> known;
  for (const FoundFile& found : find_files(place.fs, place.root_dir, place.test_dir)) {
    suite->files.push_back(decode_file(place, sources, config, found, diags));
    for (const TestRunBlock& r : suite->files.back().runs)
      if (r.module && known.insert(r.module->dir).second) suite->modules.push_back(*r.module);
  }
  return suite;
}

TestFile read_test_file(const TestPlace& place, SourceTable& sources, const Config& config,
                        const std::string& path, Diagnostics& diags) {
  for (const FoundFile& found : find_files(place.fs, place.root_dir, place.test_dir))
    if (found.path == path) return decode_file(place, sources, config, found, diags);
  return {};
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
