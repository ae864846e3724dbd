#include "agent/replies/written_edit.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;

namespace {

// What is told of a reply that arrives byte by byte.
std::vector<std::string> told_of(const std::string& reply, bool is_call) {
  WrittenEdits edits;
  std::vector<std::string> told;
  for (size_t size = 1; size <= reply.size(); ++size)
    if (const auto one = edits.told(std::string_view(reply).substr(0, size), is_call))
      told.push_back(one->path + "|" + one->old_text + "|" + one->new_text + "|" +
                     std::to_string(one->lines));
  return told;
}

}  // namespace

TEST_CASE("the lines of an edit are told while they arrive, in every form") {
  using All = std::vector<std::string>;
  CHECK(told_of("Done.\n\n**a.py**:\n```\n<<<<<<< SEARCH\nx\n=======\ny\nz\n>>>>>>> REPLACE\n```\n",
                false) == All{"a.py|x\n|y\n|1", "a.py|x\n|y\nz\n|2"});
  CHECK(told_of("*** Begin Patch\n*** Update File: b c.py\n@@\n k\n-x\n+y\n*** End Patch\n",
                false) == All{"b c.py|k\n|k\n|1", "b c.py|k\nx\n|k\ny\n|2"});
  CHECK(told_of(R"({"path": "a.py", "old_string": "x\n", "new_string": "y \"1\"\nz\nw"})", true) ==
        All{"a.py|x\n|y \"1\"\n|1", "a.py|x\n|y \"1\"\nz\n|2"});
  CHECK(told_of(R"({"content": "y\n", "path": "a.py")", true) == All{"a.py||y\n|1"});
}

TEST_CASE("another edit begins anew, and words alone are none") {
  const std::string one = "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n";
  CHECK(told_of(one + one, false).size() == 2);
  CHECK(told_of("Some words.\nAnd more of them.\n", false).empty());
}

TEST_CASE("of many lines not each is told") {
  std::string call = R"({"path": "a.py", "content": ")";
  for (int i = 0; i < 2000; ++i) call += R"(x\n)";
  const auto told = told_of(call, true);
  CHECK(told.size() < 300);
  CHECK(told.back().size() < 500);
}
