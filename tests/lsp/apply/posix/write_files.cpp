// Writes that are interrupted: every step of a change fails once, and the process is killed before
// every step; after that all files are old, or all are new.
#include "lsp/apply/write_files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

namespace bodkin {
namespace {

namespace fs = std::filesystem;

class Folder {  // a folder of the test, gone with it
 public:
  Folder() {
    // In memory where that exists: hundreds of changes are synced to the disk many times each.
    const fs::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    std::string name =
        ((usable ? memory : fs::temp_directory_path()) / "bodkin-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string get(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  std::map<std::string, std::string> all() const {  // every file and folder: nothing is left behind
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      const std::string name = entry.path().lexically_relative(path_);
      out[name] = entry.is_directory() ? "/" : get(name);
    }
    return out;
  }
  ConfinedFolder opened() const { return *ConfinedFolder::open(path_); }

 private:
  fs::path path_;
};

// The journals of these tests are in a folder of their own, not among the user's.
void use_own_state() {
  static const Folder state;
  ::setenv("XDG_STATE_HOME", state.path().c_str(), 1);
}

JournalFolder journals_of(const ConfinedFolder& folder) {
  use_own_state();
  auto journals = JournalFolder::open(folder);
  REQUIRE(journals);
  return *std::move(journals);
}

Result<void> write(const ConfinedFolder& folder, const std::vector<FileWrite>& writes,
                   const Fault& fault = {}) {
  auto done = write_files(folder, journals_of(folder), writes, fault);
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<std::vector<std::string>> recover(const ConfinedFolder& folder, const Fault& fault = {}) {
  return recover_files(folder, journals_of(folder), fault);
}

void fill(const Folder& folder) {
  use_own_state();  // before a child process is made
  folder.put("a.txt", "old a\n");
  folder.put("sub/b.txt", "old b\n");
  folder.put("sub/gone.txt", "gone\n");
  folder.put("tool.sh", "echo\n");
  ::chmod((folder.path() / "tool.sh").c_str(), 0755);
}

const std::vector<FileWrite> kWrites = {
    {"a.txt", "old a\n", "new a\n"},
    {"deep/er/c.txt", std::nullopt, "new c\n"},
    {"sub/b.txt", "old b\n", "new b\n"},
    {"sub/gone.txt", "gone\n", std::nullopt},
    {"bin/tool.sh", std::nullopt, "echo 2\n", "tool.sh"},
    {"tool.sh", "echo\n", std::nullopt},
};

struct States {
  std::map<std::string, std::string> before, after;
};

States states() {
  States out;
  const Folder folder;
  fill(folder);
  out.before = folder.all();
  REQUIRE(write(folder.opened(), kWrites));
  out.after = folder.all();
  return out;
}

TEST_CASE("a change of many files creates, changes, removes and moves, and leaves nothing behind") {
  const States both = states();
  CHECK(both.after == std::map<std::string, std::string>{{"a.txt", "new a\n"},
                                                         {"bin", "/"},
                                                         {"bin/tool.sh", "echo 2\n"},
                                                         {"deep", "/"},
                                                         {"deep/er", "/"},
                                                         {"deep/er/c.txt", "new c\n"},
                                                         {"sub", "/"},
                                                         {"sub/b.txt", "new b\n"}});
}

TEST_CASE("when any one step fails, nothing was changed") {
  const States both = states();
  for (const int injected : {ENOSPC, EIO, EACCES}) {
    int steps = 0;
    for (int failing = 1;; ++failing) {
      CAPTURE(failing);
      const Folder folder;
      fill(folder);
      steps = 0;
      std::string name;
      const Result<void> done = write(folder.opened(), kWrites, [&](std::string_view step) {
        if (++steps != failing) return 0;
        name = step;
        return injected;
      });
      CAPTURE(name);
      if (steps < failing) break;  // there is no such step any more
      if (done) {                  // clearing up may fail: the next run does it
        REQUIRE(recover(folder.opened()));
        CHECK(folder.all() == both.after);
      } else {
        CHECK(done.error().message.size() > 10);
        CHECK(folder.all() == both.before);
      }
    }
    CHECK(steps > 40);
  }
}

TEST_CASE("when the process is killed before any step, the next run has all files old or all new") {
  const States both = states();
  int killed_runs = 0, finished_runs = 0;
  for (int last = 1;; ++last) {
    CAPTURE(last);
    const Folder folder;
    fill(folder);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      int steps = 0;
      const bool done = write(folder.opened(), kWrites, [&](std::string_view) {
                          if (++steps == last) ::_exit(9);
                          return 0;
                        }).has_value();
      ::_exit(done ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 0) break;
    REQUIRE(WEXITSTATUS(status) == 9);
    // The recovery may be killed too, before each of its own steps, and is done again.
    for (int again = 1; again <= 3; ++again) {
      const pid_t other = ::fork();
      REQUIRE(other >= 0);
      if (other == 0) {
        int steps = 0;
        (void)recover(folder.opened(), [&](std::string_view) {
          if (++steps == again * 3) ::_exit(9);
          return 0;
        });
        ::_exit(0);
      }
      ::waitpid(other, nullptr, 0);
    }
    REQUIRE(recover(folder.opened()));
    const auto now = folder.all();
    CHECK((now == both.before || now == both.after));
    killed_runs += now == both.before;
    finished_runs += now == both.after;
  }
  CHECK(killed_runs > 30);
  CHECK(finished_runs > 3);
}

// Runs it in another process, which may not write in the folder, as somebody other than root.
int run_without_the_folder(const Folder& folder, const std::function<int()>& run) {
  static const Folder others_state;
  const fs::path& state = others_state.path();
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::setenv("XDG_STATE_HOME", state.c_str(), 1);
    constexpr uid_t kOther = 65534;
    if (::geteuid() == 0) {
      for (const fs::path& top : {folder.path(), state}) {
        if (::chown(top.c_str(), kOther, kOther) != 0) ::_exit(90);
        for (const auto& entry : fs::recursive_directory_iterator(top))
          if (::chown(entry.path().c_str(), kOther, kOther) != 0) ::_exit(91);
      }
      if (::setgid(kOther) != 0 || ::setuid(kOther) != 0) ::_exit(92);
    }
    ::chmod(folder.path().c_str(), 0555);
    const int code = run();
    ::chmod(folder.path().c_str(), 0755);
    ::_exit(code);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  ::chmod(folder.path().c_str(), 0755);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

TEST_CASE("a file that cannot be replaced is written in place, or as it was at any failure") {
  const std::string before = "port: 80\nname: the longer text\n", after = "port: 8080\n";
  const std::vector<FileWrite> writes = {{"a.yaml", before, after}};
  enum class Ends { fails, is_killed, fails_half, is_killed_half };
  for (const Ends ends : {Ends::fails, Ends::is_killed, Ends::fails_half, Ends::is_killed_half}) {
    int last = 0;
    for (int failing = 1;; ++failing) {
      CAPTURE(failing);
      const Folder folder;
      folder.put("a.yaml", before);
      const auto inode = [&] {
        struct stat status {};
        ::stat((folder.path() / "a.yaml").c_str(), &status);
        return status.st_ino;
      };
      const ino_t old = inode();
      const bool is_half = ends == Ends::fails_half || ends == Ends::is_killed_half;
      const bool is_killed = ends == Ends::is_killed || ends == Ends::is_killed_half;
      const int code = run_without_the_folder(folder, [&] {
        const ConfinedFolder opened = folder.opened();
        auto journals = JournalFolder::open(opened);
        if (!journals) return 93;
        int steps = 0;
        const auto done = write_files(opened, *journals, writes, [&](std::string_view step) {
          if (++steps != failing) return 0;
          if (is_half && step == "write in place") {
            const int file = ::open((folder.path() / "a.yaml").c_str(), O_WRONLY);
            if (::write(file, after.data(), 8) != 8) ::_exit(94);
            ::close(file);
          }
          if (is_killed) ::_exit(9);
          return ENOSPC;
        });
        if (steps < failing) return done && *done == std::vector<std::string>{"a.yaml"} ? 0 : 95;
        return 1;
      });
      last = failing;
      const int again = run_without_the_folder(folder, [&] {
        const ConfinedFolder opened = folder.opened();
        auto journals = JournalFolder::open(opened);
        return journals && recover_files(opened, *journals) ? 0 : 96;
      });
      CHECK(again == 0);
      const std::string now = folder.get("a.yaml");
      CHECK((now == before || now == after));
      CHECK(inode() == old);
      CHECK(folder.all().size() == 1);
      if (code == 0) CHECK(now == after);
      if (code == 0) break;
      REQUIRE(code == (is_killed ? 9 : 1));
    }
    CHECK(last > 10);
  }
}

TEST_CASE("what was edited after an interrupted run is not changed back") {
  const Folder folder;
  fill(folder);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int renamed = 0;
    (void)write(folder.opened(), kWrites, [&](std::string_view step) {
      if (step == "rename the new file" && ++renamed == 2) ::_exit(9);
      return 0;
    });
    ::_exit(1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WEXITSTATUS(status) == 9);
  REQUIRE(folder.get("a.txt") == "new a\n");
  folder.put("a.txt", "mine\n");
  const auto said = recover(folder.opened());
  REQUIRE(said);
  CHECK(folder.get("a.txt") == "mine\n");
  CHECK(folder.get("sub/b.txt") == "old b\n");
  REQUIRE(!said->empty());
  std::string all;
  for (const std::string& sentence : *said) all += sentence + "\n";
  CHECK(all.find("a.txt has been edited since") != std::string::npos);
  CHECK(!needs_recovery(folder.opened()));
}

TEST_CASE("what became a folder after an interrupted run does not hold the next ones up") {
  const Folder folder;
  fill(folder);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    (void)write(folder.opened(), kWrites, [&](std::string_view step) {
      if (step == "remove the old file") ::_exit(9);
      return 0;
    });
    ::_exit(1);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  REQUIRE(needs_recovery(folder.opened()));
  fs::remove(folder.path() / "a.txt");
  fs::create_directory(folder.path() / "a.txt");
  fs::remove_all(folder.path() / "deep");
  folder.put("deep", "a file now\n");
  REQUIRE(recover(folder.opened()));
  CHECK(folder.get("sub/b.txt") == "old b\n");
  CHECK(fs::is_directory(folder.path() / "a.txt"));
  CHECK(!needs_recovery(folder.opened()));
}

TEST_CASE("what a run leaves that is killed when all is written is seen, and removed") {
  const Folder folder;
  fill(folder);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    (void)write(folder.opened(), kWrites, [&](std::string_view step) {
      if (step == "remove a leftover") ::_exit(9);
      return 0;
    });
    ::_exit(1);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(needs_recovery(folder.opened()));
  REQUIRE(recover(folder.opened()));
  CHECK(!needs_recovery(folder.opened()));
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    CHECK(!entry.path().filename().string().starts_with(".bodkin-"));
}

TEST_CASE("a file that somebody else changed meanwhile is left alone, and so are all others") {
  const Folder folder;
  fill(folder);
  folder.put("sub/b.txt", "theirs\n");
  const auto before = folder.all();
  const Result<void> done = write(folder.opened(), kWrites);
  REQUIRE(!done);
  CHECK(done.error().code == Error::Code::stale);
  CHECK(folder.all() == before);
}

TEST_CASE("a new file never replaces one that came in between") {
  const Folder folder;
  fill(folder);
  const Result<void> done = write(folder.opened(), kWrites, [&](std::string_view step) {
    if (step == "link the new file") folder.put("deep/er/c.txt", "theirs\n");
    return 0;
  });
  REQUIRE(!done);
  CHECK(folder.get("deep/er/c.txt") == "theirs\n");
  CHECK(folder.get("a.txt") == "old a\n");
}

TEST_CASE("mode stays, also when a file moves") {
  const Folder folder;
  fill(folder);
  ::chmod((folder.path() / "a.txt").c_str(), 0640);
  REQUIRE(write(folder.opened(), kWrites));
  struct stat status {};
  REQUIRE(::stat((folder.path() / "a.txt").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  REQUIRE(::stat((folder.path() / "bin/tool.sh").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0755);
}

TEST_CASE("at no moment can more people read a file than before") {
  const Folder folder;
  fill(folder);
  const mode_t old = ::umask(0);
  ::chmod((folder.path() / "a.txt").c_str(), 0600);
  int seen = 0;
  const Result<void> done = write(folder.opened(), {kWrites[0]}, [&](std::string_view step) {
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (!entry.path().filename().string().starts_with(".bodkin-")) continue;
      CAPTURE(step);
      CHECK((entry.status().permissions() & fs::perms(077)) == fs::perms::none);
      ++seen;
    }
    return 0;
  });
  ::umask(old);
  CHECK(done);
  CHECK(seen > 3);
  // A new one is made as any program makes it.
  ::umask(027);
  CHECK(write(folder.opened(), {{"new.txt", std::nullopt, "n\n"}}));
  ::umask(old);
  CHECK(fs::status(folder.path() / "new.txt").permissions() == fs::perms(0640));
}

TEST_CASE("a journal that nobody of ours wrote is not believed") {
  const Folder folder;
  fill(folder);
  const ConfinedFolder opened = folder.opened();
  const JournalFolder journals = journals_of(opened);
  const auto field = [](std::string text) { return text + '\0'; };
  struct stat root {};
  REQUIRE(::stat(folder.path().c_str(), &root) == 0);
  const std::string head =
      field("bodkin apply 2") + field(opened.path()) + field(std::to_string(root.st_ino));
  const auto refuses = [&](const std::string& journal, mode_t mode = 0600) {
    const fs::path file = fs::path(journals.path()) / journals.journal();
    std::ofstream(file, std::ios::binary) << journal;
    ::chmod(file.c_str(), mode);
    const bool refused = !recover_files(opened, journals);
    fs::remove(file);
    return refused;
  };
  CHECK(!refuses(head + "end"));
  CHECK(refuses(head + "end", 0644));
  CHECK(refuses(field("bodkin apply 2") + field("/elsewhere") + field("1") + "end"));
  for (const std::string path : {"../a.txt", "/etc/passwd", "sub/../../x", ".git/config"}) {
    CHECK(refuses(head + field("file") + field(path) + field(".bodkin-1.new") +
                  field(".bodkin-1.old") + field("none") + field("none") + "end"));
  }
  for (const std::string name : {"a.txt", "../a.txt", ".bodkin-/../a.txt"}) {
    CHECK(refuses(head + field("file") + field("tool.sh") + field(name) + field(".bodkin-1.old") +
                  field("none") + field("none") + "end"));
  }
  CHECK(refuses("anything"));
  CHECK(folder.get("a.txt") == "old a\n");
}

TEST_CASE("a text of somebody else's is not what a file was restored to") {
  const Folder folder;
  fill(folder);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    (void)write(folder.opened(), kWrites, [&](std::string_view step) {
      if (step == "remove the old file") ::_exit(9);
      return 0;
    });
    ::_exit(1);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  REQUIRE(folder.get("a.txt") == "new a\n");
  for (const auto& [name, text] : folder.all()) {
    if (name.ends_with("-0.old")) {
      fs::remove(folder.path() / name);
      folder.put(name, "theirs\n");
    }
  }
  REQUIRE(recover(folder.opened()));
  CHECK(folder.get("a.txt") == "new a\n");
}

TEST_CASE("a path is resolved below the folder or not at all") {
  const Folder folder, outside;
  outside.put("secret.txt", "s\n");
  fill(folder);
  folder.put(".git/config", "x\n");
  fs::create_symlink("sub", folder.path() / "link");
  fs::create_symlink("../sub/b.txt", folder.path() / "sub" / "up");
  fs::create_symlink(folder.path() / "sub", folder.path() / "absolute");
  fs::create_symlink(outside.path(), folder.path() / "out");
  fs::create_symlink(outside.path() / "secret.txt", folder.path() / "secret");
  fs::create_symlink(".git", folder.path() / "git");
  fs::create_symlink("loop", folder.path() / "loop");
  fs::create_symlink("nowhere.txt", folder.path() / "dangling");
  const ConfinedFolder opened = folder.opened();
  for (const auto& [path, resolved] : std::map<std::string, std::string>{
           {"a.txt", "a.txt"},
           {"./sub//b.txt", "sub/b.txt"},
           {"sub/../a.txt", "a.txt"},
           {"link/b.txt", "sub/b.txt"},
           {"link/up", "sub/b.txt"},
           {"absolute/b.txt", "sub/b.txt"},
           {"dangling", "nowhere.txt"},
           {"new/deep/x", "new/deep/x"},
           {".gitignore", ".gitignore"},
       }) {
    CAPTURE(path);
    const Result<std::string> got = opened.resolve(path);
    REQUIRE(got);
    CHECK(*got == resolved);
  }
  for (const char* path :
       {"", ".", "..", "../a.txt", "sub/../../x", "/etc/passwd", "out/secret.txt", "out/new",
        "secret", ".git/config", ".GIT/config", "sub/.git", ".git./x", ".git ", "GIT~1/config",
        "git/config", "loop", "new/../../x", "link/../../a.txt"}) {
    CAPTURE(path);
    CHECK(!opened.resolve(path));
  }
}

TEST_CASE("a link that is put there after the path was resolved is not followed") {
  const Folder folder, outside;
  fill(folder);
  outside.put("b.txt", "old b\n");
  const ConfinedFolder opened = folder.opened();
  const Result<std::string> path = opened.resolve("sub/b.txt");
  REQUIRE(path);
  fs::rename(folder.path() / "sub", folder.path() / "aside");
  fs::create_symlink(outside.path(), folder.path() / "sub");
  CHECK(!opened.read(*path));
  CHECK(!write(opened, {{*path, "old b\n", "new b\n"}}));
  CHECK(outside.get("b.txt") == "old b\n");
}

}  // namespace
}  // namespace bodkin
