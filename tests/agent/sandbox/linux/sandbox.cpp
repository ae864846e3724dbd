// Attacks on the sandbox, each in every way of building one that this machine allows.
#include "agent/sandbox/sandbox.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "agent/process_list.h"
#include "agent/sandbox/linux/sandbox_ways.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Isolation = SandboxPlan::Isolation;

namespace {

// A socket outside that nobody may reach.
struct Listener {
  int fd = -1;
  explicit Listener(const std::string& path) {  // a leading NUL: abstract
    fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{AF_UNIX, {}};
    std::memcpy(address.sun_path, path.data(), path.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(fd, 4) == 0);
  }
  Listener() {
    fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(fd, 4) == 0);
  }
  ~Listener() { ::close(fd); }
  int port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }
  bool was_reached() const { return ::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC) >= 0; }
};

// A user with secrets, in a home of their own, and a workspace in it.
struct Victim {
  explicit Victim(const std::string& workspace = "home/work, a:b\\c") {
    std::string name = "/var/tmp/bodkin-sandbox-XXXXXX";
    top = fs::canonical(::mkdtemp(name.data()));
    mark = top.filename().string();
    for (const char* path :
         {"home/.ssh/id_rsa", "home/.netrc", "home/.config/gh/hosts.yml", "home/.aws/credentials",
          "home/.bash_history", "home/.cargo/credentials.toml", "home/.mozilla/firefox/key4.db",
          "home/.config/bodkin/settings.json", "home/.git-credentials", "home/.npmrc",
          // where no list could know it
          "home/other/.env", "home/backup/.ssh/id_rsa", "home/notes/passwords.txt",
          "home/.cache/thumbnails/letter", "home/.local/share/tool/login", "home/go/src/theirs.go",
          "home/tools/.env", "home/.m2/settings.xml", "beside/.env"}) {
      put(path, "SECRET\n");
    }
    put("home/.cargo/registry/crate", "crate\n");
    put("home/.nvm/versions/node", "node\n");
    put("home/tools/compiler", "compiler\n");
    put("home/.bashrc", "# mine\n");
    put("home/.cache/tool/file", "cached\n");
    fs::create_directory_symlink(top / "home/.ssh", top / "home/keys");
    root = top / workspace;
    fs::create_directories(root / "sub");
    put(workspace + "/a.txt", "disk\n");
    put(workspace + "/.env", "KEY=SECRET\n");
    put(workspace + "/.bodkinignore", "hidden/\n");
    put(workspace + "/hidden/plan.txt", "SECRET\n");
    put(workspace + "/.git/config", "[remote \"o\"]\nurl = https://me:SECRET@host/\n");
    put(workspace + "/lib/.git/modules/m/config", "[http]\nextraheader = SECRET\n");
    put("outside/there", "there\n");
    fs::create_symlink(top / "outside", root / "out");
    ::setenv("HOME", (top / "home").c_str(), 1);
    ::setenv("GITHUB_TOKEN", "SECRET", 1);
    ::setenv("MARK", mark.c_str(), 1);
    ::setenv("TOP", top.c_str(), 1);
  }
  ~Victim() {
    if (home.empty()) {
      ::unsetenv("HOME");
    } else {
      ::setenv("HOME", home.c_str(), 1);
    }
    for (const char* name : {"GITHUB_TOKEN", "MARK", "TOP"}) ::unsetenv(name);
    fs::remove_all(top);
  }
  void put(const std::string& path, const std::string& text) {
    fs::create_directories((top / path).parent_path());
    std::ofstream(top / path) << text;
  }
  std::string text_of(const fs::path& path) const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  SandboxRun run_of(const std::string& script) const {
    SandboxRun run;
    run.command = {"sh", "-c", script};
    run.folders = {{.folder = root.string()}};
    run.copy = [this](const std::string&) {
      std::vector<SandboxFolder::File> files = {{.path = "a.txt", .text = text_of(root / "a.txt")},
                                                {.path = "sub/b.txt", .text = "b\n"}};
      return Result<std::vector<SandboxFolder::File>>(std::move(files));
    };
    run.settings.environment = {"MARK", "TOP"};
    run.timeout = 60s;
    return run;
  }
  // Nothing of the attack is outside.
  void check_unharmed() const {
    CHECK(text_of(top / "home/.bashrc") == "# mine\n");
    CHECK(text_of(root / "a.txt") == "disk\n");
    CHECK(text_of(top / "outside/there") == "there\n");
    CHECK(!fs::exists(top / "outside/mark"));
    CHECK(!fs::exists(root / "mark"));
    for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm"}) {
      CHECK(!fs::exists(fs::path(folder) / (mark + ".made")));
    }
  }

  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  fs::path top, root;
  std::string mark;
};

// Is there a process with this word in its command line?
bool runs(const std::string& word) {
  const std::vector<std::string> lines = command_lines();
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(word) != std::string::npos; });
}

bool is_over_soon(const std::string& word) {
  for (int i = 0; i < 12000 && runs(word); ++i) ::usleep(5000);
  return !runs(word);
}

struct Attack {
  const char* name;
  const char* script;
};

// What it prints must not contain SECRET, and nothing outside may have changed.
constexpr Attack kAttacks[] = {
    {"reads secret files",
     "cat ~/.ssh/* ~/keys/* ~/.netrc ~/.config/gh/* ~/.aws/* ~/.bash_history ~/.npmrc "
     "~/.cargo/credentials* ~/.mozilla/*/* ~/.config/bodkin/* ~/.git-credentials"},
    {"reads what no list knows",
     "cat ~/other/.env ~/backup/.ssh/* ~/notes/* ~/.cache/*/* ~/.local/share/*/* ~/go/src/* "
     "~/tools/.env ~/.m2/* $TOP/beside/.env; find /root /mnt /srv /media /var/log "
     "-mindepth 1 2>/dev/null | grep . && echo SECRET"},
    {"finds them by searching", "grep -rs SECRET ~ $TOP /var/tmp . .. /tmp /home 2>/dev/null"},
    {"reads private files of the workspace", "cat .env hidden/* .git/config"},
    {"reads the environment",
     "env; cat /proc/*/environ /proc/self/mountinfo /proc/1/cmdline 2>/dev/null | tr '\\0' '\\n'"},
    {"reaches the parent",
     "cat /proc/$PPID/root$HOME/.netrc /proc/1/root$HOME/.netrc "
     "/proc/1/cwd/$HOME/.netrc /proc/1/fd/* /proc/*/mem"},
    {"writes at home", "echo evil >>~/.bashrc; rm -rf ~/.bashrc; mv ~/.bashrc ~/x; ln ~/.bashrc a"},
    {"writes beside it",
     "echo x >$TOP/outside/mark; echo x >out/there; echo x >out/mark; rm -rf $TOP/outside"},
    {"writes in the workspace", "echo x >a.txt; echo x >mark; rm -rf a.txt .git sub"},
    {"writes temporary files",
     "for d in /tmp /var/tmp /dev/shm; do echo x >$d/$MARK.made && cat $d/$MARK.made; done"},
    {"swaps a folder for a link",
     "rm -rf sub; ln -s $TOP/outside sub; echo x >sub/mark; "
     "echo x >sub/there"},
    {"uses what it inherited",
     "for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 2 ] && echo x >&$n; "
     "[ $n -gt 2 ] && cat <&$n; done; ls -l /proc/self/fd"},
    {"opens the walls",
     "umount ~/.ssh; umount -l /home; mount -o remount,rw /; mount -t tmpfs none /mnt; cat "
     "~/.ssh/*"},
    {"opens the walls from a further user namespace",
     "unshare -Urm sh -c 'umount -l $HOME/.ssh; umount -l $HOME; mount -o remount,rw,bind $HOME; "
     "mount --rbind / /mnt; umount -l /proc; mkdir /tmp/u /tmp/w /tmp/m; cat /proc/1/environ; "
     "mount -t overlay o -o lowerdir=$HOME,upperdir=/tmp/u,workdir=/tmp/w,userxattr /tmp/m; "
     "cat $HOME/.ssh/* /mnt/$HOME/.ssh/* /tmp/m/.ssh/*; echo x >>$HOME/.bashrc; "
     "mount -t proc p /proc; cat /proc/1/environ'"},
    {"traces the process that guards it",
     "python3 -c 'import ctypes; print(ctypes.CDLL(None).ptrace(16,1,0,0))' | sed 's/^0$/SECRET/'"},
    {"types into the terminal",
     "python3 -c 'import fcntl,termios\n"
     "for t in (\"/dev/tty\",\"/proc/self/fd/0\",\"/proc/self/fd/1\"):\n"
     "  try: fcntl.ioctl(open(t),termios.TIOCSTI,b\"x\"); print(\"SECRET\")\n"
     "  except OSError as e: print(e)'"},
    {"opens the machine's devices",
     "for d in /dev/vd* /dev/sd* /dev/mem /dev/kmsg /dev/nvme* /dev/input/* /dev/loop* "
     "/dev/kvm /dev/fuse; do head -c1 $d >/dev/null 2>&1 && echo SECRET $d; done; "
     "mknod /tmp/d b 254 0 && head -c1 /tmp/d && echo SECRET"},
    {"turns the kernel's switches",
     "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sysrq-trigger "
     "/sys/kernel/uevent_helper /proc/sys/vm/drop_caches /proc/sys/kernel/hostname; do "
     "[ -e $f ] && sh -c \"cat $f >$f\" 2>/dev/null && echo SECRET $f; done"},
    {"reads what only root should",
     "cat /etc/shadow >/dev/null && test -s /etc/shadow && echo SECRET"},
    {"signals processes outside",
     "kill -TERM -1; kill -9 $PPID; kill -9 1; echo SECRET | tr A-Z x"},
    {"makes calls that go around the walls",
     "/usr/bin/python3 -c 'import ctypes,socket\n"
     "for family in (40,38,17,31,29):\n"  // AF_VSOCK, AF_ALG, AF_PACKET, AF_BLUETOOTH, AF_CAN
     "  for kind in (1,2,3,5):\n"
     "    try: socket.socket(family,kind); print(\"SECRET\",family)\n"
     "    except OSError: pass\n"
     "libc=ctypes.CDLL(None,use_errno=True)\n"
     "def call(number,*words):\n"
     "  if libc.syscall(number,*words)!=-1 or ctypes.get_errno() not in (1,38): "
     "print(\"SECRET\",number,ctypes.get_errno())\n"
     "import platform\n"
     "if platform.machine()==\"x86_64\":\n"
     "  call(250,0,-4,1); call(425,1,None); call(298,None); call(321,0,None); call(323,0)\n"
     "  call(272,0x10000000); call(56,0x10000000|17); call(435,None,0)'"},
    {"fills memory that nobody counts, and looks at the machine's network",
     "/usr/bin/python3 -c 'import os\n"
     "try: os.memfd_create(\"x\"); print(\"SECRET\")\n"
     "except OSError: pass\n"
     "for top,folders,_ in os.walk(\"/sys/class/net\"):\n"
     "  for name in folders: print(\"SECRET\" if name!=\"lo\" and top==\"/sys/class/net\" else "
     "\"\",name)'"},
    {"has rights",
     "grep Cap /proc/self/status | grep -v 0000000000000000 && echo SECRET; "
     "grep 'NoNewPrivs:.1' /proc/self/status || echo SECRET"},
};

}  // namespace

TEST_CASE("an attack in the sandbox finds no secret and changes nothing outside") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) {  // nothing is promised there, and the attacks are real ones
      Victim victim;
      const auto outcome = run_with(victim.run_of(kAttacks[0].script), way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      CHECK(outcome->output.find("SECRET") != std::string::npos);
      continue;
    }
    for (const Attack& attack : kAttacks) {
      CAPTURE(way);
      CAPTURE(attack.name);
      Victim victim;
      const auto outcome = run_with(victim.run_of(attack.script), way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      CHECK_MESSAGE(outcome->output.find("SECRET") == std::string::npos, outcome->output);
      victim.check_unharmed();
    }
  }
}

TEST_CASE("no socket outside is reached from the sandbox, unless the network is allowed") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    for (const bool network : {false, true}) {
      CAPTURE(way);
      CAPTURE(network);
      Victim victim;
      const Listener path((victim.top / "home/agent").string()),
          abstract(std::string(1, '\0') + victim.mark);
      const Listener in_workspace((victim.root / "ipc").string());
      const Listener moved((victim.root / "first").string());
      fs::rename(victim.root / "first", victim.root / "moved");
      REQUIRE(::mkfifo((victim.root / "pipe").c_str(), 0600) == 0);
      const Listener tcp;
      SandboxRun run = victim.run_of(
          "python3 -c 'import os,socket\n"
          "t=os.environ[\"TOP\"]\n"
          "if os.path.exists(\"pipe\"): print(\"reached a pipe\")\n"
          "for a in (t+\"/home/agent\",\"\\0\"+os.environ[\"MARK\"],\"ipc\",\"moved\"):\n"
          "  try: socket.socket(socket.AF_UNIX).connect(a); print(\"reached\",repr(a))\n"
          "  except OSError as e: print(e)\n"
          "try: socket.create_connection((\"127.0.0.1\"," +
          std::to_string(tcp.port()) +
          "),5); print(\"tcp\")\n"
          "except OSError as e: print(e)\n"
          "l=socket.create_server((\"127.0.0.1\",0)); socket.create_connection(l.getsockname()); "
          "print(\"its own\")'");
      run.settings.network = network;
      const auto outcome = run_with(run, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      INFO(outcome->output);
      CHECK(!path.was_reached());
      CHECK(!abstract.was_reached());
      CHECK(!in_workspace.was_reached());
      CHECK(!moved.was_reached());
      CHECK(outcome->output.find("reached a pipe") == std::string::npos);
      CHECK(tcp.was_reached() == network);
      CHECK(outcome->output.find("its own") != std::string::npos);
    }
  }
}

TEST_CASE("what stays behind a command is ended with it") {
  for (const Isolation way : ways_here()) {
    CAPTURE(way);
    Victim victim;
    const auto outcome = run_with(
        victim.run_of("setsid -f sh -c 'exec 2>&1 >/dev/null; sleep 600 " + victim.mark +
                      " || sleep 600' & (setsid python3 -c 'import time; time.sleep(600)' $MARK "
                      "</dev/null >/dev/null 2>&1 &) ; sleep 0.2; echo done"),
        way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output.find("done\n") != std::string::npos);
    CHECK(is_over_soon(victim.mark));
  }
}

TEST_CASE("a command that takes too long is told so, and ends with all that it started") {
  for (const Isolation way : ways_here()) {
    CAPTURE(way);
    Victim victim;
    SandboxRun run = victim.run_of(
        "trap '' TERM INT HUP; setsid sleep 600 & python3 -c "
        "'import time; time.sleep(600)' $MARK");
    run.timeout = 300ms;
    const auto outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->ended.ends_with("did not finish within 0.3 s"));
    CHECK(is_over_soon(victim.mark));
  }
}

TEST_CASE("a stop request ends what runs") {
  for (const Isolation way : ways_here()) {
    CAPTURE(way);
    Victim victim;
    std::stop_source stop;
    std::jthread stopper([&] {
      while (!runs("sleep(600)\0" + victim.mark) && !runs(victim.mark)) ::usleep(2000);
      stop.request_stop();
    });
    const auto outcome =
        run_with(victim.run_of("setsid python3 -c 'import time; time.sleep(600)' $MARK"), way,
                 stop.get_token());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == Error::Code::cancelled);
    CHECK(is_over_soon(victim.mark));
  }
}

TEST_CASE("a sandbox ends what multiplies itself before it fills the machine") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;  // nothing there is sure to be counted in time
    CAPTURE(way);
    Victim victim;
    SandboxRun run = victim.run_of("bomb() { bomb & bomb & wait; }; bomb");
    run.limits.processes = 200;
    const auto outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    // As an ordinary user fork() fails at that number, and each shell ends by itself.
    if (!outcome->ended.empty()) CHECK(outcome->ended.ends_with("it had more than 200 processes"));
  }
}

TEST_CASE("a sandbox has limits, which are named") {
  for (const Isolation way : ways_here()) {
    CAPTURE(way);
    Victim victim;
    SandboxRun run = victim.run_of("while :; do sleep 60 & done");
    run.limits.processes = 60;
    auto outcome = run_with(run, way, {});
    // As an ordinary user fork() fails at that number, and the shell with it.
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    if (outcome->ended.empty()) {
      CHECK(outcome->exit_code != 0);
    } else {
      CHECK(outcome->ended.ends_with("it had more than 60 processes"));
    }
    run = victim.run_of(
        "python3 -c 'import time\nx=[]\nfor i in range(400):\n  x.append(b\"x\"*1000000); "
        "time.sleep(0.005)\ntime.sleep(60)'");
    run.limits.memory = 100u << 20;
    outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->ended.ends_with("it used more than 100 MB of memory"));
    run = victim.run_of("yes | head -c 9000000 >big; wc -c <big; yes | head -c 9000000");
    run.limits.space = 4u << 20;
    outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output.find("9000000") == std::string::npos);
    run.limits.output = 1u << 20;
    outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->ended.ends_with("wrote more than 1 MB"));
    CHECK(outcome->output.size() == run.limits.output);
  }
}

TEST_CASE("a workspace may be anywhere, and a cache may be written") {
  for (const Isolation way : ways_here()) {
    for (const char* place : {"home/work, a:b\\c", "home", "other/a b"}) {
      CAPTURE(way);
      CAPTURE(place);
      Victim victim(place);
      SandboxRun run = victim.run_of(
          "cat a.txt && echo x >a.txt && cat a.txt && mkdir -p sub && "
          "echo y >sub/b.txt && cat sub/b.txt && rm -rf sub && "
          "mkdir sub && ls sub && cat ~/.ssh/id_rsa; "
          "echo z >~/.cache/tool/new && cat ~/.cache/tool/*");
      run.settings.caches = {"~/.cache", "~/.not-there"};
      const auto outcome = run_with(run, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      INFO(outcome->output);
      CHECK(outcome->output.starts_with("disk\nx\ny\n"));
      victim.check_unharmed();
      if (way == Isolation::open) {
        fs::remove(victim.top / "home/.cache/tool/new");
        continue;
      }
      CHECK(outcome->output.find("SECRET") == std::string::npos);
      CHECK(!fs::exists(victim.top / "home/.cache/tool/new"));
      if (way == Isolation::inside) continue;  // there caches can only be read
      CHECK(outcome->output.ends_with("cached\nz\n"));
    }
  }
}

TEST_CASE("where git tracks a private file its objects are not in the sandbox") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    CAPTURE(way);
    Victim victim;
    const auto commit = [&](const std::string& name, const std::string& file) {
      const fs::path folder = victim.root / name;
      fs::create_directories(folder);
      std::ofstream(folder / file) << "KEY=SECRET\n";
      std::ofstream(folder / "b.c") << "int b;\n";
      const std::string git = "git -c user.name=n -c user.email=e ";
      const std::string script = "cd '" + folder.string() +
                                 "' && git init -q . && git add -f . && " + git +
                                 "commit -qm x && rm " + file;
      REQUIRE(std::system(script.c_str()) == 0);
      std::ofstream(folder / file) << "KEY=OTHER\n";
    };
    commit("tracked", ".env");
    commit("clean", "c.c");
    const auto outcome = run_with(
        victim.run_of("(cd tracked; git show HEAD:.env; git log -p); cd clean; git show HEAD:b.c"),
        way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    INFO(outcome->output);
    CHECK(outcome->output.find("SECRET") == std::string::npos);
    // A copy has no .git at all.
    if (outcome->output.find("not a git repository") == std::string::npos)
      CHECK(outcome->output.find("int b;") != std::string::npos);
  }
}

TEST_CASE("of the home what tools need is there, and what the user names") {
  for (const Isolation way : ways_here()) {
    if (way == Isolation::open) continue;
    CAPTURE(way);
    Victim victim;
    victim.put("home/sdk/one/lib/library", "library\n");
    victim.put("home/sdk/one/bin/compile", "cat ~/sdk/one/lib/library\n");
    victim.put("home/sdk/one/.env", "SECRET\n");
    fs::create_directories(victim.top / "home/real");
    fs::rename(victim.top / "home/.nvm", victim.top / "home/real/nvm");
    fs::create_directory_symlink(victim.top / "home/real/nvm", victim.top / "home/.nvm");
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", (before + ":" + (victim.top / "home/sdk/one/bin").string()).c_str(), 1);
    SandboxRun run = victim.run_of(
        "cat ~/.cargo/registry/crate ~/.nvm/versions/node ~/tools/compiler; sh "
        "~/sdk/one/bin/compile; cat ~/tools/.env ~/sdk/one/.env ~/.cargo/credentials.toml; "
        "echo x >~/mine && cat ~/mine; ls ~/other");
    run.settings.readable = {"~/tools", "~/not-there", "relative", "/"};
    const auto outcome = run_with(run, way, {});
    ::setenv("PATH", before.c_str(), 1);
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    INFO(outcome->output);
    CHECK(outcome->output.starts_with("crate\nnode\ncompiler\nlibrary\n"));
    CHECK(outcome->output.find("SECRET") == std::string::npos);
    CHECK(outcome->output.find("\nx\n") != std::string::npos);
    CHECK(!fs::exists(victim.top / "home/mine"));
  }
}

TEST_CASE("files of another group can be changed in the sandbox") {
  if (::geteuid() != 0) {
    std::cout << "skip: only root can make files that belong to another group\n";
    return;
  }
  for (const Isolation way : ways_here()) {
    Victim victim;
    for (const char* path : {"a.txt", "sub", "."}) {
      REQUIRE(::chown((victim.root / path).c_str(), 12345, 54321) == 0);
    }
    const auto outcome = run_with(
        victim.run_of("echo x >a.txt && echo y >sub/new && echo z >new && cat a.txt sub/new new"),
        way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output == "x\ny\nz\n");
    victim.check_unharmed();
  }
}

TEST_CASE("only the environment that the user names gets into the sandbox") {
  for (const Isolation way : ways_here()) {
    Victim victim;
    SandboxRun run = victim.run_of("env");
    const auto outcome = run_with(run, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output.find("GITHUB_TOKEN") == std::string::npos);
    CHECK(outcome->output.find("MARK=" + victim.mark) != std::string::npos);
    CHECK(outcome->output.find("HOME=" + (victim.top / "home").string()) != std::string::npos);
  }
}

TEST_CASE("without a sandbox nothing runs unasked") {
  SandboxRun run;
  run.command = {"true"};
  const auto outcome = run_in_sandbox(run, {});
  CHECK(outcome.has_value() == (sandbox_ability().kind != Confinement::none));
}

TEST_CASE("a temporary folder is ours alone, and what a crash left is removed") {
  std::string top = "/tmp/bodkin-folder-test-XXXXXX";
  REQUIRE(::mkdtemp(top.data()));
  const std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp";
  ::setenv("TMPDIR", top.c_str(), 1);
  const fs::path common = fs::path(top) / ("bodkin-" + std::to_string(::geteuid()));
  {
    fs::create_directories(common / "abandoned/sub");
    fs::permissions(common, fs::perms::owner_all);
    const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
    REQUIRE(folder.has_value());
    CHECK(fs::status(folder->path()).permissions() == fs::perms::owner_all);
    remove_abandoned_folders();
    CHECK(!fs::exists(common / "abandoned"));
    CHECK(fs::exists(folder->path()));  // it is in use
  }
  CHECK(fs::is_empty(top));
  // Somebody else was there first: a link, a folder open to others.
  fs::create_directory(fs::path(top) / "theirs");
  fs::create_directory_symlink(fs::path(top) / "theirs", common);
  CHECK(!TemporaryFolder::make(TemporaryFolder::Where::disk).has_value());
  fs::remove(common);
  fs::create_directory(common);
  fs::permissions(common, fs::perms::all);
  CHECK(!TemporaryFolder::make(TemporaryFolder::Where::disk).has_value());
  ::setenv("TMPDIR", before.c_str(), 1);
  fs::remove_all(top);
}
