// SessionHold: while an ask runs, its session is this process's alone; and it begins with
// everything that other processes have said in the session.
#pragma once

#include <memory>
#include <string>

#include "agent/ask/ask.h"
#include "agent/history/history.h"
#include "agent/history/lease.h"
#include "agent/support/task.h"

namespace bodkin {

class SessionHold {
 public:
  // On the ask's thread. `history` outlives it; null: nobody else can know the session.
  // `conversation` is loaded again if another process has continued it. `waits`: until the other
  // process's ask has ended. Errors, for the user: unavailable (another process has it), cancelled.
  static Result<SessionHold> take(History* history, const std::string& session,
                                  Conversation& conversation, bool waits, const Task& task);
  SessionHold(SessionHold&& other) noexcept = default;
  SessionHold& operator=(SessionHold&&) = delete;
  // Does not wait: the session is free when what was handed to the history is written, since the
  // next one reads that.
  ~SessionHold();

 private:
  SessionHold() = default;
  SessionHold(History& history, std::shared_ptr<Lease> lease)
      : history_(&history), lease_(std::move(lease)) {}
  History* history_ = nullptr;
  std::shared_ptr<Lease> lease_;  // null: nobody else can have it, or there is no place for it
};

}  // namespace bodkin
