// ProposalApplier: sends the editor the edit of a proposal, or what takes it back, and follows the
// texts until they say what came of it. `applied: true` is not believed (lsp/README.md, "Facts").
// Main thread only.
#pragma once

#include <functional>
#include <map>

#include "agent/rpc/event_loop.h"
#include "lsp/editor/client.h"
#include "lsp/review/proposal_presenter.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class ProposalApplier {
 public:
  // Compares what is new in `proposals` with the texts from its construction on.
  ProposalApplier(EventLoop& loop, Client& editor, const Documents& documents,
                  const Capabilities& client, Proposals& proposals, ProposalPresenter& presenter);

  // Called when an apply is asked for (before anything is sent), when its texts are in place, and
  // when nothing of them is any more.
  std::function<void(const Proposal&)> applying, applied, undone;
  std::function<void(const std::string& id)> not_applied;  // it ended otherwise, or is forgotten

  // By an id, or none (Proposals::chosen); for `undo` none is what was applied last. Errors, for
  // the person: not_found, unavailable, stale; then nothing happens. What was undone is over, but
  // `apply` with its id does it again.
  Result<void> apply(const std::string& id, const std::vector<size_t>* only);
  Result<void> undo(const std::string& id);

  // From the documents; `changes` are what Documents::change returned.
  void document_changed(const std::string& uri, const std::vector<Replacement>& changes);
  void document_opened(const std::string& uri);

 private:
  struct Watch {
    std::vector<size_t> targets;
    bool undo = false;
    bool answered = false;
    std::string reason;  // the editor's, if it refused
    std::vector<std::pair<FileInFolder, Text>> expected;
    EventLoop::Clock::time_point deadline;
    uint64_t sent = 0;    // its number
    uint64_t events = 0;  // what happened since, so that an old timer knows that it is old
  };

  void bring_up_to_date(Proposal& proposal);
  // Error: the editor may still make an edit of one of these files. With two on their way, the
  // second would be made at places that the first has moved.
  Result<void> check_in_flight(const Proposal& proposal);
  void apply_now(const std::string& id, const std::vector<size_t>* only);
  void read_from_disk_again(Proposal& proposal);
  void send_edit(Proposal& proposal, Json edit, Watch watch);

  // apply_watch.cpp
  void follow(Proposal& proposal, ProposedFile& file, const std::vector<Replacement>& changes);
  bool is_renamed_back(const std::string& id, const ProposedFile& file) const;
  void reconsider(const std::string& id);
  void reconsider_all();
  void decide(const std::string& id, bool is_last_look);
  void read_unopened_result(Proposal& proposal);
  // Without a state: what the hunks say.
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
    std::vector<size_t> hunks;  // that the editor may still place, or take back
    bool undo = false;
  };
  std::map<std::string, Flight> in_flight_;  // by proposal
  uint64_t sent_ = 0;
};

}  // namespace bodkin::lsp
