// TurnUpdates: an ask's reports, as the updates of one turn. Main thread only.
#pragma once

#include <string>

#include "agent/workspace/roots.h"
#include "lsp/acp/acp_client.h"
#include "lsp/sessions/said_words.h"

namespace bodkin::acp {

class TurnUpdates {
 public:
  // All outlive this. `turn`: part of its ids, so that they differ from those of the
  // session's other turns.
  TurnUpdates(Client& client, const std::string& session, const Roots& roots, std::string turn)
      : client_(client), session_(session), roots_(roots), turn_(std::move(turn)) {}

  void report(const Progress& progress);
  // Words of bodkin's own, as a message of their own.
  void say(std::string_view words);
  // Sends the part of these words that has not been streamed.
  void flush_text(const std::string& words);
  // A tool call that has not ended ends now, failed, for this reason.
  void end(std::string_view reason);

  std::string new_call();  // an id
  // The call that a permission is for: the running one, else a new one.
  std::string call_to_permit(std::string_view title, const char* kind);
  void send(Json update) { client_.update(session_, std::move(update)); }

 private:
  void stream(const char* kind, const std::string& words);
  void end_words();
  void end_message() {
    streaming_ = nullptr;
    has_words_ = false;
  }
  void begin_call(const Progress& progress);
  void end_call(const Progress& progress);

  Client& client_;
  const std::string& session_;
  const Roots& roots_;
  const std::string turn_;
  uint64_t calls_ = 0, messages_ = 0;
  std::string open_call_;            // its id; empty: none
  const char* streaming_ = nullptr;  // the kind of the last chunk; null: it was none
  bool has_words_ = false;           // nothing but words of messages was sent since some were
  SaidWords said_;
};

}  // namespace bodkin::acp
