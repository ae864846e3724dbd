#include "lsp/sessions/ask_request.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "agent/context/prompt.h"

using namespace bodkin;

TEST_CASE("a picture goes along as one, any other file is shown by its path") {
  const std::string picture =
      (std::filesystem::temp_directory_path() / ("bodkin-picture-" + std::to_string(getpid())))
          .generic_string();
  std::ofstream(picture, std::ios::binary) << "\x89PNG\r\n\x1a\n0123456789";
  AskRequest request;
  request.prompt = "Draw it.";
  request.attachments = {{"a.png", picture}, {"a.cpp", __FILE__}, {"b.png", ""}};
  const auto ask = make_ask(request);
  std::filesystem::remove(picture);
  REQUIRE(ask.has_value());
  CHECK(ask->images == std::vector<std::pair<std::string, std::string>>{{"a.png", picture}});
  CHECK(ask->attachments == std::vector<std::string>{"a.cpp", "b.png"});
}

TEST_CASE("a fix without words says what it wants; without a problem it needs words") {
  AskRequest request;
  request.selection = Selection{"a.cpp", {0, 3}};
  request.to_fix.emplace();
  CHECK(make_ask(request).error().code == Error::Code::not_found);
  request.prompt = "Look here.";
  CHECK(make_ask(request)->prompt == "Look here.");
  request.prompt.clear();
  request.to_fix->push_back({.message = "no x\nnote: there is y"});
  CHECK(make_ask(request)->prompt == "Fix this problem.");
  CHECK(title_of(*make_ask(request)) == "Fix “no x”");
  request.to_fix->resize(2);
  CHECK(make_ask(request)->prompt == "Fix these problems.");
  CHECK(title_of(*make_ask(request)) == "Fix 2 problems: “no x”, …");
  CHECK(make_ask(request)->selection->path == "a.cpp");
}

TEST_CASE("a refinement begins with the proposal's files and shows those that are left") {
  AskRequest request;
  ChangedFile moved{.path = "a.cpp", .rename_to = "b.cpp", .after = Text("int a;\n")},
      removed{.path = "c.cpp"};
  request.refined = AskRequest::Proposal{"Names", {moved, removed}};
  const auto ask = make_ask(request);
  REQUIRE(ask.has_value());
  CHECK(ask->title == "Names");
  CHECK(ask->draft.size() == 2);
  CHECK(ask->attachments == std::vector<std::string>{"b.cpp"});
}

TEST_CASE("an unknown profile is an error") {
  AskRequest request;
  request.profile = "nobody";
  CHECK(make_ask(request).error().code == Error::Code::not_found);
}
