// Named pipes between two programs of the same user. Windows only. Thread: any; see Descriptor.
#pragma once

#include <string>

namespace bodkin::os {

// Listens at `name` ("bodkin-…"), which only the user can open, and nobody else has; a descriptor
// that is readable when somebody connects. -1: see errno.
int listen_at(const std::string& name);
// Accepts the connection of a client; EAGAIN: there is none.
int accept_connection(int listening);
// ENOENT: nobody listens. EACCES: it is not the user's.
int connect_to_local(const std::string& name);

}  // namespace bodkin::os
