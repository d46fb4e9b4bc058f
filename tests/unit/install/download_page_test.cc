// What a page says about where a module is, and what pages cannot do to whoever looks.
#include "core/install/download_page.h"

#include <catch2/catch.hpp>

using namespace xplan::install;

TEST_CASE("download page: the first element that says where the module is") {
  const std::pair<std::string, std::string> rows[] = {
      {"<html><head><meta name=\"terraform-get\" content=\"/m.zip\"></head></html>", "/m.zip"},
      {"<META CONTENT='https://Host/M.zip' NAME='terraform-get'/>", "https://Host/M.zip"},
      {"<meta charset=\"utf-8\"><meta name=\"x\" content=\"no\"><meta name=\"terraform-get\" content=\"a\">"
       "<meta name=\"terraform-get\" content=\"b\">",
       "a"},
      {"<meta <meta name=\"terraform-get\" content=\"a\">", "a"},
      {"<meta name=\"terraform-get\"> content=\"outside\"", ""},
      {"<meta name=\"terraform-get\" content=\"cut", "cut"},
      {"<meta name=\"terraform-get\" content=", ""},
      {"<meta name=", ""},
      {"<meta", ""},
      {"<head><!-- <meta name=\"terraform-get\" content=\"a\"> --><meta name=\"terraform-get\" "
       "content=\"b\">",
       "b"},
      {"<!-- <meta name=\"terraform-get\" content=\"a\">", ""},
      {"<head></head><meta name=\"terraform-get\" content=\"a\">", ""},
      {"<head><BODY class=\"x\"><meta name=\"terraform-get\" content=\"a\">", ""},
      {"", ""},
  };
  for (const auto& [page, source] : rows) {
    INFO(page);
    CHECK(source_on_page(page) == source);
  }
}

TEST_CASE("download page: large pages are looked at once, and not to their end") {
  const std::string element = "<meta name=\"terraform-get\" content=\"a\">";
  for (const std::string part : {"<meta", "<meta name=\"x\" ", "<!--", "<!---->", ">"}) {
    std::string page = part;
    while (page.size() < (4 << 20)) page += std::string(page);
    CHECK(source_on_page(page + element).empty());
    page.resize(1 << 19);
    CHECK(source_on_page(page + "-->" + element) == "a");
  }
}
