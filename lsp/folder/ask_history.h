// AskHistory: `bodkin ask` and the history: the session it continues, and the outcome of its
// proposal.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/history.h"
#include "agent/history/session_hold.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

class AskHistory {
 public:
  // `told`: gets the reason for having no history, for the user; at most once, on any thread.
  AskHistory(const HistoryLimits& limits, std::function<void(const std::string&)> told);

  // Goes on with a session of an earlier run in this workspace: its id, the beginning of that, or
  // "last". If its folder no longer exists, it is moved to this one if `is_named`: the user says
  // that it is this one. Errors, for the user: not_found, invalid_input (it belongs to another
  // workspace), unavailable.
  Result<void> resume(const std::string& session, const Roots& roots, bool is_named,
                      Conversation& conversation);
  // The session's title, if it is a new one.
  void set_title(const std::string& title);
  // The id of the next ask. Until keep(), the session is ours. Error, for the user: unavailable
  // (another process has it).
  Result<std::string> begin(const Roots& roots, Conversation& conversation, const Task& task);
  // Keeps the outcome of the ask: its proposal, or the part of it that was written
  // (kept_proposal()). Error, for the user: unavailable (it cannot be undone later).
  void keep(const Outcome& outcome, const ConfinedFolder& folder);
  Result<void> keep_written(Proposal written);
  History& history() { return history_; }
  const std::string& session() const { return session_; }
  // For the model: the outcome of the last edits of the resumed session; or empty.
  const std::string& news() const { return news_; }
  bool is_kept();                // false: what was handed over is not, or not yet, there
  std::string proposal() const;  // the id of the last ask's

 private:
  void keep(Proposal made, bool is_written);
  std::string ask_id() const;

  std::atomic<bool> resumes_ = false;  // then why there is no history is the reason why it cannot
  History history_;
  std::optional<SessionHold> hold_;
  std::string session_ = run_id(), news_, workspace_;
  int asks_ = 0;
};

// The outcome of an ask as the history keeps it; its ids are the caller's. `files`: all of it, or
// the part that is written, which is examined before, if possible, for facts that the texts of
// removed files do not tell, and for the folders that are made. If it is not written, it was shown,
// and no editor shows it again.
Proposal kept_proposal(const Outcome& outcome, const std::vector<ChangedFile>& files,
                       const ConfinedFolder& folder, bool is_written);

}  // namespace bodkin
