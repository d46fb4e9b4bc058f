// When a list of names is no longer asked for.
#include "core/cloud/listing.h"

#include <catch2/catch.hpp>

using namespace xplan::cloud;

namespace {

// How many pages are asked for of a server that has ever further ones, up to 10,000.
template <class Page>
int pages(Page add) {
  Listing l;
  for (int n = 0; n < 10'000; ++n) {
    add(l, n);
    if (!l.goes_on("token-" + std::to_string(n))) return n + 1;
  }
  return 10'000;
}

}  // namespace

TEST_CASE("listing: pages without new names end it") {
  CHECK(pages([](Listing&, int) {}) == 101);
  CHECK(pages([](Listing& l, int) { l.add("the same"); }) == 101);
  CHECK(pages([](Listing& l, int n) { l.add(std::to_string(n)); }) == 10'000);
  CHECK(pages([](Listing& l, int n) {
          if (n % 90 == 0) l.add(std::to_string(n));
        }) == 10'000);
}
