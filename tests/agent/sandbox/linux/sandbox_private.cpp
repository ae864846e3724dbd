// What of a workspace and of a home stays outside of the sandbox, wherever it lies.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "agent/sandbox/linux/sandbox_shown.h"
#include "agent/sandbox/linux/sandbox_ways.h"
#include "agent/sandbox/sandbox_files.h"

using namespace bodkin;
namespace fs = std::filesystem;
using Isolation = SandboxPlan::Isolation;

namespace {

struct Place {
  Place() {
    std::string name = "/var/tmp/bodkin-private-XXXXXX";
    top = fs::canonical(::mkdtemp(name.data()));
  }
  ~Place() { fs::remove_all(top); }
  void put(const std::string& path, const std::string& text = "x\n") const {
    fs::create_directories((top / path).parent_path());
    std::ofstream(top / path) << text;
  }
  fs::path top;
};

constexpr char kCertificate[] = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";
constexpr char kLogin[] = "[remote \"o\"]\nurl = https://me:SECRET@host/\n";

std::vector<std::string> sorted(std::vector<std::string> paths) {
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

TEST_CASE("private files are private among packages, too") {
  const Place place;
  place.put(".bodkinignore", "vendor/notes/\n*.draft\n");
  for (const char* path :
       {"vendor/.env", "vendor/notes/n.txt", "node_modules/a/.npmrc", "node_modules/a/x.draft",
        "lib/site-packages/a/key.pem", "lib/site-packages/a/id_rsa"}) {
    place.put(path);
  }
  place.put("repository/HEAD");
  place.put("repository/config", kLogin);
  place.put("vendor/a/.git/config", kLogin);
  // What packages hold that programs need.
  place.put("lib/site-packages/certifi/cacert.pem", kCertificate);
  place.put("lib/site-packages/a/both.pem", kCertificate + std::string("BEGIN PRIVATE KEY"));
  place.put("node_modules/.bin/dotenv", "#!/bin/sh\n");
  fs::permissions(place.top / "node_modules/.bin/dotenv", fs::perms::owner_all);
  place.put("node_modules/dotenv/main.js");
  place.put("vendor/a/.git/HEAD");
  const auto found = find_private(place.top.string(), {});
  REQUIRE(found.has_value());
  CHECK(sorted(found->secrets) ==
        std::vector<std::string>{"lib/site-packages/a/both.pem", "lib/site-packages/a/id_rsa",
                                 "lib/site-packages/a/key.pem", "node_modules/a/.npmrc",
                                 "node_modules/a/x.draft", "repository/config", "vendor/.env",
                                 "vendor/a/.git/config", "vendor/notes/n.txt"});
}

TEST_CASE("what an outer folder's .bodkinignore names is not in the sandbox of an inner one") {
  const Place place;
  place.put("w/.bodkinignore", "inner/private/\n");
  place.put("w/inner/private/n.txt", "SECRET\n");
  place.put("w/inner/a.txt", "open\n");
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open || way == Isolation::inside) continue;  // copies of what is listed
    CAPTURE(way);
    SandboxRun run;
    run.command = {"sh", "-c", "cat a.txt private/n.txt ../inner/private/n.txt"};
    run.folders = {{.folder = (place.top / "w/inner").string()},
                   {.folder = (place.top / "w").string()}};
    const auto outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output.starts_with("open\n"));
    CHECK(outcome->output.find("SECRET") == std::string::npos);
  }
}

// Each makes a repository that keeps SECRET in a private file, and whether git still works there.
struct GitDoor {
  const char* name;
  const char* script;
  bool shows_history;
};
constexpr GitDoor kGitDoors[] = {
    {"no private file", "g init; echo x >.env; echo .env >.gitignore; g add .; g commit -m x",
     true},
    {"tracked", "g init; echo SECRET >.env; g add -f .; g commit -m x", false},
    {"a packed object", "g init; echo SECRET >.env; g add -f .; g commit -m x; g gc", false},
    {"an index of version 4",
     "g init; echo SECRET >.env; g add -f .; g commit -m x; g update-index --index-version 4",
     false},
    {"a split index",
     "g init; echo SECRET >.env; g add -f .; g commit -m x; g update-index --split-index; "
     "echo b >b; g add b",
     false},
    {"a sparse checkout",
     "g init; mkdir keep conf; echo k >keep/k; echo SECRET >conf/.env; g add -f .; g commit -m x; "
     "g sparse-checkout set --cone --sparse-index keep",
     false},
    {"tracked, but deleted", "g init; echo SECRET >.env; g add -f .; g commit -m x; rm .env",
     false},
    {"removed from the index only",
     "g init; echo SECRET >.env; g add -f .; g commit -m x; g rm -q .env", false},
    {"renamed since", "g init; echo SECRET >id_rsa; g add -f .; g commit -m x; g mv id_rsa t; rm t",
     false},
    {"a folder of .bodkinignore",
     "g init; echo in/ >.bodkinignore; mkdir in; echo SECRET >in/n; g add -f .; g commit -m x; "
     "rm -r in",
     false},
    {"a stash of untracked files",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.env; g stash -u", false},
    {"an older stash",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.env; g stash -u; echo b >a; g stash",
     false},
    {"a stash of nothing private",
     "g init; echo a >a; g add a; g commit -m x; echo n >new; g stash -u", true},
    {"a linked worktree",
     "g init; echo a >a; g add a; g commit -m x; g worktree add wt; cd wt; echo SECRET >.env; "
     "g add -f .; g commit -m y; rm .env",
     false},
    {"a submodule",
     "mkdir ../src; cd ../src; g init; echo SECRET >.env; g add -f .; g commit -m x; cd ../w; "
     "g init; g submodule add ../src lib; g commit -m x",
     true},
    {"a submodule that is gone",
     "mkdir ../src; cd ../src; g init; echo SECRET >.env; g add -f .; g commit -m x; cd ../w; "
     "g init; g submodule add ../src lib; g commit -m x; g submodule deinit -f lib; "
     "rm .git/modules/lib/index",
     true},
    {"a bare repository",
     "g init; echo a >a; g add a; g commit -m x; mkdir ../src; cd ../src; g init; echo SECRET "
     ">.env; "
     "g add -f .; g commit -m x; cd ../w; g clone --bare ../src mirror.git",
     true},
    {"a bare repository of nothing private",
     "g init; echo a >a; g add a; g commit -m x; g clone --bare . b.git", true},
    {"alternates",
     "g init --bare store; h=$(echo SECRET | git --git-dir=store hash-object -w --stdin); g init; "
     "echo $PWD/store/objects >.git/objects/info/alternates; "
     "g update-index --add --cacheinfo 100644,$h,.env; g commit -m x",
     false},
    {"a git folder elsewhere",
     "g init --separate-git-dir=$PWD/meta; echo SECRET >.env; g add -f .; g commit -m x", false},
    {"objects of LFS",
     "g init; mkdir -p .git/lfs/objects/ab; echo SECRET >.git/lfs/objects/ab/cd; echo oid >a.pem; "
     "g add -f .; g commit -m x",
     false},
    {"conflicts, patches and what people put there",
     "g init; echo SECRET >.env; g add -f .; g commit -m x; mkdir -p .git/rr-cache/ab "
     ".git/rebase-merge .git/annex; echo SECRET | tee .git/rr-cache/ab/preimage "
     ".git/rebase-merge/patch .git/annex/ab .git/.env >/dev/null",
     false},
    {"a private file in the git folder only",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.git/.env; g branch x.pem", true},
    {"a hard link to a private file",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.env; ln .env notes.txt", true},
    {"added, and taken back",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.env; g add -f .env; g reset .env",
     false},
    {"in an older commit only, and on the disk",
     "g init; echo SECRET >.env; g add -f .env; g commit -m x; g rm --cached .env; g commit -m y",
     false},
    {"the same as a template that git tracks",
     "g init; echo KEY= >env.template; cp env.template .env; g add env.template; g commit -m x",
     true},
    {"on another branch",
     "g init; echo a >a; g add a; g commit -m x; g checkout -b b; echo SECRET >.env; "
     "g add -f .env; g commit -m y; g checkout -",
     false},
    {"a tag of a file",
     "g init; echo a >a; g add a; g commit -m x; g tag -a -m t t $(git hash-object -w a)", true},
    {"a submodule of another name",
     "mkdir -p ../src/in; cd ../src; g init; echo SECRET >in/n; g add -f .; g commit -m x; "
     "cd ../w; g init; echo /lib/in/ >.bodkinignore; g submodule add --name odd ../src lib; "
     "g commit -m x; rm -r lib/in",
     true},
    {"objects, packs and bundles that were copied",
     "g init; echo a >a; g add a; g commit -m x; mkdir -p ../s; cd ../s; g init; echo SECRET >n; "
     "g add n; g commit -m x; cp -r .git/objects ../w/saved; g bundle create ../w/b.bundle HEAD; "
     "g gc; cp .git/objects/pack/*.pack ../w",
     true},
    {"patches that name a private file",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.env; "
     "g diff --no-index /dev/null .env >in.diff; (echo mail; cat in.diff) >0001-x.patch; rm .env",
     true},
    {"files of other tools, and of a rebase",
     "g init; echo a >a; g add a; g commit -m x; mkdir .git/rebase-apply .git/git-crypt; "
     "echo SECRET | tee .git/rebase-apply/0001 .git/git-crypt/k .git/cookies.txt "
     ".git/crash_1 >/dev/null",
     true},
    {"a hard link in the git folder",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >.env; ln .env .git/hooks/h", true},
    {"logins that git's configuration names",
     "g init; echo a >a; g add a; g commit -m x; echo SECRET >logins; echo SECRET >c.txt; "
     "printf '[http]\\nextraheader = A: SECRET\\n' >team.cfg; "
     "g config credential.helper \"store --file=$PWD/logins\"; g config http.cookieFile c.txt; "
     "g config include.path ../team.cfg",
     true},
    {"LFS in another place",
     "g init; g config lfs.storage ../big; mkdir -p big/ab; echo SECRET >big/ab/cd; echo oid "
     ">a.pem; "
     "g add -f a.pem; g commit -m x",
     false},
    {"a file of passwords",
     "g init; echo a >a; g add a; g commit -m x; echo https://u:SECRET@h >.git/credentials; "
     "echo https://u:SECRET@h >.git/FETCH_HEAD; echo c https://u:SECRET@h >>.git/logs/HEAD",
     true},
};

TEST_CASE("what git keeps of private files is hidden, by whatever door") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open || way == Isolation::inside) continue;  // copies without .git
    for (const GitDoor& door : kGitDoors) {
      CAPTURE(way);
      const std::string name = door.name;
      CAPTURE(name);
      const Place place;
      place.put("w/open.txt");
      const std::string begin =
          "cd " + (place.top / "w").string() +
          " && export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=/nonexistent && "
          "g() { git -c user.name=a -c user.email=a@x -c protocol.file.allow=always \"$@\"; } && (";
      REQUIRE(std::system((begin + door.script + ") >/dev/null 2>&1").c_str()) == 0);
      SandboxRun run;
      run.command = {
          "sh", "-c",
          "for d in $(find . -name HEAD -exec dirname {} +) .git; do "
          "git --git-dir=$d cat-file --batch-all-objects --batch; done; grep -ra SECRET .; "
          "for p in $(find . -name '*.pack'); do git init -q /tmp/u; "
          "git -C /tmp/u unpack-objects <$p; done; "
          "git --git-dir=/tmp/u/.git cat-file --batch-all-objects --batch; "
          "git log --format=tformat:works"};
      run.folders = {{.folder = (place.top / "w").string()}};
      const auto outcome = run_with(run, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      CHECK_MESSAGE(outcome->output.find("SECRET") == std::string::npos, outcome->output);
      CHECK((outcome->output.find("works\n") != std::string::npos) == door.shows_history);
    }
  }
}

namespace {

// A socket that a program outside listens to, bound by a path that /proc/net/unix does not tell.
struct Listening {
  Listening(const fs::path& folder, const std::string& name) {
    const int here = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    const std::string path = "/proc/self/fd/" + std::to_string(here) + "/" + name;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(socket, 9) == 0);
    ::close(here);
  }
  ~Listening() { ::close(socket); }
  bool was_reached() const { return ::accept(socket, nullptr, nullptr) >= 0; }
  int socket = -1;
};

}  // namespace

TEST_CASE("a socket or a pipe in a folder that is shown leads to nobody, whatever its name") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    CAPTURE(way);
    const Place place;
    place.put("shown/a.txt", "shown\n");
    place.put("w/a.txt", "live\n");
    const fs::path shown = place.top / "shown";
    const Listening relative(shown, "relative"), renamed(shown, "first"),
        live(place.top / "w", "s");
    fs::rename(shown / "first", shown / "renamed");
    REQUIRE(::mkfifo((shown / "pipe").c_str(), 0666) == 0);
    const int pipe = ::open((shown / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    SandboxRun run;
    run.settings.readable = {shown.string()};
    run.folders = {{.folder = (place.top / "w").string(), .is_live = true}};
    run.command = {"/usr/bin/python3", "-c",
                   "import os,socket,time\n"
                   "while 'ready' not in os.listdir('" +
                       shown.string() +
                       "'): time.sleep(0.02)\n"
                       "print(open('" +
                       shown.string() +
                       "/a.txt').read(),open('a.txt').read())\n"
                       "a,b=socket.socketpair(); a.send(b'own pair'); print(b.recv(9))\n"
                       "for n in ('relative','renamed','pipe','late','s'):\n"
                       "  p='" +
                       shown.string() +
                       "/'+n if n!='s' else n\n"
                       "  for k in (1,2,5):\n"
                       "    try: socket.socket(socket.AF_UNIX,k).connect(p); print('SECRET')\n"
                       "    except OSError: pass\n"
                       "    try: socket.socketpair(socket.AF_UNIX,k)[0].sendto(b'x',p)\n"
                       "    except OSError: pass\n"
                       "  try: os.write(os.open(p,os.O_WRONLY|os.O_NONBLOCK),b'x')\n"
                       "  except OSError: pass"};
    for (const bool has_live : {true, false}) {
      CAPTURE(has_live);
      if (!has_live) {
        run.folders.clear();
        run.command[2].replace(run.command[2].find(",open('a.txt').read()"), 21, "");
      }
      fs::remove(shown / "late");
      fs::remove(shown / "ready");
      int late = -1;
      const std::jthread outside([&](const std::stop_token& stop) {
        wait_for_command(shown.string() + "'): time", stop);
        ::mkfifo((shown / "late").c_str(), 0666);
        late = ::open((shown / "late").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        place.put("shown/ready");
      });
      const auto outcome = run_with(run, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      CHECK_MESSAGE(outcome->output.starts_with("shown\n"), outcome->output);
      CHECK_MESSAGE(outcome->output.find("own pair") != std::string::npos, outcome->output);
      CHECK(outcome->output.find("SECRET") == std::string::npos);
      CHECK(!relative.was_reached());
      CHECK(!renamed.was_reached());
      CHECK(!live.was_reached());
      for (char byte = 0; const int each : {pipe, late}) CHECK(::read(each, &byte, 1) <= 0);
      ::close(late);
    }
    ::close(pipe);
  }
}

namespace {

// What others do in the folder while a command reads all of it, and the next moment undo.
struct Meanwhile {
  const char *name, *first, *then;
  bool is_withheld = true;
};
constexpr Meanwhile kMeanwhile[] = {
    {"a private file", "cp ../s .env.production", "rm .env.production"},
    {"in a folder", "cp ../s sub/server.key", "rm sub/server.key"},
    {"in a new folder", "mkdir -p n/m; cp ../s n/m/id_rsa", "rm -r n"},
    {"moved in from elsewhere", "cp ../s ../x; mv ../x k.pem", "rm k.pem"},
    {"a folder that is moved in", "mkdir -p ../in/m; cp ../s ../in/m/.env; mv ../in .", "rm -r in"},
    {"in a folder of the list", "mkdir later; cp ../s later/n", "rm -r later"},
    {"in a folder of the list, for a moment", "mkdir later", "rmdir later"},
    {"by a new rule", "echo /doc/ >>.bodkinignore; mkdir doc; cp ../s doc/n", "rm doc/n"},
    {"by a rule above it", "cp ../s sub/above", "rm sub/above"},
    {"by a rule in a folder", "cp ../s sub/own", "rm sub/own"},
    {"by a new rule in a folder", "echo fresh >sub/d/.bodkinignore; cp ../s sub/d/fresh",
     "rm sub/d/fresh"},
    {"renamed", "mv .env t", "mv t .env"},
    {"renamed, out of the list", "mv listed/n t", "mv t listed/n"},
    {"a folder that is renamed", "mv listed t", "mv t listed"},
    {"a folder around it", "mv around t", "mv t around"},
    {"swapped", "mv .env t; mv open.txt .env; mv t open.txt", "mv open.txt t; mv t .env"},
    {"a hard link", "ln .env t", "rm t"},
    {"a hard link, out of the list", "ln listed/n t", "rm t"},
    {"a commit", "g add -f .env; g commit -m x", "g reset --soft HEAD~; g reset .env"},
    {"what was fetched", "g fetch ../other HEAD:refs/remotes/o/m", "true"},
    {"an editor that saves", "cp open.txt o.tmp; mv o.tmp open.txt", "true", false},
    {"an open commit", "cp open.txt new.c; g add new.c; g commit -m y", "true", false},
    {"a private file that changes", "echo more >>.env", "true", false},
};

}  // namespace

TEST_CASE("what a command says while a private file can be seen is withheld") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open || way == Isolation::inside) continue;  // copies: a snapshot
    for (const Meanwhile& each : kMeanwhile) {
      CAPTURE(way);
      const std::string name = each.name;
      CAPTURE(name);
      const Place place;
      place.put("w/.bodkinignore", "listed/\nlater/\naround/n\n");
      place.put(".bodkinignore", "/w/sub/above\n");
      place.put("w/sub/.bodkinignore", "own\n");
      place.put("w/sub/d/a.txt", "open\n");
      for (const char* path : {"w/.env", "w/listed/n", "w/around/n", "other/.env"})
        place.put(path, "SECRET\n");
      for (const char* path : {"w/sub/a.txt", "w/open.txt"}) place.put(path, "open\n");
      const std::string in_it =
          "cd " + (place.top / "w").string() +
          " && export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=/nonexistent && "
          "g() { git -c user.name=a -c user.email=a@x \"$@\"; } && ";
      const auto outside = [&](const std::string& script) {
        return std::system((in_it + "(" + script + ") >/dev/null 2>&1").c_str());
      };
      REQUIRE(outside("g init; g add open.txt; g commit -m x; cd ../other; g init; g add -f .env; "
                      "g commit -m x; cp .env ../s") == 0);
      SandboxRun run;
      run.folders = {{.folder = (place.top / "w").string()}};
      run.command = {"sh", "-c",
                     ": " + place.top.string() +
                         "; until ls sub | grep -q done; do grep -rs SECRET .; done; "
                         "git cat-file --batch-all-objects --batch; echo changed >new"};
      run.wants_changes = true;
      const std::jthread others([&](const std::stop_token& stop) {
        wait_for_command(": " + place.top.string(), stop);
        CHECK(outside(each.first) == 0);
        outside(each.then);
        place.put("w/sub/done");
      });
      const auto outcome = run_with(run, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      CHECK(outcome->output.find("SECRET") == std::string::npos);
      CHECK(outcome->changes.list.empty() == each.is_withheld);
      CHECK_MESSAGE((outcome->ended.find("private") != std::string::npos) == each.is_withheld,
                    outcome->ended);
    }
  }
}

TEST_CASE("a server on a live folder ends when a cover falls off") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    for (const bool is_new : {false, true}) {
      CAPTURE(way);
      CAPTURE(is_new);
      const Place place;
      place.put("w/.env", "SECRET\n");
      place.put("w/next", "SECRET\n");
      SandboxRun run;
      run.folders = {{.folder = (place.top / "w").string(), .is_live = true}};
      run.command = {"sh", "-c",
                     ": " + place.top.string() +
                         "; until [ -e ready ]; do sleep 0.02; done; cat .env .env.local"};
      const std::jthread outside([&](const std::stop_token& stop) {
        wait_for_command(": " + place.top.string(), stop);
        fs::rename(place.top / "w/next", place.top / (is_new ? "w/.env.local" : "w/.env"));
        place.put("w/ready");
      });
      const auto outcome = run_with(run, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      CHECK(outcome->output.empty());
      CHECK(outcome->ended.find("private") != std::string::npos);
    }
  }
}

TEST_CASE("a live folder is as the disk has it, read-only and without what is private") {
  const Place place;
  place.put("w/.bodkinignore", "inner/listed.txt\n");
  place.put("w/inner/.bodkinignore", "private/\n");
  place.put("w/inner/a.txt", "before\n");
  for (const char* path : {".env", "listed.txt", "private/n.txt", ".git/config", "sub/.git/config"})
    place.put("w/inner/" + std::string(path), "SECRET\n");
  place.put("w/beside.txt", "SECRET\n");
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    CAPTURE(way);
    place.put("w/inner/a.txt", "before\n");
    SandboxRun run;
    run.command = {
        "sh", "-c",
        ": " + place.top.string() +
            "; cat .env listed.txt private/n.txt .git/config sub/.git/config ../beside.txt; "
            "echo x >new.txt; until grep -q later a.txt; do sleep 0.05; done; ls private"};
    run.folders = {{.folder = (place.top / "w/inner").string(), .is_live = true}};
    const std::jthread changes([&](const std::stop_token& stop) {
      wait_for_command(": " + place.top.string(), stop);
      place.put("w/inner/next", "later\n");
      fs::rename(place.top / "w/inner/next", place.top / "w/inner/a.txt");
    });
    const auto outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->exit_code == 0);
    CHECK(outcome->output.find("SECRET") == std::string::npos);
    CHECK(!fs::exists(place.top / "w/inner/new.txt"));
  }
}

TEST_CASE("folders of tools are shown without the logins that people keep there") {
  const Place place;
  const std::vector<std::string> secrets = {".nvm/.npmrc",
                                            ".pyenv/.env",
                                            ".rvm/.netrc",
                                            ".virtualenvs/p/.env",
                                            ".virtualenvs/p/bin/postactivate",
                                            ".virtualenvs/postactivate"};
  for (const std::string& path : secrets) place.put(path, "SECRET\n");
  place.put(".nvm/.git/config", kLogin);
  place.put(".cargo/git/db/x/HEAD");
  place.put(".cargo/git/db/x/config", kLogin);
  place.put(".gradle/daemon/8/daemon-1.out.log", "SECRET\n");
  place.put(".cargo/registry/src/index/crate/tests/server.pem", "of a package\n");
  place.put(".virtualenvs/p/bin/python", "program\n");
  place.put(".pyenv/shims/dotenv", "command\n");
  place.put(".local/bin/dotenv", "another\n");
  for (const char* path : {".pyenv/shims/dotenv", ".local/bin/dotenv"})
    fs::permissions(place.top / path, fs::perms::owner_all);
  place.put(".nvm/.git/HEAD", "head\n");
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("HOME", place.top.c_str(), 1);
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    CAPTURE(way);
    SandboxRun run;
    run.command = {"sh", "-c",
                   "cat ~/.cargo/registry/src/*/*/tests/* ~/.virtualenvs/p/bin/python "
                   "~/.nvm/.git/HEAD ~/.pyenv/shims/dotenv ~/.local/bin/dotenv; grep -rs SECRET ~; "
                   "cat /proc/self/oom_score_adj"};
    const auto outcome = run_with(run, way, {});
    if (!outcome) ::setenv("HOME", before.c_str(), 1);
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output == "of a package\nprogram\nhead\ncommand\nanother\n500\n");
  }
  ::setenv("HOME", before.c_str(), 1);
}
