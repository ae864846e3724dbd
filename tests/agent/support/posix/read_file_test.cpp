#include "agent/support/read_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "agent/models/image.h"
#include "agent/models/replay.h"

using namespace bodkin;

namespace {

namespace fs = std::filesystem;

struct ReadFolder {
  fs::path path;
  ReadFolder() {
    std::string name = (fs::temp_directory_path() / "bodkin-read-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~ReadFolder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
};

}  // namespace

TEST_CASE("A file is read whole, or only its start, and never more than was asked for") {
  const ReadFolder folder;
  const std::string text(100'000, 'x');
  std::ofstream(folder / "a") << text;
  CHECK(read_file(folder / "a", 100'000) == text);
  CHECK_FALSE(read_file(folder / "a", 99'999));
  CHECK(read_file(folder / "a", 99'999).error().code == Error::Code::invalid_input);
  CHECK(read_start_of_file(folder / "a", 12) == std::string(12, 'x'));
  CHECK(read_start_of_file(folder / "a", 200'000) == text);
  std::ofstream(folder / "empty").flush();
  CHECK(read_file(folder / "empty", 10) == std::string());
  CHECK(read_file(folder / "none", 10).error().code == Error::Code::not_found);
  // Its size says nothing: the bytes count.
  if (const auto status = read_file("/proc/self/status", 1 << 20))  // Linux alone
    CHECK(status->starts_with("Name:"));
  // A sparse file of a terabyte takes no memory.
  std::ofstream(folder / "sparse").flush();
  REQUIRE(::truncate((folder / "sparse").c_str(), off_t{1} << 40) == 0);
  CHECK_FALSE(read_file(folder / "sparse", 1 << 20));
  CHECK(read_start_of_file(folder / "sparse", 4) == std::string(4, '\0'));
}

// A pipe as an attachment kept the server waiting for its other end.
TEST_CASE("What is no regular file is not read and not waited for") {
  const ReadFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("pipe", folder / "link");
  fs::create_directory(folder / "directory");
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  for (const std::string& path : {folder / "pipe", folder / "link", folder / "directory",
                                  folder / "socket", std::string("/dev/zero")}) {
    INFO(path);
    const auto read = read_file(path, 1000);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == Error::Code::invalid_input);
    CHECK_FALSE(read_start_of_file(path, 12));
    CHECK_FALSE(is_image_file(path));
    CHECK_FALSE(load_image(path));
    CHECK_FALSE(open_replay(path));
  }
  CHECK(read_file(folder / "directory", 10).error().message ==
        (folder / "directory") + " is a folder.");
  ::close(listener);
  const int directory = ::open(folder.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  CHECK_FALSE(read_file_at(directory, "link", 1000));
  CHECK(errno == ELOOP);
  CHECK_FALSE(read_file_at(directory, "pipe", 1000));
  CHECK(errno == EINVAL);
  ::close(directory);
}

// The rule that keeps it so: files are opened for reading in one place. (A reply that the user
// names on the command line may be a pipe; a cache is opened by its owner's own rules.)
TEST_CASE("Files are read in one place") {
  const fs::path top = fs::path(BODKIN_TESTS_DIR).parent_path();
  for (const char* folder : {"agent", "lsp"}) {
    for (const auto& file : fs::directory_iterator(top / folder)) {
      if (file.path().extension() != ".cpp" && file.path().extension() != ".h") continue;
      std::ifstream in(file.path());
      const std::string text(std::istreambuf_iterator<char>(in), {});
      const std::string name = file.path().filename().string();
      const bool may = name == "command_apply.cpp" || name == "scratch.cpp";
      for (const char* way : {"ifstream", "fopen("}) {
        INFO(name, ": ", way);
        CHECK((may || text.find(way) == std::string::npos));
      }
    }
  }
}
