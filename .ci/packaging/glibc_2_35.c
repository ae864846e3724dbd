/* Functions that glibc has only since 2.36, as their system calls: with these the packages' program
   also starts on glibc 2.35 (Ubuntu 22.04). Linked only into that program (.ci/packaging/static.cmake).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

int open_tree(int folder, const char* path, unsigned flags) {
  return (int)syscall(SYS_open_tree, folder, path, flags);
}
int move_mount(int from, const char* from_path, int to, const char* to_path, unsigned flags) {
  return (int)syscall(SYS_move_mount, from, from_path, to, to_path, flags);
}
int fsopen(const char* type, unsigned flags) { return (int)syscall(SYS_fsopen, type, flags); }
int fsconfig(int fd, unsigned command, const char* key, const void* value, int number) {
  return (int)syscall(SYS_fsconfig, fd, command, key, value, number);
}
int fsmount(int fd, unsigned flags, unsigned attributes) {
  return (int)syscall(SYS_fsmount, fd, flags, attributes);
}
int mount_setattr(int folder, const char* path, unsigned flags, void* change, size_t size) {
  return (int)syscall(SYS_mount_setattr, folder, path, flags, change, size);
}

/* std::random_device, as libstdc++ was configured. Without random bytes nothing must go on. */
uint32_t arc4random(void) {
  uint32_t value = 0;
  ssize_t got;
  do {
    got = getrandom(&value, sizeof value, 0);
  } while (got < 0 && errno == EINTR);
  if (got != (ssize_t)sizeof value) abort();
  return value;
}
