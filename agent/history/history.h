// History: what the user has asked, kept in a database of the user's own (schema.cpp). Its thread
// alone writes and reads it; all others hand it work and never wait. What was handed over more than
// a second ago is there even if the process is killed. If the database cannot be used, everything
// goes on without it, and the user is told once.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "agent/history/store.h"
#include "agent/rpc/event_loop.h"

namespace bodkin {

struct HistoryLimits {
  double days = 30;                    // since a session was last used; 0: nothing is kept
  int64_t bytes = int64_t{500} << 20;  // of the database
};

// Forgets whatever is too old or too much, except `kept`: a change that is being logged. `path`: of
// the database. Within a transaction.
void keep_within(HistoryStore& store, const HistoryLimits& limits, const std::string& path,
                 std::string_view kept = "");

class History {
 public:
  // `path`: of the database, see history_path(); it is created when it is first needed. If empty,
  // there is no history. `told`: called on any thread, with a sentence for the user: once, if no
  // history is kept or it cannot be written for now; and at the end, if the last items were not
  // kept.
  History(std::string path, std::function<void(const std::string& sentence)> told);
  ~History();  // writes what is left; waits a second at most for another program's lock
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  const std::string& path() const { return path_; }

  // Any thread.
  void set_limits(const HistoryLimits& limits);
  // Runs `work` within a transaction. `bytes`: about how much memory it holds.
  void write(size_t bytes, std::function<void(HistoryStore&)> work);
  // Runs after all earlier work. Exactly one of these is called, on the history's thread;
  // `unavailable` with a sentence for the user.
  void read(std::function<void(HistoryStore&)> work,
            std::function<void(const Error& error)> unavailable);
  // The same: `then` gets the Result that `work` returns, or why there is none, on the loop's
  // thread.
  template <class Work, class Then>
  void read(rpc::EventLoop& loop, Work work, const Then& then) {
    using Found = std::invoke_result_t<Work, HistoryStore&>;
    read(
        [&loop, work = std::move(work), then](HistoryStore& store) {
          loop.post([then, found = work(store)]() mutable { then(std::move(found)); });
        },
        [&loop, then](const Error& error) {
          loop.post([then, error] { then(Found(std::unexpected(error))); });
        });
  }
  // The same, and waits for it; if another program has locked the database, a second at most.
  template <class Work>
  auto read_now(Work work) {
    std::promise<std::invoke_result_t<Work, HistoryStore&>> found;
    read([&](HistoryStore& store) { found.set_value(work(store)); },
         [&](const Error& error) { found.set_value(std::unexpected(error)); });
    return found.get_future().get();
  }
  bool is_kept();  // false: what is handed over is dropped
  // Waits until earlier work is written. Error, for the user: unavailable (it is not, after that
  // time or for ever).
  Result<void> written(std::chrono::milliseconds patience);
  void wait_until_written();  // waits until everything is written, or cannot be

 private:
  using Clock = std::chrono::steady_clock;
  struct Item {
    std::function<void(HistoryStore&)> work;
    std::function<void(const Error&)> unavailable;  // set: it reads
    size_t bytes = 0;
    Clock::time_point until = {};  // to this time it waits for a lock, if it reads
  };

  void run(const std::stop_token& stop);
  bool drain(std::deque<Item>& items);       // false: it is locked; the rest is left
  bool write_some(std::deque<Item>& items);  // likewise
  bool can_wait(std::deque<Item>& items, const std::stop_token& stop);  // for the lock
  void add(Item item);
  void tidy_up();
  void give_up(const std::string& why);
  void tell(const std::string& sentence);
  void refuse(const Item& item);
  std::string why_off();

  const std::string path_;
  const std::function<void(const std::string&)> told_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Item> items_;
  size_t bytes_ = 0;  // of items_
  bool is_urgent_ = false, is_idle_ = true;
  HistoryLimits limits_;
  std::string off_;  // why nothing is kept; empty: it is
  bool has_told_ = false;
  // The members below belong to the thread.
  std::optional<HistoryStore> store_;
  std::optional<Clock::time_point> locked_since_, ending_since_;
  Clock::time_point tidied_;
  int64_t grown_ = 0;    // bytes that were handed over since then
  std::jthread thread_;  // last: joined before what it uses is destroyed
};

// $XDG_STATE_HOME/bodkin/history.db, by default below ~/.local/state; empty if neither is known.
std::string history_path();
// Part of the ids of everything that this process makes, so that they differ from earlier ones.
const std::string& run_id();
inline constexpr std::string_view kChangeIds = "p0-";  // how new_change_id()s begin
// "p0-0123456789abcdef": the id of a change that a program has logged before it wrote it.
std::string new_change_id();
bool is_change_id(std::string_view word);  // or the beginning of one

}  // namespace bodkin
