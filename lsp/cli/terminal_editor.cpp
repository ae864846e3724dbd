#include "lsp/cli/terminal_editor.h"

#include <algorithm>
#include <cstdio>

#include "agent/support/shown_text.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"

namespace bodkin {

// Makes a sentence of a message that others print after the name of their program.
void say(std::string_view message) {
  std::string words(message);
  const std::string_view first = message.substr(0, message.find_first_of(" :"));
  const bool is_word = std::ranges::all_of(first, [](char c) { return c >= 'a' && c <= 'z'; });
  if (is_word && !words.empty()) words[0] = static_cast<char>(words[0] - 'a' + 'A');
  say_sentence(words);
}

void say_sentence(std::string_view sentence) { say_as("ask", sentence); }

Result<Decision> TerminalEditor::permit(const Permission& permission, const Task& task) {
  if (!may_ask_) {
    screen_.pause();
    return fail(Error::Code::unavailable,
                "there is no terminal to ask in (bodkin.agent.permissions)");
  }
  const bool is_shown = screen_.take_over(plain_line(permission.title));
  screen_.pause();
  const bool is_limit = permission.kind == "limit";
  print_question(permission, is_shown);
  std::string question = "Allow it? [y]es", keys = "yn?";
  if (permission.longest >= Decision::session) question += ", for this [s]ession", keys += "sa";
  if (permission.longest >= Decision::workspace) question += " or [w]orkspace", keys += 'w';
  question += ", [n]o, no, with a [r]eason ";
  if (is_limit) {
    question = plain_line(permission.title) + " [y]es, [n]o ";
  } else {
    keys += 'r';
  }
  char key = '\0';
  while ((key = ask_for_key(question, keys, 'n', "saw")) == '?') explain_choices(permission);
  Decision decision = key == 'y'                 ? Decision::once
                      : key == 's' || key == 'a' ? Decision::session
                      : key == 'w'               ? Decision::workspace
                                                 : Decision::reject;
  if (key == 'w')
    print_folded("Allowed in this workspace from now on; to revoke it, remove it from " +
                 permission.kept_in + ".");
  if (key == 'r') decision.reason = ask_for_line("Why not? ").value_or("");
  if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
  return decision;
}

void TerminalEditor::print_question(const Permission& permission, bool is_shown) const {
  const std::string title = plain_line(permission.title);
  if (permission.kind == "limit") {
    put(stderr, "\n" + folded(plain_line(permission.detail)) + "\n");
    return;
  }
  if (permission.kind == "edit") {
    put(stderr, "\n" + folded(title) + "\n");
    print_diff(permission.detail, stderr);
    return;
  }
  // A command of one line is in the title.
  const bool is_in_title = permission.title.ends_with(" " + permission.detail);
  std::string words = title;
  if (permission.kind == "run") {
    words = permission.is_confined ? "The model wants to run (sandbox, no network):"
                                   : "The model wants to run:";
    if (is_in_title && !is_shown) words += " " + plain_line(permission.detail);
    if (is_in_title && is_shown) words.back() = '.';  // it is in the line above
  }
  put(stderr, "\n" + folded(words) + "\n");
  if (!permission.detail.empty() && !is_in_title) put(stderr, permission.detail + "\n");
}

void TerminalEditor::explain_choices(const Permission& permission) const {
  if (permission.kind == "limit") {
    put(stderr, "y  continue, with the same limit again\nn  stop here, and keep what there is\n");
    return;
  }
  const bool is_action = permission.kind == "run" || permission.kind == "mcp";
  const std::string same = permission.kind == "run" ? "exactly this command"
                           : is_action              ? "this tool"
                                                    : "what the same rule asks about";
  std::string words = "y  yes, this time\n";
  if (permission.longest >= Decision::session)
    words += "s  yes, and " + same + " is not asked about again in this session\n";
  if (permission.longest >= Decision::workspace)
    words += "w  yes, and " + same + " is never asked about again in this folder; it is kept in " +
             permission.kept_in + ", where you can remove it\n";
  words +=
      "n  no, and the ask ends with what it has\n"
      "r  no, and the model is told why, and goes on\n";
  put(stderr, folded(words, 3));
}

Result<std::string> TerminalEditor::ask_words(const std::string&, const Task& task) {
  screen_.pause();
  if (!may_ask_) return fail(Error::Code::unavailable, "Mode \"human\" needs a terminal.");
  // Pasted text may have several lines, none of which may run by itself.
  print_folded(
      "Your turn: an edit of any format, which ends with a line that is only \".\" or with Ctrl-D; "
      "!COMMAND; or just Enter to finish.");
  std::string words;
  for (const char* prompt = "> "; auto line = ask_for_line(prompt, true); prompt = ". ") {
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
