// Pipes within the process, and with the programs that it starts.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "agent/platform/windows/descriptors.h"
//
#include <bcrypt.h>

namespace bodkin::os {

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
  // Bytes that were taken are written, as in a pipe of POSIX, unless nobody reads any more.
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

// Reads on after an empty write, which is not an end.
void PipeEntry::start_reading() {
  Way& in = core_->in;
  for (;;) {
    if (in.is_pending) finish(*core_, in, false);
    if (in.is_pending || in.error || in.begin < in.end) return;
    in.buffer.resize(kBuffer);
    in.begin = in.end = 0;
    in.state = {};
    in.state.hEvent = in.event.get();
    ::ResetEvent(in.event.get());
    in.is_pending = true;
    if (::ReadFile(core_->pipe.get(), in.buffer.data(), kBuffer, nullptr, &in.state)) {
      finish(*core_, in, true);
    } else if (const DWORD error = ::GetLastError(); error != ERROR_IO_PENDING) {
      in.is_pending = false;
      in.error = errno_of(error);
      ::SetEvent(in.event.get());
    }
  }
}

ssize_t PipeEntry::read(void* into, size_t size) {
  start_reading();
  if (core_->in.is_pending && is_nonblocking) return fail_with_errno(EAGAIN);
  while (core_->in.is_pending) {
    finish(*core_, core_->in, true);
    start_reading();
  }
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
  const auto other = find_descriptor([&](const Descriptor& each) {
    const auto* peer = dynamic_cast<const QueueEntry*>(&each);
    return peer && peer->queue == end->queue && peer->is_reader != end->is_reader;
  });
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

}  // namespace bodkin::os

namespace bodkin {

HeldPipeSignal::HeldPipeSignal() : before_() {}

HeldPipeSignal::~HeldPipeSignal() = default;

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
