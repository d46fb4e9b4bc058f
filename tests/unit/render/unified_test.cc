// Unified diffs, as diff -u prints them.
#include "render/unified.h"

#include <catch2/catch.hpp>

using xplan::render::unified_diff;

TEST_CASE("unified: hunks") {
  CHECK(unified_diff("x", "a\n", "a\n").empty());
  CHECK(unified_diff("x", "a\n", "b\n") == "--- old/x\n+++ new/x\n@@ -1 +1 @@\n-a\n+b\n");
  CHECK(unified_diff("x", "", "b\n") == "--- old/x\n+++ new/x\n@@ -0,0 +1 @@\n+b\n");
  CHECK(unified_diff("x", "a", "b") ==
        "--- old/x\n+++ new/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of "
        "file\n");
  CHECK(unified_diff("x", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "--- old/x\n+++ new/x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  // Seven equal lines between two changes part them; six do not.
  CHECK(unified_diff("x", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n") ==
        "--- old/x\n+++ new/x\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
  CHECK(unified_diff("x", "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n") ==
        "--- old/x\n+++ new/x\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
}
