// AskRun: one `bodkin ask`, from the request to the written files. The model works on a draft; the
// files change when the user says so, through the same writer as `bodkin apply`.
#pragma once

#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "agent/support/shown_text.h"
#include "lsp/cli/ask_recording.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/folder/ask_folder.h"
#include "lsp/folder/ask_history.h"
#include "lsp/server/ending_signals.h"
#include "lsp/sessions/ask_session.h"

namespace bodkin {

class AskRun {
 public:
  enum Code { done = 0, failed = 1, usage = 2, limit = 3, cancelled = 130 };

  // `ahead`: see AskScreen.
  AskRun(const AskCommand& options, ConfinedFolder folder, TypedAhead* ahead)
      : options_(options),
        screen_(ahead),
        folder_(std::move(folder), [this](const std::string& words) { say_aside(words); }),
        editor_(screen_, can_ask_user()),
        ending_([this](int) {
          stop_.request_stop();
          end_questions();
        }) {}
  ~AskRun() {
    constexpr std::chrono::seconds kTitlePatience{2};
    if (has_title_.valid() && !stop_.stop_requested()) has_title_.wait_for(kTitlePatience);
  }

  int run(AskRequest request);
  bool has_begun() const { return has_begun_; }
  AskIds ids() {
    if (!has_begun_ || !history_->is_kept()) return {};
    return {.session = history_->session(),
            .dropped = can_be_undone_ ? "" : proposal_,
            .applied = can_be_undone_ ? history_->proposal() : "",
            .knows_off = is_off_said_};
  }

 private:
  bool prepare(AskRequest& request);
  bool choose_its_model();
  void make_title_in_background();
  // Each of these returns the exit code, or that the ask goes on with another request.
  static constexpr int kRefined = -1;
  int end_cancelled(const Outcome& outcome);
  int end_without_changes(const Outcome& outcome);
  int end_with_changes(const Outcome& outcome);
  int decide(Outcome outcome);

  Outcome ask_model(const std::string& id);
  bool begin_refinement(const Outcome& outcome, bool is_lost);
  enum class Since { same, moved, lost };
  Since follow_files(Outcome& outcome);
  int drop(const char* word, int code);
  void print_redo();
  void print_way_on(const Outcome& outcome);
  void print_proposal(const Outcome& outcome) const;
  int write(const Outcome& outcome, const std::vector<ChangedFile>& files);
  int write_whole(Outcome& outcome);
  bool is_wanted_anyway(Outcome& outcome, const std::string& why);
  int write_part(Outcome& outcome, const std::vector<ChangedFile>& files);
  void print_end(const Outcome& outcome, const std::vector<ChangedFile>& files, bool written);
  void print_words(const Outcome& outcome) const;
  void print_way_to_another_model() const;
  void say_aside(const std::string& words) {
    screen_.pause();
    say(plain_line(words));
  }
  Task task();
  Spent spent() const { return spent_since(before_, session_->conversation.spent); }
  // The same for display: an unknown price is mentioned once in a conversation.
  Spent shown_spent() const {
    Spent shown = spent();
    if (options_.goes_on && !shown.cost_usd) shown.cost_usd = 0;
    return shown;
  }
  std::string effort_in_words() const { return in_words(shown_spent(), screen_.time()); }
  // A command that can be typed now.
  std::string command(std::string_view in_conversation, std::string_view in_shell) const {
    return std::string(options_.in_conversation ? in_conversation : in_shell);
  }

  const AskCommand& options_;
  AskScreen screen_;
  AskFolder folder_;
  TerminalEditor editor_;
  std::stop_source stop_;

  std::unique_ptr<lsp::EditorWorkspace> workspace_;
  std::optional<AskHistory> history_;
  std::optional<AskSession> session_;
  AskSetup setup_;
  Spent before_;  // by the session's earlier asks
  Ask ask_;
  bool has_begun_ = false;
  bool takes_ = false;                     // the changes are written without a question
  bool may_decide_ = false;                // the user is asked about them
  bool can_be_undone_ = false;             // what was written
  bool is_off_said_ = options_.knows_off;  // that no command runs here
  std::string not_written_;                // why nothing was, for the user
  std::optional<Outcome> proposed_;        // what the user was last asked about, or is to see
  std::string proposal_;                   // its id in the history
  nlohmann::json recorded_;                // the request, for --record
  std::unique_ptr<AskRecorder> recorder_;
  std::future<void> has_title_;
  std::jthread title_thread_;  // stopped and joined before what it uses is gone
  EndingSignals ending_;       // last: it uses the others
};

}  // namespace bodkin
