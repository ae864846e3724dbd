// ProposalApplier: sends the edit of a proposal, or its reverse, to the editor, and watches the
// texts until they show the outcome. `applied: true` is not believed (lsp/README.md, "Facts"). Main
// thread only.
#pragma once

#include <functional>
#include <map>

#include "agent/rpc/event_loop.h"
#include "lsp/editor/client.h"
#include "lsp/review/final_check.h"
#include "lsp/review/proposal_presenter.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class ProposalApplier {
 public:
  // From now on, new proposals are compared with the current texts.
  ProposalApplier(EventLoop& loop, Client& editor, const Documents& documents,
                  const Capabilities& client, Proposals& proposals, ProposalPresenter& presenter);

  // Called when an apply is requested (before anything is sent), when its texts are in place, and
  // when none of them is any longer.
  std::function<void(const Proposal&)> applying, applied, undone;
  // An edit is about to be sent: the hunks that are offered, as their files' offers say.
  std::function<void(const Proposal&)> offering;
  std::function<void(const std::string& id)> not_applied;  // it failed, or was forgotten

  // By id, or without one (Proposals::chosen; `undo`: the last applied). Errors, for the user:
  // not_found, unavailable, stale; then nothing happens. An undone proposal is finished, but
  // `apply` with its id applies it again. Both return the paths of the files that stay as they are,
  // because they have changed since: redoing is by file, too. `is_newest`: the user has named none,
  // and is told which one it was, unless this editor has applied it last.
  Result<std::vector<std::string>> apply(const std::string& id, const std::vector<size_t>* only,
                                         bool is_newest = false);
  Result<std::vector<std::string>> undo(const std::string& id, bool is_newest = false);
  // Applies undone changes again, or proposes discarded ones again. Without an id: the last of
  // both.
  struct Redone {
    std::string id;
    bool is_applying = false;  // else it can be taken again
    std::vector<std::string> left_out;
  };
  Result<Redone> redo(const std::string& id);
  // Takes into account what other programs have done meanwhile to its files that are not open, and
  // when they did, as `kept`, its record in the history, says; null: there is none. Of open files,
  // only what the editor says counts.
  void bring_up_to_date(const std::string& id, const Proposal* kept);
  // Whether the editor's text of an open file has changes of the proposal.
  bool is_in_open_file(const Proposal& proposal) const;
  // The same edit, for an editor that applies it itself (code actions); the texts then show what it
  // does. Errors, for the user: unavailable, stale; the proposal shows why.
  Result<Json> edit_of(const std::string& id, const std::vector<size_t>* only);
  // Takes a proposal of an earlier run, as it was kept then: compares it with the current texts.
  // `shown`: the user sees it, if it is open.
  void restore(Proposal proposal, bool shown);

  // Called by the documents; `changes` are what Documents::change returned.
  void document_changed(const std::string& uri, const std::vector<Replacement>& changes);
  void document_opened(const std::string& uri);
  // On the disk.
  void files_changed(const std::vector<std::string>& uris);

 private:
  struct Watch {
    std::vector<size_t> targets;
    bool undo = false;
    std::string why_left_out;  // of files that stay as they are, for the user
    std::string which;         // ": “Wider” (a.c)", if the user must be told; else empty
    bool answered = false;
    std::string reason;  // the editor's, if it refused
    std::vector<std::pair<FileInFolder, Text>> expected;
    EventLoop::Clock::time_point deadline;
    uint64_t sent = 0;    // its number
    uint64_t events = 0;  // since then; tells a timer whether it is outdated
  };

  void rebase(Proposal& proposal);
  // Error: the editor may still be applying an edit of one of these files. A second one would land
  // at places that the first has moved.
  Result<void> check_in_flight(const Proposal& proposal);
  // The chosen one, if the editor can be sent an edit of it now. Errors as apply().
  Result<Proposal*> editable(const std::string& id, const std::vector<size_t>* only);
  void apply_now(const std::string& id, const std::vector<size_t>* only,
                 const std::string& why_left_out, const std::string& which);
  void take(Proposal& proposal, const NotSent& why);
  void send_edit(Proposal& proposal, Json edit, Watch watch);

  // apply_watch.cpp
  std::string which(const Proposal& proposal, bool is_newest) const;
  bool is_own(const Proposal& proposal, const ProposedFile& file, const ProposedHunk& hunk) const;
  // The file was tracked, or has become the text `unseen` before anyone looked.
  void follow(Proposal& proposal, ProposedFile& file, bool has_changed,
              const Text* unseen = nullptr);
  bool is_renamed_back(const std::string& id, const ProposedFile& file) const;
  void reconsider(const std::string& id);
  void reconsider_all();
  void decide(const std::string& id, bool is_last_look);
  std::string done_in_words(const Proposal& proposal, const Watch& watch) const;
  void read_unopened_result(Proposal& proposal, bool did_apply);
  // If there is no state, it is derived from the hunks.
  void finish(const std::string& id, std::optional<Proposal::State> state,
              const std::string& message);

  EventLoop& loop_;
  Client& editor_;
  const Documents& documents_;
  const Capabilities& client_;
  Proposals& proposals_;
  ProposalPresenter& presenter_;
  std::map<std::string, Watch> watches_;  // by proposal
  struct Flight {
    std::vector<size_t> hunks;  // that the editor may still apply, or undo
    bool undo = false;
  };
  std::map<std::string, Flight> in_flight_;  // by proposal
  uint64_t sent_ = 0;
};

}  // namespace bodkin::lsp
