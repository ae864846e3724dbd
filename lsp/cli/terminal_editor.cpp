#include "lsp/cli/terminal_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "agent/support/shown_text.h"
#include "lsp/cli/print_diff.h"

namespace bodkin {

// What is said to others, too, after the name of their program, becomes a sentence.
void say(std::string_view message) {
  std::string words(message);
  const std::string_view first = message.substr(0, message.find_first_of(" :"));
  const bool is_word = std::ranges::all_of(first, [](char c) { return c >= 'a' && c <= 'z'; });
  if (is_word && !words.empty()) words[0] = static_cast<char>(words[0] - 'a' + 'A');
  if (!words.empty() && !std::string_view(".!?").contains(words.back())) words += '.';
  say_sentence(words);
}

void say_sentence(std::string_view sentence) {
  put(stderr, folded("bodkin ask: " + std::string(sentence)) + "\n");
}

Result<Decision> TerminalEditor::permit(const Permission& permission, const Task& task) {
  screen_.pause();
  if (!may_ask_)
    return fail(Error::Code::unavailable,
                "there is no terminal to ask on (bodkin.agent.permissions)");
  // A command of one line stands in the title, and in the line above the question.
  const bool is_in_title = permission.title.ends_with(" " + permission.detail);
  const bool is_limit = permission.kind == "limit";
  const std::string title = plain_line(permission.title);
  if (is_limit) {
    put(stderr, "\n" + folded(plain_line(permission.detail)) + "\n");
  } else if (screen_.last_line() != title) {
    put(stderr, "\n" + folded(title) + "\n");
  }
  if (permission.kind == "edit") {
    print_diff(permission.detail, stderr);
  } else if (!is_limit && !permission.detail.empty() && !is_in_title) {
    put(stderr, permission.detail + "\n");
  }
  std::string question = "Allow it? [y]es", keys = "yn";
  if (permission.longest >= Decision::session) question += ", for this [s]ession", keys += "sa";
  if (permission.longest >= Decision::workspace) question += " or [w]orkspace", keys += 'w';
  question += ", [n]o, no with a [r]eason ";
  if (is_limit) {
    question = title + " [y]es, [n]o ";
  } else {
    keys += 'r';
  }
  const char key = ask_for_key(question, keys);
  Decision decision = key == 'y'                 ? Decision::once
                      : key == 's' || key == 'a' ? Decision::session
                      : key == 'w'               ? Decision::workspace
                                                 : Decision::reject;
  if (key == 'r') decision.reason = ask_for_line("Why not? ").value_or("");
  if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
  return decision;
}

Result<std::string> TerminalEditor::ask_words(const std::string&, const Task& task) {
  screen_.pause();
  if (!may_ask_) return fail(Error::Code::unavailable, "Mode \"human\" needs a terminal.");
  // What is pasted has several lines, none of which is to run by itself.
  put(stderr,
      folded("Your turn: an edit of any format, which ends with a line that is only \".\" or "
             "with Ctrl-D; !COMMAND; or just Enter to finish.") +
          "\n");
  std::string words;
  for (const char* prompt = "> "; auto line = ask_for_line(prompt); prompt = ". ") {
    if (words.empty() && (line->empty() || line->starts_with('!'))) {
      words = *line;
      break;
    }
    if (*line == ".") break;
    words += *line + "\n";
  }
  if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
  return words;
}

}  // namespace bodkin
