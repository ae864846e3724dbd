#include "agent/platform/windows/descriptors.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace bodkin::os {

namespace {

constexpr size_t kMostDescriptors = 8192;

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

  std::shared_ptr<Descriptor> find_if(const std::function<bool(const Descriptor&)>& is_it) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(entries_, [&](const auto& each) { return each && is_it(*each); });
    return found == entries_.end() ? nullptr : *found;
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

}  // namespace

ssize_t file_read(HANDLE file, void* into, size_t size) {
  const auto wanted = static_cast<DWORD>(std::min(size, size_t{1} << 30));
  for (;;) {
    DWORD count = 0;
    if (!::ReadFile(file, into, wanted, &count, nullptr)) {
      const DWORD error = ::GetLastError();
      if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ||
          error == ERROR_PIPE_NOT_CONNECTED)
        return 0;
      return fail_with(error);
    }
    // A pipe has no end where somebody wrote nothing into it; but at the end of a pipe of Linux's
    // Wine reads nothing, too, again and again.
    if (count > 0 || size == 0 || ::GetFileType(file) != FILE_TYPE_PIPE ||
        !::PeekNamedPipe(file, nullptr, 0, nullptr, nullptr, nullptr))
      return static_cast<ssize_t>(count);
  }
}

ssize_t file_write(HANDLE file, const void* from, size_t size, OVERLAPPED* where) {
  DWORD count = 0;
  if (::WriteFile(file, from, static_cast<DWORD>(std::min(size, size_t{1} << 30)), &count, where))
    return static_cast<ssize_t>(count);
  return fail_with(::GetLastError());
}

Handle new_event(bool is_set) { return Handle(::CreateEventW(nullptr, TRUE, is_set, nullptr)); }

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

std::shared_ptr<Descriptor> find_descriptor(const std::function<bool(const Descriptor&)>& is_it) {
  return table().find_if(is_it);
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
  if (!is_owned_ || state_->is_read || state_->is_written) (void)state_->file.release();
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

void ForeignEntry::start_writing() {
  const std::lock_guard lock(state_->mutex);
  if (state_->is_written) return;
  state_->writable = new_event(true);
  state_->is_written = true;
  static const bool waits_at_end = std::atexit(finish_writing) == 0;
  (void)waits_at_end;
  std::thread([state = state_, file = state_->file.get()] {
    for (;;) {
      std::unique_lock lock(state->mutex);
      state->taken.wait(lock, [&] { return !state->unwritten.empty() || state->is_left; });
      if (state->unwritten.empty()) return;
      const std::string bytes = state->unwritten;
      lock.unlock();
      ssize_t done = 0, count = 1;
      while (count > 0 && static_cast<size_t>(done) < bytes.size())
        done += count =
            file_write(file, bytes.data() + done, bytes.size() - static_cast<size_t>(done));
      const int error = count < 0 ? errno : 0;
      lock.lock();
      state->unwritten.clear();
      state->write_error = error;
      ::SetEvent(state->writable.get());
    }
  }).detach();
}

ssize_t ForeignEntry::write(const void* from, size_t size) {
  if (::GetFileType(state_->file.get()) != FILE_TYPE_PIPE)
    return file_write(state_->file.get(), from, size);
  start_writing();
  for (;;) {
    {
      const std::lock_guard lock(state_->mutex);
      if (state_->write_error) return fail_with_errno(state_->write_error);
      if (state_->unwritten.empty()) {
        const size_t count = std::min(size, kBuffer);
        state_->unwritten.assign(static_cast<const char*>(from), count);
        ::ResetEvent(state_->writable.get());
        state_->taken.notify_all();
        return static_cast<ssize_t>(count);
      }
    }
    if (is_nonblocking) return fail_with_errno(EAGAIN);
    ::WaitForSingleObject(state_->writable.get(), INFINITE);
  }
}

void ForeignEntry::wait_until_written(int milliseconds) {
  HANDLE written = nullptr;
  {
    const std::lock_guard lock(state_->mutex);
    written = state_->writable.get();
  }
  if (written) ::WaitForSingleObject(written, static_cast<DWORD>(milliseconds));
}

void finish_writing() {
  for (const int number : {1, 2})
    if (const auto found = std::dynamic_pointer_cast<ForeignEntry>(descriptor(number)))
      found->wait_until_written(500);
}

HANDLE ForeignEntry::waits_for(short events) {
  if ((events & POLLIN) == 0)
    return (events & POLLOUT) != 0 && state_->is_written ? state_->writable.get() : nullptr;
  start();
  return state_->readable.get();
}

short ForeignEntry::ready(short events) {
  const bool takes =
      !state_->is_written || ::WaitForSingleObject(state_->writable.get(), 0) == WAIT_OBJECT_0;
  if (!takes) events &= ~POLLOUT;
  if ((events & POLLIN) == 0) return events;
  start();
  return ::WaitForSingleObject(state_->readable.get(), 0) == WAIT_OBJECT_0 ? events
                                                                           : events & ~POLLIN;
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
