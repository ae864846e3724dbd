// What the seam promises on every system.
#include "agent/platform/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/paths.h"
#include "agent/platform/processes.h"
#include "agent/platform/walk.h"

using namespace bodkin;

namespace {

class Folder {
 public:
  Folder() : path(os::temporary_folder() + "/bodkin-test-XXXXXX") {
    REQUIRE(os::make_unique_folder(path));
  }
  ~Folder() {
    std::error_code error;
    os::remove_all(path, error);
  }
  std::string at(const std::string& name) const { return path + "/" + name; }

  std::string path;
};

bool put(const std::string& path, std::string_view text, int also = 0) {
  const FileDescriptor file(os::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | also, 0600));
  return file &&
         os::write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string text_of(const std::string& path) {
  const FileDescriptor file(os::open(path.c_str(), O_RDONLY));
  char buffer[1000];
  const ssize_t size = file ? os::read(file.number(), buffer, sizeof buffer) : -1;
  return size < 0 ? "(" + std::string(std::strerror(errno)) + ")"
                  : std::string(buffer, static_cast<size_t>(size));
}

// False: this user may not make links here, or the system only says that it has made one.
bool link_to(const std::string& target, const FileDescriptor& folder, const char* name) {
  os::FileStatus status{};
  return os::symlinkat(target.c_str(), folder.number(), name) == 0 &&
         os::fstatat(folder.number(), name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// Wine's own limits: an open folder that was renamed, and a name that is open.
bool is_real_system() { return os::system_name().version != "wine"; }

}  // namespace

TEST_CASE("files: what is written is read, in any language, and deep below") {
  const Folder folder;
  std::string deep = folder.path;
  for (int i = 0; i < 12; ++i) {
    deep += "/a-long-name-of-a-folder-\xC3\xA9\xE6\x97\xA5";
    REQUIRE(os::mkdir(deep.c_str(), 0700) == 0);
  }
  REQUIRE(put(deep + "/\xF0\x9F\x98\x80.txt", "one\r\ntwo\n"));
  CHECK(text_of(deep + "/\xF0\x9F\x98\x80.txt") == "one\r\ntwo\n");
  size_t seen = 0;
  CHECK(walk(folder.path, [&](const std::filesystem::directory_entry& entry) {
    ++seen;
    CHECK(os::text_of(entry.path()).starts_with(folder.path + "/"));
    return Walk::on;
  }));
  CHECK(seen == 13);
}

TEST_CASE("files: an open folder is meant, whatever its name is by now") {
  if (!is_real_system()) return;
  const Folder folder;
  REQUIRE(os::mkdir(folder.at("a").c_str(), 0700) == 0);
  const FileDescriptor a(os::open(folder.at("a").c_str(), O_RDONLY | O_DIRECTORY));
  REQUIRE(a);
  REQUIRE(os::rename(folder.at("a").c_str(), folder.at("b").c_str()) == 0);
  const FileDescriptor file(os::openat(a.number(), "x", O_WRONLY | O_CREAT | O_EXCL, 0600));
  CHECK(file);
  CHECK(os::mkdirat(a.number(), "f", 0700) == 0);
  os::FileStatus inside{}, named{};
  CHECK(os::fstatat(a.number(), "x", &inside, 0) == 0);
  CHECK(os::stat(folder.at("b/x").c_str(), &named) == 0);
  CHECK(inside.st_ino == named.st_ino);
  CHECK(inside.st_dev == named.st_dev);
  auto names = os::names_in(a.number());
  REQUIRE(names);
  std::ranges::sort(*names);
  CHECK(*names == std::vector<std::string>{"f", "x"});
  CHECK(os::unlinkat(a.number(), "x", 0) == 0);
  CHECK(os::unlinkat(a.number(), "f", 0) == -1);
  CHECK(os::unlinkat(a.number(), "f", AT_REMOVEDIR) == 0);
  CHECK(os::names_in(a.number())->empty());
  const FileDescriptor again(os::openat(a.number(), ".", O_RDONLY | O_DIRECTORY));
  CHECK(again);
}

TEST_CASE("files: errors are those of POSIX") {
  const Folder folder;
  REQUIRE(put(folder.at("file"), "x"));
  const auto error_of = [&](const std::string& name, int flags) {
    errno = 0;
    const FileDescriptor file(os::open(folder.at(name).c_str(), flags, 0600));
    return file ? 0 : errno;
  };
  CHECK(error_of("none", O_RDONLY) == ENOENT);
  CHECK(error_of("none/x", O_RDONLY) == ENOENT);
  CHECK(error_of("file", O_WRONLY | O_CREAT | O_EXCL) == EEXIST);
  CHECK(error_of("file", O_RDONLY | O_DIRECTORY) == ENOTDIR);
  CHECK(error_of("", O_WRONLY) == EISDIR);
  CHECK(os::mkdir(folder.path.c_str(), 0700) == -1);
  CHECK(errno == EEXIST);
  CHECK(os::rmdir(folder.path.c_str()) == -1);
  CHECK(errno == ENOTEMPTY);
}

TEST_CASE("files: a rename replaces a file that somebody reads, who reads the old one on") {
  if (!is_real_system()) return;
  const Folder folder;
  REQUIRE(put(folder.at("file"), "old"));
  REQUIRE(put(folder.at("next"), "new"));
  const FileDescriptor reader(os::open(folder.at("file").c_str(), O_RDONLY));
  REQUIRE(reader);
  CHECK(os::rename(folder.at("next").c_str(), folder.at("file").c_str()) == 0);
  CHECK(text_of(folder.at("file")) == "new");
  char buffer[10];
  CHECK(os::read(reader.number(), buffer, sizeof buffer) == 3);
  CHECK(std::string_view(buffer, 3) == "old");
  os::FileStatus status{};
  CHECK(os::lstat(folder.at("next").c_str(), &status) == -1);
}

TEST_CASE("files: a further name is the same file, and never replaces one") {
  const Folder folder;
  const FileDescriptor at(os::open(folder.path.c_str(), O_RDONLY | O_DIRECTORY));
  REQUIRE(put(folder.at("one"), "text"));
  REQUIRE(put(folder.at("other"), "other"));
  CHECK(os::linkat(at.number(), "one", at.number(), "2", 0) == 0);
  CHECK(os::linkat(at.number(), "one", at.number(), "other", 0) == -1);
  CHECK(errno == EEXIST);
  CHECK(text_of(folder.at("2")) == "text");
  os::FileStatus one{}, two{};
  CHECK(os::stat(folder.at("one").c_str(), &one) == 0);
  CHECK(os::stat(folder.at("2").c_str(), &two) == 0);
  CHECK(one.st_ino == two.st_ino);
  CHECK(one.st_nlink == 2);
}

TEST_CASE("files: what is made with 0600 and 0700 is private, and can be made so") {
  const Folder folder;
  os::FileStatus status{};
  REQUIRE(os::stat(folder.path.c_str(), &status) == 0);
  CHECK((status.st_mode & 077) == 0);
  CHECK(status.st_uid == os::geteuid());
  REQUIRE(put(folder.at("file"), "x"));
  const FileDescriptor file(os::open(folder.at("file").c_str(), O_RDWR));
  REQUIRE(os::fstat(file.number(), &status) == 0);
  CHECK(S_ISREG(status.st_mode));
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(os::fchmod(file.number(), 0600) == 0);
  CHECK(os::fchmod(file.number(), 0400) == 0);
  REQUIRE(os::fstat(file.number(), &status) == 0);
  CHECK((status.st_mode & 0222) == 0);
  CHECK(os::fchmod(file.number(), 0600) == 0);
}

TEST_CASE("files: a lock is held by one, and given back with the descriptor") {
  const Folder folder;
  REQUIRE(put(folder.at("file"), "x"));
  for (const std::string& path : {folder.path, folder.at("file")}) {
    const int how = path == folder.path ? O_RDONLY | O_DIRECTORY : O_RDWR;
    FileDescriptor one(os::open(path.c_str(), how)), other(os::open(path.c_str(), how));
    CHECK(os::flock(one.number(), LOCK_EX | LOCK_NB) == 0);
    CHECK(os::flock(other.number(), LOCK_EX | LOCK_NB) == -1);
    CHECK(errno == EWOULDBLOCK);
    if (path != folder.path) CHECK(text_of(path) == "x");
    one = FileDescriptor();
    CHECK(os::flock(other.number(), LOCK_EX | LOCK_NB) == 0);
  }
}

TEST_CASE(
    "files: a link is not followed where it must not be, and never by what walks or removes") {
  const Folder folder;
  REQUIRE(os::mkdir(folder.at("far").c_str(), 0700) == 0);
  REQUIRE(put(folder.at("far/file"), "kept"));
  REQUIRE(os::mkdir(folder.at("in").c_str(), 0700) == 0);
  const FileDescriptor in(os::open(folder.at("in").c_str(), O_RDONLY | O_DIRECTORY));
  if (!link_to(folder.at("far"), in, "link") || !link_to(folder.at("far/file"), in, "to-file"))
    return;
  os::FileStatus status{};
  CHECK(os::fstatat(in.number(), "link", &status, AT_SYMLINK_NOFOLLOW) == 0);
  CHECK(S_ISLNK(status.st_mode));
  CHECK(os::openat(in.number(), "to-file", O_RDONLY | O_NOFOLLOW) == -1);
  CHECK(errno == ELOOP);
  CHECK(os::openat(in.number(), "link", O_RDONLY | O_DIRECTORY | O_NOFOLLOW) == -1);
  CHECK(text_of(folder.at("in/to-file")) == "kept");
  CHECK(os::path_of_existing(folder.at("in/link/file")) ==
        os::path_of_existing(folder.at("far/file")));
  char target[1000];
  const ssize_t size = os::readlinkat(in.number(), "link", target, sizeof target);
  REQUIRE(size > 0);
  CHECK(std::string(target, static_cast<size_t>(size)) == folder.at("far"));
  size_t seen = 0;
  walk(folder.at("in"), [&](const std::filesystem::directory_entry& entry) {
    std::error_code error;
    CHECK(os::is_symlink(entry, error));
    ++seen;
    return Walk::on;
  });
  CHECK(seen == 2);
  std::error_code error;
  os::remove_all(folder.at("in"), error);
  CHECK(!error);
  CHECK(text_of(folder.at("far/file")) == "kept");
}

TEST_CASE("files: something is appended, cut off and looked for in the middle") {
  const Folder folder;
  REQUIRE(put(folder.at("file"), "one"));
  {
    const FileDescriptor file(os::open(folder.at("file").c_str(), O_WRONLY | O_APPEND));
    CHECK(os::write(file.number(), "two", 3) == 3);
  }
  CHECK(text_of(folder.at("file")) == "onetwo");
  const FileDescriptor file(os::open(folder.at("file").c_str(), O_RDWR));
  CHECK(os::lseek(file.number(), 2, SEEK_SET) == 2);
  char byte = 0;
  CHECK(os::read(file.number(), &byte, 1) == 1);
  CHECK(byte == 'e');
  CHECK(os::ftruncate(file.number(), 4) == 0);
  CHECK(os::fsync(file.number()) == 0);
  CHECK(text_of(folder.at("file")) == "onet");
}
