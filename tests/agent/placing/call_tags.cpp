// Tool calls that a model wrote into its text as tags.
#include <doctest/doctest.h>

#include "agent/placing/edit_json.h"

using namespace bodkin;
using Kind = FileChange::Kind;

namespace {

EditPlan parsed(std::string_view reply) {
  const auto plan = parse_reply(reply, {});
  REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().message));
  return *plan;
}

}  // namespace

TEST_CASE("a call is read in every dialect of tags") {
  for (const char* reply : {
           "I call it.\n\n<function_calls>\n<invoke name=\"str_replace_editor\">\n"
           "<parameter name=\"command\">str_replace</parameter>\n"
           "<parameter name=\"path\">src/a.py</parameter>\n"
           "<parameter name=\"old_str\">x = 1\ny</parameter>\n"
           "<parameter name=\"new_str\">x = 1\nz</parameter>\n</invoke>\n</function_calls>\n",
           "<tool_call>\n<function=str_replace_editor>\n<parameter=command>\nstr_replace\n"
           "</parameter>\n<parameter=path>\nsrc/a.py\n</parameter>\n<parameter=old_str>\nx = 1\ny\n"
           "</parameter>\n<parameter=new_str>\nx = 1\nz\n</parameter>\n</function>\n</tool_call>\n",
           "<edit>\n  <path>src/a.py</path>\n  <old_string>x = 1\ny</old_string>\n"
           "  <new_string>x = 1\nz</new_string>\n</edit>\n",
           "```xml\n<search_and_replace>\n<path>src/a.py</path>\n<search>\nx = 1\ny\n</search>\n"
           "<replace>\nx = 1\nz\n</replace>\n</search_and_replace>\n```\n",
       }) {
    CAPTURE(reply);
    const EditPlan plan = parsed(reply);
    REQUIRE(plan.changes.size() == 1);
    CHECK(plan.changes[0].path == "src/a.py");
    const Hunk& hunk = plan.changes[0].hunks.at(0);
    REQUIRE(hunk.lines.size() == 3);
    CHECK(hunk.lines[0] == HunkLine{HunkLine::Kind::context, "x = 1"});
    CHECK(hunk.lines[2] == HunkLine{HunkLine::Kind::added, "z"});
    CHECK(prose_of_reply(reply).find('<') == std::string::npos);
  }
}

TEST_CASE("texts in lines of their own are whole lines") {
  const auto hunk = [](std::string_view after) {
    return parsed("<edit>\n<path>a</path>\n<old_str>\nx\n</old_str>\n<new_str>" +
                  std::string(after) + "</new_str>\n</edit>\n")
        .changes.at(0)
        .hunks.at(0);
  };
  CHECK(!hunk("\n").as<StringReplacement>());
  CHECK(hunk("\n").lines.size() == 1);
  CHECK(hunk("\n\n").lines.size() == 2);  // a blank line comes
  CHECK(hunk("\ny\n  ").lines.at(1).text == "y");
  CHECK(hunk("y").as<StringReplacement>());
}

TEST_CASE("words may stand below a call, and its closing tags may be indented") {
  const EditPlan plan = parsed(
      "I do it.\n\n<write_to_file>\n  <path>a.py</path>\n  <content>\nx = 1\n  </content>\n"
      "</write_to_file>\n\nNow x is 1.\n");
  REQUIRE(plan.changes.size() == 1);
  CHECK(plan.changes[0].contents == "x = 1\n");
}

TEST_CASE("the text of a call may hold tags, also its own") {
  const EditPlan plan = parsed(
      "<write_to_file>\n<path>a.html</path>\n<content>\n<p>\n</content>\n</p>\n</content>\n"
      "<line_count>3</line_count>\n</write_to_file>\n");
  REQUIRE(plan.changes.size() == 1);
  CHECK(plan.changes[0].kind == Kind::overwrite);
  CHECK(plan.changes[0].contents == "<p>\n</content>\n</p>\n");
}

TEST_CASE("a diff in a call is read by the diff's own parser, with the call's path") {
  const EditPlan plan = parsed(
      "<replace_in_file>\n<path>src/a.py</path>\n<diff>\n------- SEARCH\nx\n=======\ny\n"
      "+++++++ REPLACE\n\n------- SEARCH\n1\n=======\n2\n+++++++ REPLACE\n</diff>\n"
      "</replace_in_file>\n\n<apply_diff>\n<args>\n<file>\n<path>b.py</path>\n<diff>\n<content>\n"
      "<<<<<<< SEARCH\n:start_line:3\n-------\nx\n=======\ny\n>>>>>>> "
      "REPLACE\n</content>\n</diff>\n"
      "</file>\n</args>\n</apply_diff>\n");
  REQUIRE(plan.changes.size() == 2);
  CHECK(plan.changes[0].path == "src/a.py");
  CHECK(plan.changes[0].hunks.size() == 2);
  CHECK(plan.changes[1].path == "b.py");
}

TEST_CASE("files are made, removed and sketched by calls") {
  CHECK(parsed("<delete_file>\n<path>a.py</path>\n</delete_file>\n").changes.at(0).kind ==
        Kind::remove);
  CHECK(parsed("<create_file><path>a.py</path><content>x\n</content></create_file>")
            .changes.at(0)
            .kind == Kind::create);
  CHECK(
      parsed("<edit_file>\n<target_file>a.py</target_file>\n<code_edit>\n# ... existing code ...\n"
             "x = 1\n</code_edit>\n</edit_file>\n")
          .changes.at(0)
          .kind == Kind::lazy);
}

TEST_CASE("a call without its end is cut off, and what is no edit is left alone") {
  const auto cut =
      parse_reply("<edit>\n<path>a.py</path>\n<old_string>x</old_string>\n<new_string>y = (", {});
  REQUIRE(!cut);
  CHECK(cut.error().message.contains("not closed"));
  // Beside an edit that can be read, one that cannot be costs the reply.
  for (const std::string part :
       {"<edit>\n<path>b.py</path>\n<old_string>3</old_string>\n</edit>\n",
        "<write_to_file>\n<path>b.py</path>\n<content>\n3\n</content>\n<content>\n4\n</content>\n"
        "<mood>x</mood>\n</write_to_file>\n"}) {
    CAPTURE(part);
    CHECK(!parse_reply("a.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\n" + part, {}));
  }
  CHECK(parsed("<invoke name=\"bash\"><parameter name=\"command\">ls</parameter></invoke>\n"
               "<edit>by hand</edit>\n<write>\n</write>\n")
            .changes.empty());
  CHECK(parsed("In code it is an example:\n```python\nx = 1\n<edit><path>a.py</path>"
               "<old_string>x</old_string><new_string>y</new_string></edit>\n```\n")
            .changes.empty());
}

TEST_CASE("a value that holds another call, or the end of its own, is not closed") {
  for (const char* reply : {
           "<function=str_replace>\n<parameter=path>a.c</parameter>\n"
           "<parameter=old_str>two();</parameter>\n<parameter=new_str>zwei();</new_str>\n"
           "</function>\n",
           "<str_replace>\n<path>a.c</path>\n<old_str>two();</old_str>\n<new_str>zwei();\n"
           "</str_replace>\n<str_replace>\n<path>a.c</path>\n<old_str>four();</old_str>\n"
           "<new_str>vier();</new_str>\n</str_replace>\n",
           "<str_replace>\n<path>a.c</path>\n<old_str>two();</old_str>\n<new_str>zwei();\n"
           "</str_replace>\n</new_str>\n",
       }) {
    CAPTURE(reply);
    CHECK(!parse_reply(reply, {}));
  }
}
