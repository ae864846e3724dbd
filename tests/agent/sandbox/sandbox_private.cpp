// What of a workspace and of a home stays outside of the sandbox, wherever it lies.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "agent/sandbox/sandbox_files.h"
#include "agent/sandbox/sandbox_shown.h"
#include "agent/sandbox/sandbox_ways.h"

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
    run.command = {"sh", "-c",
                   "cat .env listed.txt private/n.txt .git/config sub/.git/config ../beside.txt; "
                   "echo x >new.txt; until grep -q later a.txt; do sleep 0.05; done; ls private"};
    run.folders = {{.folder = (place.top / "w/inner").string(),
                    .is_live = true,
                    .around = {(place.top / "w").string()}}};
    const std::jthread changes([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
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
