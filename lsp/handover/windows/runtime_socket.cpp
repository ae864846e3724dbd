// Not on Windows yet: `bodkin mcp` edits the disk there.
#include "lsp/handover/runtime_socket.h"

namespace bodkin::handover {

namespace {

std::unexpected<Error> missing() {
  return fail(Error::Code::unavailable,
              "bodkin mcp cannot reach an editor on Windows yet; it edits the disk.");
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(const std::string&) { return missing(); }

ListeningSocket::~ListeningSocket() = default;

FileDescriptor ListeningSocket::accept() const { return FileDescriptor(); }

std::vector<std::string> sockets_of(const std::string&) { return {}; }

Result<std::optional<FileDescriptor>> connect_to(const std::string&) { return std::nullopt; }

Result<std::string> read_line(const FileDescriptor&, std::chrono::milliseconds,
                              const std::stop_token&) {
  return missing();
}

bool write_line(const FileDescriptor&, std::string, std::chrono::milliseconds,
                const std::stop_token&) {
  return false;
}

}  // namespace bodkin::handover
