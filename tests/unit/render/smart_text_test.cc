// Changes in the smart style: testdata/render/smart/NAME.hcl is an object before and after, NAME.txt what a
// reader of its change sees (the format: README.md there). XPLAN_ACCEPT=1 rewrites them, and then fails so
// that nobody passes by accepting.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/eval/eval.h"
#include "core/syntax/body.h"
#include "core/value/convert.h"
#include "render/human_plan.h"
#include "tests/support/folder.h"

using namespace xplan;
namespace fs = std::filesystem;

namespace {

using Attributes = std::map<std::string, Value>;

Attributes read_case(const fs::path& path) {
  eval::FunctionTable functions;
  register_core_functions(functions);
  eval::NamesScope scope(functions);
  scope.names.emplace_back(Symbol("unknown"), Value::unknown());
  SourceTable sources;
  Diagnostics diags;
  auto file = syntax::parse_native(sources, path.filename(), test::file_text(path), diags);
  Attributes out;
  for (const syntax::Attribute& a : syntax::just_attributes(file->body, diags))
    out[std::string(a.name.sv())] = eval::evaluate(*a.expr, scope, diags);
  for (const Diagnostic& d : diags.all()) FAIL(path << ": " << d.summary << ": " << d.detail);
  return out;
}

// A tuple whose elements have one type is a list, as providers have them.
Value as_list(const Value& v) {
  if (!v.is_known() || v.is_null() || v.kind() != Kind::Seq || !v.type().is_tuple()) return v;
  std::vector<Value> elements;
  for (const Value& e : v.elements()) elements.push_back(as_list(e));
  for (const Value& e : elements)
    if (e.type() != elements[0].type()) return v;
  return Value::list(elements.empty() ? Type::string() : elements[0].type(), elements).with_marks(v.marks());
}

Attributes members(const Value& object) {
  Attributes out;
  if (object.is_null()) return out;
  std::span<const Symbol> names = object.type().attr_names();
  for (size_t i = 0; i < names.size(); ++i) out[std::string(names[i].sv())] = object.elements()[i];
  return out;
}

Value object_of(const Attributes& all) {
  std::vector<std::pair<Symbol, Value>> attrs;
  for (const auto& [name, v] : all) attrs.emplace_back(Symbol(name), v);
  return Value::object(std::move(attrs));
}

schema::Attribute attribute(const std::string& name, const Value& before, const Value& after) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.optional = a.computed = true;
  const Type old = before.type(), now = after.type();
  a.type = old == now || now.is_dynamic() ? old : old.is_dynamic() ? now : Type();
  return a;
}

// The block that objects with these values are of.
schema::Block block_of(const std::vector<Value>& objects) {
  schema::Block b;
  for (const auto& [name, v] : members(objects.at(0))) b.attributes.push_back(attribute(name, v, v));
  return b;
}

Path path_of(const std::string& text) {  // "network.0.subnet"
  Path out;
  std::istringstream steps(text);
  for (std::string step; std::getline(steps, step, '.');)
    out.push_back(isdigit(static_cast<unsigned char>(step[0]))
                      ? PathStep::of_index(Value::number(std::stoi(step)))
                      : PathStep::of_attr(step));
  return out;
}

struct Case {
  ResourceChange change;
  explicit Case(const fs::path& path) {
    Attributes c = read_case(path);
    const Attributes kinds = members(c["blocks"]), plain = members(c["dynamic"]);
    Attributes before = members(c.at("before")), after = members(c.at("after"));
    schema::Schema s;
    std::vector<std::string> names;
    for (const auto& [name, v] : before) names.push_back(name), after.try_emplace(name, Value::null());
    for (const auto& [name, v] : after)
      if (before.try_emplace(name, Value::null()).second) names.push_back(name);
    for (const std::string& name : names) {
      Value &old = before[name], &now = after[name];
      if (kinds.count(name)) {
        s.block.blocks.push_back(nested(name, std::string(kinds.at(name).as_string()), old, now));
        continue;
      }
      if (!plain.count(name)) old = as_list(old), now = as_list(now);
      s.block.attributes.push_back(attribute(name, old, now));
      if (plain.count(name)) s.block.attributes.back().type = Type();
    }
    s.block.freeze();
    change.schema = std::make_shared<const schema::Schema>(std::move(s));
    change.addr.resource = {Mode::Managed, Symbol(std::string(c.at("type").as_string())), Symbol("this")};
    change.prev_addr = change.addr;
    change.change.action = Action::Update;
    change.change.before = object_of(before);
    change.change.after = object_of(after);
    if (!c["replace"].is_null())
      for (const Value& v : c["replace"].elements()) {
        change.required_replace.push_back(path_of(std::string(v.as_string())));
        change.change.action = Action::DeleteThenCreate;
        change.reason = Reason::ReplaceBecauseCannotUpdate;
      }
  }
  static schema::NestedBlock nested(const std::string& name, const std::string& kind, Value& old,
                                    Value& now) {
    std::vector<Value> objects;
    for (Value* side : {&old, &now}) {
      std::vector<Value> mine;
      if (!side->is_null())
        for (const Value& e : side->elements()) {
          Attributes all = members(e);
          for (auto& [key, v] : all) v = as_list(v);
          mine.push_back(object_of(all).with_marks(e.marks()));
        }
      objects.insert(objects.end(), mine.begin(), mine.end());
      const Type type = objects.at(0).type();
      *side = (kind == "set" ? Value::set(type, mine) : Value::list(type, mine)).with_marks(side->marks());
    }
    schema::NestedBlock n;
    n.type_name = Symbol(name);
    n.nesting = kind == "set" ? schema::Nesting::Set : schema::Nesting::List;
    n.block = std::make_shared<schema::Block>(block_of(objects));
    return n;
  }
};

std::vector<fs::path> cases() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(TESTDATA "/render/smart"))
    if (entry.path().extension() == ".hcl") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string text_of(const Case& c, render::HumanOptions o = {}) {
  std::string out;
  o.diff = render::DiffStyle::Smart;
  render::render_change(c.change, render::ChangeCause::Proposed, o, out);
  return out;
}

}  // namespace

TEST_CASE("smart diff: every recorded change reads as it was accepted") {
  for (fs::path path : cases()) {
    const Case c(path);
    const std::string out = text_of(c);
    path.replace_extension(".txt");
    INFO(path.filename().string());
    const std::string accepted = fs::exists(path) ? test::file_text(path) : "";
    if (std::getenv("XPLAN_ACCEPT") && accepted != out) {
      std::ofstream(path, std::ios::binary) << out;
      FAIL_CHECK("accepted, review the diff");
    }
    CHECK(out == test::file_text(path));
  }
  CHECK(cases().size() >= 25);
}

TEST_CASE("smart diff: no sensitive value is printed") {
  for (const fs::path& path : cases()) {
    INFO(path.filename().string());
    CHECK(text_of(Case(path)).find("hunter2") == std::string::npos);
  }
}
