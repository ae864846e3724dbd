// The table of descriptors, and what can be behind one.
//
//   file      a file or folder: read and written as it is
//   queue     an end of a pipe of ours. Both ends stay in this process until Keeper gives one to a
//             program; only then it becomes a pipe of the system, whose other end is overlapped
//   pipe      such an end, or a named pipe to another bodkin: overlapped
//   foreign   a pipe that we were started with, which may not be overlapped: a thread reads it
//   console   characters become UTF-8
//   process   readable once it has ended
//   held      a handle that only has to stay open: a job
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent/platform/polling.h"
#include "agent/platform/windows/native.h"

namespace bodkin::os {

inline constexpr size_t kBuffer = 65536;  // bytes of a pipe

Handle new_event(bool is_set);  // manual reset
// Like read() and write(), for a handle that is not overlapped.
ssize_t file_read(HANDLE file, void* into, size_t size);
ssize_t file_write(HANDLE file, const void* from, size_t size, OVERLAPPED* where = nullptr);

struct Descriptor {
  virtual ~Descriptor() = default;
  virtual ssize_t read(void* into, size_t size);
  virtual ssize_t write(const void* from, size_t size);
  // A handle to wait for until events may be ready; null: they are ready, or `ready` says so.
  virtual HANDLE waits_for(short events) { return (void)events, nullptr; }
  virtual short ready(short events) { return events; }
  virtual HANDLE handle() { return nullptr; }  // what a program would inherit; null: nothing

  std::atomic<bool> is_nonblocking = false;
};

struct FileEntry : Descriptor {
  FileEntry(Handle given, bool is_a_folder) : file(std::move(given)), is_folder(is_a_folder) {}
  ssize_t read(void* into, size_t size) override;
  ssize_t write(const void* from, size_t size) override;
  HANDLE handle() override { return file.get(); }

  Handle file;
  bool is_folder = false;
  bool appends = false;
  Handle lock;  // see flock()
};

struct HeldEntry : Descriptor {
  explicit HeldEntry(Handle given) : held(std::move(given)) {}
  HANDLE handle() override { return held.get(); }
  Handle held;
};

struct ProcessEntry : Descriptor {
  explicit ProcessEntry(Handle given) : process(std::move(given)) {}
  HANDLE waits_for(short) override { return process.get(); }
  short ready(short events) override;
  HANDLE handle() override { return process.get(); }
  Handle process;
};

// An overlapped pipe. One thread reads, one writes.
struct PipeEntry : Descriptor {
  explicit PipeEntry(Handle given);
  ~PipeEntry() override;
  ssize_t read(void* into, size_t size) override;
  ssize_t write(const void* from, size_t size) override;
  HANDLE waits_for(short events) override;
  short ready(short events) override;

 private:
  struct Way {
    Handle event;  // manual reset; set: nothing is under way
    OVERLAPPED state{};
    std::vector<char> buffer;
    size_t begin = 0, end = 0;  // of what was read
    bool is_pending = false;
    int error = 0;  // from now on
  };
  struct Core {
    Handle pipe;
    Way in, out;
  };
  void start_reading();
  static void finish(Core& core, Way& way, bool waits);

  std::shared_ptr<Core> core_;  // shared with a thread that ends what is under way
};

// The two ends of a pipe within the process.
struct Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::string bytes;
  bool has_reader = true, has_writer = true;
  Handle readable, writable;  // manual reset
};

struct QueueEntry : Descriptor {
  QueueEntry(std::shared_ptr<Queue> both, bool is_the_reader)
      : queue(std::move(both)), is_reader(is_the_reader) {}
  ~QueueEntry() override;
  ssize_t read(void* into, size_t size) override;
  ssize_t write(const void* from, size_t size) override;
  HANDLE waits_for(short events) override;
  short ready(short events) override;

  std::shared_ptr<Queue> queue;
  bool is_reader;
  // Set once the other end was given to a program; all calls go to it then.
  std::shared_ptr<Descriptor> instead();
  void become(std::shared_ptr<Descriptor> pipe);

 private:
  std::mutex mutex_;
  std::shared_ptr<Descriptor> instead_;
};

// A pipe or file that came from outside, read by a thread of its own once somebody waits for it. A
// pipe is written by another one, for which the end of the process waits half a second.
struct ForeignEntry : Descriptor {
  explicit ForeignEntry(HANDLE given, bool is_owned);
  ~ForeignEntry() override;
  ssize_t read(void* into, size_t size) override;
  ssize_t write(const void* from, size_t size) override;
  HANDLE waits_for(short events) override;
  short ready(short events) override;
  HANDLE handle() override { return state_->file.get(); }
  void wait_until_written(int milliseconds);

 private:
  struct State {
    Handle file;
    std::mutex mutex;
    std::condition_variable taken;
    std::string bytes;
    Handle readable;  // manual reset
    bool has_ended = false, is_read = false, is_left = false;
    int error = 0;
    // The text that a thread is writing: a reader that has stopped reading must not block us.
    std::string unwritten;
    Handle writable;  // manual reset: there is none
    std::atomic<bool> is_written = false;
    int write_error = 0;
  };
  void start();
  void start_writing();
  std::shared_ptr<State> state_;
  bool is_owned_;
};

// Whether a read of the console finds a character in it: a key that goes down, or Alt that comes
// up, which ends a number, and what is pasted and is on no key.
bool gives_character(const KEY_EVENT_RECORD& key);

struct ConsoleEntry : Descriptor {
  explicit ConsoleEntry(HANDLE given, bool is_owned) : console(given), is_owned_(is_owned) {}
  ~ConsoleEntry() override;
  ssize_t read(void* into, size_t size) override;
  ssize_t write(const void* from, size_t size) override;
  HANDLE waits_for(short events) override;
  short ready(short events) override;
  HANDLE handle() override { return console; }

  HANDLE console;

 private:
  bool is_owned_;
  std::string typed_;  // UTF-8, not read yet
  wchar_t first_half_ = 0;
  std::string half_written_;  // the beginning of a character
};

// Takes it over; -1 with EMFILE.
int add_descriptor(std::shared_ptr<Descriptor> descriptor);
// Null: errno is EBADF.
std::shared_ptr<Descriptor> descriptor(int number);
// Null: as above, or it is not a file.
std::shared_ptr<FileEntry> file_entry(int number);
// Waits until what was written to the pipes that we were started with has been taken, but not long.
void finish_writing();
// The first one of which this is true; null: none.
std::shared_ptr<Descriptor> find_descriptor(const std::function<bool(const Descriptor&)>& is_it);
// Puts another one at a number that is in use.
void replace_descriptor(int number, std::shared_ptr<Descriptor> other);

// An inheritable handle for this descriptor, for a program about to be started. For an end of a
// queue, a new pipe's, whose other end becomes our other end. Null: errno.
Handle handle_for_program(int number, bool is_read_by_it);

}  // namespace bodkin::os
