// HandedEdits: edits that `bodkin mcp` hands over (lsp/handover), so that the editor applies them
// although their files are open and unsaved there. Only in trusted folders, and for editors that
// apply versioned edits. An edit is a proposal that is applied at once: only to open files with
// exactly the texts that it was made for, watched until they show the outcome, and undone by
// bodkin.undo. Main thread only, except for the connections.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "edits/plan/report.h"
#include "lsp/handover/handover_messages.h"
#include "lsp/handover/runtime_socket.h"
#include "lsp/review/proposal_applier.h"
#include "lsp/server/folder_trust.h"
#include "lsp/server/run_policy.h"
#include "lsp/sessions/background_work.h"

namespace bodkin::lsp {

class HandedEdits {
 public:
  struct Dependencies {
    EventLoop& loop;
    const Documents& documents;
    const Capabilities& client;
    const FolderTrust& trust;
    const RunPolicy& policy;
    Proposals& proposals;
    ProposalApplier& applier;
    BackgroundWork& work;  // stopped before this is destroyed
    Log& log;
  };
  HandedEdits(const Dependencies& dependencies,
              std::function<std::shared_ptr<Workspace>()> workspace);
  ~HandedEdits();

  // Whether the log has a change of this id that is not yet known to be written, of that folder and
  // these files. Called on a connection's thread.
  std::function<bool(const std::string& id, const std::string& root,
                     const std::vector<ChangedFile>& files)>
      is_on_its_way;
  // A change in the log came to nothing: the code that logged it forgets it, too.
  std::function<void(const std::string& id)> given_up;

  void listen();  // for the folders as they are now; also after their trust has changed
  void close();
  void updated(const Proposal& proposal);  // its state or message has changed
  // A document's text may be the disk's now: it was opened, or saved.
  void loaded(const std::string& uri);
  void changed(const std::string& uri);  // or closed

 private:
  class Listener;
  struct Waiting {  // for what comes of a proposal
    std::vector<std::pair<FileInFolder, std::optional<Text>>> files;  // what each is to be
    std::vector<ChangedFile> drafts;
    std::string words;  // how it ended, once it is over
    std::function<void(handover::Answer)> give;
    bool sent = false, over = false;
  };
  struct EditorState {  // of the main thread, for a connection's
    std::shared_ptr<Workspace> workspace;
    Limits limits;
    bool moves_files;
    std::map<std::string, uint64_t> loaded;
  };

  void connected(const std::string& root, FileDescriptor connection);
  // On the connection's thread.
  void serve(const std::string& root, const FileDescriptor& connection, const Task& task);
  handover::Seen look(const std::string& root, const EditorState& now, const Task& task);
  handover::Answer accept(handover::Request request, const EditorState& now, const Task& task);

  // `files`: those of the request, under the workspace's names.
  void apply(const handover::Request& request, const std::vector<ChangedFile>& files,
             const std::function<void(handover::Answer)>& give);
  bool is_now(const ChangedFile& file) const;  // open, with this text before
  void conclude(const std::string& id);
  void give_up(const std::string& id, bool is_certain);  // whether nothing was changed

  const Dependencies deps_;
  const std::function<std::shared_ptr<Workspace>()> workspace_;
  std::map<std::string, std::unique_ptr<Listener>> listeners_;  // by the root's real path
  std::map<std::string, Waiting> waiting_;                      // by proposal
  // Documents whose text was that on the disk when they were checked: its hash, by absolute path.
  std::map<std::string, uint64_t> loaded_;
  size_t connections_ = 0;
};

}  // namespace bodkin::lsp
