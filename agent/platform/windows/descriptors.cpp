// More than 350 lines: every kind of descriptor, each of which is short.
#include "agent/platform/windows/descriptors.h"

#include <bcrypt.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace bodkin::os {

namespace {

constexpr size_t kBuffer = 65536;
constexpr size_t kMostDescriptors = 8192;

Handle new_event(bool is_set) { return Handle(::CreateEventW(nullptr, TRUE, is_set, nullptr)); }

class Table {
 public:
  Table() {
    constexpr DWORD kStandard[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (const DWORD which : kStandard) entries_.push_back(standard(::GetStdHandle(which)));
  }

  int add(std::shared_ptr<Descriptor> descriptor) {
    const std::lock_guard lock(mutex_);
    size_t at = 3;
    while (at < entries_.size() && entries_[at]) ++at;
    if (at >= kMostDescriptors) return fail_with_errno(EMFILE);
    if (at == entries_.size()) entries_.emplace_back();
    entries_[at] = std::move(descriptor);
    return static_cast<int>(at);
  }

  std::shared_ptr<Descriptor> find(int number) {
    const std::lock_guard lock(mutex_);
    const auto at = static_cast<size_t>(number);
    return number < 0 || at >= entries_.size() ? nullptr : entries_[at];
  }

  std::shared_ptr<Descriptor> replace(int number, std::shared_ptr<Descriptor> other) {
    const std::lock_guard lock(mutex_);
    const auto at = static_cast<size_t>(number);
    if (number < 0 || at >= entries_.size()) return nullptr;
    std::swap(entries_[at], other);
    return other;  // it is destroyed outside of the lock
  }

 private:
  static std::shared_ptr<Descriptor> standard(HANDLE handle) {
    if (!handle || handle == INVALID_HANDLE_VALUE) return nullptr;
    DWORD mode = 0;
    if (::GetConsoleMode(handle, &mode)) return std::make_shared<ConsoleEntry>(handle, false);
    return std::make_shared<ForeignEntry>(handle, false);
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<Descriptor>> entries_;
};

Table& table() {
  static Table& all = *new Table;  // used until the very end
  return all;
}

ssize_t file_read(HANDLE file, void* into, size_t size) {
  DWORD count = 0;
  if (::ReadFile(file, into, static_cast<DWORD>(std::min(size, size_t{1} << 30)), &count, nullptr))
    return static_cast<ssize_t>(count);
  const DWORD error = ::GetLastError();
  if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF || error == ERROR_PIPE_NOT_CONNECTED)
    return 0;
  return fail_with(error);
}

ssize_t file_write(HANDLE file, const void* from, size_t size, OVERLAPPED* where = nullptr) {
  DWORD count = 0;
  if (::WriteFile(file, from, static_cast<DWORD>(std::min(size, size_t{1} << 30)), &count, where))
    return static_cast<ssize_t>(count);
  return fail_with(::GetLastError());
}

}  // namespace

ssize_t Descriptor::read(void*, size_t) { return fail_with_errno(EBADF); }

ssize_t Descriptor::write(const void*, size_t) { return fail_with_errno(EBADF); }

int add_descriptor(std::shared_ptr<Descriptor> descriptor) {
  return table().add(std::move(descriptor));
}

std::shared_ptr<Descriptor> descriptor(int number) {
  auto found = table().find(number);
  if (!found) errno = EBADF;
  return found;
}

std::shared_ptr<FileEntry> file_entry(int number) {
  auto found = std::dynamic_pointer_cast<FileEntry>(descriptor(number));
  if (!found) errno = EBADF;
  return found;
}

void replace_descriptor(int number, std::shared_ptr<Descriptor> other) {
  table().replace(number, std::move(other));
}

int close(int number) {
  if (!table().find(number)) return fail_with_errno(EBADF);
  table().replace(number, nullptr);
  return 0;
}

ssize_t read(int number, void* into, size_t size) {
  const auto found = descriptor(number);
  return found ? found->read(into, size) : -1;
}

ssize_t write(int number, const void* from, size_t size) {
  const auto found = descriptor(number);
  return found ? found->write(from, size) : -1;
}

void set_nonblocking(int number) {
  if (const auto found = descriptor(number)) found->is_nonblocking = true;
}

int above_standard(int number) { return number; }  // none of ours is one of the three

// --- files

ssize_t FileEntry::read(void* into, size_t size) {
  if (is_folder) return fail_with_errno(EISDIR);
  return file_read(file.get(), into, size);
}

ssize_t FileEntry::write(const void* from, size_t size) {
  OVERLAPPED end{};
  end.Offset = end.OffsetHigh = 0xFFFF'FFFF;
  return file_write(file.get(), from, size, appends ? &end : nullptr);
}

short ProcessEntry::ready(short events) {
  return ::WaitForSingleObject(process.get(), 0) == WAIT_OBJECT_0 ? events & POLLIN : 0;
}

// --- overlapped pipes

PipeEntry::PipeEntry(Handle given) : core_(std::make_shared<Core>()) {
  core_->pipe = std::move(given);
  for (Way* way : {&core_->in, &core_->out}) way->event = new_event(true);
}

PipeEntry::~PipeEntry() {
  if (core_->in.is_pending) {
    ::CancelIoEx(core_->pipe.get(), &core_->in.state);
    finish(*core_, core_->in, true);
  }
  if (core_->out.is_pending) finish(*core_, core_->out, false);
  if (!core_->out.is_pending) return;
  // What was taken over is written, as it is in a pipe of POSIX, or nobody reads any more.
  std::thread([core = core_] { finish(*core, core->out, true); }).detach();
}

void PipeEntry::finish(Core& core, Way& way, bool waits) {
  DWORD count = 0;
  if (::GetOverlappedResult(core.pipe.get(), &way.state, &count, waits)) {
    way.is_pending = false;
    way.end = count;
    return;
  }
  const DWORD error = ::GetLastError();
  if (error == ERROR_IO_INCOMPLETE) return;
  way.is_pending = false;
  way.error = errno_of(error);
}

void PipeEntry::start_reading() {
  if (core_->in.is_pending) finish(*core_, core_->in, false);
  if (core_->in.is_pending || core_->in.error || core_->in.begin < core_->in.end) return;
  core_->in.buffer.resize(kBuffer);
  core_->in.begin = core_->in.end = 0;
  core_->in.state = {};
  core_->in.state.hEvent = core_->in.event.get();
  ::ResetEvent(core_->in.event.get());
  core_->in.is_pending = true;
  if (::ReadFile(core_->pipe.get(), core_->in.buffer.data(), kBuffer, nullptr, &core_->in.state)) {
    finish(*core_, core_->in, true);
  } else if (const DWORD error = ::GetLastError(); error != ERROR_IO_PENDING) {
    core_->in.is_pending = false;
    core_->in.error = errno_of(error);
    ::SetEvent(core_->in.event.get());
  }
}

ssize_t PipeEntry::read(void* into, size_t size) {
  start_reading();
  if (core_->in.is_pending && is_nonblocking) return fail_with_errno(EAGAIN);
  if (core_->in.is_pending) finish(*core_, core_->in, true);
  if (core_->in.begin < core_->in.end) {
    const size_t count = std::min(size, core_->in.end - core_->in.begin);
    std::memcpy(into, core_->in.buffer.data() + core_->in.begin, count);
    core_->in.begin += count;
    return static_cast<ssize_t>(count);
  }
  return core_->in.error && core_->in.error != EPIPE ? fail_with_errno(core_->in.error) : 0;
}

ssize_t PipeEntry::write(const void* from, size_t size) {
  if (core_->out.is_pending) finish(*core_, core_->out, false);
  if (core_->out.is_pending && is_nonblocking) return fail_with_errno(EAGAIN);
  if (core_->out.is_pending) finish(*core_, core_->out, true);
  if (core_->out.error) return fail_with_errno(core_->out.error);
  const size_t count = std::min(size, kBuffer);
  core_->out.buffer.assign(static_cast<const char*>(from), static_cast<const char*>(from) + count);
  core_->out.state = {};
  core_->out.state.hEvent = core_->out.event.get();
  ::ResetEvent(core_->out.event.get());
  core_->out.is_pending = true;
  if (::WriteFile(core_->pipe.get(), core_->out.buffer.data(), static_cast<DWORD>(count), nullptr,
                  &core_->out.state)) {
    finish(*core_, core_->out, true);
  } else if (const DWORD error = ::GetLastError(); error != ERROR_IO_PENDING) {
    core_->out.is_pending = false;
    core_->out.error = errno_of(error);
    ::SetEvent(core_->out.event.get());
    return fail_with_errno(core_->out.error);
  }
  if (!is_nonblocking && core_->out.is_pending) finish(*core_, core_->out, true);
  return core_->out.error ? fail_with_errno(core_->out.error) : static_cast<ssize_t>(count);
}

HANDLE PipeEntry::waits_for(short events) {
  if ((events & POLLIN) != 0) {
    start_reading();
    return core_->in.event.get();
  }
  return core_->out.event.get();
}

short PipeEntry::ready(short events) {
  short result = 0;
  if ((events & POLLIN) != 0) {
    start_reading();
    if (!core_->in.is_pending) result |= POLLIN;
  }
  if ((events & POLLOUT) != 0) {
    if (core_->out.is_pending) finish(*core_, core_->out, false);
    if (!core_->out.is_pending) result |= POLLOUT;
  }
  return result;
}

// --- pipes within the process

QueueEntry::~QueueEntry() {
  const std::lock_guard lock(queue->mutex);
  (is_reader ? queue->has_reader : queue->has_writer) = false;
  ::SetEvent(queue->readable.get());
  ::SetEvent(queue->writable.get());
  queue->changed.notify_all();
}

std::shared_ptr<Descriptor> QueueEntry::instead() {
  const std::lock_guard lock(mutex_);
  if (instead_) instead_->is_nonblocking = is_nonblocking.load();
  return instead_;
}

void QueueEntry::become(std::shared_ptr<Descriptor> pipe) {
  const std::lock_guard lock(mutex_);
  instead_ = std::move(pipe);
}

ssize_t QueueEntry::read(void* into, size_t size) {
  if (const auto other = instead()) return other->read(into, size);
  std::unique_lock lock(queue->mutex);
  if (!is_reader) return fail_with_errno(EBADF);
  while (queue->bytes.empty() && queue->has_writer) {
    if (is_nonblocking) return fail_with_errno(EAGAIN);
    queue->changed.wait(lock);
  }
  const size_t count = std::min(size, queue->bytes.size());
  std::memcpy(into, queue->bytes.data(), count);
  queue->bytes.erase(0, count);
  if (queue->bytes.empty() && queue->has_writer) ::ResetEvent(queue->readable.get());
  if (queue->bytes.size() < kBuffer) ::SetEvent(queue->writable.get());
  queue->changed.notify_all();
  return static_cast<ssize_t>(count);
}

ssize_t QueueEntry::write(const void* from, size_t size) {
  if (const auto other = instead()) return other->write(from, size);
  std::unique_lock lock(queue->mutex);
  if (is_reader) return fail_with_errno(EBADF);
  while (queue->bytes.size() >= kBuffer && queue->has_reader) {
    if (is_nonblocking) return fail_with_errno(EAGAIN);
    queue->changed.wait(lock);
  }
  if (!queue->has_reader) return fail_with_errno(EPIPE);
  const size_t count = std::min(size, kBuffer - queue->bytes.size());
  queue->bytes.append(static_cast<const char*>(from), count);
  ::SetEvent(queue->readable.get());
  if (queue->bytes.size() >= kBuffer) ::ResetEvent(queue->writable.get());
  queue->changed.notify_all();
  return static_cast<ssize_t>(count);
}

HANDLE QueueEntry::waits_for(short events) {
  if (const auto other = instead()) return other->waits_for(events);
  return is_reader ? queue->readable.get() : queue->writable.get();
}

short QueueEntry::ready(short events) {
  if (const auto other = instead()) return other->ready(events);
  const std::lock_guard lock(queue->mutex);
  if (is_reader)
    return (events & POLLIN) != 0 && (!queue->bytes.empty() || !queue->has_writer) ? POLLIN : 0;
  return (events & POLLOUT) != 0 && (queue->bytes.size() < kBuffer || !queue->has_reader) ? POLLOUT
                                                                                          : 0;
}

// --- what we were started with

ForeignEntry::ForeignEntry(HANDLE given, bool is_owned)
    : state_(std::make_shared<State>()), is_owned_(is_owned) {
  state_->file = Handle(given);
}

ForeignEntry::~ForeignEntry() {
  const std::lock_guard lock(state_->mutex);
  state_->is_left = true;
  state_->taken.notify_all();
  // A read that is under way keeps its handle; the others are the process's own.
  if (!is_owned_ || state_->is_read) (void)state_->file.release();
}

void ForeignEntry::start() {
  const std::lock_guard lock(state_->mutex);
  if (std::exchange(state_->is_read, true)) return;
  state_->readable = new_event(false);
  std::thread([state = state_, file = state_->file.get()] {
    std::string buffer(kBuffer, '\0');
    for (;;) {
      const ssize_t count = file_read(file, buffer.data(), buffer.size());
      const int error = errno;
      std::unique_lock lock(state->mutex);
      if (count > 0) state->bytes.append(buffer, 0, static_cast<size_t>(count));
      if (count <= 0) state->has_ended = true;
      if (count < 0) state->error = error;
      ::SetEvent(state->readable.get());
      if (count <= 0) return;
      state->taken.wait(lock, [&] { return state->bytes.empty() || state->is_left; });
      if (state->is_left) return;
    }
  }).detach();
}

ssize_t ForeignEntry::read(void* into, size_t size) {
  if (is_nonblocking) start();
  std::unique_lock lock(state_->mutex);
  if (!state_->is_read) {
    lock.unlock();
    return file_read(state_->file.get(), into, size);
  }
  lock.unlock();
  if (!is_nonblocking) ::WaitForSingleObject(state_->readable.get(), INFINITE);
  lock.lock();
  if (state_->bytes.empty()) {
    if (!state_->has_ended) return fail_with_errno(EAGAIN);
    return state_->error ? fail_with_errno(state_->error) : 0;
  }
  const size_t count = std::min(size, state_->bytes.size());
  std::memcpy(into, state_->bytes.data(), count);
  state_->bytes.erase(0, count);
  if (state_->bytes.empty() && !state_->has_ended) {
    ::ResetEvent(state_->readable.get());
    state_->taken.notify_all();
  }
  return static_cast<ssize_t>(count);
}

ssize_t ForeignEntry::write(const void* from, size_t size) {
  return file_write(state_->file.get(), from, size);
}

HANDLE ForeignEntry::waits_for(short events) {
  if ((events & POLLIN) == 0) return nullptr;
  start();
  return state_->readable.get();
}

short ForeignEntry::ready(short events) {
  if ((events & POLLIN) == 0) return events;
  start();
  return ::WaitForSingleObject(state_->readable.get(), 0) == WAIT_OBJECT_0 ? events
                                                                           : events & ~POLLIN;
}

// --- pipes

Handle handle_for_program(int number, bool is_read_by_it) {
  const auto found = descriptor(number);
  if (!found) return Handle();
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  const auto* end = dynamic_cast<QueueEntry*>(found.get());
  if (!end) {
    HANDLE copy = nullptr;
    if (!found->handle() ||
        !::DuplicateHandle(::GetCurrentProcess(), found->handle(), ::GetCurrentProcess(), &copy, 0,
                           TRUE, DUPLICATE_SAME_ACCESS)) {
      errno = EBADF;
      return Handle();
    }
    return Handle(copy);
  }
  std::shared_ptr<Descriptor> other;
  for (int each = 3; static_cast<size_t>(each) < kMostDescriptors && !other; ++each) {
    const auto candidate = table().find(each);
    const auto* peer = dynamic_cast<QueueEntry*>(candidate.get());
    if (peer && peer->queue == end->queue && peer->is_reader != end->is_reader) other = candidate;
  }
  if (!other) {
    errno = EPIPE;
    return Handle();
  }
  unsigned char random[16]{};
  ::BCryptGenRandom(nullptr, random, sizeof random, BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  std::string name = fmt::format(R"(\\.\pipe\bodkin-{}-)", ::GetCurrentProcessId());
  for (const unsigned char byte : random) name += fmt::format("{:02x}", byte);
  const std::wstring wide_name = *wide(name);
  SECURITY_ATTRIBUTES ours{sizeof ours, private_descriptor(), FALSE};
  Handle our_end(::CreateNamedPipeW(
      wide_name.c_str(),
      (is_read_by_it ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) | FILE_FLAG_OVERLAPPED |
          FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, kBuffer,
      kBuffer, 0, &ours));
  // A program may ask for the state of its end.
  Handle their_end(our_end ? ::CreateFileW(wide_name.c_str(),
                                           is_read_by_it ? GENERIC_READ | FILE_WRITE_ATTRIBUTES
                                                         : GENERIC_WRITE | FILE_READ_ATTRIBUTES,
                                           0, &inherited, OPEN_EXISTING, 0, nullptr)
                           : nullptr);
  if (!their_end) {
    errno = errno_of(::GetLastError());
    return Handle();
  }
  auto* const peer = static_cast<QueueEntry*>(other.get());
  peer->become(std::make_shared<PipeEntry>(std::move(our_end)));
  return their_end;
}

int poll(PollEntry* entries, size_t count, int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    std::vector<HANDLE> handles;
    std::vector<std::shared_ptr<Descriptor>> kept;
    int ready = 0;
    for (size_t i = 0; i < count; ++i) {
      PollEntry& entry = entries[i];
      entry.revents = 0;
      if (entry.fd < 0) continue;
      auto found = descriptor(entry.fd);
      if (!found) {
        entry.revents = POLLNVAL;
        ++ready;
        continue;
      }
      entry.revents = found->ready(entry.events);
      if (entry.revents != 0) ++ready;
      if (const HANDLE handle = found->waits_for(entry.events)) handles.push_back(handle);
      kept.push_back(std::move(found));
    }
    if (ready > 0) return ready;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (milliseconds >= 0 && left.count() <= 0) return 0;
    const DWORD patience = milliseconds < 0 ? INFINITE : static_cast<DWORD>(left.count());
    if (handles.empty()) {
      ::Sleep(patience);
      continue;
    }
    handles.resize(std::min<size_t>(handles.size(), MAXIMUM_WAIT_OBJECTS));
    if (::WaitForMultipleObjects(static_cast<DWORD>(handles.size()), handles.data(), FALSE,
                                 patience) == WAIT_FAILED)
      return fail_with(::GetLastError());
  }
}

}  // namespace bodkin::os

namespace bodkin {

bool open_pipe(int (&ends)[2], int also) {
  auto queue = std::make_shared<os::Queue>();
  queue->readable = os::new_event(false);
  queue->writable = os::new_event(true);
  ends[0] = os::add_descriptor(std::make_shared<os::QueueEntry>(queue, true));
  ends[1] = ends[0] < 0 ? -1 : os::add_descriptor(std::make_shared<os::QueueEntry>(queue, false));
  if (ends[1] < 0) {
    if (ends[0] >= 0) os::close(ends[0]);
    ends[0] = ends[1] = -1;
    return false;
  }
  if ((also & O_NONBLOCK) != 0)
    for (const int end : ends) os::set_nonblocking(end);
  return true;
}

}  // namespace bodkin
