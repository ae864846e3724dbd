// The seam: what differs between systems lies in this room, and in the rooms' folders posix/,
// linux/ (which POSIX has not), portable/ (the same on other POSIX systems), windows/ and
// unconfined/ (all but Linux), of which a build takes its own (CMakeLists.txt). No #ifdef elsewhere
// asks for the system.
//
// Files and folders, in POSIX's words, since those were here first: on POSIX `os::` names the
// system's own functions. On Windows they do the same with its handles, return -1 with errno as on
// POSIX, and differ as follows:
//
//   paths     UTF-8, "C:/a/b" or "//server/share/a" (paths.h); names that Windows would take for
//             something else (NUL, a.c:stream, a trailing dot) are ENOENT, or EINVAL when created
//   links     symbolic links, junctions and every other reparse point that stands for a name are
//             links; O_NOFOLLOW and AT_SYMLINK_NOFOLLOW hold for the last part as on POSIX
//   openat    relative to the open folder itself, whatever its name is by now; so are its kin
//   rename    replaces the other file at once, even one that is open (with shared deletion)
//   sharing   what is open here may be read, written, renamed and deleted by others; a file that
//             another program has open without sharing it is EBUSY
//   modes     0400 and 0200 alone: the attribute "read-only"; what is made with 07 and 070 cleared
//             is for its owner, SYSTEM and the administrators alone (an own ACL), and st_mode says
//             so; st_uid is geteuid() if the file's owner is the user or the administrators
//   numbers   descriptors are of a table of ours, not the C library's; 0, 1, 2 are standard
//
// Thread: any. A descriptor is used by one thread at a time, except in poll().
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include "agent/platform/system/files.h"

namespace bodkin::os {

// The names in an open folder, unsorted, without "." and ".."; nullopt: see errno.
std::optional<std::vector<std::string>> names_in(int folder);

// The absolute path of what exists, with every link followed; nullopt: see errno.
std::optional<std::string> path_of_existing(const std::string& path);

// A new folder, for the user alone: the six X at the end of `path` are replaced. False: see errno.
bool make_unique_folder(std::string& path);

// When it was last written, and when anything of it last changed (st_ctim): ns since 1970.
int64_t written_at(const FileStatus& status);
int64_t changed_at(const FileStatus& status);

}  // namespace bodkin::os
