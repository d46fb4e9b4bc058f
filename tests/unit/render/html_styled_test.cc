// Text for a page: what is escaped, and how colours pass.
#include "render/html/styled.h"

#include <catch2/catch.hpp>

#include "render/text.h"

using namespace xplan;
using namespace xplan::render;

TEST_CASE("html: text from outside stays text, and acts on nobody") {
  struct Row {
    std::string text, html, marked;
  };
  const Row rows[] = {
      {"a < b && c > \"d'\"", "a &lt; b &amp;&amp; c &gt; &quot;d&#39;&quot;", "a < b && c > \"d'\""},
      {"</script>-->]]>", "&lt;/script&gt;--&gt;]]&gt;", "</script>-->]]>"},
      {"\x1b[31mred\x1b[0m", "\\u001b[31mred\\u001b[0m", "\\u001b[31mred\\u001b[0m"},
      {"\x01r\x02", "\\u0001r\\u0002", "\\u0001r\\u0002"},  // what marks colours is no colour
      {"\u202eevil\u2069", "\\u202eevil\\u2069", "\\u202eevil\\u2069"},
      {std::string("a\0b", 3), "a\\u0000b", "a\\u0000b"},
      {"\xff\xfe\n\tx\r\n", "\\xff\\xfe\n\tx\n", "\\xff\\xfe\n\tx\n"},
      {"\u00e9\u4e2d", "\u00e9\u4e2d", "\u00e9\u4e2d"},
  };
  for (const Row& r : rows) {
    INFO(r.text);
    std::string text, styled;
    html::put_text(text, r.text);
    html::put_styled(styled, r.text);
    CHECK(text == r.html);
    CHECK(styled == r.html);
    CHECK(html::marked(r.text) == r.marked);
  }
}

TEST_CASE("html: colours of our own are classes, and end") {
  std::string text = "a";
  put(text, "<b>", Style::BoldRed, true);
  put(text, "c", Style::Faint, true);
  text += style_code(Style::Green, true);
  std::string out, bare;
  html::put_styled(out, text);
  CHECK(out ==
        "a<span class=\"b\"><span class=\"r\">&lt;b&gt;</span></span><span class=\"f\">c</span><span "
        "class=\"g\"></span>");
  html::put_text(bare, text);
  CHECK(bare == "a&lt;b&gt;c");
  CHECK(html::marked(text) ==
        "a\x01"
        "b\x01"
        "r<b>\x01"
        "0\x01"
        "fc\x01"
        "0\x01"
        "g");
  CHECK(html::class_of(Style::Yellow) == "y");
  CHECK(html::class_of(Style::Plain).empty());
}
