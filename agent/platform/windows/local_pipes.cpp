#include "agent/platform/windows/local_pipes.h"

#include <cerrno>
#include <utility>

#include "agent/platform/windows/descriptors.h"

namespace bodkin::os {

namespace {

constexpr DWORD kPatience = 200;  // ms, while all ends of a pipe are busy

std::wstring full_name(const std::string& name) {
  return L"\\\\.\\pipe\\" + wide(name).value_or(L"");
}

// One end waits for somebody at a time.
struct ListeningEntry : Descriptor {
  explicit ListeningEntry(std::wstring at) : name(std::move(at)), event(new_event(false)) {}
  ~ListeningEntry() override {
    DWORD count = 0;
    if (end && ::CancelIoEx(end.get(), &state))
      ::GetOverlappedResult(end.get(), &state, &count, TRUE);
  }

  bool listen(bool is_first) {
    SECURITY_ATTRIBUTES ours{sizeof ours, private_descriptor(), FALSE};
    if (!ours.lpSecurityDescriptor) return fail_with_errno(EACCES), false;
    end = Handle(::CreateNamedPipeW(
        name.c_str(),
        PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | (is_first ? FILE_FLAG_FIRST_PIPE_INSTANCE : 0),
        PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
        PIPE_UNLIMITED_INSTANCES, kBuffer, kBuffer, 0, &ours));
    if (!end) return fail_with(::GetLastError()), false;
    ::ResetEvent(event.get());
    state = {};
    state.hEvent = event.get();
    if (::ConnectNamedPipe(end.get(), &state)) return true;
    const DWORD error = ::GetLastError();
    if (error == ERROR_PIPE_CONNECTED) return ::SetEvent(event.get()) != 0;
    return error == ERROR_IO_PENDING || (fail_with(error), false);
  }
  bool is_connected() const { return ::WaitForSingleObject(event.get(), 0) == WAIT_OBJECT_0; }

  HANDLE waits_for(short) override { return event.get(); }
  short ready(short events) override { return is_connected() ? events & POLLIN : 0; }

  std::wstring name;
  Handle end, event;
  OVERLAPPED state{};
};

}  // namespace

int listen_at(const std::string& name) {
  auto entry = std::make_shared<ListeningEntry>(full_name(name));
  return entry->listen(true) ? add_descriptor(std::move(entry)) : -1;
}

int accept_connection(int listening) {
  const auto found = std::dynamic_pointer_cast<ListeningEntry>(descriptor(listening));
  if (!found) return fail_with_errno(EBADF);
  if (!found->is_connected()) return fail_with_errno(EAGAIN);
  auto connection = std::make_shared<PipeEntry>(std::move(found->end));
  connection->is_nonblocking = true;
  if (!found->listen(false)) ::ResetEvent(found->event.get());  // nobody else comes
  return add_descriptor(std::move(connection));
}

int connect_to_local(const std::string& name) {
  const std::wstring whole = full_name(name);
  for (;;) {
    // The listener may not impersonate us.
    Handle pipe(::CreateFileW(
        whole.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING,
        FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, nullptr));
    if (!pipe) {
      const DWORD error = ::GetLastError();
      if (error == ERROR_PIPE_BUSY && ::WaitNamedPipeW(whole.c_str(), kPatience)) continue;
      return error == ERROR_PIPE_BUSY ? fail_with_errno(EAGAIN) : fail_with(error);
    }
    if (!ownership_of(pipe.get()).is_ours) return fail_with_errno(EACCES);
    auto connection = std::make_shared<PipeEntry>(std::move(pipe));
    connection->is_nonblocking = true;
    return add_descriptor(std::move(connection));
  }
}

}  // namespace bodkin::os
