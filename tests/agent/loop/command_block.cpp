#include "agent/loop/command_block.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("a reply has exactly one command, or it is said how many") {
  struct Case {
    std::string reply;
    size_t count;
    std::string command;
  };
  const Case cases[] = {
      {"```mswea_bash_command\necho 'test'\n```", 1, "echo 'test'"},
      {"```bash\nls -la\n```", 1, "ls -la"},
      {"```sh\nls -la\n```", 1, "ls -la"},
      {"Some text\n```bash\necho 'hello'\n```\nMore text", 1, "echo 'hello'"},
      {"THOUGHT: so: ```bash\nls\n```", 1, "ls"},
      {"```bash  \r\nls\r\npwd\r\n```\r\n", 1, "ls\npwd"},
      {"   ```Bash\n  ls\n   ```", 1, "ls"},
      {"````bash\ncat <<X\n```\nX\n````", 1, "cat <<X\n```\nX"},
      {"```bash\n\n\nls \\\n  -la\n\n```", 1, "ls \\\n  -la"},
      {"No code blocks here", 0, ""},
      {"", 0, ""},
      {"```\nls -la\n```", 0, ""},
      {"```python\nprint(1)\n```", 0, ""},
      {"```bashful\nls\n```", 0, ""},
      {"```bash\nls", 0, ""},
      {"```bash\n\n```", 0, ""},
      {"say ```bash``` and `bash`", 0, ""},
      {"```bash\necho 'first'\n```\n```bash\necho 'second'\n```", 2, "echo 'first'"},
      {"```sh\na\n```\n```mswea_bash_command\nb\n```\n```bash\nc\n```", 3, "a"},
      {"```bash\nls\n```\n```text\nnothing\n```", 1, "ls"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.reply);
    const CommandReply reply = read_command_reply(each.reply);
    CHECK(reply.count == each.count);
    CHECK(reply.command == each.command);
    CHECK(reply.problem.empty());
    CHECK(!reply.is_powershell);
  }
}

TEST_CASE("PowerShell is looked for first") {
  CommandReply reply = read_command_reply("```bash\nls\n```\n```powershell\nGet-Item .\n```");
  CHECK(reply.count == 1);
  CHECK(reply.is_powershell);
  CHECK(reply.command == "Get-Item .");
  CHECK(read_command_reply("```powershell\na\n```\n```powershell\nb\n```").count == 2);
}

TEST_CASE("a line of backticks in a here-document does not end the block") {
  const std::string fences = "```python\nx\n```\n";
  for (const std::string head :
       {"cat > a.md <<'EOF'\n", "cat <<EOF >a.md && echo ok\n", "cat > a.md << \"EOF\"\n",
        "git log \"$(cat <<EOF\n", "# it's\ncat <<\\EOF\n", "cat <<-EOF\n\t",
        "cat <<A <<EOF\n```\nA\n", "echo \"it's <<B\" $((1<<2)) <<<w; cat <<EOF\n"}) {
    CAPTURE(head);
    const std::string command = head + fences + "EOF";
    const CommandReply reply = read_command_reply("```bash\n" + command + "\n```\n");
    CHECK(reply.count == 1);
    CHECK(reply.command == command);
    CHECK(reply.problem.empty());
  }
  const CommandReply cut = read_command_reply("```bash\ncat <<EOF\n```\nx\n");
  CHECK(cut.count == 1);
  CHECK(cut.problem.find("here-document has no end") != std::string::npos);
  // What only looks like one ends no block and opens none.
  for (const std::string line : {"echo $((x<<y))", "((a<<b))", "echo '<<EOF'", "echo \"<<EOF\"",
                                 "cat <<< EOF", "ls # <<EOF", "echo \\<<EOF 2>/dev/null <x"}) {
    CAPTURE(line);
    const CommandReply reply = read_command_reply("```bash\n" + line + "\n```\n");
    CHECK(reply.count == 1);
    CHECK(reply.command == line);
    if (line.find("\\<<") == std::string::npos) CHECK(reply.problem.empty());
  }
}

TEST_CASE("the thought is what stands before the block, without its name") {
  CHECK(read_command_reply("THOUGHT: I am done.\n\n```bash\nls\n```\nafter").thought ==
        "I am done.");
  CHECK(read_command_reply("**THOUGHT:** so\n```bash\nls\n```").thought == "so");
  CHECK(read_command_reply("```bash\nls\n```").thought.empty());
}

TEST_CASE("a line that is a marker ends the ask, wherever it stands") {
  const std::string mini = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
  CHECK(submission_in(mini) == "");
  CHECK(submission_in("before\n  " + mini + "\t\r\nafter\nmore\n") == "after\nmore\n");
  CHECK(submission_in("FIX_CODE_AGENT_FINAL_OUTPUT\n" + mini + "\nx") == mini + "\nx");
  CHECK(!submission_in("echo " + mini));
  CHECK(!submission_in(mini + "!"));
  CHECK(!submission_in(""));
}
