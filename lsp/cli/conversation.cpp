#include "lsp/cli/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "agent/context/slash_commands.h"
#include "agent/history/history.h"
#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/conversation_words.h"
#include "lsp/cli/line_editor.h"
#include "lsp/cli/model_choice.h"
#include "lsp/cli/own_process.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/cli/typed_ahead.h"
#include "lsp/cli/typed_requests.h"
#include "lsp/cli/user_command.h"
#include "lsp/folder/undo.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/confined_folder.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin {

namespace {

// Prints what these proposals of the history, the first one first, have changed and what is still
// there, as one diff. Says if it leaves out lines that somebody has changed since.
void print_changes_of(const std::vector<std::string>& proposals, const std::string& root) {
  const auto folder = ConfinedFolder::open(root);
  if (!folder) return say(folder.error().message);
  auto store = HistoryStore::open(history_path(), Database::Access::read_only);
  if (!store) return say(history_path() + ": " + store.error().message);
  // Undoes them in memory, the last one first: the differences then are what they have changed.
  std::map<std::string, std::optional<Text>> undone;
  std::string left_out;
  const FilesNow disk = files_now(*folder);
  const FilesNow now{[&](const std::string& path) {
                       const auto known = undone.find(path);
                       return known == undone.end() ? disk.read(path) : known->second;
                     },
                     [&](const std::string& path) {
                       const auto known = undone.find(path);
                       return known == undone.end() ? disk.exists(path) : known->second.has_value();
                     }};
  const Roots roots{{"workspace", folder->path()}};
  for (const std::string& id : std::views::reverse(proposals)) {
    auto proposal = proposal_of(store->load_proposal(id, ""));
    if (!proposal) {
      left_out = id + ", which is not in the history";
      continue;
    }
    auto plan = plan_undo(*std::move(proposal), roots, now);
    if (plan && !plan->why_left_out.empty()) left_out = plan->why_left_out;
    if (!plan && plan.error().code == Error::Code::stale) left_out = plan.error().message;
    if (!plan) continue;
    for (ChangedFile& file : plan->files) {
      if (file.rename_to) undone[file.path].reset();
      undone[file.last_path()] = std::move(file.after);
    }
  }
  std::string diff;
  for (const auto& [path, text] : undone) {
    const std::optional<Text> there = disk.read(path);
    const bool is_same =
        there.has_value() == text.has_value() && (!there || there->str() == text->str());
    if (!is_same) diff += diff_of({.path = path, .before = text, .after = there});
  }
  print_diff(diff, stdout);
  std::fflush(stdout);
  if (!left_out.empty()) say("Left out: " + plain_line(left_out));
  if (diff.empty() && left_out.empty()) say("Nothing of what was changed here is left.");
}

namespace fs = std::filesystem;

std::string folder_name(const fs::path& root) {
  std::error_code error;
  const fs::path whole = os::canonical(root, error);
  return error || whole.filename().empty() ? os::text_of(root) : os::text_of(whole.filename());
}

ModelSettings model_settings_of(const AskCommand& options) {
  return lsp::user_model_settings(options.provider, options.endpoint, options.model);
}

// The requests and commands of one conversation; each runs in a process of its own.
class Talk {
 public:
  Talk(const AskCommand& options, fs::path root)
      : options_(options), root_(std::move(root)), next_(options) {
    next_.in_conversation = true;
  }

  void greet() const {
    const std::string model =
        in_process_of_its_own([&] { return model_in_words(model_settings_of(next_)); });
    if (!model.empty()) print_folded("Model: " + model);
    print_folded("Say what to change in " + shown_name(folder_name(root_)) +
                 "/, or ask a question; Enter sends it.");
    print_folded("/help: commands and keys; Ctrl-D: quit; bodkin --help: the other commands");
  }

  // False: it is the end.
  bool take(const std::string& request) {
    const size_t blank = request.find_first_of(" \n\t");
    const std::string word = request.substr(0, blank);
    const std::string rest =
        blank == request.npos ? "" : request.substr(request.find_first_not_of(" \n\t", blank));
    if (word == "/quit" || word == "/exit" || request == "exit" || request == "quit") return false;
    if (word == "/help" || request == "?") {
      show_conversation_help();
    } else if (request.starts_with('!')) {
      run(request.substr(1));
    } else if (word == "/new" || word == "/clear" || word == "/session") {
      change_session(word != "/session", rest);
    } else if (word == "/undo" || word == "/redo") {
      undo(word == "/redo", rest);
    } else if (word == "/drop") {
      drop_output();
    } else if (word == "/diff") {
      show_changes();
    } else if (word == "/model") {
      choose_model(rest);
    } else if (word == "/trust") {
      in_process_of_its_own([&] { return trust_command(os::text_of(root_)), ""; });
    } else if (std::string nothing;
               rest.empty() && word != "/commit" && slash_command_in(word, nothing)) {
      say(fmt::format("Say which code: {} @FILE, or {} and words", word, word));
    } else if (is_unknown_command(word)) {
      say("There is no command " + word + "; /help lists them.");
    } else {
      ask(request);
    }
    return true;
  }

  // The beginning of the next request: what was typed while the last one ran.
  std::string take_typed() { return std::exchange(typed_, {}); }

 private:
  void run(const std::string& command) {
    if (command.find_first_not_of(" \n\t") == command.npos)
      return say("Say which command: !make test");
    next_.output +=
        in_process_of_its_own([&] { return output_of_command(command, os::text_of(root_)); });
    // The user sees what would go with it before anything typed meanwhile is sent.
    TypedAhead ahead;
    ahead.end();
    typed_ = ahead.text();
  }

  void drop_output() {
    say(next_.output.empty() ? "No output of a command is waiting for your next request."
                             : "Your next request goes without the output of your commands.");
    next_.output.clear();
  }

  void change_session(bool is_new, const std::string& id) {
    if (!is_new && id.empty()) {
      in_process_of_its_own(
          [&] { return history_command({.sessions_of = os::text_of(root_)}), ""; });
      return;
    }
    AskCommand wanted = next_;
    wanted.session = id;
    const std::string found =
        is_new ? "" : in_process_of_its_own([&] { return session_to_go_on(wanted); });
    if (!is_new && found.empty()) return;
    next_.session = found;
    dropped_.clear();
    say((is_new ? "The next request begins another session"
                : "The next request continues the session " + found) +
        (next_.output.empty() ? "." : ", without the output of your commands."));
    next_.output.clear();
  }

  void undo(bool redo, const std::string& id) {
    UndoCommand command{.root = options_.root, .redo = redo, .in_conversation = true};
    const std::string what = redo && id.empty() ? dropped_ : id;
    if (!what.empty()) command.words = {what};
    dropped_.clear();
    const std::string changed = in_process_of_its_own([&] {
      std::string done;
      undo_command(command, &done);
      return done;
    });
    if (!redo || changed.empty()) return;
    std::erase(applied_, changed);
    applied_.push_back(changed);
  }

  void show_changes() {
    if (applied_.empty()) return say("This conversation has applied no changes.");
    in_process_of_its_own([&] { return print_changes_of(applied_, os::text_of(root_)), ""; });
  }

  void choose_model(const std::string& name) {
    if (!name.empty()) {
      next_.model = name;
      next_.goes_on = false;  // its price may be known
      const std::string model =
          in_process_of_its_own([&] { return model_in_words(model_settings_of(next_)); });
      return say("The next request goes to " + (model.empty() ? plain_line(name) : model) +
                 "; /model keeps a choice.");
    }
    const std::string is_chosen = in_process_of_its_own([&] {
      const auto own = lsp::user_settings();  // first: what changes now is noticed
      const auto model = choose_model_in_terminal(own, lsp::user_model_settings("auto", ""),
                                                  model_settings_of(next_), {}, true);
      return model && !model->empty() ? "chosen" : "";
    });
    if (is_chosen.empty()) return;
    next_.provider.clear(), next_.endpoint.clear(), next_.model.clear();
    next_.goes_on = false;
  }

  void ask(const std::string& request) {
    next_.prompt = request;
    const std::string ended = in_process_of_its_own([&] {
      AskIds ids;
      ask_command(next_, &ids);
      return fmt::format("{}\n{}\n{}\n{}\n{}", ids.session, ids.dropped, ids.applied,
                         ids.knows_off ? "off" : "", ids.typed);
    });
    std::string lines[4];  // of `ended`
    size_t at = 0;
    for (std::string& line : lines) {
      const size_t end = std::min(ended.find('\n', at), ended.size());
      line = ended.substr(std::min(at, end), end - std::min(at, end));
      at = std::min(end + 1, ended.size());
    }
    typed_ = ended.substr(at);
    if (!lines[0].empty()) next_.session = lines[0], next_.goes_on = true;
    if (!lines[1].empty()) dropped_ = lines[1];
    if (!lines[2].empty()) applied_.push_back(lines[2]);
    next_.knows_off |= !lines[3].empty();
    // These were of this request.
    next_.files.clear(), next_.images.clear(), next_.output.clear();
    next_.plan = false;
  }

  const AskCommand& options_;
  const fs::path root_;
  AskCommand next_;      // the next request's
  std::string dropped_;  // the proposal that /redo applies; empty: what was undone last
  std::vector<std::string> applied_;  // proposals, the first one first
  std::string typed_;
};

}  // namespace

bool begins_conversation(const AskCommand& options) {
  return options.prompt.empty() && !options.diff && !options.json && !options.yes &&
         !options.choose && options.record.empty() && can_ask_user() && os::is_terminal(1);
}

int converse(const AskCommand& options) {
  if (const auto valid = check_names(options); !valid) return say(valid.error().message), 2;
  const fs::path root = root_of(options);
  std::error_code error;
  if (!fs::is_directory(root, error)) return say("There is no folder " + os::text_of(root)), 2;
  LineEditor editor([&](const std::string& word, bool is_first) {
    return completions_of(word, is_first, os::text_of(root));
  });
  const std::string folder = os::text_of(os::canonical(root, error));
  const double days = lsp::history_limits(lsp::own_settings()).days;
  for (const std::string& request : typed_requests(folder, days)) editor.remember(request);
  Talk talk(options, root);
  talk.greet();
  while (auto request = editor.read(talk.take_typed())) {
    request->erase(0, std::min(request->find_first_not_of(" \n\t"), request->size()));
    request->erase(request->find_last_not_of(" \n\t") + 1);
    if (request->empty()) continue;
    if (days > 0) keep_typed_request(folder, *request);
    if (!talk.take(*request)) break;
    put(stderr, "\n");
  }
  return 0;
}

}  // namespace bodkin
