#include "lsp/sessions/reports.h"

#include <doctest/doctest.h>

using namespace bodkin;
using rpc::EventLoop;

TEST_CASE("words that come faster than they are read are joined, in their order with the rest") {
  EventLoop loop;
  std::vector<Progress> shown;
  const auto reports =
      std::make_shared<Reports>(loop, [&](const Progress& each) { shown.push_back(each); });
  using Kind = Progress::Kind;
  for (int i = 0; i < 10'000; ++i) reports->add({Kind::text, "x"});
  reports->add({Kind::tool, "Reading a.c"});
  for (int i = 0; i < 10'000; ++i) reports->add({Kind::thought, "y"});
  loop.post([&] {
    reports->add({Kind::text, "the last"});  // is waited for, or flushed by the end of the ask
    reports->flush();
    loop.stop(0);
  });
  loop.run();
  REQUIRE(shown.size() == 4);
  CHECK(shown[0].text == std::string(10'000, 'x'));
  CHECK(shown[1].text == "Reading a.c");
  CHECK(shown[2].text == std::string(10'000, 'y'));
  CHECK(shown[3].text == "the last");
}

TEST_CASE("a flood of words is shown up to a bound, and what is left out is said") {
  EventLoop loop;
  std::vector<Progress> shown;
  const auto reports =
      std::make_shared<Reports>(loop, [&](const Progress& each) { shown.push_back(each); });
  using Kind = Progress::Kind;
  std::string much = "x";
  while (much.size() < 4'000'000) much += "ä";  // two bytes each: the bound is inside of one
  loop.post([&] {
    reports->add({Kind::text, much});
    reports->add({Kind::text, "more"});
    reports->add({Kind::tool, much});  // no words: whole
    reports->add({Kind::thought, "y"});
    reports->flush();
    loop.stop(0);
  });
  loop.run();
  REQUIRE(shown.size() == 3);
  CHECK(shown[0].text.size() < 100'000);
  const size_t words = shown[0].text.find("\n[");
  REQUIRE(words != std::string::npos);
  CHECK(shown[0].text.substr(0, words) == much.substr(0, words));
  CHECK(words % 2 == 1);
  CHECK(shown[0].text.substr(words) ==
        "\n[" + std::to_string(much.size() + 4 - words) + " bytes are not shown]\n");
  CHECK(shown[1].text == much);
  CHECK(shown[2].text == "y");
}
