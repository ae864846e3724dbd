#include "agent/replies/thoughts.h"

#include <doctest/doctest.h>

using namespace bodkin;

namespace {

struct Case {
  std::string_view reply, words, thoughts;
};

std::string joined(const std::vector<ReplyPart>& parts, bool thoughts) {
  std::string text;
  for (const ReplyPart& part : parts)
    if (part.is_thought == thoughts) text += part.text;
  return text;
}

constexpr std::string_view kBlock = "lamp.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";

const Case kCases[] = {
    {"<think>\nHm.\n</think>\n\nYes.", "Yes.", "\nHm.\n"},
    {"\n<think>a < b</th</think>\n\nText <think>", "Text <think>", "a < b</th"},
    {"<think></think>Yes.", "Yes.", ""},
    {"<reasoning_content>\nHm.\n</reasoning_content>\nYes.", "Yes.", "\nHm.\n"},
    {"<details>\nMore.\n</details>\nYes.", "<details>\nMore.\n</details>\nYes.", ""},
    {"<think >\nHm.\n</think >\nYes.", "Yes.", "\nHm.\n"},
    {"Let me look.\n\n<think>\nHm.\n</think>\n\nYes.", "Let me look.\n\nYes.", "\nHm.\n"},
    {"Sure.<think>Hm.</think>Yes.", "Sure.Yes.", "Hm."},
    {"<thinking>Hm.</thinking>\nYes.", "Yes.", "Hm."},
    {"<Thought>Hm.</Thought>\nYes.", "Yes.", "Hm."},
    {"<reasoning>\nHm.\n</reasoning>\nYes.", "Yes.", "\nHm.\n"},
    {"[THINK]Hm.[/THINK]Yes.", "Yes.", "Hm."},
    {"\u25c1think\u25b7Hm.\u25c1/think\u25b7Yes.", "Yes.", "Hm."},
    {"<seed:think>Hm.</seed:think>Yes.", "Yes.", "Hm."},
    {"<think>One.</think>A.\n\n<think>Two.</think>B.", "A.\n\nB.", "One.Two."},
    {"<think>Hm, never closed", "", "Hm, never closed"},
    {"First.\n\n<think>\nHm, never closed", "First.\n\n", "\nHm, never closed"},
    // Without the opening tag.
    {"Hm. Maybe.\n</think>\n\nYes.", "Yes.", "Hm. Maybe.\n"},
    {"Hm. That is it.</think>Yes.", "Yes.", "Hm. That is it."},
    {"```py\nx = 1\n```\nNo.\n</think>\nYes.", "Yes.", "```py\nx = 1\n```\nNo.\n"},
    {"```py\nx = 1\nNo.\n</think>\nYes.", "Yes.", "```py\nx = 1\nNo.\n"},
    {"Perhaps\n<<<<<<< SEARCH\nx\n</think>\np.md\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
     "p.md\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "Perhaps\n<<<<<<< SEARCH\nx\n"},
    {"```py\nx\n</think>\n```py\ny\n```\n", "```py\ny\n```\n", "```py\nx\n"},
    {"[/THINK]Yes.", "Yes.", ""},
    {"<think>One.</think>Two, aloud.\n</think>\nYes.", "Yes.", "One.Two, aloud.\n"},
    // Harmony.
    {"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
     "Yes.", "Hm."},
    {"<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>\n<|start|>assistant<|channel|>"
     "commentary<|message|>I "
     "look.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
     "I look.Yes.", "Hm."},
    {"analysisThe user asks.assistantfinalYes.", "Yes.", "The user asks."},
    {"analysis\nThe user asks.\nassistantfinal\nYes.", "Yes.", "\nThe user asks.\n"},
    {"analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "Yes.",
     "Hm."},
    {"<|channel|>analysis<|message|>Hm.assistantfinalYes.", "Yes.", "Hm."},
    {"<thinking_process>Hm.</thinking_process>Yes.", "Yes.", "Hm."},
    {"Analysis of it: yes.", "Analysis of it: yes.", ""},
    {"analysis of it: yes.", "analysis of it: yes.", ""},
    {"analysisWe look.assistantanalysisStill.assistantfinalYes.", "Yes.",
     "We look.assistantanalysisStill."},
    {"<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|>",
     "<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|>", ""},
    // Kimi K3's.
    {"<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>Yes.<|close|>response"
     "<|sep|><|close|>message<|sep|>",
     "Yes.", "Hm."},
    // Prose about them, code, and edits with them in it; a model that speaks of itself thinks.
    {"For example, R1 writes\n\n<think>\nHm.\n</think>\n\nbefore it answers.",
     "For example, R1 writes\n\n<think>\nHm.\n</think>\n\nbefore it answers.", ""},
    {"The syntax is:\n\n<|channel|>analysis<|message|>Hm.<|end|>\n\nThat is all.",
     "The syntax is:\n\n<|channel|>analysis<|message|>Hm.<|end|>\n\nThat is all.", ""},
    {"Let me look at the syntax:\n\n<think>\nHm.\n</think>\n\nYes.",
     "Let me look at the syntax:\n\nYes.", "\nHm.\n"},
    {"The template fails.\n\n<think>\nHm.\n</think>\n\nYes.", "The template fails.\n\nYes.",
     "\nHm.\n"},
    {"The <think> tag opens a thought, </think> ends it.",
     "The <think> tag opens a thought, </think> ends it.", ""},
    {"`<think>` and `</think>` mark thoughts.\nMore.",
     "`<think>` and `</think>` mark thoughts.\nMore.", ""},
    {"<think> and </think> mark thoughts.", "<think> and </think> mark thoughts.", ""},
    {"Models write:\n\n```\n<think>\nHm.\n</think>\nYes.\n```\n\nThat is all.",
     "Models write:\n\n```\n<think>\nHm.\n</think>\nYes.\n```\n\nThat is all.", ""},
    {"p.md\n<<<<<<< SEARCH\n<think>\n=======\n</think>\n>>>>>>> REPLACE\nDone.",
     "p.md\n<<<<<<< SEARCH\n<think>\n=======\n</think>\n>>>>>>> REPLACE\nDone.", ""},
    {"--- a/p.md\n+++ b/p.md\n@@ -1,2 +1,2 @@\n <think>\n-</think>\n+x</think>\n",
     "--- a/p.md\n+++ b/p.md\n@@ -1,2 +1,2 @@\n <think>\n-</think>\n+x</think>\n", ""},
    {"*** Begin Patch\n*** Add File: p.md\n+<think>\n+a</think>\n*** End Patch\n",
     "*** Begin Patch\n*** Add File: p.md\n+<think>\n+a</think>\n*** End Patch\n", ""},
    {"analysis of the code: it works.", "analysis of the code: it works.", ""},
    {"a < b and c[0] is <b>bold</b>.", "a < b and c[0] is <b>bold</b>.", ""},
    {"<function=edit>\n<parameter=new_str>\n<think>\n</think>\n</parameter>\n</function>\n",
     "<function=edit>\n<parameter=new_str>\n<think>\n</think>\n</parameter>\n</function>\n", ""},
};

}  // namespace

TEST_CASE("thoughts are told from words, in one piece and cut anywhere") {
  for (const Case& one : kCases) {
    CAPTURE(one.reply);
    bool is_read_backwards = false;
    ThoughtReader whole({{}, {}, [&] { is_read_backwards = true; }});
    whole.add(one.reply);
    whole.finish();
    const auto parts = parts_of_reply(one.reply);
    CHECK(joined(parts, false) == one.words);
    CHECK(joined(parts, true) == one.thoughts);
    for (size_t piece = 1; piece < one.reply.size(); ++piece) {
      std::string words, thoughts;
      ThoughtReader reader({[&](std::string_view text) { words += text; },
                            [&](std::string_view text) { thoughts += text; },
                            {}});
      for (size_t i = 0; i < one.reply.size(); i += piece) reader.add(one.reply.substr(i, piece));
      reader.finish();
      CAPTURE(piece);
      CHECK(joined(reader.parts(), false) == joined(parts, false));
      CHECK(joined(reader.parts(), true) == joined(parts, true));
      if (is_read_backwards) continue;  // it has been shown as words
      CHECK(words == one.words);
      CHECK(thoughts == one.thoughts);
    }
  }
}

TEST_CASE("words keep their lines where thoughts are taken out") {
  const std::string reply = "<think>\n" + std::string(kBlock) + "\nNo.\n</think>\n\nYes.\n";
  const std::string words = words_in_place(reply);
  CHECK(words.find("SEARCH") == std::string::npos);
  CHECK(std::count(words.begin(), words.end(), '\n') ==
        std::count(reply.begin(), reply.end(), '\n'));
  CHECK(words.ends_with("\nYes.\n"));
  CHECK(words_in_place(kBlock) == kBlock);
}
