// Review: one proposal, from its diffs to the files: it is shown, the user is asked once, and what
// they accept is written. Main thread only.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "lsp/acp/turn_updates.h"
#include "lsp/acp/write_changes.h"
#include "lsp/folder/ask_folder.h"
#include "lsp/sessions/background_work.h"
#include "lsp/sessions/proposal.h"

namespace bodkin::acp {

// "a.c, b.c and c.c": the names of the files after the change, in words for the user.
std::string words_for(const std::vector<ChangedFile>& files);

class Review : public std::enable_shared_from_this<Review> {
 public:
  // All outlive this, if `owner` lives.
  struct Host {
    rpc::EventLoop& loop;
    Client& client;
    BackgroundWork& work;
    const AskFolder& folder;
    AttachedTexts unsaved;                             // of the prompt
    std::shared_ptr<const ClientWorkspace> workspace;  // of the ask; may be null
    const std::string& session;
    std::shared_ptr<const void> owner;
  };
  struct End {
    enum class How { written, discarded, cancelled, failed };
    How how = How::failed;
    std::string words;                      // for the user; may be empty
    std::vector<ChangedFile> files;         // that were written
    std::vector<ChangedFile> unclear = {};  // that may be written, or may still be
    bool for_session = false;  // the user wants the session's further edits without a question
    std::string news;          // for the model: what became of its edits
  };
  using Ended = std::function<void(const End&)>;

  Review(const Host& host, std::shared_ptr<TurnUpdates> updates, Outcome outcome);

  // Once. `asks`: the user; else everything is written. `ended`: exactly once, later.
  void begin(bool asks, Ended ended);
  void cancel();  // as if the user had; what is being written goes on

 private:
  struct Call {  // a file's tool call
    std::string id, absolute;
    ChangedFile file;
    Json diffs;  // of the file, as its content
  };
  std::vector<ChangedFile> all_files() const;  // the one with the most changes first
  void show();
  void ask();
  void end_unanswered(const Error& error);
  void take_answer(const Result<Json>& answer);
  void ask_for_hunks();
  void take_hunks(const Result<Json>& answer);
  void write(std::vector<ChangedFile> files);
  void take_written(const Written& written);
  void end(End::How how, std::string words, std::vector<ChangedFile> files = {},
           std::vector<ChangedFile> unclear = {});
  std::string news_of_end(const std::vector<ChangedFile>& written);

  const Host host_;
  const std::shared_ptr<TurnUpdates> updates_;
  const Outcome outcome_;
  const Verification verification_;
  Proposal proposal_;
  std::vector<Call> calls_;
  std::string further_;   // what else became of what was written
  std::string all_call_;  // of all files together; the only file's own
  Ended ended_;
  uint64_t request_ = 0;  // the open question; 0: none
  std::stop_source stop_;
  bool offers_session_ = false, for_session_ = false, is_part_ = false;
};

}  // namespace bodkin::acp
