#include "edits/plan/diff.h"

#include <doctest/doctest.h>

#include <random>

namespace bodkin {
namespace {

TEST_CASE("changed_lines makes the new text of the old, whatever they are") {
  std::mt19937 random(5);
  const auto some = [&] {
    std::string text;
    for (size_t i = random() % 12; i > 0; --i) text += std::string(1, 'a' + random() % 3) + "\n";
    if (random() % 3 == 0) text += "end";
    return text;
  };
  for (int i = 0; i < 3000; ++i) {
    const Text before(some()), after(some());
    Text made = before;
    const auto changes = changed_lines(before, after);
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      made = made.replace(change->offset, change->length, change->text);
    }
    REQUIRE(made.str() == after.str());
  }
}

}  // namespace
}  // namespace bodkin
