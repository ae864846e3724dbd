#include "agent/replies/call_progress.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;

TEST_CASE("a call that arrives tells its file and its lines, in every form and at every cut") {
  std::string lines, escaped;
  for (int i = 0; i < 45; ++i) lines += "x\n", escaped += "x\\n";
  const std::string forms[] = {
      R"({"path": "src/lamp.py", "content": ")" + escaped + "\"}",
      R"(<tool_call>{"name": "write", "arguments": {"file_path": "src/lamp.py", "c": ")" + escaped,
      "<function=write>\n<parameter=path>\nsrc/lamp.py\n</parameter>\n<parameter=c>\n" + lines,
      "<invoke name=\"write\"><parameter name=\"path\">src/lamp.py</parameter>" + lines,
      "<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>src/lamp.py</arg_value>" + lines,
      "call:write{path:<escape>src/lamp.py<escape>,c:<escape>" + lines};
  for (const std::string& form : forms) {
    CAPTURE(form);
    CallProgress progress;
    std::vector<std::string> told;
    for (size_t size = 1; size <= form.size(); ++size)
      if (auto one = progress.told(std::string_view(form).substr(0, size), "write"))
        told.push_back(*std::move(one));
    CHECK(told ==
          std::vector<std::string>{"src/lamp.py: 20 lines so far", "src/lamp.py: 40 lines so far"});
  }
  CallProgress progress;
  CHECK(progress.told("{\"c\": \"" + escaped, "write") == "write: 40 lines so far");
  CHECK_FALSE(progress.told("{\"c\": \"" + escaped, "write"));
}
