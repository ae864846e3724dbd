// The sockets at which language servers can be reached, in a folder that only the user can enter:
//
//   $XDG_RUNTIME_DIR/bodkin/HASH-PID.sock     mode 0600, the folders 0700
//   $XDG_RUNTIME_DIR/bodkin/HASH-PID.root     a symbolic link to the root, which is only read
//
// HASH is of the root's real path, PID of the server. Nothing of it comes from the root's files.
// macOS: the temporary folder that it makes for each user instead of $XDG_RUNTIME_DIR. Without such
// a folder there are no sockets, and never ones elsewhere. A line of text goes each way; both sides
// check that the other one is a process of the same user. Any thread.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/platform/file_descriptor.h"
#include "edits/text/result.h"

namespace bodkin::handover {

constexpr size_t kMaxBytes = 32u << 20;  // of a line

class ListeningSocket {
 public:
  // `root`: a real path. Error (unavailable, a sentence): there is no private folder for it.
  static Result<ListeningSocket> open(const std::string& root);
  ListeningSocket(ListeningSocket&&) = default;
  ~ListeningSocket();  // removes its name

  int number() const { return socket_.number(); }  // readable: somebody connects
  // Empty: nobody is there any more, or it is another user.
  FileDescriptor accept() const;

 private:
  ListeningSocket(FileDescriptor folder, FileDescriptor socket, std::string name)
      : folder_(std::move(folder)), socket_(std::move(socket)), name_(std::move(name)) {}

  FileDescriptor folder_, socket_;
  std::string name_;
};

// The sockets of a root, of the folders above it and of those below it, newest first, as paths; one
// of each process.
std::vector<std::string> sockets_of(const std::string& root);

// Nullopt: nobody listens there any more; the name is then removed. Error (unavailable, the end of
// a sentence): somebody may listen, but cannot be trusted or does not answer.
Result<std::optional<FileDescriptor>> connect_to(const std::string& path);

// The next line, without its end. Errors: cancelled; unavailable (the time is over, the line is too
// long, or the other side has ended).
Result<std::string> read_line(const FileDescriptor& connection, std::chrono::milliseconds patience,
                              const std::stop_token& stop);
// False: not all of it was sent, so the other side has no whole line.
bool write_line(const FileDescriptor& connection, std::string line,
                std::chrono::milliseconds patience, const std::stop_token& stop);

}  // namespace bodkin::handover
