// Review: what happens to proposals between the server and the person: they are announced, kept
// true while the person types, applied through the editor, and watched until the texts say what
// came of it. `applied: true` is not believed (lsp/README.md, "Facts"). Main thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>

#include "lsp/editor/client.h"
#include "lsp/review/proposals.h"
#include "lsp/review/shown_files.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class Review {
 public:
  Review(EventLoop& loop, Connection& connection, Client& editor, Documents& documents,
         const Capabilities& client)
      : loop_(loop),
        connection_(connection),
        editor_(editor),
        documents_(documents),
        client_(client) {}

  // Called when an apply is asked for (before anything is sent), when its texts are in place, and
  // when nothing of them is any more.
  std::function<void(const Proposal&)> applying, applied, undone;
  std::function<void(const std::string& id)> not_applied;  // it ended otherwise, or is forgotten

  struct Made {
    std::string title;
    std::string ask_id = {};              // may be empty
    std::string replaces = {};            // the proposal that it refines: that one is discarded
    std::vector<std::string> notes = {};  // for the person: "a.cpp, line 4: a new syntax error"
    Verification verification = {};       // of all of it, as it is
    bool quiet = false;                   // it is applied at once: nobody is asked
    Roots roots = {};                     // that the files' paths are of
  };
  // Makes and announces a proposal; returns its id.
  std::string add(const std::vector<DraftFile>& files, Made made);

  // An empty id means the last one that came or was shown, and no other, if that is over; for
  // `undo` what was applied last. Errors, for the person: not_found, unavailable, stale; then
  // nothing happens. What was undone is over, too, but `apply` with its id does it again.
  Result<void> apply(const std::string& id, const std::vector<size_t>* only);
  Result<void> undo(const std::string& id);
  Result<void> discard(const std::string& id, const std::vector<size_t>* only);
  Result<void> show_diff(const std::string& id);
  // A text of our own: in the editor, else as a message.
  Result<void> show_text(const std::string& name, const std::string& text);
  void set_verification(const std::string& id, const Verification& verification,
                        const std::string& message);

  const Proposal* find(const std::string& id) const;
  const Proposals& all() const { return proposals_; }
  std::string newest_open() const;                                           // empty: none
  void set_offered(const std::string& id, const std::vector<size_t>* only);  // by a code action
  // May the pending hunks leave as an edit: do the names still lead where they led when the
  // proposal was made, and is that in the workspace? Error: invalid_input, with a sentence.
  Result<void> check_places(const Proposal& proposal, const std::vector<size_t>* only) const;
  Json list() const;
  Result<Json> content(const std::string& id, const std::string& uri) const;
  // What bodkin-proposal:/p1.diff and bodkin-proposal:/p1/src/a.cpp hold (LSP 3.18,
  // workspace/textDocumentContent). Error: not_found.
  Result<std::string> text_of(const std::string& uri) const;

  // From the documents; `changes` are what Documents::change returned.
  void document_changed(const std::string& uri, const std::vector<Replacement>& changes);
  void document_opened(const std::string& uri);
  void document_closed(const std::string& uri);
  // Proposals are of URIs, as they were when they were made: only what the files are called is new.
  void folders_changed();

 private:
  struct Watch {
    std::vector<size_t> targets;
    bool undo = false;
    bool answered = false;
    std::string reason;                    // the editor's, if it refused
    std::map<std::string, Text> expected;  // by URI
    EventLoop::Clock::time_point deadline;
    uint64_t sent = 0;     // its number
    uint64_t stirred = 0;  // counts what happened, so that an old timer knows that it is old
  };

  // By its id; no id: the one that is meant. `only`: it must have these hunks. Errors, for the
  // person: not_found, unavailable (the editor is at it).
  Result<Proposal*> chosen(const std::string& id, const std::vector<size_t>* only);
  // What was undone is pending again.
  void revive(Proposal& proposal, const std::vector<size_t>* only);
  // Error: the editor may still make an edit of one of these files. With two on their way, the
  // second would be made at places that the first has moved.
  Result<void> check_in_flight(const Proposal& proposal);
  void apply_now(const std::string& id, const std::vector<size_t>* only);
  void read_from_disk_again(Proposal& proposal);
  void send_edit(Proposal& proposal, Json edit, Watch watch);
  void take(Proposal& proposal, ProposedFile& file, const std::vector<Replacement>& changes);
  bool is_renamed_back(const std::string& id, const ProposedFile& file) const;
  void stir(const std::string& id);
  void look_soon();
  void look(const std::string& id, bool at_the_end);
  void read_unopened(Proposal& proposal);
  // Without a state: what the hunks say.
  void finish(const std::string& id, std::optional<Proposal::State> state,
              const std::string& message);
  void tell(const Proposal& proposal, bool loud);
  void announce(const Proposal& proposal, bool quiet);
  void forget_verification(Proposal& proposal);
  void take_names(ProposedFile& file) const;
  void bind(ProposedFile& file, const Roots& roots);
  Result<std::string> landing(const ProposedFile& file, const std::string& uri) const;
  void replace(Proposal& old);
  void forget_superfluous();
  void publish(const std::string& uri);
  void publish_soon(const std::string& uri);
  void publish_now_or_soon(const Proposal& proposal);
  void publish_all(const Proposal& proposal);

  EventLoop& loop_;
  Connection& connection_;
  Client& editor_;
  Documents& documents_;
  const Capabilities& client_;
  Proposals proposals_;
  std::map<std::string, Watch> watches_;
  struct Flight {
    std::vector<size_t> hunks;  // that the editor may still place, or take back
    bool undo = false;
  };
  std::map<std::string, Flight> in_flight_;
  std::set<std::string> published_;                       // URIs that have diagnostics of ours
  std::map<std::string, bool> to_publish_;  // URIs that are looked at soon; true: to be published
  ShownFiles shown_;
  std::string meant_;  // the proposal that came last, or was shown since
  uint64_t applied_count_ = 0;
  int64_t next_id_ = 1;
  uint64_t sent_ = 0;
};

Json json_of(const Verification& verification);

}  // namespace bodkin::lsp
