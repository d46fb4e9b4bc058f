// Collects root module variables from the environment, tfvars files and options in order of precedence,
// parses their text, and checks and converts each value to its variable's type.
#include "core/config/inputs.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/eval/eval.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::File;

namespace {

class Collector {
 public:
  Collector(const Fs& fs, SourceTable& sources, const Module& root, Diagnostics& diags)
      : fs_(fs), sources_(sources), root_(root), diags_(diags) {}

  InputValues run(const InputOptions& o) {
    any_name_ = o.any_name;
    for (auto& [name, value] : o.environment) {
      constexpr std::string_view kPrefix = "TF_VAR_";
      if (!name.starts_with(kPrefix)) continue;
      const Symbol variable(std::string_view(name).substr(kPrefix.size()));
      if (const Variable* v = find(variable)) {
        set(variable,
            text_value(*v, value, InputValue::From::Environment, "the environment variable " + name));
      }
    }
    for (std::string_view name : {"terraform.tfvars", "terraform.tfvars.json"}) {
      const std::string path = join_path(o.dir, name);
      if (fs_.exists(path)) file(path, InputValue::From::File, fs_.read(path));
    }
    if (Result<std::vector<std::string>> names = fs_.list(o.dir)) {
      for (const std::string& name : *names) {
        if (name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json")) {
          const std::string path = join_path(o.dir, name);
          file(path, InputValue::From::AutoFile, fs_.read(path));
        }
      }
    }
    for (const VariableOption& option : o.options) {
      if (option.is_file)
        file(option.text, InputValue::From::OptionFile,
             o.read_given ? o.read_given(option.text) : fs_.read(option.text));
      else
        assignment(option.text);
    }
    if (incomplete_) take_as_given();
    return std::move(values_);
  }

 private:
  const Variable* find(Symbol name) const {
    static const Variable kOfAnyType{};
    const int i = root_.find_variable(name);
    return i >= 0 ? &root_.variables[static_cast<size_t>(i)] : any_name_ ? &kOfAnyType : nullptr;
  }
  void set(Symbol name, InputValue v) { values_.insert_or_assign(name, std::move(v)); }

  // A source that is wrong, which is reported, is likely to be where the value of this variable is.
  void take_as_given(const Variable& v) {
    values_.try_emplace(v.name, InputValue{Value::unknown(), {}, InputValue::From::File, {}});
  }
  void take_as_given() {
    for (const Variable& v : root_.variables)
      if (v.required()) take_as_given(v);
  }
  void take_as_given(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Variable& v : root_.variables) names.push_back(v.name.sv());
    const std::string_view near = did_you_mean(name, names);
    if (const Variable* v = find(Symbol(near.empty() ? name : near)); v && v->required()) take_as_given(*v);
  }

  InputValue text_value(const Variable& v, const std::string& text, InputValue::From from,
                        std::string origin) {
    return {parse_input_text(sources_, v, text, diags_), {}, from, std::move(origin)};
  }

  std::string declare_hint(Symbol name) {
    std::vector<std::string_view> names;
    for (const Variable& v : root_.variables) names.push_back(v.name.sv());
    return suggestion(name.sv(), names);
  }

  void assignment(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
      diags_.error(
          "Invalid -var option",
          "The option -var requires a name, an equals sign and a value, as in -var \"name=value\". " +
              in_quotes(text) + " has no equals sign.");
      take_as_given(text);
      return;
    }
    if (equals == 0 || text[equals - 1] == ' ') {
      diags_.error(
          "Invalid -var option",
          "The option -var requires a name directly before the equals sign, as in -var \"name=value\". In " +
              in_quotes(text) +
              (equals == 0 ? ", the name is missing." : ", there is a space between them."));
      take_as_given(trimmed(std::string_view(text).substr(0, equals)));
      return;
    }
    const Symbol name(std::string_view(text).substr(0, equals));
    const Variable* v = find(name);
    if (!v) {
      diags_.error("Value for undeclared variable", "The option -var sets a value for " +
                                                        in_quotes(name.sv()) +
                                                        ", but the root module declares no variable of "
                                                        "that name." +
                                                        declare_hint(name));
      take_as_given(name.sv());
      return;
    }
    set(name, text_value(*v, text.substr(equals + 1), InputValue::From::Option, "the option -var"));
  }

  // Where the name does not say what it is, as of a pipe: OpenTofu looks at the content.
  static bool is_json(const std::string& path, std::string_view text) {
    return has_additions() && !path.ends_with(".json") && !path.ends_with(".tfvars") &&
           trimmed(text).starts_with('{');
  }

  void file(const std::string& path, InputValue::From from, Result<std::string> text) {
    if (path.empty()) {
      diags_.error("Missing file name", "The option -var-file requires the path of a file: -var-file=FILE.");
      incomplete_ = true;
      return;
    }
    if (!text) {
      diags_.error("Unreadable variables file",
                   "The variables file cannot be read: " + text.error().message + ".");
      incomplete_ = true;
      return;
    }
    const size_t errors = diags_.error_count();
    std::unique_ptr<File> f = is_json(path, *text)
                                  ? syntax::parse_json(sources_, path, std::move(*text), diags_)
                                  : syntax::parse_file(sources_, path, std::move(*text), diags_);
    refuse_declarations(*f, path);
    const std::vector<Attribute> all = attributes(*f);
    incomplete_ |= diags_.error_count() != errors;
    for (const Attribute& a : all) {
      const Variable* v = find(a.name);
      if (!v) {
        diags_.warn("Value for undeclared variable",
                    "The file " + path + " sets a value for " + in_quotes(a.name.sv()) +
                        ", but the root module declares no variable of that name, so the value is not used." +
                        declare_hint(a.name) +
                        " A value that several configurations share can be set with the environment "
                        "variable TF_VAR_" +
                        std::string(a.name.sv()) + ".",
                    a.name_range);
        continue;
      }
      Value value = a.json ? syntax::literal_json_value(*a.json) : eval::evaluate_constant(*a.expr, diags_);
      set(a.name, {std::move(value), a.expr->range, from, path});
    }
    // Values of expressions are computed now, so the tree is not needed any more.
  }

  // A common mistake deserves a better answer than "no blocks here".
  void refuse_declarations(const File& f, const std::string& path) {
    if (f.body.is_json()) return;
    for (const syntax::Block* b : f.body.blocks) {
      if (b->type.sv() != "variable" || b->labels.empty()) continue;
      const std::string name(b->labels[0].sv());
      diags_.error("Variable declaration in a variables file",
                   "Variables are declared in configuration files; " + path +
                       " only sets their values. To set " + in_quotes(name) + ", write " + name +
                       " = …; to declare it, move the block.",
                   b->def_range);
    }
  }

  std::vector<Attribute> attributes(const File& f) {
    Diagnostics blocks;
    std::vector<Attribute> out = syntax::just_attributes(f.body, blocks, /*literal=*/true);
    for (const Diagnostic& x : blocks.all()) {
      const bool reported =
          !f.body.is_json() &&
          std::any_of(f.body.blocks.begin(), f.body.blocks.end(), [&](const syntax::Block* b) {
            return b->type.sv() == "variable" && !b->labels.empty() && b->def_range == x.subject;
          });
      if (!reported) diags_.add(x);
    }
    return out;
  }

  const Fs& fs_;
  SourceTable& sources_;
  const Module& root_;
  Diagnostics& diags_;
  InputValues values_;
  bool any_name_ = false;
  bool incomplete_ = false;  // a file could not be read: any variable may have its value there
};

bool takes_text(const Variable& v) {
  return !v.has_type || v.type.type.is_primitive();
}

}  // namespace

InputValues collect_inputs(const Fs& fs, SourceTable& sources, const Module& root,
                           const InputOptions& options, Diagnostics& diags) {
  return Collector(fs, sources, root, diags).run(options);
}

Value parse_input_text(SourceTable& sources, const Variable& v, const std::string& text, Diagnostics& diags) {
  if (takes_text(v)) return Value::string(text);
  const syntax::Expr* e = nullptr;
  Diagnostics inner;
  const bool secret = v.sensitive || v.ephemeral;
  SourceTable own;  // the text of a secret is not kept where a snapshot or a message could find it
  std::unique_ptr<File> f = syntax::parse_expression(
      secret ? own : sources, "<value for var." + std::string(v.name.sv()) + ">", text, e, inner);
  Value out = Value::unknown();
  if (!inner.has_errors()) out = eval::evaluate_constant(*e, inner);
  if (secret) {
    // The messages and their source lines would show the text.
    if (inner.has_errors()) {
      diags.error("Invalid value for input variable",
                  "The value given for var." + std::string(v.name.sv()) +
                      ", which is sensitive, is not a valid expression. A value of this type is written as "
                      "in a configuration file, without references or function calls.",
                  v.range);
    }
    return out;
  }
  if (inner.has_errors()) {
    const bool keyed = v.type.type.is_map() || v.type.type.is_object();
    inner.mutable_all().back().detail += " A value of type " + v.type.text() +
                                         " is written as in a variables file: " +
                                         (keyed ? "{ key = \"value\" }." : "[\"first\", \"second\"].");
  }
  diags.append(std::move(inner));
  return out;
}

std::vector<const Variable*> missing_inputs(const Module& root, const InputValues& inputs) {
  std::vector<const Variable*> out;
  for (const Variable& v : root.variables) {
    if (v.required() && !inputs.count(v.name)) out.push_back(&v);
  }
  return out;
}

void report_missing_inputs(const std::vector<const Variable*>& missing, Diagnostics& diags) {
  for (const Variable* v : missing) {
    const std::string name(v->name.sv());
    diags.error("No value for required variable",
                "The root module input variable " + in_quotes(name) +
                    " is not set and has no default value. Set it with the option -var \"" + name +
                    "=…\", in a variables file, or in the environment variable TF_VAR_" + name + ".",
                v->range);
  }
}

Value finalize_variable(const Variable& v, const Value& given, Range range, Diagnostics& diags,
                        const std::string& origin) {
  const Marks marks = static_cast<Marks>((v.sensitive ? kSensitive : 0) | (v.ephemeral ? kEphemeral : 0));
  const std::string name = "var." + std::string(v.name.sv());
  const Value failed = Value::unknown(v.type.type).with_marks(marks);
  auto fail = [&](std::string detail) {
    diags.error("Invalid value for input variable", std::move(detail), range.valid() ? range : v.range);
    return failed;
  };
  const std::string from = origin.empty()      ? ""
                           : origin == kPrompt ? ", entered at " + origin + ","
                                               : ", set by " + origin + ",";
  Value value = given;
  if (value.is_null() && !v.nullable) {
    if (!v.has_default) {
      return fail("The value of " + name + from +
                  " is null, but this variable cannot be null: it is declared with nullable = false and has "
                  "no default value.");
    }
    const Marks own = value.marks();
    value = v.default_value.with_marks(own);
  }
  ConversionError error;
  std::optional<Value> converted = convert(value, v.type, &error);
  const std::string wanted = with_article(v.type.type.friendly_name());
  if (!converted && given.is_string() && trimmed(given.as_string()).empty())
    return fail(origin == kPrompt
                    ? "No value was entered for " + name + ", which must be " + wanted + "."
                    : "The value of " + name + from + " is empty, but it must be " + wanted + ".");
  if (!converted) {
    return fail("The value of " + name + from + " does not match the variable's type" +
                (v.has_type ? " " + v.type.text() : std::string()) + ": " + error.text() + ".");
  }
  return converted->with_marks(marks);
}

std::map<Symbol, Value, SymbolTextLess> finalize_inputs(const Module& root, const InputValues& inputs,
                                                        Diagnostics& diags) {
  std::map<Symbol, Value, SymbolTextLess> out;
  for (const Variable& v : root.variables) {
    auto it = inputs.find(v.name);
    if (it != inputs.end()) {
      // A place is shown with its line: not with one that holds a secret.
      const Range place = v.sensitive || v.ephemeral ? Range() : it->second.range;
      out.emplace(v.name, finalize_variable(v, it->second.value, place, diags, it->second.origin));
    } else if (v.has_default) {
      out.emplace(v.name, finalize_variable(v, v.default_value, v.range, diags));
    } else {
      const Marks marks = static_cast<Marks>((v.sensitive ? kSensitive : 0) | (v.ephemeral ? kEphemeral : 0));
      out.emplace(v.name, Value::unknown(v.type.type).with_marks(marks));
    }
  }
  return out;
}

}  // namespace xplan::config
