// What all threads of ours rely on, and a library of Windows' did not keep.
#include <doctest/doctest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

TEST_CASE("no thread sleeps through the word that it shall end") {
  for (int i = 0; i < 2000; ++i) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::deque<int> items;
    bool is_idle = false;
    std::jthread taker([&](const std::stop_token& stop) {
      for (;;) {
        std::unique_lock lock(mutex);
        is_idle = true;
        changed.notify_all();
        if (!changed.wait(lock, stop, [&] { return !items.empty(); })) return;
        is_idle = false;
        items.pop_front();
      }
    });
    for (int item = 0; item < i % 4; ++item) {
      std::unique_lock lock(mutex);
      items.push_back(item);
      is_idle = false;
      changed.notify_all();
      if (item == 1) changed.wait(lock, [&] { return is_idle; });
    }
  }  // each is joined here
}

TEST_CASE("a wait ends when its time is over, and not before") {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock lock(mutex);
  for (const int milliseconds : {0, 1, 20}) {
    const auto begun = Clock::now();
    const std::chrono::milliseconds patience(milliseconds);
    CHECK(!changed.wait_for(lock, patience, [] { return false; }));
    CHECK(Clock::now() - begun >= patience);
  }
}
