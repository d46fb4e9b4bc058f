// Reads one module directory: which files belong to it, parsing each, and sorting blocks (with their
// override layers) by what they declare. The blocks are decoded by decode_*.cc.
#include "core/config/module_files.h"
#include "core/config/dialect.h"
#include "core/config/newer_blocks.h"
#include "core/eval/eval.h"

#include <algorithm>
#include <set>

namespace xplan::config {

using syntax::Block;
using syntax::BodySchema;
using syntax::Content;
using syntax::File;

namespace {

bool ends_with(std::string_view s, std::string_view end) {
  return s.ends_with(end) && s.size() > end.size();
}

// OpenTofu's files, and those that they hide.
struct TofuForm {
  std::string_view tofu, plain;
};
constexpr TofuForm kTofuForms[] = {{".tofu", ".tf"},
                                   {".tofu.json", ".tf.json"},
                                   {".tofutest.hcl", ".tftest.hcl"},
                                   {".tofutest.json", ".tftest.json"},
                                   {".tofumock.hcl", ".tfmock.hcl"},
                                   {".tofumock.json", ".tfmock.json"}};
const TofuForm* form_of(const std::string& name) {
  for (const TofuForm& f : kTofuForms)
    if (ends_with(name, f.tofu)) return &f;
  return nullptr;
}
std::string shortened(const std::string& name, std::string_view ending) {
  return name.substr(0, name.size() - ending.size());
}

const BodySchema& root_schema() {
  static const BodySchema s{{},
                            {{"terraform", {}},
                             {"language", {}},
                             {"required_providers", {}},  // only for a better message
                             {"provider", {"name"}},
                             {"variable", {"name"}},
                             {"locals", {}},
                             {"output", {"name"}},
                             {"module", {"name"}},
                             {"resource", {"type", "name"}},
                             {"data", {"type", "name"}},
                             {"ephemeral", {"type", "name"}},
                             {"moved", {}},
                             {"removed", {}},
                             {"import", {}},
                             {"check", {"name"}}},
                            newer_blocks(BlockPlace::File)};
  return s;
}

// Collects the layers of everything that has a name, in source order.
class Sorter {
 public:
  Sorter(Decode& d) : d_(d) {}

  void add_primary(const Block& b) {
    const std::string_view type = b.type.sv();
    if (type == "required_providers") {
      d_.diags.error(
          "Misplaced required_providers block",
          "A required_providers block belongs inside a terraform block. Put terraform { … } around it.",
          b.def_range);
      return;
    }
    if (type == "terraform" || type == "language" || type == "locals" || type == "moved" ||
        type == "removed" || type == "import" || type == "check") {
      plain_.push_back(&b);
      return;
    }
    if (type == "provider") {  // uniqueness depends on the alias, which is inside
      providers_.push_back(Layers{{&b}});
      return;
    }
    auto [it, fresh] = index_.emplace(key(b), layers_.size());
    if (fresh) {
      layers_.push_back(Layers{{&b}});
      return;
    }
    d_.diags.error(type == "resource" || type == "data" || type == "ephemeral" ? "Duplicate resource"
                                                                               : "Duplicate declaration",
                   describe(b) + " is already declared at " +
                       place(d_.sources, layers_[it->second].base().def_range) + ". " +
                       (b.labels.size() == 2 ? "A resource name must be unique for its type in a module."
                                             : "The names must be unique in a module."),
                   b.def_range);
  }

  void add_override(const Block& b) {
    const std::string_view type = b.type.sv();
    if (type == "terraform" || type == "locals") {
      override_plain_.push_back(&b);
      return;
    }
    if (type == "moved" || type == "removed" || type == "import" || type == "check" ||
        type == "required_providers" || type == "language") {
      d_.diags.error("Unsupported override",
                     "An override file changes what other files declare, but a block of type " +
                         in_quotes(type) + " cannot be changed. Put the block in another file.",
                     b.def_range);
      return;
    }
    if (type == "provider") {
      override_provider(b);
      return;
    }
    auto it = index_.find(key(b));
    if (it == index_.end()) {
      d_.diags.error("Nothing to override",
                     "No other file declares " + describe_lower(b) +
                         ". An override file can only change what another file declares.",
                     b.def_range);
      return;
    }
    layers_[it->second].blocks.push_back(&b);
  }

  void decode() {
    for (const Block* b : plain_) {
      if (b->type.sv() == "terraform") decode_terraform(d_, *b, false);
      if (b->type.sv() == "language") decode_language(d_, *b);
      if (b->type.sv() == "locals") decode_locals(d_, *b, false);
    }
    for (const Block* b : override_plain_) {
      if (b->type.sv() == "terraform") decode_terraform(d_, *b, true);
      if (b->type.sv() == "locals") decode_locals(d_, *b, true);
    }
    check_required_versions(d_);
    for (const Layers& l : providers_) decode_provider(d_, l);
    for (const Layers& l : layers_) {
      const std::string_view type = l.base().type.sv();
      if (type == "variable")
        decode_variable(d_, l);
      else if (type == "output")
        decode_output(d_, l);
      else if (type == "module")
        decode_module_call(d_, l);
      else
        decode_resource(d_, l,
                        type == "data"        ? Mode::Data
                        : type == "ephemeral" ? Mode::Ephemeral
                                              : Mode::Managed);
    }
    for (const Block* b : plain_) {
      const std::string_view type = b->type.sv();
      if (type == "moved")
        decode_moved(d_, *b);
      else if (type == "removed")
        decode_removed(d_, *b);
      else if (type == "import")
        decode_import(d_, *b);
      else if (type == "check")
        decode_check_once(*b);
    }
  }

 private:
  static std::string key(const Block& b) {
    std::string k(b.type.sv());
    for (Symbol label : b.labels) {
      k += '\0';
      k += label.sv();
    }
    return k;
  }

  static std::string describe_lower(const Block& b) {
    const std::string_view type = b.type.sv();
    if (type == "variable") return "an input variable " + in_quotes(b.labels[0].sv());
    if (type == "output") return "an output value " + in_quotes(b.labels[0].sv());
    if (type == "module") return "a module call " + in_quotes(b.labels[0].sv());
    const Mode mode = type == "data" ? Mode::Data : type == "ephemeral" ? Mode::Ephemeral : Mode::Managed;
    return xplan::Resource{mode, b.labels[0], b.labels[1]}.text();
  }
  static std::string describe(const Block& b) {
    std::string s = describe_lower(b);
    if (s.starts_with("a") && b.labels.size() == 1) s[0] = 'A';
    return s;
  }

  void decode_check_once(const Block& b) {
    auto it = d_.module.index.checks.find(b.labels[0]);
    if (it != d_.module.index.checks.end()) {
      d_.diags.error("Duplicate declaration",
                     "A check " + in_quotes(b.labels[0].sv()) + " is already declared at " +
                         place(d_.sources, d_.module.checks[it->second].range) +
                         ". The names must be unique in a module.",
                     b.def_range);
      return;
    }
    decode_check(d_, b);
  }

  // The alias decides which configuration is meant. A default configuration may be made by an override file.
  void override_provider(const Block& b) {
    auto alias_of = [](const Block& block) {
      static const BodySchema kAlias{{{"alias"}}, {}};
      Diagnostics ignored;
      syntax::Rest rest;
      const Content c = syntax::decode_partial(block.body, kAlias, &rest, ignored);
      const syntax::Attribute* a = c.find("alias");
      if (!a) return std::string();
      Value v = eval::evaluate_constant(*a->expr, ignored);
      return v.is_string() ? std::string(v.as_string()) : std::string();
    };
    const std::string alias = alias_of(b);
    for (Layers& l : providers_) {
      if (l.base().labels == b.labels && alias_of(l.base()) == alias) {
        l.blocks.push_back(&b);
        return;
      }
    }
    if (alias.empty()) {
      providers_.push_back(Layers{{&b}});
      return;
    }
    d_.diags.error("Nothing to override",
                   "No other file declares a configuration of provider " + in_quotes(b.labels[0].sv()) +
                       " with the alias " + in_quotes(alias) +
                       ". An override file can only change what another file declares.",
                   b.def_range);
  }

  Decode& d_;
  std::vector<Layers> layers_, providers_;
  std::unordered_map<std::string, size_t> index_;
  std::vector<const Block*> plain_, override_plain_;
};

}  // namespace

std::vector<std::string> files_that_count(const std::vector<std::string>& names) {
  const bool tofu_files = dialect() == Dialect::OpenTofu;
  std::set<std::string> hidden;
  std::vector<std::string> out;
  auto is_copy = [](const std::string& name) {  // hidden, or made by an editor
    return name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'));
  };
  for (const std::string& name : names)
    if (const TofuForm* f = form_of(name); tofu_files && f && !is_copy(name))
      hidden.insert(shortened(name, f->tofu) + std::string(f->plain));
  for (const std::string& name : names)
    if (!hidden.count(name) && !is_copy(name) && (tofu_files || !form_of(name))) out.push_back(name);
  return out;
}

DirectoryFiles classify(const std::vector<std::string>& names) {
  DirectoryFiles out;
  for (const std::string& name : files_that_count(names)) {
    std::string base;
    for (std::string_view ending : {".tf.json", ".tf", ".tofu.json", ".tofu"})
      if (ends_with(name, ending) && base.empty()) base = shortened(name, ending);
    if (base.empty()) continue;
    (base == "override" || base.ends_with("_override") ? out.overrides : out.primary).push_back(name);
  }
  std::sort(out.primary.begin(), out.primary.end());
  std::sort(out.overrides.begin(), out.overrides.end());
  return out;
}

std::unique_ptr<Module> read_module(const Fs& fs, SourceTable& sources, const std::string& dir,
                                    std::vector<LayeredBody>& layered, Diagnostics& diags) {
  auto module = std::make_unique<Module>();
  module->dir = dir;
  Result<std::vector<std::string>> names = fs.list(dir);
  if (!names) {
    diags.error("Unreadable configuration directory",
                "The module directory cannot be read: " + names.error().message + ".");
    return module;
  }
  Decode d{*module, sources, diags, layered};
  Sorter sorter(d);
  const DirectoryFiles files = classify(*names);
  auto read = [&](const std::string& name, bool is_override) {
    const std::string path = join_path(dir, name);
    Result<std::string> text = fs.read(path);
    if (!text) {
      module->syntax_errors = true;
      diags.error("Unreadable configuration file",
                  "The configuration file cannot be read: " + text.error().message + ".");
      return;
    }
    const size_t before = diags.error_count();
    std::unique_ptr<File> file = syntax::parse_file(sources, path, std::move(*text), diags);
    module->syntax_errors |= diags.error_count() > before;
    const Content& content = keep(*module, syntax::decode(file->body, root_schema(), diags));
    module->files.push_back(std::move(file));
    for (const Block& b : content.blocks) {
      if (is_override)
        sorter.add_override(b);
      else
        sorter.add_primary(b);
    }
  };
  for (const std::string& name : files.primary) read(name, false);
  for (const std::string& name : files.overrides) read(name, true);
  sorter.decode();
  return module;
}

}  // namespace xplan::config
