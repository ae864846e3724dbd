#include "agent/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <random>
#include <utility>

#include "agent/history/lease.h"
#include "agent/support/guarded.h"
#include "agent/support/user_folders.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 200ms;      // between transactions
constexpr auto kRetry = 200ms;      // if another program has locked it
constexpr auto kPatience = 5s;      // until the user is told of the lock
constexpr auto kReadPatience = 1s;  // until who reads is told
constexpr auto kLastPatience = 1s;  // when bodkin ends
constexpr auto kTidyInterval = 10min;
constexpr size_t kMaxWaiting = 64 << 20;  // bytes
// Why nothing can be kept there, and what the user can do about it.
std::string why_of(const Database::Failure& failure) {
  const bool is_damaged = failure.is_lost && !failure.message.ends_with("full");
  return failure.message + (is_damaged ? "; bodkin history clear starts a new one" : "");
}

constexpr char kNotWanted[] = "No history is kept (bodkin.history.retentionDays).";

}  // namespace

std::string history_path() {
  const auto folder = state_folder();
  return folder.empty() ? "" : (folder / "history.db").generic_string();
}

const std::string& run_id() {
  static const std::string kId = [] {
    static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    // The part that differs most comes first: the beginning of an id is enough for the user.
    uint64_t number =
        static_cast<uint64_t>(history_time()) * 36 * 36 + std::random_device()() % (36 * 36);
    std::string id(10, '0');
    for (char& digit : id) {
      digit = kDigits[number % 36];
      number /= 36;
    }
    return id;
  }();
  return kId;
}

std::string new_change_id() {
  std::random_device random;
  return fmt::format("{}{:08x}{:08x}", kChangeIds, random(), random());
}

bool is_change_id(std::string_view word) {
  constexpr size_t kDigits = 16;
  return word.starts_with(kChangeIds) && word.size() <= kChangeIds.size() + kDigits &&
         word.find_first_not_of("0123456789abcdef", kChangeIds.size()) == word.npos;
}

void keep_within(HistoryStore& store, const HistoryLimits& limits, const std::string& path,
                 std::string_view kept) {
  store.forget_older(history_time() - static_cast<int64_t>(limits.days * 24 * 3600 * 1000));
  if (limits.bytes > 0)
    store.shrink(limits.bytes, [&](const std::string& id) {
      return id == kept || Lease::is_held(path, lease_name(id));
    });
  store.database().execute("PRAGMA incremental_vacuum");
}

History::History(std::string path, std::function<void(const std::string&)> told)
    : path_(std::move(path)), told_(std::move(told)) {
  if (path_.empty()) off_ = "There is no history: set HOME or XDG_STATE_HOME.";
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

History::~History() {
  thread_.request_stop();
  thread_.join();
}

void History::set_limits(const HistoryLimits& limits) {
  const std::lock_guard lock(mutex_);
  limits_ = limits;
  if (limits.days <= 0 && off_.empty()) off_ = kNotWanted;
  if (limits.days > 0 && off_ == kNotWanted) off_.clear();
}

void History::write(size_t bytes, std::function<void(HistoryStore&)> work) {
  {
    const std::lock_guard lock(mutex_);
    if (!off_.empty()) return;
    if (bytes_ + bytes <= kMaxWaiting) {
      bytes_ += bytes;
      items_.push_back({std::move(work), nullptr, bytes});
      is_idle_ = false;
      changed_.notify_all();
      return;
    }
  }
  give_up("too much is waiting to be written");  // the disk is stalled, or is locked all the time
}

void History::add(Item item) {
  const std::lock_guard lock(mutex_);
  items_.push_back(std::move(item));
  is_urgent_ = true;
  is_idle_ = false;
  changed_.notify_all();
}

void History::read(std::function<void(HistoryStore&)> work,
                   std::function<void(const Error&)> unavailable) {
  add({std::move(work), std::move(unavailable), 0, Clock::now() + kReadPatience});
}

bool History::is_kept() { return why_off().empty(); }

Result<void> History::written(std::chrono::milliseconds patience) {
  std::promise<Result<void>> done;
  add({[&](HistoryStore&) { done.set_value({}); },
       [&](const Error& error) { done.set_value(std::unexpected(error)); }, 0,
       Clock::now() + patience});
  return done.get_future().get();
}

void History::wait_until_written() {
  std::unique_lock lock(mutex_);
  is_urgent_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return is_idle_; });
}

std::string History::why_off() {
  const std::lock_guard lock(mutex_);
  return off_;
}

void History::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, stop, [&] { return !items_.empty(); });
    if (items_.empty()) return;
    std::deque<Item> items = std::exchange(items_, {});
    is_urgent_ = false;
    lock.unlock();
    bool is_locked = false;
    guarded([&] { is_locked = !drain(items); }, [&](const char* what) { give_up(what); });
    is_locked = is_locked && can_wait(items, stop);
    if (is_locked) {
      std::this_thread::sleep_for(kRetry);
    } else {
      for (const Item& item : items)  // those that could not be worked off
        if (item.unavailable) guarded([&] { refuse(item); });
      items.clear();
    }
    lock.lock();
    items_.insert(items_.begin(), std::move_iterator(items.begin()),
                  std::move_iterator(items.end()));
    bytes_ = 0;
    for (const Item& item : items_) bytes_ += item.bytes;
    if (items_.empty()) {
      is_idle_ = true;
      changed_.notify_all();
    }
    if (!is_locked) changed_.wait_for(lock, stop, kPause, [&] { return is_urgent_; });
  }
}

// False: the remaining items are lost.
bool History::can_wait(std::deque<Item>& items, const std::stop_token& stop) {
  const auto now = Clock::now();
  if (!locked_since_) locked_since_ = now;
  if (now - *locked_since_ > kPatience && !stop.stop_requested())
    tell("The history is locked by another program (" + path_ +
         "). Entries are kept in memory and written when it is released.");
  for (const Item& item : items)
    if (item.unavailable && now > item.until) guarded([&] { refuse(item); });
  std::erase_if(items, [&](const Item& item) { return item.unavailable && now > item.until; });
  if (!stop.stop_requested()) return true;
  if (!ending_since_) ending_since_ = now;
  if (now - *ending_since_ <= kLastPatience) return true;
  const bool is_lost =
      std::ranges::any_of(items, [](const Item& item) { return !item.unavailable; });
  if (is_lost && told_)
    told_("The latest activity was not saved: another program has locked " + path_ + ".");
  return false;
}

void History::refuse(const Item& item) {
  std::string why = why_off();
  if (why.empty()) why = "The history is locked by another program; try again.";
  item.unavailable({Error::Code::unavailable, std::move(why)});
}

// Removes finished items.
bool History::drain(std::deque<Item>& items) {
  while (!items.empty() && why_off().empty()) {
    if (store_ && store_->database().has_moved()) store_.reset();
    if (!store_) {
      if (!make_private_folder(path_.substr(0, path_.rfind('/')))) {
        give_up("its folder cannot be created");
        return true;
      }
      auto opened = HistoryStore::open(path_, Database::Access::create);
      if (!opened && opened.error().is_busy) return false;
      if (!opened) {
        give_up(why_of(opened.error()));
        return true;
      }
      store_.emplace(*std::move(opened));
    }
    if (items.front().unavailable) {
      const Item item = std::move(items.front());
      items.pop_front();
      guarded([&] { item.work(*store_); },
              [&](const char* what) {
                item.unavailable({Error::Code::unavailable,
                                  std::string("The history cannot be read: ") + what + "."});
              });
      store_->database().roll_back();  // forgets its failure
    } else if (!write_some(items)) {
      return false;
    }
    locked_since_.reset();
  }
  return true;
}

// The writes up to the first that reads, in one transaction.
bool History::write_some(std::deque<Item>& items) {
  Database& database = store_->database();
  database.execute("BEGIN IMMEDIATE");
  if (database.failure() && database.failure()->is_busy) {
    database.roll_back();
    return false;
  }
  while (!items.empty() && !items.front().unavailable && !database.failure()) {
    items.front().work(*store_);
    grown_ += static_cast<int64_t>(items.front().bytes);
    items.pop_front();
  }
  store_->flush();
  tidy_up();
  database.execute("COMMIT");
  if (database.failure()) {
    const std::string why = why_of(*database.failure());
    database.roll_back();
    give_up(why);
  }
  return true;
}

// Runs from time to time, and when it has grown.
void History::tidy_up() {
  HistoryLimits limits;
  {
    const std::lock_guard lock(mutex_);
    limits = limits_;
  }
  const bool has_grown = limits.bytes > 0 && grown_ > limits.bytes / 8;
  const bool is_time = tidied_ == Clock::time_point() || Clock::now() >= tidied_ + kTidyInterval;
  if (!has_grown && !is_time) return;
  tidied_ = Clock::now();
  grown_ = 0;
  keep_within(*store_, limits, path_);
}

void History::give_up(const std::string& why) {
  const std::string sentence = "History is off: " + path_ + ": " + why + ".";
  {
    const std::lock_guard lock(mutex_);
    off_ = sentence;
  }
  tell(sentence + " Asks still work.");
}

void History::tell(const std::string& sentence) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_told_, true)) return;
  }
  if (told_) told_(sentence);
}

}  // namespace bodkin
