// What a line may differ in, and what that costs.
#include "edits/align/lines.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/text/line_keys.h"

using namespace bodkin;

namespace {

Price price(const std::string& quoted, const std::string& ours, const std::string& around = "") {
  return price_of_difference(MappedText(Text(ours + "\n" + around)), quoted, ours);
}

}  // namespace

TEST_CASE("a key has a line's tokens, and the blanks within its strings") {
  CHECK(same_under(loose_key, "f( a,b )", "  f(a, b)"));
  CHECK(same_under(loose_key, "say(“x”)", "say(\"x\")"));
  CHECK(!same_under(loose_key, "say(\"a  b\")", "say(\"a b\")"));
  CHECK(!same_under(loose_key, "f(a)", "f(b)"));
}

TEST_CASE("a slip is within a word, and the file has no such word") {
  CHECK(price("send(adress)", "send(address)") == kSlip);
  CHECK(price("send(adderss)", "send(address)") == kSlip);
  CHECK(price("send(adress)", "send(address)", "adress = 1\n") == kThing);
  CHECK(price("get_flow(a)", "set_flow(a)") == kWord);
  CHECK(price("axis_x(a)", "axis_y(a)") == kWord);
  CHECK(price("items(a)", "item(a)") == kWord);
  CHECK(price("read64(a)", "read32(a)") == kThing);
}

TEST_CASE("a word that stands elsewhere in place of one that does, too, is another thing") {
  CHECK(price("run(valve)", "run(pump)") == kWord);
  CHECK(price("run(valve)", "run(pump)", "pump = 1\n") == kWord);
  CHECK(price("run(valve)", "run(pump)", "valve = 1\npump = 1\n") == kThing);
}

TEST_CASE("numbers, strings and signs tell siblings apart") {
  CHECK(price("run(1)", "run(2)") == kThing);
  CHECK(price("run(\"open\")", "run(\"shut\")") == kThing);
  CHECK(price("a + b", "a - b") == kThing);
  CHECK(price("a(1, 2, 3)", "a(4, 5, 6)") == kNever);
  CHECK(price("a", "b") == kNever);
}
