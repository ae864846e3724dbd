#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "agent/platform/processes.h"

namespace bodkin {

namespace {

struct Process {
  int parent = 0;
  uint64_t pages = 0, ticks = 0;
};

// "PID (name) S PPID …": the name may contain anything.
bool read_process(const std::string& folder, Process& process) {
  std::ifstream stat(folder + "/stat"), statm(folder + "/statm");
  std::string line;
  if (!std::getline(stat, line)) return false;
  const size_t name_end = line.rfind(')');
  if (name_end == line.npos) return false;
  std::istringstream rest(line.substr(name_end + 1));
  std::string state;
  uint64_t size = 0;
  rest >> state >> process.parent;
  for (int i = 0; i < 9; ++i) rest >> state;
  for (int i = 0; i < 4; ++i) {  // utime, stime, and of children that have ended
    rest >> size;
    process.ticks += size;
  }
  statm >> size >> process.pages;
  return !rest.fail();
}

}  // namespace

ProcessUse use_of_readers(int pipe) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path wanted = fs::read_symlink("/proc/self/fd/" + std::to_string(pipe), error);
  if (error || !wanted.string().starts_with("pipe:")) return {};
  std::map<int, Process> processes;
  std::set<int> found;
  const int self = ::getpid();
  for (fs::directory_iterator each("/proc", error), end; !error && each != end;
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    int pid = 0;
    const auto [rest, problem] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (problem != std::errc() || rest != name.data() + name.size()) continue;
    Process process;
    if (!read_process(each->path().string(), process)) continue;
    processes[pid] = process;
    std::error_code hidden;
    if (pid != self && fs::read_symlink(each->path() / "fd/0", hidden) == wanted && !hidden)
      found.insert(pid);
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [pid, process] : processes)
      if (found.contains(process.parent) && found.insert(pid).second) grows = true;
  }
  uint64_t pages = 0, ticks = 0;
  for (const int pid : found) {
    pages += processes[pid].pages;
    ticks += processes[pid].ticks;
  }
  return {pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)),
          std::chrono::milliseconds(ticks * 1000 / static_cast<uint64_t>(::sysconf(_SC_CLK_TCK)))};
}

bool is_thrifty() {
  double load = 0;
  if (::getloadavg(&load, 1) == 1 && load > 3.0 * std::thread::hardware_concurrency()) return true;
  std::error_code error;
  for (const auto& supply : std::filesystem::directory_iterator("/sys/class/power_supply", error)) {
    std::ifstream status(supply.path() / "status");
    std::string word;
    if (status >> word && word == "Discharging") return true;
  }
  return false;
}

}  // namespace bodkin
