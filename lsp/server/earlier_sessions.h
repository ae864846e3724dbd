// EarlierSessions: the server's exchange with the history: sessions and proposals of earlier runs,
// when the user names them, and each proposal as it changes. Main thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/history/history.h"
#include "agent/history/lease.h"
#include "edits/plan/report.h"
#include "lsp/review/proposal_applier.h"
#include "lsp/server/router.h"
#include "lsp/sessions/asks.h"

namespace bodkin::lsp {

class EarlierSessions {
 public:
  EarlierSessions(EventLoop& loop, History& history, const Documents& documents, Asks& asks,
                  Proposals& proposals, ProposalApplier& applier)
      : loop_(loop),
        history_(history),
        documents_(documents),
        asks_(asks),
        proposals_(proposals),
        applier_(applier) {}
  void serve(Router& router);

  using Then = std::function<void(const Result<std::string>& id)>;
  // Makes the session known to Asks: at once if it is, or the id is empty. Errors, for the user:
  // not_found, invalid_input (it belongs to another workspace), unavailable.
  void find_session(const std::string& id, const Then& then);
  // The same for a proposal. Without an id: for the one that was applied last, by any process,
  // whether or not it can be undone now. It is up to date.
  void find_proposal(const std::string& id, const Then& then);
  // Takes into account what other programs have undone of a proposal that was applied here.
  void bring_up_to_date(const std::string& id, const Then& then);
  // Why the newest change, which has this id, cannot be undone, with the id of the one before it,
  // which is undone only by that.
  void name_older(const std::string& id, const Error& why,
                  const std::function<void(const Error&)>& then);
  // Takes the last undo of an earlier run or by another process, unless this one has put something
  // aside since. The id that `then` gets is empty: Proposals knows which one it is.
  void find_undone(const Then& then);
  void keep(const Proposal& proposal);
  // Notes that an edit is about to be sent (ProposalApplier::offering), and waits until that is on
  // the disk, a second at most.
  void keep_offer(const Proposal& proposal);
  void forget(const std::string& id);  // a proposal
  // HandedEdits::is_on_its_way. Any thread; blocks, a second at most.
  bool is_on_its_way(const std::string& id, const std::string& folder,
                     const std::vector<ChangedFile>& files);
  // Shows the proposals of earlier runs that still wait for the user, unless another server has
  // this workspace, or no folder is open. Once, when the editor is ready.
  void restore_open();

 private:
  void restore_open(int tries);
  void take_lease();
  std::string workspace_of(const Proposal& proposal) const;  // ProposalRow's
  void reply_with_last(const std::string& id, const Error& error, const Then& then);
  void list(Reply reply);
  void read(const std::string& id, Reply reply);  // kReadSession
  // Loads a session of this workspace. Errors, for the user: as find_session().
  void load(const std::string& id, const std::function<void(Result<LoadedSession>)>& then);
  // Changes a session of this workspace in the history. Errors, for the user: as find_session().
  void change(const std::string& id, Reply reply, std::function<void(HistoryStore&)> change);

  EventLoop& loop_;
  History& history_;
  const Documents& documents_;
  Asks& asks_;
  Proposals& proposals_;
  ProposalApplier& applier_;
  std::unique_ptr<Lease> lease_;  // for the workspace whose proposals are ours
};

}  // namespace bodkin::lsp
