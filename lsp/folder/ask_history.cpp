#include "lsp/folder/ask_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "lsp/review/landing.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/proposal_news.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin {

namespace {

constexpr std::chrono::seconds kLastWrite{2};
constexpr std::chrono::milliseconds kPatience{300};

}  // namespace

Proposal kept_proposal(const Outcome& outcome, const std::vector<ChangedFile>& files,
                       const ConfinedFolder& folder, bool is_written) {
  Proposal proposal;
  proposal.title = outcome.title;
  proposal.notes = notes_of(outcome);
  proposal.verification = verification_of(outcome);
  proposal.files = proposed_files(files, Roots{{"workspace", folder.path()}});
  if (is_written) proposal.made_folders = folders_to_make(folder, files);
  lsp::record_landings(proposal);
  for (ProposedFile& file : proposal.files) {
    if (is_written) become(file, offer_of(file, nullptr), ProposedHunk::State::applied);
    if (!is_written)
      for (ProposedHunk& hunk : file.hunks) hunk.state = ProposedHunk::State::discarded;
  }
  update_state(proposal);
  return proposal;
}

AskHistory::AskHistory(const HistoryLimits& limits, std::function<void(const std::string&)> told)
    : history_(history_path(), [this, told = std::move(told)](const std::string& sentence) {
        if (!resumes_) told(sentence);
      }) {
  history_.set_limits(limits);
}

Result<void> AskHistory::resume(const std::string& words, const Roots& roots, bool is_named,
                                Conversation& conversation) {
  const std::string workspace = roots.key();
  resumes_ = true;
  auto loaded = history_.read_now([&](HistoryStore& store) {
    const auto id = store.find_session(words, &workspace);
    auto found = id ? store.load_session(*id) : std::unexpected(id.error());
    if (const auto shown = id ? store.show_session(*id) : std::unexpected(id.error());
        shown && !shown->asks.empty())
      for (const ProposalRow& row : shown->asks.back().proposals)
        news_ += (news_.empty() ? "" : "\n") + news_of(row);
    if (!found && found.error().code == Error::Code::unavailable)
      found.error().message =
          "The history cannot be read (" + history_.path() + ": " + found.error().message + ").";
    return found;
  });
  if (!loaded && loaded.error().code == Error::Code::unavailable)
    return fail(Error::Code::unavailable, "No session can be resumed. " + loaded.error().message);
  if (!loaded) return std::unexpected(loaded.error());
  resumes_ = false;
  if (is_named && is_gone(loaded->workspace)) {
    history_.write(workspace.size(), [id = loaded->id, workspace](HistoryStore& store) {
      store.move_session(id, workspace);
    });
  } else if (!share_folder(loaded->workspace, workspace)) {
    std::string folders = loaded->workspace;
    std::ranges::replace(folders, '\n', ' ');
    return fail(Error::Code::invalid_input,
                "The session " + loaded->id +
                    (is_gone(loaded->workspace)
                         ? " belongs to " + folders +
                               ", which is not there any more; if it was moved, name the folder "
                               "with --root."
                         : " belongs to another folder: " + folders));
  }
  conversation = std::move(loaded->conversation);
  session_ = loaded->id;
  return {};
}

Result<std::string> AskHistory::begin(const Roots& roots, Conversation& conversation,
                                      const Task& task) {
  auto hold = SessionHold::take(&history_, session_, conversation, false, task);
  if (!hold) return std::unexpected(hold.error());
  hold_.emplace(*std::move(hold));
  workspace_ = roots.key();
  ++asks_;
  return ask_id();
}

std::string AskHistory::ask_id() const { return fmt::format("ask-{}-{}", asks_, run_id()); }

void AskHistory::keep(const Outcome& outcome, const ConfinedFolder& folder) {
  keep(kept_proposal(outcome, outcome.files, folder, false), false);
  hold_.reset();
}

Result<void> AskHistory::keep_written(Proposal written) {
  const bool is_lost = std::ranges::any_of(written.files, is_kept_in_part);
  keep(std::move(written), true);
  if (is_lost)
    return fail(Error::Code::unavailable,
                "This change cannot be undone later: something in it looks like a secret, which "
                "the history does not keep.");
  // The user knows already that nothing is kept at all.
  if (!history_.is_kept() || history_.written(kLastWrite) || !history_.is_kept()) return {};
  return fail(Error::Code::unavailable,
              "This change cannot be undone later: another program has locked the history.");
}

bool AskHistory::is_kept() {
  return history_.is_kept() && history_.written(kPatience) && history_.is_kept();
}

void AskHistory::set_title(const std::string& title) {
  history_.write(title.size(), [session = session_, title](HistoryStore& store) {
    store.set_title(session, title);
  });
}

std::string AskHistory::proposal() const { return fmt::format("p{}-{}", asks_, run_id()); }

void AskHistory::keep(Proposal made, bool is_written) {
  if (made.files.empty()) return;
  made.id = proposal();
  made.ask_id = ask_id();
  keep_proposal(history_, std::move(made), session_, workspace_, is_written);
}

}  // namespace bodkin
