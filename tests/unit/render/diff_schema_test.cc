// Nested attributes and nested blocks: what a schema makes of two objects. "?" stands for an unknown value,
// "!x" for a sensitive one.
#include <catch2/catch.hpp>

#include "core/value/json.h"
#include "render/diff.h"
#include "render/diff_print.h"

using namespace xplan;
using namespace xplan::schema;

namespace {

Value value(const std::string& json) {
  if (json.empty()) return Value::null();
  return transform_value(parse_json(json).value(), [](const Path&, const Value& v) {
    if (!v.is_string()) return v;
    std::string s(v.as_string());
    if (s == "?") return Value::unknown(Type::string());
    return s[0] == '!' ? Value::string(s.substr(1)).with_marks(kSensitive) : v;
  });
}

Attribute attr(const char* name, Type type = Type::string()) {
  Attribute a;
  a.name = Symbol(name);
  a.type = type;
  a.optional = true;
  return a;
}
Attribute nested(const char* name, Nesting nesting, std::vector<Attribute> attributes) {
  Attribute a = attr(name);
  a.nested = std::make_shared<schema::Object>();
  a.nested->attributes = std::move(attributes);
  a.nested->nesting = nesting;
  return a;
}
Attribute secret(const char* name) {
  Attribute a = attr(name);
  a.write_only = true;
  return a;
}
NestedBlock block(const char* name, Nesting nesting, Block b) {
  NestedBlock n;
  n.type_name = Symbol(name);
  n.nesting = nesting;
  n.block = std::make_shared<Block>(std::move(b));
  return n;
}
Block body(std::vector<Attribute> attributes, std::vector<NestedBlock> blocks = {}) {
  Block b;
  b.attributes = std::move(attributes);
  b.blocks = std::move(blocks);
  return b;
}

std::string diff(const Block& b, const std::string& before, const std::string& after,
                 const std::vector<Path>& replace = {}, bool unchanged = false) {
  Value old = value(before), now = value(after);
  render::Arena arena;
  render::PrintOptions o;
  o.show_unchanged = unchanged;
  std::string out = "\n";
  print_diff(out, *render::Differ(arena).resource(old, now, b, replace), 0, o, arena);
  return out + "\n";
}

std::vector<Path> paths(std::initializer_list<const char*> names) {
  Path p;
  for (const char* n : names) p.push_back(PathStep::of_attr(n));
  return {p};
}

}  // namespace

TEST_CASE("diff of typed collections: maps, lists, sets, objects") {
  Block b = body({attr("id"), attr("l", Type::list(Type::string())), attr("m", Type::map(Type::string())),
                  attr("o", Type::object({{Symbol("a"), Type::string()}, {Symbol("b"), Type::number()}})),
                  attr("s", Type::set(Type::string()))});
  CHECK(diff(b, "",
             R"({"id":"?","l":["x"],"m":{"k":"v","long key":"w"},"o":{"a":"x","b":null},"s":["p"]})") == R"(
{
      + id = (known after apply)
      + l  = [
          + "x",
        ]
      + m  = {
          + "k"        = "v"
          + "long key" = "w"
        }
      + o  = {
          + a = "x"
        }
      + s  = [
          + "p",
        ]
    }
)");
  CHECK(
      diff(
          b,
          R"({"id":"1","l":["x","y","z"],"m":{"k":"v","l":"w","n":"n"},"o":{"a":"x","b":1},"s":["p","q"]})",
          R"({"id":"1","l":["x","y","?"],"m":{"k":"v","l":"W","q":"?"},"o":{"a":"y","b":1},"s":["q","r"]})") ==
      R"(
{
        id = "1"
      ~ l  = [
            # (1 unchanged element hidden)
            "y",
          ~ "z" -> (known after apply),
        ]
      ~ m  = {
          ~ "l" = "w" -> "W"
          - "n" = "n" -> null
          + "q" = (known after apply)
            # (1 unchanged element hidden)
        }
      ~ o  = {
          ~ a = "x" -> "y"
            # (1 unchanged attribute hidden)
        }
      ~ s  = [
          - "p",
          + "r",
            # (1 unchanged element hidden)
        ]
    }
)");
  CHECK(diff(b, R"({"id":"1","m":{"k":"v"},"s":[],"l":["a"]})", "", {}) == R"(
{
      - id = "1" -> null
      - l  = [
          - "a",
        ] -> null
      - m  = {
          - "k" = "v"
        } -> null
      - s  = [] -> null
    }
)");
}

TEST_CASE("diff of empty strings: the same as null where a schema cannot tell them apart") {
  Block old_schema = body({attr("a"), attr("b")}),
        new_schema = body({attr("a"), attr("b"), attr("d", Type())});
  const char* before = R"({"a":"","b":"x","d":null})";
  const char* after = R"({"a":null,"b":"","d":null})";
  CHECK(diff(old_schema, before, after) ==
        "\n{\n      - b = \"x\" -> null\n        # (1 unchanged attribute hidden)\n    }\n");
  CHECK(diff(new_schema, before, after) ==
        "\n{\n      - a = \"\" -> null\n      ~ b = \"x\" -> \"\"\n    }\n");
}

TEST_CASE("diff of nested attributes") {
  std::vector<Attribute> disk = {attr("mount"), attr("size", Type::number())};
  Block b = body({attr("id"), nested("list", Nesting::List, disk), nested("map", Nesting::Map, disk),
                  nested("one", Nesting::Single, disk), nested("set", Nesting::Set, disk)});
  CHECK(
      diff(
          b, "",
          R"({"id":"?","list":[{"mount":"/a","size":1}],"map":{"k":{"mount":"?","size":1}},"one":{"mount":"/","size":2},"set":[{"mount":"/s","size":null}]})") ==
      R"(
{
      + id   = (known after apply)
      + list = [
          + {
              + mount = "/a"
              + size  = 1
            },
        ]
      + map  = {
          + "k" = {
              + mount = (known after apply)
              + size  = 1
            },
        }
      + one  = {
          + mount = "/"
          + size  = 2
        }
      + set  = [
          + {
              + mount = "/s"
            },
        ]
    }
)");
  CHECK(
      diff(
          b,
          R"({"id":"1","list":[{"mount":"/a","size":1},{"mount":"/b","size":1}],"map":{"k":{"mount":"/k","size":1},"l":{"mount":"/l","size":1}},"one":{"mount":"/","size":2},"set":[{"mount":"/s","size":1},{"mount":"/t","size":1}]})",
          R"({"id":"1","list":[{"mount":"/a","size":1},{"mount":"/b","size":2}],"map":{"k":{"mount":"/k","size":2}},"one":{"mount":null,"size":2},"set":[{"mount":"/s","size":2},{"mount":"/t","size":1}]})") ==
      R"(
{
        id   = "1"
      ~ list = [
          ~ {
              ~ size  = 1 -> 2
                # (1 unchanged attribute hidden)
            },
            # (1 unchanged element hidden)
        ]
      ~ map  = {
          ~ "k" = {
              ~ size  = 1 -> 2
                # (1 unchanged attribute hidden)
            },
          - "l" = {
              - mount = "/l" -> null
              - size  = 1 -> null
            },
        }
      ~ one  = {
          - mount = "/" -> null
            # (1 unchanged attribute hidden)
        }
      ~ set  = [
          - {
              - mount = "/s" -> null
              - size  = 1 -> null
            },
          + {
              + mount = "/s"
              + size  = 2
            },
            # (1 unchanged element hidden)
        ]
    }
)");
  // An object that becomes unknown: its attributes do.
  Block one = body({nested("one", Nesting::Single, disk)});
  CHECK(diff(one, R"({"one":{"mount":"/","size":2}})", R"({"one":"?"})") == R"(
{
      ~ one = {
          ~ mount = "/" -> (known after apply)
          ~ size  = 2 -> (known after apply)
        } -> (known after apply)
    }
)");
  CHECK(diff(one, R"({"one":{"mount":"/","size":2}})", R"({"one":{"mount":"/x","size":2}})",
             paths({"one", "mount"})) == R"(
{
      ~ one = {
          ~ mount = "/" -> "/x" # forces replacement
            # (1 unchanged attribute hidden)
        }
    }
)");
}

TEST_CASE("diff of nested blocks") {
  Block rule = body({attr("from", Type::number()), attr("name")});
  Block b = body({attr("id"), attr("note")},
                 {block("group", Nesting::Set, rule), block("rule", Nesting::List, rule)});
  CHECK(
      diff(
          b, "",
          R"({"id":"?","note":null,"rule":[{"from":1,"name":"a"},{"from":"?","name":null}],"group":[{"from":3,"name":"g"}]})") ==
      R"(
{
      + id = (known after apply)

      + group {
          + from = 3
          + name = "g"
        }

      + rule {
          + from = 1
          + name = "a"
        }
      + rule {
          + from = (known after apply)
        }
    }
)");
  CHECK(
      diff(
          b,
          R"({"id":"1","note":"n","rule":[{"from":1,"name":"a"},{"from":2,"name":"b"}],"group":[{"from":3,"name":"g"},{"from":4,"name":"h"}]})",
          R"({"id":"1","note":"n","rule":[{"from":1,"name":"a"},{"from":5,"name":"b"},{"from":6,"name":"c"}],"group":[{"from":3,"name":"g"}]})") ==
      R"(
{
        id   = "1"
        # (1 unchanged attribute hidden)

      - group {
          - from = 4 -> null
          - name = "h" -> null
        }

      ~ rule {
          ~ from = 2 -> 5
            name = "b"
        }
      + rule {
          + from = 6
          + name = "c"
        }

        # (2 unchanged blocks hidden)
    }
)");
  CHECK(diff(b, R"({"id":"1","note":"n","rule":[{"from":1,"name":"a"}],"group":[]})",
             R"({"id":"1","note":"m","rule":"?","group":[]})") == R"(
{
        id   = "1"
      ~ note = "n" -> "m"

      ~ rule (known after apply)
      - rule {
          - from = 1 -> null
          - name = "a" -> null
        }
    }
)");
  CHECK(diff(b, "", R"({"id":"1","rule":"?"})") == R"(
{
      + id = "1"

      + rule (known after apply)
    }
)");
}

TEST_CASE("diff of blocks that are single, in a map, empty, sensitive, or force a replacement") {
  Block inner = body({attr("a"), attr("b")});
  Block b = body({attr("x")}, {block("env", Nesting::Map, inner), block("time", Nesting::Single, inner)});
  CHECK(diff(b, R"({"x":"1","env":{"one":{"a":"1"},"two":{"a":"2"}},"time":{"a":"1","b":"2"}})",
             R"({"x":"1","env":{"one":{"a":"1"},"t\"hree":{"a":"3"}},"time":{"a":"1","b":"3"}})",
             paths({"time", "b"})) == R"(
{
        # (1 unchanged attribute hidden)

      + env "t\"hree" {
          + a = "3"
        }
      - env "two" {
          - a = "2" -> null
        }

      ~ time {
          ~ b = "2" -> "3" # forces replacement
            # (1 unchanged attribute hidden)
        }

        # (1 unchanged block hidden)
    }
)");
  Block list = body({}, {block("empty", Nesting::List, body({})), block("rule", Nesting::List, inner)});
  CHECK(diff(list, "", R"({"empty":[{}],"rule":[{"a":"1","b":"!2"}]})") == R"(
{
      + empty {}
      + rule {
          + a = "1"
          + b = (sensitive value)
        }
    }
)");
  Value old = value(R"({"rule":[{"a":"1","b":"2"}]})"), now = value(R"({"rule":[{"a":"1","b":"3"}]})");
  auto mark = [](const Value& v) {
    return Value::object({{Symbol("rule"), v.attr("rule").with_marks(kSensitive)}});
  };
  render::Arena arena;
  std::string out = "\n";
  print_diff(out, *render::Differ(arena).resource(mark(old), mark(now), list, {}), 0, {}, arena);
  CHECK(out == R"(
{
      ~ rule {
          # At least one attribute in this block is (or was) sensitive,
          # so its contents will not be displayed.
        }
    })");
}

TEST_CASE("diff of write-only attributes: shown whenever their block is") {
  Block b = body({attr("id"), secret("password"), attr("version", Type::number())});
  CHECK(diff(b, "", R"({"id":"?","password":null,"version":1})") == R"(
{
      + id       = (known after apply)
      + password = (write-only attribute)
      + version  = 1
    }
)");
  CHECK(diff(b, R"({"id":"1","version":1})", R"({"id":"1","version":2})", paths({"password"})) == R"(
{
        id       = "1"
      ~ password = (write-only attribute) # forces replacement
      ~ version  = 1 -> 2
    }
)");
}

TEST_CASE("diff of an import: unchanged parts are shown") {
  Block b = body({attr("id"), attr("l", Type::list(Type::string()))},
                 {block("r", Nesting::List, body({attr("a")}))});
  CHECK(diff(b, R"({"id":"1","l":["a","b"],"r":[{"a":"1"}]})", R"({"id":"1","l":["a","b"],"r":[{"a":"1"}]})",
             {}, true) == R"(
{
        id = "1"
        l  = [
            "a",
            "b",
        ]

        r {
            a = "1"
        }
    }
)");
}

TEST_CASE("diff: very deep values are printed, not crashed on") {
  std::string deep(900, '['), close(900, ']');
  Block b = body({attr("x", Type())});
  std::string out = diff(b, "", "{\"x\":" + deep + close + "}");
  CHECK(std::count(out.begin(), out.end(), '[') == 900);
}
