// The JSON writer: escaping, both layouts, and output through a sink.
#include "core/base/json_writer.h"

#include <catch2/catch.hpp>

using namespace xplan;

TEST_CASE("JSON strings are escaped as the reference tools do") {
  struct Row {
    std::string_view in;
    const char* out;
  };
  using namespace std::literals;
  for (const Row& r : std::initializer_list<Row>{
           {"", R"("")"},
           {"plain é €", "\"plain é €\""},
           {"\"\\/", R"("\"\\/")"},
           {"\n\r\t\b\f", R"("\n\r\t\b\f")"},
           {"\0\x1f"sv, R"("\u0000\u001f")"},
           {"\x7f", "\"\x7f\""},
           {"<a & b>", R"("\u003ca \u0026 b\u003e")"},
           {"\u2028\u2029\u2027", "\"\\u2028\\u2029\u2027\""},
           {"a\xFF\xC3z", R"("a\ufffd\ufffdz")"},
       }) {
    std::string out;
    append_json_string(out, r.in);
    CHECK(out == r.out);
  }
}

namespace {
void write_sample(JsonWriter& w) {
  w.begin_object();
  w.member("a", 1);
  w.key("empty"), w.begin_object(), w.end_object();
  w.key("list"), w.begin_array(), w.end_array();
  w.key("b"), w.begin_array();
  w.string("x"), w.null(), w.boolean(false), w.raw("1.50");
  w.begin_object(), w.member("c", "d"), w.member("t", true), w.end_object();
  w.end_array();
  w.member("min", INT64_MIN);
  w.end_object();
}
}  // namespace

TEST_CASE("JSON layout is compact or one member per line") {
  JsonWriter compact, pretty(2);
  write_sample(compact), write_sample(pretty);
  CHECK(
      compact.text() ==
      R"({"a":1,"empty":{},"list":[],"b":["x",null,false,1.50,{"c":"d","t":true}],"min":-9223372036854775808})");
  CHECK(pretty.text() == R"({
  "a": 1,
  "empty": {},
  "list": [],
  "b": [
    "x",
    null,
    false,
    1.50,
    {
      "c": "d",
      "t": true
    }
  ],
  "min": -9223372036854775808
})");
}

TEST_CASE("a JSON sink receives everything in chunks") {
  std::string all;
  size_t calls = 0;
  JsonWriter w([&](std::string_view s) { all += s, ++calls; }, 0);
  w.begin_array();
  for (int i = 0; i < 100000; ++i) w.integer(i);
  w.end_array();
  w.flush();
  w.flush();
  CHECK(calls > 5);
  CHECK(all.size() == 588891);
  CHECK(all.substr(0, 8) == "[0,1,2,3");
  CHECK(all.substr(all.size() - 7) == ",99999]");
}
