// Reading a backend block and -backend-config by the schema of their kind, and choosing the backend in use.
#include "core/backend/configured.h"

#include <fmt/format.h>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/config/dialect.h"
#include "core/config/early.h"
#include "core/schema/decode.h"

namespace xplan::backend {
namespace {

// OpenTofu's additions are errors in the other dialect.
bool is_allowed(const Settings& s, std::string_view name, Range where, Diagnostics& diags) {
  return !find_kind(s.kind)->is_addition(name) ||
         config::allows_addition(fmt::format("The argument \"{}\" of the backend \"{}\"", name, s.kind),
                                 where, diags);
}

// What a body says. Settings that it does not mention stay as they are.
void add_body(const syntax::File& file, const syntax::Rest& body, Settings& s, const eval::Scope& scope,
              Diagnostics& diags) {
  const schema::Block& schema = find_kind(s.kind)->schema();
  const size_t errors = diags.error_count();
  const syntax::Content content = schema::take_apart(body, schema, diags);
  const Value said = schema::decode(content, schema, scope, diags);
  if (!content.attributes.empty()) syntax::take_late(file, diags);
  if (diags.error_count() != errors) return;
  auto take = [&](Symbol name, Range where) {
    const Value& v = *said.find_attr(name.sv());
    if (!v.is_null() && !is_allowed(s, name.sv(), where, diags)) return;
    if (v.deep_marks() & kEphemeral)
      diags.error("Invalid backend configuration argument",
                  fmt::format("The argument \"{}\" is derived from an ephemeral value, but the settings of a "
                              "backend are recorded in the working directory and in plan files. Use "
                              "environment variables of the backend for secrets.",
                              name.sv()),
                  where);
    if (v.deep_marks() & kSensitive)
      diags.warn(
          "Sensitive value in the backend configuration",
          fmt::format("The argument \"{}\" is derived from a sensitive value, which is recorded as plain "
                      "text in the working directory and in plan files. Use environment variables of "
                      "the backend for secrets.",
                      name.sv()),
          where);
    if (!v.unmark_deep().is_wholly_known())
      diags.error(
          "Invalid backend configuration argument",
          fmt::format("The argument \"{}\" has a value that is known only after apply, but a backend is "
                      "needed before anything is planned. Use a value that is set in the configuration.",
                      name.sv()),
          where);
    else
      set(s, name.sv(), v.unmark_deep());
  };
  for (const syntax::Attribute& a : content.attributes) take(a.name, a.expr->range);
  for (const syntax::Block& b : content.blocks) take(b.type, b.def_range);
}

// What -backend-config gives for an argument: of a primitive type, the text just as it is; of any other type,
// an expression. Nothing after an error.
std::optional<Value> given_value(std::string_view name, std::string_view text, const Settings& s,
                                 SourceTable& sources, Diagnostics& diags) {
  const Type shape = s.type();
  const int at = shape.find_attr(Symbol(name));
  if (at < 0 || shape.elements()[static_cast<size_t>(at)].is_primitive()) return Value::string(text);
  const syntax::Expr* e = nullptr;
  const size_t errors = diags.error_count();
  const auto file = syntax::parse_expression(sources, fmt::format("<value for -backend-config={}>", name),
                                             std::string(text), e, diags);
  if (diags.error_count() != errors) return std::nullopt;
  Value out = eval::evaluate_constant(*e, diags);
  return diags.error_count() == errors ? std::optional(std::move(out)) : std::nullopt;
}

void add_pair(std::string_view name, std::string_view text, SourceTable& sources, Settings& s,
              Diagnostics& diags) {
  constexpr std::string_view kSummary = "Invalid backend configuration argument";
  const std::optional<Value> value = given_value(name, text, s, sources, diags);
  if (!value || !is_allowed(s, name, {}, diags)) return;
  const std::optional<NotSet> failed = set(s, name, *value);
  if (!failed) return;
  diags.error(kSummary,
              failed->arguments.empty()
                  ? fmt::format("The value of \"{}\" given with -backend-config is not suitable: {}.", name,
                                failed->reason)
                  : fmt::format("The backend \"{}\" has no argument \"{}\", which is given with "
                                "-backend-config. {}",
                                s.kind, name,
                                failed->near.empty() ? "Its arguments are " + failed->arguments + "."
                                                     : "Did you mean \"" + failed->near + "\"?"));
}

// What is recorded of a variable; see BlockVariables.
std::optional<std::string> recorded_text(const Value& v) {
  if (v.deep_marks() || !v.is_known() || v.is_null() || !v.type().is_primitive()) return std::nullopt;
  if (v.kind() == xplan::Kind::Str) return std::string(v.as_string());
  return v.kind() == xplan::Kind::Bool ? std::string(v.as_bool() ? "true" : "false") : v.as_number().text();
}

// `also`: paragraphs that follow the reason.
std::nullopt_t needs_init(std::string_view reason, bool has_states, Diagnostics& diags,
                          const std::string& also = "") {
  diags.error(
      "Backend initialization required",
      has_states ? fmt::format(
                       "{0}{2}The backend determines which state is used, so it can only be changed by "
                       "initializing the working directory. To move the states to the new location, run:\n"
                       "  {1} init -migrate-state\n\nTo continue without them, run:\n  {1} init -reconfigure",
                       reason, program_name(), also.empty() ? " " : " " + also + "\n\n")
                 : fmt::format("{} The backend determines which state is used, so it can only be changed by "
                               "initializing the working directory. Run:\n  {} init",
                               reason, program_name()));
  return std::nullopt;
}

}  // namespace

std::optional<BlockSettings> block_settings(const config::Config& c, Diagnostics& diags) {
  const std::optional<config::Backend>& block = c.root->module->backend;
  if (!block) return std::nullopt;
  if (!block->cloud && !find_type(block->type.sv())) {
    diags.error("Unsupported backend type", unsupported(block->type.sv()).sentence(), block->range);
    return std::nullopt;
  }
  const size_t errors = diags.error_count();
  BlockSettings out{no_settings(block->type.sv()), {}};
  if (!config::has_additions() || !c.early) {
    add_body(*block->body.body->file, block->body, out.settings, eval::constants(), diags);
  } else {
    const auto scope = c.early->scope("the backend block", "is needed before the state is read",
                                      config::Workspace::ComesLater);
    add_body(*block->body.body->file, block->body, out.settings, *scope, diags);
    for (Symbol name : scope->used_variables())
      if (const config::VariableValues* values = c.early->values(diags)) {
        const auto value = values->find(name);
        out.variables[std::string(name.sv())] =
            value == values->end() ? std::nullopt : recorded_text(value->second);
      }
  }
  return diags.error_count() == errors ? std::optional(std::move(out)) : std::nullopt;
}

std::string changed_variables(const BlockVariables& now, const BlockVariables& recorded) {
  std::string names, options;
  size_t changed = 0;
  auto text = [](const std::optional<std::string>& v) {
    return v ? syntax::quote(*v) : std::string("not recorded");
  };
  for (const auto& [name, value] : now) {
    const auto was = recorded.find(name);
    if (was != recorded.end() && value && was->second == value) continue;
    ++changed;
    names += fmt::format("\n  - var.{}", name);
    if (was != recorded.end() && was->second)
      names += fmt::format(", which was {} when this working directory was initialized, and is {} now",
                           text(was->second), value ? text(value) : "different");
    if (was != recorded.end() && was->second)
      options += " " + shell_word(fmt::format("-var={}={}", name, *was->second));
  }
  if (changed == 0) return "";
  return fmt::format(
      "It depends on the value{} of:{}\n\nTo use the same states as before, set {} as before{}.",
      changed == 1 ? "" : "s", names, changed == 1 ? "it" : "them",
      options.empty() ? "" : ", for example with" + options);
}

void add_given(const std::vector<std::string>& given, SourceTable& sources, const std::atomic<bool>* stop,
               Settings& settings, Diagnostics& diags) {
  for (const std::string& g : given) {
    if (g.empty()) continue;
    if (size_t eq = g.find('='); eq != std::string::npos) {
      std::string name = g.substr(0, eq);
      name.erase(name.find_last_not_of(' ') + 1);
      add_pair(name, std::string_view(g).substr(eq + 1), sources, settings, diags);
      continue;
    }
    auto text = read_given(g, stop);
    if (!text) {
      diags.error(
          "Failed to read file",
          fmt::format(
              "-backend-config={0} has no equals sign, so \"{0}\" is read as a file of arguments. {1}", g,
              text.error().sentence()));
      continue;
    }
    auto file = syntax::parse_file(sources, g, std::move(*text), diags);
    add_body(*file, syntax::Rest{&file->body, {}, {}}, settings, eval::constants(), diags);
  }
}

bool read_record(const std::string& data_dir, std::optional<Record>& out, Diagnostics& diags) {
  auto r = read_record(data_dir);
  if (r)
    out = std::move(*r);
  else
    diags.error("Failed to read the backend record",
                r.error().sentence() + " Delete it and run " + own_command("init") + " again.");
  return r.ok();
}

namespace {

// Of the argument that the problem begins with, if the block is what has set it; else of the block.
Range range_of(const std::string& problem, const Settings& settings, const config::Config& c) {
  const std::optional<config::Backend>& block = c.root->module->backend;
  if (!block) return {};
  const size_t from = problem.find('"') + 1, to = problem.find_first_of(".\"", from);
  const std::string_view begin = std::string_view(problem).substr(0, from);
  if (to == problem.npos || (begin != "the argument \"" && begin != "the arguments \"")) return block->range;
  const std::string_view name = std::string_view(problem).substr(from, to - from);
  Diagnostics ignored;
  const std::optional<BlockSettings> said = block_settings(c, ignored);
  const Value* here = said ? said->settings.values.find_attr(name) : nullptr;
  const Value* used = settings.values.find_attr(name);
  if (!here || !used || here->is_null() || !here->raw_equal(*used)) return block->range;
  for (const syntax::Attribute& a : syntax::just_attributes(block->body, ignored))
    if (a.name.sv() == name) return a.range;
  return block->range;
}

}  // namespace

std::unique_ptr<Backend> open(const Settings& settings, const Opening& opening, Diagnostics& diags,
                              const config::Config* c) {
  Result<std::unique_ptr<Backend>> b = open(settings, opening);
  if (b) return std::move(*b);
  diags.error("Invalid backend configuration", b.error().sentence(),
              c ? range_of(b.error().message, settings, *c) : Range{});
  return nullptr;
}

std::optional<Settings> settings_in_use(const config::Config& c, const std::string& data_dir,
                                        Diagnostics& diags) {
  std::optional<Record> record;
  const size_t errors = diags.error_count();
  Diagnostics found;  // init tells of warnings
  const std::optional<BlockSettings> block = block_settings(c, found);
  for (const Diagnostic& d : found.all())
    if (d.severity == Severity::Error) diags.add(d);
  if (diags.error_count() != errors || !read_record(data_dir, record, diags)) return std::nullopt;
  if (record && !find_kind(record->settings.kind))
    return needs_init(
        fmt::format("This working directory was initialized for the backend \"{}\".", record->settings.kind),
        false, diags);
  if (!block && c.root->module->syntax_errors) {  // nobody can tell what the block would say
  } else if (block && !record) {
    return needs_init(fmt::format("The configuration uses the backend \"{}\", which is not initialized yet.",
                                  block->settings.kind),
                      false, diags);
  } else if (!block && record) {
    return needs_init(
        "The configuration no longer has the backend block that this working directory was "
        "initialized with.",
        true, diags);
  } else if (block && block->settings.hash() != record->block_hash &&
             !(block->settings == record->settings)) {
    const std::string why = changed_variables(block->variables, record->variables);
    return needs_init("The backend block of the configuration has changed.", true, diags, why);
  }
  return record ? record->settings : no_settings();
}

Configured configured(const config::Config* c, const Opening& opening, Diagnostics& diags) {
  std::optional<Settings> settings = c ? settings_in_use(*c, opening.data_dir, diags) : no_settings();
  if (!settings) return {no_settings(), nullptr};
  std::unique_ptr<Backend> backend = open(*settings, opening, diags, c);
  return {std::move(*settings), std::move(backend)};
}

}  // namespace xplan::backend
