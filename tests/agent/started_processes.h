// Processes that a test's scripts started.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

// Of the program that wrote its number, and "end", into `file`; waits until it has, for as long as
// any test may take; throws if it has not.
inline pid_t pid_in(const std::string& file) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (; std::chrono::steady_clock::now() < latest;
       std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    std::ifstream in(file);
    pid_t pid = 0;
    std::string end;
    if (in >> pid >> end && end == "end") return pid;
  }
  throw std::runtime_error("nothing was started that writes " + file);
}

// Waits until it has ended, for as long as any test may take; false: it has not.
inline bool is_gone(pid_t pid) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    std::ifstream state("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, letter;
    if (state >> number >> name >> letter && letter == "Z") return true;
    if (std::chrono::steady_clock::now() > latest) return false;
  }
}
